#include "net/line.h"

#include <string.h>

/* Lines up to this length keep all columns; those of shortest paths share 256 MiB. */
enum { MOST_KEPT = 2048, ALWAYS_KEPT = 64 };

void line_prepare(Arena *arena, Line *line)
{
    const size_t nodes = (size_t)line->graph.nodes;
    const size_t room = 16 * (size_t)MOST_ENTRIES; /* of four bytes each */
    /* Could messages of others go through a rank, which may hold them back? */
    bool has_inner_ranks = false;
    for (int64_t r = 0; line->weights && r < line->weights->ranks && !has_inner_ranks; r++)
        has_inner_ranks = line->graph.starts[r + 1] - line->graph.starts[r] > 1;
    if (!line->topology->next.program && nodes > ALWAYS_KEPT && !has_inner_ranks)
        line->branches = branches_create(arena, &line->graph);
    bool shortest = line_has_table(line);
    if (shortest)
        line->reverse = graph_reverse(arena, &line->graph);
    if (!shortest && nodes > MOST_KEPT)
        return;
    line->room_count = nodes <= room / nodes ? nodes * nodes : room;
    line->room = ARENA_ROOM(arena, int32_t, line->room_count);
    line->columns = ARENA_ARRAY(arena, int32_t *, nodes);
    line->hops = hops_room(arena, nodes);
}

Hops hops_room(Arena *arena, size_t count)
{
    return (Hops){count, ARENA_ROOM(arena, int64_t, count), ARENA_ROOM(arena, int64_t, count),
                  ARENA_ROOM(arena, int64_t, count), ARENA_ROOM(arena, int64_t, count)};
}

bool line_next(Line *line, Hops *hops, Diag *diag)
{
    const size_t count = hops->count;
    const int64_t *at = hops->at, *to = hops->to;
    line->evaluated += (int64_t)count;
    for (size_t i = 0; i < count && line->branches; i++)
        hops->next[i] = branches_next(line->branches, &line->graph, at[i], to[i]);
    if (line->branches)
        return true;
    Program *program = line->topology->next.program;
    const Ties ties = line->ties;
    Frame frame = line->names.frame;
    if (expr_uses(program_expr(program), TOPOLOGY_UP))
        for (size_t i = 0; i < count; i++)
            hops->ups[i] =
                ties == TIES_PLUS || (ties == TIES_INSIDE ? to[i] > at[i] : at[i] % 2 == 0);
    frame.slots[TOPOLOGY_R] = at;
    frame.slots[TOPOLOGY_TO] = to;
    frame.slots[TOPOLOGY_UP] = hops->ups;
    return diag ? program_run(program, frame.slots, count, hops->next, diag)
                : program_try(program, frame.slots, count, hops->next);
}

/* False where `next` has no value for some node, which need not be on any path. */
static bool fill_by_rule(Line *line, int64_t to, int32_t *column)
{
    const int64_t nodes = line->graph.nodes;
    Hops *hops = &line->hops;
    for (int64_t n = 0; n < nodes; n++) {
        hops->at[n] = n == to ? (to + 1) % nodes : n; /* nobody asks for the path to oneself */
        hops->to[n] = to;
    }
    if (!line_next(line, hops, NULL))
        return false;
    for (int64_t n = 0; n < nodes; n++) {
        int64_t next = hops->next[n];
        bool good = next >= 0 && next < nodes && graph_find(&line->graph, n, next) >= 0;
        column[n] = good ? (int32_t)next : -1;
    }
    return true;
}

/* Of the neighbours that are nearer to `to`, in rising order, number (to mod how many). */
static void fill_by_distance(Line *line, int64_t to, int32_t *column)
{
    int64_t *distances = line->hops.next;
    const Graph *graph = &line->graph;
    graph_distances(&line->reverse, to, distances, line->hops.at);
    for (int64_t n = 0; n < graph->nodes; n++) {
        int64_t nearer = 0;
        column[n] = distances[n] == 1 ? (int32_t)to : -1;
        for (int64_t i = graph->starts[n]; distances[n] > 1 && i < graph->starts[n + 1]; i++)
            nearer += distances[graph->neighbours[i]] == distances[n] - 1;
        if (nearer == 0)
            continue;
        int64_t wanted = to % nearer;
        for (int64_t i = graph->starts[n]; column[n] < 0; i++)
            if (distances[graph->neighbours[i]] == distances[n] - 1 && wanted-- == 0)
                column[n] = (int32_t)graph->neighbours[i];
    }
}

const int32_t *line_column(Line *line, int64_t to)
{
    size_t nodes = (size_t)line->graph.nodes;
    bool shortest = line_has_table(line);
    if (!line->columns || line->columns[to])
        return line->columns ? line->columns[to] : NULL;
    bool pays = shortest || nodes <= ALWAYS_KEPT ||
                line->evaluated >= line->graph.nodes * line->graph.nodes;
    if (!pays || line->room_count - line->room_used < nodes)
        return NULL;
    int32_t *column = line->room + line->room_used;
    if (shortest && line->weights)
        weights_fill_column(line->weights, &line->graph, &line->reverse, to, column);
    else if (shortest)
        fill_by_distance(line, to, column);
    else if (!fill_by_rule(line, to, column)) {
        line->columns = NULL;
        return NULL;
    }
    line->room_used += nodes;
    return line->columns[to] = column;
}
