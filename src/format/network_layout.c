#include "format/network_layout.h"

#include <math.h>
#include <stdlib.h>

const double network_gap = 34;

/* Rows wider than this are bent into rings. */
static const double widest_row = 1000;
static const double row_height = 84, cell = 62, inner_step = 40;

static bool has_link(const Network *network, int64_t from, int64_t to, int *class)
{
    *class = 0;
    if (!network->starts)
        return from != to;
    for (int64_t i = network->starts[from]; i < network->starts[from + 1]; i++)
        if (network->neighbours[i] == to) {
            *class = network_link_class(network, i);
            return true;
        }
    return false;
}

NetworkLinks network_links(Arena *arena, const Network *network)
{
    NetworkLinks links = {0};
    for (int64_t from = 0; from < network->node_count; from++) {
        int64_t first = network->starts ? network->starts[from] : 0;
        int64_t end = network->starts ? network->starts[from + 1] : network->p;
        for (int64_t i = first; i < end; i++) {
            int64_t to = network->starts ? network->neighbours[i] : i;
            if (to != from) {
                int class, back;
                has_link(network, from, to, &class);
                bool both = has_link(network, to, from, &back) && back == class;
                if (!both || from < to)
                    *ARRAY_PUSH(arena, &links) = (NetworkLink){from, to, class, both};
            }
        }
    }
    return links;
}

/* How many steps a grid has along a dimension. */
static double steps_along(const Shape *shape, int dimension)
{
    return dimension < shape->count ? (double)shape->sizes[dimension] - 1 : 0;
}

/* x to the right and y downwards, z and w along the two diagonals, within one step of x and y: so
   every row and every column of ranks has a line of its own, with room for links beside it. Further
   dimensions set whole blocks beside and below. */
static void place_grid(const Network *network, Point *places)
{
    const Shape *shape = &network->shape;
    double w = inner_step, z = inner_step + w * steps_along(shape, 3);
    double step = cell + z * steps_along(shape, 2) + w * steps_along(shape, 3);
    Point steps[MOST_DIMENSIONS] = {{step, 0}, {0, step}, {z, -z}, {w, w}};
    Point extent = {step * (1 + steps_along(shape, 0)), step * (1 + steps_along(shape, 1))};
    for (int i = 4; i < shape->count; i++) {
        bool beside = i % 2 == 0;
        steps[i] = beside ? (Point){extent.x + cell, 0} : (Point){0, extent.y + cell};
        *(beside ? &extent.x : &extent.y) +=
            (beside ? steps[i].x : steps[i].y) * steps_along(shape, i);
    }
    for (int64_t r = 0; r < network->p; r++)
        for (int i = 0; i < shape->count; i++) {
            double coordinate = (double)shape_coordinate(shape, r, i);
            places[r].x += coordinate * steps[i].x;
            places[r].y += coordinate * steps[i].y;
        }
}

static Point on_ring(double radius, double share)
{
    double angle = 2 * M_PI * share - M_PI / 2;
    return (Point){radius * cos(angle), radius * sin(angle)};
}

static double ring_radius(double nodes)
{
    return nodes > 1 ? network_gap * 1.15 / 2 / sin(M_PI / fmax(nodes, 2)) : 0;
}

/* Nodes in layers, the outermost (or lowest) 0; a node's place in its layer is between 0 and 1. */
typedef struct {
    Arena *arena;
    const Network *network;
    const NetworkLinks *links;
    int64_t *layer;
    double *share;
    int64_t layers;
    int64_t *counts; /* of nodes in each layer */
} Layers;

static Layers layers_create(Arena *arena, const Network *network, const NetworkLinks *links)
{
    size_t nodes = (size_t)network->node_count;
    Layers layers = {.arena = arena,
                     .network = network,
                     .links = links,
                     .layer = ARENA_ARRAY(arena, int64_t, nodes),
                     .share = ARENA_ARRAY(arena, double, nodes)};
    for (size_t n = 0; n < nodes; n++)
        layers.layer[n] = -1;
    return layers;
}

