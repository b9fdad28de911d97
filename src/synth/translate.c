#include "synth/translate.h"

#include "base/whole.h"

#include <string.h>

/* Shares of a root: each is a tree of its own at worst. */
enum { MOST_SHARES = 64 };

typedef struct {
    Fabric *fabric;
    const Shape *shape;
    int64_t count;  /* of directions, */
    int32_t *ranks; /* each to this neighbour of rank 0 */
    int64_t *capacities;
    int64_t total;      /* capacity of all */
    int32_t *distances; /* from rank 0 */
} Directions;

static int32_t shift(const Shape *shape, int32_t rank, int32_t by, bool back)
{
    int64_t shifted = 0;
    for (int i = 0; i < shape->count; i++) {
        const int64_t size = shape->sizes[i], step = shape_coordinate(shape, by, i);
        const int64_t at = shape_coordinate(shape, rank, i) + (back ? size - step : step);
        shifted += at % size * shape_stride(shape, i);
    }
    return (int32_t)shifted;
}

/* All arcs are those of rank 0, shifted, with as much capacity. */
static bool are_alike(const Directions *directions)
{
    const Fabric *fabric = directions->fabric;
    int64_t *found = ARENA_ARRAY(fabric->arena, int64_t, (size_t)fabric->p);
    for (int64_t d = 0; d < directions->count; d++)
        found[directions->ranks[d]] = directions->capacities[d];
    for (size_t i = 0; i < fabric->arcs.count; i++) {
        const FabricArc *arc = &fabric->arcs.items[i];
        if (found[shift(directions->shape, arc->to, arc->from, true)] != arc->capacity)
            return false;
    }
    return (int64_t)fabric->arcs.count == directions->count * fabric->p;
}

static bool find_directions(Directions *directions)
{
    const Fabric *fabric = directions->fabric;
    directions->ranks = ARENA_ROOM(fabric->arena, int32_t, fabric->arcs.count);
    directions->capacities = ARENA_ROOM(fabric->arena, int64_t, fabric->arcs.count);
    for (size_t i = 0; i < fabric->arcs.count; i++) {
        if (fabric->arcs.items[i].from != 0)
            continue;
        directions->ranks[directions->count] = fabric->arcs.items[i].to;
        directions->capacities[directions->count++] = fabric->arcs.items[i].capacity;
        directions->total += fabric->arcs.items[i].capacity;
    }
    return are_alike(directions);
}

static void measure_distances(Directions *directions)
{
    const Fabric *fabric = directions->fabric;
    int32_t *queue = ARENA_ROOM(fabric->arena, int32_t, (size_t)fabric->p);
    directions->distances = ARENA_ROOM(fabric->arena, int32_t, (size_t)fabric->p);
    memset(directions->distances, -1, (size_t)fabric->p * sizeof *directions->distances);
    directions->distances[0] = 0;
    queue[0] = 0;
    for (int32_t head = 0, tail = 1; head < tail; head++)
        for (int64_t d = 0; d < directions->count; d++) {
            const int32_t to = shift(directions->shape, queue[head], directions->ranks[d], false);
            if (directions->distances[to] >= 0)
                continue;
            directions->distances[to] = directions->distances[queue[head]] + 1;
            queue[tail++] = to;
        }
}

static int32_t parent_of(const Directions *directions, int32_t rank, int64_t direction)
{
    return shift(directions->shape, rank, directions->ranks[direction], true);
}

/* picks[rank * count + direction]: in how many trees of rank 0 the parent lies in that direction.
   False where not all directions can be had as often as they should. */
