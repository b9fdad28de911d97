/* What `judge` says about a formula. */
#ifndef COLLCOST_CLI_JUDGE_RECORD_H
#define COLLCOST_CLI_JUDGE_RECORD_H

#include "claims/judge.h"
#include "cli/query.h"
#include "sched/shapes.h"

/* A formula of a chain, and the answer. */
typedef struct {
    SymbolList symbols;
    Judgement judgement;
} JudgedLink;
ARRAY_TYPE(JudgedLinks, JudgedLink);

/* One question: formulas about an algorithm; and the answers. */
typedef struct {
    const Query *query;
    const Algorithm *algorithm;
    Text typed;
    InformalLetters letters;
    Equation equation;
    JudgedLinks links;
    SymbolList symbols; /* of the link that is shown: */
    ShapeArray shapes;  /* none: all up to grid.largest_p ranks */
    VerdictGrid grid;
    Judgement judgement;
    const char *solved;  /* "the speedup", what the formulas were of; NULL: of the time */
    const char *bound;   /* which lower bound it is; NULL: it is a cost */
    const char *theorem; /* whether it is a theorem for all p; NULL: that was not asked */
} JudgeCase;

void judge_record_write(const JudgeCase *asked);
/* The same of an order of growth: what is claimed, and what the closed form of the model asks for.
 */
void judge_growth_write(const JudgeCase *asked, const char *verdict, const char *claimed,
                        const char *derived, const char *closed_form);
/* Both sides, as judge_explain found them, over the number of ranks. */
Status judge_picture(const JudgeCase *asked);

#endif
