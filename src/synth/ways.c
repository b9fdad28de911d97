#include "synth/ways.h"

#include "base/watch.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 40, IDLE_PASSES = 10, AT_ONCE = 8 };
static const double most_work = 5e8;
/* More shares are more messages: what they gain. */
static const double worth_a_share = 5e-3;

typedef struct {
    const Hops *hops;
    const Errands *errands;
    bool both_ways;
    int64_t shares;
    double *loads, *prices;     /* of each link */
    double *costs;              /* of each rank: from what is reached, so far */
    int32_t *previous, *depths; /* on the way from there */
    bool *is_done, *is_wanted;
    int32_t *parents; /* of each errand and share: p of them */
} Finder;

static double busiest(const Hops *hops, const double *loads)
{
    double most = 0;
    for (size_t i = 0; i < hops->link_count; i++)
        most = fmax(most, loads[i]);
    return most;
}

/* Of a message between neighbours, else INFINITY. */
static inline double price_of(const Finder *finder, int64_t from, int64_t to)
{
    const Hops *hops = finder->hops;
    const size_t pair = (size_t)(from * hops->p + to), back = (size_t)(to * hops->p + from);
    const bool near = hops->is_near[pair] && (hops->is_near[back] || !finder->both_ways);
    double price = near || (hops->has_ports && pair != back) ? 0 : INFINITY;
    for (int way = 0; way < 1 + finder->both_ways && price < INFINITY; way++)
        for (size_t at = way ? back : pair, i = hops->starts[at]; i < hops->starts[at + 1]; i++)
            price += hops->times[i] * finder->prices[hops->links[i]];
    return price;
}

/* The nearest of the ranks that are wanted; -1: there is none, and all that can be are reached. Of
   ways that are equally cheap that with the fewest messages. */
static int32_t search(Finder *finder)
{
    const int64_t p = finder->hops->p;
    for (;;) {
        int32_t at = -1;
        double least = INFINITY;
        for (int32_t r = 0; r < p; r++)
            if (!finder->is_done[r] && finder->costs[r] < least)
                at = r, least = finder->costs[r];
        if (at < 0)
            return -1;
        finder->is_done[at] = true;
        if (finder->is_wanted[at])
            return at;
        for (int32_t r = 0; r < p; r++) {
            if (finder->costs[r] <= least) /* so are all that are reached, whatever the price is */
                continue;
            const double cost = least + price_of(finder, at, r) * (1 + 1e-6 * finder->depths[at]);
            if (cost >= finder->costs[r])
                continue;
            finder->costs[r] = cost;
            finder->previous[r] = at, finder->depths[r] = finder->depths[at] + 1;
        }
    }
}

/* The way to a rank, from which others can be reached then. */
static void attach(Finder *finder, int32_t to, int32_t *parents)
{
    for (int32_t at = to; parents[at] == TREE_OUTSIDE; at = finder->previous[at]) {
        parents[at] = finder->previous[at];
        finder->costs[at] = 0;
        finder->is_done[at] = finder->is_wanted[at] = false;
    }
}

/* A share of a block, anew; `again`: on paths found for the errand before. False: some rank is not
   reached. */
static bool lead(Finder *finder, const Errand *errand, int64_t share, bool again, int32_t *parents)
{
    const int64_t p = finder->hops->p;
    for (int64_t r = 0; r < p; r++)
        parents[r] = TREE_OUTSIDE;
    for (int32_t i = 0; i < errand->source_count; i++)
        parents[finder->both_ways ? share % p : errand->sources[i]] = TREE_ROOT;
    if (!again) {
        for (int32_t r = 0; r < finder->hops->p; r++) {
            finder->costs[r] = parents[r] == TREE_ROOT ? 0 : INFINITY;
            finder->depths[r] = 0;
            finder->is_done[r] = finder->is_wanted[r] = false;
        }
        for (int32_t i = 0; i < errand->target_count && errand->target_count > 1; i++)
            finder->is_wanted[errand->targets[i]] = parents[errand->targets[i]] != TREE_ROOT;
        for (int32_t at; (at = search(finder)) >= 0;)
            attach(finder, at, parents);
    }
    if (errand->target_count == 1 && finder->costs[errand->targets[0]] < INFINITY)
        attach(finder, errand->targets[0], parents);
    bool good = true;
    for (int32_t i = 0; i < errand->target_count; i++)
        good &= parents[errand->targets[i]] != TREE_OUTSIDE;
    return good;
}

static void load_tree(const Hops *hops, const int32_t *parents, bool both_ways, double amount,
                      double *loads)
{
    for (int32_t r = 0; r < hops->p; r++) {
        if (parents[r] < 0)
            continue;
        hops_add(hops, loads, parents[r], r, amount);
        if (both_ways)
            hops_add(hops, loads, r, parents[r], amount);
    }
}