static bool pick_parents(const Directions *directions, int64_t shares, int64_t *picks)
{
    const Fabric *fabric = directions->fabric;
    const int32_t p = fabric->p, count = (int32_t)directions->count;
    const size_t room = (size_t)p * (size_t)(count + 1) + (size_t)count;
    FlowArc *arcs = ARENA_ROOM(fabric->arena, FlowArc, room);
    int64_t *capacities = ARENA_ROOM(fabric->arena, int64_t, room);
    size_t arc_count = 0;
    for (int32_t r = 1; r < p; r++) {
        capacities[arc_count] = shares;
        arcs[arc_count++] = (FlowArc){p + count, r};
        for (int32_t d = 0; d < count; d++)
            if (directions->distances[parent_of(directions, r, d)] < directions->distances[r]) {
                capacities[arc_count] = shares;
                arcs[arc_count++] = (FlowArc){r, p + d};
            }
    }
    for (int32_t d = 0; d < count; d++) {
        capacities[arc_count] = shares * (p - 1) * directions->capacities[d] / directions->total;
        arcs[arc_count++] = (FlowArc){p + d, p + count + 1};
    }
    Flow flow = flow_create(fabric->arena, p + count + 2, arcs, arc_count);
    if (flow_run(&flow, capacities, p + count, p + count + 1) < shares * (p - 1))
        return false;
    for (size_t i = 0; i < arc_count; i++)
        if (arcs[i].to >= p && arcs[i].to < p + count)
            picks[arcs[i].from * count + arcs[i].to - p] =
                capacities[i] - flow.left[flow.places[i]];
    return true;
}

/* Tree by tree; ranks take one of their parents after the other, so that trees differ. */
static void add_trees(const Directions *directions, int64_t shares, const int64_t *picks,
                      PackedTrees *trees)
{
    const Fabric *fabric = directions->fabric;
    const int32_t p = fabric->p;
    int32_t height = 0;
    for (int32_t r = 0; r < p; r++)
        height = directions->distances[r] > height ? directions->distances[r] : height;
    int32_t *parents = ARENA_ROOM(fabric->arena, int32_t, (size_t)p * (size_t)shares);
    for (int32_t r = 1; r < p; r++) {
        int64_t share = 0;
        for (int64_t d = 0; d < directions->count; d++)
            for (int64_t i = 0; i < picks[r * directions->count + d]; i++)
                parents[share++ * p + r] = parent_of(directions, r, d);
    }
    for (int32_t root = 0; root < p; root++)
        for (int64_t i = 0; i < shares; i++) {
            PackedTree *tree = ARRAY_PUSH(fabric->arena, trees);
            *tree = (PackedTree){.root = root,
                                 .weight = 1,
                                 .height = height,
                                 .parents = ARENA_ROOM(fabric->arena, int32_t, (size_t)p)};
            tree->parents[root] = -1;
            for (int32_t r = 1; r < p; r++)
                tree->parents[shift(directions->shape, r, root, false)] =
                    shift(directions->shape, parents[i * p + r], root, false);
        }
}

bool translate_trees(Fabric *fabric, const Shape *shape, Rate rate, int64_t *shares,
                     PackedTrees *trees)
{
    Directions directions = {.fabric = fabric, .shape = shape};
    if (fabric->root >= 0 || fabric->nodes > fabric->p || shape->p != fabric->p ||
        !find_directions(&directions) ||
        (__int128)rate.numerator * (fabric->p - 1) != (__int128)directions.total * rate.denominator)
        return false;
    /* the fewest shares with a whole number of edges in each direction */
    *shares = 1;
    for (int64_t d = 0; d < directions.count; d++) {
        const int64_t wanted = (fabric->p - 1) * directions.capacities[d];
        const int64_t needed = directions.total / whole_common_divisor(directions.total, wanted);
        *shares = *shares / whole_common_divisor(*shares, needed) * needed;
        if (*shares > MOST_SHARES)
            return false;
    }
    measure_distances(&directions);
    int64_t *picks =
        ARENA_ARRAY(fabric->arena, int64_t, (size_t)fabric->p * (size_t)directions.count);
    if (!pick_parents(&directions, *shares, picks))
        return false;
    add_trees(&directions, *shares, picks, trees);
    return true;
}
