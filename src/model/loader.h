/* The state of an algorithm that is being read, and its names. Only the files that read algorithms
   include this; others see algorithm.h. */
#ifndef COLLCOST_MODEL_LOADER_H
#define COLLCOST_MODEL_LOADER_H

#include "model/algorithm.h"
#include "model/reader.h"

typedef struct {
    const Resolver *resolver;
    Arena *arena;
    Algorithm *algorithm;
    Algorithm *of_line; /* the program of a line, where there is `along`; else NULL */
    Scope scope;
    uint64_t lets;   /* slots of the scope with a value from `let` */
    int index_count; /* of a block, the chunk's index included */
    Diag *diag;
} Loader;

/* Formulas of a map that see the names of the algorithm. */
static inline FormulaMap loader_formulas(Loader *loader, const Node *map)
{
    return (FormulaMap){loader->arena, map, &loader->scope, loader->diag};
}
/* Is there room for one name more? False after a report. */
bool loader_has_room(Loader *loader, Span span);
/* Reads the key `let` of a map, if it is there: values are appended to `lets`, functions become
   names. False after reports. */
bool loader_read_lets(Loader *loader, const Node *map, LetList *lets);

/* Reads the steps of a schedule program. */

/* Reads a list of steps, or the transfers of a round. False after reports. */
bool steps_read(Loader *loader, const Node *list, bool in_round, ScheduleStep **steps,
                size_t *count);

/* Inside of the reading of algorithms for problems (algorithm.c, steps.c): how arrays are cut into
   blocks, who holds which before and after, and steps that name blocks of arrays. */

/* Reads `blocks`; the arrays of the problem become names. False after a report. */
bool placement_read_blocks(Loader *loader, const Node *map);
/* Reads `before` and `after`, once all names are known; nothing for an algorithm of a collective.
   False after a report. */
bool placement_read_ends(Loader *loader, const Node *map);
/* Have the sets as many indices as their arrays? False after a report. */
bool placement_check_sets(const Loader *loader, const SetList *sets);
/* Reads a step `compute: C(i, j) += A(i, k) * B(k, j)`. False after a report. */
bool placement_read_compute(Loader *loader, const Node *map, ScheduleStep *step);
/* Reads `of` of a use: blocks by the indices of the used algorithm's collective. False after a
   report. */
bool placement_read_of(Loader *loader, const Node *map, Use *use);

#endif
