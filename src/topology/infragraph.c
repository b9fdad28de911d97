#include "model/node.h"
#include "topology/net.h"

#include <stdlib.h>
#include <string.h>

/* InfraGraph: devices made of components and links between these, instances of devices, and links
   between components of instances. Edges with slices as Python has them, and connections as texts,
   `server.0.nic.1.eth.leaf.0.port.1`, of the generation before. */

typedef struct {
    Net *net;
    const Node *root, *devices, *instances;
} Reader;

typedef struct {
    const Node *device;
    const char *prefix; /* "server.0." */
} Place;

ARRAY_TYPE(Ends, int32_t);

bool is_infragraph(const Source *source)
{
    return net_has_line(source, "components:") || net_has_line(source, "- components:") ||
           source_holds(source, "\"components\"");
}

static const Node *find_named(const Node *list, Text name)
{
    for (size_t i = 0; list && i < node_item_count(list); i++)
        if (name.length && text_same(net_text(node_item(list, i), "name"), name))
            return node_item(list, i);
    return NULL;
}

static int64_t count_of(const Node *map)
{
    int64_t count = 1;
    const Text text = net_text(map, "count");
    return text.length && text_whole(text, &count) && count <= MOST_NET_NODES ? count : 1;
}

static bool is_rank(const Node *component)
{
    const Text kind = net_text(component, net_child(component, "type") ? "type" : "choice");
    return text_equals(kind, "xpu") || text_equals(kind, "npu") || text_equals(kind, "gpu");
}

static int32_t node_of(Reader *reader, const char *prefix, const Node *component, int64_t index)
{
    Net *net = reader->net;
    const Text name = net_text(component, "name");
    const char *key =
        arena_printf(net->arena, "%s%.*s.%lld", prefix, TEXT_ARGS(name), (long long)index);
    return net_node(net, key, key, is_rank(component), NULL);
}

/* 400 of {choice: gigabits_per_second, gigabits_per_second: 400}; of transfers 16 lanes. */
static double rate_of(Net *net, const Node *link)
{
    const Node *physical = net_child(link, "physical");
    const Node *bandwidth = net_child(physical ? physical : link, "bandwidth");
    const Text choice = net_text(bandwidth, "choice");
    for (size_t i = 0; bandwidth && bandwidth->kind == NODE_MAP && i < bandwidth->count; i++) {
        const Text key = bandwidth->keys[i]->text, text = bandwidth->values[i]->text;
        const double value =
            bandwidth->values[i]->kind == NODE_SCALAR ? strtod(text.chars, NULL) : 0;
        const double unit = text_holds(key, "bytes")      ? 1e9
                            : text_holds(key, "bits")     ? 0.125e9
                            : text_holds(key, "transfer") ? 2e9
                                                          : 0;
        if (!text_equals(key, "choice") && unit > 0 && value > 0 && value < 1e9 &&
            (!choice.length || text_same(choice, key)))
            return value * unit;
    }
    if (bandwidth)
        net_fail(
            net, bandwidth->text.span,
            "a bandwidth in gigabits, gigabytes or gigatransfers per second was expected here");
    return 0;
}

static void join(Reader *reader, int32_t a, int32_t b, Text name, const Node *link, Span span)
{
    const char *level = name.length ? text_string(reader->net->arena, name) : "link";
    if (a != b)
        net_link(reader->net, a, b,
                 net_level(reader->net, level, 50e9, 0, !strcasestr(level, "pci")),
                 rate_of(reader->net, link), span);
}

/* "npu[0:2]": the entry of that name in a list, and the part of its 0 .. count - 1 that the slice
   names. NULL after a report. */
static const Node *find_slice(Reader *reader, const Node *list, Text text, const char *what,
                              int64_t *from, int64_t *to)
{
    Text name = text, inside, first, last;
    const bool is_part = text_split(text, '[', &name, &inside);
    const Node *found = find_named(list, name);
    *from = 0, *to = count_of(found);
    if (!found)
        net_fail(reader->net, text.span, "no %s is called '%.*s'", what, TEXT_ARGS(name));
    if (!found || !is_part)
        return found;
    const bool is_closed = inside.length && inside.chars[inside.length - 1] == ']';
    inside.length -= is_closed;
    first = inside;
    const bool is_range = text_split(inside, ':', &first, &last);
    int64_t end = *to;
    if (!is_closed || (first.length ? !text_whole(first, from) : !is_range) ||
        (is_range && last.length && !text_whole(last, &end))) {
        net_fail(reader->net, text.span, "a slice such as [0], [0:8] or [2:] was expected here");
        return NULL;
    }
    *to = !is_range ? *from + 1 : end < *to ? end : *to;
    return found;
}

