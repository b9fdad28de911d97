#include "exchange/xml.h"
#include "model/machine.h"
#include "topology/net.h"

#include <string.h>

/* SimGrid's platforms: clusters (flat, fat trees, tori, dragonflies), cabinets, links of hosts, and
   routes of one link, perhaps one way. A link is a resource there: SHARED ones serve both
   directions together, which is half duplex here, for the whole machine. */

typedef struct {
    Net *net;
    const XmlElement *root;
    double capacities[LIMIT_LEVELS + 1]; /* of backbones; each has a level of links of hosts */
    int kinds;
    int64_t shared, split; /* links of each kind */
} Reader;

bool is_simgrid(const Source *source)
{
    return text_equals(xml_root_name(source), "platform");
}

static Text value_of(const XmlElement *element, const char *name)
{
    Text text = text_plain(xml_value(element, name));
    text.span = element->span;
    return text;
}

/* What a link is made of. */
typedef struct {
    double rate, latency;
    const char *policy;
    Span span;
} Cable;

/* A value, which may have no unit: then it is in this one. */
static Text quantity_of(Reader *reader, const XmlElement *at, const char *name, const char *unit)
{
    Text text = value_of(at, name);
    if (!text.length || !strchr("0123456789.", text.chars[text.length - 1]))
        return text;
    text = text_plain(arena_printf(reader->net->arena, "%s %s", text.chars, unit));
    text.span = at->span;
    return text;
}

static bool read_cable(Reader *reader, const XmlElement *at, const char *rate, const char *latency,
                       Cable *cable)
{
    *cable = (Cable){.policy = xml_value(at, "sharing_policy"), .span = at->span};
    return net_rate(reader->net, quantity_of(reader, at, rate, "Bps"), &cable->rate) &&
           (!xml_get(at, latency) ||
            net_time(reader->net, quantity_of(reader, at, latency, "s"), &cable->latency));
}

/* How many links are shared by both directions. */
static void count_links(Reader *reader, const char *policy, size_t count)
{
    *(strcmp(policy, "SHARED") == 0 ? &reader->shared : &reader->split) += (int64_t)count;
}

static NetLink *join(Reader *reader, int32_t a, int32_t b, int level, const Cable *cable)
{
    NetLink *link = net_link(reader->net, a, b, level, cable->rate, cable->span);
    link->latency = cable->latency;
    count_links(reader, cable->policy, 1);
    return link;
}

/* The level of links of hosts whose switch passes so many bytes a second. */
static int host_level(Reader *reader, double capacity)
{
    int n = 0;
    while (n < reader->kinds && reader->capacities[n] != capacity)
        n++;
    const int level = net_level(
        reader->net, n ? arena_printf(reader->net->arena, "host-%d", n + 1) : "host", 0, 0, true);
    reader->net->levels[level].capacity = reader->capacities[n] = capacity;
    reader->kinds += n == reader->kinds && n < LIMIT_LEVELS;
    return level;
}

/* What a cluster or a zone has between its hosts: their level, and what it changes of their links.
   A FATPIPE is wide enough for all, and slows each by itself. */
static bool find_backbone(Reader *reader, const XmlElement *of, int *level, Cable *cable)
{
    const bool is_own = xml_get(of, "bb_bw");
    const XmlElement *at = is_own ? of : of->first;
    Cable backbone = {.policy = ""};
    while (at && !is_own && !xml_is(at, "backbone"))
        at = at->next;
    if (at && !read_cable(reader, at, is_own ? "bb_bw" : "bandwidth", is_own ? "bb_lat" : "latency",
                          &backbone))
        return false;
    const char *policy = is_own ? xml_value(of, "bb_sharing_policy") : backbone.policy;
    const bool is_wide = strcmp(policy, "FATPIPE") == 0;
    if (is_wide && backbone.rate < cable->rate)
        cable->rate = backbone.rate;
    cable->latency += backbone.latency / 2;
    *level = host_level(reader, is_wide ? 0 : backbone.rate);
    return true;
}

