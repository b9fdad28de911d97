#include "model/compose.h"

#include "model/library.h"
#include "model/use.h"

#include <ctype.h>
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
    if (theirs->rooted == own->rooted && theirs->targeted == own->targeted &&
        theirs->index_count == own->index_count)
        return true;
    diag_error(diag, span, "blocks of %s are not those of %s", theirs->head.name, own->head.name);
    return false;
}

const Algorithm *compose_dual_of(struct Library *library, Arena *arena, const Algorithm *other,
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
    dual->collective = library_collective(library, name, diag);
    return dual->collective && compose_dual(dual, other, span, diag) ? dual : NULL;
}

void compose_note_use(Algorithm *algorithm, const Use *use)
{
    algorithm->names_all = true;
    algorithm->free_chunks |= use->algorithm->free_chunks;
    algorithm->moves_blocks |= use->algorithm->moves_blocks;
}

bool compose_stage(struct Library *library, Arena *arena, Algorithm *algorithm, Text stage,
                   Diag *diag)
{
    size_t count = algorithm->step_count;
    if ((count & (count - 1)) == 0) { /* full: room for as many again */
        ScheduleStep *steps = ARENA_ARRAY(arena, ScheduleStep, 2 * count + 1);
        for (size_t i = 0; i < count; i++)
            steps[i] = algorithm->steps[i];
        algorithm->steps = steps;
    }
    ScheduleStep *step = &algorithm->steps[count];
    step->kind = STEP_USE;
    step->span = stage.span;
    if (!use_parse(library, arena, algorithm->collective, stage, &step->use, diag))
        return false;
    compose_note_use(algorithm, &step->use);
    algorithm->step_count++;
    return true;
}

static Text trim(Text text)
{
    while (text.length && isspace((unsigned char)text.chars[0]))
        text = text_slice(text, 1, text.length - 1);
    while (text.length && isspace((unsigned char)text.chars[text.length - 1]))
        text = text_slice(text, 0, text.length - 1);
    return text;
}

/* The length of the first stage: up to a comma outside of parentheses. */
static size_t stage_length(Text text)
{
    int depth = 0;
    for (size_t i = 0; i < text.length; i++) {
        depth += text.chars[i] == '(';
        depth -= text.chars[i] == ')';
        if (text.chars[i] == ',' && depth <= 0)
            return i;
    }
    return text.length;
}

const Algorithm *compose_typed(struct Library *library, Arena *arena, Text text, Diag *diag)
{
    const char *colon = memchr(text.chars, ':', text.length);
    size_t length = colon ? (size_t)(colon - text.chars) : text.length;
    Algorithm *algorithm = ARENA_NEW(arena, Algorithm);
    Text rest = text_slice(text, length + 1, text.length - length - 1);
    algorithm->collective = library_collective(library, trim(text_slice(text, 0, length)), diag);
    if (!algorithm->collective)
        return NULL;
    if (algorithm->collective->problem) {
        diag_error(diag, text.span, "a product of matrices is not made of stages alone");
        return NULL;
    }
    algorithm->head = (Head){.name = arena_copy(arena, trim(rest).chars, trim(rest).length),
                             .summary = "",
                             .source = "",
                             .span = rest.span};
    for (bool more = true; more;) {
        length = stage_length(rest);
        if (!compose_stage(library, arena, algorithm, trim(text_slice(rest, 0, length)), diag))
            return NULL;
        more = length < rest.length;
        rest = text_slice(rest, length + more, rest.length - length - more);
    }
    return algorithm;
}
