#include "topology/net.h"

#include <ctype.h>
#include <string.h>

/* What nvidia-smi topo -m prints: a line of names, a row for each device, a legend. */

typedef struct {
    Net *net;
    GpuMatrix matrix;
    bool *has_row;
    Text *names, *affinities; /* the latter of GPUs, to CPUs; empty: not said */
    int again;                /* how often the first row is there once more */
} Reader;

static const char *const codes[] = {"X", "PIX", "PXB", "PHB", "NODE", "SYS"};

static bool is_gpu(Text word)
{
    return word.length > 3 && text_begins(word, "GPU") && word.chars[3] >= '0' &&
           word.chars[3] <= '9';
}

/* The next name, which is taken from the line; "host1:", "#" or "|" may stand before it. */
static bool take_name(Text *line, Text *name)
{
    while (net_word(line, name))
        if (isalnum((unsigned char)name->chars[name->length - 1]))
            return true;
    return false;
}

/* The line above the table, from GPU0 on; after it there is a row that begins so. */
static bool find_header(const Source *source, size_t *offset, Text *header)
{
    static const char *const more[] = {"CPU", "NUMA", "Affinity", "GPU"}; /* where it was wrapped */
    Text line, word, rest;
    *offset = 0;
    while (net_line(source, offset, &line)) {
        rest = line;
        if (text_holds(line, "between two GPUs"))
            return false;
        if (!take_name(&rest, &word) || !text_equals(word, "GPU0"))
            continue;
        const size_t before = (size_t)(word.chars - line.chars);
        *header = text_behind(line, before);
        size_t after = *offset;
        while (net_line(source, &after, &line))
            if (take_name(&line, &word) && text_among(word, more, COUNT_OF(more)) == COUNT_OF(more))
                return text_equals(word, "GPU0");
        return false;
    }
    return false;
}

bool is_nvidia_smi(const Source *source)
{
    size_t offset;
    Text header;
    return find_header(source, &offset, &header);
}

/* The names of columns, as far as affinities; their number, negative after a report. */
static bool read_header(Reader *reader, Text header)
{
    Net *net = reader->net;
    Text word;
    int count = 0, gpus = 0;
    reader->names = ARENA_ARRAY(net->arena, Text, MOST_DEVICES);
    while (take_name(&header, &word)) {
        if (text_equals(word, "CPU") || text_equals(word, "NUMA") || text_equals(word, "GPU"))
            break;
        if (count == MOST_DEVICES)
            return net_fail(net, word.span, "there are more than %d devices", MOST_DEVICES);
        if (is_gpu(word) && gpus != count)
            return net_fail(net, word.span, "GPUs come before other devices");
        gpus += is_gpu(word);
        reader->names[count++] = word;
    }
    gpu_matrix_create(net->arena, gpus, count, &reader->matrix);
    for (int i = 0; i < count; i++)
        reader->matrix.names[i] = text_string(net->arena, reader->names[i]);
    reader->has_row = ARENA_ARRAY(net->arena, bool, (size_t)count + 1);
    reader->affinities = ARENA_ARRAY(net->arena, Text, (size_t)count + 1);
    return true;
}

/* A cell at the start of a row, which is taken from it; some stand without a blank between. False:
   there is none. */
static bool take_cell(Text *row, int *bonds, Nearness *near)
{
    size_t length = 0;
    while (row->length && strchr(" \t|", row->chars[0]))
        *row = text_slice(*row, 1, row->length - 1);
    *bonds = 0, *near = NEAR_SYS;
    if (text_begins(*row, "NV") && row->length > 2 && row->chars[2] >= '1' &&
        row->chars[2] <= '9') {
        for (length = 2; length < row->length && row->chars[length] >= '0' &&
                         row->chars[length] <= '9' && *bonds < 1000;)
            *bonds = *bonds * 10 + row->chars[length++] - '0';
    } else if (text_begins(*row, "SOC"))
        length = 3;
    for (int i = 0; i <= NEAR_SYS && !length; i++)
        if (text_begins(*row, codes[i]) &&
            (i || row->length < 2 || strchr(" \t|XPNS", row->chars[1])))
            length = strlen(codes[i]), *near = (Nearness)i;
    *row = text_slice(*row, length, row->length - length);
    return length > 0;
}

