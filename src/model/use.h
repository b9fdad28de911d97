/* Algorithms used as parts of others.

   stage       ["dual"] ALGORITHM ["along" dimensions] ["channels" EXPRESSION]
               ["renumber" EXPRESSION]
   dimensions  "every" ("dimension" | "level") ["backwards"] | NAME {"then" NAME}

   ALGORITHM is COLLECTIVE/NAME, or NAME for one of the same collective. Files write a stage as text
   in `sequence`, or as a step with the keys use, along, channels, renumber, root and target. */
#ifndef COLLCOST_MODEL_USE_H
#define COLLCOST_MODEL_USE_H

#include "model/algorithm.h"

/* Reads a stage as text. `collective`: whose algorithm it becomes a part of. False after reports.
 */
bool use_parse(const Resolver *resolver, Arena *arena, const Collective *collective, Text text,
               Use *use, Diag *diag);
/* Reads the value of `along`. */
bool use_read_along(Arena *arena, const Node *node, Use *use, Diag *diag);
/* Reads the keys `channels` and `renumber` of a map, where it has them. */
bool use_read_copies(Arena *arena, const Collective *collective, const Node *map, Use *use,
                     Diag *diag);
/* Reads a step with the key `use`; `scope` holds the names that `root` and `target` may use. */
bool use_read(const Resolver *resolver, Arena *arena, const Collective *collective, const Node *map,
              Scope *scope, Use *use, Diag *diag);

/* Algorithms made from other algorithms: duals, and what every use brings with it. */

/* Makes `algorithm` the dual of `other`: its program, chunks and requirement hold for both. False
   after a report: the collective of `other` must turn into that of `algorithm`. */
bool compose_dual(Algorithm *algorithm, const Algorithm *other, Span span, Diag *diag);
/* Every use makes its algorithm follow who holds what, and lets k through. */
void compose_note_use(Algorithm *algorithm, const Use *use);
/* Whoever follows an algorithm into those that it uses walks them by recursion, and each as often
   as it is used: so that the walk is short, models that use each other too deeply or too often are
   refused where they are read. False after a report. */
bool compose_check(const Algorithm *algorithm, Diag *diag);

/* Algorithms with others in the place of those that they use: `--using allgather/ring`. */

/* Does a step of the algorithm itself use one of this collective? */
bool exchange_uses(const Algorithm *algorithm, const Collective *collective);
/* A copy that uses `parts` wherever `algorithm` uses another algorithm of their collectives, and
   is named for them; without claims, which are about the original. The algorithm itself where that
   changes nothing. */
const Algorithm *exchange_parts(Arena *arena, const Algorithm *algorithm,
                                const Algorithm *const *parts, size_t count);

#endif
