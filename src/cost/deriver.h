/* What follows one schedule, and what its port steps cost so far: shared by those that follow
   rounds message by message (derive_instance) and as runs (derive_run_rounds). */
#ifndef COLLCOST_COST_DERIVER_H
#define COLLCOST_COST_DERIVER_H

#include "cost/chains.h"
#include "cost/contacts.h"
#include "cost/derive_finish.h"
#include "cost/derive_memo.h"
#include "cost/derive_products.h"
#include "cost/derive_trace.h"
#include "cost/loads.h"
#include "cost/port_steps.h"
#include "cost/step_list.h"
#include "sched/ownership.h"
#include "sched/rotation.h"

/* What the port steps cost by one set of rules. */
typedef struct {
    LoadContext context;
    StepList list;
    bool has_gaps;
    Chains *chains;     /* NULL: no round was in a stream */
    Contacts *contacts; /* NULL: no message costs more for them */
    Overlap *earlier;   /* port steps of the round at hand */
} Costing;

/* So far. */
typedef struct {
    int64_t steps; /* the one at hand included, repeats counted */
    int64_t steps_visited, transfers;
    int64_t effort;          /* as Profile has it */
    int64_t moved, combined; /* by all ranks */
    bool has_spare_ports;    /* each round was one port step */
} Counts;

/* What a stage adds, or a round of it. */
typedef struct {
    StepList list;
    Counts counts;
    bool has_spare; /* as PortSteps has it */
} StageCosts;

enum { MOST_NESTED_STAGES = 2 };

/* Follows one schedule. Where there are several costings, their rules differ in what messages cost
   alone: ports and combining are those of the first. */
typedef struct {
    Arena *arena;
    const Instance *instance; /* of one group */
    Instance of_all;          /* with the ranks of all groups */
    int64_t groups;
    Costing *costings;
    size_t costing_count;
    PortSteps ports;
    int64_t *combined;        /* of each rank in the port step at hand; NULL: not needed yet */
    const Rotation *rotation; /* ranks that are looked at stand for all; NULL: all are */
    bool wants_peaks;
    bool has_ownership;
    Ownership ownership;
    Counts counts;
    ProductCosts products;
    bool overlaps;                          /* port steps of the round at hand, which have gaps */
    StageCosts outside[MOST_NESTED_STAGES]; /* what came before the stages at hand, which are
                                               counted apart */
    int stages;                             /* so many */
    Timeline *timeline;                     /* NULL: synchronous */
    const TraceVisitor *visitor;            /* NULL: none */
    Diag *diag;
} Deriver;

/* Does anybody ask who holds what? */
static inline bool deriver_follows_blocks(const Deriver *deriver)
{
    return deriver->wants_peaks ||
           (deriver->instance->algorithm->combines && !deriver->instance->all_combine);
}

static inline bool deriver_sends_nothing(const Deriver *deriver)
{
    return deriver->instance->algorithm->collective->is_empty;
}

/* Adds a port step to the profile. */
void deriver_append(const Deriver *deriver, Costing *costing, const PortStep *step,
                    const PortStepCost *entries);
/* A port step of a round with gaps: the entry of the last one knows what may last longer.
   `arena` is that of the round. */
void deriver_overlap(const Deriver *deriver, Arena *arena, Costing *costing, const PortStep *step,
                     PortStepCost *entry);

#endif
