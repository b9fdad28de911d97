#include "topology/net.h"

#include "base/place_table.h"
#include "base/utf8.h"
#include "model/node.h"

#include <stdarg.h>
#include <string.h>

const char nccl_startups[] = "hwLat in tuning.cc of NCCL (ring, Simple)";

/* Nodes by the keys that files know them by. */
typedef struct NetNames {
    PlaceTable table;
    struct {
        const char **items;
        size_t count, capacity;
    } keys; /* of each node */
} NetNames;

uint64_t net_hash(const char *key)
{
    uint64_t value = 0xcbf29ce484222325u;
    for (; *key; key++)
        value = (value ^ (unsigned char)*key) * 0x100000001b3u;
    return value;
}

/* The place of a key; -1 stands there if it is new. */
static int32_t *find_key(const Net *net, const char *key)
{
    for (uint64_t number = net_hash(key);; number++) {
        int32_t *place =
            place_table_find(net->arena, &net->names->table, number % (UINT64_MAX - 1));
        if (*place < 0 || strcmp(net->names->keys.items[*place], key) == 0)
            return place;
    }
}

bool net_fail(Net *net, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!net->has_failed)
        diag_error(net->diag, span, "%s", arena_vprintf(net->arena, format, arguments));
    va_end(arguments);
    net->has_failed = true;
    return false;
}

void net_note(Net *net, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    *ARRAY_PUSH(net->arena, &net->notes) =
        utf8_clean_line(net->arena, arena_vprintf(net->arena, format, arguments));
    va_end(arguments);
}

void net_warn(Net *net, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(net->arena, format, arguments);
    va_end(arguments);
    diag_warning(net->diag, span, "%s", text);
    net_note(net, "%s", text);
}

Span net_start(const Net *net)
{
    return (Span){net->source, 0, 0};
}

int32_t net_add(Net *net, bool is_rank, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *name = arena_vprintf(net->arena, format, arguments);
    va_end(arguments);
    if (net->nodes.count == MOST_NET_NODES) {
        net_fail(net, NOWHERE, "this network has too many nodes (more than %d)", MOST_NET_NODES);
        return 0;
    }
    *ARRAY_PUSH(net->arena, &net->nodes) = (NetNode){.name = utf8_clean_line(net->arena, name),
                                                     .is_rank = is_rank,
                                                     .place = (int64_t)net->nodes.count - 1};
    if (!net->names)
        net->names = ARENA_NEW(net->arena, NetNames);
    *ARRAY_PUSH(net->arena, &net->names->keys) = "";
    return (int32_t)net->nodes.count - 1;
}

int32_t net_node(Net *net, const char *key, const char *name, bool is_rank, bool *is_new)
{
    if (!net->names)
        net->names = ARENA_NEW(net->arena, NetNames);
    const int32_t found = *find_key(net, key);
    if (is_new)
        *is_new = found < 0;
    if (found >= 0)
        return found;
    const int32_t node = net_add(net, is_rank, "%s", name);
    net->names->keys.items[node] = key;
    *find_key(net, key) = node;
    return node;
}

bool net_is_new(Net *net, const char *format, ...)
{
    bool is_new;
    va_list arguments;
    va_start(arguments, format);
    const char *key = arena_vprintf(net->arena, format, arguments);
    va_end(arguments);
    const int32_t node = net_node(net, key, "", false, &is_new);
    net->nodes.items[node].is_left_out = true;
    return is_new;
}

int32_t net_find(const Net *net, const char *key)
{
    return net->names ? *find_key(net, key) : -1;
}

int net_level(Net *net, const char *given, double rate, double startup, bool forwards)
{
    char *name = arena_copy(net->arena, given, strlen(given));
    for (char *c = name; *c; c++) /* as it can be typed in --set */
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *c))
            *c = '-';
    if (!*name || strchr("0123456789-_", *name))
        name = arena_printf(net->arena, "level%s", name);
    for (int i = 0; i < net->level_count; i++)
        if (strcmp(net->levels[i].name, name) == 0)
            return i;
    if (net->level_count == LIMIT_LEVELS) {
        net_fail(net, NOWHERE, "there are more than %d levels of links", LIMIT_LEVELS);
        return 0;
    }
    net->levels[net->level_count] = (NetLevel){
        .name = name, .rate = rate, .startup = startup, .latency = -1, .forwards = forwards};
    return net->level_count++;
}

bool net_alike(const NetLink *a, const NetLink *b)
{
    return a->level == b->level && a->rate == b->rate && a->latency == b->latency &&
           a->lanes == b->lanes && a->is_one_way == b->is_one_way;
}

NetLink *net_link(Net *net, int32_t a, int32_t b, int level, double rate, Span span)
{
    NetLink *link = ARRAY_PUSH(net->arena, &net->links);
    *link = (NetLink){a, b, level, rate, -1, 1, span, false};
    return link;
}

void net_dimension(Net *net, const char *name, int64_t size)
{
    if (net->dimension_count < MOST_NET_DIMENSIONS)
        net->dimensions[net->dimension_count++] = (NetDimension){name, size};
}

int64_t net_rank_count(const Net *net)
{
    int64_t count = 0;
    for (size_t i = 0; i < net->nodes.count; i++)
        count += net->nodes.items[i].is_rank && !net->nodes.items[i].is_left_out;
    return count;
}

