/* What `show` and `import` say of a network: its links by kind, what is irregular, its paths. */
#ifndef COLLCOST_CLI_SHOW_PARTS_H
#define COLLCOST_CLI_SHOW_PARTS_H

#include "cli/query.h"
#include "model/node.h"
#include "net/measure.h"

#include <stdio.h>

typedef struct {
    const Query *query;
    const Network *network;
    bool knows_machine; /* it was named, or stands beside the network */
} NetworkFacts;

/* A line of what `show` says; none where the text is empty, or NULL. */
void field_write(const Query *query, const char *name, const char *text);
/* Fields as `show` has them, or tables and JSON. */
void facts_write_fields(const NetworkFacts *facts);
void facts_write(const NetworkFacts *facts);
/* Of a description that was read to be kept: with what was assumed, which stands in its models; a
   message where the answer is for programs. */
void facts_write_import(const NetworkFacts *facts, Text path, const Source *models);
/* False after a report. */
bool facts_write_pairs(const NetworkFacts *facts);
bool facts_write_route(const NetworkFacts *facts, Text ends);

/* Programs of algorithms as listings in LaTeX: a paragraph for each step, indented by its depth,
   with formulas as mathematics. Needs amsmath; text of files is escaped. */

/* `document` is the map of an algorithm's model file; its claims and its head are left out. */
void listing_write(Arena *arena, FILE *stream, const Node *document, Diag *diag);
/* "$p \bmod 2 = 0$": a formula of the model language; what is none as escaped text. */
const char *listing_formula(Arena *arena, Text text);

#endif
