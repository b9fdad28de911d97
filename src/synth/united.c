#include "synth/united.h"

#include "base/watch.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 60, IDLE_PASSES = 12, MOST_WORK = 100000000 };

typedef struct {
    const Hops *hops;
    int64_t shares;
    double *loads, *prices; /* of each link */
    double *best;           /* of each rank: the price of its edge to the tree */
    bool *is_reached;
    int32_t **parents; /* of each share */
} Packer;

static double price_of(const Packer *packer, int64_t from, int64_t to)
{
    const Hops *hops = packer->hops;
    double price = 0;
    for (int way = 0; way < 2; way++) {
        const size_t pair = (size_t)(way ? to * hops->p + from : from * hops->p + to);
        for (size_t i = hops->starts[pair]; i < hops->starts[pair + 1]; i++)
            price += packer->prices[hops->links[i]];
    }
    return price;
}

/* The cheapest tree, from rank `root` on; of equally cheap edges those near the root. False: it
   does not reach all ranks. */
static bool grow(const Packer *packer, int32_t root, int32_t *parents, int32_t *depths)
{
    const Hops *hops = packer->hops;
    const int64_t p = hops->p;
    for (int64_t r = 0; r < p; r++)
        packer->best[r] = INFINITY, packer->is_reached[r] = false;
    packer->best[root] = 0, parents[root] = -1, depths[root] = 0;
    for (int64_t i = 0; i < p; i++) {
        int32_t at = -1;
        for (int32_t r = 0; r < p; r++)
            if (!packer->is_reached[r] && packer->best[r] < INFINITY &&
                (at < 0 || packer->best[r] < packer->best[at]))
                at = r;
        if (at < 0)
            return false;
        packer->is_reached[at] = true;
        for (int32_t r = 0; r < p; r++) {
            if (packer->is_reached[r] || !hops->is_near[at * p + r] || !hops->is_near[r * p + at])
                continue;
            const double price = price_of(packer, at, r) * (1 + 1e-6 * depths[at]);
            if (price < packer->best[r])
                packer->best[r] = price, parents[r] = at, depths[r] = depths[at] + 1;
        }
    }
    return true;
}

static void add_tree(const Packer *packer, const int32_t *parents, double amount)
{
    for (int32_t r = 0; r < packer->hops->p; r++) {
        if (parents[r] < 0)
            continue;
        hops_add(packer->hops, packer->loads, parents[r], r, amount);
        hops_add(packer->hops, packer->loads, r, parents[r], amount);
    }
}

static double busiest(const Packer *packer)
{
    double most = 0;
    for (size_t i = 0; i < packer->hops->link_count; i++)
        most = fmax(most, packer->loads[i]);
    return most;
}

/* Links become the dearer the nearer they are to the busiest. */
static void set_prices(const Packer *packer, double steepness)
{
    const double most = busiest(packer);
    for (size_t i = 0; i < packer->hops->link_count; i++)
        packer->prices[i] = packer->hops->times[i] *
                            exp(steepness * ((most > 0 ? packer->loads[i] / most : 0) - 1));
}

static void turn_to(int32_t *parents, int32_t root)
{
    for (int32_t at = root, above = -1; at >= 0;) {
        const int32_t next = parents[at];
        parents[at] = above;
        above = at, at = next;
    }
}

static int32_t farthest(int64_t p, const int32_t *parents, int32_t *height)
{
    int32_t deepest = 0;
    *height = -1;
    for (int32_t r = 0; r < p; r++) {
        int32_t depth = 0;
        for (int32_t at = r; parents[at] >= 0; at = parents[at])
            depth++;
        if (depth > *height)
            *height = depth, deepest = r;
    }
    return deepest;
}

/* With the middle of the longest path as its root. */
static void centre(int64_t p, int32_t *parents, PackedTree *tree)
{
    turn_to(parents, farthest(p, parents, &tree->height));
    int32_t at = farthest(p, parents, &tree->height);
    for (int32_t i = 0; i < tree->height / 2; i++)
        at = parents[at];
    turn_to(parents, at);
    farthest(p, parents, &tree->height);
    tree->parents = parents;
    tree->root = at;
}

/* The busiest link, for a block, with so many trees; 0: not all ranks are reached. */
static double pack(Packer *packer, int32_t *depths)
{
    const size_t p = (size_t)packer->hops->p;
    Arena *arena = packer->hops->arena;
    double least = INFINITY;
    int32_t **best = ARENA_ARRAY(arena, int32_t *, (size_t)packer->shares);
    packer->parents = ARENA_ARRAY(arena, int32_t *, (size_t)packer->shares);
    for (int64_t s = 0; s < packer->shares; s++) {
        packer->parents[s] = ARENA_ROOM(arena, int32_t, p);
        best[s] = ARENA_ROOM(arena, int32_t, p);
    }
    memset(packer->loads, 0, packer->hops->link_count * sizeof *packer->loads);
    const double work = (double)packer->shares * (double)p * (double)p * 8;
    for (int pass = 0, idle = 0;
         pass < MOST_PASSES && idle < IDLE_PASSES && (pass == 0 || pass * work < MOST_WORK);
         pass++, idle++) {
        for (int64_t s = 0; s < packer->shares; s++) {
            watch_poll(arena);
            if (pass)
                add_tree(packer, packer->parents[s], -1);
            set_prices(packer, 8 + 2.0 * pass);
            if (!grow(packer, (int32_t)(s % packer->hops->p), packer->parents[s], depths))
                return 0;
            add_tree(packer, packer->parents[s], 1);
        }
        const double most = busiest(packer) / (double)packer->shares;
        if (most >= least * (1 - 1e-9))
            continue;
        least = most, idle = 0;
        for (int64_t s = 0; s < packer->shares; s++)
            memcpy(best[s], packer->parents[s], p * sizeof *best[s]);
    }
    packer->parents = best;
    return least;
}

bool united_find(const Hops *hops, TreePacking *packing)
{
    static const int64_t tried[] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 16, 24, 32, 48, 64};
    const size_t p = (size_t)hops->p;
    Arena *arena = hops->arena;
    int32_t *depths = ARENA_ROOM(arena, int32_t, p);
    Packer packer = {.hops = hops,
                     .loads = ARENA_ROOM(arena, double, hops->link_count),
                     .prices = ARENA_ROOM(arena, double, hops->link_count),
                     .best = ARENA_ROOM(arena, double, p),
                     .is_reached = ARENA_ROOM(arena, bool, p)};
    double least = INFINITY;
    int32_t **best = NULL;
    *packing = (TreePacking){.p = hops->p, .share_of_cut = 1};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        if (i > 0 && tried[i] * hops->p * hops->p * 8 > MOST_WORK / 10)
            break;
        packer.shares = tried[i];
        const double most = pack(&packer, depths);
        if (most == 0)
            return false;
        if (most < least * (1 - 1e-3))
            least = most, best = packer.parents, packing->weight = tried[i];
    }
    for (int64_t s = 0; s < packing->weight; s++) {
        PackedTree *tree = ARRAY_PUSH(arena, &packing->trees);
        *tree = (PackedTree){.weight = 1};
        centre(hops->p, best[s], tree);
        packing->height = tree->height > packing->height ? tree->height : packing->height;
    }
    return true;
}