static void count_layers(Layers *layers)
{
    layers->layers = 0;
    layers->counts = ARENA_ARRAY(layers->arena, int64_t, layers->network->node_count + 1);
    for (int64_t n = 0; n < layers->network->node_count; n++) {
        layers->counts[layers->layer[n]]++;
        if (layers->layer[n] >= layers->layers)
            layers->layers = layers->layer[n] + 1;
    }
}

/* Every node's steps from the nearest that has layer 0 already; those without a curve get 0. */
static void spread_layers(Layers *layers)
{
    bool grows = true;
    for (int64_t depth = 0; grows; depth++) {
        grows = false;
        for (size_t i = 0; i < layers->links->count; i++) {
            const NetworkLink *link = &layers->links->items[i];
            const int64_t ends[] = {link->from, link->to};
            for (int e = 0; e < 2; e++)
                if (layers->layer[ends[e]] == depth && layers->layer[ends[1 - e]] < 0) {
                    layers->layer[ends[1 - e]] = depth + 1;
                    grows = true;
                }
        }
    }
    for (int64_t n = 0; n < layers->network->node_count; n++)
        layers->layer[n] = layers->layer[n] < 0 ? 0 : layers->layer[n];
}

/* The node at the other end of a link; -1: the link does not end at this one. */
static int64_t other_end(const NetworkLink *link, int64_t node)
{
    return link->from == node ? link->to : link->to == node ? link->from : -1;
}

typedef struct {
    int64_t node;
    double share;
} Placed;

static int compare_placed(const void *a, const void *b)
{
    const Placed *left = a, *right = b;
    if (fabs(left->share - right->share) > 1e-9)
        return left->share < right->share ? -1 : 1;
    return (left->node > right->node) - (left->node < right->node);
}

/* The nodes of a layer, by their places. */
static const Placed *list_layer(const Layers *layers, int64_t layer)
{
    size_t count = 0;
    Placed *placed = ARENA_ARRAY(layers->arena, Placed, layers->counts[layer]);
    for (int64_t n = 0; n < layers->network->node_count; n++)
        if (layers->layer[n] == layer)
            placed[count++] = (Placed){n, layers->share[n]};
    qsort(placed, count, sizeof *placed, compare_placed);
    return placed;
}

/* Ranks outermost, then switches by their distance from them. */
static Layers layers_of_switches(Arena *arena, const Network *network, const NetworkLinks *links)
{
    Layers layers = layers_create(arena, network, links);
    for (int64_t r = 0; r < network->p; r++)
        layers.layer[r] = 0;
    spread_layers(&layers);
    count_layers(&layers);
    for (int64_t l = 0; l < layers.layers; l++) {
        /* Each layer evenly, in the order of what it is linked to. */
        for (int64_t n = 0; n < network->node_count; n++) {
            if (layers.layer[n] != l)
                continue;
            /* The mean place of its neighbours in the layer before. */
            double sum = 0, count = 0;
            for (size_t i = 0; i < links->count && l; i++) {
                int64_t other = other_end(&links->items[i], n);
                if (other >= 0 && layers.layer[other] == l - 1)
                    sum += layers.share[other], count++;
            }
            layers.share[n] = count > 0 ? sum / count : l ? 0.5 : 0;
        }
        const Placed *placed = list_layer(&layers, l);
        for (int64_t i = 0; i < layers.counts[l]; i++)
            layers.share[placed[i].node] = ((double)i + 0.5) / (double)layers.counts[l];
    }
    return layers;
}

