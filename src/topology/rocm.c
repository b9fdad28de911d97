#include "model/node.h"
#include "topology/net.h"

#include <stdio.h>
#include <string.h>

/* rocm-smi --showtopo, amd-smi topology: tables of weights, hops and kinds of link between two
   GPUs, or the same as JSON. An XGMI link weighs 15, a segment of PCI 20: hops count 1 for any two
   GPUs of XGMI, so weights say which of them have a link of their own. */
enum { WEIGHTS, HOPS, TYPES, BANDWIDTHS, TABLES, XGMI_WEIGHT = 15, SOCKET_WEIGHT = 40 };

static const char *const titles[TABLES] = {"Weight between two GPUs", "Hops between two GPUs",
                                           "Link Type between two GPUs", " Bandwidth ==="};
static const char *const amd_smi[TABLES] = {
    "WEIGHT TABLE:", "HOPS TABLE:", "LINK TYPE TABLE:", "NUMA BW TABLE:"};
static const char *const keys[BANDWIDTHS] = {"(Topology) Weight between DRM devices ",
                                             "(Topology) Hops between DRM devices ",
                                             "(Topology) Link type between DRM devices "};
static const char *const fields[TABLES] = {/* of amd-smi */
                                           "weight", "num_hops", "link_type", "bandwidth"};

typedef struct {
    Net *net;
    int gpus;
    Text *cells[TABLES]; /* of i and j at i * gpus + j; NULL: there is no such table */
    Span span;
} Reader;

bool is_rocm(const Source *source)
{
    for (int t = 0; t < BANDWIDTHS; t++)
        if (source_holds(source, titles[t]) || source_holds(source, amd_smi[t]) ||
            source_holds(source, keys[t]))
            return true;
    return source_holds(source, "\"link_type\"") && source_holds(source, "\"bdf\"");
}

static bool read_table(Reader *reader, int table, size_t *offset)
{
    Net *net = reader->net;
    Text line, word, *names = ARENA_ARRAY(net->arena, Text, MOST_DEVICES + 1);
    int gpus = 0;
    if (!net_next(net->source, offset, &line))
        return net_fail(net, reader->span, "this table is cut off");
    const Text header = line;
    while (gpus <= MOST_DEVICES && net_word(&line, &names[gpus]))
        gpus++;
    if (gpus > MOST_DEVICES || (reader->gpus && reader->gpus != gpus))
        return net_fail(net, header.span, "this table has %d GPUs%s", gpus,
                        reader->gpus ? ", and others have another number" : "");
    reader->gpus = gpus;
    reader->span = header.span;
    Text *cells = reader->cells[table] = ARENA_ARRAY(net->arena, Text, (size_t)(gpus * gpus));
    for (int i = 0; i < gpus; i++) {
        bool has_row = net_line(net->source, offset, &line) && net_word(&line, &word);
        if (has_row && i == 0 && strchr("-:", *word.chars)) /* the rule of a table in Markdown */
            has_row = net_line(net->source, offset, &line) && net_word(&line, &word);
        if (!has_row || !text_same(word, names[i]))
            return net_fail(net, header.span, "this table has fewer rows than columns");
        for (int j = 0; j < gpus; j++)
            if (!net_word(&line, &cells[i * gpus + j]))
                return net_fail(net, word.span, "this row has fewer cells than columns");
    }
    return true;
}

static bool read_tables(Reader *reader)
{
    size_t offset = 0;
    Text line;
    while (net_line(reader->net->source, &offset, &line))
        for (int t = 0; t < TABLES; t++) {
            const bool is_amd_smi = text_begins(text_trim(line), amd_smi[t]);
            if (is_amd_smi)
                reader->net->format = "amd-smi topology";
            if ((is_amd_smi || text_holds(line, titles[t])) && !read_table(reader, t, &offset))
                return false;
        }
    return true;
}

