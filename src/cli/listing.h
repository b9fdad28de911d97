/* Programs of algorithms as listings in LaTeX: a paragraph for each step, indented by its depth,
   with formulas as mathematics. Needs amsmath; text of files is escaped. */
#ifndef COLLCOST_CLI_LISTING_H
#define COLLCOST_CLI_LISTING_H

#include "model/node.h"

#include <stdio.h>

/* `document` is the map of an algorithm's model file; its claims and its head are left out. */
void listing_write(Arena *arena, FILE *stream, const Node *document);
/* "$p \bmod 2 = 0$": a formula of the model language; what is none as escaped text. */
const char *listing_formula(Arena *arena, Text text);

#endif
