#include "synth/relay.h"
#include "base/watch.h"
#include "synth/ways.h"

#include <math.h>
#include <string.h>

enum { MOST_SETS = 1 << MOST_EXACT_RANKS };

typedef struct {
    const Hops *hops;
    double *loads;
    double (*least)[MOST_SETS]; /* [those that send][those that get]; NAN: not found yet */
    /* [rounds left][those that have the data]: the least that is still to come, and who gets it
       next */
    double (*rest)[MOST_SETS];
    uint32_t (*next)[MOST_SETS];
    int32_t senders[MOST_EXACT_RANKS], found[MOST_EXACT_RANKS];
    double most; /* that senders found so far load */
} Search;

/* All senders of the ranks from `to` on that may load less than those found so far. */
static void try_senders(Search *search, uint32_t from, uint32_t others, int32_t to, double load)
{
    const int32_t p = (int32_t)search->hops->p;
    while (to < p && !(others >> to & 1))
        to++;
    if (load >= search->most * (1 - 1e-12))
        return;
    if (to == p) {
        search->most = load;
        memcpy(search->found, search->senders, sizeof search->found);
        return;
    }
    for (int32_t r = 0; r < p; r++) {
        if (!(from >> r & 1))
            continue;
        const double more = hops_load(search->hops, search->loads, r, to, 1);
        search->senders[to] = r;
        hops_add(search->hops, search->loads, r, to, 1);
        try_senders(search, from, others, to + 1, more > load ? more : load);
        hops_add(search->hops, search->loads, r, to, -1);
    }
}

static double least_load(Search *search, uint32_t from, uint32_t others)
{
    if (!isnan(search->least[from][others]))
        return search->least[from][others];
    search->most = INFINITY;
    memset(search->loads, 0, search->hops->link_count * sizeof *search->loads);
    try_senders(search, from, others, 0, 0);
    return search->least[from][others] = search->most;
}

double relay_exactly(const Hops *hops, int32_t root, int32_t rounds, int32_t *parents,
                     int32_t *reached)
{
    Arena *arena = hops->arena;
    ArenaMark mark = arena_mark(arena);
    const uint32_t all = (1U << hops->p) - 1;
    Search search = {.hops = hops,
                     .loads = ARENA_ROOM(arena, double, hops->link_count),
                     .least = arena_room(arena, sizeof(double[MOST_SETS][MOST_SETS])),
                     .rest = arena_room(arena, (size_t)(rounds + 1) * sizeof(double[MOST_SETS])),
                     .next = arena_room(arena, (size_t)(rounds + 1) * sizeof(uint32_t[MOST_SETS]))};
    for (int i = 0; i < MOST_SETS; i++)
        for (int j = 0; j < MOST_SETS; j++)
            search.least[i][j] = NAN;
    for (int32_t left = 0; left <= rounds; left++)
        for (uint32_t have = 0; have <= all; have++) {
            double *rest = &search.rest[left][have];
            *rest = have == all ? 0 : INFINITY;
            if (have == all || left == 0 || !(have >> root & 1))
                continue;
            const uint32_t lack = all & ~have;
            for (uint32_t get = lack; get > 0; get = (get - 1) & lack) {
                const double after = search.rest[left - 1][have | get];
                const double sum =
                    after < *rest ? after + least_load(&search, have, get) : INFINITY;
                if (sum < *rest * (1 - 1e-12))
                    *rest = sum, search.next[left][have] = get;
            }
        }
    const double sum = search.rest[rounds][1U << root];
    uint32_t have = 1U << root;
    parents[root] = -1, reached[root] = 0;
    for (int32_t round = 1; have != all && sum < INFINITY; round++) {
        const uint32_t get = search.next[rounds + 1 - round][have];
        search.least[have][get] = NAN;
        least_load(&search, have, get);
        for (int32_t r = 0; r < hops->p; r++)
            if (get >> r & 1)
                parents[r] = search.found[r], reached[r] = round;
        have |= get;
    }
    arena_release(arena, mark);
    return sum;
}

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
        /* When each rank is reached, so that each rank that has the data sends it equally often. */
        int64_t place = 1;
        for (int32_t round = 1; round <= rounds; round++) {
            const double reached = pow((double)hops->p, (double)round / rounds);
            int64_t end = round == rounds ? hops->p : (int64_t)ceil(reached - 1e-9);
            for (; place < end && place < hops->p; place++)
                tree->rounds[order[place]] = round;
        }
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
