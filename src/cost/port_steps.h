/* In which port step each message of a round goes: how the messages share the ports of ranks. */
#ifndef COLLCOST_COST_PORT_STEPS_H
#define COLLCOST_COST_PORT_STEPS_H

#include "cost/rules.h"
#include "sched/schedule.h"

/* How far a port is used in a round: `used` of the ports of its rank in port step `step`. */
typedef struct {
    int32_t round, step, used;
} Port;

/* The first port step in which a rank with so many ports has one that is free. */
static inline int64_t port_free_step(const Port *port, int64_t ports)
{
    return port->used < ports ? port->step : port->step + 1;
}

static inline void port_use(Port *port, int64_t step)
{
    port->used = port->step == step ? port->used + 1 : 1;
    port->step = (int32_t)step;
}

/* Where ranks have a port for each level of their links (network_level), so many levels. */
enum { PORT_LEVELS = LIMIT_LEVELS + 1 };

/* Does any rank have ports of several levels? Else each has one for all. */
bool port_levels_differ(const Rules *rules, const Network *network);

typedef struct {
    Arena *arena;
    const Instance *instance;
    const struct Rotation *rotation; /* whose ranks stand for all; NULL: all are looked at */
    const Rules *rules;
    const Network *network;
    Port *senders, *receivers; /* NULL: no message has been assigned yet */
    bool same_ports;           /* all ranks have as many as the instance says */
    bool level_ports;          /* one for each level: those of rank r are from r PORT_LEVELS on */
    bool has_spare; /* so far each rank sent and received at most one message of a round that is
                       posted together */
} PortSteps;

PortSteps port_steps_create(Arena *arena, const Instance *instance, const struct Rotation *rotation,
                            const Rules *rules, const Network *network);
/* steps[t]: that of each transfer. In written order, each takes the first port step in which both
   its ends have a free port, but none before that of an earlier transfer of either end. Local work
   needs no port and belongs to the first port step. Messages that are posted together are one port
   step. `bundles` (merging.h, NULL: none) take a port once, as far as they go in one port step.
   Returns the number of port steps; -1 after a report. */
int64_t port_steps_assign(PortSteps *ports, Arena *arena, const Round *round,
                          const int64_t *bundles, int64_t *steps, Diag *diag);

#endif