static bool refuse_cell(Net *net, Text row)
{
    static const char *const peers[] = {"OK", "NS", "CNS", "GNS", "TNS", "DR"};
    Text word;
    if (!net_word(&row, &word))
        return net_fail(net, row.span, "this row has fewer cells than columns");
    if (text_among(word, peers, COUNT_OF(peers)) < COUNT_OF(peers))
        return net_fail(net, word.span,
                        "this is the table of nvidia-smi topo -p2p, which says who can reach "
                        "whom, not how: give that of topo -m");
    return net_fail(net, word.span, "'%.*s' is no code of nvidia-smi topo -m",
                    (int)(word.length < 40 ? word.length : 40), word.chars);
}

static bool read_row(Reader *reader, Text line, Text name)
{
    GpuMatrix *matrix = &reader->matrix;
    int i = 0;
    while (i < matrix->devices && !text_same(reader->names[i], name))
        i++;
    const Text cells = text_trim(line);
    if (i == matrix->devices || !cells.length || is_gpu(cells) || text_begins(cells, "CPU"))
        return true; /* of a legend, what a shell printed, or the header of the table once more */
    const bool is_again = reader->has_row[i];
    reader->has_row[i] = true;
    for (int j = 0; j < matrix->devices; j++) {
        const size_t at = (size_t)(i * matrix->devices + j);
        const Text before = line;
        int bonds;
        Nearness near;
        if (!take_cell(&line, &bonds, &near))
            return is_again || refuse_cell(reader->net, line); /* another table may follow */
        if (is_again && (bonds != matrix->bonds[at] || near != matrix->near[at]))
            return net_fail(reader->net, name.span, "%s has two rows, which differ",
                            matrix->names[i]);
        matrix->bonds[at] = bonds, matrix->near[at] = near;
        if ((i == j) != (!matrix->bonds[at] && matrix->near[at] == NEAR_SELF))
            return net_fail(reader->net, text_trim(before).span,
                            "X belongs where a device meets itself, and only there");
        const size_t mirror = (size_t)(j * matrix->devices + i);
        if (reader->has_row[j] && (matrix->bonds[at] != matrix->bonds[mirror] ||
                                   matrix->near[at] != matrix->near[mirror]))
            return net_fail(reader->net,
                            text_trim(text_slice(before, 0, before.length - line.length)).span,
                            "%s and %s differ from %s and %s: the table is not symmetric",
                            matrix->names[i], matrix->names[j], matrix->names[j], matrix->names[i]);
    }
    net_word(&line, &reader->affinities[i]);
    reader->again += is_again && i == 0;
    return true;
}

/* Adapters below the same bridges as a GPU join nodes; the others are for storage and the like. If
   there are none, those count that are as near as any is. Each goes to the GPU that is near and has
   the fewest. */
static void add_adapters(Reader *reader)
{
    const GpuMatrix *matrix = &reader->matrix;
    Net *net = reader->net;
    int *served = ARENA_ARRAY(net->arena, int, (size_t)matrix->gpus);
    Nearness limit = NEAR_PXB;
    for (; limit <= NEAR_SYS && !net->adapters.count; limit++)
        for (int n = matrix->gpus; n < matrix->devices; n++) {
            int best = -1;
            for (int g = 0; g < matrix->gpus; g++)
                if (matrix->near[g * matrix->devices + n] <= limit &&
                    (best < 0 || served[g] < served[best]))
                    best = g;
            if (best < 0)
                continue;
            served[best]++;
            net_adapter(net, best, 0, matrix->names[n]);
        }
    if (matrix->devices > matrix->gpus)
        net_note(
            net, "%zu of %d adapters are %s", net->adapters.count, matrix->devices - matrix->gpus,
            limit == NEAR_PXB + 1
                ? "below a bridge with a GPU"
                : arena_printf(net->arena, "at %s from a GPU, none is nearer", codes[limit - 1]));
}

/* An NVLink of the GPUs whose names stand above the table. */
static double named_rate(const Source *source)
{
    static const struct {
        const char *name;
        double rate;
    } known[] = {{"NVIDIA B200", 50e9},       {"NVIDIA B300", 50e9}, {"NVIDIA GB", 50e9},
                 {"RTX 3090", 14.0625e9},     {"RTX A", 14.0625e9},  {"NVIDIA A40 ", 14.0625e9},
                 {"NVIDIA A40\n", 14.0625e9}, {"Tesla P100", 20e9}};
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (source_holds(source, known[i].name))
            return known[i].rate;
    return 25e9;
}