/* Gives the leaves below a node their places from *next on, and the node the mean of its own. */
static double share_subtree(Layers *layers, int64_t node, double *next)
{
    double first = -1, last = 0;
    for (size_t i = 0; i < layers->links->count; i++) {
        int64_t other = other_end(&layers->links->items[i], node);
        if (other < 0 || layers->layer[other] != layers->layer[node] + 1)
            continue;
        last = share_subtree(layers, other, next);
        first = first < 0 ? last : first;
    }
    if (first < 0)
        first = last = (*next)++;
    layers->share[node] = (first + last) / 2;
    return layers->share[node];
}

/* The root is rank 0, or the switch farthest from the ranks; layers are turned over, so that the
   deepest is 0. */
static Layers layers_of_tree(Arena *arena, const Network *network, const NetworkLinks *links)
{
    int64_t root = 0;
    double leaves = 0;
    Layers by_distance = layers_of_switches(arena, network, links);
    Layers layers = layers_create(arena, network, links);
    for (int64_t n = network->p; n < network->node_count; n++)
        if (by_distance.layer[n] > by_distance.layer[root])
            root = n;
    layers.layer[root] = 0;
    spread_layers(&layers);
    share_subtree(&layers, root, &leaves);
    count_layers(&layers);
    for (int64_t n = 0; n < network->node_count; n++) {
        layers.layer[n] = layers.layers - 1 - layers.layer[n];
        layers.share[n] = (layers.share[n] + 0.5) / leaves;
    }
    count_layers(&layers);
    return layers;
}

/* The least distance of two neighbours in a layer, as a share of its length. */
static double closest(const Layers *layers, int64_t layer)
{
    const int64_t count = layers->counts[layer];
    const Placed *placed = list_layer(layers, layer);
    double least = 1;
    for (int64_t i = 1; i < count; i++)
        least = fmin(least, placed[i].share - placed[i - 1].share);
    if (count > 1)
        least = fmin(least, placed[0].share + 1 - placed[count - 1].share);
    return least;
}

/* A single node on top stands in the middle; rings are at least a row apart. */
static void place_rings(const Layers *layers, Point *places)
{
    bool has_centre = layers->counts[layers->layers - 1] == 1;
    double rings = (double)(layers->layers - has_centre), step = row_height;
    for (int64_t l = 0; l < layers->layers - has_centre; l++) {
        double part = rings - (double)l;
        step = fmax(step, ring_radius(1 / closest(layers, l)) / part);
    }
    for (int64_t n = 0; n < layers->network->node_count; n++) {
        double part = rings - (double)layers->layer[n];
        places[n] = on_ring(fmax(0, part) * step, layers->share[n]);
    }
}

static void place_layers(const Layers *layers, Point *places)
{
    double width = 0;
    for (int64_t l = 0; l < layers->layers; l++)
        width = fmax(width, network_gap * 1.15 / closest(layers, l));
    bool is_star = layers->layers == 2 && layers->counts[1] == 1 && layers->counts[0] > 2;
    /* A link within a layer, or across one, would lie on nodes in rows. */
    bool has_flat_links = false;
    for (size_t i = 0; i < layers->links->count; i++) {
        const NetworkLink *link = &layers->links->items[i];
        has_flat_links |= llabs(layers->layer[link->from] - layers->layer[link->to]) != 1;
    }
    if (width > widest_row || is_star || has_flat_links)
        place_rings(layers, places);
    else
        for (int64_t n = 0; n < layers->network->node_count; n++)
            places[n] = (Point){layers->share[n] * width, -row_height * (double)layers->layer[n]};
}

/* As many links as a tree has, all nodes reached, and not a mere row of nodes. */
static bool is_tree(const Network *network, const NetworkLinks *links)
{
    Arena *scratch = arena_create(network->topology->head.workspace);
    Layers layers = layers_create(scratch, network, links);
    bool good = links->count == (size_t)network->node_count - 1 && network->node_count > 2;
    int64_t most = 0;
    layers.layer[0] = 0;
    spread_layers(&layers);
    for (int64_t n = 1; n < network->node_count; n++)
        good &= layers.layer[n] > 0;
    for (size_t i = 0; i < links->count; i++)
        good &= links->items[i].both;
    for (int64_t n = 0; n < network->node_count; n++) {
        int64_t degree = network_degree(network, n);
        most = degree > most ? degree : most;
    }
    arena_destroy(scratch);
    return good && most > 2;
}

