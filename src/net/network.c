#include "net/network.h"

#include "net/line.h"

#include <string.h>

const char *const ties_names[TIES_COUNT] = {
#define TIES(id, word, help) word,
#include "net/ties.def"
};

static const LinkClass usual_class = {.tw = -1, .th = -1};

/* While a network is laid out. */
typedef struct {
    Arena *arena;
    const Network *network;
    const double *level_tw; /* as network_create_rated has it */
    ClassTable *classes;
    Diag *diag;
} Layout;

/* A line of a topology whose ranks have that shape. Where it stands in the network is not set. */
static bool lay_out(const Layout *layout, const Topology *topology, const Shape *shape,
                    const double *level_tw, Line *line)
{
    *line = (Line){.topology = topology, .ties = layout->network->ties};
    topology_names_fill(&line->names, topology, shape);
    if (!graph_create(layout->arena, topology, &line->names, layout->classes, &line->graph,
                      layout->diag))
        return false;
    if (topology->is_by_rate || topology->held)
        line->weights =
            weights_create(layout->arena, topology, shape->p, layout->classes, level_tw);
    line_prepare(layout->arena, line);
    return true;
}

int network_level(const Network *network, const char *name)
{
    return topology_level(network->topology, name);
}

/* Lines of one topology and length differ in their places only. */
static bool lay_out_product(const Layout *layout, Graph *graph)
{
    const Network *network = layout->network;
    Router *router = network->router;
    const Graph *graphs[MOST_DIMENSIONS];
    GridLines *lines[MOST_DIMENSIONS];
    for (; router->count < network->shape.count; router->count++) {
        Line *line = &router->lines[router->count];
        const Topology *factor = topology_factor(network->topology, &network->shape, router->count);
        const int64_t size = network->shape.sizes[router->count];
        const double *level_tw = layout->level_tw;
        double own_tw[LIMIT_LEVELS + 1] = {level_tw ? level_tw[0] : 0};
        for (size_t i = 0; level_tw && i < factor->level_count; i++)
            own_tw[i + 1] = level_tw[network_level(network, factor->levels[i])];
        if (!topology_allows(factor, size, network->topology->head.span, layout->diag))
            return false;
        const Shape shape = topology_shape(factor, size);
        if (!lay_out(layout, factor, &shape, own_tw, line))
            return false;
        line->grid = (GridLines){.size = size,
                                 .stride = shape_stride(&network->shape, router->count),
                                 .switches = line->graph.nodes - size};
        graphs[router->count] = &line->graph;
        lines[router->count] = &line->grid;
    }
    return graph_product(layout->arena, graphs, lines, router->count, network->p, graph,
                         layout->diag);
}

static bool lay_out_links(Arena *arena, Network *network, const double *level_tw, Diag *diag)
{
    Graph graph;
    ClassTable *classes = ARENA_NEW(arena, ClassTable);
    const Layout layout = {arena, network, level_tw, classes, diag};
    network->router = ARENA_NEW(arena, Router);
    Line *line = network->router->lines;
    if (network->topology->factor_count) {
        if (!lay_out_product(&layout, &graph))
            return false;
    } else { /* one line for the whole network */
        network->router->count = 1;
        if (!lay_out(&layout, network->topology, &network->shape, level_tw, line))
            return false;
        graph = line->graph;
        line->grid = (GridLines){.size = graph.nodes, .stride = 1};
    }
    network->node_count = graph.nodes;
    network->starts = graph.starts;
    network->neighbours = graph.neighbours;
    int64_t *arrivals = ARENA_ARRAY(arena, int64_t, (size_t)graph.nodes);
    for (int64_t i = 0; i < graph.starts[graph.nodes]; i++)
        arrivals[graph.neighbours[i]]++;
    network->arrivals = arrivals;
    if (classes->count)
        network->classes = classes->items, network->class_count = classes->count;
    if (classes->count > 1)
        network->link_classes = graph.classes;
    else
        return true;
    uint32_t *out = ARENA_ARRAY(arena, uint32_t, (size_t)graph.nodes);
    uint32_t *in = ARENA_ARRAY(arena, uint32_t, (size_t)graph.nodes);
    uint32_t *bits = ARENA_ARRAY(arena, uint32_t, network->class_count);
    for (size_t c = 0; c < network->class_count; c++)
        bits[c] = 1u << network_level(network, network->classes[c].level);
    for (int64_t n = 0; n < graph.nodes; n++)
        for (int64_t i = graph.starts[n]; i < graph.starts[n + 1]; i++) {
            out[n] |= bits[graph.classes[i]];
            in[graph.neighbours[i]] |= bits[graph.classes[i]];
        }
    network->levels_out = out, network->levels_in = in;
    return true;
}

