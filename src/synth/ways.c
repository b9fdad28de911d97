#include "synth/ways.h"

#include "base/limits.h"
#include "base/watch.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 40, IDLE_PASSES = 10 };
static const double most_work = 1e9;

typedef struct {
    const Hops *hops;
    WaysTask task;
    int64_t root, shares;
    double *loads, *prices; /* of each link */
    double *near_prices;    /* [from p + to] of neighbours */
    double *costs;          /* of each rank: from the source at hand */
    int32_t *previous;
    bool *is_done;
    int32_t **paths; /* of each pair and share: ranks, from the last to the first; -1 behind them */
} Finder;

/* Links become the dearer the nearer they are to the busiest. */
static void set_prices(Finder *finder, double steepness)
{
    const Hops *hops = finder->hops;
    double most = 0;
    for (size_t i = 0; i < hops->link_count; i++)
        most = fmax(most, finder->loads[i]);
    for (size_t i = 0; i < hops->link_count; i++)
        finder->prices[i] =
            hops->times[i] * exp(steepness * ((most > 0 ? finder->loads[i] / most : 0) - 1));
    for (size_t pair = 0; pair < (size_t)(hops->p * hops->p); pair++) {
        double price = 0;
        if (!hops->is_near[pair])
            continue;
        for (size_t i = hops->starts[pair]; i < hops->starts[pair + 1]; i++)
            price += finder->prices[hops->links[i]];
        finder->near_prices[pair] = price;
    }
}

/* The cheapest ways from a rank to all others. */
static void search(Finder *finder, int64_t source)
{
    const int64_t p = finder->hops->p;
    for (int64_t r = 0; r < p; r++)
        finder->costs[r] = INFINITY, finder->previous[r] = -1, finder->is_done[r] = false;
    finder->costs[source] = 0;
    for (int64_t i = 0; i < p; i++) {
        int32_t at = -1;
        for (int32_t r = 0; r < p; r++)
            if (!finder->is_done[r] && finder->costs[r] < INFINITY &&
                (at < 0 || finder->costs[r] < finder->costs[at]))
                at = r;
        if (at < 0)
            return;
        finder->is_done[at] = true;
        for (int32_t r = 0; r < p; r++) {
            const size_t pair = (size_t)(at * p + r);
            if (!finder->hops->is_near[pair] ||
                finder->costs[at] + finder->near_prices[pair] >= finder->costs[r])
                continue;
            finder->costs[r] = finder->costs[at] + finder->near_prices[pair];
            finder->previous[r] = at;
        }
    }
}

static void add_path(const Finder *finder, const int32_t *path, double amount)
{
    for (; path[1] >= 0; path++)
        hops_add(finder->hops, finder->loads, path[1], path[0], amount);
}

/* From `source`; false: it is not reached. */
static bool lead(const Finder *finder, int64_t source, int64_t to, int32_t *path)
{
    int64_t at = to;
    for (; at >= 0 && at != source; at = finder->previous[at])
        *path++ = (int32_t)at;
    *path++ = (int32_t)source;
    *path = -1;
    return at == source;
}

static size_t number_of(const Finder *finder, int64_t from, int64_t to, int64_t share)
{
    return (size_t)((from * finder->hops->p + to) * finder->shares + share);
}

/* A share of each block of a source, anew. After each of them loads count, after some prices. */
static bool lead_all(Finder *finder, int64_t source, int64_t share, bool again, double steepness)
{
    enum { AT_ONCE = 8 };
    const int64_t p = finder->hops->p;
    watch_poll(finder->hops->arena);
    for (int64_t i = 0; i < p - 1; i++) {
        const int64_t to = (source + 1 + i) % p;
        int32_t *path = finder->paths[number_of(finder, source, to, share)];
        if (again)
            add_path(finder, path, -1);
        if (i % AT_ONCE == 0)
            set_prices(finder, steepness), search(finder, source);
        if (!lead(finder, source, to, path))
            return false;
        add_path(finder, path, 1);
    }
    return true;
}

static void make_room(Finder *finder)
{
    const int64_t p = finder->hops->p;
    Arena *arena = finder->hops->arena;
    const bool is_all = finder->task == WAYS_BETWEEN_ALL;
    finder->paths = ARENA_ARRAY(arena, int32_t *, (size_t)(p * p * finder->shares));
    for (int64_t from = is_all ? 0 : finder->root; from < (is_all ? p : finder->root + 1); from++)
        for (int64_t to = 0; to < p; to++)
            for (int64_t s = 0; s < finder->shares && from != to; s++)
                finder->paths[number_of(finder, from, to, s)] =
                    ARENA_ROOM(arena, int32_t, (size_t)p + 1);
}