/* A share of each block. Of paths from the same ranks some are found at once. */
static bool lead_all(Finder *finder, int64_t share, int pass)
{
    const Hops *hops = finder->hops;
    const Errand *before = NULL;
    int found = 0;
    for (size_t e = 0; e < finder->errands->count; e++) {
        const Errand *errand = &finder->errands->items[e];
        int32_t *parents = &finder->parents[((int64_t)e * finder->shares + share) * hops->p];
        const bool again = before && before->target_count == 1 && errand->target_count == 1 &&
                           before->sources == errand->sources && found < AT_ONCE;
        watch_poll(hops->arena);
        if (pass)
            load_tree(hops, parents, finder->both_ways, -1, finder->loads);
        /* Links become the dearer the nearer they are to the busiest. */
        const double most = again ? 0 : busiest(hops, finder->loads), steepness = 6 + 2.0 * pass;
        for (size_t i = 0; i < hops->link_count && !again; i++)
            finder->prices[i] = exp(steepness * ((most > 0 ? finder->loads[i] / most : 0) - 1));
        if (!lead(finder, errand, share, again, parents))
            return false;
        load_tree(hops, parents, finder->both_ways, 1, finder->loads);
        before = errand, found = again ? found + 1 : 1;
    }
    return true;
}

/* The busiest link for a block, INFINITY if not all ranks are reached. */
static double lead_in_passes(Finder *finder, int64_t shares)
{
    const Hops *hops = finder->hops;
    const size_t room = finder->errands->count * (size_t)(shares * hops->p);
    double least = INFINITY;
    finder->shares = shares;
    finder->parents = ARENA_ROOM(hops->arena, int32_t, room);
    int32_t *best = ARENA_ROOM(hops->arena, int32_t, room);
    memset(finder->loads, 0, hops->link_count * sizeof *finder->loads);
    for (int pass = 0, idle = 0; pass < MOST_PASSES && idle < IDLE_PASSES; pass++, idle++) {
        for (int64_t s = 0; s < shares; s++)
            if (!lead_all(finder, s, pass))
                return INFINITY;
        const double most = busiest(hops, finder->loads) / (double)shares;
        if (most >= least * (1 - 1e-9))
            continue;
        least = most, idle = 0;
        memcpy(best, finder->parents, room * sizeof *best);
    }
    finder->parents = best;
    return least;
}

