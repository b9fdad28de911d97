#include "net/line.h"
#include "net/network.h"

typedef struct {
    size_t count, capacity;
    int64_t *message, *from, *to, *slot;
} Crossings;

/* The messages of one call on their path along one dimension. */
typedef struct {
    const Network *network;
    Arena *arena;
    Line *line;
    size_t count;
    int64_t *at;       /* of each message: the node where it is */
    const int64_t *to; /* and where it wants to be at last */
    int64_t *hops;
    Crossings crossings;
    Walk walk; /* of the message at hand */
    Diag *diag;
} Journey;

bool network_report_hops(const Network *network, Diag *diag)
{
    return diag_limit(diag, NOWHERE, "the messages of one round cross too many links of %s",
                      network->name);
}

static bool make_room(Journey *journey, size_t extra)
{
    Crossings *crossings = &journey->crossings;
    if (crossings->count + extra <= crossings->capacity)
        return true;
    if (crossings->count + extra > LIMIT_ITEMS)
        return network_report_hops(journey->network, journey->diag);
    crossings->capacity = 2 * (crossings->count + extra) + journey->count;
    int64_t **lists[] = {&crossings->message, &crossings->from, &crossings->to, &crossings->slot};
    for (size_t l = 0; l < 4; l++) {
        int64_t *grown = ARENA_ROOM(journey->arena, int64_t, crossings->capacity);
        for (size_t i = 0; i < crossings->count; i++)
            grown[i] = (*lists[l])[i];
        *lists[l] = grown;
    }
    return true;
}

static void cross(Journey *journey, int64_t message, int64_t from, int64_t to)
{
    Crossings *crossings = &journey->crossings;
    size_t i = crossings->count++;
    crossings->message[i] = message;
    crossings->from[i] = from;
    crossings->to[i] = to;
    crossings->slot[i] = journey->hops[message]++;
}

static int64_t coordinate(const Line *line, int64_t node)
{
    /* nodes fit into 32 bits, which divide faster */
    return (uint32_t)node / (uint32_t)line->grid.stride % (uint32_t)line->grid.size;
}

/* Appends the nodes behind `node`, as far as `end`, a place of the line. False, and nothing is
   appended, where no column is kept, or it leads nowhere. */
static bool follow(Line *line, Arena *arena, int64_t node, int64_t end, Walk *walk)
{
    const size_t before = walk->count, nodes = (size_t)line->graph.nodes;
    const int64_t start = coordinate(line, node);
    const int32_t *column = line_column(line, end);
    if (!column)
        return false;
    int64_t at = start;
    ARRAY_RESERVE(arena, walk, nodes);
    while (at != end && column[at] >= 0 && walk->count - before < nodes) {
        at = column[at];
        walk->items[walk->count++] = (int32_t)grid_node(&line->grid, node, start, at);
    }
    if (at != end)
        walk->count = before;
    return at == end;
}

/* Messages on their path by the rule, step by step together. */
typedef struct {
    Hops hops;
    int64_t *message, *start; /* start: the rank where the line begins */
} Travellers;

/* One hop of all messages that have not arrived. */
static bool hop(Journey *journey, Travellers *travellers)
{
    Line *line = journey->line;
    Hops *hops = &travellers->hops;
    size_t kept = 0;
    if (!make_room(journey, hops->count) || !line_next(line, hops, journey->diag))
        return false;
    for (size_t i = 0; i < hops->count; i++) {
        int64_t message = travellers->message[i], at = hops->at[i], to = hops->to[i];
        int64_t next = hops->next[i], node = journey->at[message], start = travellers->start[i];
        if (next < 0 || next >= line->graph.nodes || graph_find(&line->graph, at, next) < 0) {
            const char *what = journey->network->node_count > journey->network->p ? "node" : "rank";
            return diag_error(
                journey->diag, line->topology->next.text.span,
                "a message for %s %lld goes from %s %lld to %lld, which is not a neighbour", what,
                (long long)to, what, (long long)at, (long long)next);
        }
        journey->at[message] = grid_node(&line->grid, start, coordinate(line, start), next);
        cross(journey, message, node, journey->at[message]);
        travellers->message[kept] = message;
        travellers->start[kept] = start;
        hops->at[kept] = next;
        hops->to[kept] = to;
        kept += next != to;
    }
    hops->count = kept;
    return true;
}

/* Of shortest paths: they lead nowhere, or there is no room to keep them. */
static bool report_no_path(const Journey *journey, int64_t from, int64_t to)
{
    const Network *network = journey->network;
    Line *line = journey->line;
    if (line_column(line, to))
        return diag_error(journey->diag, line->topology->head.span,
                          "no path leads from node %s to node %s of %s",
                          network_name_node(journey->arena, network, from),
                          network_name_node(journey->arena, network, to), network->name);
    return diag_error(
        journey->diag, line->topology->head.span,
        "shortest paths on %s to more than %lld destinations need too much memory; give a "
        "rule 'next'",
        network->name, (long long)(line->room_count / (size_t)line->graph.nodes));
}

