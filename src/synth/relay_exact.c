#include "synth/relay_exact.h"

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

static void fill_table(Search *search, int32_t root, int32_t rounds)
{
    const uint32_t all = (1U << search->hops->p) - 1;
    for (int32_t left = 0; left <= rounds; left++)
        for (uint32_t have = 0; have <= all; have++) {
            double *rest = &search->rest[left][have];
            *rest = have == all ? 0 : INFINITY;
            if (have == all || left == 0 || !(have >> root & 1))
                continue;
            const uint32_t lack = all & ~have;
            for (uint32_t get = lack; get > 0; get = (get - 1) & lack) {
                const double after = search->rest[left - 1][have | get];
                const double sum = after < *rest ? after + least_load(search, have, get) : INFINITY;
                if (sum < *rest * (1 - 1e-12))
                    *rest = sum, search->next[left][have] = get;
            }
        }
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
    fill_table(&search, root, rounds);
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
