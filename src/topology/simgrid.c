#include "exchange/xml.h"
#include "topology/net.h"

#include <stdlib.h>
#include <string.h>

/* SimGrid's platforms: clusters (flat, fat trees, tori), cabinets, links of hosts, and routes of
   one link. A link is a resource there: SHARED ones serve both directions together, which is half
   duplex here, for the whole machine. */

enum { MOST_SIMGRID_HOSTS = 1 << 17 };

typedef struct {
    Net *net;
    const XmlElement *root;
    int host, trunk, backbone;
    int64_t shared, split; /* links of each kind */
} Reader;

static const char *get(const XmlElement *element, const char *name)
{
    const char *value = xml_get(element, name);
    return value ? value : "";
}

bool is_simgrid(const Source *source)
{
    return text_equals(xml_root_name(source), "platform");
}

static Text value_of(const XmlElement *element, const char *name)
{
    Text text = text_plain(get(element, name));
    text.span = element->span;
    return text;
}

static bool read_rates(Reader *reader, const XmlElement *at, const char *rate, const char *latency,
                       double *bandwidth, double *seconds)
{
    *seconds = 0;
    return net_rate(reader->net, value_of(at, rate), bandwidth) &&
           (!xml_get(at, latency) || net_time(reader->net, value_of(at, latency), seconds));
}

static void join(Reader *reader, int32_t a, int32_t b, int level, const XmlElement *at, double rate,
                 double latency, const char *policy)
{
    NetLink *link = net_link(reader->net, a, b, level, rate, at->span);
    link->latency = latency;
    *(strcmp(policy, "SHARED") == 0 ? &reader->shared : &reader->split) += 1;
}

/* "0-7,10": the numbers of hosts. */
static bool list_radical(Reader *reader, const XmlElement *at, NetHosts *hosts)
{
    Text piece, rest = value_of(at, "radical");
    for (bool more = true; more;) {
        more = text_split(rest, ',', &piece, &rest);
        Text first = more ? piece : rest, last = first;
        int64_t from, to;
        text_split(first, '-', &first, &last);
        if (!text_whole(first, &from) || !text_whole(last, &to) || to < from ||
            to - from >= MOST_SIMGRID_HOSTS || hosts->count >= MOST_SIMGRID_HOSTS)
            return net_fail(reader->net, at->span, "a range of hosts was expected in 'radical'");
        for (int64_t n = from; n <= to; n++)
            *ARRAY_PUSH(reader->net->arena, hosts) = arena_printf(
                reader->net->arena, "%s%lld%s", get(at, "prefix"), (long long)n, get(at, "suffix"));
    }
    return true;
}

/* "2;4,4;1,2;1,2": the numbers of one part, in *count. */
static bool list_numbers(Text part, int64_t *numbers, int *count)
{
    Text piece;
    *count = 0;
    for (bool more = true; more && *count < 8; ++*count) {
        more = text_split(part, ',', &piece, &part);
        if (!text_whole(text_trim(more ? piece : part), &numbers[*count]) || !numbers[*count])
            return false;
    }
    return true;
}

/* Switches above `below` nodes: levels of a fat tree, by how many children, parents and cables each
   level has; as in extended generalised fat trees. */
static bool add_fat_tree(Reader *reader, const XmlElement *at, int32_t first, int64_t hosts,
                         double rate, double latency)
{
    Net *net = reader->net;
    Text parts[4], rest = value_of(at, "topo_parameters");
    int64_t levels = 0, down[8], up[8], cables[8];
    int counts[3];
    for (int i = 0; i < 3; i++)
        if (!text_split(rest, ';', &parts[i], &rest))
            return net_fail(net, at->span, "a fat tree has topo_parameters such as 2;4,4;1,2;1,2");
    parts[3] = rest;
    if (!text_whole(text_trim(parts[0]), &levels) || levels < 1 || levels > 8 ||
        !list_numbers(parts[1], down, &counts[0]) || !list_numbers(parts[2], up, &counts[1]) ||
        !list_numbers(parts[3], cables, &counts[2]) || counts[0] != levels || counts[1] != levels ||
        counts[2] != levels)
        return net_fail(net, at->span, "a fat tree has topo_parameters such as 2;4,4;1,2;1,2");
    int64_t width = 1, total = 1, group = 1; /* nodes of a level in a group; hosts of the group */
    for (int l = 0; l < levels; l++)
        total *= down[l] <= MOST_SIMGRID_HOSTS && total <= MOST_SIMGRID_HOSTS ? down[l] : 0;
    if (total != hosts)
        return net_fail(net, at->span, "this fat tree does not have %lld hosts", (long long)hosts);
    int32_t below = first;
    for (int l = 0; l < levels; l++) {
        const int64_t groups = hosts / (group * down[l]), wide = width * up[l];
        const int32_t start = (int32_t)net->nodes.count;
        if (wide > MOST_SIMGRID_HOSTS || groups * wide > MOST_SIMGRID_HOSTS)
            return net_fail(net, at->span, "this fat tree is too large");
        for (int64_t s = 0; s < groups * wide; s++)
            net_add(net, arena_printf(net->arena, "switch%d-%lld", l + 1, (long long)s), false);
        for (int64_t g = 0; g < groups; g++)
            for (int64_t child = 0; child < down[l] * width; child++)
                for (int64_t u = 0; u < up[l]; u++) {
                    join(reader, below + (int32_t)(g * down[l] * width + child),
                         start + (int32_t)(g * wide + child % width * up[l] + u),
                         l ? reader->trunk : reader->host, at, rate, latency,
                         get(at, "sharing_policy"));
                    net->links.items[net->links.count - 1].lanes = cables[l];
                }
        below = start, width = wide, group *= down[l];
    }
    return true;
}