static void turn_to(int32_t *parents, int32_t root)
{
    for (int32_t at = root, above = TREE_ROOT; at >= 0;) {
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

void ways_measure(TreePacking *packing)
{
    for (size_t t = 0; t < packing->trees.count; t++) {
        PackedTree *tree = &packing->trees.items[t];
        farthest(packing->p, tree->parents, &tree->height);
        packing->height = tree->height > packing->height ? tree->height : packing->height;
    }
}

static PackedTree *add_tree(const Hops *hops, const Errand *errand, int32_t *parents,
                            TreePacking *packing)
{
    PackedTree *tree = ARRAY_PUSH(hops->arena, &packing->trees);
    *tree = (PackedTree){.root = errand->sources[0],
                         .block = errand->block,
                         .weight = 1,
                         .target = errand->targets[0],
                         .parents = parents};
    return tree;
}

/* Shares that take the same tree are one tree of more weight. */
static void list_trees(const Finder *finder, const Errand *errand, int32_t *parents,
                       TreePacking *packing)
{
    const size_t p = (size_t)finder->hops->p, first = packing->trees.count;
    for (int64_t s = 0; s < finder->shares; s++, parents += p) {
        size_t same = first;
        while (same < packing->trees.count &&
               (finder->both_ways ||
                memcmp(packing->trees.items[same].parents, parents, p * sizeof *parents)))
            same++;
        if (same < packing->trees.count) {
            packing->trees.items[same].weight++;
            continue;
        }
        PackedTree *tree = add_tree(finder->hops, errand, parents, packing);
        if (finder->both_ways) {
            /* With the middle of the longest path as its root. */
            turn_to(tree->parents, farthest(packing->p, tree->parents, &tree->height));
            int32_t at = farthest(packing->p, tree->parents, &tree->height);
            for (int32_t i = 0; i < tree->height / 2; i++)
                at = tree->parents[at];
            turn_to(tree->parents, at);
            tree->root = at;
        }
    }
}

bool ways_find(const Hops *hops, const Errands *errands, bool both_ways, TreePacking *packing)
{
    const size_t p = (size_t)hops->p;
    Arena *arena = hops->arena;
    Finder finder = {.hops = hops,
                     .errands = errands,
                     .both_ways = both_ways,
                     .loads = ARENA_ROOM(arena, double, hops->link_count),
                     .prices = ARENA_ROOM(arena, double, hops->link_count),
                     .costs = ARENA_ROOM(arena, double, p),
                     .previous = ARENA_ROOM(arena, int32_t, p),
                     .depths = ARENA_ROOM(arena, int32_t, p),
                     .is_done = ARENA_ROOM(arena, bool, p),
                     .is_wanted = ARENA_ROOM(arena, bool, p)};
    static const int64_t tried[] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 16, 24, 32, 48, 64};
    const double pass = (double)hops->p * (double)hops->p * MOST_PASSES;
    double least = INFINITY, work = 0, done = 0;
    for (size_t e = 0; e < errands->count; e++)
        work += errands->items[e].target_count > 1 ? 4 * pass : pass / AT_ONCE;
    Finder best = finder;
    for (size_t i = 0; i < COUNT_OF(tried); i++) {
        done += (double)tried[i] * work;
        if (i && done > most_work)
            break;
        const double most = lead_in_passes(&finder, tried[i]);
        if (most < least * (1 - worth_a_share))
            least = most, best = finder;
    }
    if (least == INFINITY)
        return false;
    finder = best;
    *packing = (TreePacking){.p = hops->p, .weight = finder.shares};
    for (size_t e = 0; e < errands->count; e++)
        list_trees(&finder, &errands->items[e],
                   &finder.parents[(int64_t)e * finder.shares * hops->p], packing);
    ways_measure(packing);
    return true;
}

void ways_directly(const Hops *hops, const Errands *errands, bool are_paths, TreePacking *packing)
{
    const int32_t *before = NULL;
    int32_t *parents = NULL;
    *packing = (TreePacking){.p = hops->p, .weight = 1};
    for (size_t e = 0; e < errands->count; e++) {
        const Errand *errand = &errands->items[e];
        if (!are_paths || before != errand->sources)
            parents = ARENA_ROOM(hops->arena, int32_t, (size_t)hops->p);
        for (int64_t r = 0; r < hops->p && (!are_paths || before != errand->sources); r++)
            parents[r] = TREE_OUTSIDE;
        for (int32_t t = 0; t < errand->target_count; t++) {
            int32_t *nearest = &parents[errand->targets[t]];
            for (int32_t s = 0; s < errand->source_count; s++)
                if (*nearest < 0 || hops_count(hops, errand->sources[s], errand->targets[t]) <
                                        hops_count(hops, *nearest, errand->targets[t]))
                    *nearest = errand->sources[s];
        }
        for (int32_t s = 0; s < errand->source_count; s++)
            parents[errand->sources[s]] = TREE_ROOT;
        add_tree(hops, errand, parents, packing);
        before = errand->sources;
    }
    packing->height = 1;
}

double ways_load(const Hops *hops, const TreePacking *packing)
{
    double *loads = ARENA_ARRAY(hops->arena, double, hops->link_count);
    for (size_t t = 0; t < packing->trees.count; t++)
        load_tree(hops, packing->trees.items[t].parents, false,
                  (double)packing->trees.items[t].weight / (double)packing->weight, loads);
    return busiest(hops, loads);
}

Errands ways_list_roots(Arena *arena, int64_t p, int64_t root)
{
    Errands errands = {0};
    int32_t *ranks = ARENA_ROOM(arena, int32_t, (size_t)p);
    for (int32_t r = 0; r < p; r++) {
        ranks[r] = r;
        if (root < 0 || r == root)
            *ARRAY_PUSH(arena, &errands) = (Errand){r, &ranks[r], ranks, 1, (int32_t)p};
    }
    return errands;
}

bool ways_list_errands(Arena *arena, const Contract *contract, Errands *errands, Diag *diag)
{
    const int64_t p = contract->p;
    int32_t *ranks = ARENA_ROOM(arena, int32_t, (size_t)p);
    int32_t *found = ARENA_ROOM(arena, int32_t, (size_t)p); /* sources from the front */
    for (int64_t b = 0; b < contract->block_count; b++) {
        int32_t sources = 0, targets = 0;
        for (int32_t r = 0; r < p; r++) {
            ranks[r] = r;
            if (holding_has(&contract->before, r, b))
                found[sources++] = r;
            else if (holding_has(&contract->after, r, b))
                found[p - ++targets] = r;
        }
        if (targets > 0 && sources == 0)
            return diag_error(diag, NOWHERE, "no rank has block %lld, which rank %d needs",
                              (long long)b, found[p - 1]);
        if (targets > 0) /* paths from the same rank are found at once */
            *ARRAY_PUSH(arena, errands) = (Errand){
                b,
                sources == 1 ? &ranks[found[0]]
                             : ARENA_COPY(arena, int32_t, found, (size_t)sources),
                ARENA_COPY(arena, int32_t, &found[p - targets], (size_t)targets), sources, targets};
    }
    return true;
}
