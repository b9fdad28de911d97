#include "topology/net.h"

static bool has_link(const Net *net, int64_t a, int64_t b)
{
    size_t low = 0, high = net->links.count;
    const int64_t from = a < b ? a : b, to = a < b ? b : a;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const NetLink *link = &net->links.items[middle];
        if (link->a < from || (link->a == from && link->b < to))
            low = middle + 1;
        else
            high = middle;
    }
    return low < net->links.count && net->links.items[low].a == from &&
           net->links.items[low].b == to;
}

/* Is it the grid of these sizes, the first varying fastest, in which all lines are rings? */
static bool is_torus(const Net *net, const int64_t *sizes, int count)
{
    const int64_t p = net_rank_count(net);
    int64_t stride = 1, links = 0;
    for (int d = 0; d < count; stride *= sizes[d++])
        for (int64_t r = 0; r < p; r++) {
            const int64_t at = r / stride % sizes[d], next = (at + 1) % sizes[d];
            if (sizes[d] == 2 && at == 1)
                continue;
            links++;
            if (!has_link(net, r, r + (next - at) * stride))
                return false;
        }
    return links == (int64_t)net->links.count;
}

static bool find_torus(Net *net)
{
    const int64_t p = net_rank_count(net);
    if ((int64_t)net->links.count < p || (int64_t)net->links.count > MOST_NET_DIMENSIONS * p)
        return false;
    const int64_t ring[] = {p};
    if (p > 2 && is_torus(net, ring, 1)) {
        net->like = arena_printf(net->arena, "ring:%lld", (long long)p);
        return true;
    }
    for (int64_t x = 2; x <= p / 2; x++)
        for (int64_t y = 2; p % x == 0 && y <= p / x; y++) {
            const int64_t sizes[] = {x, y, p / x / y};
            const int count = sizes[2] > 1 ? 3 : 2;
            if (p / x % y || !is_torus(net, sizes, count))
                continue;
            net->like =
                count == 2 ? arena_printf(net->arena, "torus:%lldx%lld", (long long)x, (long long)y)
                           : arena_printf(net->arena, "torus:%lldx%lldx%lld", (long long)x,
                                          (long long)y, (long long)sizes[2]);
            return true;
        }
    return false;
}

/* Networks whose links have one level and the same properties, one cable each: their library
   topologies have no levels. */
static void find_plain(Net *net)
{
    const NetLink *links = net->links.items;
    const int64_t p = net_rank_count(net), switches = net_count(net) - p;
    const int64_t count = (int64_t)net->links.count;
    bool is_star = p > 1 && switches == 1 && count == p;
    if (!count || net->levels[links[0].level].capacity > 0)
        return;
    for (int64_t i = 0; i < count; i++) {
        if (!net_alike(&links[i], &links[0]) || links[i].lanes != 1)
            return;
        is_star &= links[i].b == p;
    }
    if (is_star)
        net->like = arena_printf(net->arena, "star:%lld", (long long)p);
    else if (!switches && p > 2 && count == p * (p - 1) / 2)
        net->like = arena_printf(net->arena, "full:%lld", (long long)p);
    else if (!switches)
        find_torus(net);
    if (net->like) {
        net->levels[0] = net->levels[links[0].level];
        net->level_count = 1;
    }
}

/* A network of two levels of switches: what its links are. */
typedef struct {
    int64_t p, leaves, under, spines; /* under: ranks below a leaf, one behind the other */
    const NetLink *host, *trunk;
} TwoLevels;

/* Rank r has one link, to leaf r div `under`; all other links are between leaves and spines. */
static bool find_two_levels(const Net *net, TwoLevels *found)
{
    const int64_t p = net_rank_count(net), switches = net_count(net) - p;
    int32_t *leaf_of = ARENA_ARRAY(net->arena, int32_t, (size_t)p + 1);
    bool *is_leaf = ARENA_ARRAY(net->arena, bool, (size_t)switches + 1);
    *found = (TwoLevels){.p = p};
    for (size_t i = 0; i < net->links.count; i++) {
        const NetLink *link = &net->links.items[i],
                      **first = link->a < p ? &found->host : &found->trunk;
        if (link->a < p && (link->b < p || leaf_of[link->a]))
            return false;
        if (link->a < p)
            leaf_of[link->a] = link->b, is_leaf[link->b - p] = true;
        if (!*first)
            *first = link;
        if (!net_alike(link, *first))
            return false;
    }
    if (!found->host || !found->trunk || found->host->level == found->trunk->level ||
        found->host->lanes != 1)
        return false;
    while (found->under < p && leaf_of[found->under] == leaf_of[0])
        found->under++;
    for (int64_t r = 0; r < p; r++) {
        const bool begins = r % found->under == 0;
        if (!leaf_of[r] || (r && (leaf_of[r] == leaf_of[r - 1]) == begins))
            return false;
    }
    for (int64_t s = 0; s < switches; s++)
        found->leaves += is_leaf[s];
    found->spines = switches - found->leaves;
    int64_t pairs = 0;
    for (size_t i = 0; i < net->links.count; i++) {
        const NetLink *link = &net->links.items[i];
        pairs += link->a >= p && is_leaf[link->a - p] != is_leaf[link->b - p];
    }
    return found->leaves * found->under == p && found->leaves > 1 &&
           pairs == found->leaves * found->spines && pairs + p == (int64_t)net->links.count;
}

static void find_tree(Net *net)
{
    TwoLevels found;
    if (!find_two_levels(net, &found) || net->levels[found.host->level].capacity > 0 ||
        net->levels[found.trunk->level].capacity > 0)
        return;
    NetLevel host = net->levels[found.host->level], trunk = net->levels[found.trunk->level];
    const long long leaves = found.leaves, under = found.under;
    if (found.spines == 1 && under > 1) {
        net->like = arena_printf(net->arena, "cluster:%lldx%lld", leaves, under);
        host.name = "device", trunk.name = "node";
        trunk.ports = found.trunk->lanes;
    } else if (found.spines > 1 && found.trunk->lanes == 1 && under % found.spines == 0) {
        net->like = arena_printf(net->arena, "fat-tree:1x%lldx%lld", leaves, under);
        if (under > found.spines)
            net->like = arena_printf(net->arena, "%s:taper=%lld", net->like,
                                     (long long)(under / found.spines));
        host.name = "host", trunk.name = "pod";
    } else
        return;
    net->levels[0] = host, net->levels[1] = trunk;
    net->level_count = 2;
}

void net_recognise(Net *net)
{
    for (size_t i = 0; i < net->links.count; i++)
        if (net->links.items[i].is_one_way)
            return;
    if (net->like)
        return;
    find_plain(net);
    if (!net->like)
        find_tree(net);
}
