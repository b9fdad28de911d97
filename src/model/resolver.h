/* How a model that is being read gets at the models that it names.

   Whoever calls a reader hands this in, so that readers know nothing of where models come from. */
#ifndef COLLCOST_MODEL_RESOLVER_H
#define COLLCOST_MODEL_RESOLVER_H

#include "model/known.h"

typedef struct {
    Arena *arena;        /* in which the model is read */
    Diag *diag;          /* who is told what is wrong with it */
    void *models;        /* what `find` searches */
    bool is_known_right; /* the model, and all that it names, are as they were when they were
                            tested: what is not needed now need not be looked at */
    const void *(*find)(void *models, ModelKind kind, Text name, Diag *diag);
} Resolver;

/* The model of that kind and name, a Topology, Algorithm, ...; of KIND_COLLECTIVE also what stands
   for a problem. NULL after a report at the place of the name: there is none, it is wrong, or it is
   being read itself. */
static inline const void *resolver_find(const Resolver *resolver, ModelKind kind, Text name)
{
    return resolver->find(resolver->models, kind, name, resolver->diag);
}

#endif
