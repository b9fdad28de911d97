/* What `judge` says about a formula. */
#ifndef COLLCOST_CLI_JUDGE_RECORD_H
#define COLLCOST_CLI_JUDGE_RECORD_H

#include "claims/judge.h"
#include "cli/query.h"
#include "sched/shapes.h"

/* One question: a formula about an algorithm; and the answer. */
typedef struct {
    const Query *query;
    const Algorithm *algorithm;
    Text typed;
    SymbolList symbols;
    ShapeArray shapes; /* none: all up to grid.largest_p ranks */
    VerdictGrid grid;
    Judgement judgement;
} JudgeCase;

void judge_record_write(const JudgeCase *asked);

#endif
