#include "cost/due_times.h"

DueTimes due_times_create(Arena *arena, int32_t count)
{
    DueTimes due = {.heap = ARENA_ARRAY(arena, int32_t, (size_t)count),
                    .places = ARENA_ARRAY(arena, int32_t, (size_t)count),
                    .times = ARENA_ARRAY(arena, double, (size_t)count)};
    for (int32_t i = 0; i < count; i++)
        due.places[i] = -1;
    return due;
}

static bool is_before(const DueTimes *due, int32_t a, int32_t b)
{
    return due->times[a] != due->times[b] ? due->times[a] < due->times[b] : a < b;
}

static void put(DueTimes *due, int32_t place, int32_t which)
{
    due->heap[place] = which;
    due->places[which] = place;
}

static void sift_up(DueTimes *due, int32_t place)
{
    const int32_t which = due->heap[place];
    for (; place > 0 && is_before(due, which, due->heap[(place - 1) / 2]); place = (place - 1) / 2)
        put(due, place, due->heap[(place - 1) / 2]);
    put(due, place, which);
}

static void sift_down(DueTimes *due, int32_t place)
{
    const int32_t which = due->heap[place];
    for (int32_t below; (below = 2 * place + 1) < due->count; place = below) {
        if (below + 1 < due->count && is_before(due, due->heap[below + 1], due->heap[below]))
            below++;
        if (!is_before(due, due->heap[below], which))
            break;
        put(due, place, due->heap[below]);
    }
    put(due, place, which);
}

void due_times_set(DueTimes *due, int32_t which, double time)
{
    due->times[which] = time;
    if (due->places[which] < 0)
        put(due, due->count++, which);
    sift_up(due, due->places[which]);
    sift_down(due, due->places[which]);
}

int32_t due_times_take(DueTimes *due)
{
    if (due->count == 0)
        return -1;
    const int32_t first = due->heap[0];
    due->places[first] = -1;
    if (--due->count > 0) {
        put(due, 0, due->heap[due->count]);
        sift_down(due, 0);
    }
    return first;
}
