#include "synth/relay.h"

#include "base/watch.h"
#include "synth/relay_exact.h"
#include "synth/ways.h"

#include <math.h>
#include <string.h>

enum { PASSES = 3, MOST_TRIES = 2000, MOST_WORK = 20000000 };

/* One round of all trees. */
typedef struct {
    const Hops *hops;
    double *loads; /* of each link */
    TreePacking *packing;
    int32_t round;
    bool near_only;
} Round;

/* The root, and then always the rank that is the farthest from all before it. */
static void spread_out(const Hops *hops, int32_t root, int32_t *order, size_t *nearest)
{
    const int64_t p = hops->p;
    for (int64_t r = 0; r < p; r++)
        nearest[r] = hops_count(hops, root, r);
    nearest[root] = 0;
    order[0] = root;
    for (int64_t i = 1; i < p; i++) {
        int64_t farthest = -1;
        for (int64_t step = 1; step < p; step++) {
            const int64_t r = (root + step) % p;
            if (nearest[r] > 0 && (farthest < 0 || nearest[r] > nearest[farthest]))
                farthest = r;
        }
        order[i] = (int32_t)farthest;
        for (int64_t r = 0; r < p; r++) {
            const size_t distance = r == farthest ? 0 : hops_count(hops, farthest, r);
            nearest[r] = distance < nearest[r] ? distance : nearest[r];
        }
    }
}

/* By the number of messages from neighbour to neighbour. *rounds gets the largest; false: some rank
   is not reached. */
static bool order_by_distance(const Hops *hops, int32_t root, int32_t *order, int32_t *depths,
                              int32_t *rounds)
{
    const int64_t p = hops->p;
    int64_t tail = 1;
    for (int64_t r = 0; r < p; r++)
        depths[r] = r == root ? 0 : -1;
    order[0] = root;
    for (int64_t head = 0; head < tail; head++)
        for (int64_t r = 0; r < p; r++)
            if (depths[r] < 0 && hops->is_near[order[head] * p + r])
                depths[r] = depths[order[head]] + 1, order[tail++] = (int32_t)r;
    *rounds = depths[order[tail - 1]] > *rounds ? depths[order[tail - 1]] : *rounds;
    return tail == p;
}

/* From the rank that loads links the least, of these the nearest. */
static int32_t choose_sender(const Round *round, size_t t, int32_t to)
{
    const PackedTree *tree = &round->packing->trees.items[t];
    const Hops *hops = round->hops;
    int32_t best = -1;
    double least = INFINITY;
    for (int32_t from = 0; from < hops->p; from++) {
        if (tree->rounds[from] >= round->round ||
            (round->near_only && !hops->is_near[from * hops->p + to]))
            continue;
        const double load = hops_load(hops, round->loads, from, to, 1);
        const bool is_nearer =
            best >= 0 && load <= least && hops_count(hops, from, to) < hops_count(hops, best, to);
        if (best < 0 || load < least * (1 - 1e-9) || is_nearer)
            best = from, least = load;
    }
    return best;
}

/* Tree by tree, and then again with what all others load. */
static double fill(Round *round)
{
    const Hops *hops = round->hops;
    double most = 0;
    memset(round->loads, 0, hops->link_count * sizeof *round->loads);
    for (int pass = 0; pass < PASSES; pass++)
        for (size_t t = 0; t < round->packing->trees.count; t++) {
            PackedTree *tree = &round->packing->trees.items[t];
            watch_poll(hops->arena);
            for (int32_t r = 0; r < hops->p; r++) {
                if (tree->rounds[r] != round->round)
                    continue;
                if (pass)
                    hops_add(hops, round->loads, tree->parents[r], r, -1);
                tree->parents[r] = choose_sender(round, t, r);
                hops_add(hops, round->loads, tree->parents[r], r, 1);
            }
        }
    for (size_t i = 0; i < hops->link_count; i++)
        most = round->loads[i] > most ? round->loads[i] : most;
    return most;
}

