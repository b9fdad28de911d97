/* Rounds that outlive the expansion that made them. */
#ifndef COLLCOST_SCHED_ROUNDS_H
#define COLLCOST_SCHED_ROUNDS_H

#include "sched/schedule.h"

/* Appends a copy of `round`. Returns the bytes that it took. */
size_t rounds_keep(Arena *arena, RoundArray *rounds, const Round *round);

#endif