/* "0-7,10": the numbers of hosts. */
static bool list_radical(Reader *reader, const XmlElement *at, NetHosts *hosts)
{
    Text piece, rest = value_of(at, "radical");
    while (text_next(&rest, ',', &piece)) {
        Text first = piece, last = piece;
        int64_t from, to;
        text_split(piece, '-', &first, &last);
        if (!text_whole(first, &from) || !text_whole(last, &to) || to < from ||
            to - from >= MOST_NET_NODES || hosts->count >= MOST_NET_NODES)
            return net_fail(reader->net, at->span, "a range of hosts was expected in 'radical'");
        for (int64_t n = from; n <= to; n++)
            *ARRAY_PUSH(reader->net->arena, hosts) =
                arena_printf(reader->net->arena, "%s%lld%s", xml_value(at, "prefix"), (long long)n,
                             xml_value(at, "suffix"));
    }
    return true;
}

/* "2;4,4;1,2;1,2": the numbers of one part, in *count. */
static bool list_numbers(Text part, int64_t *numbers, int *count)
{
    Text piece;
    for (*count = 0; *count < 8 && text_next(&part, ',', &piece); ++*count)
        if (!text_whole(text_trim(piece), &numbers[*count]) || !numbers[*count])
            return false;
    return true;
}

/* The four parts of a fat tree, or a dragonfly. */
static bool list_parts(const Reader *reader, const XmlElement *at, const char *example,
                       int64_t (*parts)[8], int *counts)
{
    Text part, rest = value_of(at, "topo_parameters");
    for (int i = 0; i < 4; i++)
        if (!text_next(&rest, ';', &part) || !list_numbers(part, parts[i], &counts[i]))
            return net_fail(reader->net, at->span, "%s", example);
    return !text_next(&rest, ';', &part) || net_fail(reader->net, at->span, "%s", example);
}

/* Levels by how many children, parents and cables each has. */
static bool add_fat_tree(Reader *reader, const XmlElement *at, int32_t first, int64_t hosts,
                         const Cable *cable)
{
    Net *net = reader->net;
    static const char example[] = "a fat tree has topo_parameters such as 2;4,4;1,2;1,2";
    int64_t of[4][8], total = 1;
    NetTier tiers[8];
    int counts[4];
    if (!list_parts(reader, at, example, of, counts))
        return false;
    const int64_t levels = of[0][0];
    const size_t links = net->links.count;
    if (counts[0] != 1 || levels > 8 || counts[1] != levels || counts[2] != levels ||
        counts[3] != levels)
        return net_fail(net, at->span, "%s", example);
    for (int l = 0; l < levels; l++) {
        total *= of[1][l] <= MOST_NET_NODES && total <= MOST_NET_NODES ? of[1][l] : 0;
        tiers[l] =
            (NetTier){.down = of[1][l],
                      .up = of[2][l],
                      .cables = of[3][l],
                      .name = arena_printf(net->arena, "switch%d-", l + 1),
                      .level = l ? net_level(net, "trunk", 0, 0, true) : host_level(reader, 0),
                      .rate = cable->rate,
                      .latency = cable->latency};
    }
    if (total != hosts)
        return net_fail(net, at->span, "this fat tree does not have %lld hosts", (long long)hosts);
    const bool good = net_add_tiers(net, first, hosts, tiers, (int)levels, at->span);
    count_links(reader, cable->policy, net->links.count - links);
    return good;
}

static bool add_torus(Reader *reader, const XmlElement *at, int32_t first, int64_t hosts,
                      const Cable *cable)
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
                     host_level(reader, 0), cable);
        }
    return true;
}

/* Routers in chassis in groups, hosts below each: routers of a chassis, and those of one place in
   all chassis of a group, are joined; groups by the router whose number is that of the other one.
 */
