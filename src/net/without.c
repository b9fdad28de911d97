#include "net/without.h"

#include "model/machine.h"

Failures failures_of(Arena *arena, const Network *network)
{
    return (Failures){.network = network,
                      .nodes = ARENA_ARRAY(arena, bool, (size_t)network->node_count),
                      .links = ARENA_ARRAY(arena, bool, (size_t)network_link_count(network) + 1)};
}

static bool fail_link(Failures *failures, int64_t from, int64_t to)
{
    const int64_t link = network_find_link(failures->network, from, to);
    if (link < 0)
        return false;
    failures->link_count += !failures->links[link];
    failures->links[link] = true;
    return true;
}

bool failures_mark(Failures *failures, Text text)
{
    bool any = false;
    for (int64_t n = -1;
         text.length && (n = network_find_node(failures->network, text, n + 1)) >= 0;) {
        failures->node_count += !failures->nodes[n];
        failures->nodes[n] = any = true;
    }
    for (size_t i = 1; i + 1 < text.length && !any; i++) {
        if (text.chars[i] != '-')
            continue;
        /* all links between what two texts name */
        const Text one = text_slice(text, 0, i), other = text_behind(text, i + 1);
        for (int64_t a = -1; (a = network_find_node(failures->network, one, a + 1)) >= 0;)
            for (int64_t b = -1; (b = network_find_node(failures->network, other, b + 1)) >= 0;) {
                any |= fail_link(failures, a, b);
                any |= fail_link(failures, b, a);
            }
    }
    return any;
}

static int64_t count_ranks(const Failures *failures)
{
    int64_t ranks = failures->network->p;
    for (int64_t r = 0; r < failures->network->p; r++)
        ranks -= failures->nodes[r];
    return ranks;
}

bool failures_leave_ranks(const Failures *failures)
{
    return count_ranks(failures) > 0;
}

/* Ranks first, as before: the grid stays where all of them do. */
static void write_ranks(const Failures *failures, Buffer *out)
{
    const Network *network = failures->network;
    const Shape *shape = &network->shape;
    const bool last_is_fastest = network->topology->last_is_fastest;
    const int64_t ranks = count_ranks(failures);
    if (ranks < network->p || shape->count < 2) {
        buffer_printf(out, "ranks: %lld\n", (long long)ranks);
    } else {
        buffer_printf(out, "dimensions: {");
        for (int i = 0; i < shape->count; i++) {
            const int d = last_is_fastest ? shape->count - 1 - i : i;
            buffer_printf(out, "%s%s: %lld", i ? ", " : "", shape->names[d],
                          (long long)shape->sizes[d]);
        }
        buffer_printf(out, last_is_fastest ? "}\nfastest: last\n" : "}\n");
    }
    buffer_printf(out, "switches: %lld\n",
                  (long long)(network->node_count - failures->node_count - ranks));
}

/* Nodes keep their names; where numbers move, those without one are called by the old number. */
static void write_names(const Failures *failures, Buffer *out)
{
    const Network *network = failures->network;
    const Topology *topology = network->topology;
    if (!failures->node_count && !topology->name_count)
        return;
    buffer_printf(out, "names: [");
    for (int64_t n = 0, any = 0; n < network->node_count; n++) {
        if (failures->nodes[n])
            continue;
        buffer_printf(out, any++ ? ", " : "");
        if ((uint64_t)n < topology->name_count)
            machine_write_word(out, text_plain(topology->names[n]));
        else
            buffer_printf(out, "old-%lld", (long long)n);
    }
    buffer_printf(out, "]\n");
}

static void write_links(const Failures *failures, Buffer *out)
{
    const Network *network = failures->network;
    int64_t *numbers = ARENA_ARRAY(out->arena, int64_t, (size_t)network->node_count), next = 0;
    bool any = false;
    for (int64_t n = 0; n < network->node_count; n++)
        numbers[n] = next, next += !failures->nodes[n];
    for (int64_t n = 0; n < network->node_count; n++)
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++) {
            const int64_t to = network->neighbours[i], back = network_find_link(network, to, n);
            const size_t class = network_link_class(network, i);
            const bool both =
                back >= 0 && !failures->links[back] && network_link_class(network, back) == class;
            if (failures->nodes[n] || failures->nodes[to] || failures->links[i] || (both && to < n))
                continue;
            buffer_printf(out, any ? "" : "links:\n");
            any = true;
            const LinkClass *like = &network->classes[class];
            buffer_printf(out, "  - {from: %lld, to: %lld%s", (long long)numbers[n],
                          (long long)numbers[to], both ? ", both: yes" : "");
            if (like->level)
                buffer_printf(out, ", level: %s", like->level);
            if (like->lanes)
                buffer_printf(out, ", lanes: %lld", (long long)like->lanes);
            if (like->tw >= 0)
                buffer_printf(out, ", bandwidth: %s",
                              machine_show_bandwidth(out->arena, number_inverse(like->tw)));
            if (like->th >= 0)
                buffer_printf(out, ", latency: %s", machine_show_time(out->arena, like->th));
            buffer_printf(out, "}\n");
        }
    if (!any)
        buffer_printf(out, "links: []\n");
}

/* Has a rank lost all links over which ranks pass nothing on? Then its messages go over others. */
static bool needs_others(const Failures *failures, uint32_t held)
{
    const Network *network = failures->network;
    for (int64_t r = 0; r < network->p; r++) {
        bool has = failures->nodes[r], had = false;
        for (int64_t i = network->starts[r]; i < network->starts[r + 1]; i++) {
            const char *level = network->classes[network_link_class(network, i)].level;
            const bool counts = held >> network_level(network, level) & 1;
            had |= counts;
            has |= counts && !failures->links[i] && !failures->nodes[network->neighbours[i]];
        }
        if (had && !has)
            return true;
    }
    return false;
}

void failures_write(const Failures *failures, const char *name, Buffer *out)
{
    const Network *network = failures->network;
    const Topology *of = network->topology;
    buffer_printf(out, "topology: %s\nsummary: what is left of %s\n", name, network->name);
    write_ranks(failures, out);
    write_names(failures, out);
    for (size_t i = 0; i < of->level_count; i++)
        buffer_printf(out, "%s%s%s", i ? ", " : "levels: [", of->levels[i],
                      i + 1 < of->level_count ? "" : "]\n");
    write_links(failures, out);
    buffer_printf(out, "routing: %s\n",
                  of->is_by_rate || (of->level_count && (of->next.program || of->factor_count))
                      ? "fastest"
                      : "shortest");
    if (!of->held || needs_others(failures, of->held))
        return;
    if (of->held == UINT32_MAX)
        buffer_printf(out, "forward: no\n");
    for (size_t i = 0, any = 0; i < of->level_count && of->held != UINT32_MAX; i++)
        if (!(of->held >> (i + 1) & 1))
            buffer_printf(out, "%s%s", any++ ? ", " : "forward: [", of->levels[i]);
    if (of->held != UINT32_MAX)
        buffer_printf(out, "]\n");
}
