/* Compositions (study/plans.h) in answers. */
#ifndef COLLCOST_CLI_COMPOSED_H
#define COLLCOST_CLI_COMPOSED_H

#include "base/buffer.h"
#include "cli/query.h"

/* Compositions as models. */
typedef struct {
    Buffer text;     /* of a model file; its arena must be set */
    TextArray names; /* of the models */
    TextArray stages;
} ComposedModels;

/* Can the answer hold compositions, where `only` is asked about or NULL? */
bool composed_may_occur(const Query *query, const Algorithm *only);
/* Rules in words, with what they leave out of the answer of a command that weighs compositions. */
const char *composed_rules(const Query *query, const char *rules);
/* As a line of text, what stages the name of a composition stands for; nothing without `stages`, or
   where `written` holds these, to which they are added. */
void composed_write(const Query *query, const char *name, const char *stages, TextArray *written);
/* Adds a composition of the collective, unless it is there, under its name in letters that a
   model's name can have: hier-ring-bine for hier(ring+bine). */
void composed_note(ComposedModels *models, const char *collective, const char *name,
                   const char *stages);

#endif
