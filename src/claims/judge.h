/* Verdicts on formulas that anyone may type, in all their readings.

   A formula is claimed for everything that it leaves open: ports, switching, roots, numbers of
   chunks. Hops may be left out, as most texts do, and what a source that prints a time of
   the algorithm leaves out, if its cost model has all that the formula reads. Of a formula that
   leaves out more, what it has is judged by itself, but the whole is refuted. All readings are
   judged at once; the first that holds wins, unless it takes one of our own letters for something
   else (m for the whole buffer): then the formula is refuted as it stands, and holds otherwise. A
   refuted formula is tried under conditions, single ones and then pairs, and as an upper bound. */
#ifndef COLLCOST_CLAIMS_JUDGE_H
#define COLLCOST_CLAIMS_JUDGE_H

#include "claims/readings.h"
#include "claims/verdict.h"
#include "model/library.h"

typedef struct {
    Reading reading;
    Claim claim, whole; /* in part: what does not occur is zero; and as its model has it */
    bool is_unusual;
    Verdict verdict;
    Verdict at_most; /* of the same formula as an upper bound */
    Verdict part;    /* where parameters that do not occur are zero */
} JudgedReading;
ARRAY_TYPE(JudgedReadingArray, JudgedReading);

/* The derived cost at one place: the counterexample, or an example. */
typedef struct {
    const char *place;                    /* "ring, p = 8" */
    const char *derived;                  /* "7 ts + 7 th + 7 m tw" */
    const char *missing[PARAMETER_COUNT]; /* "7 th": what the formula leaves out; else NULL */
} DerivedExample;

typedef struct {
    const char *text; /* "power_of_two(p) and d == 1"; NULL: none was found */
    const JudgedReading *of;
    int64_t cases;
} HoldingCondition;

/* Of a refuted formula, each parameter by itself, the others zero. */
typedef enum { TERM_ABSENT, TERM_HOLDS, TERM_REFUTED } TermVerdict;

typedef struct {
    JudgedReadingArray readings;    /* those that are times; the first is the default */
    const JudgedReading *chosen;    /* whose verdict counts */
    const JudgedReading *otherwise; /* an unusual one that holds where `chosen` does not; or NULL */
    HoldingCondition condition;     /* sought where nothing holds */
    TermVerdict terms[PARAMETER_COUNT];
    DerivedExample example;
} Judgement;

/* The formula's letters are `symbols`; the grid has a topology. False after a report: no reading is
   a time, or there is nothing to compare with. */
bool judge_formula(Arena *arena, Library *library, const Algorithm *algorithm, const Expr *formula,
                   const SymbolList *symbols, const VerdictGrid *grid, Judgement *judgement,
                   Diag *diag);

#endif
