/* Algorithms made from other algorithms: turned round, one after the other, typed in one line. */
#ifndef COLLCOST_MODEL_COMPOSE_H
#define COLLCOST_MODEL_COMPOSE_H

#include "model/algorithm.h"

/* Makes `algorithm` the dual of `other`: its program, chunks and requirement hold for both. False
   after a report: the collective of `other` must turn into that of `algorithm`. */
bool compose_dual(Algorithm *algorithm, const Algorithm *other, Span span, Diag *diag);
/* A nameless dual of `other`, of the collective that its own turns into. NULL after a report. */
const Algorithm *compose_dual_of(struct Library *library, Arena *arena, const Algorithm *other,
                                 Span span, Diag *diag);
/* Appends a stage written as text (use.h) to the steps of `algorithm`. False after a report. */
bool compose_stage(struct Library *library, Arena *arena, Algorithm *algorithm, Text stage,
                   Diag *diag);
/* Every use makes its algorithm follow who holds what, and lets k through. */
void compose_note_use(Algorithm *algorithm, const Use *use);
/* An algorithm typed in one line, named by its stages: `allreduce: STAGE, STAGE`. NULL after a
   report. */
const Algorithm *compose_typed(struct Library *library, Arena *arena, Text text, Diag *diag);

#endif
