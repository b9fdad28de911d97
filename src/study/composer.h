/* What puts plans (plans.h) together, with one algorithm for each stage, and follows them: shared
   by those who seek the best stages with barriers (compositions) and of pipelines (pipelined). */
#ifndef COLLCOST_STUDY_COMPOSER_H
#define COLLCOST_STUDY_COMPOSER_H

#include "cost/derive_memo.h"
#include "study/followed.h"
#include "study/plans.h"

/* What names of compositions begin with. */
enum { NAME_HIER, NAME_PIPELINED, NAME_SEQUENCE, NAME_COUNT };
extern const char *const composition_names[NAME_COUNT];

/* Bytes: neither short nor long. */
#define USUAL_SIZE 0x1p20
/* On more ranks, unless all compositions are wanted, what is slower than the best by more than this
   factor in a line alone is not tried. */
enum { MOST_TRIED_RANKS = 64 };
#define NEARLY 1.25

enum { FRONT_COUNT = 4 }; /* sizes at which fronts are found */

/* What a stage of a plan can be. */
typedef struct {
    AlgorithmArray algorithms;
    const Algorithm *usual; /* while others are sought; NULL: there is none */
    Curve **curves;         /* of the plan with each, the usual ones in the other stages */
    PieceArray pieces;      /* the best by size, by number of the algorithm */
} Stage;

/* What can be a stage of plans is the same in all lines of one length. */
typedef struct {
    const char *collective;
    int64_t length; /* 0: all ranks */
    bool is_cut;    /* the grid cuts dimensions */
    Stage stage;    /* screened */
} KnownStage;

ARRAY_TYPE(KnownStageArray, KnownStage);

/* What is to be known of a stage of a plan. */
KnownStage composer_stage(const Plan *plan, size_t number);

typedef struct {
    const Study *study;
    Study *for_bounds; /* with arenas of its own; lives as long as the memo, which refers to the
                          rules of what it remembers */
    const Collective *collective;
    const Network *network;
    Candidates *candidates; /* who say what is left out */
    PortStepMemo *memo;
    Arena *kept;    /* until all are found */
    Arena *scratch; /* for what is tried of a plan */
    KnownStageArray known;
    AlgorithmArray left_out;
    Diag silent;
    Front fronts[FRONT_COUNT]; /* of all plans, where they are wanted */
} Composer;

/* The plan with an algorithm for each stage. NULL where it cannot run. */
const Algorithm *composer_compose(Composer *composer, Arena *arena, const Plan *plan,
                                  const Algorithm *const *chosen);
/* As followed_leave_out, once for each composition. */
void composer_leave_out(Composer *composer, const Algorithm *composed, const char *reason);
/* NULL where its schedule cannot be expanded; one that is too large is left out. */
Curve *composer_follow(Composer *composer, const Algorithm *algorithm);
/* Does a segment size tell its number of chunks? Then its time jumps with each segment, and over
   all sizes these are too many to be looked at. */
bool composer_cuts_segments(const Composer *composer, const Algorithm *algorithm);
/* The algorithms of the library that run in lines of that dimension, or on all ranks, and are not
   cut into segments. */
bool composer_list(Composer *composer, KnownStage *known);
/* The curves of each algorithm of a stage in a line whose ranks are all linked, where closed forms
   tell what it costs, or on the network where the stage takes all ranks; NULL for those that are
   cut into chunks, each number of which is a schedule of its own, and unless `takes_branched` for
   those with a free radix or fan-out. NULL after a report. */
Curve **composer_follow_lines(Composer *composer, const KnownStage *known, const Rules *rules,
                              bool takes_branched);
/* The times of these curves, NAN for none. Returns which is the least, or their number. */
size_t composer_time_lines(Composer *composer, Curve **curves, size_t count, double bytes,
                           double *totals);
/* Appends the composition, which then outlives the search, unless it is there. */
void composer_offer(Composer *composer, const Plan *plan, const Algorithm *const *chosen,
                    AlgorithmArray *offered);

/* Compositions whose stages overlap: each takes a chunk while the others have theirs. */

/* Appends the pipelines that are nearly the best for long messages. */
void pipelined_find(Composer *composer, const PlanArray *plans, AlgorithmArray *offered);

/* Compositions: algorithms of a library put together along the dimensions of a network, for every
   plan (plans.h) the best ones at all sizes.

   Stages follow one another with barriers, and their times add up, so the best choice for a stage
   does not depend on those for the others. It is found as the lower envelope of whole compositions
   that differ in that stage alone: with n algorithms a stage, s n curves take the place of n^s.
   Where several stages are cut into chunks they share their number k; and without barriers, or
   where a stage leaves its ranks with more than its collective says, times do not quite add up:
   what is found is then still costed as it is, but need not be the best.

   The Pareto front of startup against all that grows with the size is found stage by stage as well:
   sums of what is on the fronts of the stages, at a few sizes. */

/* Are compositions candidates on networks of this topology, if they have several dimensions? Not
   where times of stages do not add up at all. */
bool compositions_are_wanted(const Study *study, const Topology *topology);
/* Would they be, were it not for the rules? */
bool compositions_are_left_out(const Study *study, const Topology *topology);
/* Is it the name of a composition, as answers have it? */
bool compositions_is_name(Text name);
/* Appends the compositions that are, at some size, the fastest of all of them and of the candidates
   that are followed, in the study's arena; for a study that wants the front, also
   those that may be on it, whether anything else beats them or not. What is too large to be
   followed is left out of the candidates, with a warning. False after a report. */
bool compositions_find(const Study *study, const Collective *collective, Candidates *candidates,
                       AlgorithmArray *found);

#endif
