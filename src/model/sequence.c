#include "model/sequence.h"

#include "model/compose.h"
#include "model/use.h"

#include <ctype.h>
#include <string.h>

bool sequence_add_stage(const Resolver *resolver, Arena *arena, Algorithm *algorithm, Text stage,
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
    if (!use_parse(resolver, arena, algorithm->collective, stage, &step->use, diag))
        return false;
    compose_note_use(algorithm, &step->use);
    algorithm->step_count++;
    return true;
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

bool sequence_take_pipelined(Text *rest)
{
    static const char word[] = "pipelined";
    const size_t length = sizeof word - 1;
    const Text trimmed = text_trim(*rest);
    if (trimmed.length <= length || memcmp(trimmed.chars, word, length) != 0 ||
        !isspace((unsigned char)trimmed.chars[length]))
        return false;
    *rest = text_slice(trimmed, length, trimmed.length - length);
    return true;
}

Algorithm *sequence_typed(const Resolver *resolver, Arena *arena, Text text, Diag *diag)
{
    const char *colon = memchr(text.chars, ':', text.length);
    size_t length = colon ? (size_t)(colon - text.chars) : text.length;
    Algorithm *algorithm = ARENA_NEW(arena, Algorithm);
    Text rest = text_slice(text, length + 1, text.length - length - 1);
    algorithm->collective =
        resolver->collective(resolver->models, text_trim(text_slice(text, 0, length)), diag);
    if (!algorithm->collective)
        return NULL;
    if (algorithm->collective->problem) {
        diag_error(diag, text.span, "a product of matrices is not made of stages alone");
        return NULL;
    }
    algorithm->head =
        (Head){.name = arena_copy(arena, text_trim(rest).chars, text_trim(rest).length),
               .summary = "",
               .source = "",
               .span = rest.span,
               .workspace = arena_workspace(arena)};
    algorithm->pipelined = algorithm->free_chunks = sequence_take_pipelined(&rest);
    for (bool more = true; more;) {
        length = stage_length(rest);
        if (!sequence_add_stage(resolver, arena, algorithm, text_trim(text_slice(rest, 0, length)),
                                diag))
            return NULL;
        more = length < rest.length;
        rest = text_slice(rest, length + more, rest.length - length - more);
    }
    return compose_check(algorithm, diag) ? algorithm : NULL;
}
