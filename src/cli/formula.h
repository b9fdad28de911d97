/* Formulas that users type, in the context of a line: the machine's ts, th, tw, tc, the ranks and
   the size where they are given, names of the session, and what measures.def lists. */
#ifndef COLLCOST_CLI_FORMULA_H
#define COLLCOST_CLI_FORMULA_H

#include "cli/measures.h"

/* A comparison in a formula. */
typedef struct {
    const Expr *whole, *left, *right;
} Comparison;
ARRAY_TYPE(ComparisonArray, Comparison);

/* An algorithm that stands in a formula; the tree has a number for it. */
typedef struct {
    const Expr *place;
    const char *name;
} AlgorithmName;
ARRAY_TYPE(AlgorithmNameArray, AlgorithmName);

typedef struct {
    const Query *query;
    Measures *measures;
    Scope scope;
    Frame frame;
    AlgorithmNameArray algorithms;
    ComparisonArray comparisons;
    bool is_wrong; /* it asks about an algorithm that is wrong, which was reported */
} TypedFormula;

/* Names that have a meaning of their own, which a session cannot give another one. */
bool formula_is_taken(Text name);

/* The names that are known here. False after a report. */
bool formula_open(const Query *query, TypedFormula *formula);
/* Reads and checks a formula, and finds what it asks about algorithms. NULL after a report. */
Expr *formula_read(TypedFormula *formula, Text text);
/* How a line ends whose formula has no value. */
Status formula_status(const TypedFormula *formula);
/* Is it worth calling one: does it parse? Says nothing. */
bool formula_parses(Arena *arena, Text text);
/* The value of a formula that was read, or of a part of it. False after a report. */
bool formula_evaluate(TypedFormula *formula, const Expr *expr, Value *value);
/* The value is `ans` in the lines of the session that follow; names of algorithms are not. */
void formula_keep(const Query *query, const Value *value);

#endif
