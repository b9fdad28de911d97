/* Words, numbers and signs of expressions, block sets and printed formulas. */
#ifndef COLLCOST_LANG_LEXER_H
#define COLLCOST_LANG_LEXER_H

#include "base/quantity.h"

typedef enum {
    TOKEN_END,
    TOKEN_BAD, /* already reported */
    TOKEN_NUMBER,
    TOKEN_NAME, /* also the words: mod, and, for, ... */
    TOKEN_SIGN  /* + - * / ^ ( ) , .. += == != < <= > >= */
} TokenKind;

typedef struct {
    TokenKind kind;
    Text text;
    Quantity quantity;        /* of a number, */
    int64_t integer, divisor; /* of one in a formula of a paper: integer / divisor */
} Token;

typedef struct Lexer {
    Text text; /* verbatim, if it is a formula of a paper */
    size_t at;
    Token token;       /* the one in view */
    bool about_models; /* 'a name in quotes' and % mean something */
    Diag *diag;
    void (*advance)(struct Lexer *); /* NULL, or of formulas of papers (lang/informal_lexer.h): */
    Arena *arena;
    struct InformalLetters *letters;
    size_t last_end; /* where the token before the one in view ends */
    int raised;      /* how many signs of ^( were given for small ones above the line */
    bool counts_np;  /* np is n_p, the number of ranks */
} Lexer;

/* The first token is in view afterwards. */
void lexer_start(Lexer *lexer, Text text, bool about_models, Diag *diag);
void lexer_advance(Lexer *lexer);
/* Is the token in view this sign or word? */
bool lexer_sees(const Lexer *lexer, const char *word);
/* If so, steps over it. */
bool lexer_accept(Lexer *lexer, const char *word);
/* If not, reports that `word` is missing. */
bool lexer_expect(Lexer *lexer, const char *word);

#endif
