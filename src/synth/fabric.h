/* The arcs between the nodes of a network with whole capacities, while trees are packed into them.

   Nodes 0 .. p - 1 are the ranks, the others switches. Data comes from a source beside them, which
   feeds the roots. */
#ifndef COLLCOST_SYNTH_FABRIC_H
#define COLLCOST_SYNTH_FABRIC_H

#include "bound/max_flow.h"
#include "cost/rules.h"
#include "synth/packed_tree.h"

typedef struct {
    int32_t from, to;
    int64_t capacity;
} FabricArc;

ARRAY_TYPE(FabricArcs, FabricArc);

typedef struct {
    Arena *arena;
    int32_t p, nodes;
    int32_t root; /* -1: all ranks */
    FabricArcs arcs;
    int64_t work, most_work; /* arcs that flows looked at */
} Fabric;

/* Each root sends so much for so much capacity. */
typedef struct {
    int64_t numerator, denominator;
} Rate;

/* The links of a network, in lowest terms; reversed for data that goes to the roots. False after a
   report. */
bool fabric_lay_out(Arena *arena, const Network *network, const Rules *rules, PackingTask task,
                    Fabric *fabric, Diag *diag);
static inline int64_t fabric_roots(const Fabric *fabric)
{
    return fabric->root < 0 ? fabric->p : 1;
}
/* May more flows run? False after a report. */
bool fabric_has_time(const Fabric *fabric, Diag *diag);
/* Do all sets of ranks and switches with some rank in it get as much as the roots outside of it
   send, `demand` each, over `factor` times the capacities? Else *tightest is the rate that such a
   set allows, which may be NULL. In p short flows: a rank that gets all becomes one more source.
   Without more time the answer may be wrong. What all roots send must be below 2^61. */
bool fabric_carries(Fabric *fabric, int64_t factor, int64_t demand, Rate *tightest);
/* The largest rate for two ranks or more, exactly, by Dinkelbach's iteration. 0: some rank is not
   reached. False after a report. */
bool fabric_rate(Fabric *fabric, Rate *rate, Diag *diag);
/* Makes capacities whole multiples of what a share needs, where *shares are sent for each root; at
   most so many that answers stay small, and then capacities are rounded down. */
void fabric_scale(Fabric *fabric, Rate rate, int64_t *shares);
/* Splits off all arcs at switches, as far as all ranks get `shares` from each root as before:
   `evenly` from each node to many others, else to few. */
void fabric_split_switches(Fabric *fabric, int64_t shares, bool evenly);
/* Takes trees from the capacities, `shares` from each root. False after a report. */
bool fabric_pack(Fabric *fabric, int64_t shares, PackedTrees *trees, Diag *diag);

#endif