static bool add_dragonfly(Reader *reader, const XmlElement *at, int32_t first, int64_t hosts,
                          const Cable *cable)
{
    Net *net = reader->net;
    static const char example[] = "a dragonfly has topo_parameters such as 3,4;4,3;5,1;2";
    int64_t of[4][8]; /* groups, chassis, routers, hosts; behind them cables */
    int count[4];
    if (!list_parts(reader, at, example, of, count))
        return false;
    for (int i = 0; i < 4; i++)
        if (count[i] != (i < 3 ? 2 : 1) || of[i][0] > MOST_NET_NODES / 64)
            return net_fail(net, at->span, "%s", example);
    const int64_t groups = of[0][0], blades = of[2][0], wide = of[1][0] * blades;
    if (groups * wide * of[3][0] != hosts || groups > wide)
        return net_fail(net, at->span, "this dragonfly does not have %lld hosts", (long long)hosts);
    const int32_t routers = (int32_t)net->nodes.count;
    for (int64_t r = 0; r < groups * wide; r++)
        net_add(net, false, "router%lld", (long long)r);
    for (int64_t h = 0; h < hosts; h++)
        join(reader, first + (int32_t)h, routers + (int32_t)(h / of[3][0]), host_level(reader, 0),
             cable);
    for (int64_t a = 0; a < groups * wide; a++)
        for (int64_t b = a + 1; b < groups * wide; b++) {
            const int64_t ga = a / wide, gb = b / wide;
            const bool is_chassis = a / blades == b / blades;
            const int64_t cables = ga != gb     ? (a % wide == gb && b % wide == ga) * of[0][1]
                                   : is_chassis ? of[2][1]
                                                : (a % blades == b % blades) * of[1][1];
            if (cables)
                join(reader, routers + (int32_t)a, routers + (int32_t)b,
                     net_level(net, is_chassis ? "chassis" : "group", 0, 0, true), cable)
                    ->lanes = cables;
        }
    return true;
}

/* The node at which a cluster, or a zone that is one, meets others: its router. */
static int32_t hub_of(Reader *reader, const XmlElement *zone)
{
    const char *router = xml_get(zone, "router_id");
    for (const XmlElement *at = zone->first; at; at = at->next)
        router = xml_is(at, "router") ? xml_value(at, "id") : router;
    if (!router)
        router = arena_printf(reader->net->arena, "%s%s_router%s", xml_value(zone, "prefix"),
                              xml_value(zone, "id"), xml_value(zone, "suffix"));
    return net_node(reader->net, router, xml_value(zone, "id"), false, NULL);
}

/* A cluster or a cabinet: hosts with a link each to a hub, which passes so many bytes a second. */
static bool add_cluster(Reader *reader, const XmlElement *at)
{
    static const struct {
        const char *kind;
        bool (*add)(Reader *, const XmlElement *, int32_t, int64_t, const Cable *);
    } kinds[] = {{"FAT_TREE", add_fat_tree}, {"TORUS", add_torus}, {"DRAGONFLY", add_dragonfly}};
    Net *net = reader->net;
    NetHosts hosts = {0};
    Cable cable;
    int level;
    const char *kind = xml_value(at, "topology");
    if (!list_radical(reader, at, &hosts) || !read_cable(reader, at, "bw", "lat", &cable))
        return false;
    if (xml_get(at, "limiter_link"))
        net_warn(net, at->span,
                 "limiter_link is left out: what a host sends and receives together has no limit");
    const int32_t first = (int32_t)net->nodes.count;
    for (size_t i = 0; i < hosts.count; i++) {
        bool is_new;
        net_node(net, hosts.items[i], hosts.items[i], true, &is_new);
        if (!is_new)
            return net_fail(net, at->span, "host '%s' is there twice", hosts.items[i]);
    }
    for (size_t k = 0; k < COUNT_OF(kinds); k++)
        if (strcmp(kind, kinds[k].kind) == 0)
            return kinds[k].add(reader, at, first, (int64_t)hosts.count, &cable);
    if (*kind && strcmp(kind, "FLAT") != 0)
        return net_fail(net, at->span, "a cluster of kind %s is not read", kind);
    const XmlElement *of = xml_is(at, "cabinet") ? at->parent : at;
    const int32_t hub = hub_of(reader, of);
    if (!find_backbone(reader, of, &level, &cable))
        return false;
    for (size_t i = 0; i < hosts.count; i++)
        join(reader, first + (int32_t)i, hub, level, &cable);
    return true;
}

