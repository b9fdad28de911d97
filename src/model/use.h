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
bool use_parse(const Resolver *resolver, const Collective *collective, Text text, Use *use);
/* Reads the value of `along`: `x`, `every dimension`, `[x, y]`. */
bool use_read_along(Arena *arena, const Node *node, Use *use, Diag *diag);
/* Reads the keys `channels` and `renumber` of a map, where it has them. */
bool use_read_copies(Arena *arena, const Collective *collective, const Node *map, Use *use,
                     Diag *diag);
/* Reads a step with the key `use`; `scope` holds the names that `root` and `target` may use. */
bool use_read(const Resolver *resolver, const Collective *collective, const Node *map, Scope *scope,
              Use *use);

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

/* Algorithms that are sequences of stages (use.h), in a file or typed in one line. */

/* Appends a stage written as text (use.h) to the steps of `algorithm`. False after a report. */
bool sequence_add_stage(const Resolver *resolver, Algorithm *algorithm, Text stage);
/* Reads the key `grid` of a sequence: its stages then run along these dimensions, not along those
   of the network. False after a report. */
bool sequence_read_grid(Arena *arena, const Node *map, Algorithm *algorithm, Diag *diag);
/* "allreduce", "{x: 3, y: p div 3}" or nothing, and the stages, of an algorithm typed in one line.
   False where there is no colon before stages. */
bool sequence_split(Text text, Text *collective, Text *grid, Text *stages);
/* Takes the word `pipelined` from before the first stage; false where it is not there. */
bool sequence_take_pipelined(Text *stages);
/* An algorithm typed in one line, named by its stages: `allreduce: ["pipelined"] STAGE, STAGE`, or
   on a grid of its own, `allreduce {x: 3, y: p div 3}: STAGE, STAGE`. NULL after a report. */
Algorithm *sequence_typed(const Resolver *resolver, Text text);

#endif
