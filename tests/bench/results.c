#include "results.h"

#include <stdio.h>
#include <stdlib.h>

void fail(const char *what)
{
    fprintf(stderr, "bench: %s failed\n", what);
    exit(1);
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return values[count / 2];
}

void add_pair(Pairs *pairs, double ours, double limit)
{
    pairs->ours[pairs->count] = ours;
    pairs->limit[pairs->count] = limit;
    pairs->ratios[pairs->count++] = ours / limit;
}

static const char *show_peak(char *room, long peak)
{
    if (peak)
        snprintf(room, 32, "%.1f MiB", (double)peak / 1024);
    return room;
}

/* At once, so that what is measured is there if the rest is not. */
static void print_row(const Result *result, bool is_first)
{
    if (is_first)
        printf("%-46s %-26s %12s %12s %8s\n", "measured", "against", "value", "limit", "ratio");
    printf("%-46s %-26s %12.4g ", result->name, result->limit, result->value);
    if (*result->limit)
        printf("%12.4g %8.3g", result->limit_value, result->ratio);
    else
        printf("%12s %8s", "-", "-");
    printf("  %-10s %s\n", result->unit, show_peak((char[32]){""}, result->peak));
    fflush(stdout);
}

void add_result(Results *results, const char *name, const char *limit, const char *unit,
                double amount, Pairs *pairs, long peak)
{
    double ours = median(pairs->ours, pairs->count), theirs = median(pairs->limit, pairs->count);
    double ratio = median(pairs->ratios, pairs->count);
    Result *result = &results->items[results->count++];
    *result = amount > 0 ? (Result){name,      limit, unit, amount / ours, amount / theirs,
                                    1 / ratio, false, peak}
                         : (Result){name, limit, unit, ours, theirs, ratio, true, peak};
    print_row(result, results->count == 1);
}

void write_results(const Results *results)
{
    printf("\n[");
    for (size_t i = 0; i < results->count; i++)
        printf(
            "%s\n  {\"measured\": \"%s\", \"against\": \"%s\", \"unit\": \"%s\", \"value\": %.6g, "
            "\"limit\": %.6g, \"ratio\": %.4g, \"larger_is_better\": %s, \"peak_kib\": %ld}",
            i ? "," : "", results->items[i].name, results->items[i].limit, results->items[i].unit,
            results->items[i].value, results->items[i].limit_value, results->items[i].ratio,
            results->items[i].is_time ? "false" : "true", results->items[i].peak);
    printf("\n]\n");
}