static bool add_torus(Reader *reader, const XmlElement *at, int32_t first, int64_t hosts,
                      double rate, double latency)
{
    int64_t sizes[8], total = 1, stride = 1;
    int count;
    if (!list_numbers(value_of(at, "topo_parameters"), sizes, &count))
        return net_fail(reader->net, at->span, "a torus has topo_parameters such as 4,4,2");
    for (int d = 0; d < count; d++)
        total *= sizes[d] <= hosts && total <= hosts ? sizes[d] : 0;
    if (total != hosts)
        return net_fail(reader->net, at->span, "this torus does not have %lld hosts",
                        (long long)hosts);
    for (int d = 0; d < count; stride *= sizes[d++])
        for (int64_t h = 0; h < hosts && sizes[d] > 1; h++) {
            const int64_t i = h / stride % sizes[d], next = (i + 1) % sizes[d];
            if (sizes[d] > 2 || i == 0)
                join(reader, first + (int32_t)h, first + (int32_t)(h + (next - i) * stride),
                     reader->host, at, rate, latency, get(at, "sharing_policy"));
        }
    return true;
}

/* The node at which a zone meets others: its router, else a switch. */
static int32_t hub_of(Reader *reader, const char *id)
{
    return net_node(reader->net, arena_printf(reader->net->arena, "hub %s", id), id, false, NULL);
}

/* A cluster or a cabinet: hosts with a link each to a hub, which passes so many bytes a second. */
static bool add_cluster(Reader *reader, const XmlElement *at)
{
    Net *net = reader->net;
    NetHosts hosts = {0};
    double rate, latency, capacity, delay = 0;
    const char *kind = get(at, "topology");
    const bool is_cabinet = xml_is(at, "cabinet");
    if (!list_radical(reader, at, &hosts) || !read_rates(reader, at, "bw", "lat", &rate, &latency))
        return false;
    const int32_t first = (int32_t)net->nodes.count;
    for (size_t i = 0; i < hosts.count; i++) {
        bool is_new;
        net_node(net, hosts.items[i], hosts.items[i], true, &is_new);
        if (!is_new)
            return net_fail(net, at->span, "host '%s' is there twice", hosts.items[i]);
    }
    if (strcmp(kind, "FAT_TREE") == 0)
        return add_fat_tree(reader, at, first, (int64_t)hosts.count, rate, latency);
    if (strcmp(kind, "TORUS") == 0)
        return add_torus(reader, at, first, (int64_t)hosts.count, rate, latency);
    if (*kind && strcmp(kind, "FLAT") != 0)
        return net_fail(net, at->span,
                        "a cluster of kind %s is not read: only FLAT, FAT_TREE and TORUS are",
                        kind);
    const int32_t hub = hub_of(reader, get(is_cabinet ? at->parent : at, "id"));
    if (xml_get(at, "bb_bw")) {
        if (!read_rates(reader, at, "bb_bw", "bb_lat", &capacity, &delay))
            return false;
        net->levels[reader->host].capacity = capacity;
    }
    for (size_t i = 0; i < hosts.count; i++)
        join(reader, first + (int32_t)i, hub, reader->host, at, rate, latency + delay / 2,
             get(at, "sharing_policy"));
    return true;
}

static const XmlElement *find_link(const Reader *reader, const char *id)
{
    for (const XmlElement *at = reader->root; (at = xml_after(at, reader->root));)
        if (xml_is(at, "link") && strcmp(get(at, "id"), id) == 0)
            return at;
    return NULL;
}

