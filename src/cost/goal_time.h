/* When the operations of a GOAL program end on a network, by the rules of LogGOPSim [Hoefler,
   Schneider, Lumsdaine 2010] with messages that are all eager.

   A message of s bytes between two ranks takes L = max(ts - 2 o, 0) + l th for its first byte and
   (s - 1) tw for the others, tw being that of its slowest link, with the o and the gap g of the
   machine: o is 0 and g is ts + l th where it has none.

       send     waits for its processor and its adapter; holds them for o, and g + (s - 1) tw; is
                done after o
       message  comes L later; waits for processor and adapter of the receiver, whether it is
                expected or not, and holds them as long; is there after o + (s - 1) tw
       receive  is done when its message is there; of several messages it takes the first to come,
                and a message takes the receive that was first posted
       calc     holds its processor

   Links are not shared: a GOAL file says nothing of them. Adapters send and receive at once. */
#ifndef COLLCOST_COST_GOAL_TIME_H
#define COLLCOST_COST_GOAL_TIME_H

#include "cost/derive_path.h"
#include "sched/goal_program.h"

typedef struct {
    CostParts parts; /* along the critical path; calculations are compute */
    int64_t messages;
    const char *stuck; /* NULL: all ends; else what never does, and why */
    Span span;         /* of that */
} GoalTime;

/* False after a report: no route between ranks that send. Without a network (NULL) nothing takes
   time but calculations: whether all ends. O(operations x log operations) beside
   the messages that wait for their receives. `rules` without contention. */
bool goal_time(Arena *arena, const GoalProgram *program, const Network *network, const Rules *rules,
               GoalTime *time, Diag *diag);

#endif
