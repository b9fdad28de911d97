#include "synth/packing.h"
#include "base/whole.h"
#include "synth/fabric.h"
#include "synth/ways.h"

#include <string.h>

/* Trees of one rank that stand for those of all.

   On a torus, a hypercube or a complete network every shift of coordinates maps links on links, so
   a link stands for all of its direction. Trees of rank 0 that have edges of each direction in
   proportion to its capacity load all links alike when they are shifted to all ranks: no cut is
   tighter than that around a rank then. Each rank picks its parents among the neighbours that are
   nearer to the root, by a flow from ranks to directions, so that no tree is higher than the
   network is wide. */

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

/* False unless all arcs are those of rank 0, shifted, with as much capacity. */
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
    FlowArcs list = {0};
    for (int32_t r = 1; r < p; r++) {
        flow_arcs_add(fabric->arena, &list, p + count, r, shares);
        for (int32_t d = 0; d < count; d++)
            if (directions->distances[parent_of(directions, r, d)] < directions->distances[r])
                flow_arcs_add(fabric->arena, &list, r, p + d, shares);
    }
    for (int32_t d = 0; d < count; d++)
        flow_arcs_add(fabric->arena, &list, p + d, p + count + 1,
                      shares * (p - 1) * directions->capacities[d] / directions->total);
    Flow flow = flow_create(fabric->arena, p + count + 2, list.arcs, list.count);
    if (flow_run(&flow, list.capacities, p + count, p + count + 1) < shares * (p - 1))
        return false;
    for (size_t i = 0; i < list.count; i++)
        if (list.arcs[i].to >= p && list.arcs[i].to < p + count)
            picks[list.arcs[i].from * count + list.arcs[i].to - p] =
                list.capacities[i] - flow.left[flow.places[i]];
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

/* Adds the trees of all ranks, *shares of each, at a rate that is the largest where it is that of
   the cut around a rank. False, silently, where the network is not so, or there are no such trees.
   O(p d) and one flow, with d directions. */
static bool translate_trees(Fabric *fabric, const Shape *shape, Rate rate, int64_t *shares,
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
    int32_t *queue = ARENA_ROOM(fabric->arena, int32_t, (size_t)fabric->p);
    directions.distances = ARENA_ROOM(fabric->arena, int32_t, (size_t)fabric->p);
    memset(directions.distances, -1, (size_t)fabric->p * sizeof *directions.distances);
    directions.distances[0] = queue[0] = 0;
    for (int32_t head = 0, tail = 1; head < tail; head++)
        for (int64_t d = 0; d < directions.count; d++) {
            const int32_t to = shift(shape, queue[head], directions.ranks[d], false);
            if (directions.distances[to] >= 0)
                continue;
            directions.distances[to] = directions.distances[queue[head]] + 1;
            queue[tail++] = to;
        }
    int64_t *picks =
        ARENA_ARRAY(fabric->arena, int64_t, (size_t)fabric->p * (size_t)directions.count);
    if (!pick_parents(&directions, *shares, picks))
        return false;
    add_trees(&directions, *shares, picks, trees);
    return true;
}

/* Links that carry so little more, or less, make no difference; and what takes some seconds. */
static const double close_enough = 0.02, most_split = 1 << 27;

static void measure(TreePacking *packing, int64_t shares)
{
    packing->weight = shares;
    for (size_t i = 0; i < packing->trees.count; i++)
        if (packing->trees.items[i].height > packing->height)
            packing->height = packing->trees.items[i].height;
}

/* Arcs past switches stand for paths that messages need not take, and arcs know of no ports. So
   switches are split in two ways, and where either loads links or ports more than the rate allows,
   trees are sought along the paths that messages take. */
