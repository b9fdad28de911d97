#include "net/exchange.h"

#include "lang/flips.h"
#include "net/line.h"

/* Nodes first .. first + count - 1, a power of two: node first + v lands on first + (v xor flips).
 */
typedef struct {
    int64_t first, count, flips;
} FlippingNodes;

enum { MOST_KINDS = 64, MOST_STEPS = 64 };

typedef struct {
    const Network *network;
    Line *line;
    Arena *arena;    /* for one bit */
    int64_t by;      /* ranks land on r xor by */
    int64_t *images; /* of each node; -1: not known yet */
    FlippingNodes kinds[MOST_KINDS];
    int kind_count;
} Finder;

static bool note_image(Finder *finder, int64_t node, int64_t image)
{
    if (finder->images[node] < 0)
        finder->images[node] = image;
    return finder->images[node] == image;
}

/* Where switches must land: those on the paths from rank 0 on those on the paths from its image. */
static bool find_images(Finder *finder)
{
    Diag silent = diag_silent();
    const int64_t p = finder->network->p, nodes = finder->network->node_count;
    int64_t *room = ARENA_ROOM(finder->arena, int64_t, 6 * (size_t)p);
    int64_t *at = room, *image = room + p, *to = room + 2 * p, *goal = room + 3 * p;
    int64_t *next = room + 4 * p, *ups = room + 5 * p;
    int64_t left = 0;
    for (int64_t n = 0; n < nodes; n++)
        finder->images[n] = n < p ? n ^ finder->by : -1;
    for (int64_t r = 1; r < p; r++, left++)
        at[left] = 0, image[left] = finder->by, to[left] = r, goal[left] = r ^ finder->by;
    for (int hop = 0; left > 0 && hop < MOST_STEPS; hop++) {
        if (!line_next(finder->line, (size_t)left, at, to, ups, next, &silent))
            return false;
        for (int64_t i = 0; i < left; i++)
            at[i] = next[i];
        if (!line_next(finder->line, (size_t)left, image, goal, ups, next, &silent))
            return false;
        int64_t kept = 0;
        for (int64_t i = 0; i < left; i++) {
            if (at[i] < 0 || at[i] >= nodes || next[i] < 0 || next[i] >= nodes ||
                !note_image(finder, at[i], next[i]))
                return false;
            if (at[i] == to[i])
                continue;
            at[kept] = at[i], image[kept] = next[i], to[kept] = to[i], goal[kept++] = goal[i];
        }
        left = kept;
    }
    for (int64_t n = p; n < nodes; n++) /* no path leads there */
        finder->images[n] = finder->images[n] < 0 ? n : finder->images[n];
    return left == 0;
}

static bool is_kind(const Finder *finder, const FlippingNodes *kind)
{
    for (int64_t v = 0; v < kind->count; v++)
        if (finder->images[kind->first + v] != kind->first + (v ^ kind->flips))
            return false;
    return kind->flips < kind->count;
}

/* Nodes that follow one another, as many as land by one rule. */
static bool find_kinds(Finder *finder)
{
    const int64_t p = finder->network->p, nodes = finder->network->node_count;
    finder->kinds[0] = (FlippingNodes){0, p, finder->by};
    finder->kind_count = 1;
    for (int64_t first = p; first < nodes;) {
        FlippingNodes kind = {first, 1, finder->images[first] - first}, next;
        if (kind.flips < 0 || finder->kind_count == MOST_KINDS)
            return false;
        while (kind.count <= kind.flips)
            kind.count *= 2;
        if (first + kind.count > nodes || !is_kind(finder, &kind))
            return false;
        for (next = kind; first + 2 * next.count <= nodes;) {
            next.count *= 2;
            if (!is_kind(finder, &next))
                break;
            kind = next;
        }
        finder->kinds[finder->kind_count++] = kind;
        first += kind.count;
    }
    return true;
}

/* Do all these nodes stay where they are? */
static bool nodes_rest(const Finder *finder, int64_t least, int64_t most)
{
    for (int i = 0; i < finder->kind_count; i++) {
        const FlippingNodes *kind = &finder->kinds[i];
        if (kind->flips && least < kind->first + kind->count && most >= kind->first)
            return false;
    }
    return least >= 0 && most < finder->network->node_count;
}

