/* GOAL, the text that LogGOPSim simulates:

       num_ranks 2
       rank 0 {
       l1: send 8b to 1 tag 0
       }
       rank 1 {
       l1: recv 8b from 0 tag 0
       l2: calc 100
       l2 requires l1
       }

   with `cpu` and `nic` after operations, `irequires` for what has begun, `from -1` and `tag -1`
   for any, and comments as in C. A label is above where it is required. */
#ifndef COLLCOST_EXCHANGE_GOAL_H
#define COLLCOST_EXCHANGE_GOAL_H

#include "base/diag.h"
#include "sched/goal_program.h"

/* Does a file begin with the word num_ranks? */
bool goal_is_source(const Source *source);
/* False after reports: no such file, or a rank, a label or a number that is none. */
bool goal_read(Arena *arena, const Source *source, GoalProgram *program, Diag *diag);

#endif
