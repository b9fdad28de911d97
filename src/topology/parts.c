#include "topology/net.h"

#include <string.h>

bool net_joins_all(const Net *net, const NetLink *link, int level)
{
    (void)net;
    return level < 0 || link->level == level;
}

int32_t *net_groups(const Net *net, NetJoins *joins, int level)
{
    const size_t count = net->nodes.count;
    int32_t *group = ARENA_ARRAY(net->arena, int32_t, count + 1);
    for (size_t i = 0; i < count; i++)
        group[i] = (int32_t)i;
    for (size_t i = 0; i < net->links.count; i++) {
        const NetLink *link = &net->links.items[i];
        int32_t a = link->a, b = link->b;
        if (!joins(net, link, level))
            continue;
        while (group[a] != a)
            a = group[a] = group[group[a]];
        while (group[b] != b)
            b = group[b] = group[group[b]];
        group[a > b ? a : b] = a > b ? b : a;
    }
    for (size_t i = 0; i < count; i++)
        group[i] = group[group[i]];
    return group;
}

/* The nearest rank by links of any level, of several one with the fewest adapters so far. */
static int32_t nearest_rank(const Net *net, int32_t from, const int *served)
{
    const size_t count = net->nodes.count;
    int32_t *distance = ARENA_ARRAY(net->arena, int32_t, count + 1), best = -1;
    distance[from] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < net->links.count; i++)
            for (int end = 0; end < 2; end++) {
                const NetLink *link = &net->links.items[i];
                const int32_t a = end ? link->b : link->a, b = end ? link->a : link->b;
                if (distance[a] && (!distance[b] || distance[b] > distance[a] + 1))
                    distance[b] = distance[a] + 1, changed = true;
            }
    }
    for (size_t i = 0; i < count; i++)
        if (net->nodes.items[i].is_rank && distance[i] &&
            (best < 0 || distance[i] < distance[best] ||
             (distance[i] == distance[best] && served[i] < served[best])))
            best = (int32_t)i;
    return best;
}

int32_t net_apart(const Net *net, const int32_t *group)
{
    int32_t first = -1;
    for (int32_t i = 0; i < (int32_t)net->nodes.count; i++)
        if (net->nodes.items[i].is_rank && first < 0)
            first = i;
        else if (net->nodes.items[i].is_rank && group[i] != group[first])
            return i;
    return -1;
}

void net_drop_other_levels(Net *net, int level)
{
    const int32_t *group = net_groups(net, net_joins_all, level);
    int *served = ARENA_ARRAY(net->arena, int, net->nodes.count + 1);
    size_t kept = 0;
    if (net_apart(net, group) >= 0)
        return;
    for (size_t i = 0; i < net->adapters.count; i++) {
        const int32_t rank = nearest_rank(net, net->adapters.items[i].at, served);
        if (rank >= 0)
            served[net->adapters.items[i].at = rank]++;
    }
    for (size_t i = 0; i < net->links.count; i++)
        if (net->links.items[i].level == level)
            net->links.items[kept++] = net->links.items[i];
    if (kept && kept < net->links.count)
        net_note(net, "PCI between GPUs is left out: all of them reach one another by level '%s'",
                 net->levels[level].name);
    net->links.count = kept;
}

void net_prune(Net *net)
{
    const size_t count = net->nodes.count;
    for (bool changed = true; changed;) {
        int32_t *degrees = ARENA_ARRAY(net->arena, int32_t, count + 1);
        changed = false;
        for (size_t i = 0; i < net->links.count; i++) {
            const NetLink *link = &net->links.items[i];
            if (net->nodes.items[link->a].is_left_out || net->nodes.items[link->b].is_left_out)
                continue;
            degrees[link->a]++, degrees[link->b]++;
        }
        for (size_t i = 0; i < count; i++) {
            NetNode *node = &net->nodes.items[i];
            if (node->is_rank || node->is_left_out || degrees[i] > 1 ||
                strcmp(node->name, "nvswitch") == 0)
                continue;
            node->is_left_out = changed = true;
        }
    }
}

void net_warn_of_lonely(Net *net, int level, Span span)
{
    const size_t count = net->nodes.count;
    bool *has_any = ARENA_ARRAY(net->arena, bool, count + 1);
    const char *lonely = NULL;
    int64_t joined = net_rank_count(net);
    const long long ranks = joined;
    for (size_t i = 0; i < net->links.count; i++)
        if (net->links.items[i].level == level)
            has_any[net->links.items[i].a] = has_any[net->links.items[i].b] = true;
    for (size_t i = 0; i < count; i++) {
        const NetNode *node = &net->nodes.items[i];
        if (!node->is_rank || has_any[i])
            continue;
        lonely = lonely ? arena_printf(net->arena, "%s, %s", lonely, node->name) : node->name;
        joined--;
    }
    if (joined && lonely)
        net_warn(net, span, "%lld of %lld GPUs have %s: not %s", (long long)joined, ranks,
                 strcmp(net->levels[level].name, "xgmi") == 0 ? "XGMI" : "NVLink", lonely);
}

bool net_add_tiers(Net *net, int32_t first, int64_t hosts, const NetTier *tiers, int count,
                   Span span)
{
    int64_t width = 1, group = 1; /* nodes of a tier in a group; hosts of the group */
    int32_t below = first;
    for (int t = 0; t < count; t++) {
        const NetTier *tier = &tiers[t];
        const int64_t groups = hosts / (group * tier->down), most = MOST_NET_NODES;
        const int64_t children = groups * tier->down * width;
        if (tier->up > most || children > 4 * most / tier->up || groups * width > most / tier->up)
            return net_fail(net, span, "this fat tree is too large");
        const int64_t wide = width * tier->up;
        const int32_t start = (int32_t)net->nodes.count;
        for (int64_t s = 0; s < groups * wide; s++)
            net_add(net, false, "%s%lld", tier->name, (long long)s);
        for (int64_t child = 0; child < children; child++)
            for (int64_t u = 0; u < tier->up; u++) {
                const int64_t of = child / (tier->down * width);
                NetLink *link =
                    net_link(net, below + (int32_t)child,
                             start + (int32_t)(of * wide + child % width * tier->up + u),
                             tier->level, tier->rate, span);
                link->lanes = tier->cables, link->latency = tier->latency;
            }
        below = start, width = wide, group *= tier->down;
    }
    return !net->has_failed;
}
