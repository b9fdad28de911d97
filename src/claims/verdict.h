/* What a verdict says, about whose claims, and where they are judged. */
#ifndef COLLCOST_CLAIMS_VERDICT_H
#define COLLCOST_CLAIMS_VERDICT_H

#include "cost/claim.h"
#include "model/library.h"
#include "model/topology.h"

/* Both sides of a formula about the time, for one number of ranks. */
typedef struct {
    int64_t p;
    bool differ;
    const char *claimed, *derived; /* "7 ts + 7 m tw" */
    double claimed_value, derived_value;
    const char *at; /* "ts = 7, tw = 5, m = 35" */
} JudgedSide;
ARRAY_TYPE(JudgedSides, JudgedSide);

/* A point of the grid. */
typedef struct {
    Shape shape;
    ClaimPoint point;
    Switching switching;
} VerdictPlace;

/* What becomes of a claim, and of whatever is judged as one: the words of `judge`, `errata`,
   `verify` and `show`, the best first. */
typedef enum {
#define OUTCOME(id, word, stands) OUTCOME_##id,
#include "claims/outcomes.def"
#undef OUTCOME
    OUTCOME_COUNT
} Outcome;

typedef struct {
    const char *word;
    bool stands; /* it holds as it is said: the exit status is 0 */
} OutcomeInfo;
/* By Outcome. */
extern const OutcomeInfo outcome_info[OUTCOME_COUNT];

typedef struct {
    bool holds;
    bool is_proved;              /* it holds beyond what was compared */
    bool fails_alone;            /* refuted by one rank alone: with more it holds, or is not said */
    bool lacks[PARAMETER_COUNT]; /* parameters that it takes to be zero and the cost has */
    bool only_lacks;             /* it fails, and holds where these are zero */
    /* Of an approximation, as shares of the cost: the largest error at values of all parameters,
       and where; the largest for large m; for few and for many ranks, and by a claim of the model
       for 2^12 and 2^18 (-1: there were none). */
    double error, large_error, few_error, many_error, far_errors[2];
    /* Of a lower bound: where it was compared with more than one rank, and where it was reached;
       how many times a computed bound is above it, and where. */
    int64_t places, reached;
    double weakness;
    const char *weak_at;
    int switching;              /* the only way of switching of which it is taken to speak, since
                                   it holds there alone; -1: that was not tried */
    int64_t cases;              /* comparisons made */
    int64_t sizes, largest_p;   /* of times: how many numbers of ranks above 1, and the last */
    const char *counterexample; /* NULL where it holds; else "ring, p = 3: claimed X, derived Y".
                                   One rank is shown only where nothing else fails. */
    const char *claimed;        /* X; and where it is */
    const char *values;         /* both at some values of all parameters; NULL: it is no time */
    VerdictPlace place;
} Verdict;

/* Whose claims are judged: one of these, others NULL. */
typedef struct {
    const Algorithm *algorithm;
    const Collective *collective;
    const Topology *topology;
} VerdictSubject;

/* Where they are judged. What is given narrows the grid. */
typedef struct {
    int64_t least_p, largest_p;
    const Topology *on;  /* NULL: all topologies of which claims speak */
    const Shape *shapes; /* of `on`; NULL: all up to largest_p */
    size_t shape_count;
    int64_t ports; /* 0: 1, 2, 3 and one for each link; else these up to: */
    int64_t most_ports;
    int64_t root;    /* -1: some */
    int64_t target;  /* -1: some */
    bool farthest;   /* with no other target than the farthest one */
    int switching;   /* -1: both that claims can speak of */
    unsigned bounds; /* bit k: formulas are the largest of bounds with that kind k; 0: they
                        are costs */
    bool brief;      /* what a wrong formula holds under, and examples, are not sought */
    int64_t *terms;  /* of sums that may still be evaluated, in all; NULL: nobody counts */
    bool asynchronous, overlap; /* conventions of the derivation; by default neither */
} VerdictGrid;

/* What verdicts are asked for: whose claims, and where. */
typedef struct {
    Arena *arena;
    Library *library;
    VerdictSubject subject;
    const VerdictGrid *grid;
    Diag *diag;
} VerdictQuestion;

/* What the verdict comes to. Conditions are the business of those who look for them. */
Outcome verdict_outcome(const Verdict *verdict);
/* Is the error of an approximation none for large m, or does it fall to nothing with p? */
bool verdict_vanishes(const Verdict *verdict);
/* "holds neglecting ts and tc" */
const char *verdict_words(Arena *arena, const Verdict *verdict);
/* "holds for p up to 16", "proved for all p" */
const char *verdict_reach(Arena *arena, const Verdict *verdict, int64_t largest_p);
VerdictGrid verdict_grid_up_to(int64_t largest_p);
/* The rules at a place of the grid. */
Rules verdict_rules(const VerdictGrid *grid, int64_t ports, Switching switching);
const ClaimList *verdict_claims(const VerdictSubject *subject);

#endif
