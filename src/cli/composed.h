/* Compositions (study/plans.h) in answers. */
#ifndef COLLCOST_CLI_COMPOSED_H
#define COLLCOST_CLI_COMPOSED_H

#include "base/buffer.h"
#include "cli/query.h"

/* Compositions as models. */
typedef struct {
    Buffer text;       /* of a model file; its arena must be set */
    StringArray names; /* of the models */
    StringArray stages;
} ComposedModels;

/* Can the answer hold compositions? */
bool composed_may_occur(const Query *query);
/* Rules in words, with what they leave out of the answer of a command that weighs compositions. */
const char *composed_rules(const Query *query, const char *rules);
/* As a line of text, what stages the name of a composition stands for; nothing without `stages`, or
   where `written` holds these, to which they are added. */
void composed_write(const Query *query, const char *name, const char *stages, StringArray *written);
/* Adds a composition of the collective, unless it is there, under its name in letters that a
   model's name can have: hier-ring-bine for hier(ring+bine). */
void composed_note(ComposedModels *models, const char *collective, const char *name,
                   const char *stages);

/* Synthesized schedules as models of the library of a line: `synthesize`, and candidates of other
   commands. */

/* What is told of an algorithm that is trees or paths, beside its cost (synth/packing.h). */
typedef struct {
    const char *name;
    size_t trees;
    int64_t shares; /* of a block, each cut into k chunks */
    int32_t height;
} SynthesizedTrees;

ARRAY_TYPE(SynthesizedList, SynthesizedTrees);

typedef enum { OBJECTIVE_THROUGHPUT, OBJECTIVE_LATENCY, OBJECTIVE_BOTH } Objective;

/* What the line asks for; false after a report. */
bool synthesized_objective(const CommandLine *line, Objective *objective);
/* Is there a way to synthesize this collective? */
bool synthesized_is_possible(const Collective *collective);
/* Adds schedules of the collective on a network of the query to its library, and appends them to
   `made` and their models to `text`. False after a report. */
bool synthesized_add(const Query *query, size_t index, Objective objective, Buffer *text,
                     SynthesizedList *made);

/* Adds candidates where the line says --synthesize, for all networks of the query; `only` is one
   algorithm that was asked for, or NULL. False after a report. */
bool synthesized_join(const Query *query);
/* The line with a library of its own, in *context: that of a session must not keep what is
   synthesized for one line. */
CommandLine synthesized_alone(const CommandLine *given, Context *context);
/* The same, in *own and *context, of a line that says --synthesize. Other lines are as given. */
const CommandLine *synthesized_line(const CommandLine *given, CommandLine *own, Context *context);

#endif
