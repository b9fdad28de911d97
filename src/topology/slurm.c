#include "model/node.h"
#include "topology/net.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Slurm's topology.conf and topology.yaml, and the models of topograph: the scheduler's tree of
   switches, or blocks of nodes that NVLink joins. Nothing of rates or cables. */

typedef struct {
    Net *net;
    int host, trunk, block;
} Reader;

typedef enum {
    SWITCH_NAME,
    SWITCHES,
    NODES,
    LINK_SPEED,
    BLOCK_NAME,
    BLOCK_SIZES,
    RING_NAME,
    LEVEL, /* this and three more: of scontrol show topology */
    FIELDS = LEVEL + 4
} Field;
static const char *const fields[FIELDS] = {
    "SwitchName", "Switches", "Nodes",      "LinkSpeed", "BlockName",      "BlockSizes",
    "RingName",   "Level",    "BlockIndex", "BlockSize", "AggregatedBlock"};

/* ### Lists of hosts */

/* An item from behind `prefix` on. */
static bool add_hosts(Net *net, const char *prefix, Text rest, NetHosts *hosts)
{
    const char *open = rest.length ? memchr(rest.chars, '[', rest.length) : NULL;
    if (hosts->count >= MOST_NET_NODES)
        return net_fail(net, rest.span, "this list has too many hosts (more than %d)",
                        MOST_NET_NODES);
    if (!open) {
        const char *name = *ARRAY_PUSH(net->arena, hosts) =
            arena_printf(net->arena, "%s%.*s", prefix, TEXT_ARGS(rest));
        for (const char *c = name; *c; c++)
            if (!isalnum((unsigned char)*c) && !strchr("-_.:", *c))
                return net_fail(net, rest.span, "'%s' is no name of a host or switch", name);
        return true;
    }
    const size_t start = (size_t)(open - rest.chars) + 1;
    const char *close = memchr(open, ']', rest.length - start + 1);
    if (!close)
        return net_fail(net, rest.span, "this bracket is not closed");
    const size_t end = (size_t)(close - rest.chars);
    const char *before = arena_printf(net->arena, "%s%.*s", prefix, (int)start - 1, rest.chars);
    const Text behind = text_slice(rest, end + 1, rest.length - end - 1);
    Text range, ranges = text_slice(rest, start, end - start);
    while (text_next(&ranges, ',', &range)) { /* "07", or "07-12" */
        Text first = range, last = range;
        int64_t from, to;
        text_split(range, '-', &first, &last);
        if (!text_whole(first, &from) || !text_whole(last, &to) || to < from)
            return net_fail(net, range.span,
                            "a number, or a range such as 07-12, was expected here");
        if (to - from >= MOST_NET_NODES)
            return net_fail(net, range.span, "this list has too many hosts (more than %d)",
                            MOST_NET_NODES);
        for (int64_t n = from; n <= to; n++)
            if (!add_hosts(
                    net,
                    arena_printf(net->arena, "%s%0*lld", before, (int)first.length, (long long)n),
                    behind, hosts))
                return false;
    }
    return true;
}

bool net_list_hosts(Net *net, Text list, NetHosts *hosts)
{
    list = text_trim(list);
    while (list.length) {
        /* Where the list goes on behind its first item; brackets hold commas of their own. */
        size_t length = 0;
        for (int depth = 0; length < list.length && (depth || list.chars[length] != ','); length++)
            depth += (list.chars[length] == '[') - (list.chars[length] == ']');
        const Text item = text_trim(text_slice(list, 0, length));
        if (!item.length)
            return net_fail(net, list.span, "a name is missing in this list of hosts");
        if (!add_hosts(net, "", item, hosts))
            return false;
        const size_t next = length + (length < list.length);
        list = text_behind(list, next);
    }
    return true;
}

/* ### Switches */

static int32_t find(Reader *reader, const char *kind, const char *name)
{
    return net_node(reader->net, arena_printf(reader->net->arena, "%s %s", kind, name), name,
                    strcmp(kind, "host") == 0, NULL);
}

static void join_below(Reader *reader, int32_t above, int32_t below, int level, Span span)
{
    Net *net = reader->net;
    if (net_is_new(net, "link %d %d", above, below) && above != below)
        net_link(net, below, above, level, 0, span);
}

/* Hosts, or switches, below a node. */
static bool add_below(Reader *reader, int32_t above, const char *kind, Text names, int level,
                      Span span)
{
    NetHosts list = {0};
    if (!net_list_hosts(reader->net, names, &list))
        return false;
    for (size_t i = 0; i < list.count; i++)
        join_below(reader, above, find(reader, kind, list.items[i]), level, span);
    return !reader->net->has_failed;
}

static bool add_switch(Reader *reader, Text name, Text switches, Text hosts, Span span)
{
    const int32_t node = find(reader, "switch", text_string(reader->net->arena, name));
    net_is_new(reader->net, "defined %d", node);
    return add_below(reader, node, "switch", switches, reader->trunk, span) &&
           add_below(reader, node, "host", hosts, reader->host, span);
}

