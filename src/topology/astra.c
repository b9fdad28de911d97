#include "model/node.h"
#include "topology/net.h"

/* The analytical network of ASTRA-sim: dimensions, the first varying fastest, each a ring, a switch
   or fully connected. Bandwidths are per link in 2^30 bytes/s, latencies per link in ns. */

typedef enum { RING, SWITCH, FULL, OLD_FULL, KINDS } Kind;
static const char *const kinds[KINDS] = {"Ring", "Switch", "FullyConnected", "AllToAll"};

typedef struct {
    Kind kind;
    int64_t size, stride;
    double rate, latency;
    Span span;
} Axis;

typedef struct {
    Net *net;
    Axis axes[MOST_NET_DIMENSIONS];
    int count;
    int64_t npus;
} Reader;

bool is_astra(const Source *source)
{
    return source_holds(source, "npus_count") || source_holds(source, "logical-dims") ||
           (source_holds(source, "\"units-count\"") && source_holds(source, "\"link-bandwidth\""));
}

static bool read_number(Net *net, Text text, double *value)
{
    return quantity_is(text, DIMENSION_NONE, value) ||
           net_fail(net, text.span, "a number was expected here, not '%.*s'", TEXT_ARGS(text));
}

/* What the lists of kinds, sizes, rates and latencies have at that place. */
static bool read_axis(Reader *reader, int at, const Node *const lists[4])
{
    Net *net = reader->net;
    Axis *axis = &reader->axes[at];
    const Node *kind = node_item(lists[0], (size_t)at), *size = node_item(lists[1], (size_t)at);
    const Node *rate = node_item(lists[2], (size_t)at), *latency = node_item(lists[3], (size_t)at);
    const size_t k = text_among(kind->text, kinds, KINDS);
    *axis = (Axis){.stride = reader->npus, .span = kind->text.span};
    if (k == KINDS)
        return net_fail(net, kind->text.span, "a dimension is Ring, Switch or FullyConnected");
    axis->kind = k == OLD_FULL ? FULL : (Kind)k;
    if (!text_whole(size->text, &axis->size) || axis->size < 1 ||
        (reader->npus *= axis->size) > MOST_NET_NODES)
        return net_fail(net, size->text.span, "NPUs are a whole number, up to %d in all",
                        MOST_NET_NODES);
    if (!read_number(net, rate->text, &axis->rate) ||
        !read_number(net, latency->text, &axis->latency))
        return false;
    axis->rate *= 0x1p30, axis->latency *= 1e-9;
    return axis->rate > 0 || net_fail(net, rate->text.span, "a bandwidth is above 0");
}

static void link_at(Reader *reader, int level, int32_t a, int32_t b, const Axis *axis)
{
    NetLink *link = net_link(reader->net, a, b, level, axis->rate, axis->span);
    link->latency = axis->latency;
}

/* One line of NPUs: from `first` on, in steps of the axis. */
static void join_line(Reader *reader, int level, int32_t first, const Axis *axis)
{
    const int32_t step = (int32_t)axis->stride, size = (int32_t)axis->size;
    const int32_t hub =
        axis->kind == SWITCH && size > 1 ? net_add(reader->net, false, "switch") : 0;
    for (int32_t i = 0; i < size && size > 1; i++) {
        if (axis->kind == SWITCH)
            link_at(reader, level, first + i * step, hub, axis);
        else if (axis->kind == RING && (i + 1 < size || size > 2))
            link_at(reader, level, first + i * step, first + (i + 1) % size * step, axis);
        for (int32_t j = i + 1; j < size && axis->kind == FULL; j++)
            link_at(reader, level, first + i * step, first + j * step, axis);
    }
}

static bool build(Reader *reader)
{
    Net *net = reader->net;
    bool is_torus = true;
    for (int64_t n = 0; n < reader->npus; n++)
        net_add(net, true, "npu%lld", (long long)n);
    for (int i = 0; i < reader->count; i++)
        is_torus &= reader->axes[i].kind == RING && reader->axes[i].rate == reader->axes[0].rate &&
                    reader->axes[i].latency == reader->axes[0].latency;
    for (int i = 0; i < reader->count; i++) {
        const Axis *axis = &reader->axes[i];
        /* A torus is written as one, without a level for each dimension. */
        const char *name = arena_printf(net->arena, "dim%d", is_torus ? 0 : i);
        const int level = net_level(net, name, 0, 0, true);
        if (reader->npus * (axis->kind == FULL ? axis->size : 1) > MOST_NET_NODES)
            return net_fail(net, axis->span, "this dimension has too many links");
        for (int64_t n = 0; n < reader->npus; n++)
            if (n / axis->stride % axis->size == 0)
                join_line(reader, level, (int32_t)n, axis);
    }
    for (int i = reader->count; i-- > 0;)
        net_dimension(net, arena_printf(net->arena, "dim%d", i), reader->axes[i].size);
    net_note(net, "ASTRA-sim counts a GB as 2^30 bytes; a switch is two links");
    return !net->has_failed;
}

/* Version 1 counts the links of each NPU, and has latencies of its own of adapters and routers. */
static bool check_old(Reader *reader, const Node *root)
{
    const Node *links = net_child(root, "links-count");
    for (int i = 0; links && i < reader->count; i++) {
        const Axis *axis = &reader->axes[i];
        const int64_t usual = axis->kind == RING ? 2 : axis->kind == FULL ? axis->size - 1 : 1;
        int64_t count;
        if (node_item_count(links) <= (size_t)i ||
            !text_whole(node_item(links, (size_t)i)->text, &count) || count != usual)
            return net_fail(reader->net, links->text.span,
                            "NPUs with other numbers of links than a %s needs are not read",
                            kinds[axis->kind]);
    }
    if (links)
        net_note(reader->net, "latencies of adapters and routers are left out");
    return true;
}

bool read_astra(Net *net)
{
    static const char *const keys[][2] = {{"topology", "topologies-per-dim"},
                                          {"npus_count", "units-count"},
                                          {"bandwidth", "link-bandwidth"},
                                          {"latency", "link-latency"}}; /* the latter: version 1 */
    const Node *lists[4];
    Reader reader = {.net = net, .npus = 1};
    const Node *root = net_yaml(net);
    if (!root)
        return false;
    if (net_child(root, "logical-dims"))
        return net_fail(net, root->text.span,
                        "logical dimensions are a view of a network, not one: give that itself");
    if (net_child(root, "topology_file"))
        return net_fail(net, net_text(root, "topology_file").span,
                        "the network is in this other file: import that one");
    for (int i = 0; i < 4; i++) {
        lists[i] = net_child(root, keys[i][net_child(root, keys[i][1]) != NULL]);
        if (!lists[i] || node_item_count(lists[i]) != node_item_count(lists[0]))
            return net_fail(net, lists[i] ? lists[i]->text.span : root->text.span,
                            "'%s' has one value for each dimension", keys[i][0]);
    }
    reader.count = (int)node_item_count(lists[0]);
    if (reader.count < 1 || reader.count > MOST_NET_DIMENSIONS)
        return net_fail(net, lists[0]->text.span, "there are 1 to %d dimensions",
                        MOST_NET_DIMENSIONS);
    for (int i = 0; i < reader.count; i++)
        if (!read_axis(&reader, i, lists))
            return false;
    return check_old(&reader, root) && build(&reader);
}
