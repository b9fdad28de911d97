/* The text of an equation: signs and words that part formulas, and what says nothing. */
#ifndef COLLCOST_LANG_EQUATION_TEXT_H
#define COLLCOST_LANG_EQUATION_TEXT_H

#include "base/source.h"

/* Of a formula to what stands before it; then what looks like one but stands in a condition, and
   what ends a formula. */
typedef enum {
    RELATION_EQUAL,
    RELATION_APPROXIMATE,
    RELATION_AT_MOST,
    RELATION_AT_LEAST,
    RELATION_NONE,
    RELATION_REMARK,
    RELATION_COUNT
} Relation;

Text equation_cut(Text text, size_t length);
/* What stands from `at` on. */
Text equation_rest(Text text, size_t at);
/* Without what belongs to the sentence, or to the page, at its end. */
Text equation_cut_idle(Text text);
/* As plain text what is written in HTML, as an argument of its own: "&lceil;log<sub>2</sub> p". */
Text equation_without_markup(Arena *arena, Text text);
/* What one pair of signs, as $...$, encloses in a sentence that says nothing else, beside single
   letters between such signs; or all. */
Text equation_cut_sentence(Text text);
/* Nothing but words, none of which formulas have, or changes what one says? */
bool equation_is_words(Text text);
/* Where the bracket opens that closes at the end of the text; the length of the text: nowhere. */
size_t equation_open(Text text, char open, char close);
/* Where a relation stands outside brackets, from `at` on; the length of the text: nowhere. */
size_t equation_relation(Text text, size_t at, int *relation, size_t *length);
/* Where this stands; the length of the text: nowhere. */
size_t equation_find(Text text, const char *what);
/* Is it one of the words, between which blanks stand? */
bool equation_is_among(Text word, const char *words);

#endif
