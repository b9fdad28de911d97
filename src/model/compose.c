#include "model/compose.h"

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
    algorithm->requires = other->requires;
    algorithm->grid = other->grid;
    algorithm->chunks = other->chunks;
    algorithm->free_chunks = other->free_chunks;
    algorithm->arrays = other->arrays;
    algorithm->array_count = other->array_count;
    algorithm->array_sizes = other->array_sizes;
    algorithm->moves_blocks = other->moves_blocks;
    algorithm->keeps = other->combines; /* a copy becomes a combination, and back */
    algorithm->combines = other->keeps;
    algorithm->reads_ports = other->reads_ports;
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
    algorithm->names_all = true;
    algorithm->free_chunks |= use->algorithm->free_chunks;
    algorithm->moves_blocks |= use->algorithm->moves_blocks;
    algorithm->keeps |= use->algorithm->keeps;
    algorithm->combines |= use->algorithm->combines;
    algorithm->reads_ports |= use->algorithm->reads_ports;
}
