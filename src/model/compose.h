/* Algorithms made from other algorithms: duals, and what every use brings with it. */
#ifndef COLLCOST_MODEL_COMPOSE_H
#define COLLCOST_MODEL_COMPOSE_H

#include "model/algorithm.h"

/* Makes `algorithm` the dual of `other`: its program, chunks and requirement hold for both. False
   after a report: the collective of `other` must turn into that of `algorithm`. */
bool compose_dual(Algorithm *algorithm, const Algorithm *other, Span span, Diag *diag);
/* A nameless dual of `other`, of the collective that its own turns into. NULL after a report. */
const Algorithm *compose_dual_of(const Resolver *resolver, Arena *arena, const Algorithm *other,
                                 Span span, Diag *diag);
/* Every use makes its algorithm follow who holds what, and lets k through. */
void compose_note_use(Algorithm *algorithm, const Use *use);
/* Whoever follows an algorithm into those that it uses walks them by recursion, and each as often
   as it is used: so that the walk is short, models that use each other too deeply or too often are
   refused where they are read. False after a report. */
bool compose_check(const Algorithm *algorithm, Diag *diag);

#endif
