#include "topology/net.h"

#include <stdlib.h>
#include <string.h>

static const double assumed_adapter = 50e9; /* 400 Gbit/s */

/* ### Chosen hosts, and orders */

/* "node018" of "node018 mlx5_5": adapters of one host have its name in front. */
static size_t host_length(const char *name)
{
    return strcspn(name, " ");
}

static bool choose_hosts(Net *net)
{
    NetHosts hosts = {0};
    const size_t count = net->nodes.count;
    if (!net_list_hosts(net, net->wish->hosts, &hosts))
        return false;
    for (size_t i = 0; i < count; i++)
        net->nodes.items[i].is_left_out |= net->nodes.items[i].is_rank;
    for (size_t h = 0; h < hosts.count; h++) {
        bool found = false;
        for (size_t i = 0; i < count; i++) {
            NetNode *node = &net->nodes.items[i];
            const size_t length = host_length(node->name);
            if (!node->is_rank || strncmp(node->name, hosts.items[h], length) != 0 ||
                strlen(hosts.items[h]) != length)
                continue;
            if (!node->is_left_out && !found)
                return net_fail(net, net->wish->hosts.span, "'%s' is in this list twice",
                                hosts.items[h]);
            node->is_left_out = false, found = true;
            node->place = (int64_t)(h * count + i);
        }
        if (!found)
            return net_fail(net, net->wish->hosts.span, "this network has no host '%s'",
                            hosts.items[h]);
    }
    net->order = "the list of hosts";
    net->dimension_count = 0;
    net_prune(net);
    return true;
}

/* By letters, and by numbers where both have digits: a2 before a10. */
static int compare_by_name(const void *one, const void *other)
{
    const char *a = (*(NetNode *const *)one)->name, *b = (*(NetNode *const *)other)->name;
    while (*a && *b) {
        char *a_end, *b_end;
        if (strchr("0123456789", *a) && strchr("0123456789", *b)) {
            const unsigned long long x = strtoull(a, &a_end, 10), y = strtoull(b, &b_end, 10);
            if (x != y)
                return x < y ? -1 : 1;
            a = a_end, b = b_end;
        } else if (*a != *b)
            return *a < *b ? -1 : 1;
        else
            a++, b++;
    }
    return (*a > 0) - (*b > 0);
}

static void order_ranks(Net *net)
{
    const bool by_name = text_equals(net->wish->order, "name");
    const size_t count = net->nodes.count;
    NetNode **nodes = ARENA_ARRAY(net->arena, NetNode *, count + 1);
    for (size_t i = 0; i < count; i++)
        nodes[i] = &net->nodes.items[i];
    if (by_name) {
        qsort(nodes, count, sizeof(NetNode *), compare_by_name);
        for (size_t i = 0; i < count; i++)
            nodes[i]->place = (int64_t)i;
    } else
        for (size_t i = net->links.count; i-- > 0;) { /* the first link counts */
            const NetLink *link = &net->links.items[i];
            nodes[link->a]->place = (int64_t)link->b * (int64_t)count + link->a;
            nodes[link->b]->place = (int64_t)link->a * (int64_t)count + link->b;
        }
    net->order = by_name ? "their names" : "the switches next to them";
    net->dimension_count = 0;
}

/* ### Copies of a node */

/* Appends a node of which the first `count` nodes and `links` links of a net are; the place of its
   first one. */
static int32_t add_copy(Net *net, const Net *of, size_t count, size_t links, const char *prefix)
{
    const int32_t first = (int32_t)net->nodes.count;
    for (size_t i = 0; i < count; i++) {
        const NetNode node = of->nodes.items[i];
        const int32_t copy = net_add(net, node.is_rank, "%s/%s", prefix, node.name);
        net->nodes.items[copy].is_left_out = node.is_left_out;
    }
    for (size_t i = 0; i < links && !net->has_failed; i++) {
        const NetLink link = of->links.items[i];
        const NetLevel *level = &of->levels[link.level];
        const int number =
            net_level(net, level->name, level->rate, level->startup, level->forwards);
        NetLink *copy = net_link(net, first + link.a, first + link.b, number, link.rate, link.span);
        copy->lanes = link.lanes, copy->latency = link.latency;
        copy->is_one_way = link.is_one_way;
    }
    return first;
}

