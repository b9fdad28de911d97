/* What a contract asks for, counted: of each block, and of each set of ranks.

   A block of a collective that does not combine must leave a set of ranks if only ranks inside hold
   it and one outside needs it; one that is combined, if a rank inside contributes to what one
   outside must hold. No message carries more than one block in the room of a block: that is without
   coding. */
#ifndef COLLCOST_BOUND_DEMAND_H
#define COLLCOST_BOUND_DEMAND_H

#include "net/link_groups.h"
#include "net/network.h"
#include "sched/contract.h"

typedef struct {
    Arena *arena;
    const Contract *contract;
    bool is_exchange;         /* every rank has one block for each rank, itself among them */
    int64_t kinds;            /* of blocks: in an exchange what goes to others (0) and what stays
                                 (1), else each block is a kind of its own */
    const int64_t *holders;   /* of each kind: ranks that hold a block before */
    const int64_t *holder;    /* one of them, unless that differs */
    const int64_t *needed;    /* of each kind: ranks that must receive it, in part if combined */
    const int64_t *receivers; /* of each kind: ranks that hold it after */
    PerRank entering;         /* blocks that must come in, by their weights */
    PerRank leaving;          /* and that must go out */
    PerRank wanted;           /* and other ranks that need its data, if combined; else 0 */
    int64_t demanded;         /* blocks that anyone must receive */
    int64_t size;             /* entries of the contract */
    int64_t **inside;         /* room of demand_crossing: a value for each kind, and one for each
                                 rank; NULL until its first call, which takes it from `arena` */
} Demand;

/* In O(p + blocks) where a side on which ranks hold many blocks is shared by all of them, in O(p)
   for an exchange; else it takes as long as the sides. */
Demand demand_count(Arena *arena, const Contract *contract);
/* The weight of each block of a kind: 1 unless the contract says otherwise. */
int64_t demand_weight(const Demand *demand, int64_t kind);
/* Does rank `to` combine what rank `from` contributes? */
bool demand_combines(const Demand *demand, int64_t from, int64_t to);
/* Ranks whose contributions rank `rank` must receive. */
int64_t demand_contributors(const Demand *demand, int64_t rank);
/* Ranks from this one on hold what it does, before and after, up to the result, p at most. */
int64_t demand_next(const Demand *demand, int64_t rank);
/* Do all results combine the contributions of the same ranks? */
bool demand_share_contributors(const Demand *demand);
/* Blocks that must leave the set `inside` of ranks, by their weights. */
int64_t demand_crossing(const Demand *demand, const bool *inside);

/* What is enough to know about a contract, to find the best of all cuts. */
typedef enum {
    DEMAND_PAIRS,   /* one block: whether any pair of ranks is cut */
    DEMAND_TARGETS, /* who needs anything needs the same: what one of them needs */
    DEMAND_SOURCES, /* a block is needed by one rank, and all ranks that count have data of or for
                      the same ones: what one of them gives */
    DEMAND_OTHER,   /* none of these */
} DemandForm;

DemandForm demand_form(const Demand *demand);
/* Do all ranks ask for equally much of all others? */
bool demand_are_alike(const Demand *demand, DemandForm form);
/* weights[s]: blocks, by their weights, that rank `target` needs and only rank s holds, or
   contributes to. Returns their sum; where that is 0, the weights may be left as they are. */
int64_t demand_weigh_sources(const Demand *demand, int64_t target, int64_t *weights);
/* weights[t]: blocks, by their weights, that only rank t needs, and that need rank `source`.
   Returns their sum; where that is 0, the weights may be left as they are. */
int64_t demand_weigh_targets(const Demand *demand, int64_t source, int64_t *weights);

/* Paths that data must go: from the ranks that have it to those that need it. */

/* Measured in links, or in other lengths. */
typedef struct {
    bool known;              /* false: it would take too long to measure */
    int64_t longest;         /* of the shortest paths that some data must go, */
    int64_t from, to;        /* between these ranks */
    const int64_t *farthest; /* of each kind of blocks, added up: from its only holder to a rank
                                that needs it, or from a contributor to a rank that holds the
                                result */
    int64_t unreached;       /* in an exchange: blocks for which there is no path */
    bool is_disconnected;    /* no path leads from this rank to that one, which needs its data */
    int64_t disconnected_from, disconnected_to;
    int64_t nearest; /* the shortest path between any two ranks; 0: there is none */
} RequiredPaths;

/* lengths[i]: of link i of the network, the same for all links of a class; NULL: 1.

   One search from each rank, for 2^24 distances at most; where all ranks of the network are alike,
   one search in all, and then as many steps as there are pairs of ranks that data must go between,
   or none if the contract treats all ranks alike, too. */
RequiredPaths required_paths_measure(Arena *arena, const Demand *demand, const Network *network,
                                     const int64_t *lengths);

/* The fewest bytes that a collective can send over the links of a level, or along a dimension.

   Without the links of the group the network falls into parts. Blocks that a part lacks must come
   in over links of the group, and blocks that others need of it must go out; of a reduction, what
   k parts contribute and q parts need takes k - 1 + q - 1 crossings. Where no link of the group
   joins two parts with ranks, as below a switch, each crossing takes two of them. */

/* In blocks of m bytes. */
typedef struct {
    double total;   /* over all links of the group */
    double busiest; /* over the one that carries the most */
} LeastTraffic;

/* least[g] of group g. In O(links + demand) for each part of each group. */
void least_traffic_find(Arena *arena, const Contract *contract, const LinkGroups *groups,
                        LeastTraffic *least);

/* Nodes joined to sets, as trees in which each node has a parent; roots are their own. */

/* Which node stands for the set of a node; shortens the way there. */
static inline int64_t joined_root(int64_t *parents, int64_t node)
{
    while (parents[node] != node)
        node = parents[node] = parents[parents[node]];
    return node;
}

/* Makes one set of two. The lesser root stays, so that the least node stands for a set. */
static inline void joined_join(int64_t *parents, int64_t a, int64_t b)
{
    a = joined_root(parents, a), b = joined_root(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
}

#endif
