#include "model/node.h"
#include "topology/net.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Slurm's topology.conf and topology.yaml, and the models of topograph: the scheduler's tree of
   switches, or blocks of nodes that NVLink joins. Nothing of rates or cables. */

enum { MOST_HOSTS = 1 << 17 };

typedef struct {
    Net *net;
    int host, trunk, block;
} Reader;

typedef struct {
    const char *key;
    Text value;
} Field;
enum { MOST_FIELDS = 8 };

/* ### Lists of hosts */

/* Where the list goes on behind its first item; brackets hold commas of their own. */
static size_t item_length(Text list)
{
    size_t length = 0;
    for (int depth = 0; length < list.length && (depth || list.chars[length] != ','); length++)
        depth += (list.chars[length] == '[') - (list.chars[length] == ']');
    return length;
}

static bool add_hosts(Net *net, const char *prefix, Text rest, NetHosts *hosts);

/* One number of a bracket, "07", or a range of them, "07-12", before the rest of the item. */
static bool add_range(Net *net, const char *prefix, Text range, Text rest, NetHosts *hosts)
{
    Text first = range, last = range;
    int64_t from, to;
    text_split(range, '-', &first, &last);
    if (!text_whole(first, &from) || !text_whole(last, &to) || to < from)
        return net_fail(net, range.span, "a number, or a range such as 07-12, was expected here");
    if (to - from >= MOST_HOSTS)
        return net_fail(net, range.span, "this list has too many hosts (more than %d)", MOST_HOSTS);
    for (int64_t n = from; n <= to; n++)
        if (!add_hosts(
                net, arena_printf(net->arena, "%s%0*lld", prefix, (int)first.length, (long long)n),
                rest, hosts))
            return false;
    return true;
}