/* Along one dimension: by columns where they are kept, the others together by the rule. */
static bool route_line(Journey *journey, Travellers *travellers)
{
    Line *line = journey->line;
    Hops *hops = &travellers->hops;
    Walk *walk = &journey->walk;
    hops->count = 0;
    for (size_t i = 0; i < journey->count; i++) {
        int64_t from = coordinate(line, journey->at[i]), to = coordinate(line, journey->to[i]);
        if (from == to)
            continue;
        walk->count = 0;
        if (follow(line, journey->arena, journey->at[i], to, walk)) {
            if (!make_room(journey, walk->count))
                return false;
            for (size_t n = 0; n < walk->count; n++) {
                cross(journey, (int64_t)i, journey->at[i], walk->items[n]);
                journey->at[i] = walk->items[n];
            }
            continue;
        }
        if (line_has_table(line))
            return report_no_path(journey, from, to);
        const size_t joined = hops->count++;
        travellers->message[joined] = (int64_t)i;
        travellers->start[joined] = journey->at[i];
        hops->at[joined] = from;
        hops->to[joined] = to;
    }
    for (int64_t steps = 0; hops->count; steps++) {
        if (steps > line->graph.nodes)
            return diag_error(journey->diag, line->topology->next.text.span,
                              "a message for rank %lld never arrives", (long long)hops->to[0]);
        if (!hop(journey, travellers))
            return false;
    }
    return true;
}

static bool route_lines(Journey *journey)
{
    Router *router = journey->network->router;
    Travellers travellers = {0};
    travellers.message = ARENA_ROOM(journey->arena, int64_t, journey->count);
    travellers.start = ARENA_ROOM(journey->arena, int64_t, journey->count);
    travellers.hops = hops_room(journey->arena, journey->count);
    for (int i = 0; i < router->count; i++) {
        journey->line = &router->lines[i];
        if (!route_line(journey, &travellers))
            return false;
    }
    return true;
}

static const int64_t *renumber(Arena *arena, const int64_t *numbers, const int64_t *nodes,
                               size_t count)
{
    int64_t *renumbered = ARENA_ROOM(arena, int64_t, count);
    for (size_t i = 0; i < count; i++)
        renumbered[i] = numbers[nodes[i]];
    return renumbered;
}

bool network_route(const Network *network, Arena *arena, size_t count, const int64_t *from,
                   const int64_t *to, Routes *routes, Diag *diag)
{
    if (network->router && network->grouping) {
        /* In the whole network, by its numbers. */
        if (!network_route(network->grouping->whole, arena, count,
                           renumber(arena, network->grouping->places, from, count),
                           renumber(arena, network->grouping->places, to, count), routes, diag))
            return false;
        routes->from =
            renumber(arena, network->grouping->numbers, routes->from, routes->link_count);
        routes->to = renumber(arena, network->grouping->numbers, routes->to, routes->link_count);
        return true;
    }
    if (!network->router) {
        int64_t *hops = ARENA_ROOM(arena, int64_t, count);
        for (size_t i = 0; i < count; i++)
            hops[i] = 1;
        *routes = (Routes){hops, count, lanes_identity(arena, count),
                           from, to,    ARENA_ARRAY(arena, int64_t, count),
                           NULL};
        return true;
    }
    Journey journey = {.network = network,
                       .arena = arena,
                       .count = count,
                       .at = ARENA_COPY(arena, int64_t, from, count),
                       .to = to,
                       .hops = ARENA_ARRAY(arena, int64_t, count),
                       .diag = diag};
    const bool outer = diag_begin_trial(diag);
    const bool good = route_lines(&journey);
    diag_end_trial(diag, outer);
    if (!good)
        return false;
    const Crossings *crossings = &journey.crossings;
    const size_t links = crossings->count;
    const Graph graph = network_graph(network);
    ClassNumber *classes = network->link_classes ? ARENA_ROOM(arena, ClassNumber, links) : NULL;
    for (size_t i = 0; i < links && classes; i++)
        classes[i] =
            network->link_classes[graph_find(&graph, crossings->from[i], crossings->to[i])];
    *routes = (Routes){journey.hops,    links,  crossings->message, crossings->from, crossings->to,
                       crossings->slot, classes};
    return true;
}

bool network_walk(const Network *network, Arena *arena, int64_t from, int64_t to, Walk *walk)
{
    const size_t before = walk->count;
    if (!network->router || network->grouping)
        return false;
    for (int i = 0; i < network->router->count; i++) {
        Line *line = &network->router->lines[i];
        const int64_t at = coordinate(line, from), end = coordinate(line, to);
        if (at == end)
            continue;
        if (!follow(line, arena, from, end, walk)) {
            walk->count = before;
            return false;
        }
        from = walk->items[walk->count - 1];
    }
    return true;
}
