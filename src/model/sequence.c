#include "model/use.h"

#include <ctype.h>
#include <string.h>

bool sequence_add_stage(const Resolver *resolver, Algorithm *algorithm, Text stage)
{
    size_t count = algorithm->step_count;
    if ((count & (count - 1)) == 0) { /* full: room for as many again */
        ScheduleStep *steps = ARENA_ARRAY(resolver->arena, ScheduleStep, 2 * count + 1);
        for (size_t i = 0; i < count; i++)
            steps[i] = algorithm->steps[i];
        algorithm->steps = steps;
    }
    ScheduleStep *step = &algorithm->steps[count];
    step->kind = STEP_USE;
    step->span = stage.span;
    if (!use_parse(resolver, algorithm->collective, stage, &step->use))
        return false;
    compose_note_use(algorithm, &step->use);
    algorithm->step_count++;
    return true;
}

bool sequence_take_pipelined(Text *rest)
{
    static const char word[] = "pipelined";
    const size_t length = sizeof word - 1;
    const Text trimmed = text_trim(*rest);
    if (!text_begins(trimmed, word) || trimmed.length == length ||
        !isspace((unsigned char)trimmed.chars[length]))
        return false;
    *rest = text_behind(trimmed, length);
    return true;
}

bool sequence_read_grid(Arena *arena, const Node *map, Algorithm *algorithm, Diag *diag)
{
    Scope scope;
    if (!grid_scope(arena, map, &scope, diag) ||
        !grid_read(arena, map, &scope, &algorithm->grid, diag))
        return false;
    algorithm->reads_ports |= algorithm->grid.reads_ports;
    algorithm->reads_shape |= algorithm->grid.is_network;
    return true;
}

/* YAML reads a grid in braces, in a text where it stands at the same place as in its source. */
static bool read_typed_grid(Arena *arena, Text grid, Algorithm *algorithm, Diag *diag)
{
    NodeArray documents = {0};
    const Source *source = grid.span.source;
    const size_t offset = grid.span.offset;
    char *text = arena_copy(arena, source->text, offset + grid.length);
    for (size_t i = 0; i < offset; i++)
        text[i] = strchr("\r\n", text[i]) ? text[i] : ' ';
    memcpy(text + offset, grid.chars, grid.length);
    Source *placed = ARENA_COPY(
        arena, Source, source_from_text(arena, source->name, text, offset + grid.length), 1);
    placed->is_argument = source->is_argument;
    if (!yaml_parse(arena, placed, &documents, diag))
        return false;
    Node *key = &(Node){.kind = NODE_SCALAR, .text = {"grid", 4, grid.span, false}};
    const Node map = {.kind = NODE_MAP, .count = 1, .keys = &key, .values = documents.items};
    return sequence_read_grid(arena, &map, algorithm, diag);
}

bool sequence_split(Text text, Text *collective, Text *grid, Text *stages)
{
    bool inside = false;
    size_t length = 0;
    for (; length < text.length && (inside || text.chars[length] != ':'); length++)
        inside = text.chars[length] == '{' || (inside && text.chars[length] != '}');
    if (length == text.length)
        return false;
    *stages = text_behind(text, length + 1);
    const char *brace = memchr(text.chars, '{', length);
    const size_t before = brace ? (size_t)(brace - text.chars) : length;
    *collective = text_trim(text_slice(text, 0, before));
    *grid = text_trim(text_slice(text, before, length - before));
    return true;
}

Algorithm *sequence_typed(const Resolver *resolver, Text text)
{
    Diag *diag = resolver->diag;
    Text name, grid, rest;
    Algorithm *algorithm = ARENA_NEW(resolver->arena, Algorithm);
    if (!sequence_split(text, &name, &grid, &rest))
        return DIAG_NULL(diag, text.span, "':' is missing before the stages");
    algorithm->collective = resolver_find(resolver, KIND_COLLECTIVE, name);
    if (!algorithm->collective)
        return NULL;
    if (algorithm->collective->problem)
        return DIAG_NULL(diag, text.span, "a product of matrices is not made of stages alone");
    /* Stages, behind their grid if they have one. */
    const Text stages = text_trim(rest);
    algorithm->head = (Head){.name = arena_printf(resolver->arena, "%.*s%s%.*s", TEXT_ARGS(grid),
                                                  grid.length ? " " : "", TEXT_ARGS(stages)),
                             .summary = "",
                             .source = "",
                             .span = rest.span,
                             .workspace = arena_workspace(resolver->arena)};
    algorithm->pipelined = algorithm->free_chunks = sequence_take_pipelined(&rest);
    if (grid.length && !read_typed_grid(resolver->arena, grid, algorithm, diag))
        return NULL;
    for (bool more = true; more;) {
        size_t length = 0; /* up to a comma outside of parentheses */
        for (int depth = 0; length < rest.length && (depth > 0 || rest.chars[length] != ',');
             length++)
            depth += (rest.chars[length] == '(') - (rest.chars[length] == ')');
        if (!sequence_add_stage(resolver, algorithm, text_trim(text_slice(rest, 0, length))))
            return NULL;
        more = length < rest.length;
        rest = text_behind(rest, length + more);
    }
    return compose_check(algorithm, diag) ? algorithm : NULL;
}
