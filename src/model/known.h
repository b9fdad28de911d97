/* The kinds of models, and the names by which they are known.

   A model has one name. It may have others that people type (`also: [MPI_Bcast]`). In a name that
   is typed, case, '-' and '_' do not count: all_reduce, AllReduce and all-reduce are allreduce. */
#ifndef COLLCOST_MODEL_KNOWN_H
#define COLLCOST_MODEL_KNOWN_H

#include "base/diag.h"

typedef enum {
#define KIND(id, key, plural, folder) KIND_##id,
#include "model/kinds.def"
#undef KIND
    KIND_COUNT
} ModelKind;

/* By ModelKind. */
extern const char *const kind_keys[KIND_COUNT];
extern const char *const kind_plurals[KIND_COUNT];

typedef struct {
    ModelKind kind;
    const char *name;        /* of an algorithm "reduce/binomial" */
    const char *const *also; /* of an algorithm without its collective: "recursive-halving" */
    size_t also_count;
} KnownModel;

/* In the order of the library. */
ARRAY_TYPE(KnownModels, KnownModel);

/* Are they the same when case, '-' and '_' do not count? */
bool known_alike(Text text, const char *name);
/* The model that a word names: one whose name is like it, else the first that has it in `also`.
   `word` of an algorithm is "COLLECTIVE/NAME" with the proper name of the collective. NULL: none.
 */
const KnownModel *known_find(const KnownModels *models, ModelKind kind, Text word);
/* The collective, or else the problem, that a word names. */
const KnownModel *known_owner(const KnownModels *models, Text word);
/* Reports that there is no model of this kind (KIND_COUNT: of any) and name, and notes what may
   have been meant: a name that is spelled nearly so, an algorithm of another collective, a model of
   another kind. */
void known_report_missing(Arena *arena, const KnownModels *models, ModelKind kind, Text name,
                          Diag *diag);

#endif
