#include "topology/net.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* from,to,level,bandwidth,latency,lanes: a cable a line. Who is linked to one other only is a rank.
 */
static const char *const columns[] = {"from", "to", "level", "bandwidth", "latency", "lanes"};
enum { FROM, TO, LEVEL, BANDWIDTH, LATENCY, LANES, COLUMNS };

typedef struct {
    Net *net;
    int place[COLUMNS]; /* of each column in a line; -1: there is none */
    Text unit[COLUMNS]; /* that its name says; empty: it says none */
    int count;
    char sign; /* between cells */
} Edges;

/* The cells of a line, without blanks and quotes around them; one more than there can be: others.
 */
static int split(Text line, char sign, Text *cells)
{
    int count = 0;
    Text cell;
    while (text_next(&line, sign, &cell)) {
        if (count == COLUMNS)
            return COLUMNS + 1;
        cell = text_trim(cell);
        if (cell.length > 1 && cell.chars[0] == '"' && cell.chars[cell.length - 1] == '"')
            cell = text_slice(cell, 1, cell.length - 2);
        cells[count++] = cell;
    }
    return count;
}

/* Spreadsheets of some countries put semicolons. */
static char find_sign(Text line)
{
    return text_holds(line, ",") ? ',' : text_holds(line, ";") ? ';' : '\t';
}

/* COLUMNS: it is none. "bandwidth_gbps", "lat (us)": the name of a quantity may have a unit. */
static int find_column(Text cell, Text *unit)
{
    static const char *const others[COLUMNS][2] = {{"src", "source"},  {"dst", "target"}, {"", ""},
                                                   {"bw", "capacity"}, {"lat", "delay"},  {"", ""}};
    size_t length = 0;
    int c = 0;
    while (length < cell.length && !strchr("_ ([", cell.chars[length]))
        length++;
    *unit = text_behind(cell, length);
    while (unit->length && strchr("_ ([", unit->chars[0]))
        *unit = text_slice(*unit, 1, unit->length - 1);
    while (unit->length && strchr(")]", unit->chars[unit->length - 1]))
        unit->length--;
    cell.length = length;
    while (c < COLUMNS && !text_like(cell, columns[c]) && !text_like(cell, others[c][0]) &&
           !text_like(cell, others[c][1]))
        c++;
    return unit->length && c != BANDWIDTH && c != LATENCY ? COLUMNS : c;
}

bool is_edges(const Source *source)
{
    Text line, cells[COLUMNS], unit;
    size_t offset = 0;
    return net_next(source, &offset, &line) && split(line, find_sign(line), cells) >= 2 &&
           find_column(cells[FROM], &unit) == FROM && find_column(cells[TO], &unit) == TO;
}

static bool read_header(Edges *edges, Text line)
{
    Text cells[COLUMNS], unit;
    edges->sign = find_sign(line);
    edges->count = split(line, edges->sign, cells);
    memset(edges->place, -1, sizeof edges->place);
    for (int i = 0; i < edges->count && i < COLUMNS; i++) {
        const int c = find_column(cells[i], &unit);
        if (c == COLUMNS || edges->place[c] >= 0) {
            net_fail(edges->net, cells[i].span,
                     c == COLUMNS ? "unknown column: from,to,level,bandwidth,latency,lanes are read"
                                  : "this column is there twice");
            return diag_suggest(edges->net->diag, cells[i], columns, COLUMNS);
        }
        edges->place[c] = i;
        edges->unit[c] = unit;
    }
    return edges->count <= COLUMNS ||
           net_fail(edges->net, line.span, "there are more than %d columns", COLUMNS);
}

static Text cell_of(const Edges *edges, const Text *cells, int column)
{
    Text cell = edges->place[column] >= 0 ? cells[edges->place[column]] : (Text){.chars = ""};
    double number;
    if (edges->unit[column].length && quantity_is(cell, DIMENSION_NONE, &number)) {
        cell.chars = arena_printf(edges->net->arena, "%.*s %.*s", TEXT_ARGS(cell),
                                  TEXT_ARGS(edges->unit[column]));
        cell.length = strlen(cell.chars);
        cell.verbatim = false;
    }
    return cell;
}

static bool read_edge(Edges *edges, Text line)
{
    Net *net = edges->net;
    Text cells[COLUMNS];
    const int count = split(line, edges->sign, cells);
    if (count != edges->count)
        return net_fail(net, line.span, "%d cells were expected here, as in the first line",
                        edges->count);
    const Text from = cell_of(edges, cells, FROM), to = cell_of(edges, cells, TO);
    if (!from.length || !to.length || text_same(from, to))
        return net_fail(net, line.span, "a link needs two different ends");
    const Text level = cell_of(edges, cells, LEVEL), rate = cell_of(edges, cells, BANDWIDTH);
    const Text latency = cell_of(edges, cells, LATENCY), lanes = cell_of(edges, cells, LANES);
    double bandwidth = 0, seconds = -1;
    int64_t cables = 1;
    if ((rate.length && !net_rate(net, rate, &bandwidth)) ||
        (latency.length && !net_time(net, latency, &seconds)) ||
        (lanes.length && !quantity_parse_integer(lanes, 1, 1 << 20, &cables, net->diag)))
        return false;
    const char *names[] = {text_string(net->arena, from), text_string(net->arena, to)};
    const int32_t a = net_node(net, names[0], names[0], true, NULL);
    const int32_t b = net_node(net, names[1], names[1], true, NULL);
    NetLink *link = net_link(net, a, b,
                             net_level(net, level.length ? text_string(net->arena, level) : "link",
                                       50e9, NCCL_NET_STARTUP, true),
                             bandwidth, line.span);
    link->latency = seconds, link->lanes = cables;
    return true;
}