static bool add_components(Reader *reader, const Place *place, Text text, Ends *ends)
{
    int64_t from, to;
    const Node *component = find_slice(reader, net_child(place->device, "components"), text,
                                       "component of this device", &from, &to);
    for (int64_t i = from; component && i < to; i++)
        *ARRAY_PUSH(reader->net->arena, ends) = node_of(reader, place->prefix, component, i);
    return component != NULL;
}

static Place place_of(Reader *reader, const Node *instance, int64_t number)
{
    const Text name = net_text(instance, "name");
    return (Place){
        find_named(reader->devices, net_text(instance, "device")),
        arena_printf(reader->net->arena, "%.*s.%lld.", TEXT_ARGS(name), (long long)number)};
}

/* An end of an edge: in a device that stands at `place`, or at instances. */
static bool add_ends(Reader *reader, const Place *place, const Node *end, Ends *ends)
{
    const Text component = net_text(end, "component");
    int64_t from, to;
    if (place)
        return add_components(reader, place, component, ends);
    if (!net_text(end, "instance").length)
        return net_fail(reader->net, end ? end->text.span : NOWHERE, "an end names an instance");
    const Node *of = find_slice(reader, reader->instances, net_text(end, "instance"),
                                "instance of a device", &from, &to);
    for (int64_t i = from; of && i < to; i++) {
        const Place at = place_of(reader, of, i);
        if (!add_components(reader, &at, component, ends))
            return false;
    }
    return of != NULL;
}

static bool add_edge(Reader *reader, const Place *place, const Node *owner, const Node *edge)
{
    Ends one = {0}, two = {0};
    const Text link = net_text(edge, "link"), scheme = net_text(edge, "scheme");
    const Node *properties = find_named(net_child(owner, "links"), link);
    if (!add_ends(reader, place, net_child(edge, "ep1"), &one) ||
        !add_ends(reader, place, net_child(edge, "ep2"), &two))
        return false;
    const bool is_ring = text_equals(scheme, "ring");
    if (scheme.length && !is_ring && !text_equals(scheme, "one2one") &&
        !text_equals(scheme, "many2many"))
        return net_fail(reader->net, scheme.span, "a scheme is one2one, many2many or ring");
    const bool joins_all =
        text_equals(scheme, "many2many") || text_equals(net_text(edge, "many2many"), "true");
    const bool is_same = one.count == two.count && one.count && one.items[0] == two.items[0];
    if ((double)one.count * (double)two.count > MOST_NET_NODES)
        return net_fail(reader->net, edge->text.span, "this edge has too many links");
    for (size_t i = 0; i < one.count; i++)
        for (size_t k = 0; k < two.count; k++)
            if (is_ring     ? k == (i + 1) % two.count
                : joins_all ? !is_same || i < k /* of one set each pair once */
                            : i == k)
                join(reader, one.items[i], two.items[k], link, properties, edge->text.span);
    return true;
}

/* `[server.0.]nic.1.eth.[leaf.0.]port.1`: names and numbers, the link without one. */
static bool add_connection(Reader *reader, const Place *place, const Node *owner, const Node *item)
{
    Text parts[10], rest = item->text;
    int count = 0, each = place ? 2 : 4;
    int64_t index[2], number;
    int32_t ends[2];
    while (count < 10 && text_next(&rest, '.', &parts[count]))
        count++;
    if (count != 2 * each + 1)
        return net_fail(reader->net, item->text.span, "this connection does not have %d parts",
                        2 * each + 1);
    for (int e = 0; e < 2; e++) {
        const Text *part = parts + (e ? each + 1 : 0);
        Place at = place ? *place : (Place){0};
        if (!place && text_whole(part[1], &number))
            at = place_of(reader, find_named(reader->instances, part[0]), number);
        const Node *component = find_named(net_child(at.device, "components"), part[each - 2]);
        if (!component || !text_whole(part[each - 1], &index[e]) || index[e] > MOST_NET_NODES)
            return net_fail(reader->net, part[0].span,
                            "no component of a device has this name, followed by its number");
        ends[e] = node_of(reader, at.prefix, component, index[e]);
    }
    join(reader, ends[0], ends[1], parts[each], find_named(net_child(owner, "links"), parts[each]),
         item->text.span);
    return true;
}

