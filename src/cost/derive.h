/* The cost of a schedule on a network, derived from its transfers and nothing else. */
#ifndef COLLCOST_COST_DERIVE_H
#define COLLCOST_COST_DERIVE_H

#include "cost/derive_profile.h"
#include "net/network.h"
#include "sched/schedule.h"

/* False after a report. The profile lives in `arena`. */
bool profile_derive(Arena *arena, const Instance *instance, const Network *network,
                    const Rules *rules, Profile *profile, Diag *diag);
/* profiles[i] by rules[i], `count` of them, from one expansion. */
bool profile_derive_all(Arena *arena, const Instance *instance, const Network *network,
                        const Rules *rules, size_t count, Profile *profiles, Diag *diag);

typedef struct PortStepMemo PortStepMemo; /* cost/derive_memo.h */

/* One of several schedules on a network with the same rules and ports: `memo` has port steps of
   those before, and gets more. Where peaks are not wanted they may be -1: then nobody need be asked
   who holds which block, unless something combines. */
bool profile_derive_with(Arena *arena, PortStepMemo *memo, const Instance *instance,
                         const Network *network, const Rules *rules, bool wants_peaks,
                         Profile *profile, Diag *diag);

typedef struct ChunkCosts ChunkCosts; /* cost/derive_chunks.h */

/* Gives the port steps of the schedule of the most chunks that `costs` knows to it. False after
   a report, or silently where they or the rules are not of its form; then it is of no use. */
bool profile_derive_chunkwise(Arena *arena, const Instance *instance, const Network *network,
                              const Rules *rules, ChunkCosts *costs, Diag *diag);

/* One port step as it was costed. */
typedef struct {
    int64_t step;                       /* from 0; local work by itself belongs to the one before */
    int64_t number;                     /* the same, but each has one of its own */
    int64_t hops;                       /* the most of a message */
    int64_t load_blocks, load_messages; /* of the busiest link */
    const PortStepCost *entries;        /* whose times add up to that of the port step */
    size_t entry_count;
    const PathCost *paths; /* of the entries */
} CostedPortStep;

/* What the port step takes, in blocks of `block` bytes. */
CostParts port_step_total(const CostedPortStep *step, const double *parameters, double block);

/* One transfer as it was costed. */
typedef struct {
    const CostedPortStep *step;
    const ScheduledTransfer *transfer;
    int64_t size;                             /* blocks; elements in a problem, as all loads */
    int64_t hops, load_blocks, load_messages; /* 0 for local work */
    int64_t combined;                         /* blocks */
    const PathCost *paths;                    /* it is as slow as the slowest of these */
    size_t path_count;
} CostedTransfer;

/* One product of blocks, in a problem. */
typedef struct {
    int64_t step;  /* behind which it is done; -1: before the first */
    bool is_first; /* of those that all ranks compute at the same time */
    const ScheduledProduct *product;
    int64_t work, busiest; /* multiply-adds, and those of the rank with the most of them */
} CostedProduct;

/* Called for all transfers and products in their order, port step by port step, for `trace`. */
typedef struct {
    void (*transfer)(void *context, const CostedTransfer *costed, const Round *round);
    void (*product)(void *context, const CostedProduct *costed); /* NULL: not called */
    void *context;
} TraceVisitor;

/* profile_derive, and calls `visitor`. */
bool profile_trace(Arena *arena, const Instance *instance, const Network *network,
                   const Rules *rules, const TraceVisitor *visitor, Profile *profile, Diag *diag);

#endif
