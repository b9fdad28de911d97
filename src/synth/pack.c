#include "synth/fabric.h"

#include "base/watch.h"

#include <string.h>

enum { MOST_CAREFUL = 32 /* ranks */, MOST_AT_ONCE = 64 /* trees */ };

/* Trees that are alike so far, `weight` of them. */
typedef struct {
    int32_t root, count; /* of ranks that are reached: order[0 .. count - 1], parents first */
    int64_t weight;
    int32_t *parents, *depths, *order; /* depth -1: not reached */
    bool *shut;                        /* arcs that cannot be added any more */
} Growing;

ARRAY_TYPE(GrowingTrees, Growing);

typedef struct {
    Fabric *fabric;
    int64_t *waiting;   /* of each root: shares whose trees were not begun */
    GrowingTrees begun; /* and not completed */
    int32_t *groups;    /* of each rank: the least of the smallest set around it that gets no more
                           than it must, so that each tree may enter it once */
    size_t *starts;     /* the arcs from each rank: out[starts[r]] .. */
    size_t *out;
    FlowArcs flow;
} Packer;

/* How many of the trees can have the arc, so that all others can still be completed: as many as any
   set with the head, and without the tail of the arc gets more than those trees need that have no
   rank in it. */
static int64_t find_share(Packer *packer, const Growing *tree, const FabricArc *arc)
{
    Fabric *fabric = packer->fabric;
    int64_t most = arc->capacity < tree->weight ? arc->capacity : tree->weight, needed = 0;
    int32_t node = fabric->p + 1;
    FlowArcs *list = &packer->flow;
    list->count = 0;
    flow_arcs_add(fabric->arena, list, fabric->p, arc->from, 0);
    for (size_t i = 0; i < fabric->arcs.count; i++) {
        const FabricArc *other = &fabric->arcs.items[i];
        if (other->capacity > 0)
            flow_arcs_add(fabric->arena, list, other->from, other->to, other->capacity);
    }
    for (int32_t r = 0; r < fabric->p; r++) {
        needed += packer->waiting[r];
        if (packer->waiting[r] > 0 && r != arc->from)
            flow_arcs_add(fabric->arena, list, arc->from, r, packer->waiting[r]);
    }
    /* In front of each rank of a begun tree stands a node that stands for the tree as a root. */
    for (size_t i = 0; i < packer->begun.count; i++, node++) {
        const Growing *begun = &packer->begun.items[i];
        needed += begun->weight;
        flow_arcs_add(fabric->arena, list, arc->from, node, begun->weight);
        for (int32_t n = 0; n < begun->count; n++)
            flow_arcs_add(fabric->arena, list, node, begun->order[n], begun->weight);
    }
    list->capacities[0] = needed + most;
    ArenaMark mark = arena_mark(fabric->arena);
    Flow flow = flow_create(fabric->arena, node, list->arcs, list->count);
    const int64_t share = flow_run(&flow, list->capacities, fabric->p, arc->to) - needed;
    fabric->work += flow.work;
    arena_release(fabric->arena, mark);
    return share < 0 ? 0 : share;
}

/* Adds the arc to as many of the trees as can have it; the others are begun trees of their own. */
static void add_arc(Packer *packer, Growing *tree, size_t number)
{
    Fabric *fabric = packer->fabric;
    FabricArc *arc = &fabric->arcs.items[number];
    const int64_t share = find_share(packer, tree, arc);
    tree->shut[number] = share < tree->weight;
    if (share == 0)
        return;
    if (share < tree->weight) {
        const size_t p = (size_t)fabric->p;
        Growing rest = *tree;
        rest.parents = ARENA_COPY(fabric->arena, int32_t, tree->parents, p);
        rest.depths = ARENA_COPY(fabric->arena, int32_t, tree->depths, p);
        rest.order = ARENA_COPY(fabric->arena, int32_t, tree->order, p);
        rest.shut = ARENA_COPY(fabric->arena, bool, tree->shut, fabric->arcs.count);
        rest.weight -= share;
        *ARRAY_PUSH(fabric->arena, &packer->begun) = rest;
    }
    arc->capacity -= share;
    tree->weight = share;
    tree->parents[arc->to] = arc->from;
    tree->depths[arc->to] = tree->depths[arc->from] + 1;
    tree->order[tree->count++] = arc->to;
}

