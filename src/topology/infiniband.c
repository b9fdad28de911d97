#include "topology/net.h"

#include <stdlib.h>
#include <string.h>

/* What ibnetdiscover and ibsim write: a node, and below it its ports with the other end of
   each cable. Both ends of a cable list it. */

typedef struct {
    Net *net;
    int host, trunk;
    int32_t node;     /* whose ports are read; -1: one that is passed over */
    const char *guid; /* its own */
    bool is_adapter;  /* a channel adapter; else a switch or router */
    bool has_rates;
    int64_t passed_over; /* adapters that are parts of switches */
} Reader;

/* Data rates of one lane in bytes/s: signals of SDR to QDR carry 8 bits in 10, later ones 64 in 66
   or the like. Signals are in Gbit/s, rounded down. */
static const struct {
    const char *name;
    double rate, signal;
} speeds[] = {{"SDR", 0.25e9, 2},      {"DDR", 0.5e9, 5},    {"QDR", 1e9, 10},
              {"FDR10", 1.25e9, 10.1}, {"FDR", 1.705e9, 14}, {"EDR", 3.125e9, 25},
              {"HDR", 6.25e9, 50},     {"NDR", 12.5e9, 100}, {"XDR", 25e9, 200}};
enum { SPEEDS = COUNT_OF(speeds) };

static bool begins_node(Text line, Text *kind)
{
    Text rest = line;
    return net_word(&rest, kind) &&
           (text_equals(*kind, "Switch") || text_equals(*kind, "Ca") || text_equals(*kind, "Hca") ||
            text_equals(*kind, "Rt") || text_equals(*kind, "Router")) &&
           !text_begins(text_trim(rest), ":") && memchr(rest.chars, '"', rest.length);
}

/* What the program writes to its standard error. */
static bool is_complaint(Text line)
{
    return text_begins(line, "ibwarn: ") || (text_begins(line, "src/") && text_holds(line, ".c:"));
}

