#include "study/model_check.h"

#include "net/network.h"
#include "sched/contract.h"

/* Numbers of ranks that are tried; up to which a topology's own number is laid out; and up to which
   all pairs of ranks are routed. */
enum { MOST_TRIED = 16, MOST_LAID_OUT = 4096, MOST_PAIRED = 64 };

static bool route_pairs(Arena *arena, const Network *network, Diag *diag)
{
    size_t p = (size_t)network->p, count = 0;
    int64_t *from = ARENA_ROOM(arena, int64_t, p * p), *to = ARENA_ROOM(arena, int64_t, p * p);
    Routes routes;
    for (size_t pair = 0; pair < p * p; pair++) {
        from[count] = (int64_t)(pair / p);
        to[count] = (int64_t)(pair % p);
        count += from[count] != to[count];
    }
    return count == 0 || network_route(network, arena, count, from, to, &routes, diag);
}

/* Is there a network of p ranks? It is reported to `refusals` why not, and to `diag` where messages
   go astray; then *good is false. */
static bool try_ranks(Arena *arena, const Topology *topology, int64_t p, bool *good, Diag *refusals,
                      Diag *diag)
{
    Network network;
    if (!topology_has_shape(topology, p))
        return false;
    Shape shape = topology_shape(topology, p);
    if (!network_create(arena, topology, &shape, TIES_PLUS, &network, refusals))
        return false;
    if (p <= MOST_PAIRED && !topology->direct)
        *good = route_pairs(arena, &network, diag);
    return true;
}

bool model_check_topology(Arena *arena, const Topology *topology, Diag *diag)
{
    Diag silent = diag_silent();
    bool any = false, good = true;
    int64_t first = topology->ranks ? topology->ranks : 2, refused = 0;
    int64_t last = topology->ranks ? topology->ranks : MOST_TRIED;
    if (first > MOST_LAID_OUT)
        return true;
    for (int64_t p = first; p <= last && good; p++) {
        size_t errors = silent.error_count;
        Arena *scratch = arena_scratch(arena);
        any |= try_ranks(scratch, topology, p, &good, &silent, diag);
        refused = refused == 0 && silent.error_count > errors ? p : refused;
        arena_destroy(scratch);
    }
    if (any || refused == 0)
        return good;
    try_ranks(arena, topology, refused, &good, diag, diag);
    return false;
}

bool model_check_collective(Arena *arena, const Collective *collective, Diag *diag)
{
    Diag silent = diag_silent();
    Contract contract;
    for (int64_t p = 2; p <= MOST_TRIED / 2; p++) {
        Arena *scratch = arena_scratch(arena);
        bool good = contract_create(scratch, collective, p, 0, p - 1, &contract, &silent);
        arena_destroy(scratch);
        if (good || silent.limit_count)
            return true;
    }
    return contract_create(arena, collective, 2, 0, 1, &contract, diag);
}