static const XmlElement *find_link(const Reader *reader, const char *id)
{
    for (const XmlElement *at = reader->root; (at = xml_after(at, reader->root));)
        if (xml_is(at, "link") && strcmp(xml_value(at, "id"), id) == 0)
            return at;
    return NULL;
}

/* A host or router at one end of a route; of one between zones, that by which the zone is left. */
static int32_t end_of(const Reader *reader, const XmlElement *route, bool is_target)
{
    const char *end =
        xml_is(route, "route") ? (is_target ? "dst" : "src") : (is_target ? "gw_dst" : "gw_src");
    const int32_t node = net_find(reader->net, xml_value(route, end));
    if (node < 0)
        net_fail(reader->net, route->span, "there is no host or router '%s'",
                 xml_value(route, end));
    return node;
}

static bool is_one_way(const XmlElement *route)
{
    return text_like(text_plain(xml_value(route, "symmetrical")), "no");
}

/* The way back of a route that led one way: over the same link, or one of its own. */
static bool add_way_back(Reader *reader, int32_t from, int32_t to, const Cable *cable)
{
    Net *net = reader->net;
    Cable back = *cable;
    NetLink *there = net->links.items, *end = there + net->links.count;
    back.policy = "SPLITDUPLEX";
    while (there < end && (there->a != to || there->b != from))
        there++;
    if (there == end)
        return net_fail(net, cable->span, "this link has no way back");
    if (there->span.offset == cable->span.offset && strcmp(cable->policy, "SHARED") == 0)
        reader->shared++, reader->split--;
    there->is_one_way = there->rate != cable->rate || there->latency != cable->latency;
    if (there->is_one_way)
        join(reader, from, to, there->level, &back)->is_one_way = true;
    return true;
}

/* A route of one link, or one between zones: a cable between its ends. */
static bool add_route(Reader *reader, const XmlElement *at)
{
    Net *net = reader->net;
    const XmlElement *first = at->first,
                     *link = first ? find_link(reader, xml_value(first, "id")) : NULL;
    Cable cable;
    if (first && first->next)
        return true; /* several links: routes of one link make the graph */
    if (!link)
        return net_fail(net, at->span, "this route names no link of the file");
    const int32_t from = end_of(reader, at, false), to = end_of(reader, at, true);
    if (from < 0 || to < 0 || !read_cable(reader, link, "bandwidth", "latency", &cable))
        return false;
    cable.policy = xml_get(link, "sharing_policy") ? cable.policy : "SHARED";
    const bool has_host = net->nodes.items[from].is_rank || net->nodes.items[to].is_rank;
    if (from == to || !net_is_new(net, "way %d %d", from, to))
        return true;
    const bool is_back = !is_one_way(at)
                             ? !net_is_new(net, "way %d %d", to, from)
                             : net_find(net, arena_printf(net->arena, "way %d %d", to, from)) >= 0;
    const bool is_used = !net_is_new(net, "link %s", xml_value(link, "id"));
    if (is_back)
        return add_way_back(reader, from, to, &cable);
    if (is_used && strcmp(cable.policy, "FATPIPE") != 0 && net_is_new(net, "shared link"))
        net_warn(net, link->span,
                 "several routes share link '%s' in SimGrid: here each has one of its own",
                 xml_value(link, "id"));
    cable.policy = is_one_way(at) ? "SPLITDUPLEX" : cable.policy;
    join(reader, from, to, has_host ? host_level(reader, 0) : net_level(net, "trunk", 0, 0, true),
         &cable)
        ->is_one_way = is_one_way(at);
    return true;
}

