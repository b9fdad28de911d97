/* Lower bounds: what no algorithm can beat, from the contract and the network alone.

   rounds    With d ports, what starts at h ranks is at h (d+1)^R ranks after R rounds at most, and
             what a rank knows then comes from (d+1)^R ranks at most.             x ts
   distance  Some data must cross that many links.                                 x th
   node      Blocks that must enter, or leave, one rank, over min(d, lanes of its
             links), or over d where messages do not share links.                   x m tw
   ports     The messages that all blocks take at least, over the ports of all ranks. Where links
             differ, the fewest messages between ranks that only slower links join count with the
             time of these: they hold their ports for so long; also those of each group of ranks
             that faster links join, over its own ports. With store-and-forward each keeps a port
             busy for as many links as it crosses.                               x m tw
   volume    Each block must cross at least as many links as lie between the ranks that have it
             and one that needs it, and between any two for each of its messages; over all
             links.                                                               x m tw
   cut       Blocks that must leave a set of ranks, over the links and ports that lead out of
             it: the set for which that is the most.                              x m tw
   compute   For each block, one combination less than contributions, shared by all ranks.
                                                                                  x m tc
   flow      As volume, by weights of links for which that is the most; for blocks that go from
             one rank to one other. Only where it is wanted, for blocks of equal sizes. x m
   tw

   (Chan et al., Concurrency and Computation 19(13), 2007, section 3, for one port; the cut for
   allgather: Zhao et al., ForestColl, arXiv 2402.06787; flow: flow.h.)

   Where links have bandwidths of their own, node, ports, volume, cut and flow are times by
   themselves. */
#ifndef COLLCOST_BOUND_BOUNDS_H
#define COLLCOST_BOUND_BOUNDS_H

#include "bound/bound.h"

/* What is searched for: no cut but that around one rank; the best cut; and, by linear programs, the
   best weights of links for `flow`, which else is 0. The search for cuts has one budget, counted in
   steps and not in time: about a second's work, after which what was found is a bound all the same.
   Every command that shows a bound searches for cuts, so that all show the same one. */
typedef enum {
    BOUND_SEARCH_NONE,
    BOUND_SEARCH_CUTS,
    BOUND_SEARCH_FLOW,
} BoundSearch;

/* Arcs to look at. */
int64_t bound_search_work(BoundSearch search);
/* Can this build compute `flow`? */
bool bounds_have_flow(void);

/* On a network of groups of ranks the contract is that of one: bounds are those of all, which run
   at the same time, their demands together. */
void bounds_compute(Arena *arena, const Contract *contract, const Network *network,
                    const Rules *rules, BoundSearch search, BoundSet *bounds);

/* The best cut as sides of a network, for pictures. */

/* A rank is two places: its memory, and its node, through which messages for others may go. Where
   one of them is inside and the other is not, the cut goes through the ports of the rank. */
typedef struct {
    const bool *memories; /* of each rank: is it inside, on the side that blocks must leave? */
    const bool *nodes;    /* of each node of the network */
    bool both;            /* what must come in counts too */
    Bound bound;
} NetworkCut;

/* In `arena`. False where no block has to move, or there are too many links. */
bool network_cut_find(Arena *arena, const Contract *contract, const Network *network,
                      const Rules *rules, NetworkCut *cut);

#endif
