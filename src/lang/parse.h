/* Parsing of expressions, ranges, loops and block sets.

   expression  see parse.c
   loop        name "in" expression (".." | "down" "to") expression
   signature   name [ "(" name { "," name } ")" ]
   set         item { "for" name "in" expression ".." expression } [ "if" expression ]
   combination item "+=" item { "for" ... } [ "if" expression ]
   product     item "+=" item "*" item { "for" ... } [ "if" expression ]
   item        "all" | expression [ ".." expression ] | "(" expression { "," expression } ")"
               | array "(" expression { "," expression } ")"; read as a call, which check knows

   All functions return NULL or false after reporting why. */
#ifndef COLLCOST_LANG_PARSE_H
#define COLLCOST_LANG_PARSE_H

#include "lang/expr.h"

enum { MOST_INDICES = 4, MOST_LOOPS = 4 };

/* `repeat: i in 0 .. 7`, and the `for` of a block set. */
typedef struct {
    Text name;
    Expr *from, *to;
    bool down;
    int slot; /* set by check */
} Loop;

/* Which blocks a step names, for every rank:
   items for all combinations of the loop variables that meet the condition. */
typedef struct {
    Text text;
    Text name;                   /* of the array, in a product; else empty */
    int array;                   /* the number of a named array, set by check; 0: the main one */
    bool all;                    /* whatever the rank holds */
    bool of_links;               /* the ends of links, not blocks: for messages */
    Expr *indices[MOST_INDICES]; /* the block's index, or the first of a range */
    int index_count;
    Expr *range_end;        /* last block of a range, or NULL */
    Loop loops[MOST_LOOPS]; /* outermost first */
    int loop_count;
    Expr *condition; /* or NULL */
} BlockSet;

Expr *parse_expression(Arena *arena, Text text, Diag *diag);
/* The expression that the text is; NULL: it is none, and nothing is reported. */
Expr *expression_of(Arena *arena, Text text);
/* parse_expression of text in which names may stand in quotes, and `a within 1% of b` and `a within
   5 us of b` are comparisons: abs(a - b) <= 1 / 100 * abs(b). */
Expr *parse_question(Arena *arena, Text text, Diag *diag);
/* The two sides of what was written as a comparison; false for other nodes. */
bool parse_sides(const Expr *expr, const Expr **left, const Expr **right);
bool parse_loop(Arena *arena, Text text, Loop *loop, Diag *diag);
bool parse_signature(Arena *arena, Text text, Signature *signature, Diag *diag);
bool parse_range(Arena *arena, Text text, Expr **from, Expr **to, Diag *diag);
bool parse_block_set(Arena *arena, Text text, BlockSet *set, Diag *diag);
/* Two sets of single blocks that go together one by one. */
bool parse_combination(Arena *arena, Text text, BlockSet *into, BlockSet *from, Diag *diag);
/* C(i, j) += A(i, k) * B(k, j): the sets of A, B and C, in this order, of one block each. */
bool parse_product(Arena *arena, Text text, BlockSet sets[3], Diag *diag);

#endif
