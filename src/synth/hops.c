#include "synth/hops.h"

#include "base/limits.h"

#include <string.h>

static void find_places(Hops *hops, const Network *network, const Routes *routes)
{
    const size_t pairs = (size_t)(hops->p * hops->p);
    size_t message = 0;
    for (size_t i = 0; i < pairs; i++) {
        const bool moves = i / (size_t)hops->p != i % (size_t)hops->p;
        hops->is_near[i] = moves;
        hops->starts[i + 1] = hops->starts[i] + (moves ? (size_t)routes->hops[message++] : 0);
    }
    for (size_t i = 0; i < routes->link_count; i++) {
        const size_t j = (size_t)routes->message[i];
        const size_t pair = j / (size_t)(hops->p - 1) * (size_t)hops->p + j % (size_t)(hops->p - 1);
        const size_t shifted =
            pair + (j % (size_t)(hops->p - 1) >= j / (size_t)(hops->p - 1)); /* past u to u */
        hops->links[hops->starts[shifted] + (size_t)routes->slot[i]] =
            (int32_t)network_find_link(network, routes->from[i], routes->to[i]);
        hops->is_near[shifted] &= routes->slot[i] == 0 || routes->from[i] >= hops->p;
    }
}

bool hops_find(Arena *arena, const Network *network, const Rules *rules, bool reversed, Hops *hops,
               Diag *diag)
{
    const int64_t p = network->p;
    Routes routes;
    if (p > LIMIT_PATHS_RANKS) {
        diag_limit(diag, NOWHERE, "paths are sought in networks of at most %d ranks",
                   LIMIT_PATHS_RANKS);
        return false;
    }
    const LinkCost *costs = rules_link_costs(arena, rules, network);
    const size_t count = (size_t)(p * (p - 1));
    const size_t link_count = (size_t)network_link_count(network);
    int64_t *from = ARENA_ROOM(arena, int64_t, count), *to = ARENA_ROOM(arena, int64_t, count);
    size_t n = 0;
    for (int64_t u = 0; u < p; u++)
        for (int64_t v = 0; v < p; v++)
            if (u != v)
                from[n] = reversed ? v : u, to[n++] = reversed ? u : v;
    if (!network_route(network, arena, n, from, to, &routes, diag))
        return false;
    double *times = ARENA_ARRAY(arena, double, link_count);
    *hops = (Hops){.arena = arena,
                   .p = p,
                   .link_count = link_count,
                   .times = times,
                   .starts = ARENA_ARRAY(arena, size_t, (size_t)(p * p) + 1),
                   .links = ARENA_ROOM(arena, int32_t, routes.link_count),
                   .is_near = ARENA_ARRAY(arena, bool, (size_t)(p * p))};
    for (size_t i = 0; i < hops->link_count; i++) {
        const LinkCost *cost = &costs[network_link_class(network, (int64_t)i)];
        times[i] = cost->values[PARAMETER_TW] / (double)cost->lanes;
    }
    find_places(hops, network, &routes);
    return true;
}

double hops_load(const Hops *hops, const double *loads, int64_t from, int64_t to, double amount)
{
    const size_t pair = (size_t)(from * hops->p + to);
    double most = 0;
    for (size_t i = hops->starts[pair]; i < hops->starts[pair + 1]; i++) {
        const int32_t link = hops->links[i];
        const double load = loads[link] + amount * hops->times[link];
        most = load > most ? load : most;
    }
    return most;
}

void hops_add(const Hops *hops, double *loads, int64_t from, int64_t to, double amount)
{
    const size_t pair = (size_t)(from * hops->p + to);
    for (size_t i = hops->starts[pair]; i < hops->starts[pair + 1]; i++)
        loads[hops->links[i]] += amount * hops->times[hops->links[i]];
}
