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

#endif