/* Breadth first, so that trees are low. */
static bool grow(Packer *packer, Growing *tree, Diag *diag)
{
    Fabric *fabric = packer->fabric;
    for (int tries = 0; tries < 2 && tree->count < fabric->p; tries++) {
        if (tries)
            memset(tree->shut, 0, fabric->arcs.count * sizeof *tree->shut);
        for (int32_t i = 0; i < tree->count && tree->count < fabric->p; i++) {
            const int32_t from = tree->order[i];
            watch_poll(fabric->arena);
            for (size_t e = packer->starts[from]; e < packer->starts[from + 1]; e++) {
                const FabricArc *arc = &fabric->arcs.items[packer->out[e]];
                if (arc->capacity > 0 && tree->depths[arc->to] < 0 && !tree->shut[packer->out[e]])
                    add_arc(packer, tree, packer->out[e]);
            }
            if (!fabric_has_time(fabric, diag))
                return false;
        }
    }
    return tree->count == fabric->p ||
           diag_error(diag, NOWHERE, "no trees reach all ranks at the rate of the tightest cut");
}

static void keep_tree(const Packer *packer, const Growing *tree, PackedTrees *trees)
{
    PackedTree *kept = ARRAY_PUSH(packer->fabric->arena, trees);
    *kept = (PackedTree){.root = tree->root, .weight = tree->weight, .parents = tree->parents};
    for (int32_t r = 0; r < packer->fabric->p; r++)
        kept->height = tree->depths[r] > kept->height ? tree->depths[r] : kept->height;
}

static Growing begin_tree(const Packer *packer, int32_t root, int64_t weight)
{
    Arena *arena = packer->fabric->arena;
    const size_t p = (size_t)packer->fabric->p;
    Growing tree = {.root = root,
                    .count = 1,
                    .weight = weight,
                    .parents = ARENA_ROOM(arena, int32_t, p),
                    .depths = ARENA_ROOM(arena, int32_t, p),
                    .order = ARENA_ARRAY(arena, int32_t, p),
                    .shut = ARENA_ARRAY(arena, bool, packer->fabric->arcs.count)};
    for (size_t r = 0; r < p; r++)
        tree.parents[r] = -1, tree.depths[r] = (int32_t)r == root ? 0 : -1;
    tree.order[0] = root;
    return tree;
}

/* What all roots send that wait, to all ranks: in p flows, each from the ranks that have all.
   Groups are found on the way, unless NULL, and then ranks do not become sources. */
static bool carries_waiting(Packer *packer, int32_t *groups)
{
    Fabric *fabric = packer->fabric;
    ArenaMark mark = arena_mark(fabric->arena);
    const int32_t p = fabric->p;
    FlowArcs list = {0};
    int64_t total = 0;
    bool good = true;
    for (int32_t r = 0; r < p; r++) {
        flow_arcs_add(fabric->arena, &list, p, r, packer->waiting[r]);
        total += packer->waiting[r];
    }
    for (size_t i = 0; i < fabric->arcs.count; i++)
        flow_arcs_add(fabric->arena, &list, fabric->arcs.items[i].from, fabric->arcs.items[i].to,
                      fabric->arcs.items[i].capacity);
    Flow flow = flow_create(fabric->arena, p + 1, list.arcs, list.count);
    for (int32_t r = 0; r < p && good && total > 0; r++) {
        good = flow_run(&flow, list.capacities, p, r) >= total;
        if (!groups)
            list.capacities[r] = total;
        for (int32_t other = r; groups && other >= 0; other--)
            if (!flow_is_inside(&flow, other))
                groups[r] = other;
    }
    fabric->work += flow.work;
    arena_release(fabric->arena, mark);
    return good;
}

/* The whole tree at once, from arcs that can have all of it: always that which has the most
   capacity left, then that which makes the lowest tree; into each group once. False: it does not
   reach all ranks. */