/* What says of what kind the next node is, or where in a chassis it is. */
static bool is_passed_over(Text line)
{
    static const char *const words[] = {"vendid=", "devid=",        "sysimgguid=", "switchguid=",
                                        "caguid=", "rtguid=",       "Chassis",     "Non-Chassis",
                                        "DR path", "Topology file:"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (text_begins(line, words[i]))
            return true;
    return false;
}

bool is_infiniband(const Source *source)
{
    size_t offset = 0;
    Text line, kind;
    bool found;
    while ((found = net_next(source, &offset, &line)) && is_complaint(line))
        ;
    return found && (is_passed_over(line) || begins_node(line, &kind));
}

/* The text between the first two quotes; what stands behind them in *rest. */
static bool quoted(Text text, Text *inside, Text *rest)
{
    const char *open = memchr(text.chars, '"', text.length);
    if (!open)
        return false;
    const size_t start = (size_t)(open - text.chars) + 1;
    const char *close = memchr(text.chars + start, '"', text.length - start);
    if (!close)
        return false;
    const size_t end = (size_t)(close - text.chars);
    *inside = text_slice(text, start, end - start);
    *rest = text_slice(text, end + 1, text.length - end - 1);
    return true;
}

static bool is_default_name(Text description)
{
    return !description.length || text_holds(description, "Technologies") ||
           text_holds(description, "ConnectX");
}

static int32_t find_node(Reader *reader, Text guid, Text description, bool is_adapter)
{
    bool is_new;
    const char *key = text_string(reader->net->arena, guid);
    const char *name =
        is_default_name(description) ? key : text_string(reader->net->arena, description);
    const int32_t node = net_node(reader->net, key, name, is_adapter, &is_new);
    /* Adapters inside of switches, which combine data (SHARP), are no hosts. */
    if (is_new && (text_holds(description, "Aggregation Node") ||
                   text_holds(description, "Mellanox Technologies SHARP"))) {
        reader->net->nodes.items[node].is_left_out = true;
        reader->passed_over++;
    }
    return node;
}

static bool open_node(Reader *reader, Text line, Text kind)
{
    Text guid, rest, description = {.chars = ""}, behind;
    if (!quoted(line, &guid, &rest) || !guid.length)
        return net_fail(reader->net, line.span,
                        "the identity of a node was expected here, in quotes");
    quoted(rest, &description, &behind);
    reader->is_adapter = text_equals(kind, "Ca") || text_equals(kind, "Hca");
    reader->guid = text_string(reader->net->arena, guid);
    reader->node = find_node(reader, guid, description, reader->is_adapter);
    NetNode *node = &reader->net->nodes.items[reader->node];
    node->is_rank = reader->is_adapter;
    if (!is_default_name(description))
        node->name = text_string(reader->net->arena, description);
    return true;
}

/* "4xEDR", "2xHDR"; ibsim: "w=4 s=10.0". 0: it is not said. */
static double rate_of(Reader *reader, Text line)
{
    Text word;
    double width = 0, signal = 0, rate = 0;
    while (net_word(&line, &word)) {
        size_t digits = 0;
        double lanes = 0;
        if (text_begins(word, "w=") || text_begins(word, "s="))
            *(word.chars[0] == 'w' ? &width : &signal) = strtod(word.chars + 2, NULL);
        while (digits < word.length && word.chars[digits] >= '0' && word.chars[digits] <= '9')
            lanes = lanes * 10 + word.chars[digits++] - '0';
        if (!digits || digits > 2 || digits + 1 >= word.length || word.chars[digits] != 'x')
            continue;
        const Text speed = text_slice(word, digits + 1, word.length - digits - 1);
        for (size_t i = 0; i < SPEEDS; i++)
            if (text_equals(speed, speeds[i].name))
                return lanes * speeds[i].rate;
        net_fail(reader->net, word.span, "unknown speed of a link: '%.*s'", TEXT_ARGS(word));
    }
    for (size_t i = 0; i < SPEEDS && width > 0 && width <= 16; i++)
        rate = signal >= speeds[i].signal ? width * speeds[i].rate : rate;
    return rate;
}

/* "[7]": the port, which is taken from the text, and what else stands there in brackets. */
static bool take_port(Text *text, int64_t *port)
{
    *text = text_trim(*text);
    const char *close = text->length ? memchr(text->chars, ']', text->length) : NULL;
    if (!close || text->chars[0] != '[')
        return false;
    const size_t end = (size_t)(close - text->chars);
    const bool good = text_whole(text_slice(*text, 1, end - 1), port);
    *text = text_slice(*text, end + 1, text->length - end - 1);
    return good;
}

/* Of each cable the end counts that comes first, by identity and port. */
static bool read_port(Reader *reader, Text line)
{
    Net *net = reader->net;
    Text guid, rest = line, description = {.chars = ""}, behind, inside;
    int64_t port = 0, other_port = 0;
    if (!take_port(&rest, &port))
        return net_fail(net, line.span, "a port was expected here: [1]");
    if (!quoted(rest, &guid, &rest) || !guid.length || !take_port(&rest, &other_port))
        return net_fail(net, line.span,
                        "the other end of the cable was expected here: \"S-...\"[1]");
    const char *sign = memchr(rest.chars, '#', rest.length);
    Text remark = sign ? text_behind(rest, (size_t)(sign - rest.chars)) : rest;
    for (Text next = remark; quoted(next, &inside, &behind); next = behind)
        description = inside;
    const double rate = rate_of(reader, remark);
    const char *other = text_string(net->arena, guid);
    const char *ends[] = {
        arena_printf(net->arena, "port %lld of %s", (long long)port, reader->guid),
        arena_printf(net->arena, "port %lld of %s", (long long)other_port, other)};
    const bool swaps = strcmp(ends[0], ends[1]) > 0;
    const int32_t known =
        net_find(net, other) >= 0
            ? net_find(net, other)
            : find_node(reader, guid, reader->is_adapter ? (Text){.chars = ""} : description,
                        guid.chars[0] == 'H' || text_begins(guid, "Hca"));
    reader->has_rates |= rate > 0;
    if (!net_is_new(net, "%s %s", ends[swaps], ends[!swaps]))
        return !net->has_failed;
    for (int i = 0; i < 2; i++)
        if (!net_is_new(net, "%s", ends[i]))
            return net_fail(net, line.span, "%s has two cables", ends[i]);
    if (known != reader->node)
        net_link(net, reader->node, known, reader->trunk, rate, line.span);
    return !net->has_failed;
}

bool read_infiniband(Net *net)
{
    Reader reader = {.net = net, .node = -1};
    size_t offset = 0;
    Text line, kind;
    bool has_complaints = false;
    net->startups = nccl_startups;
    reader.host = net_level(net, "host", 1e9, NCCL_NET_STARTUP, false);
    reader.trunk = net_level(net, "trunk", 1e9, NCCL_NET_STARTUP, false);
    while (net_next(net->source, &offset, &line))
        if (is_complaint(line)) {
            if (!has_complaints)
                net_warn(net, line.span, "ibnetdiscover had errors: parts may be missing");
            has_complaints = true;
        } else if (begins_node(line, &kind) ? !open_node(&reader, line, kind)
                   : line.chars[0] == '[' && reader.node >= 0
                       ? !read_port(&reader, line)
                       : !is_passed_over(line) && !memchr(line.chars, '=', line.length))
            return net_fail(net, line.span, "this is no line of ibnetdiscover");
    for (size_t i = 0; i < net->links.count; i++) {
        NetLink *link = &net->links.items[i];
        if (net->nodes.items[link->a].is_rank || net->nodes.items[link->b].is_rank)
            link->level = reader.host;
    }
    if (!net_rank_count(net))
        return net_fail(net, net_start(net), "this file has no host adapter (Ca)");
    if (reader.passed_over)
        net_note(net, "adapters that are parts of switches (Aggregation Node) are no ranks: %lld",
                 (long long)reader.passed_over);
    if (!reader.has_rates)
        net_note(net, "no speeds are in the file: 4x SDR is assumed, 1 GB/s");
    net_note(net, "ranks are adapters: a host can have several");
    return !net->has_failed;
}
