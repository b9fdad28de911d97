#include "study/front.h"

static const double rounding = 1e-9;

static bool is_above(double a, double b)
{
    return a > b * (1 + rounding);
}

bool front_covers(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_above(a[i], b[i]))
            return false;
    return true;
}

static bool covers(const FrontPoint *a, const FrontPoint *b)
{
    const double of_a[] = {a->startup, a->rest}, of_b[] = {b->startup, b->rest};
    return front_covers(of_a, of_b, 2);
}

void front_add(Arena *arena, Front *front, const FrontPoint *point)
{
    size_t kept = 0;
    for (size_t i = 0; i < front->count; i++)
        if (covers(&front->items[i], point))
            return;
    for (size_t i = 0; i < front->count; i++)
        if (!covers(point, &front->items[i]))
            front->items[kept++] = front->items[i];
    front->count = kept;
    ARRAY_PUSH(arena, front);
    size_t at = kept;
    for (; at > 0 && front->items[at - 1].startup > point->startup; at--)
        front->items[at] = front->items[at - 1];
    front->items[at] = *point;
}
