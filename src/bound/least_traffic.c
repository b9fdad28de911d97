#include "bound/demand.h"

#include <math.h>

/* What remains of a network without one group of links. */
typedef struct {
    const Network *network;
    int64_t *part;    /* of each node: the least node of its part */
    int64_t *ranks;   /* of each part, by its least node, likewise: its ranks */
    int64_t *in;      /* links of the group that lead into it */
    int64_t *out;     /* and out of it */
    bool joins_ranks; /* some link of the group leads from one part with ranks to another */
} Parts;

static Parts part_network(Arena *arena, const LinkGroups *groups, size_t group)
{
    const Network *network = groups->network;
    size_t nodes = (size_t)network->node_count;
    Parts parts = {network,
                   ARENA_ROOM(arena, int64_t, nodes),
                   ARENA_ARRAY(arena, int64_t, nodes),
                   ARENA_ARRAY(arena, int64_t, nodes),
                   ARENA_ARRAY(arena, int64_t, nodes),
                   !network->starts};
    for (int64_t n = 0; n < network->node_count; n++)
        parts.part[n] = n;
    for (int64_t n = 0; network->starts && n < network->node_count; n++)
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++) {
            const int64_t to = network->neighbours[i];
            const size_t class = network_link_class(network, i);
            if (link_groups_find(groups, n, to, class) != group)
                joined_join(parts.part, n, to);
        }
    for (int64_t n = 0; n < network->node_count; n++)
        parts.part[n] = joined_root(parts.part, n);
    for (int64_t r = 0; r < network->p; r++)
        parts.ranks[parts.part[r]]++;
    for (int64_t n = 0; network->starts && n < network->node_count; n++)
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++) {
            const int64_t from = parts.part[n], to = parts.part[network->neighbours[i]];
            if (from == to)
                continue;
            parts.out[from]++;
            parts.in[to]++;
            parts.joins_ranks |= parts.ranks[from] > 0 && parts.ranks[to] > 0;
        }
    for (int64_t r = 0; !network->starts && r < network->p; r++)
        parts.in[r] = parts.out[r] = network->p - 1;
    return parts;
}

/* Parts with a rank in from .. to that holds something afterwards, or any. */
static int64_t count_parts(Arena *arena, const Parts *parts, int64_t from, int64_t to,
                           const Holding *after)
{
    bool *seen = ARENA_ARRAY(arena, bool, (size_t)parts->network->node_count);
    int64_t count = 0;
    for (int64_t r = from; r <= to; r++) {
        bool counts = !after || holding_count(after, r) > 0;
        count += counts && !seen[parts->part[r]];
        seen[parts->part[r]] |= counts;
    }
    return count;
}

/* Crossings of what is combined of the same contributions everywhere: until one part has all, all
   others have sent; then all others that need it must receive. */
static int64_t count_combined(Arena *arena, const Demand *demand, const Parts *parts)
{
    const Contract *contract = demand->contract;
    const Holding *after = &contract->after;
    int64_t p = contract->p, holder = after->from;
    if (!contract->combines || !after->is_shared || after->holders == 0 ||
        !demand_share_contributors(demand))
        return 0;
    int64_t giving = count_parts(arena, parts, per_rank(&contract->contributors_from, holder),
                                 per_rank(&contract->contributors_to, holder), NULL);
    int64_t taking = count_parts(arena, parts, 0, p - 1, after);
    int64_t blocks = 0;
    for (int64_t i = 0; i < holding_count(after, holder); i++)
        blocks += demand_weight(demand, holding_block(after, holder, i));
    return blocks * (giving - 1 + taking - 1);
}

static LeastTraffic find_least(Arena *arena, const Demand *demand, const LinkGroups *groups,
                               size_t group)
{
    Parts parts = part_network(arena, groups, group);
    const Network *network = parts.network;
    bool *inside = ARENA_ROOM(arena, bool, (size_t)network->p);
    LeastTraffic least = {0, 0};
    double all_in = 0, all_out = 0;
    for (int64_t n = 0; n < network->node_count; n++) {
        int64_t leaving, entering; /* blocks that must leave the part, and come into it */
        if (parts.part[n] != n || parts.ranks[n] == 0 || parts.ranks[n] == network->p)
            continue;
        if (n < network->p && parts.ranks[n] == 1) {
            leaving = per_rank(&demand->leaving, n);
            entering = per_rank(&demand->entering, n);
        } else {
            for (int64_t r = 0; r < network->p; r++)
                inside[r] = parts.part[r] == n;
            leaving = demand_crossing(demand, inside);
            for (int64_t r = 0; r < network->p; r++)
                inside[r] = !inside[r];
            entering = demand_crossing(demand, inside);
        }
        all_out += (double)leaving;
        all_in += (double)entering;
        if (parts.out[n])
            least.busiest = fmax(least.busiest, (double)leaving / (double)parts.out[n]);
        if (parts.in[n])
            least.busiest = fmax(least.busiest, (double)entering / (double)parts.in[n]);
    }
    least.total = fmax(fmax(all_in, all_out), (double)count_combined(arena, demand, &parts)) *
                  (parts.joins_ranks ? 1 : 2);
    if (groups->items[group].count)
        least.busiest = fmax(least.busiest, least.total / (double)groups->items[group].count);
    return least;
}

void least_traffic_find(Arena *arena, const Contract *contract, const LinkGroups *groups,
                        LeastTraffic *least)
{
    Arena *scratch = arena_scratch(arena);
    Demand demand = demand_count(scratch, contract);
    for (size_t g = 0; g < groups->count; g++)
        least[g] =
            contract->is_empty ? (LeastTraffic){0, 0} : find_least(scratch, &demand, groups, g);
    arena_destroy(scratch);
}
