/* In which port step the messages of a round go that are runs: as port_steps_assign has it, for
   ranks that all have as many ports. */
#ifndef COLLCOST_COST_PORT_RUNS_H
#define COLLCOST_COST_PORT_RUNS_H

#include "base/array.h"
#include "sched/runs.h"

/* Part of a run, whose messages go in one port step. Of named blocks it knows where they land
   (`goal`): they depart by whole runs. */
typedef struct {
    MessageRun run;
    int64_t step;
} PortRun;

ARRAY_TYPE(PortRunArray, PortRun);

/* The runs of a round in pieces, and how many port steps they take; -1, silently, where it is not
   known from their ends alone. O(pieces squared). */
int64_t port_runs_assign(Arena *arena, int64_t p, int64_t ports, const MessageRun *runs,
                         size_t count, PortRunArray *pieces);

#endif