/* "(Topology) Weight between DRM devices 0 and 1": "15", of JSON. */
static bool read_key(Reader *reader, const Node *key, Text value, bool counts)
{
    int table = 0, i = -1, j = -1;
    while (table < BANDWIDTHS && !text_begins(key->text, keys[table]))
        table++;
    if (table == BANDWIDTHS)
        return true;
    if (sscanf(text_string(reader->net->arena, key->text) + strlen(keys[table]), "%3d and %3d", &i,
               &j) != 2 ||
        i < 0 || j < 0 || i == j || i >= MOST_DEVICES || j >= MOST_DEVICES)
        return net_fail(reader->net, key->text.span, "two devices and a value were expected here");
    const int gpus = reader->gpus, most = i > j ? i : j;
    if (counts) {
        reader->gpus = gpus > most ? gpus : most + 1;
        return true;
    }
    Text **cells = &reader->cells[table];
    for (int n = *cells ? gpus * gpus : 0; n < gpus * gpus; n++) {
        *cells = n ? *cells : ARENA_ARRAY(reader->net->arena, Text, (size_t)(gpus * gpus));
        (*cells)[n] = text_plain("0");
    }
    (*cells)[i * gpus + j] = (*cells)[j * gpus + i] = value;
    return true;
}

/* Of amd-smi each GPU has a list of links, one of which leads to itself. */
static bool read_links(Reader *reader, const Node *root)
{
    Net *net = reader->net;
    const size_t gpus = node_item_count(root);
    if (gpus > MOST_DEVICES)
        return net_fail(net, root->text.span, "this file has more than %d GPUs", MOST_DEVICES);
    net->format = "amd-smi topology";
    reader->gpus = (int)gpus;
    reader->span = root->text.span;
    for (size_t at = 0; at < gpus * gpus; at++) {
        const Node *gpu = node_item(root, at / gpus), *links = net_child(gpu, "links");
        if (!links || node_item_count(links) != gpus)
            return net_fail(net, gpu->text.span, "this GPU does not have %zu links", gpus);
        for (int t = 0; t < TABLES; t++) {
            const Node *value = net_child(node_item(links, at % gpus), fields[t]);
            if (at == 0 && value)
                reader->cells[t] = ARENA_ARRAY(net->arena, Text, gpus * gpus);
            if (!value != !reader->cells[t])
                return net_fail(net, node_item(links, at % gpus)->text.span,
                                "links of the same keys were expected here");
            if (value)
                reader->cells[t][at] = value->text;
        }
    }
    return true;
}

static bool read_json(Reader *reader)
{
    const Node *root = net_yaml(reader->net), *system = net_child(root, "system");
    if (root && root->kind == NODE_LIST)
        return read_links(reader, root);
    for (size_t i = 0; system && system->kind == NODE_MAP && i < 2 * system->count; i++)
        if (!read_key(reader, system->keys[i % system->count],
                      system->values[i % system->count]->text, i < system->count))
            return false;
    return root != NULL;
}

/* A table says the same of i and j as of j and i, and nothing of one alone. */
static bool check_table(Reader *reader, int table)
{
    const Text *cells = reader->cells[table];
    for (int i = 0; i < reader->gpus && cells; i++)
        for (int j = i; j < reader->gpus; j++) {
            const Text one = cells[i * reader->gpus + j], other = cells[j * reader->gpus + i];
            if (i == j ? !text_equals(one, "0") && !text_equals(one, "X") &&
                             !text_equals(one, "SELF") && table != BANDWIDTHS
                       : !text_same(one, other))
                return net_fail(reader->net, other.span,
                                i == j ? "%s: GPU %d to itself is not 0 but %.*s"
                                       : "%s: GPU %d has %.*s to GPU %d, which has %.*s: the table "
                                         "is not symmetric",
                                table == BANDWIDTHS ? "Bandwidth" : titles[table], i,
                                TEXT_ARGS(one), j, TEXT_ARGS(other));
        }
    return true;
}

/* "50000-200000", in 10^6 bytes/s: one link, and all that there are between two GPUs; "0-0", "N/A":
   it is not known. */
