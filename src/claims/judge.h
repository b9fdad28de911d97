/* Verdicts on formulas that anyone may type, in all their readings.

   A formula is claimed for everything that it leaves open: ports, roots, numbers of chunks. It may
   be about one way of switching alone, and have no terms of th, as most texts; where it has none of
   ts, tw or tc, what it has is judged by itself. All readings are judged at once; the first that
   holds wins, unless it takes one of our own letters for something else (m for the whole buffer):
   then the formula is wrong as it stands, and holds otherwise. A wrong formula is tried under
   conditions, single ones and then pairs, and as an upper bound. */
#ifndef COLLCOST_CLAIMS_JUDGE_H
#define COLLCOST_CLAIMS_JUDGE_H

#include "claims/readings.h"
#include "claims/verdict.h"
#include "lang/equation.h"
#include "model/algorithm.h"
#include "model/library.h"

typedef struct {
    Reading reading;
    Claim claim; /* as verdicts_find_printed leaves it */
    bool is_unusual;
    Verdict verdict;
    Verdict at_most; /* of the same formula as an upper bound */
} JudgedReading;
ARRAY_TYPE(JudgedReadingArray, JudgedReading);

/* The derived cost at one place: the counterexample, or an example. */
typedef struct {
    const char *place;                        /* "ring, p = 8" */
    const char *derived;                      /* "7 ts + 7 th + 7 m tw" */
    const char *missing[PARAMETER_COUNT + 1]; /* "7 th": what the formula leaves out; else NULL.
                                                 The last one is tm */
} DerivedExample;

typedef struct {
    const char *text; /* "power_of_two(p) and d == 1"; NULL: none was found */
    const JudgedReading *of;
    int64_t cases;
} HoldingCondition;

/* Of a refuted formula, each parameter by itself, the others zero. */
typedef enum { TERM_ABSENT, TERM_HOLDS, TERM_REFUTED } TermVerdict;

typedef struct {
    Outcome outcome;
    bool is_measured;               /* as an approximation */
    JudgedReadingArray readings;    /* those that are times; the first is the default */
    const JudgedReading *chosen;    /* whose verdict counts */
    const JudgedReading *otherwise; /* an unusual one that holds where `chosen` does not; or NULL */
    HoldingCondition condition;     /* sought where nothing holds */
    const char *part;               /* "the time of each round", which it is instead; or NULL */
    TermVerdict terms[PARAMETER_COUNT];
    DerivedExample example;
    JudgedSides sides; /* judge_explain: for rising numbers of ranks; else none */
    bool differs;      /* any of them */
    const char *own;   /* and the model's closed form where they differ; or NULL */
} Judgement;

/* The outcome, with the parameters that are neglected. */
const char *judgement_words(Arena *arena, const Judgement *judgement);
/* The letters of the part of an equation are `symbols`; asked about an algorithm, and a grid
   that has a topology. False after a report: no reading is a time, or there is nothing to compare
   with. */
bool judge_formula(const VerdictQuestion *asked, const EquationPart *part,
                   const SymbolList *symbols, Judgement *judgement);
/* Finds both sides of what was judged to be a time or a bound of it, over the number of ranks, all
   else being as at the counterexample. False after a report. */
bool judge_explain(const VerdictQuestion *asked, Judgement *judgement);

/* Equations about what follows from a time, solved for it.

       S = W / T, E = S / p, T_o = p T - W, C = p T      of products; W multiply-adds are the work
       B = S / t * 2 (n - 1) / n                         a bandwidth; algbw is S / t */

/* Puts formulas of the time in place of those of the equation, and returns what they were of, "the
   speedup"; NULL: of the time. */
const char *solve_for_time(Arena *arena, const Algorithm *algorithm, InformalLetters *letters,
                           Equation *equation);

#endif
