/* Operations of ranks, as GOAL files for LogGOPSim list them [Hoefler, Siebert, Lumsdaine 2009]:
   schedules as plain data that have messages of some bytes, and no blocks.

       rank 0   0: send 8 B to 1                  operations are numbered through all ranks
       rank 1   1: receive 8 B from 0
                2: calculate 100 ns               begins when 1 is done

   Operations without a requirement begin at once. */
#ifndef COLLCOST_SCHED_GOAL_PROGRAM_H
#define COLLCOST_SCHED_GOAL_PROGRAM_H

#include "base/source.h"

typedef enum { GOAL_SEND, GOAL_RECEIVE, GOAL_CALCULATE } GoalKind;

typedef struct {
    GoalKind kind;
    int32_t rank, peer;            /* peer: -1: a receive from any */
    int32_t cpu, nic;              /* those of the rank that it holds, from 0 */
    int64_t tag;                   /* -1: a receive of any */
    int64_t size;                  /* bytes; of a calculation nanoseconds */
    int32_t first_edge, last_edge; /* to those that require it, as they are listed; -1: none */
    int32_t required;              /* how many it requires */
    Span span;
} GoalOperation;

ARRAY_TYPE(GoalOperations, GoalOperation);

typedef struct {
    int32_t to, next; /* next: of the same operation; -1: none */
    bool at_start;    /* `to` requires the start, not the end */
} GoalEdge;

ARRAY_TYPE(GoalEdges, GoalEdge);

typedef struct {
    int32_t rank_count;
    int32_t cpus, nics;        /* of each rank, as far as they are named; at least 1 */
    GoalOperations operations; /* rank by rank */
    GoalEdges edges;
    Span span;
} GoalProgram;

/* Files with more of these are not read. */
enum { MOST_GOAL_RANKS = 1 << 16 };

#endif
