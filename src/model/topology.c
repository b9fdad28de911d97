#include "model/topology.h"

static void add_names(Arena *arena, Scope *scope)
{
    scope_add(arena, scope, (Variable){"p", TYPE_INT, DIMENSION_NONE, false});
    scope_add(arena, scope, (Variable){"r", TYPE_INT, DIMENSION_NONE, true});
}

/* Marks linked[r * p + neighbour]; false where the rule has no value. */
static bool mark_links(Arena *arena, const Topology *topology, int64_t p, bool *linked)
{
    Diag silent = diag_silent();
    int64_t *ranks = ARENA_ARRAY(arena, int64_t, (size_t)p);
    Frame frame = {{&p, ranks}};
    for (int64_t r = 0; r < p; r++)
        ranks[r] = r;
    for (size_t s = 0; s < topology->neighbours.count; s++) {
        SetItems items;
        if (!set_expand(&topology->neighbours.items[s], arena, &frame, (size_t)p, &items, &silent))
            return false;
        for (size_t i = 0; i < items.count; i++)
            if (items.indices[0][i] >= 0 && items.indices[0][i] < p)
                linked[items.lanes[i] * p + items.indices[0][i]] = true;
    }
    return true;
}

/* Is every rank everyone's neighbour? Tried for p = 1 .. 9, where any other rule fails. */
static bool joins_everyone(const Topology *topology)
{
    enum { MOST_TRIED = 9 };
    bool complete = true;
    for (int64_t p = 1; p <= MOST_TRIED && complete; p++) {
        Arena *arena = arena_create();
        bool *linked = ARENA_ARRAY(arena, bool, (size_t)(p * p));
        complete = mark_links(arena, topology, p, linked);
        for (int64_t i = 0; i < p * p; i++)
            complete &= linked[i] || i / p == i % p;
        arena_destroy(arena);
    }
    return complete;
}

Topology *topology_read(Arena *arena, const Node *map, Diag *diag)
{
    static const char *const keys[] = {"topology", "summary", "source", "neighbours", "next"};
    Topology *topology = ARENA_NEW(arena, Topology);
    if (!node_check_keys(map, "a topology", keys, sizeof keys / sizeof *keys, diag) ||
        !read_head(arena, map, "topology", &topology->head, diag))
        return NULL;
    const Node *neighbours = node_get(map, "neighbours");
    if (!neighbours || !node_get(map, "next")) {
        diag_error(diag, topology->head.span, "a topology needs 'neighbours' and 'next'");
        return NULL;
    }
    Scope scope = {0};
    add_names(arena, &scope);
    if (!read_sets(arena, neighbours, "neighbours", &scope, &topology->neighbours, diag) ||
        !check_index_counts(&topology->neighbours, 1, "a topology", diag))
        return NULL;
    scope_add(arena, &scope, (Variable){"to", TYPE_INT, DIMENSION_NONE, true});
    if (!read_formula(arena, map, "next", &scope, TYPE_INT, DIMENSION_NONE, &topology->next, diag))
        return NULL;
    const Expr *next = program_expr(topology->next.program);
    topology->direct =
        next->kind == EXPR_VARIABLE && next->slot == TOPOLOGY_TO && joins_everyone(topology);
    return topology;
}
