#include "exchange/xml.h"
#include "topology/net.h"

#include <string.h>

/* hwloc's XML, where it has a matrix of bandwidths between GPUs: NVLinkBandwidth, XGMIBandwidth,
   XeLinkBandwidth. */

typedef struct {
    Net *net;
    const XmlElement *root;
    int32_t *nodes; /* of each row of the matrix */
    int64_t count;
} Reader;

bool is_hwloc(const Source *source)
{
    return text_equals(xml_root_name(source), "topology");
}

static const XmlElement *find_matrix(const XmlElement *root, const char **level)
{
    static const char *const known[][2] = {
        {"NVLinkBandwidth", "nvlink"}, {"XGMIBandwidth", "xgmi"}, {"XeLinkBandwidth", "xelink"}};
    for (const XmlElement *at = root; (at = xml_after(at, root));)
        for (size_t i = 0; i < COUNT_OF(known); i++)
            if (strncmp(at->name, "distances2", 10) == 0 &&
                strcmp(xml_value(at, "name"), known[i][0]) == 0) {
                *level = known[i][1];
                return at;
            }
    return NULL;
}

/* "OSDev:802", or a number alone: the object of that number, by gp_index. */
static bool add_object(Reader *reader, Text word, Span span)
{
    Text kind, index = word;
    text_split(word, ':', &kind, &index);
    const char *number = text_string(reader->net->arena, index);
    for (const XmlElement *at = reader->root; (at = xml_after(at, reader->root));) {
        const char *own = xml_is(at, "object") ? xml_get(at, "gp_index") : NULL;
        if (!own || strcmp(own, number) != 0)
            continue;
        const char *type = xml_value(at, "type"), *what = xml_get(at, "subtype"),
                   *name = xml_get(at, "name");
        bool is_new; /* devices of programs are GPUs; others are switches, or CPUs of POWER */
        reader->nodes[reader->count++] = net_node(reader->net, own,
                                                  name   ? name
                                                  : what ? what
                                                         : type,
                                                  strcmp(type, "OSDev") == 0, &is_new);
        return is_new || net_fail(reader->net, span, "object %s is in this matrix twice", number);
    }
    return net_fail(reader->net, span, "there is no object with gp_index %s", number);
}

/* The objects of the rows, then MB/s, row by row; a GPU to itself has a large number. */
static bool read_matrix(Reader *reader, const XmlElement *matrix, int level)
{
    Net *net = reader->net;
    ARRAY_TYPE(Rates, double);
    Rates rates = {0};
    int64_t value;
    for (const XmlElement *at = matrix->first; at; at = at->next) {
        Text word, rest = {at->text.items ? at->text.items : "", at->text.count, at->span, false};
        while (xml_is(at, "indexes") && net_word(&rest, &word)) {
            if (reader->count == MOST_DEVICES)
                return net_fail(net, at->span, "this matrix has too many objects");
            if (!add_object(reader, word, at->span))
                return false;
        }
        while (xml_is(at, "u64values") && net_word(&rest, &word)) {
            const int64_t n = reader->count;
            if ((int64_t)rates.count == n * n || !text_whole(word, &value))
                return net_fail(net, at->span, "%lld times %lld numbers were expected",
                                (long long)n, (long long)n);
            *ARRAY_PUSH(net->arena, &rates) = (double)value * 1e6;
        }
    }
    const int64_t n = reader->count;
    if ((int64_t)rates.count != n * n)
        return net_fail(net, matrix->span, "this matrix has %lld values, not %lld",
                        (long long)rates.count, (long long)(n * n));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) {
            const double one = rates.items[i * n + j], other = rates.items[j * n + i];
            if (one != other && net_is_new(net, "not symmetric"))
                net_warn(net, matrix->span,
                         "this matrix is not symmetric, at objects %lld and %lld first: the larger "
                         "rate counts both ways",
                         (long long)j, (long long)i);
            if (one > 0 || other > 0)
                net_link(net, reader->nodes[i], reader->nodes[j], level, one > other ? one : other,
                         matrix->span);
        }
    return true;
}

bool read_hwloc(Net *net)
{
    const char *name;
    Reader reader = {.net = net, .root = xml_read(net->arena, net->source, net->diag)};
    if (!reader.root)
        return false;
    const XmlElement *matrix = find_matrix(reader.root, &name);
    if (!matrix)
        return net_fail(
            net, reader.root->span,
            "no matrix of bandwidths between GPUs is in this file of hwloc: with PCI "
            "alone it says nothing of a network; give nvidia-smi topo -m or NCCL's XML");
    reader.nodes = ARENA_ARRAY(net->arena, int32_t, MOST_DEVICES);
    net->startups = nccl_startups;
    const int level = net_level(net, name, 25e9, NCCL_NVLINK_STARTUP, true);
    if (!read_matrix(&reader, matrix, level))
        return false;
    if (!net_rank_count(net))
        return net_fail(net, matrix->span, "no GPU is in this matrix");
    net_note(net, "rates are those of the matrix; links between switches are not in it");
    return !net->has_failed;
}
