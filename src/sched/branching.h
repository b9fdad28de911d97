/* Which radices or fan-outs an algorithm can have. One made of others has the range of those, and
   all of them take the same number, each within its own range.

       radix: 2 .. p        on 8 ranks 2 .. 8; 9 means 8 there, and 0 means 2 */
#ifndef COLLCOST_SCHED_BRANCHING_H
#define COLLCOST_SCHED_BRANCHING_H

#include "sched/schedule.h"

/* Of a range all up to this are tried, and beyond it those with which p ranks take fewer steps, of
   so many at most. */
enum { MOST_TRIED_BRANCHES = 64 };

/* What is given of that which algorithms leave free; 0: the best is sought. */
typedef struct {
    int64_t k;      /* number of chunks */
    double segment; /* bytes: ceil(m / segment) chunks, unless k is given */
    double each;    /* bytes of one segment of what the chunks are cut from; 0: not said */
    int64_t branches[BRANCHING_COUNT];
} FreeChoice;

/* The range of the instance's algorithm, on its ranks. False where there is none. */
bool branches_range(const Instance *instance, int64_t *least, int64_t *most);
/* The instance's own number, within that range; 0 where there is none. */
int64_t branches_of(const Instance *instance);
/* Appends what is tried to find the best, rising: none where there is no range. */
void branches_list(Arena *arena, const Instance *instance, IntArray *tried);

#endif