/* What stands in a device, or between instances. */
static bool add_inside(Reader *reader, const Place *place, const Node *owner)
{
    const Node *edges = net_child(owner, "edges"), *connections = net_child(owner, "connections");
    for (size_t i = 0; edges && i < node_item_count(edges); i++)
        if (!add_edge(reader, place, owner, node_item(edges, i)))
            return false;
    for (size_t i = 0; connections && i < node_item_count(connections); i++)
        if (!add_connection(reader, place, owner, node_item(connections, i)))
            return false;
    return true;
}

static bool add_device(Reader *reader, const Place *place)
{
    const Node *components = net_child(place->device, "components");
    for (size_t i = 0; components && i < node_item_count(components); i++) {
        const Node *component = node_item(components, i);
        if (net_child(component, "components") || net_child(component, "device"))
            return net_fail(reader->net, component->text.span,
                            "devices inside of devices are not read");
        for (int64_t k = 0;
             is_rank(component) && net_child(component, "count") && k < count_of(component); k++)
            node_of(reader, place->prefix, component, k);
    }
    return add_inside(reader, place, place->device);
}

static bool joins_parts(const Net *net, const NetLink *link, int level)
{
    (void)level;
    return link->rate <= 0 && !net->nodes.items[link->a].is_rank &&
           !net->nodes.items[link->b].is_rank;
}

/* Parts of a switch that links without a rate join, ports and their chip, are one node. */
static void merge_parts(Net *net)
{
    const int32_t *group = net_groups(net, joins_parts, 0);
    size_t kept = 0;
    for (size_t i = 0; i < net->links.count; i++) {
        NetLink link = net->links.items[i];
        const bool is_inside = joins_parts(net, &link, 0);
        link.a = group[link.a], link.b = group[link.b];
        if (!is_inside)
            net->links.items[kept++] = link;
    }
    net->links.count = kept;
    for (size_t i = 0; i < net->nodes.count; i++)
        net->nodes.items[i].is_left_out |= group[i] != (int32_t)i;
}

bool read_infragraph(Net *net)
{
    Reader reader = {.net = net, .root = net_yaml(net)};
    if (!reader.root)
        return false;
    const Node *root = net_child(reader.root, "infrastructure");
    reader.root = root ? root : reader.root;
    reader.devices = net_child(reader.root, "devices"),
    reader.instances = net_child(reader.root, "instances");
    const Node *only = net_child(reader.root, "components") ? reader.root
                       : reader.devices && node_item_count(reader.devices) == 1 && !reader.instances
                           ? node_item(reader.devices, 0)
                           : NULL;
    if (!only && !reader.instances)
        return net_fail(net, reader.root->text.span,
                        "neither one device nor 'instances' of 'devices' are here");
    for (size_t i = 0; !only && i < node_item_count(reader.instances); i++) {
        const Node *instance = node_item(reader.instances, i);
        for (int64_t k = 0; k < count_of(instance); k++) {
            const Place place = place_of(&reader, instance, k);
            if (!place.device)
                return net_fail(net, instance->text.span, "this names no device of the file");
            if (!add_device(&reader, &place))
                return false;
        }
    }
    if (only ? !add_device(&reader, &(Place){only, ""}) : !add_inside(&reader, NULL, reader.root))
        return false;
    if (!net_rank_count(net))
        return net_fail(net, reader.root->text.span, "no component is an xpu");
    if (!net->links.count)
        net_warn(net, reader.root->text.span, "this file has no links between its components");
    merge_parts(net);
    net_prune(net);
    net_note(
        net,
        "links of devices without a rate join parts of one switch; elsewhere 50 GB/s are assumed");
    return !net->has_failed;
}
