/* Letters of printed formulas, and runs of them, which are products: mt_w is m t_w. */
#ifndef COLLCOST_LANG_INFORMAL_LETTERS_H
#define COLLCOST_LANG_INFORMAL_LETTERS_H

#include "lang/lexer.h"

/* A run of letters that was taken for one product and could be another. */
typedef struct {
    Text typed;                /* "logp" */
    const char *taken, *other; /* "log p", "l o g p" */
} InformalRun;
ARRAY_TYPE(InformalRuns, InformalRun);

/* The names that letters can be. */
typedef struct InformalLetters {
    TextArray names;
    InformalRuns doubtful; /* found while reading */
} InformalLetters;

enum { LONGEST_NAME = 60 };

/* A name while it is put together, without its underscores. */
typedef struct {
    char chars[LONGEST_NAME + 1];
    bool is_below[LONGEST_NAME + 1]; /* an underscore is before this place of `chars` */
    size_t ends[LONGEST_NAME + 1];   /* in the typed text, behind the sign before this place of
                                        `chars`; 0: it is between braces */
    size_t length, end;              /* end: in the typed text */
    bool is_long;                    /* letters found no place */
} InformalName;

/* The letter above a word that does not change what it means, B of B_{eff}; else the name. */
Text informal_base(Text name);
/* The same letter or word; of words neither case nor underscores count, world_size and worldSize.
 */
bool informal_same_name(Text a, Text b);
/* Is it one of the letters, perhaps with such a word? */
bool informal_is_letter(const InformalLetters *letters, Text name);
/* Cuts a run of letters behind the first of them, unless it is a name as a whole. */
void informal_cut_run(const Lexer *lexer, InformalName *name);

#endif