/* When each rank is reached, so that each rank that has the data sends it equally often. */
static void set_rounds(const Hops *hops, int32_t rounds, const int32_t *order, PackedTree *tree)
{
    int64_t place = 1;
    for (int32_t round = 1; round <= rounds; round++) {
        const double reached = pow((double)hops->p, (double)round / rounds);
        int64_t end = round == rounds ? hops->p : (int64_t)ceil(reached - 1e-9);
        for (; place < end && place < hops->p; place++)
            tree->rounds[order[place]] = round;
    }
}

static double fill_all(Round *round, int32_t rounds)
{
    double sum = 0;
    for (round->round = 1; round->round <= rounds; round->round++)
        sum += fill(round);
    return sum;
}

/* Two ranks of a single tree change places, if links carry no more then, and again. Returns what
   they carry. */
static double improve(Round *round, int32_t rounds, double sum)
{
    PackedTree *tree = &round->packing->trees.items[0];
    const size_t p = (size_t)round->hops->p;
    const int64_t tries = MOST_WORK / (int64_t)(p * p * PASSES * 4);
    ArenaMark mark = arena_mark(round->hops->arena);
    int32_t *parents = ARENA_ROOM(round->hops->arena, int32_t, p);
    uint64_t state = 1;
    for (int64_t i = 0; i < tries && i < MOST_TRIES && rounds > 1; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        int32_t *a = &tree->rounds[(state >> 33) % p], *b = &tree->rounds[(state >> 17) % p];
        if (*a == *b || *a == 0 || *b == 0)
            continue;
        const int32_t before = *a;
        memcpy(parents, tree->parents, p * sizeof *parents);
        *a = *b, *b = before;
        const double changed = fill_all(round, rounds);
        if (changed <= sum) {
            sum = changed;
            continue;
        }
        *b = *a, *a = before;
        memcpy(tree->parents, parents, p * sizeof *parents);
    }
    arena_release(round->hops->arena, mark);
    return sum;
}

bool relay_find(const Hops *hops, int64_t root, int32_t rounds, TreePacking *packing,
                double *transfer)
{
    const size_t p = (size_t)hops->p;
    Arena *arena = hops->arena;
    int32_t *order = ARENA_ROOM(arena, int32_t, p), most = rounds;
    size_t *nearest = ARENA_ROOM(arena, size_t, p);
    *packing = (TreePacking){.p = hops->p, .weight = 1};
    for (int64_t r = root < 0 ? 0 : root; r < (root < 0 ? hops->p : root + 1); r++) {
        PackedTree *tree = ARRAY_PUSH(arena, &packing->trees);
        *tree = (PackedTree){.root = (int32_t)r,
                             .weight = 1,
                             .parents = ARENA_ROOM(arena, int32_t, p),
                             .rounds = ARENA_ARRAY(arena, int32_t, p)};
        tree->parents[r] = -1;
        if (rounds == 0 && !order_by_distance(hops, (int32_t)r, order, tree->rounds, &most))
            return false;
        if (rounds == 0)
            continue;
        spread_out(hops, (int32_t)r, order, nearest);
        set_rounds(hops, rounds, order, tree);
    }
    Round round = {.hops = hops,
                   .loads = ARENA_ARRAY(arena, double, hops->link_count),
                   .packing = packing,
                   .near_only = rounds == 0};
    PackedTree *tree = &packing->trees.items[0];
    if (rounds > 0 && root >= 0 && hops->p <= MOST_EXACT_RANKS) {
        *transfer = relay_exactly(hops, (int32_t)root, rounds, tree->parents, tree->rounds);
    } else {
        *transfer = fill_all(&round, most);
        if (rounds > 0 && root >= 0)
            *transfer = improve(&round, most, *transfer);
    }
    ways_measure(packing);
    return true;
}
