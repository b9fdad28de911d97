/* Messages between two ranks, and what they load: the links that they cross, and the ports that
   they hold for the time of the slowest of these, where ports can be what limits them. */
#ifndef COLLCOST_SYNTH_HOPS_H
#define COLLCOST_SYNTH_HOPS_H

#include "cost/rules.h"

typedef struct {
    Arena *arena;
    int64_t p;
    size_t link_count; /* of links and ports */
    size_t *starts;    /* from u to v: links[starts[u p + v]] .. links[starts[u p + v + 1] - 1] */
    int32_t *links;
    double *times; /* of each of these: of a byte */
    bool *is_near; /* [u p + v]: there is no rank between them */
    bool has_ports;
} Hops;

/* As messages are routed, in `arena`; `reversed`: those from v to u. False after a report: there
   are too many ranks. */
bool hops_find(Arena *arena, const Network *network, const Rules *rules, bool reversed, Hops *hops,
               Diag *diag);
/* The same without a report. */
bool hops_try(Arena *arena, const Network *network, const Rules *rules, bool reversed, Hops *hops);
static inline size_t hops_count(const Hops *hops, int64_t from, int64_t to)
{
    const size_t pair = (size_t)(from * hops->p + to);
    return hops->starts[pair + 1] - hops->starts[pair];
}
/* The largest of what the links of a message carry and `amount` more: times for so many bytes. */
double hops_load(const Hops *hops, const double *loads, int64_t from, int64_t to, double amount);
/* Puts so much more on the links of a message. */
void hops_add(const Hops *hops, double *loads, int64_t from, int64_t to, double amount);

#endif
