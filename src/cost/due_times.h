/* The next of many things that have one time each, which may change: a binary heap. */
#ifndef COLLCOST_COST_DUE_TIMES_H
#define COLLCOST_COST_DUE_TIMES_H

#include "base/arena.h"

typedef struct {
    int32_t *heap;
    int32_t *places; /* of each in the heap; -1: it has no time */
    double *times;
    int32_t count;
} DueTimes;

DueTimes due_times_create(Arena *arena, int32_t count);
/* O(log count) */
void due_times_set(DueTimes *due, int32_t which, double time);
/* Takes the one with the least time, of equal ones the first; -1: there is none. */
int32_t due_times_take(DueTimes *due);

#endif
