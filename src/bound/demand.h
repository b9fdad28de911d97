/* What a contract asks for, counted: of each block, and of each set of ranks.

   A block of a collective that does not combine must leave a set of ranks if only ranks inside hold
   it and one outside needs it; one that is combined, if a rank inside contributes to what one
   outside must hold. No message carries more than one block in the room of a block: that is without
   coding. */
#ifndef COLLCOST_BOUND_DEMAND_H
#define COLLCOST_BOUND_DEMAND_H

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
/* The kind of a block, and how many blocks are of a kind. */
int64_t demand_kind(const Demand *demand, int64_t block);
int64_t demand_copies(const Demand *demand, int64_t kind);
/* The weight of each of these blocks: 1 unless the contract says otherwise. */
int64_t demand_weight(const Demand *demand, int64_t kind);
/* Does rank `to` combine what rank `from` contributes? */
bool demand_combines(const Demand *demand, int64_t from, int64_t to);
/* Ranks whose contributions rank `rank` must receive. */
int64_t demand_contributors(const Demand *demand, int64_t rank);
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

#endif