/* The link of a host to the backbone of its zone, "l1_UP". */
static bool add_host_link(Reader *reader, const XmlElement *at)
{
    Net *net = reader->net;
    const char *up = xml_value(at, "up");
    const size_t length = strlen(up);
    const XmlElement *link = find_link(reader, up);
    if (!link && length > 3 && strcmp(up + length - 3, "_UP") == 0)
        link = find_link(reader, arena_printf(net->arena, "%.*s", (int)length - 3, up));
    const int32_t host = net_find(net, xml_value(at, "id"));
    Cable cable;
    int level;
    if (host < 0 || !link)
        return net_fail(net, at->span, "this names a host and a link of the file");
    if (!read_cable(reader, link, "bandwidth", "latency", &cable) ||
        !find_backbone(reader, at->parent, &level, &cable))
        return false;
    cable.policy = strcmp(up, xml_value(at, "down")) == 0 ? "SHARED" : "SPLITDUPLEX";
    join(reader, host, hub_of(reader, at->parent), level, &cable);
    return true;
}

static bool add_nodes(Reader *reader)
{
    static const char *const refused[] = {"peer",  "bypassRoute",   "bypassZoneRoute",
                                          "trace", "bypassASroute", NULL};
    Net *net = reader->net;
    for (const XmlElement *at = reader->root; (at = xml_after(at, reader->root));) {
        for (int i = 0; refused[i]; i++)
            if (xml_is(at, refused[i]))
                return net_fail(net, at->span, "'%s' is not read", at->name);
        if (xml_is(at, "host"))
            net_node(net, xml_value(at, "id"), xml_value(at, "id"), true, NULL);
        if (xml_is(at, "router"))
            net_node(net, xml_value(at, "id"), xml_value(at, "id"), false, NULL);
        if ((xml_is(at, "cluster") || xml_is(at, "cabinet")) && !add_cluster(reader, at))
            return false;
    }
    return !net->has_failed;
}

static bool is_route(const XmlElement *at)
{
    return xml_is(at, "route") || xml_is(at, "zoneRoute") ||
           text_like(text_plain(at->name), "ASroute");
}

/* Routes of several links go over those of one link, and all hosts are joined; else nothing is
   known of the links between. */
static bool check_routes(Reader *reader)
{
    Net *net = reader->net;
    const int32_t *group = net_groups(net, net_joins_all, -1);
    for (const XmlElement *at = reader->root; (at = xml_after(at, reader->root));) {
        if (!is_route(at) || !at->first)
            continue;
        const int32_t from = end_of(reader, at, false), to = end_of(reader, at, true);
        if (from < 0 || to < 0)
            return false;
        if (from == to)
            continue;
        bool is_known = group[from] == group[to];
        for (const XmlElement *link = at->first; link && is_known; link = link->next)
            is_known = !net_is_new(net, "link %s", xml_value(link, "id"));
        if (!is_known)
            return net_fail(net, at->span,
                            "general routes are not read: no routes of one link lead this way");
    }
    const int32_t apart = net_apart(net, group);
    return apart < 0 || net_fail(net, reader->root->span,
                                 "general routes are not read: no clusters or routes of one link "
                                 "lead to host '%s'",
                                 net->nodes.items[apart].name);
}

bool read_simgrid(Net *net)
{
    Reader reader = {.net = net, .root = xml_read(net->arena, net->source, net->diag)};
    if (!reader.root || !add_nodes(&reader))
        return false;
    for (const XmlElement *at = reader.root; (at = xml_after(at, reader.root));)
        if (is_route(at) ? !add_route(&reader, at)
                         : xml_is(at, "host_link") && !add_host_link(&reader, at))
            return false;
    if (!net_rank_count(net))
        return net_fail(net, reader.root->span, "this platform has no hosts");
    if (!check_routes(&reader))
        return false;
    net->is_half_duplex = reader.shared > reader.split;
    if (reader.shared && reader.split)
        net_warn(net, reader.root->span,
                 "%lld links are SHARED by both directions, %lld are not: all count as %s",
                 (long long)reader.shared, (long long)reader.split,
                 net->is_half_duplex ? "SHARED" : "SPLITDUPLEX");
    for (int i = 0; i < reader.kinds; i++)
        if (reader.capacities[i] > 0)
            net_note(
                net,
                "a backbone is a capacity of a switch: %s; SimGrid's own factors are not in it",
                machine_show_bandwidth(net->arena, reader.capacities[i]));
    net_prune(net);
    return !net->has_failed;
}
