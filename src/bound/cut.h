/* The best cut: the set of ranks that blocks must leave with the most blocks for each unit of
   capacity that leads out of it.

   For a given ratio D / C, one maximum flow finds a set with a better one, or shows that there is
   none: from a source through all ranks, as many blocks as a target needs of them, over capacities
   that the ratio scales. Where that is the best for every contract of this form, and all flows were
   run, the cut is the best of all (needs_form). */
#ifndef COLLCOST_BOUND_CUT_H
#define COLLCOST_BOUND_CUT_H

#include "bound/parts.h"

/* How much is known about a cut that was found. */
typedef enum {
    CUT_BEST,    /* there is no better one */
    CUT_TRIED,   /* the best of those tried, some heuristically */
    CUT_STOPPED, /* the search ended early */
} CutProof;

typedef struct {
    bool *inside;     /* of each node of the capacity graph; in the bounder's arena */
    int64_t blocks;   /* that must leave; 0: there is no cut */
    int64_t capacity; /* in units of the capacity graph */
    bool both;        /* what must leave and what must come in, over links that both share */
    CutProof proof;
    bool by_symmetry; /* one rank was looked at, for all */
} Cut;

/* Counts, and measures paths, in `arena`. */
Bounder bounder_open(Arena *arena, const Contract *contract, const Network *network,
                     const Rules *rules);
/* `node` is the bound of that kind: where nothing better can be found, its cut is the one. */
Bound bound_cut(Bounder *bounder, const Bound *node, int64_t work, Cut *cut);

/* Where most must pass a rank's ports: D and C of the cut around that rank. */
typedef struct {
    int64_t rank;
    bool enters;
    int64_t blocks, capacity;
} Tightest;

/* blocks is 0 where nothing has to move. */
Tightest node_tightest(const Bounder *bounder);

/* A set of ranks with the best of all cuts, where that is less than `work`; else false. Every set,
   and every place of the routers, is tried. */
bool cut_try_all(Arena *arena, const Demand *demand, const CapacityGraph *capacity_graph,
                 int64_t work, bool *inside);
/* "3 m leave ranks 0..2 over 2 links (2 -> 3, 0 -> 7); best of all cuts" */
const char *cut_describe(const Bounder *bounder, const Cut *cut);

#endif