/* A route of one link, or one between zones: a cable between its ends. */
static bool add_route(Reader *reader, const XmlElement *at)
{
    Net *net = reader->net;
    const bool joins_zones = xml_is(at, "zoneRoute");
    const XmlElement *first = at->first, *link = first ? find_link(reader, get(first, "id")) : NULL;
    double rate, latency;
    if (first && first->next)
        return true; /* several links: routes of one link make the graph */
    if (!link)
        return net_fail(net, at->span, "this route names no link of the file");
    const char *ends[2];
    int32_t nodes[2];
    for (int i = 0; i < 2; i++) {
        ends[i] = get(at, i ? "dst" : "src");
        nodes[i] = joins_zones ? hub_of(reader, ends[i]) : net_find(net, ends[i]);
        if (nodes[i] < 0)
            return net_fail(net, at->span, "there is no host or router '%s'", ends[i]);
    }
    if (!read_rates(reader, link, "bandwidth", "latency", &rate, &latency))
        return false;
    bool is_new;
    const bool swaps = nodes[0] > nodes[1];
    const int32_t pair =
        net_node(net, arena_printf(net->arena, "pair %d %d", nodes[swaps], nodes[!swaps]), "",
                 false, &is_new);
    net->nodes.items[pair].is_left_out = true;
    if (is_new && nodes[0] != nodes[1])
        join(reader, nodes[0], nodes[1],
             net->nodes.items[nodes[0]].is_rank || net->nodes.items[nodes[1]].is_rank
                 ? reader->host
                 : reader->trunk,
             link, rate, latency,
             xml_get(link, "sharing_policy") ? get(link, "sharing_policy") : "SHARED");
    return true;
}

/* The link of a host to the backbone of its zone, "l1_UP". */
static bool add_host_link(Reader *reader, const XmlElement *at)
{
    Net *net = reader->net;
    const char *up = get(at, "up");
    const size_t length = strlen(up);
    const XmlElement *link = find_link(reader, up);
    if (!link && length > 3 && strcmp(up + length - 3, "_UP") == 0)
        link = find_link(reader, arena_printf(net->arena, "%.*s", (int)length - 3, up));
    const int32_t host = net_find(net, get(at, "id"));
    double rate, latency;
    if (host < 0 || !link)
        return net_fail(net, at->span, "this names a host and a link of the file");
    if (!read_rates(reader, link, "bandwidth", "latency", &rate, &latency))
        return false;
    join(reader, host, hub_of(reader, get(at->parent, "id")), reader->host, link, rate, latency,
         strcmp(up, get(at, "down")) == 0 ? "SHARED" : "SPLITDUPLEX");
    return true;
}

static bool add_nodes(Reader *reader)
{
    static const char *const refused[] = {"peer", "bypassRoute", "bypassZoneRoute", "trace", NULL};
    Net *net = reader->net;
    for (const XmlElement *at = reader->root; (at = xml_after(at, reader->root));) {
        for (int i = 0; refused[i]; i++)
            if (xml_is(at, refused[i]))
                return net_fail(net, at->span, "'%s' is not read", at->name);
        if (xml_is(at, "host"))
            net_node(net, get(at, "id"), get(at, "id"), true, NULL);
        if (xml_is(at, "router"))
            net_node(net, get(at, "id"), get(at, "id"), false, NULL);
        if ((xml_is(at, "cluster") || xml_is(at, "cabinet")) && !add_cluster(reader, at))
            return false;
    }
    return !net->has_failed;
}

static bool add_links(Reader *reader)
{
    Net *net = reader->net;
    for (const XmlElement *at = reader->root; (at = xml_after(at, reader->root));) {
        double rate, latency;
        if ((xml_is(at, "route") || xml_is(at, "zoneRoute")) && !add_route(reader, at))
            return false;
        if (xml_is(at, "host_link") && !add_host_link(reader, at))
            return false;
        if (xml_is(at, "backbone")) {
            if (!read_rates(reader, at, "bandwidth", "latency", &rate, &latency))
                return false;
            net->levels[reader->host].capacity = rate;
        }
    }
    return true;
}

bool read_simgrid(Net *net)
{
    Reader reader = {.net = net, .root = xml_read(net->arena, net->source, net->diag)};
    if (!reader.root)
        return !(net->has_failed = true);
    reader.host = net_level(net, "host", 0, 0, true);
    reader.trunk = net_level(net, "trunk", 0, 0, true);
    if (!add_nodes(&reader) || !add_links(&reader))
        return false;
    if (!net_rank_count(net))
        return net_fail(net, reader.root->span, "this platform has no hosts");
    if (!net->links.count)
        return net_fail(
            net, reader.root->span,
            "no clusters and no routes of one link are here: general routes are not read");
    net->is_half_duplex = reader.shared > reader.split;
    if (reader.shared && reader.split)
        net_warn(net, reader.root->span,
                 "%lld links are SHARED by both directions, %lld are not: all count as %s",
                 (long long)reader.shared, (long long)reader.split,
                 net->is_half_duplex ? "SHARED" : "SPLITDUPLEX");
    if (net->levels[reader.host].capacity > 0)
        net_note(net, "backbones are capacities of switches, the last one read for all; SimGrid's "
                      "own factors are not in it");
    net_prune(net);
    return !net->has_failed;
}
