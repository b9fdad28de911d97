/* Words, numbers and signs of formulas as papers print them: Unicode, LaTeX, subscripts.

   A token's text is what it means, at the place of what was typed:

       typed     α, \alpha   t_s, tₛ, t_{\mathrm{s}}   ·, \times   \lceil   \left(   1.5     p²
       means     alpha       ts                        *           ⌈        (        15/10   p^(2)  */
#ifndef COLLCOST_LANG_INFORMAL_LEXER_H
#define COLLCOST_LANG_INFORMAL_LEXER_H

#include "lang/lexer.h"

typedef struct {
    TokenKind kind;
    Text text;
    int64_t integer, divisor; /* of a number: integer / divisor */
} InformalToken;

/* A run of letters that was taken for one product and could be another. */
typedef struct {
    Text typed;                /* "logp" */
    const char *taken, *other; /* "log p", "l o g p" */
} InformalRun;
ARRAY_TYPE(InformalRuns, InformalRun);

/* The names that letters can be: a run of them is a product, mt_w is m t_w. */
typedef struct {
    TextArray names;
    InformalRuns doubtful; /* found while reading */
} InformalLetters;

typedef struct {
    Arena *arena;
    InformalLetters *letters; /* NULL: runs are names */
    Text text;                /* verbatim */
    size_t at;
    size_t last_end;     /* where the token before the one in view ends */
    InformalToken token; /* the one in view */
    int raised;          /* how many signs of ^( were given for small ones above the line */
    Diag *diag;
} InformalLexer;

/* The first token is in view afterwards. */
void informal_lexer_start(InformalLexer *lexer, Arena *arena, InformalLetters *letters, Text text,
                          Diag *diag);
void informal_lexer_advance(InformalLexer *lexer);
/* Leaves of the token in view its first sign alone, as LaTeX takes the parts of \frac12. */
void informal_lexer_narrow(InformalLexer *lexer);
/* Does ^ follow the token in view? */
bool informal_lexer_is_raised(const InformalLexer *lexer);
/* Is it one of the letters? */
bool informal_is_letter(const InformalLetters *letters, Text name);
/* Is the token in view this sign or word? */
bool informal_lexer_sees(const InformalLexer *lexer, const char *word);
/* If so, steps over it. */
bool informal_lexer_accept(InformalLexer *lexer, const char *word);
/* If not, reports that `word` is missing. */
bool informal_lexer_expect(InformalLexer *lexer, const char *word);

#endif
