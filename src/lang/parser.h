/* A parser at work, for the files that share it: expressions in parse.c, block sets in
 * parse_blocks.c, formulas of papers in informal.c, their sums with dots in dots.c. */
#ifndef COLLCOST_LANG_PARSER_H
#define COLLCOST_LANG_PARSER_H

#include "lang/grammar.h"
#include "lang/lexer.h"

/* A Pratt parser; grammar.h has the binding powers. */
typedef struct {
    Arena *arena;
    Lexer lexer;
    int depth, nodes;
    Expr *open_sum;        /* of a formula: terms with its index may follow; or NULL */
    const char *looked_at; /* the token that was last taken for an operator, */
    const Operator *found; /* and what it is: each level of the recursion asks again */
} Parser;

Parser parser_start(Arena *arena, Text text, Diag *diag);
/* Reports what stands behind the end of an "expression". */
bool parser_at_end(Parser *parser, const char *what);
/* Reports that something else stands here; NULL. */
Expr *parser_unexpected(Parser *parser, const char *wanted);
/* The word in view, if it can be a name; false after a report. */
bool parser_new_name(Parser *parser, const char *wanted, Text *name);
/* min and max take two or more: min(a, b, c) is min(min(a, b), c). */
void parser_fold_arguments(Parser *parser, Expr *call, Expr *next);
/* An expression from here on; NULL after a report. */
Expr *parser_expression(Parser *parser);

/* Sums with dots, 1 + 2 + 4 + ... + p/2, as sums over an index: of the terms before dots, of those
   that follow, and of the last one. Of the two or three in which `left`, a sum of so many terms,
   ends; *rest: what is before them, or NULL. NULL: they follow no pattern, in which a number in
   them rises by the same step, or by the same factor. Of two terms the last one says which:
   1 + 2 + ... + 2^k. `text` ends behind the last one. */
Expr *dots_sum(Arena *arena, Expr *left, int terms, Expr *last, Text text, Expr **rest);

#endif