/* Adapters next to ranks; where these have fewer, ranks share them over PCI. */
static void share_adapters(Net *net)
{
    const int64_t ranks = net_rank_count(net), count = (int64_t)net->adapters.count;
    int64_t at_ranks = 0, rank = 0;
    for (int64_t i = 0; i < count; i++)
        at_ranks += net->nodes.items[net->adapters.items[i].at].is_rank;
    if (!count)
        for (size_t i = 0; i < net->nodes.count; i++)
            if (net->nodes.items[i].is_rank)
                net_adapter(net, (int32_t)i, 0, "nic");
    if (!count)
        net_note(net, "no adapters are in the file: one for each GPU is assumed");
    if (!count || at_ranks < count || count >= ranks)
        return;
    const int pcie = net_level(net, "pcie", PCIE_4_RATE, NCCL_PCI_STARTUP, false);
    for (int64_t i = 0; i < count; i++)
        net->adapters.items[i].at = net_add(net, false, "nic%lld", (long long)i);
    for (size_t i = 0; i < net->nodes.count && rank < ranks; i++)
        if (net->nodes.items[i].is_rank)
            net_link(net, (int32_t)i, net->adapters.items[rank++ * count / ranks].at, pcie, 0,
                     NOWHERE);
}

/* Is a node its ranks around one switch, each with an adapter? */
static bool is_star_with_adapters(const Net *net)
{
    const int64_t ranks = net_rank_count(net);
    size_t switches = 0;
    bool alike = (int64_t)net->links.count == ranks && (int64_t)net->adapters.count == ranks;
    for (size_t i = 0; i < net->nodes.count; i++)
        switches += !net->nodes.items[i].is_rank && !net->nodes.items[i].is_left_out;
    for (size_t i = 1; i < net->links.count && alike; i++)
        alike = net->links.items[i].rate == net->links.items[0].rate;
    for (size_t i = 0; i < net->adapters.count && alike; i++)
        for (size_t k = 0; k <= i && alike; k++)
            alike = net->adapters.items[i].rate == net->adapters.items[k].rate &&
                    (i == k) == (net->adapters.items[i].at == net->adapters.items[k].at);
    return alike && switches == 1;
}

/* Adapter i of all nodes is on rail i, a switch; a spine joins the rails. */
static bool join_nodes(Net *net)
{
    const int64_t nodes = net->wish->nodes;
    share_adapters(net);
    const size_t count = net->nodes.count, links = net->links.count, rails = net->adapters.count;
    const int64_t ranks = net_rank_count(net);
    const bool is_rails = ranks > 1 && is_star_with_adapters(net);
    if ((double)nodes * (double)(count + rails) > MOST_NET_NODES)
        return net_fail(net, NOWHERE, "with this many nodes the network is too large");
    for (int64_t n = 1; n < nodes; n++)
        add_copy(net, net, count, links, arena_printf(net->arena, "node%lld", (long long)n));
    for (size_t i = 0; i < count; i++)
        net->nodes.items[i].name = arena_printf(net->arena, "node0/%s", net->nodes.items[i].name);
    const int level = net_level(net, "node", assumed_adapter, NCCL_NET_STARTUP, false);
    const int32_t spine = rails > 1 ? net_add(net, false, "spine") : -1;
    for (size_t i = 0; i < rails; i++) {
        const NetAdapter *adapter = &net->adapters.items[i];
        const int32_t rail = net_add(net, false, "rail%zu", i);
        for (int64_t n = 0; n < nodes; n++)
            net_link(net, adapter->at + (int32_t)(n * (int64_t)count), rail, level, adapter->rate,
                     NOWHERE);
        if (spine >= 0)
            net_link(net, rail, spine, level, adapter->rate, NOWHERE)->lanes = nodes;
        if (adapter->rate <= 0 && i == 0)
            net_note(net,
                     "rates of adapters are not in the file: 50 GB/s are assumed (400 Gbit/s)");
    }
    net_note(net,
             "%lld such nodes, adapter i of each on rail i; a spine above the rails, "
             "nothing oversubscribed",
             (long long)nodes);
    net->dimension_count = 0;
    net_dimension(net, "node", nodes);
    net_dimension(net, "device", ranks);
    if (is_rails) {
        net->like = arena_printf(net->arena, "rails:%lldx%lld", (long long)nodes, (long long)ranks);
        net->levels[0] = net->levels[net->links.items[0].level], net->levels[0].name = "device";
        net->levels[1] = net->levels[level];
        net->level_count = 2;
        for (size_t i = 0; i < net->links.count; i++)
            net->links.items[i].level = net->links.items[i].level == level;
    }
    return !net->has_failed;
}

