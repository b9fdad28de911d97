/* Where ranks have a port for each level of their links: which of them a message holds. */
#ifndef COLLCOST_COST_PORT_LEVELS_H
#define COLLCOST_COST_PORT_LEVELS_H

#include "cost/rules.h"
#include "sched/schedule.h"

/* Levels that links can be of, network_level, counted. */
enum { PORT_LEVELS = LIMIT_LEVELS + 1 };

/* Of each transfer: the levels of the link by which it leaves its sender, and of that by which it
   reaches its receiver. */
typedef struct {
    int *out, *in;
} PortLevels;

/* Does any rank have ports of several levels? Else each has one for all. */
bool port_levels_differ(const Rules *rules, const Network *network);
/* False after a report: no path. Local transfers have level 0. */
bool port_levels_find(const Network *network, Arena *arena, const Round *round, PortLevels *levels,
                      Diag *diag);

#endif
