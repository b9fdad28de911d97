#include "base/array.h"

#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static int compare_whole(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* qsort is not to be called without an array. */
void sort_doubles(double *numbers, size_t count)
{
    if (count > 1)
        qsort(numbers, count, sizeof *numbers, compare_doubles);
}

void sort_whole(int64_t *numbers, size_t count)
{
    if (count > 1)
        qsort(numbers, count, sizeof *numbers, compare_whole);
}

size_t sort_doubles_once(double *numbers, size_t count)
{
    size_t kept = 0;
    sort_doubles(numbers, count);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || numbers[i] > numbers[kept - 1])
            numbers[kept++] = numbers[i];
    return kept;
}