static bool add_block(Reader *reader, Text name, Text hosts, Span span)
{
    const int32_t node = find(reader, "block", text_string(reader->net->arena, name));
    return add_below(reader, node, "host", hosts, reader->block, span);
}

static bool add_ring(Reader *reader, Text hosts, Span span)
{
    NetHosts list = {0};
    if (!net_list_hosts(reader->net, hosts, &list))
        return false;
    for (size_t i = 0; i < list.count && list.count > 1; i++)
        join_below(reader, find(reader, "host", list.items[i]),
                   find(reader, "host", list.items[(i + 1) % list.count]), reader->trunk, span);
    return !reader->net->has_failed;
}

/* ### topology.conf */

static bool begins(Text text, const char *with)
{
    return text.length >= strlen(with) && strncasecmp(text.chars, with, strlen(with)) == 0;
}

static bool is_conf_line(Text text)
{
    return begins(text, "SwitchName=") || begins(text, "BlockName=") || begins(text, "RingName=") ||
           begins(text, "BlockSizes=");
}

/* The fields of a line, "Name=value" with blanks between; of one that is not there no text. */
static bool read_fields(Net *net, Text line, Text *values)
{
    Text word, key, value;
    for (int f = 0; f < FIELDS; f++)
        values[f] = (Text){.chars = ""};
    while (net_word(&line, &word) && word.chars[0] != '#') {
        int f = 0;
        const bool has_value = text_split(word, '=', &key, &value);
        while (has_value && f < FIELDS && !text_like(key, fields[f]))
            f++;
        if (!has_value || f == FIELDS)
            return net_fail(net, word.span, "'%.*s' is no field of a topology.conf",
                            (int)(has_value ? key.length : word.length), word.chars);
        if (values[f].length)
            return net_fail(net, word.span, "'%.*s' is twice in this line: write a line for each",
                            TEXT_ARGS(key));
        if (value.length > 1 && value.chars[0] == '"' && value.chars[value.length - 1] == '"')
            value = text_slice(value, 1, value.length - 2);
        values[f] = value;
    }
    return true;
}

static bool read_conf(Reader *reader)
{
    Net *net = reader->net;
    for (int blocks = 0; blocks < 2 && !net->nodes.count; blocks++) {
        size_t offset = 0;
        Text line, values[FIELDS];
        while (net_next(net->source, &offset, &line)) {
            if (begins(line, "Include"))
                return net_fail(net, line.span,
                                "a file that is included is not read: put both into one");
            if (!read_fields(net, line, values))
                return false;
            const Text name = values[SWITCH_NAME];
            Text nodes = values[NODES];
            if (values[LEVEL].length && values[SWITCHES].length)
                nodes = text_slice(name, 0, 0); /* those of its switches */
            if (name.length && !blocks
                    ? !add_switch(reader, name, values[SWITCHES], nodes, line.span)
                : values[BLOCK_NAME].length && blocks
                    ? !add_block(reader, values[BLOCK_NAME], nodes, line.span)
                    : values[RING_NAME].length && !blocks && !add_ring(reader, nodes, line.span))
                return false;
        }
    }
    return true;
}

/* ### YAML */

static bool read_items(Reader *reader, const Node *list, const char *kind)
{
    Net *net = reader->net;
    for (size_t i = 0; list && i < node_item_count(list); i++) {
        const Node *item = node_item(list, i);
        const Text name = net_text(item, kind), nodes = net_text(item, "nodes");
        if (!name.length)
            return net_fail(net, item->text.span, "'%s' and its name were expected here", kind);
        if (strcmp(kind, "switch") == 0
                ? !add_switch(reader, name, net_text(item, "children"), nodes, name.span)
            : strcmp(kind, "block") == 0 ? !add_block(reader, name, nodes, name.span)
                                         : !add_ring(reader, nodes, name.span))
            return false;
    }
    return true;
}

/* topology.yaml holds several: the first that is the cluster's default, else the first. */
static bool read_yaml_list(Reader *reader, const Node *root)
{
    Net *net = reader->net;
    const Node *chosen = root->count ? root->values[0] : NULL;
    for (size_t i = root->count; i-- > 0;) {
        const Text is_default = net_text(root->values[i], "cluster_default");
        if (text_like(is_default, "true") || text_like(is_default, "yes"))
            chosen = root->values[i];
    }
    if (!chosen || chosen->kind != NODE_MAP)
        return net_fail(net, root->text.span, "a list of topologies was expected here");
    if (root->count > 1)
        net_note(net, "of %zu topologies that of the name '%s'", root->count,
                 text_string(net->arena, net_text(chosen, "topology")));
    static const char *const kinds[][3] = {
        {"tree", "switches", "switch"}, {"block", "blocks", "block"}, {"ring", "rings", "ring"}};
    for (int k = 0; k < 3; k++)
        if (net_child(chosen, kinds[k][0]))
            return read_items(reader, net_child(net_child(chosen, kinds[k][0]), kinds[k][1]),
                              kinds[k][2]);
    return net_fail(net, chosen->text.span,
                    "this topology has neither 'tree' nor 'block' nor 'ring'");
}