static void choose_bonds(Reader *reader)
{
    GpuMatrix *matrix = &reader->matrix;
    Net *net = reader->net;
    double told = 0; /* each way, as nvidia-smi nvlink says above the table */
    const double named = named_rate(net->source);
    Text line, name, rest;
    for (size_t offset = 0; told <= 0 && net_line(net->source, &offset, &line);)
        if (!text_begins(text_trim(line), "Link ") || !text_split(line, ':', &name, &rest) ||
            !quantity_is(rest, DIMENSION_BANDWIDTH, &told))
            told = 0;
    matrix->bond_rate = told > 0 ? told : named;
    matrix->is_told = told > 0;
    net_note(net,
             told > 0       ? "an NVLink has %s each way, as the file says"
             : named > 25e9 ? "this is Blackwell: an NVLink has 50 GB/s each way, of which "
                              "programs reach about 40"
             : named < 25e9 ? "an NVLink of these GPUs has %s each way"
                            : "an NVLink has 25 GB/s each way (Blackwell: 50), of which programs "
                              "reach about 20",
             quantity_show_bandwidth(net->arena, matrix->bond_rate));
}

static void choose_rates(Reader *reader)
{
    GpuMatrix *matrix = &reader->matrix;
    int most = 0, counts[NEAR_SYS + 1] = {0}, bonded = 0;
    for (int i = 0; i < matrix->gpus; i++)
        for (int j = 0; j < i; j++) {
            const size_t at = (size_t)(i * matrix->devices + j);
            most = matrix->bonds[at] > most ? matrix->bonds[at] : most;
            bonded += matrix->bonds[at] > 0;
            counts[matrix->near[at]] += matrix->bonds[at] == 0;
        }
    const char *text = arena_printf(reader->net->arena, "%d NV#", bonded);
    for (int i = NEAR_PIX; i <= NEAR_SYS; i++)
        if (counts[i])
            text = arena_printf(reader->net->arena, "%s, %d %s", text, counts[i], codes[i]);
    net_note(reader->net, "pairs of GPUs: %s", text);
    matrix->direct = "nvlink";
    matrix->pcie_rate = most > 3 ? PCIE_4_RATE : PCIE_4_RATE / 2;
    matrix->sys_rate = most > 3 ? 16e9 : 10e9;
    if (bonded)
        choose_bonds(reader);
    if (bonded < matrix->gpus * (matrix->gpus - 1) / 2)
        net_note(reader->net,
                 "generations of PCI are not in the file: %.0f GB/s as NCCL counts "
                 "x16, %.0f GB/s between sockets",
                 matrix->pcie_rate / 1e9, matrix->sys_rate / 1e9);
}

bool read_nvidia_smi(Net *net)
{
    Reader reader = {.net = net};
    Text line, word, rest;
    size_t offset;
    if (!find_header(net->source, &offset, &line) || !read_header(&reader, line))
        return net_fail(net, net_start(net), "this table has no columns");
    reader.matrix.span = line.span;
    while (net_line(net->source, &offset, &line)) {
        rest = line;
        if (take_name(&rest, &word) && !read_row(&reader, rest, word))
            return false;
    }
    for (int i = 0; i < reader.matrix.gpus; i++)
        if (!reader.has_row[i])
            return net_fail(net, reader.names[i].span, "%s has no row", reader.matrix.names[i]);
    if (reader.again)
        net_note(net,
                 "the table is there %d times, and says the same: one node is read, and "
                 "--nodes joins several",
                 reader.again + 1);
    choose_rates(&reader);
    add_adapters(&reader);
    /* Of GPUs that NVLink joins the table does not say how they meet over PCI; their CPUs do. */
    const GpuMatrix *matrix = &reader.matrix;
    int64_t first;
    for (int i = 0; i < matrix->gpus; i++)
        for (int j = 0; j < matrix->gpus; j++)
            if (matrix->bonds[i * matrix->devices + j] && reader.affinities[i].length &&
                text_whole(text_slice(reader.affinities[i], 0, 1), &first) &&
                text_same(reader.affinities[i], reader.affinities[j]))
                matrix->near[i * matrix->devices + j] = NEAR_NODE;
    return gpu_matrix_build(net, &reader.matrix);
}