bool network_create(Arena *arena, const Topology *topology, const Shape *shape, Ties ties,
                    Network *network, Diag *diag)
{
    return network_create_rated(arena, topology, shape, ties, NULL, network, diag);
}

bool network_try(Arena *arena, const Topology *topology, const Shape *shape, Ties ties,
                 Network *network)
{
    Diag silent = diag_silent();
    return network_create(arena, topology, shape, ties, network, &silent);
}

bool network_create_rated(Arena *arena, const Topology *topology, const Shape *shape, Ties ties,
                          const double *level_tw, Network *network, Diag *diag)
{
    *network = (Network){.topology = topology,
                         .p = shape->p,
                         .node_count = shape->p,
                         .shape = *shape,
                         .name = topology_name(arena, topology, shape),
                         .ties = ties,
                         .classes = &usual_class,
                         .class_count = 1};
    if (topology->direct)
        return true;
    if (shape->p > graph_largest)
        return diag_limit(diag, NOWHERE, "%s is too large: at most %lld ranks can be laid out",
                          network->name, (long long)graph_largest);
    return lay_out_links(arena, network, level_tw, diag);
}

int64_t network_link_count(const Network *network)
{
    if (network->starts)
        return network->starts[network->node_count];
    return network->p > graph_largest ? INT64_MAX : network->p * network->p;
}

int64_t network_find_link(const Network *network, int64_t from, int64_t to)
{
    const Graph graph = network_graph(network);
    return network->starts ? graph_find(&graph, from, to) : from * network->p + to;
}

const char *network_name_node(Arena *arena, const Network *network, int64_t node)
{
    const Topology *topology = network->topology;
    const int64_t number = network_rank(network, node);
    return (uint64_t)number < topology->name_count
               ? arena_printf(arena, "%lld (%s)", (long long)number, topology->names[number])
               : arena_printf(arena, "%lld", (long long)number);
}

int64_t network_find_node(const Network *network, Text text, int64_t from)
{
    const Topology *topology = network->topology;
    int64_t node;
    text = text_trim(text);
    for (int64_t n = from; n < (int64_t)topology->name_count && n < network->node_count; n++) {
        const char *name = topology->names[n];
        if (strncmp(name, text.chars, text.length) == 0 && strchr(" ", name[text.length]))
            return n;
    }
    return quantity_is_integer(text, from, network->node_count - 1, &node) ? node : -1;
}

size_t network_link_class(const Network *network, int64_t link)
{
    return network->link_classes ? network->link_classes[link] : 0;
}

/* Where every rank is everyone's neighbour: also of those that are in no group. */
static int64_t count_others(const Network *network)
{
    return (network->grouping ? network->grouping->whole->p : network->p) - 1;
}

int64_t network_arrivals(const Network *network, int64_t node)
{
    return network->starts ? network->arrivals[node] : count_others(network);
}

bool network_has_level(const Network *network, Text level)
{
    for (size_t i = 0; i < network->class_count; i++)
        if (network->classes[i].level && text_equals(level, network->classes[i].level))
            return true;
    return false;
}

int64_t network_degree(const Network *network, int64_t node)
{
    if (!network->starts)
        return count_others(network);
    return network->starts[node + 1] - network->starts[node];
}

void network_distances(const Network *network, Arena *arena, int64_t source, int64_t *distances)
{
    if (network->starts) {
        const Graph graph = network_graph(network);
        graph_distances(&graph, source, distances,
                        ARENA_ROOM(arena, int64_t, (size_t)network->node_count));
        return;
    }
    for (int64_t r = 0; r < network->p; r++)
        distances[r] = r != source;
}
