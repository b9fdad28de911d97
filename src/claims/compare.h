/* One claim compared with what is found at one place. A Judge walks over the places of a grid and
   compares at each one the claims that are still open there. */
#ifndef COLLCOST_CLAIMS_COMPARE_H
#define COLLCOST_CLAIMS_COMPARE_H

#include "claims/verdict.h"
#include "cost/claim.h"
#include "cost/derive.h"
#include "model/library.h"
#include "net/network.h"

/* One vector for each parameter by itself and some mixtures; in problems one more for tm. */
enum {
    MIXTURE_COUNT = 3,
    MULTIPLY_VECTOR = PARAMETER_COUNT + MIXTURE_COUNT,
    VECTOR_COUNT = MULTIPLY_VECTOR + 1
};

/* The point of the grid at hand. */
typedef struct {
    const char *topology;
    const Network *network;
    ClaimPoint point;
    int64_t *distances; /* from the root, where there are targets; else NULL */
    Rules rules;
    ExactParameters vectors[VECTOR_COUNT]; /* one parameter each, then mixtures */
    Exact sizes[VECTOR_COUNT];             /* m; mixtures have another one */
    int vector_count;
} Place;

typedef struct Observation Observation; /* claims/rounds.c */

/* What a schedule costs by each mode of switching. */
typedef struct {
    int64_t root, target, k, order, branches;
    bool is_kept; /* it holds for every number of ports */
    bool is_known[SWITCHING_COUNT];
    Profile profiles[SWITCHING_COUNT];
    const Observation *observed[SWITCHING_COUNT]; /* NULL: not yet */
} JudgedSchedule;
ARRAY_TYPE(JudgedSchedules, JudgedSchedule);

typedef struct {
    Arena *arena;   /* for counterexamples */
    Arena *scratch; /* for one place */
    Arena *kept;    /* for one network: */
    JudgedSchedules schedules;
    PortStepMemo *memos[SWITCHING_COUNT]; /* for the number of ports at hand */
    Library *library;
    VerdictSubject subject;
    const Collective *collective; /* the subject, or of it; NULL: it is a topology */
    const ClaimList *claims;
    const VerdictGrid *grid;
    Verdict *verdicts;
    Diag *diag;
} Judge;

/* A claim that is judged at a place. */
typedef struct {
    Judge *judge;
    const Claim *claim;
    Verdict *verdict;
    Place *place;
} Trial;

/* The schedule that is judged at a place. */
Instance judge_instance(const Judge *judge, const Place *place);
/* Do both modes of switching cost the same at this place, so that one stands for both? */
bool judge_has_one_mode(const Judge *judge, const Place *place);
/* Does claim i speak of this place, and is it not refuted yet? */
bool judge_is_open(const Judge *judge, size_t i, const Place *place);
/* Sets the vectors and sizes of a place whose point is set. */
void judge_set_vectors(Place *place);
/* "ring, p = 3, root = 1" */
const char *judge_show_place(const Judge *judge, const Place *place);
/* "ring, p = 3, root = 1: claimed X, FOUND_BY Y" is the counterexample. */
void judge_refute(const Trial *trial, const char *claimed, const char *found_by, const char *found);

/* What a formula is compared with, at one vector of parameters. */
typedef Exact (*Truth)(const void *context, const ExactParameters *parameters, Exact size);
/* The context is a profile. */
Exact judge_profile_truth(const void *context, const ExactParameters *parameters, Exact size);
/* Both sides of a claim about the time. False where the formula has no value. */
bool judge_find_side(const Trial *trial, const Profile *profile, JudgedSide *side);
/* A claim about the time that is recorded to hold there, with all terms of `like`; or NULL. */
const Claim *judge_own_claim(const Algorithm *algorithm, const Claim *like, const char *topology,
                             int mode, const ClaimPoint *point);
/* Compares times. */
/* How far an approximation is off for very many ranks, by a claim of the model. */
void judge_look_far(const Algorithm *algorithm, const Claim *claim, Verdict *verdict);
void judge_compare_times(const Trial *trial, Truth truth, const void *context,
                         const char *found_by);
/* Compares one number with a formula without parameters; `about` ("in round 3") may be "". Bytes
   are shown in m. */
void judge_compare_value(const Trial *trial, Exact found, const char *about);
/* "2 ts + 7/8 m tw" from the values at the unit vectors. */
const char *judge_show_coefficients(const Judge *judge, const Place *place, const Exact *values);

/* Claims about networks: links, distances, next hops. */

/* Judges the claims of a topology on all its shapes. */
void judge_topology(Judge *judge);

/* Claims about single rounds. */

/* What the port steps of the schedule do, as `trace` shows it, in `arena`. NULL after a report. */
const Observation *rounds_observe(Arena *arena, const Instance *instance, const Place *place,
                                  Diag *diag);
/* Compares what is claimed for each round, for some rounds, or for their number. */
void judge_rounds(const Trial *trial, const Profile *profile, const Observation *observation);

/* Claims about the period of a pipeline: after how many chunks it does the same for the next ones.
 */

/* Compares the times of all numbers of chunks up to a limit that follow from the claim
   (cost/bag.h) with those that are derived one by one; only on few ranks, and for k = 1. */
bool period_is_tried(const Place *place);
void judge_period(const Trial *trial, const Instance *instance);

/* Claims about lower bounds: that an algorithm reaches one, that a formula is one. */

/* What all algorithms of a collective cost at one place, with all that they leave open. */
typedef struct {
    const char *name;
    Profile profile;
} Rival;
ARRAY_TYPE(Rivals, Rival);

/* NULL after a report. */
const Rivals *rivals_find(const Judge *judge, const Place *place);
/* Each bound by itself: the algorithm's cost in the parameter of the bound, others zero, is as
   large, or larger where the claim says so. */
void judge_reached(const Trial *trial, const Profile *profile);
/* Is the formula the largest of the bounds that the claim names? One that is said to be never above
   is compared with the costs of algorithms, and it is noted whether one of them reaches it, and how
   far the computed bounds are above it. */
void judge_lower_bound(const Trial *trial, const Rivals *rivals);

#endif
