#include "model/collective.h"

/* `blocks: {s: p, t: p}`: names of indices, and their extents. */
static bool read_extents(Arena *arena, const Node *node, Collective *collective, Diag *diag)
{
    if (!node)
        return true;
    if (!node_is_map(node, "the value of 'blocks'", diag))
        return false;
    if (node->count >= MOST_INDICES)
        return diag_error(diag, node->text.span, "a block has at most %d indices",
                          MOST_INDICES - 1);
    Scope scope = scope_of_whole(arena, &(const char *){"p"}, 1, -1);
    for (size_t i = 0; i < node->count; i++) {
        Formula extent;
        const char *name = node_string(arena, node->keys[i]);
        if (!read_uniform_formula((FormulaMap){arena, node, &scope, diag}, name, TYPE_INT, &extent))
            return false;
        collective->extents[i] = extent.program;
        collective->index_names[i] = name;
    }
    collective->index_count = (int)node->count;
    return true;
}

static bool read_combine(FormulaMap in, Collective *collective)
{
    static const char *const orders[] = {"any", "rank"};
    Formula from, to;
    if (!read_either(in.map, "order", "an order", orders, &collective->rank_order, in.diag))
        return false;
    if (!node_get(in.map, "combine"))
        return true;
    if (!read_whole_range(in, "combine", "the value of 'combine'", &from, &to))
        return false;
    collective->combines = true;
    collective->contributors_from = from.program;
    collective->contributors_to = to.program;
    return true;
}

static bool read_side(FormulaMap in, const char *key, const Collective *collective, SetList *sets)
{
    if (!node_get(in.map, key))
        return diag_error(in.diag, collective->head.span, "a collective needs '%s'", key);
    int indices = collective->index_count ? collective->index_count : 1;
    if (!read_sets(in, key, key, sets) ||
        !check_index_counts(sets, indices, NULL, collective->head.name, in.diag))
        return false;
    for (size_t i = 0; i < sets->count; i++)
        if (sets->items[i].syntax->all)
            return diag_error(in.diag, sets->items[i].syntax->text.span,
                              "'all' is not allowed here");
    return true;
}

Collective *collective_read(const Resolver *resolver, const Node *map)
{
    Arena *arena = resolver->arena;
    Diag *diag = resolver->diag;
    static const char *const keys[] = {
        "collective", "also",    "summary", "source", "rooted", "blocks",     "buffer",   "before",
        "after",      "combine", "order",   "dual",   "claims", "bus-factor", "messages", "target"};
    static const char *const contents[] = {"data", "empty"};
    Collective *collective = ARENA_NEW(arena, Collective);
    if (!node_check_keys(map, "a collective", keys, COUNT_OF(keys), diag) ||
        !read_head(arena, map, "collective", &collective->head, diag) ||
        !read_extents(arena, node_get(map, "blocks"), collective, diag) ||
        !read_answer(map, "rooted", &collective->rooted, diag) ||
        !read_answer(map, "target", &collective->targeted, diag))
        return NULL;
    if (collective->targeted && !collective->rooted)
        return DIAG_NULL(diag, node_get(map, "target")->text.span,
                         "a collective with a target needs a root: 'rooted: yes'");
    if (!read_either(map, "messages", "'messages'", contents, &collective->is_empty, diag))
        return NULL;
    Scope scope = scope_of_whole(arena, &(const char *){"p"}, 1, -1);
    const FormulaMap in = {arena, map, &scope, diag};
    if (!read_uniform_formula(in, "buffer", TYPE_INT, &collective->buffer) ||
        !read_uniform_formula(in, "bus-factor", TYPE_REAL, &collective->bus_factor))
        return NULL;
    scope_add(arena, &scope, (Variable){"r", TYPE_INT, DIMENSION_NONE, true});
    if (collective->rooted)
        scope_add(arena, &scope, (Variable){"root", TYPE_INT, DIMENSION_NONE, false});
    if (collective->targeted)
        scope_add(arena, &scope, (Variable){"target", TYPE_INT, DIMENSION_NONE, false});
    if (!read_side(in, "before", collective, &collective->before) ||
        !read_side(in, "after", collective, &collective->after) || !read_combine(in, collective))
        return NULL;
    Text dual = {.span = NOWHERE};
    if (!read_key_text(map, "dual", "the name of a collective", &dual, diag))
        return NULL;
    collective->dual = dual.chars ? text_string(arena, dual) : NULL;
    collective->dual_span = dual.span;
    ClaimSubject subject = {
        .owner = WHOSE_COLLECTIVE, .rooted = collective->rooted, .targeted = collective->targeted};
    return origin_cite_head(resolver, map, &collective->citation) &&
                   claims_read(resolver, node_get(map, "claims"), subject, &collective->claims)
               ? collective
               : NULL;
}

bool collective_bus_factor(const Collective *collective, int64_t p, double *factor, Diag *diag)
{
    const void *slots[MOST_SLOTS] = {&p};
    return program_run(collective->bus_factor.program, slots, 1, factor, diag);
}
