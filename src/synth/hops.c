#include "synth/hops.h"

#include <string.h>

/* Puts its ports, if there are any, behind the links of each message: ports to send are numbered
   behind links, those to receive behind these. */
static void find_places(Hops *hops, const Network *network, const Rules *rules, bool reversed,
                        const Routes *routes)
{
    const LinkCost *costs = rules_link_costs(hops->arena, rules, network);
    const size_t pairs = (size_t)(hops->p * hops->p), ports = hops->has_ports ? 2 : 0;
    const bool is_half = rules->duplex == DUPLEX_HALF; /* then both directions are one link */
    size_t message = 0;
    for (size_t i = 0; i < pairs; i++) {
        const bool moves = i / (size_t)hops->p != i % (size_t)hops->p;
        hops->is_near[i] = moves;
        hops->starts[i + 1] =
            hops->starts[i] + (moves ? (size_t)routes->hops[message++] + ports : 0);
    }
    for (size_t i = 0; i < routes->link_count; i++) {
        const size_t j = (size_t)routes->message[i];
        const size_t pair = j / (size_t)(hops->p - 1) * (size_t)hops->p + j % (size_t)(hops->p - 1);
        const size_t shifted =
            pair + (j % (size_t)(hops->p - 1) >= j / (size_t)(hops->p - 1)); /* past u to u */
        const size_t place = hops->starts[shifted] + (size_t)routes->slot[i];
        const int64_t link = network_find_link(network, routes->from[i], routes->to[i]);
        const LinkCost *cost = &costs[network_link_class(network, link)];
        const double time = cost->values[PARAMETER_TW];
        const int64_t back =
            is_half ? network_find_link(network, routes->to[i], routes->from[i]) : -1;
        hops->links[place] = (int32_t)(back >= 0 && back < link ? back : link);
        hops->times[place] = time / (double)cost->lanes;
        for (size_t port = hops->starts[shifted + 1] - ports; port < hops->starts[shifted + 1];
             port++)
            hops->times[port] = time > hops->times[port] ? time : hops->times[port];
        hops->is_near[shifted] &= routes->slot[i] == 0 || routes->from[i] >= hops->p;
    }
    const int64_t p = hops->p, first = network_link_count(network);
    for (int64_t pair = 0; pair < p * p && ports; pair++) {
        const int64_t u = pair / p, v = pair % p, from = reversed ? v : u, to = reversed ? u : v;
        const size_t end = hops->starts[pair + 1];
        if (u == v)
            continue;
        hops->links[end - 2] = (int32_t)(first + from);
        hops->links[end - 1] = (int32_t)(first + p + to);
        hops->times[end - 2] /= (double)rules_send_ports(rules, network, from);
        hops->times[end - 1] /= (double)rules_receive_ports(rules, network, to);
    }
}

bool hops_try(Arena *arena, const Network *network, const Rules *rules, bool reversed, Hops *hops)
{
    Diag silent = diag_silent();
    return hops_find(arena, network, rules, reversed, hops, &silent);
}

bool hops_find(Arena *arena, const Network *network, const Rules *rules, bool reversed, Hops *hops,
               Diag *diag)
{
    const int64_t p = network->p;
    Routes routes;
    if (p > LIMIT_PATHS_RANKS)
        return diag_limit(diag, NOWHERE, "paths are sought in networks of at most %d ranks",
                          LIMIT_PATHS_RANKS);
    const LinkCost *costs = rules_link_costs(arena, rules, network);
    const size_t count = (size_t)(p * (p - 1));
    int64_t *from = ARENA_ROOM(arena, int64_t, count), *to = ARENA_ROOM(arena, int64_t, count);
    size_t n = 0;
    for (int64_t u = 0; u < p; u++)
        for (int64_t v = 0; v < p; v++)
            if (u != v)
                from[n] = reversed ? v : u, to[n++] = reversed ? u : v;
    if (!network_route(network, arena, n, from, to, &routes, diag))
        return false;
    /* Where all links of a rank are alike, and have ports, these are no busier than links. */
    size_t ports = rules->all_ports ? 0 : 2;
    for (size_t i = 1; i < network->class_count; i++)
        if (costs[i].values[PARAMETER_TW] != costs[0].values[PARAMETER_TW])
            ports = 2;
    const size_t room = routes.link_count + ports * count;
    *hops = (Hops){.arena = arena,
                   .p = p,
                   .has_ports = ports > 0,
                   .link_count = (size_t)(network_link_count(network) + (ports ? 2 * p : 0)),
                   .starts = ARENA_ARRAY(arena, size_t, (size_t)(p * p) + 1),
                   .links = ARENA_ROOM(arena, int32_t, room),
                   .times = ARENA_ARRAY(arena, double, room),
                   .is_near = ARENA_ARRAY(arena, bool, (size_t)(p * p))};
    find_places(hops, network, rules, reversed, &routes);
    return true;
}

double hops_load(const Hops *hops, const double *loads, int64_t from, int64_t to, double amount)
{
    const size_t pair = (size_t)(from * hops->p + to);
    double most = 0;
    for (size_t i = hops->starts[pair]; i < hops->starts[pair + 1]; i++) {
        const int32_t link = hops->links[i];
        const double load = loads[link] + amount * hops->times[i];
        most = load > most ? load : most;
    }
    return most;
}

void hops_add(const Hops *hops, double *loads, int64_t from, int64_t to, double amount)
{
    const size_t pair = (size_t)(from * hops->p + to);
    for (size_t i = hops->starts[pair]; i < hops->starts[pair + 1]; i++)
        loads[hops->links[i]] += amount * hops->times[i];
}
