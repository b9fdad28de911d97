#include "exchange/xml.h"
#include "topology/net.h"

/* Files that are known to hold no network that can be read, and why. */

/* The first word that is no remark. */
static Text first_word(const Source *source)
{
    size_t offset = 0;
    Text line, word = {.chars = ""};
    while (net_line(source, &offset, &line))
        if (net_word(&line, &word) && word.chars[0] != '#' && !text_begins(word, "//") &&
            !text_begins(word, "/*"))
            return word;
    return (Text){.chars = ""};
}

/* What commands print beside what is read, by two things that are in it. */
static const struct {
    const char *one, *other, *name;
} printed[] = {
    {"\"gpus_per_node\"", "\"alpha\"", "a profile of TACCL, whose links are in its program"},
    {"GPU 0: ", "Link 0: ",
     "the list of nvidia-smi nvlink, which does not say what is linked (topo -m does)"},
    {"NodeGUID:", "PHY=",
     "a list of links of opensm or ibdiagnet (.lst), not what ibnetdiscover prints"},
    {"==(", ")==>", "the list of iblinkinfo, not what ibnetdiscover prints"},
    {"Machine (", "Package L#0", "the text of lstopo, which writes XML to lstopo.xml"},
    {"=== System : max", "NCCL INFO", "what NCCL prints: NCCL_TOPO_DUMP_FILE makes it write XML"},
    {"HCCS", "NPU0", "the table of npu-smi"},
    {"MDF", "GPU 0/0", "the table of xpu-smi"},
};

static const char *name_refused(const Source *source)
{
    const Text root = xml_root_name(source), word = first_word(source);
    if (text_equals(root, "graphs"))
        return "a graph of NCCL (NCCL_GRAPH_FILE), which says what NCCL uses of a network";
    if (text_equals(root, "graphml"))
        return "GraphML";
    if (text_equals(word, "router") && source_holds(source, "node"))
        return "a network of BookSim (anynet)";
    if (text_equals(word, "graph") && source_holds(source, "node ["))
        return "GML";
    if (text_equals(word, "digraph") || text_equals(word, "strict") ||
        (text_equals(word, "graph") && source_holds(source, "--")))
        return "a graph of Graphviz (dot)";
    if (source_holds(source, "\"intranode_sketch\""))
        return "a sketch of TACCL";
    if ((text_equals(word, "Ca") || text_equals(word, "Switch")) &&
        source_holds(source, " devid 0x"))
        return "the list of ibnetdiscover -l, which does not say what is linked";
    for (size_t i = 0; i < COUNT_OF(printed); i++)
        if (source_holds(source, printed[i].one) && source_holds(source, printed[i].other))
            return printed[i].name;
    return NULL;
}

bool is_refused(const Source *source)
{
    return name_refused(source) != NULL;
}

bool read_refused(Net *net)
{
    return net_fail(net, net_start(net),
                    "this is %s: no network is read from it; write its links as CSV, "
                    "from,to,level,bandwidth,latency,lanes",
                    name_refused(net->source));
}