/* topograph: a map of switches above others, and blocks of nodes, each below a switch. */
static bool read_topograph(Reader *reader, const Node *root)
{
    static const Text none = {.chars = ""};
    const Node *switches = net_child(root, "switches"), *blocks = net_child(root, "blocks");
    for (size_t i = 0; switches && switches->kind == NODE_MAP && i < switches->count; i++) {
        const Text name = switches->keys[i]->text;
        const Node *below = net_child(switches->values[i], "switches");
        for (size_t k = 0; below && k < node_item_count(below); k++)
            if (!add_switch(reader, name, node_item(below, k)->text, none, name.span))
                return false;
    }
    for (size_t i = 0; blocks && i < node_item_count(blocks); i++) {
        const Node *nodes = net_child(node_item(blocks, i), "nodes");
        const Text name = net_text(node_item(blocks, i), "switch");
        for (size_t k = 0; nodes && name.length && k < node_item_count(nodes); k++)
            if (!add_switch(reader, name, none, node_item(nodes, k)->text, name.span))
                return false;
    }
    return true;
}

static bool read_yaml(Reader *reader)
{
    Net *net = reader->net;
    const Node *root = net_yaml(net);
    return root &&
           (root->kind == NODE_LIST  ? read_yaml_list(reader, root)
            : root->kind == NODE_MAP ? read_topograph(reader, root)
                                     : net_fail(net, root->text.span, "a list was expected here"));
}

bool is_slurm(const Source *source)
{
    size_t offset = 0;
    Text line;
    return net_next(source, &offset, &line) &&
           (is_conf_line(line) ||
            ((net_has_line(source, "- topology:") || net_has_line(source, "topology:")) &&
             (net_has_line(source, "tree:") || net_has_line(source, "block:") ||
              net_has_line(source, "ring:") || net_has_line(source, "flat:") ||
              net_has_line(source, "cluster_default:"))) ||
            (net_has_line(source, "switches:") && net_has_line(source, "blocks:")));
}

/* A node below two others: schedulers take trees only, but cables may be like that. */
static void check_tree(Net *net)
{
    int32_t *above = ARENA_ARRAY(net->arena, int32_t, net->nodes.count + 1);
    for (size_t i = 0; i < net->links.count; i++) {
        const NetLink *link = &net->links.items[i];
        if (above[link->a]) {
            net_warn(net, link->span,
                     "this is no tree: '%s' is below '%s' and '%s'; links are taken as they are",
                     net->nodes.items[link->a].name, net->nodes.items[above[link->a] - 1].name,
                     net->nodes.items[link->b].name);
            return;
        }
        above[link->a] = link->b + 1;
    }
}

/* Lines that end with \ go on in the next one. Behind the whole there are as many ends of lines, so
   that what follows has its number. */
static const Source *join_lines(Arena *arena, const Source *source)
{
    char *text = arena_copy(arena, source->text, source->length);
    size_t kept = 0, cuts = 0;
    for (size_t i = 0; i < source->length; i++) {
        const size_t end = i + 1 + (i + 1 < source->length && source->text[i + 1] == '\r');
        if (source->text[i] == '\\' && end < source->length && source->text[end] == '\n') {
            i = end, cuts++;
            continue;
        }
        text[kept++] = source->text[i];
        for (; source->text[i] == '\n' && cuts; cuts--)
            text[kept++] = '\n';
    }
    return source_from_text(arena, source->name, text, kept);
}

bool read_slurm(Net *net)
{
    Reader reader = {.net = net};
    net->format = "topology of Slurm";
    net->startups = nccl_startups;
    reader.host = net_level(net, "host", 50e9, NCCL_NET_STARTUP, false);
    reader.trunk = net_level(net, "trunk", 50e9, NCCL_NET_STARTUP, true);
    reader.block = net_level(net, "block", 450e9, NCCL_NVLINK_STARTUP, true);
    size_t offset = 0;
    Text line;
    net_next(net->source, &offset, &line);
    net->source = join_lines(net->arena, net->source);
    if (!(is_conf_line(line) ? read_conf : read_yaml)(&reader))
        return false;
    if (!net_rank_count(net))
        return net_fail(net, net_start(net), "this file has no nodes");
    for (size_t i = 0; i < net->links.count; i++) {
        const NetLink *link = &net->links.items[i];
        const NetNode *below = &net->nodes.items[link->a];
        if (!below->is_rank && net_find(net, arena_printf(net->arena, "defined %d", link->a)) < 0)
            return net_fail(net, link->span, "switch '%s' has no line of its own", below->name);
    }
    check_tree(net);
    net_note(net,
             "no rates are in the file: 50 GB/s are assumed for each link (in a block 450), one "
             "cable for each");
    return !net->has_failed;
}
