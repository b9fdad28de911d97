/* How a model that is being read gets at the models that it names.

   Whoever calls a reader hands this in, so that readers know nothing of where models come from.
   Each function returns NULL after a report at the place of the name: there is no such model, it is
   wrong, or it is being read itself. */
#ifndef COLLCOST_MODEL_RESOLVER_H
#define COLLCOST_MODEL_RESOLVER_H

#include "base/diag.h"

typedef struct {
    Arena *arena;        /* in which the model is read */
    Diag *diag;          /* who is told what is wrong with it */
    void *models;        /* what the functions search */
    bool is_known_right; /* the model, and all that it names, are as they were when they were
                            tested: what is not needed now need not be looked at */
    const struct Topology *(*topology)(void *models, Text name, Diag *diag);
    /* A collective, or what stands for a problem of that name. */
    const struct Collective *(*collective)(void *models, Text name, Diag *diag);
    const struct Problem *(*problem)(void *models, Text name, Diag *diag);
    /* `full_name`: "reduce/binomial" */
    const struct Algorithm *(*algorithm)(void *models, Text full_name, Diag *diag);
    const struct Origin *(*origin)(void *models, Text name, Diag *diag);
} Resolver;

#endif