static bool grow_at_once(Packer *packer, Growing *tree)
{
    Fabric *fabric = packer->fabric;
    ArenaMark mark = arena_mark(fabric->arena);
    bool *entered = ARENA_ARRAY(fabric->arena, bool, (size_t)fabric->p);
    entered[packer->groups[tree->root]] = true;
    watch_poll(fabric->arena);
    while (tree->count < fabric->p) {
        FabricArc *arc = NULL;
        for (size_t i = 0; i < fabric->arcs.count; i++) {
            FabricArc *other = &fabric->arcs.items[i];
            const int32_t group = packer->groups[other->to];
            if (other->capacity < tree->weight || tree->depths[other->from] < 0 ||
                tree->depths[other->to] >= 0 ||
                (packer->groups[other->from] != group && entered[group]))
                continue;
            if (!arc || other->capacity > arc->capacity ||
                (other->capacity == arc->capacity &&
                 tree->depths[other->from] < tree->depths[arc->from]))
                arc = other;
        }
        if (!arc)
            break;
        entered[packer->groups[arc->to]] = true;
        arc->capacity -= tree->weight;
        tree->parents[arc->to] = arc->from;
        tree->depths[arc->to] = tree->depths[arc->from] + 1;
        tree->order[tree->count++] = arc->to;
    }
    arena_release(fabric->arena, mark);
    return tree->count == fabric->p;
}

/* The trees of roots from `root` on, `count` at most: most often what is left serves the other
   roots. Returns for how many it was, and else nothing has changed. */
static int32_t grow_boldly(Packer *packer, int32_t root, int32_t count, int64_t shares,
                           PackedTrees *trees)
{
    Fabric *fabric = packer->fabric;
    Growing grown[MOST_AT_ONCE];
    const int32_t end = count < fabric->p - root ? root + count : fabric->p;
    FabricArc *before =
        ARENA_COPY(fabric->arena, FabricArc, fabric->arcs.items, fabric->arcs.count);
    bool good = true;
    for (int32_t r = root; r < end && good; r++) {
        packer->waiting[r] = 0;
        grown[r - root] = begin_tree(packer, r, shares);
        good = grow_at_once(packer, &grown[r - root]);
    }
    if (good && carries_waiting(packer, NULL)) {
        for (int32_t r = root; r < end; r++)
            keep_tree(packer, &grown[r - root], trees);
        return end - root;
    }
    for (int32_t r = root; r < end; r++)
        packer->waiting[r] = shares;
    memcpy(fabric->arcs.items, before, fabric->arcs.count * sizeof *before);
    return 0;
}

bool fabric_pack(Fabric *fabric, int64_t shares, PackedTrees *trees, Diag *diag)
{
    Arena *arena = fabric->arena;
    const size_t p = (size_t)fabric->p, count = fabric->arcs.count;
    Packer packer = {.fabric = fabric,
                     .waiting = ARENA_ARRAY(arena, int64_t, p),
                     .starts = ARENA_ARRAY(arena, size_t, p + 1),
                     .out = ARENA_ROOM(arena, size_t, count),
                     .groups = ARENA_ROOM(arena, int32_t, p)};
    for (size_t r = 0, place = 0; r < p; r++) {
        packer.waiting[r] = fabric->root < 0 || fabric->root == (int32_t)r ? shares : 0;
        for (size_t i = 0; i < count; i++)
            if (fabric->arcs.items[i].from == (int32_t)r)
                packer.out[place++] = i;
        packer.starts[r + 1] = place;
    }
    /* where flows are few, trees that are grown one arc at a time are lower */
    const bool is_large = fabric->root < 0 && fabric->p > MOST_CAREFUL;
    if (is_large)
        carries_waiting(&packer, packer.groups);
    int32_t at_once = 1;
    for (int32_t root = 0; root < fabric->p; root++) {
        if (packer.waiting[root] == 0)
            continue;
        const int32_t grown = is_large ? grow_boldly(&packer, root, at_once, shares, trees) : 0;
        if (grown > 0) {
            root += grown - 1;
            at_once = 2 * at_once < MOST_AT_ONCE ? 2 * at_once : MOST_AT_ONCE;
            continue;
        }
        if (is_large && at_once > 1) {
            at_once /= 2, root--;
            continue;
        }
        packer.waiting[root] = 0;
        *ARRAY_PUSH(fabric->arena, &packer.begun) = begin_tree(&packer, root, shares);
        while (packer.begun.count > 0) {
            Growing tree = packer.begun.items[--packer.begun.count];
            if (!grow(&packer, &tree, diag))
                return false;
            keep_tree(&packer, &tree, trees);
        }
    }
    return true;
}