/* ### A node below a fabric */

/* One host of the fabric, whose adapters are ranks there. */
static void replace_host(Net *net, const Net *node, const int32_t *adapters, int64_t count,
                         bool has_rates)
{
    const int64_t ranks = net_rank_count(node);
    const char *name = net->nodes.items[adapters[0]].name;
    const int32_t first = add_copy(net, node, node->nodes.count, node->links.count,
                                   arena_printf(net->arena, "%.*s", (int)host_length(name), name));
    const size_t links = net->links.count;
    const bool has_own = count >= ranks || (!has_rates && (int64_t)node->adapters.count >= ranks);
    const int pcie = net_level(net, "pcie", PCIE_4_RATE, NCCL_PCI_STARTUP, false);
    for (int64_t i = 0; i < count; i++)
        net->nodes.items[adapters[i]].is_rank = false;
    for (int64_t r = 0, at = 0; r < ranks; at++) {
        if (!node->nodes.items[at].is_rank || node->nodes.items[at].is_left_out)
            continue;
        const int32_t adapter = adapters[count >= ranks ? r : r * count / ranks];
        if (!has_own)
            net_link(net, first + (int32_t)at, adapter, pcie, 0, NOWHERE);
        for (size_t i = 0; i < links && has_own; i++) {
            const NetLink link = net->links.items[i];
            if (link.a != adapter && link.b != adapter)
                continue;
            NetLink own = link;
            *(link.a == adapter ? &own.a : &own.b) = first + (int32_t)at;
            if (own.rate <= 0 && node->adapters.count)
                own.rate = node->adapters.items[0].rate;
            *ARRAY_PUSH(net->arena, &net->links) = own;
        }
        r++;
    }
    for (int64_t i = 0; i < count && has_own; i++)
        net->nodes.items[adapters[i]].is_left_out = true;
}

static bool put_nodes(Net *net, const Net *node)
{
    const int64_t ranks = net_rank_count(net);
    if ((double)ranks * (double)node->nodes.count > MOST_NET_NODES)
        return net_fail(net, NOWHERE, "this fabric has too many hosts for such nodes");
    int32_t *order = ARENA_ARRAY(net->arena, int32_t, (size_t)ranks + 1);
    int32_t *adapters = ARENA_ARRAY(net->arena, int32_t, (size_t)ranks + 1);
    net_list_ranks(net, order);
    int64_t hosts = 0;
    bool has_rates = false; /* schedulers know nothing of adapters */
    for (size_t i = 0; i < net->links.count; i++)
        has_rates |= net->links.items[i].rate > 0;
    for (int64_t i = 0; i < ranks && !net->has_failed; i++) {
        int64_t of_host = 0;
        if (order[i] < 0)
            continue;
        const char *name = net->nodes.items[order[i]].name;
        const size_t length = host_length(name);
        for (int64_t k = i; k < ranks; k++) {
            const char *other = order[k] < 0 ? "" : net->nodes.items[order[k]].name;
            if (host_length(other) != length || strncmp(other, name, length) != 0)
                continue;
            adapters[of_host++] = order[k];
            order[k] = -1;
        }
        replace_host(net, node, adapters, of_host, has_rates);
        hosts++;
    }
    for (size_t i = 0; i < node->notes.count; i++)
        net_note(net, "%s", node->notes.items[i]);
    net->startups = node->startups;
    net->dimension_count = 0;
    net_dimension(net, "node", hosts);
    net_dimension(net, "device", net_rank_count(node));
    return !net->has_failed;
}

bool net_compose(Net *net, const Net *node)
{
    const NetworkWish *wish = net->wish;
    if (wish->hosts.length && !choose_hosts(net))
        return false;
    if (wish->order.length && !text_equals(wish->order, "given"))
        order_ranks(net);
    if (wish->nodes && wish->node)
        return net_fail(net, NOWHERE,
                        "--nodes is for a node by itself, --node for what is below a fabric");
    return wish->nodes ? join_nodes(net) : !wish->node || put_nodes(net, node);
}
