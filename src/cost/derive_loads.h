/* What the messages of one port step cost: routes, loads of links, and the slowest paths. */
#ifndef COLLCOST_COST_DERIVE_LOADS_H
#define COLLCOST_COST_DERIVE_LOADS_H

#include "cost/derive_step.h"

/* Fills all but transfers and combines. False after a report. */
bool port_step_route(const LoadContext *context, Arena *arena, PortStep *step, Diag *diag);
/* Has each message of a port step links of its own, whichever ranks these are between? */
bool loads_are_apart(const LoadContext *context);
/* Appends the paths of one message of `own` blocks over links of these classes, with these loads.
   False where their lanes have no common multiple that fits. */
bool message_paths(const LoadContext *context, Arena *arena, int64_t own, size_t count,
                   const uint8_t *classes, const LinkLoad *const *loads, PathList *paths);
/* port_step_route for paths that are known. */
bool port_step_load(const LoadContext *context, Arena *arena, const Routes *routes, PortStep *step,
                    Diag *diag);
/* Messages that stand for all, where the network turns by more ranks than the schedule: those of as
   many ranks. */
PortStep port_step_of_turn(const NetworkTurn *turn, Arena *arena, const PortStep *step);

#endif