static bool begins_with_any(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (strncasecmp(name, *words, strlen(*words)) == 0)
            return true;
    return false;
}

/* Links by their ends, one direction behind the other, else as they stand in the file. */
static int compare_ends(const void *one, const void *other)
{
    const NetLink *a = *(NetLink *const *)one, *b = *(NetLink *const *)other;
    const int32_t low = a->a < a->b ? a->a : a->b, high = a->a < a->b ? a->b : a->a;
    const int32_t differences[] = {low - (b->a < b->b ? b->a : b->b),
                                   high - (b->a < b->b ? b->b : b->a), a->a - b->a};
    for (int i = 0; i < 3; i++)
        if (differences[i])
            return differences[i];
    return (a > b) - (a < b);
}

/* Behind the links between the same two nodes as link i; *half: the first that leads back. */
static size_t end_of_pair(NetLink *const *links, size_t count, size_t i, size_t *half)
{
    const int32_t a = links[i]->a, b = links[i]->b;
    size_t end = i;
    for (*half = i; end < count && ((links[end]->a == a && links[end]->b == b) ||
                                    (links[end]->a == b && links[end]->b == a));
         end++)
        *half += links[end]->a == a;
    return end;
}

/* Where every link has one in the opposite direction, both are one cable. */
void net_join_mirrors(Net *net)
{
    const size_t count = net->links.count;
    size_t half, end, kept = 0;
    NetLink *items = net->links.items, **links = ARENA_ARRAY(net->arena, NetLink *, count);
    for (size_t i = 0; i < count; i++)
        links[i] = &items[i];
    qsort(links, count, sizeof *links, compare_ends);
    for (size_t i = 0; i < count; i = end) {
        end = end_of_pair(links, count, i, &half);
        if (2 * (half - i) != end - i)
            return;
    }
    for (size_t i = 0; i < count; i = end) {
        end = end_of_pair(links, count, i, &half);
        /* Those that say the same are one; if any of a pair do not, all lead one way each. */
        bool alike = true;
        for (size_t k = i; k < half; k++)
            alike &= net_alike(links[k], links[k + half - i]);
        for (size_t k = i; k < half; k++) {
            NetLink *back = links[k + half - i];
            links[k]->is_one_way = back->is_one_way = !alike;
            back->lanes *= !alike;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (items[i].lanes)
            items[kept++] = items[i];
    net->links.count = kept;
    net_note(net, "all cables stand in the file in both directions: there are %zu", count / 2);
}

/* GPUs, if names say that there are any, else hosts; else who is linked to one other only; where
   all have more links, those whose names do not say that they are switches. */
static void choose_ranks(Net *net)
{
    static const char *const devices[] = {"gpu", "npu", "xpu", "rank", NULL};
    static const char *const hosts[] = {"host", "node", "server", NULL};
    static const char *const switches[] = {"sw",   "leaf", "spine", "core", "tor",    "agg",
                                           "edge", "nvsw", "pci",   "cpu",  "router", NULL};
    const size_t count = net->nodes.count;
    const char *const *named = NULL, *unnamed = NULL;
    int32_t *other = ARENA_ARRAY(net->arena, int32_t, count + 1);
    bool *is_inner = ARENA_ARRAY(net->arena, bool, count + 1), has_ends = false;
    size_t inner = 0;
    for (size_t i = 0; i < net->links.count; i++)
        for (int end = 0; end < 2; end++) {
            const NetLink *link = &net->links.items[i];
            const int32_t node = end ? link->b : link->a, to = end ? link->a : link->b;
            is_inner[node] |= other[node] && other[node] != to + 1;
            other[node] = to + 1;
        }
    for (size_t i = 0; i < count; i++) {
        const char *name = net->nodes.items[i].name;
        named = begins_with_any(name, devices) ? devices : named;
        named = !named && begins_with_any(name, hosts) ? hosts : named;
        has_ends |= !is_inner[i];
    }
    for (size_t i = 0; i < count; i++) {
        NetNode *node = &net->nodes.items[i];
        const bool is_switch = begins_with_any(node->name, switches);
        node->is_rank = named                   ? begins_with_any(node->name, named)
                        : has_ends && count > 2 ? !is_inner[i]
                                                : !is_switch;
        if (!named && !node->is_rank && !is_switch && ++inner == 1)
            unnamed = node->name;
    }
    if (inner)
        net_note(net,
                 "what is linked to several others is a switch (%zu, such as '%s'); names such as "
                 "host1 make ranks",
                 inner, unnamed);
    if (!net_rank_count(net))
        for (size_t i = 0; i < count; i++)
            net->nodes.items[i].is_rank = true;
}

bool read_edges(Net *net)
{
    Edges edges = {.net = net};
    Text line;
    size_t offset = 0;
    bool has_latency = false, has_rates = true;
    if (!net_next(net->source, &offset, &line) || !read_header(&edges, line))
        return false;
    while (net_next(net->source, &offset, &line))
        if (!read_edge(&edges, line))
            return false;
    if (!net->links.count)
        return net_fail(net, net_start(net), "this file has no links");
    for (size_t i = 0; i < net->links.count; i++) {
        has_latency |= net->links.items[i].latency >= 0;
        has_rates &= net->links.items[i].rate > 0;
    }
    if (!has_latency)
        net->startups = nccl_startups;
    if (!has_rates)
        net_note(net, "links without a bandwidth: 50 GB/s is assumed");
    net_join_mirrors(net);
    choose_ranks(net);
    return true;
}