Point *network_places(Arena *arena, const Network *network, const NetworkLinks *links,
                      bool in_rings)
{
    bool has_switches = network->node_count > network->p;
    if (in_rings && !has_switches)
        return NULL;
    Point *places = ARENA_ARRAY(arena, Point, network->node_count);
    bool is_row = !has_switches; /* every link joins a rank and the next one */
    for (size_t i = 0; i < links->count; i++)
        is_row &= llabs(links->items[i].from - links->items[i].to) == 1;
    if (in_rings) {
        Layers layers = layers_of_switches(arena, network, links);
        place_rings(&layers, places);
    } else if (is_tree(network, links)) {
        Layers layers = layers_of_tree(arena, network, links);
        place_layers(&layers, places);
    } else if (has_switches) {
        Layers layers = layers_of_switches(arena, network, links);
        place_layers(&layers, places);
    } else if ((network->shape.count > 1 && !network->topology->direct) || is_row) {
        place_grid(network, places);
    } else {
        const double nodes = (double)network->node_count, radius = fmax(ring_radius(nodes), 90);
        for (int64_t n = 0; n < network->node_count; n++)
            places[n] = on_ring(radius, (double)n / nodes);
    }
    return places;
}

enum { BLOCK_ROWS = 8 };

Point *network_places_by_level(Arena *arena, const Network *network, const NetworkLinks *links)
{
    const int64_t nodes = network->node_count;
    if (nodes == network->p)
        return NULL;
    Point *places = ARENA_ARRAY(arena, Point, nodes);
    /* below[n]: how many ranks stand below switch n; above[r]: below which switch rank r does;
       -1: none */
    int64_t *above = ARENA_ARRAY(arena, int64_t, nodes),
            *below = ARENA_ARRAY(arena, int64_t, nodes);
    int64_t *placed = ARENA_ARRAY(arena, int64_t, nodes);
    double width = 0, *starts = ARENA_ARRAY(arena, double, nodes);
    Layers layers = layers_of_switches(arena, network, links);
    for (int64_t r = 0; r < network->p; r++) {
        const int64_t end = network->starts[r + 1];
        above[r] = end > network->starts[r] ? network->neighbours[end - 1] : -1;
        for (int64_t i = end; i-- > network->starts[r];)
            if (network->neighbours[i] >= network->p)
                above[r] = network->neighbours[i];
        if (above[r] >= network->p)
            below[above[r]]++;
        else
            above[r] = -1;
    }
    for (int64_t s = network->p; s < nodes; s++)
        if (layers.layer[s] <= 1) {
            const int64_t columns = (below[s] + BLOCK_ROWS - 1) / BLOCK_ROWS;
            starts[s] = width, width += network_gap * 1.15 * (double)(columns + 1);
            places[s] = (Point){(starts[s] + width - network_gap) / 2, -row_height};
        }
    for (int64_t s = network->p; s < nodes; s++)
        if (layers.layer[s] > 1)
            places[s] =
                (Point){layers.share[s] * width, -row_height * (2 * (double)layers.layer[s] - 1)};
    for (int64_t r = 0; r < network->p; r++) {
        const int64_t s = above[r] < 0 ? network->p : above[r], n = placed[s]++;
        const int64_t columns = (below[s] + BLOCK_ROWS - 1) / BLOCK_ROWS;
        places[r] = (Point){starts[s] + network_gap * 1.15 * (double)(n % (columns ? columns : 1)),
                            network_gap * 1.15 * (double)(n / (columns ? columns : 1))};
    }
    return places;
}
