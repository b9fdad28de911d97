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
    if (source_holds(source, "\"gpus_per_node\"") && source_holds(source, "\"alpha\""))
        return "a profile of TACCL, whose links are in its program";
    if (source_holds(source, "GPU 0: ") && source_holds(source, "Link 0: "))
        return "the list of nvidia-smi nvlink, which does not say what is linked (topo -m does)";
    if ((text_equals(word, "Ca") || text_equals(word, "Switch")) &&
        source_holds(source, " devid 0x"))
        return "the list of ibnetdiscover -l, which does not say what is linked";
    if (source_holds(source, "NodeGUID:") && source_holds(source, "PHY="))
        return "a list of links of opensm or ibdiagnet (.lst), not what ibnetdiscover prints";
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