/* An item from behind `prefix` on. */
static bool add_hosts(Net *net, const char *prefix, Text rest, NetHosts *hosts)
{
    const char *open = rest.length ? memchr(rest.chars, '[', rest.length) : NULL;
    if (hosts->count >= MOST_HOSTS)
        return net_fail(net, rest.span, "this list has too many hosts (more than %d)", MOST_HOSTS);
    if (!open) {
        const char *name = *ARRAY_PUSH(net->arena, hosts) =
            arena_printf(net->arena, "%s%.*s", prefix, (int)rest.length, rest.chars);
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
    for (bool more = true; more;) {
        more = text_split(ranges, ',', &range, &ranges);
        if (!add_range(net, before, more ? range : ranges, behind, hosts))
            return false;
    }
    return true;
}

bool net_list_hosts(Net *net, Text list, NetHosts *hosts)
{
    list = text_trim(list);
    while (list.length) {
        const size_t length = item_length(list);
        const Text item = text_trim(text_slice(list, 0, length));
        if (!item.length)
            return net_fail(net, list.span, "a name is missing in this list of hosts");
        if (!add_hosts(net, "", item, hosts))
            return false;
        const size_t next = length + (length < list.length);
        list = text_slice(list, next, list.length - next);
    }
    return true;
}

/* ### Switches */

static int32_t find_switch(Reader *reader, const char *name)
{
    return net_node(reader->net, arena_printf(reader->net->arena, "switch %s", name), name, false,
                    NULL);
}

static int32_t find_host(Reader *reader, const char *name)
{
    return net_node(reader->net, arena_printf(reader->net->arena, "host %s", name), name, true,
                    NULL);
}

static void join_below(Reader *reader, int32_t above, int32_t below, int level, Span span)
{
    Net *net = reader->net;
    if (net_is_new(net, "link %d %d", above, below) && above != below)
        net_link(net, below, above, level, 0, span);
}

/* A switch with the switches and hosts below it. */
static bool add_switch(Reader *reader, const char *name, Text switches, Text hosts, Span span)
{
    Net *net = reader->net;
    const int32_t node = find_switch(reader, name);
    net_is_new(net, "defined %d", node);
    NetHosts below = {0}, leaves = {0};
    if (!net_list_hosts(net, switches, &below) || !net_list_hosts(net, hosts, &leaves))
        return false;
    for (size_t i = 0; i < below.count; i++)
        join_below(reader, node, find_switch(reader, below.items[i]), reader->trunk, span);
    for (size_t i = 0; i < leaves.count; i++)
        join_below(reader, node, find_host(reader, leaves.items[i]), reader->host, span);
    return !net->has_failed;
}

static bool add_block(Reader *reader, const char *name, Text hosts, Span span)
{
    Net *net = reader->net;
    NetHosts list = {0};
    const int32_t node =
        net_node(net, arena_printf(net->arena, "block %s", name), name, false, NULL);
    if (!net_list_hosts(net, hosts, &list))
        return false;
    for (size_t i = 0; i < list.count; i++)
        join_below(reader, node, find_host(reader, list.items[i]), reader->block, span);
    return !net->has_failed;
}

static bool add_ring(Reader *reader, Text hosts, Span span)
{
    NetHosts list = {0};
    if (!net_list_hosts(reader->net, hosts, &list))
        return false;
    for (size_t i = 0; i < list.count && list.count > 1; i++)
        join_below(reader, find_host(reader, list.items[i]),
                   find_host(reader, list.items[(i + 1) % list.count]), reader->trunk, span);
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

/* The fields of a line, "Name=value" with blanks between. */
static bool read_fields(Net *net, Text line, Field *fields, int *count)
{
    static const char *const known[] = {"SwitchName", "Switches",   "Nodes",    "LinkSpeed",
                                        "BlockName",  "BlockSizes", "RingName", NULL};
    Text word, key, value;
    *count = 0;
    while (net_word(&line, &word)) {
        if (word.chars[0] == '#')
            break;
        int k = 0;
        const bool has_value = text_split(word, '=', &key, &value);
        while (has_value && known[k] &&
               (key.length != strlen(known[k]) || strncasecmp(key.chars, known[k], key.length)))
            k++;
        if (!has_value || !known[k] || *count == MOST_FIELDS)
            return net_fail(net, word.span, "'%.*s' is no field of a topology.conf",
                            (int)(has_value ? key.length : word.length), word.chars);
        fields[(*count)++] = (Field){known[k], value};
    }
    return true;
}

static Text field(const Field *fields, int count, const char *key)
{
    for (int i = 0; i < count; i++)
        if (strcmp(fields[i].key, key) == 0)
            return fields[i].value;
    return (Text){.chars = ""};
}

static bool read_conf_line(Reader *reader, Text line, bool wants_blocks)
{
    Net *net = reader->net;
    Field fields[MOST_FIELDS];
    int count;
    if (begins(line, "Include"))
        return net_fail(net, line.span, "a file that is included is not read: put both into one");
    if (!read_fields(net, line, fields, &count))
        return false;
    const Text nodes = field(fields, count, "Nodes"), name = field(fields, count, "SwitchName");
    const Text block = field(fields, count, "BlockName"), ring = field(fields, count, "RingName");
    if (name.length && !wants_blocks)
        return add_switch(reader, text_string(net->arena, name), field(fields, count, "Switches"),
                          nodes, line.span);
    if (block.length && wants_blocks)
        return add_block(reader, text_string(net->arena, block), nodes, line.span);
    return !ring.length || wants_blocks || add_ring(reader, nodes, line.span);
}

/* Lines that end with \ go on in the next one: with blanks between, all stays in its place. */
static const Source *join_lines(Arena *arena, const Source *source)
{
    char *text = arena_copy(arena, source->text, source->length);
    for (size_t i = 0; i + 1 < source->length; i++) {
        const size_t end = i + 1 + (text[i + 1] == '\r');
        if (text[i] == '\\' && end < source->length && text[end] == '\n')
            text[i] = text[i + 1] = text[end] = ' ';
    }
    return source_from_text(arena, source->name, text, source->length);
}

static bool read_conf(Reader *reader)
{
    Net *net = reader->net;
    for (int blocks = 0; blocks < 2 && !net->nodes.count; blocks++) {
        size_t offset = 0;
        Text line;
        while (net_next(net->source, &offset, &line))
            if (!read_conf_line(reader, line, blocks == 1))
                return false;
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
        const char *string = text_string(net->arena, name);
        if (strcmp(kind, "switch") == 0
                ? !add_switch(reader, string, net_text(item, "children"), nodes, name.span)
            : strcmp(kind, "block") == 0 ? !add_block(reader, string, nodes, name.span)
                                         : !add_ring(reader, nodes, name.span))
            return false;
    }
    return true;
}

/* topology.yaml holds several: that which is the cluster's default, else the first. */
static bool read_yaml_list(Reader *reader, const Node *root)
{
    Net *net = reader->net;
    const Node *chosen = root->count ? root->values[0] : NULL;
    for (size_t i = 0; i < root->count; i++)
        if (text_equals(net_text(root->values[i], "cluster_default"), "true"))
            chosen = root->values[i];
    if (!chosen || chosen->kind != NODE_MAP)
        return net_fail(net, root->text.span, "a list of topologies was expected here");
    if (root->count > 1)
        net_note(net, "of %zu topologies that of the name '%s'", root->count,
                 text_string(net->arena, net_text(chosen, "topology")));
    const Node *tree = node_get(chosen, "tree"), *block = node_get(chosen, "block"),
               *ring = node_get(chosen, "ring");
    const Node *of = tree ? tree : block ? block : ring;
    if (!of || of->kind != NODE_MAP)
        return net_fail(net, chosen->text.span,
                        "this topology has neither 'tree' nor 'block' nor 'ring'");
    return read_items(reader,
                      node_get(of, tree    ? "switches"
                                   : block ? "blocks"
                                           : "rings"),
                      tree    ? "switch"
                      : block ? "block"
                              : "ring");
}

/* topograph: a map of switches above others, and blocks of nodes, each below a switch. */
static bool read_topograph(Reader *reader, const Node *root)
{
    Net *net = reader->net;
    const Node *switches = node_get(root, "switches"), *blocks = node_get(root, "blocks");
    for (size_t i = 0; switches && switches->kind == NODE_MAP && i < switches->count; i++) {
        const char *name = node_string(net->arena, switches->keys[i]);
        const Node *map = switches->values[i];
        const Node *below = map->kind == NODE_MAP ? node_get(map, "switches") : NULL;
        for (size_t k = 0; below && k < node_item_count(below); k++)
            if (!add_switch(reader, name, node_item(below, k)->text, (Text){.chars = ""},
                            switches->keys[i]->text.span))
                return false;
    }
    for (size_t i = 0; blocks && i < node_item_count(blocks); i++) {
        const Node *block = node_item(blocks, i);
        const Node *nodes = block->kind == NODE_MAP ? node_get(block, "nodes") : NULL;
        const Text name = net_text(block, "switch");
        for (size_t k = 0; nodes && name.length && k < node_item_count(nodes); k++)
            if (!add_switch(reader, text_string(net->arena, name), (Text){.chars = ""},
                            node_item(nodes, k)->text, name.span))
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

static bool is_yaml(const Source *source)
{
    return ((net_has_line(source, "- topology:") || net_has_line(source, "topology:")) &&
            (net_has_line(source, "tree:") || net_has_line(source, "block:") ||
             net_has_line(source, "ring:") || net_has_line(source, "flat:") ||
             net_has_line(source, "cluster_default:"))) ||
           (net_has_line(source, "switches:") && net_has_line(source, "blocks:"));
}

bool is_slurm(const Source *source)
{
    size_t offset = 0;
    Text line;
    return net_next(source, &offset, &line) && (is_conf_line(line) || is_yaml(source));
}

/* All switches have lines of their own. */
static bool check_switches(Net *net)
{
    for (size_t i = 0; i < net->links.count; i++) {
        const NetLink *link = &net->links.items[i];
        const NetNode *below = &net->nodes.items[link->a];
        if (!below->is_rank && net_find(net, arena_printf(net->arena, "defined %d", link->a)) < 0)
            return net_fail(net, link->span, "switch '%s' has no line of its own", below->name);
    }
    return true;
}

/* A node below two others: schedulers take trees only, but cables may be like that. */
static void check_tree(Net *net)
{
    int32_t *above = ARENA_ARRAY(net->arena, int32_t, net->nodes.count + 1);
    for (size_t i = 0; i < net->links.count; i++) {
        const NetLink *link = &net->links.items[i];
        if (above[link->a]) {
            net_warn(net, link->span,
                     "this is no tree: '%s' is below '%s' and '%s'; links are taken as they stand",
                     net->nodes.items[link->a].name, net->nodes.items[above[link->a] - 1].name,
                     net->nodes.items[link->b].name);
            return;
        }
        above[link->a] = link->b + 1;
    }
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
    if (!check_switches(net))
        return false;
    check_tree(net);
    net_note(net,
             "no rates are in the file: 50 GB/s are assumed for each link (in a block 450), one "
             "cable for each");
    return !net->has_failed;
}
