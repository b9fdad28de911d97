#include "claims/compare.h"

#include "claims/grid.h"
#include "net/measure.h"

/* Distances between all pairs of ranks of one network. */
typedef struct {
    int64_t p, total, longest;
    int64_t *distances; /* p x p */
    int64_t *pairs;     /* at each distance, from 0 */
} Distances;

static Distances find_distances(Arena *arena, const Network *network)
{
    size_t p = (size_t)network->p, nodes = (size_t)network->node_count;
    Distances found = {.p = network->p};
    int64_t *row = ARENA_ROOM(arena, int64_t, nodes);
    found.distances = ARENA_ROOM(arena, int64_t, p * p);
    found.pairs = ARENA_ARRAY(arena, int64_t, nodes + 1);
    for (size_t s = 0; s < p; s++) {
        network_distances(network, arena, (int64_t)s, row);
        for (size_t r = 0; r < p; r++) {
            found.distances[s * p + r] = row[r];
            found.longest = row[r] > found.longest ? row[r] : found.longest;
            found.total += row[r] > 0 ? row[r] : 0;
            found.pairs[row[r] > 0 ? row[r] : 0]++;
        }
    }
    return found;
}

/* The node behind `from` on the path to `to`; -1: the same rank, or there is no path. */
static int64_t find_next(const Judge *judge, const Network *network, int64_t from, int64_t to)
{
    Routes routes;
    if (from == to)
        return -1;
    if (!network->starts)
        return to;
    if (!network_route(network, judge->scratch, 1, &from, &to, &routes, judge->diag))
        return -1;
    for (size_t i = 0; i < routes.link_count; i++)
        if (routes.from[i] == from)
            return routes.to[i];
    return -1;
}

static void compare_claim(const Trial *trial, const Distances *distances)
{
    Arena *arena = trial->judge->arena;
    Place *place = trial->place;
    int64_t p = distances->p, pairs = p * (p - 1);
    const bool is_next = trial->claim->kind == CLAIM_NEXT;
    Exact found;
    switch (trial->claim->kind) {
    case CLAIM_PAIRS:
        for (int64_t j = 1; j <= distances->longest && trial->verdict->holds; j++) {
            place->point.j = j;
            judge_compare_value(trial, exact_from_int(distances->pairs[j]),
                                arena_printf(arena, "at distance %lld", (long long)j));
        }
        return;
    case CLAIM_DISTANCE:
    case CLAIM_NEXT:
        for (int64_t pair = 0; pair < p * p && trial->verdict->holds; pair++) {
            const int64_t from = pair / p, to = pair % p;
            if (from == to && is_next)
                continue;
            place->point.r = from;
            place->point.to = to;
            found = exact_from_int(is_next ? find_next(trial->judge, place->network, from, to)
                                           : distances->distances[pair]);
            judge_compare_value(
                trial, found,
                arena_printf(arena, "from %lld to %lld", (long long)from, (long long)to));
        }
        return;
    case CLAIM_LINKS:
        found = exact_from_int(network_measure(place->network).links);
        break;
    case CLAIM_DIAMETER:
    case CLAIM_DIAMETER_AT_MOST:
        found = exact_from_int(distances->longest);
        break;
    case CLAIM_TOTAL:
        found = exact_from_int(distances->total);
        break;
    default: /* CLAIM_MEAN; one rank has no other */
        if (pairs == 0)
            return;
        found = exact_divide(exact_from_int(distances->total), exact_from_int(pairs));
        break;
    }
    judge_compare_value(trial, found, "");
}

void judge_topology(Judge *judge)
{
    const Topology *topology = judge->subject.topology;
    ShapeArray shapes = {0};
    if (judge->claims->count)
        shapes = verdict_grid_shapes(judge->arena, judge->grid, topology, NULL);
    for (size_t n = 0; n < shapes.count; n++) {
        const Shape *shape = &shapes.items[n];
        Network network;
        Place place = {.topology = topology->head.name,
                       .network = &network,
                       .point = claim_point(shape, 0, 1, 1)};
        if (shape->p < judge->grid->least_p)
            continue;
        ArenaMark mark = arena_mark(judge->scratch);
        /* Sizes for which the links make no network are none of the topology's. */
        if (network_try(judge->scratch, topology, shape, TIES_PLUS, &network)) {
            Distances distances = find_distances(judge->scratch, &network);
            judge_set_vectors(&place);
            for (size_t i = 0; i < judge->claims->count; i++)
                if (judge_is_open(judge, i, &place))
                    compare_claim(
                        &(Trial){judge, &judge->claims->items[i], &judge->verdicts[i], &place},
                        &distances);
        }
        arena_release(judge->scratch, mark);
    }
}
