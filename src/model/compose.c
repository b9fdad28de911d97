#include "model/compose.h"

#include "base/limits.h"

#include <string.h>

static bool report_no_dual(const Algorithm *other, Span span, Diag *diag)
{
    diag_error(diag, span, "the collective %s has no dual", other->collective->head.name);
    diag_note(diag, NOWHERE,
              "a dual reverses time and turns copies into combinations: broadcast becomes reduce, "
              "scatter gather, allgather reduce-scatter");
    return false;
}

bool compose_dual(Algorithm *algorithm, const Algorithm *other, Span span, Diag *diag)
{
    const Collective *own = algorithm->collective, *theirs = other->collective;
    if (!theirs->dual)
        return report_no_dual(other, span, diag);
    if (strcmp(theirs->dual, own->head.name) != 0) {
        diag_error(diag, span, "the dual of a %s is a %s, not a %s", theirs->head.name,
                   theirs->dual, own->head.name);
        return false;
    }
    algorithm->dual = other;
    algorithm->is_builtin &= other->is_builtin;
    algorithm->chain = other->chain + 1;
    algorithm->uses = other->uses;
    algorithm->requires = other->requires;
    algorithm->grid = other->grid;
    algorithm->chunks = other->chunks;
    algorithm->free_chunks = other->free_chunks;
    algorithm->branching = other->branching;
    algorithm->least_branches = other->least_branches;
    algorithm->most_branches = other->most_branches;
    algorithm->arrays = other->arrays;
    algorithm->array_count = other->array_count;
    algorithm->array_sizes = other->array_sizes;
    algorithm->moves_blocks = other->moves_blocks;
    algorithm->keeps = other->combines; /* a copy becomes a combination, and back */
    algorithm->combines = other->keeps;
    algorithm->reads_ports = other->reads_ports;
    algorithm->reads_shape = other->reads_shape;
    memcpy(algorithm->local, other->local, sizeof algorithm->local);
    if (!algorithm->posting)
        algorithm->posting = other->posting;
    algorithm->posts_together |= other->posts_together;
    algorithm->streams |= other->streams;
    if (theirs->rooted == own->rooted && theirs->targeted == own->targeted &&
        theirs->index_count == own->index_count)
        return true;
    diag_error(diag, span, "blocks of %s are not those of %s", theirs->head.name, own->head.name);
    return false;
}

const Algorithm *compose_dual_of(const Resolver *resolver, Arena *arena, const Algorithm *other,
                                 Span span, Diag *diag)
{
    const Collective *collective = other->collective;
    if (!collective->dual) {
        report_no_dual(other, span, diag);
        return NULL;
    }
    Text name = {.chars = collective->dual,
                 .length = strlen(collective->dual),
                 .span = collective->dual_span};
    Algorithm *dual = ARENA_NEW(arena, Algorithm);
    dual->head = other->head;
    dual->collective = resolver->collective(resolver->models, name, diag);
    return dual->collective && compose_dual(dual, other, span, diag) ? dual : NULL;
}

void compose_note_use(Algorithm *algorithm, const Use *use)
{
    const Algorithm *used = use->algorithm;
    algorithm->names_all = true;
    algorithm->is_builtin &= used->is_builtin;
    algorithm->chain = used->chain < algorithm->chain ? algorithm->chain : used->chain + 1;
    algorithm->uses += 1 + used->uses;
    algorithm->free_chunks |= used->free_chunks;
    if (!algorithm->branching)
        algorithm->branching = used->branching;
    algorithm->moves_blocks |= used->moves_blocks;
    algorithm->keeps |= used->keeps;
    algorithm->combines |= used->combines;
    algorithm->reads_ports |= use->reads_ports || used->reads_ports;
    algorithm->posts_together |= used->posts_together;
    algorithm->streams |= used->streams;
    algorithm->reads_shape |=
        use->along != ALONG_ALL_RANKS || use->reads_shape || used->reads_shape;
}

bool compose_check(const Algorithm *algorithm, Diag *diag)
{
    if (algorithm->chain > LIMIT_CHAIN)
        diag_error(diag, algorithm->head.span,
                   "algorithms are made from one another too deeply (more than %d levels)",
                   LIMIT_CHAIN);
    else if (algorithm->uses > LIMIT_USES)
        diag_error(diag, algorithm->head.span,
                   "algorithms use each other too often (more than %d times)", LIMIT_USES);
    else
        return true;
    return false;
}