static bool pack_best(const Hops *hops, PackingTask task, const Fabric *fabric, int64_t wanted,
                      double least, TreePacking *packing, Diag *diag)
{
    Diag silent = diag_silent();
    TreePacking other = *packing;
    const int ways = fabric->nodes > fabric->p ? 2 : 1;
    bool found = false;
    for (int evenly = 0; evenly < ways; evenly++) {
        Fabric copy = *fabric;
        TreePacking here = other;
        Diag *told = found || hops ? &silent : diag;
        fabric_split_switches(&copy, wanted, evenly);
        /* What is left of the rate after switches were split, where they lost some of it. */
        int64_t shares = fabric_carries(&copy, 1, wanted, NULL) ? wanted : 0;
        for (int64_t most = wanted; shares + 1 < most;) {
            const int64_t middle = shares + (most - shares) / 2;
            *(fabric_carries(&copy, 1, middle, NULL) ? &shares : &most) = middle;
        }
        if (shares == 0)
            diag_error(told, NOWHERE, "the switches of this network leave no capacity to trees");
        if (shares == 0 || !fabric_has_time(&copy, told) ||
            !fabric_pack(&copy, shares, &here.trees, told))
            continue;
        measure(&here, shares);
        /* The better ones load links less, or are lower and load them as much. */
        bool is_better = !found;
        if (found && hops) {
            const double load = ways_load(hops, packing), others = ways_load(hops, &here);
            is_better = others < load * (1 - 1e-6) ||
                        (others <= load * (1 + 1e-6) && here.height < packing->height);
        }
        if (is_better)
            *packing = here;
        found = true;
    }
    if (!hops || (found && ways_load(hops, packing) <= least * (1 + close_enough)))
        return found;
    const Errands errands = ways_list_roots(fabric->arena, packing->p, task.root);
    if (!ways_find(hops, &errands, false, &other))
        return found || diag_error(diag, NOWHERE, "no trees reach all ranks of this network");
    if (found && ways_load(hops, &other) > ways_load(hops, packing) * (1 - close_enough))
        return true;
    *packing = other;
    return true;
}

bool packing_find(Arena *arena, const Network *network, const Rules *rules, PackingTask task,
                  TreePacking *packing, Diag *diag)
{
    Fabric fabric;
    int64_t shares;
    *packing = (TreePacking){.p = network->p};
    if (task.root < 0 && network->p > LIMIT_ROOTS)
        return diag_limit(diag, NOWHERE, "trees from all of %lld ranks are too many to write out",
                          (long long)network->p);
    if (!fabric_lay_out(arena, network, rules, task, &fabric, diag))
        return false;
    Rate rate;
    if (!fabric_rate(&fabric, &rate, diag))
        return false;
    if (rate.numerator == 0)
        return diag_error(diag, NOWHERE, "some rank of this network is not reached");
    if (translate_trees(&fabric, &network->shape, rate, &shares, &packing->trees)) {
        measure(packing, shares);
        return true;
    }
    /* About so many arcs do flows look at where switches are split: one for each rank and pair of
       arcs at a switch. */
    const double arcs = (double)fabric.arcs.count;
    if (fabric.nodes > fabric.p && (double)fabric.p * arcs * arcs > most_split)
        return diag_limit(
            diag, NOWHERE,
            "%s takes too much work to synthesize a schedule: %d ranks, %d switches, %zu links; "
            "--members asks for some of the ranks",
            network->name, fabric.p, fabric.nodes - fabric.p, fabric.arcs.count);
    Hops hops;
    const FabricArc arc = fabric.arcs.items[0];
    const double least = (double)arc.capacity * (double)rate.denominator / (double)rate.numerator;
    fabric_scale(&fabric, rate, &shares);
    const bool has_hops = hops_try(arena, network, rules, task.is_inward, &hops);
    const int64_t link = network_find_link(network, task.is_inward ? arc.to : arc.from,
                                           task.is_inward ? arc.from : arc.to);
    const LinkCost *cost =
        &rules_link_costs(arena, rules, network)[network_link_class(network, link)];
    return pack_best(has_hops ? &hops : NULL, task, &fabric, shares,
                     least * cost->values[PARAMETER_TW] / (double)cost->lanes, packing, diag);
}
