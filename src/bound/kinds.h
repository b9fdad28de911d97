/* What the kinds of bound share: the case at hand, and a cut of its graph; and a function for each
   kind but the flow (flow.h). */
#ifndef COLLCOST_BOUND_KINDS_H
#define COLLCOST_BOUND_KINDS_H

#include "bound/bound.h"
#include "bound/capacity_graph.h"
#include "bound/demand.h"

typedef struct {
    Arena *arena;
    const Contract *contract;
    const Network *network;
    const Rules *rules;
    Demand demand;
    CapacityGraph capacity_graph;
    RequiredPaths paths; /* in links */
} Bounder;

/* Counts, and measures paths, in `arena`. */
Bounder bounder_open(Arena *arena, const Contract *contract, const Network *network,
                     const Rules *rules);
/* `blocks` over what `capacity` of the capacity graph passes: times tw, or a time by itself. */
Bound bound_over(const Bounder *bounder, BoundKind kind, __int128 blocks, __int128 capacity);
/* "4 links", "1 port", "376 GB/s": what passes that capacity. */
const char *bound_show_capacity(const Bounder *bounder, __int128 capacity, const char *thing);

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

Bound bound_rounds(Bounder *bounder);
Bound bound_distance(Bounder *bounder);
Bound bound_node(Bounder *bounder);
Bound bound_ports(Bounder *bounder);
Bound bound_volume(Bounder *bounder);
Bound bound_compute(Bounder *bounder);

/* The best cut: the set of ranks that blocks must leave with the most blocks for each unit of
   capacity that leads out of it.

   For a given ratio D / C, one maximum flow finds a set with a better one, or shows that there is
   none: from a source through all ranks, as many blocks as a target needs of them, over capacities
   that the ratio scales. Where that is the best for every contract of this form, and all flows were
   run, the cut is the best of all (demand_form). */

/* `node` is the bound of that kind: where nothing better can be found, its cut is the one. */
Bound bound_cut(Bounder *bounder, const Bound *node, int64_t work, Cut *cut);
/* The bound of all cuts, in O(p), where a link between any two ranks is no slower than the ports of
   a rank: no cut is better than one around a rank, and links need not be laid out. False where that
   is not so, or not proven. */
bool bound_port_cut(const Bounder *bounder, Bound *bound);

/* Where most must pass the ports of one rank. */

/* D and C of the cut around that rank. */
typedef struct {
    int64_t rank;
    bool enters;
    int64_t blocks, capacity;
} Tightest;

/* blocks is 0 where nothing has to move. */
Tightest node_tightest(const Bounder *bounder);

/* A cut in words. */

/* "3 m leave ranks 0..2 over 2 links (2 -> 3, 0 -> 7); best of all cuts". Of a graph that is not
   laid out it crosses the ports of so many ranks and no link, and its capacity is in units of 1;
   else `ports` is 0. */
const char *cut_describe(const Bounder *bounder, const Cut *cut, int64_t ports);

/* How fast data spreads where a rank need not wait for its messages to arrive. */

/* When what starts at some ranks can be at others: each that has it sends `ports` messages every
   `spacing`, each of which arrives a startup later, and the earliest next message is always the
   best one. (Karp, Sahay, Santos, Schauser, Optimal broadcast and summation in the LogP model, SPAA
   1993.) What was asked before is remembered: n questions about one start take O(most log most). */
typedef struct {
    int64_t ports, most; /* ranks at most */
    double spacing, startup;
    int64_t start;
    double *arrivals; /* when the i-th rank has it, those of the start first, at 0 */
    int64_t reached;
    double *next; /* a heap: when each of them can send again */
} Spread;

Spread spread_start(Arena *arena, int64_t most, int64_t ports, double spacing, double startup);
/* When it can be at `wanted` <= most ranks, more than at the start. */
double spread_seconds(Spread *spread, int64_t start, int64_t wanted);

/* Messages that must go between groups of ranks. */

/* Ranks as groups: rank r is of group of[r], 0 .. count - 1. */
typedef struct {
    int64_t count;
    const int64_t *of;
} RankGroups;

/* The fewest messages that all blocks together take from one group to another. A group counts as
   one rank that holds, and needs, whatever any rank of it does, so that messages within groups are
   free. O(p + entries of the contract), and O(p) more for each rank whose result combines others
   than that of the rank before; 0 where there are too many entries (2^24). */
int64_t demand_between(const Demand *demand, const RankGroups *groups);

#endif
