#include "model/topology.h"

static void add_names(Arena *arena, Scope *scope)
{
    scope_add(arena, scope, (Variable){"p", TYPE_INT, DIMENSION_NONE, false});
    scope_add(arena, scope, (Variable){"r", TYPE_INT, DIMENSION_NONE, true});
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
    topology->direct = next->kind == EXPR_VARIABLE && next->slot == TOPOLOGY_TO;
    return topology;
}