/* Is every value of the expression a node, and does it land where that node does? */
static bool lands_on_node(const Finder *finder, const Expr *expr, const FlipScope *scope)
{
    if (expr->kind == EXPR_WHEN) {
        const Flip condition = flip_find(expr->arguments[0], scope);
        if (!flip_rests(&condition))
            return false;
        return (condition.most == 0 || lands_on_node(finder, expr->arguments[1], scope)) &&
               (condition.least == 1 || lands_on_node(finder, expr->arguments[2], scope));
    }
    const Flip next = flip_find(expr, scope);
    if (next.kind == FLIPS_OTHER)
        return false;
    if (flip_rests(&next) && nodes_rest(finder, next.least, next.most))
        return true;
    for (int i = 0; i < finder->kind_count && next.kind == FLIPS_BITS; i++) {
        const FlippingNodes *kind = &finder->kinds[i];
        if (next.least >= kind->first && next.most < kind->first + kind->count)
            return ((next.base - kind->first) & next.mask) == 0 && next.flips == kind->flips;
    }
    return false;
}

/* Does `next` of these nodes land where they and the destination do? Of some together, or of each
   half, where it is not the same rule for all. */
static bool paths_land(const Finder *finder, const FlippingNodes *nodes)
{
    const Line *line = finder->line;
    FlipScope scope = {0};
    scope.slots[TOPOLOGY_P] = flip_known(finder->network->p);
    scope.slots[TOPOLOGY_R] = flip_bits(nodes->first, nodes->count - 1, nodes->flips);
    scope.slots[TOPOLOGY_TO] = flip_bits(0, finder->network->p - 1, finder->by);
    scope.slots[TOPOLOGY_UPLINKS] = flip_known(line->names.uplinks);
    for (int x = 0; x < line->topology->named_count; x++)
        scope.slots[TOPOLOGY_SIZES + x] = flip_known(line->names.sizes[x]);
    if (lands_on_node(finder, program_expr(line->topology->next.program), &scope))
        return true;
    const int64_t half = nodes->count / 2;
    if (half == 0 || nodes->flips >= half)
        return false;
    const FlippingNodes low = {nodes->first, half, nodes->flips};
    const FlippingNodes high = {nodes->first + half, half, nodes->flips};
    return paths_land(finder, &low) && paths_land(finder, &high);
}

/* The link on which each lands; false: some lands on none of its class. */
static bool links_land(const Finder *finder, int32_t *landings)
{
    const Graph *graph = &finder->line->graph;
    for (int64_t n = 0; n < graph->nodes; n++)
        for (int64_t i = graph->starts[n]; i < graph->starts[n + 1]; i++) {
            const int64_t link =
                graph_find(graph, finder->images[n], finder->images[graph->neighbours[i]]);
            if (link < 0 || (graph->classes && graph->classes[link] != graph->classes[i]))
                return false;
            landings[i] = (int32_t)link;
        }
    return true;
}

static int32_t root_of(int32_t *links, int32_t link)
{
    while (links[link] != link)
        link = links[link] = links[links[link]];
    return link;
}

static bool find_bit(Finder *finder, int32_t *landings)
{
    bool good = find_images(finder) && find_kinds(finder) && links_land(finder, landings);
    for (int i = 0; good && i < finder->kind_count; i++)
        good = paths_land(finder, &finder->kinds[i]);
    return good;
}

bool exchange_find(const Network *network, Arena *arena, Exchange *exchange)
{
    const int64_t p = network->p;
    *exchange = (Exchange){.images = 1};
    if (!network->router || network->grouping || network->topology->base ||
        network->router->count != 1 || p < 2 || (p & (p - 1)) != 0)
        return false;
    Line *line = &network->router->lines[0];
    const Expr *next =
        line->topology->next.program ? program_expr(line->topology->next.program) : NULL;
    const int64_t count = network->starts[network->node_count];
    if (!next || expr_uses(next, TOPOLOGY_UP) || count > INT32_MAX)
        return false;
    exchange->links = ARENA_ROOM(arena, int32_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        exchange->links[i] = (int32_t)i;
    Arena *scratch = arena_scratch(arena);
    Finder finder = {.network = network, .line = line, .arena = scratch};
    finder.images = ARENA_ROOM(scratch, int64_t, (size_t)network->node_count);
    int32_t *landings = ARENA_ROOM(scratch, int32_t, (size_t)count);
    for (finder.by = 1; finder.by < p; finder.by *= 2) {
        const ArenaMark mark = arena_mark(scratch);
        if (find_bit(&finder, landings)) {
            exchange->bits |= finder.by;
            exchange->images *= 2;
            for (int64_t i = 0; i < count; i++)
                exchange->links[root_of(exchange->links, (int32_t)i)] =
                    root_of(exchange->links, landings[i]);
        }
        arena_release(scratch, mark);
    }
    arena_destroy(scratch);
    exchange->landing = ARENA_ARRAY(arena, int32_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        exchange->landing[exchange->links[i] = root_of(exchange->links, (int32_t)i)]++;
    return exchange->bits != 0;
}
