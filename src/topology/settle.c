#include "base/place_table.h"
#include "model/machine.h"
#include "topology/net.h"

#include <stdlib.h>

int64_t net_count(const Net *net)
{
    int64_t count = 0;
    for (size_t i = 0; i < net->nodes.count; i++)
        count += !net->nodes.items[i].is_left_out;
    return count;
}

static int compare_places(const void *one, const void *other)
{
    const NetNode *a = *(NetNode *const *)one, *b = *(NetNode *const *)other;
    return a->is_rank != b->is_rank ? (a->is_rank ? -1 : 1)
           : a->place != b->place   ? (a->place < b->place ? -1 : 1)
                                    : (a > b) - (a < b);
}

/* Nodes that are not left out: ranks by their places, then switches; their number. */
static size_t sort_nodes(const Net *net, NetNode ***sorted)
{
    NetNode **nodes = *sorted = ARENA_ARRAY(net->arena, NetNode *, net->nodes.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < net->nodes.count; i++)
        if (!net->nodes.items[i].is_left_out)
            nodes[count++] = &net->nodes.items[i];
    qsort(nodes, count, sizeof(NetNode *), compare_places);
    return count;
}

void net_list_ranks(const Net *net, int32_t *ranks)
{
    NetNode **nodes;
    const size_t count = sort_nodes(net, &nodes);
    for (size_t i = 0; i < count && nodes[i]->is_rank; i++)
        ranks[i] = (int32_t)(nodes[i] - net->nodes.items);
}

/* Switches of one name get numbers. */
static void number_names(Net *net)
{
    PlaceTable counts = {0};
    for (size_t i = 0; i < 2 * net->nodes.count; i++) {
        NetNode *node = &net->nodes.items[i % net->nodes.count];
        if (node->is_rank || node->is_left_out)
            continue;
        int32_t *count = place_table_find(net->arena, &counts, net_hash(node->name) >> 1);
        if (i < net->nodes.count)
            --*count; /* it begins with -1 */
        else if (*count < -2)
            *count = 0;
        if (i >= net->nodes.count && *count >= 0)
            node->name = arena_printf(net->arena, "%s%d", node->name, (*count)++);
    }
}

static int compare_links(const void *one, const void *other)
{
    const NetLink *a = one, *b = other;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    if (a->b != b->b)
        return a->b < b->b ? -1 : 1;
    if (a->is_one_way != b->is_one_way)
        return a->is_one_way ? 1 : -1;
    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    return a->rate != b->rate ? (a->rate > b->rate ? -1 : 1) : 0;
}

static double rate_of(const Net *net, const NetLink *link)
{
    return link->rate > 0 ? link->rate : net->levels[link->level].rate;
}

/* Cables side by side: as many lanes; of several rates, each lane has their mean. */
static void join(Net *net, NetLink *kept, const NetLink *more)
{
    if (kept->level != more->level) {
        const bool is_faster =
            rate_of(net, more) * (double)more->lanes > rate_of(net, kept) * (double)kept->lanes;
        net_warn(net, more->span,
                 "two nodes are joined by links of level '%s' and of level '%s': the faster one "
                 "counts",
                 net->levels[kept->level].name, net->levels[more->level].name);
        *kept = is_faster ? *more : *kept;
        return;
    }
    const double one = rate_of(net, kept), other = rate_of(net, more);
    const int64_t lanes = kept->lanes + more->lanes;
    if (one != other) {
        kept->rate = (one * (double)kept->lanes + other * (double)more->lanes) / (double)lanes;
        net_warn(net, more->span,
                 "parallel cables of %s and %s: they count as %lld of their mean, %s each",
                 machine_show_bandwidth(net->arena, one), machine_show_bandwidth(net->arena, other),
                 (long long)lanes, machine_show_bandwidth(net->arena, kept->rate));
    }
    kept->lanes = lanes;
}

static void join_parallel(Net *net)
{
    NetLinkArray *links = &net->links;
    size_t kept = 0;
    for (size_t i = 0; i < links->count; i++) {
        NetLink link = links->items[i];
        const NetNode *a = &net->nodes.items[link.a], *b = &net->nodes.items[link.b];
        if (a->is_left_out || b->is_left_out || link.a == link.b)
            continue;
        const bool is_turned = !link.is_one_way && a->number > b->number;
        link.a = is_turned ? b->number : a->number;
        link.b = is_turned ? a->number : b->number;
        links->items[kept++] = link;
    }
    links->count = kept;
    if (kept)
        qsort(links->items, kept, sizeof *links->items, compare_links);
    kept = 0;
    for (size_t i = 0; i < links->count; i++) {
        NetLink *last = kept ? &links->items[kept - 1] : NULL;
        if (last && last->a == links->items[i].a && last->b == links->items[i].b &&
            last->is_one_way == links->items[i].is_one_way)
            join(net, last, &links->items[i]);
        else
            links->items[kept++] = links->items[i];
    }
    links->count = kept;
}

/* The value that comes most often, of several the largest. */
static double most_common(double *values, size_t count)
{
    size_t best = 0, run = 0;
    double value = -1;
    sort_doubles(values, count);
    for (size_t i = 0; i < count; i++) {
        run = i > 0 && values[i] == values[i - 1] ? run + 1 : 1;
        if (run >= best)
            best = run, value = values[i];
    }
    return value;
}

/* How many links of each level a rank has at most; the rates and latencies of most links. */
static void settle_level(Net *net, int level)
{
    double *rates = ARENA_ARRAY(net->arena, double, net->links.count + 1);
    double *latencies = ARENA_ARRAY(net->arena, double, net->links.count + 1);
    int64_t ranks = net_rank_count(net),
            *degrees = ARENA_ARRAY(net->arena, int64_t, (size_t)ranks + 1);
    size_t count = 0, known = 0;
    NetLevel *of = &net->levels[level];
    for (size_t i = 0; i < net->links.count; i++) {
        const NetLink *link = &net->links.items[i];
        if (link->level != level)
            continue;
        latencies[count++] = link->latency;
        if (link->rate > 0)
            rates[known++] = link->rate;
        for (int end = 0; end < 2 - link->is_one_way; end++) {
            const int64_t node = end ? link->b : link->a;
            if (node < ranks && (degrees[node] += link->lanes) > of->ports)
                of->ports = degrees[node];
        }
    }
    of->is_assumed |= known < count;
    of->rate = known ? most_common(rates, known) : of->rate;
    of->latency = count ? most_common(latencies, count) : -1;
}

void net_settle(Net *net)
{
    NetNode **nodes;
    const size_t count = sort_nodes(net, &nodes);
    for (size_t i = 0; i < count; i++)
        nodes[i]->number = (int32_t)i;
    number_names(net);
    join_parallel(net);
    for (int i = 0; i < net->level_count; i++)
        settle_level(net, i);
}