static bool read_rates(Reader *reader, int at, int64_t *one, int64_t *all)
{
    Text first, last;
    return reader->cells[BANDWIDTHS] &&
           text_split(reader->cells[BANDWIDTHS][at], '-', &first, &last) &&
           text_whole(first, one) && text_whole(last, all) && *one > 0 && *all >= *one;
}

/* The rate of one link, where the file says it: the lowest. */
static void choose_rate(Reader *reader, GpuMatrix *matrix)
{
    int64_t one, all;
    for (int at = 0; at < reader->gpus * reader->gpus; at++)
        if (matrix->bonds[at] && read_rates(reader, at, &one, &all) &&
            (!matrix->is_told || (double)one * 1e6 < matrix->bond_rate))
            matrix->is_told = true, matrix->bond_rate = (double)one * 1e6;
    for (int at = 0; at < reader->gpus * reader->gpus; at++)
        if (matrix->bonds[at] && read_rates(reader, at, &one, &all))
            matrix->bonds[at] = (int)((double)all * 1e6 / matrix->bond_rate + 0.5);
}

static bool read_pair(Reader *reader, GpuMatrix *matrix, int i, int j)
{
    const int at = i * reader->gpus + j;
    const Text *weights = reader->cells[WEIGHTS], *types = reader->cells[TYPES];
    int64_t weight = XGMI_WEIGHT;
    if (weights && !text_whole(weights[at], &weight))
        return net_fail(reader->net, weights[at].span, "a weight is a whole number");
    bool is_xgmi = weights && weight <= XGMI_WEIGHT;
    if (types) {
        is_xgmi = text_equals(types[at], "XGMI");
        if (!is_xgmi && !text_equals(types[at], "PCIE"))
            return net_fail(reader->net, types[at].span, "the kinds of link are XGMI and PCIE");
        weight = weights ? weight : is_xgmi ? XGMI_WEIGHT : SOCKET_WEIGHT;
    }
    matrix->bonds[at] = is_xgmi && weight <= XGMI_WEIGHT;
    matrix->near[at] = i == j ? NEAR_SELF : weight <= SOCKET_WEIGHT ? NEAR_NODE : NEAR_SYS;
    return true;
}

bool read_rocm(Net *net)
{
    Reader reader = {.net = net};
    GpuMatrix matrix;
    if (!read_tables(&reader) || (!reader.gpus && !read_json(&reader)))
        return false;
    if (!reader.gpus || (!reader.cells[WEIGHTS] && !reader.cells[TYPES]))
        return net_fail(net, net_start(net), "neither weights nor kinds of link are in this file");
    for (int t = 0; t < TABLES; t++)
        if (!check_table(&reader, t))
            return false;
    gpu_matrix_create(net->arena, reader.gpus, reader.gpus, &matrix);
    bool has_pci = false;
    for (int i = 0; i < reader.gpus; i++) {
        matrix.names[i] = arena_printf(net->arena, "GPU%d", i);
        for (int j = 0; j < reader.gpus; j++) {
            if (i != j && !read_pair(&reader, &matrix, i, j))
                return false;
            has_pci |= i != j && !matrix.bonds[i * reader.gpus + j];
        }
    }
    matrix.direct = "xgmi";
    matrix.bond_rate = 48e9;
    matrix.pcie_rate = PCIE_4_RATE, matrix.sys_rate = 16e9;
    matrix.span = reader.span;
    choose_rate(&reader, &matrix);
    if (matrix.is_told)
        net_note(net, "an XGMI link has %s each way, as the file says%s",
                 quantity_show_bandwidth(net->arena, matrix.bond_rate),
                 has_pci ? "; of PCI it says none: 24 GB/s, 16 GB/s between sockets" : "");
    else
        net_note(net,
                 "rates are not in the file; assumed as RCCL counts them: XGMI 48 GB/s (MI300; "
                 "MI200: 36, before: 24)%s",
                 has_pci ? ", PCI 4.0 x16 24 GB/s, 16 GB/s between sockets" : "");
    if (!reader.cells[WEIGHTS])
        net_note(net, "weights are not in the file: all pairs of XGMI count as linked");
    return gpu_matrix_build(net, &matrix);
}
