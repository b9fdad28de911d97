/* The letters of a formula, and what each of them can mean for an algorithm. */
#ifndef COLLCOST_CLAIMS_LETTERS_H
#define COLLCOST_CLAIMS_LETTERS_H

#include "model/algorithm.h"

typedef enum {
#define MEANING(id, word, name, inverse, what) MEANING_##id,
#include "claims/meanings.def"
#undef MEANING
    MEANING_COUNT
} Meaning;

typedef struct {
    const char *word; /* as a user says it: "per-byte" */
    const char *name; /* in formulas: "tw" */
    bool inverse;     /* it stands for 1 / name */
    const char *what; /* "the time per byte" */
} MeaningInfo;
/* By Meaning. */
extern const MeaningInfo meaning_info[MEANING_COUNT];
/* The meaning that a user calls by this word, or by its name, or "1/tw"; -1: none. */
int meaning_find(Text word);

/* The last: combinations of meanings, for each number of unlikely ones, and of a reading with
   conditions. */
enum { MOST_SYMBOLS = 12, MOST_MEANINGS = 6, MOST_TRIED = 4096 };

typedef struct {
    Text name;
    Meaning meanings[MOST_MEANINGS];
    int count;
    bool is_ours; /* the first is what the letter means in this program */
} Symbol;

typedef struct {
    Symbol items[MOST_SYMBOLS];
    int count;
    const Expr *condition; /* under which the formula is stated; NULL: there is none */
    const char *branches;  /* "radix" or "fanout" of the algorithm */
    bool is_problem; /* of products: n is an order, and terms without a time count multiply-adds */
    bool is_growth;  /* why symbols_find has failed: "O(p)" is no time, whatever p means */
} SymbolList;

/* Names that an outer sum binds; NULL: none. */
typedef struct BoundName {
    Text name;
    const struct BoundName *outer;
} BoundName;
bool symbol_is_bound(const BoundName *bound, Text name);
/* The place of a letter in the list; -1: it is none of them. */
int symbols_place(const SymbolList *symbols, Text name);

/* A letter whose meaning the user has said. */
typedef struct {
    Text name;
    Meaning meaning;
} FixedMeaning;
ARRAY_TYPE(FixedMeaningArray, FixedMeaning);

/* The names that a formula about the algorithm can have, for lang/equation.h. */
TextArray readings_names(Arena *arena, const FixedMeaningArray *fixed, const Algorithm *algorithm);
/* Is it rounded? A logarithm there has one meaning. */
static inline bool expr_is_rounding(const Expr *expr)
{
    return expr->kind == EXPR_CEIL || expr->kind == EXPR_FLOOR;
}
/* The letters of a formula (lang/informal.h) about an algorithm, in its order. Where a block is all
   that a rank holds, m and M are the same. False after a report: a letter that nobody knows, or a
   fixed one that does not occur. */
bool symbols_find(Arena *arena, const Expr *formula, const Expr *condition,
                  const FixedMeaningArray *fixed, const Algorithm *algorithm, SymbolList *symbols,
                  Diag *diag);

#endif
