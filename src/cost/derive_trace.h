/* Port steps as a trace shows them, transfer by transfer. */
#ifndef COLLCOST_COST_DERIVE_TRACE_H
#define COLLCOST_COST_DERIVE_TRACE_H

#include "cost/derive_profile.h"
#include "sched/schedule.h"

/* One port step as it was costed. */
typedef struct {
    int64_t step;                       /* from 0; local work by itself belongs to the one before */
    int64_t number;                     /* from 0; local work by itself has one too */
    int64_t hops;                       /* the most of a message */
    int64_t load_blocks, load_messages; /* of the busiest link */
    const PortStepCost *entries;        /* whose times add up to that of the port step */
    size_t entry_count;
    const PathCost *paths; /* of the entries */
    bool overlaps;         /* others of its round, which has gaps */
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
    /* need a port step, by its number from 0, be neither costed nor visited? Where some need not,
       the run leaves no profile; NULL: all are costed and visited */
    bool (*skips)(void *context, int64_t step);
    void *context;
    bool sizes_only; /* which blocks transfers have, what ranks hold, and in which order the
                        messages of a port step come is not asked */
    int64_t
        most_steps; /* the run ends behind so many port steps, without a profile; 0: at the end */
} TraceVisitor;

struct PortStep; /* cost/derive_step.h */

/* Calls the visitor for each transfer of a port step that has been costed; `whole` has its place
   and entries. */
void trace_port_step(const TraceVisitor *visitor, const Round *round, const struct PortStep *step,
                     CostedPortStep whole);

#endif
