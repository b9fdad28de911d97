/* The library of models: the built-in ones, and the user's, which come before them.

   A built-in model is read when it is first needed, so that a short command stays short. A
   user's files are read and checked at once.

   Names that users type are found by their aliases as well (known.h); in the files of models only
   the name itself counts, so that a collective has one spelling there. */
#ifndef COLLCOST_MODEL_LIBRARY_H
#define COLLCOST_MODEL_LIBRARY_H

#include "model/implementation.h"
#include "model/known.h"
#include "model/topology.h"

typedef struct Library Library;

/* A model by name, not yet read perhaps. */
typedef struct ModelEntry {
    ModelKind kind;
    const char *name;     /* of an algorithm "reduce/binomial" */
    const char *path;     /* its file */
    const Source *source; /* its text, once it is read */
    bool is_users;
    bool replaces;                  /* a built-in one */
    bool is_typed;                  /* by library_add_typed */
    const struct ModelEntry *hides; /* the user's model of its name that was read before, or NULL */
} ModelEntry;

/* What is read or compiled later lives in `arena`, too. */
Library *library_open(Arena *arena);
/* Claims of built-in models are read, and their formulas compiled, when they are needed, as long as
   no other models are there that could change what they mean. From now on those of models that are
   still to be loaded are read and checked at once, for who asks about the models themselves. */
void library_check_formulas(Library *library);
/* What makes models of texts in other forms, such as descriptions of networks, before they are
   entered: the text of models, or the same source where it is in none of these forms; NULL after a
   report. */
typedef const Source *ModelMaker(void *user, Arena *arena, const Source *source, Diag *diag);
void library_make_by(Library *library, ModelMaker *maker, void *user);
/* Enters the models of a file ("-": the standard input), or of all *.yaml and *.yml files below a
   folder, under their names. They may name models that are entered later. False after reports. */
bool library_enter(Library *library, const char *path, Diag *diag);
/* The same for a folder that nobody has named: what cannot be read in it is left out, with a
   warning. */
void library_enter_readable(Library *library, const char *path, Diag *diag);
/* Enters the models of a text, which stays alive, as library_enter does those of a file. False
   after reports. */
bool library_enter_source(Library *library, const Source *source, Diag *diag);
/* Reads and checks all models entered since it was last called. False after reports, if any is
   wrong or could not be entered; then the library is as it was before them. */
bool library_read(Library *library, Diag *diag);
/* Enters, and reads. */
bool library_add(Library *library, const char *path, Diag *diag);
bool library_add_source(Library *library, const Source *source, Diag *diag);
/* The name of the first model of a kind in a file that was entered; NULL: there is none. */
const char *library_first_of(const Library *library, Text path, ModelKind kind);
/* What was read from a file, under whatever name; NULL: it was not, or it is a folder. */
const Source *library_source(const Library *library, const char *path);

/* Each returns NULL after reporting that there is no such model (with a suggestion), or what is
   wrong with it. */
const Machine *library_machine(Library *library, Text name, Diag *diag);
const Topology *library_topology(Library *library, Text name, Diag *diag);
/* A collective, or what stands for a problem of that name. */
const Collective *library_collective(Library *library, Text name, Diag *diag);
const Problem *library_problem(Library *library, Text name, Diag *diag);
const Algorithm *library_algorithm(Library *library, Text full_name, Diag *diag);
const Origin *library_origin(Library *library, Text name, Diag *diag);
const Implementation *library_implementation(Library *library, Text name, Diag *diag);
/* The same for a kind, without a report: NULL where there is none, or it is wrong. */
const void *library_try(Library *library, ModelKind kind, Text name);
/* Where others keep what they found out about models, in an arena that lives as long as these: NULL
   until they put something there. */
void **library_findings(Library *library, Arena **arena);
/* These functions, for who reads models that name others. */
Resolver library_resolver(Library *library, Arena *arena, Diag *diag);

/* All entries of a kind, by name; a user's model hides the built-in one of its name. */
size_t library_entry_count(const Library *library);
const ModelEntry *library_entry(const Library *library, size_t index);
/* The entry of that name or alias, of any kind, or NULL. */
const ModelEntry *library_find(const Library *library, Text name);
/* The aliases of an entry, as its file gives them; *count is their number. */
const char *const *library_also(const Library *library, const ModelEntry *entry, size_t *count);
/* The entry of an algorithm that is named alone or after its collective; either may be an alias.
   NULL after a report. */
const ModelEntry *library_algorithm_of(Library *library, Text collective, Text name, Diag *diag);
/* The same without a report. */
const ModelEntry *library_try_algorithm_of(Library *library, Text collective, Text name);
/* Reports that there is no model of that name, with a suggestion. KIND_COUNT: of any kind. */
void library_report_missing(const Library *library, ModelKind kind, Text name, Diag *diag);
/* Reads the model behind an entry: a Machine, Topology, ... by its kind. */
const void *library_load(Library *library, const ModelEntry *entry, Diag *diag);

/* Adds an algorithm typed in one line (`allreduce: STAGE, STAGE`, see use.h), as
   `allreduce/STAGE, STAGE`. NULL after reports. */
const ModelEntry *library_add_typed(Library *library, Text text, Diag *diag);
/* Is the text one that library_add_typed takes? */
bool library_is_typed(Text text);

/* All algorithms of a collective that can be read, by name; those with a free radix or fan-out
   behind the others. Those that copy what a library runs are not among them. */
ARRAY_TYPE(AlgorithmArray, const Algorithm *);
bool library_algorithms(Library *library, const Collective *collective, AlgorithmArray *algorithms,
                        Diag *diag);

#endif