void net_adapter(Net *net, int32_t at, double rate, const char *name)
{
    *ARRAY_PUSH(net->arena, &net->adapters) = (NetAdapter){at, rate, name};
}

bool net_line(const Source *source, size_t *offset, Text *line)
{
    const char *text = source->text;
    const size_t mark = source_mark(source), start = *offset > mark ? *offset : mark;
    if (start >= source->length)
        return false;
    const char *end = memchr(text + start, '\n', source->length - start);
    const size_t stop = end ? (size_t)(end - text) : source->length;
    *offset = stop + 1;
    const size_t length = stop - start - (stop > start && text[stop - 1] == '\r');
    *line = (Text){text + start, length, {source, start, length}, true};
    return true;
}

bool net_next(const Source *source, size_t *offset, Text *line)
{
    while (net_line(source, offset, line)) {
        *line = text_trim(*line);
        if (line->length && line->chars[0] != '#')
            return true;
    }
    return false;
}

bool net_has_line(const Source *source, const char *with)
{
    size_t offset = 0;
    Text line;
    while (net_line(source, &offset, &line))
        if (text_begins(text_trim(line), with))
            return true;
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '|'; /* the latter in tables of pages */
}

bool net_word(Text *line, Text *word)
{
    size_t start = 0, end;
    while (start < line->length && is_blank(line->chars[start]))
        start++;
    for (end = start; end < line->length && !is_blank(line->chars[end]);)
        end++;
    *word = text_slice(*line, start, end - start);
    *line = text_slice(*line, end, line->length - end);
    return word->length > 0;
}

bool source_holds(const Source *source, const char *what)
{
    return memmem(source->text, source->length, what, strlen(what)) != NULL;
}

bool text_whole(Text text, int64_t *value)
{
    bool is_number = text.length > 0 && text.length < 17;
    for (size_t i = 0; i < text.length; i++)
        is_number &= text.chars[i] >= '0' && text.chars[i] <= '9';
    return is_number && quantity_is_integer(text, 0, (int64_t)1 << 53, value);
}

const Node *net_yaml(Net *net)
{
    NodeArray documents = {0};
    return yaml_parse(net->arena, net->source, &documents, net->diag) && documents.count
               ? documents.items[0]
               : NULL;
}

const Node *net_child(const Node *map, const char *key)
{
    return map && map->kind == NODE_MAP ? node_get(map, key) : NULL;
}

Text net_text(const Node *map, const char *key)
{
    const Node *node = net_child(map, key);
    return node && node->kind == NODE_SCALAR ? node->text : (Text){.chars = ""};
}

/* The unit behind the number, as this program spells it; in any case only where that is one unit.
 */
static Text respell(Net *net, Text text, const char *const (*units)[2], bool any_case)
{
    size_t number = 0;
    const Text trimmed = text_trim(text);
    while (number < trimmed.length && strchr("0123456789.+-", trimmed.chars[number]))
        number++;
    if (number + 1 < trimmed.length && strchr("eE", trimmed.chars[number]) &&
        strchr("0123456789+-", trimmed.chars[number + 1]))
        for (number++; number < trimmed.length && strchr("0123456789+-", trimmed.chars[number]);)
            number++;
    const Text unit = text_trim(text_behind(trimmed, number));
    for (; (*units)[0]; units++)
        if (text_equals(unit, (*units)[0]) || (any_case && text_like(unit, (*units)[0]))) {
            const char *whole =
                arena_printf(net->arena, "%.*s %s", (int)number, trimmed.chars, (*units)[1]);
            return (Text){whole, strlen(whole), text.span, false};
        }
    return trimmed;
}

bool net_rate(Net *net, Text text, double *rate)
{
    static const char *const units[][2] = {
        {"bps", "bit/s"},   {"kbps", "kbit/s"}, {"Kbps", "kbit/s"},   {"Mbps", "Mbit/s"},
        {"Gbps", "Gbit/s"}, {"Tbps", "Tbit/s"}, {"Gb/s", "Gbit/s"},   {"Mb/s", "Mbit/s"},
        {"Bps", "B/s"},     {"kBps", "kB/s"},   {"MBps", "MB/s"},     {"GBps", "GB/s"},
        {"TBps", "TB/s"},   {"KiBps", "KiB/s"}, {"MiBps", "MiB/s"},   {"GiBps", "GiB/s"},
        {"TiBps", "TiB/s"}, {"mbps", "Mbit/s"}, {"gbps", "Gbit/s"},   {"tbps", "Tbit/s"},
        {"MB/sec", "MB/s"}, {"GB/sec", "GB/s"}, {"Gb/sec", "Gbit/s"}, {NULL, NULL}};
    if (!quantity_parse(respell(net, text, units, false), DIMENSION_BANDWIDTH, rate, net->diag))
        return !(net->has_failed = true);
    return *rate > 0 || net_fail(net, text.span, "a bandwidth is above 0");
}

bool net_time(Net *net, Text text, double *seconds)
{
    static const char *const units[][2] = {
        {"nsec", "ns"}, {"usec", "us"}, {"msec", "ms"}, {"sec", "s"}, {NULL, NULL}};
    return quantity_parse(respell(net, text, units, true), DIMENSION_TIME, seconds, net->diag) ||
           !(net->has_failed = true);
}