/* The busiest link for a block, INFINITY if not all ranks are reached. */
static double lead_in_passes(Finder *finder, int64_t shares)
{
    const Hops *hops = finder->hops;
    const size_t count = (size_t)(hops->p * hops->p * shares), room = (size_t)hops->p + 1;
    const bool is_all = finder->task == WAYS_BETWEEN_ALL;
    const int64_t first = is_all ? 0 : finder->root, end = is_all ? hops->p : first + 1;
    double least = INFINITY;
    finder->shares = shares;
    make_room(finder);
    int32_t **other = finder->paths;
    make_room(finder);
    memset(finder->loads, 0, hops->link_count * sizeof *finder->loads);
    for (int pass = 0, idle = 0; pass < MOST_PASSES && idle < IDLE_PASSES; pass++, idle++) {
        double most = 0;
        for (int64_t s = 0; s < shares; s++)
            for (int64_t source = first; source < end; source++)
                if (!lead_all(finder, source, s, pass > 0, 6 + 2.0 * pass))
                    return INFINITY;
        for (size_t i = 0; i < hops->link_count; i++)
            most = fmax(most, finder->loads[i] / (double)shares);
        if (most >= least * (1 - 1e-9))
            continue;
        least = most, idle = 0;
        for (size_t i = 0; i < count; i++)
            if (other[i])
                memcpy(other[i], finder->paths[i], room * sizeof **other);
    }
    finder->paths = other;
    return least;
}

static bool is_same(const int32_t *a, const int32_t *b)
{
    for (; *a == *b; a++, b++)
        if (*a < 0)
            return true;
    return false;
}

/* Shares that take the same path are one path of more weight. */
static void list_pair(const Finder *finder, int64_t from, int64_t to, WaySet *ways)
{
    Arena *arena = finder->hops->arena;
    for (int64_t s = 0; s < finder->shares; s++) {
        const int32_t *path = finder->paths[number_of(finder, from, to, s)];
        int32_t count = 0;
        for (int64_t other = 0; other < s; other++)
            if (is_same(path, finder->paths[number_of(finder, from, to, other)]))
                count = -1;
        if (count < 0)
            continue;
        while (path[count] >= 0)
            count++;
        Way *way = ARRAY_PUSH(arena, &ways->paths);
        *way = (Way){0, count, ARENA_ROOM(arena, int32_t, (size_t)count)};
        for (int32_t i = 0; i < count; i++)
            way->ranks[finder->task == WAYS_TO_ROOT ? i : count - 1 - i] = path[i];
        for (int64_t other = s; other < finder->shares; other++)
            way->weight += is_same(path, finder->paths[number_of(finder, from, to, other)]);
        ways->longest = count - 1 > ways->longest ? count - 1 : ways->longest;
    }
}

static void list_directly(const Finder *finder, int64_t from, int64_t to, WaySet *ways)
{
    Arena *arena = finder->hops->arena;
    Way *way = ARRAY_PUSH(arena, &ways->paths);
    const bool is_inward = finder->task == WAYS_TO_ROOT;
    *way = (Way){1, 2, ARENA_ROOM(arena, int32_t, 2)};
    way->ranks[0] = (int32_t)(is_inward ? to : from);
    way->ranks[1] = (int32_t)(is_inward ? from : to);
    ways->longest = 1;
}

static bool find_shares(Finder *finder, Diag *diag)
{
    static const int64_t tried[] = {1, 2, 3, 4, 6, 8, 12, 16};
    const double p = (double)finder->hops->p;
    const double sources = finder->task == WAYS_BETWEEN_ALL ? p : 1;
    double least = INFINITY;
    Finder best = *finder;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        const double work = (double)tried[i] * sources * p / 8 * p * p * MOST_PASSES;
        if (i && work > most_work)
            break;
        const double most = lead_in_passes(finder, tried[i]);
        if (most < least * (1 - 1e-3))
            least = most, best = *finder;
    }
    if (least == INFINITY)
        diag_error(diag, NOWHERE, "some rank of this network is not reached");
    *finder = best;
    return least < INFINITY;
}

bool ways_find(const Hops *hops, WaysTask task, int64_t root, bool directly, WaySet *ways,
               Diag *diag)
{
    const size_t p = (size_t)hops->p;
    Arena *arena = hops->arena;
    Finder finder = {.hops = hops,
                     .task = task,
                     .root = root,
                     .shares = 1,
                     .loads = ARENA_ROOM(arena, double, hops->link_count),
                     .prices = ARENA_ROOM(arena, double, hops->link_count),
                     .near_prices = ARENA_ROOM(arena, double, p *p),
                     .costs = ARENA_ROOM(arena, double, p),
                     .previous = ARENA_ROOM(arena, int32_t, p),
                     .is_done = ARENA_ROOM(arena, bool, p)};
    *ways = (WaySet){0};
    if (!directly && task == WAYS_BETWEEN_ALL && hops->p > LIMIT_SHARED_ALLTOALL) {
        diag_limit(diag, NOWHERE, "an alltoall is synthesized for at most %d ranks",
                   LIMIT_SHARED_ALLTOALL);
        return false;
    }
    if (!directly && !find_shares(&finder, diag))
        return false;
    ways->shares = finder.shares;
    const bool is_all = task == WAYS_BETWEEN_ALL;
    for (int64_t from = is_all ? 0 : root; from < (is_all ? hops->p : root + 1); from++)
        for (int64_t to = 0; to < hops->p; to++)
            if (from != to && directly)
                list_directly(&finder, from, to, ways);
            else if (from != to)
                list_pair(&finder, from, to, ways);
    return true;
}
