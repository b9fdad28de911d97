/* What follows one schedule, and what its port steps cost so far: shared by those that follow
   rounds message by message (derive_rounds.c) and as runs (derive_run_rounds.c). */
#ifndef COLLCOST_COST_DERIVER_H
#define COLLCOST_COST_DERIVER_H

#include "cost/chains.h"
#include "cost/contacts.h"
#include "cost/derive_finish.h"
#include "cost/derive_memo.h"
#include "cost/derive_products.h"
#include "cost/port_steps.h"
#include "sched/ownership.h"

/* Messages of so few, and their blocks, are listed sooner than they are read off the program; of a
   quarter of them all are followed sooner than those are found that stand for them. */
enum { FEW_RANKS = 64 };

/* The entries of a profile while they are collected, and those of a part of a schedule that comes
   again. */

ARRAY_TYPE(PortStepArray, PortStepCost);

typedef struct {
    PortStepArray steps;
    PathList paths;
    bool may_merge; /* the first entry, with one that comes before the list */
} StepList;

/* Appends an entry, which counts `cost.repeat` times, with its paths; one that is like the last
   one, if it may, counts there. */
void step_list_add(Arena *arena, StepList *list, PortStepCost cost, const PathCost *paths,
                   bool may_merge);
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
    bool is_uneven;          /* as Profile has it */
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
    const RoundsWanted *wanted;
    Instance of_all; /* with the ranks of all groups */
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
    int64_t fewest; /* blocks that must be combined; only where all are taken to be */
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
           (deriver->instance->algorithm->combines && !deriver->wanted->all_combine);
}

static inline bool deriver_sends_nothing(const Deriver *deriver)
{
    return deriver->instance->algorithm->collective->is_empty;
}

/* Adds a port step to the profile. */
void deriver_append(const Deriver *deriver, Costing *costing, const PortStep *step,
                    const PortStepCost *entries);
/* Follows listed rounds (derive_rounds.c), with no more of them than somebody asks for. False after
   a report. */
bool derive_listed_rounds(Deriver *deriver);

/* Follows a schedule whose rounds are runs of messages (sched/runs.h): by port step, O(pieces of
   runs) each; where blocks are followed, O(messages), one bit each. */

/* False, silently, where its rounds are no runs, or the rules or the deriver need each message by
   itself. *too_large as in runs_expand. */
bool derive_run_rounds(Deriver *deriver, Span *too_large);

/* Combining told from counts, without following who holds which block.

   Where each rank contributes a block, p - 1 arrivals at least must meet such a block before one
   place has all contributions: each combines two partial results into one. So where a schedule
   that is right lets no more than (p - 1) blocks of each number arrive in messages that combine,
   all of them do. */

/* How many blocks arrive to be combined, at least, with all chunks. False, without a report, where
   not every rank contributes to each block, or not each block is wanted. O(p + blocks) with
   contracts that are runs. */
bool fewest_combines(const Arena *arena, const Instance *instance, int64_t *fewest);

#endif
