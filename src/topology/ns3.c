#include "topology/net.h"

#include <string.h>

/* The input of ns-3 in ASTRA-sim and SimAI: counts, the numbers of switches, then a cable a line:
   `a b 400Gbps 0.0005ms 0`. SimAI's first line has GPUs of a server and NVSwitches besides. */

enum { MOST_WORDS = 8 };

typedef struct {
    Net *net;
    int64_t nodes, switches, links, nvswitches, per_server;
    bool *is_switch;
    int32_t *numbers; /* of nodes in the net */
    int host, trunk, nvlink;
} Reader;

/* A line's words, before a remark. */
static int split(Text line, Text *words)
{
    int count = 0;
    while (count < MOST_WORDS && net_word(&line, &words[count]) && words[count].chars[0] != '#')
        count++;
    return count;
}

static int count_numbers(const Text *words, int count)
{
    int64_t value;
    int numbers = 0;
    while (numbers < count && text_whole(words[numbers], &value))
        numbers++;
    return numbers;
}

bool is_ns3(const Source *source)
{
    size_t offset = 0;
    Text line, words[MOST_WORDS];
    if (!net_next(source, &offset, &line))
        return false;
    const int count = split(line, words), numbers = count_numbers(words, count);
    if (!((count == 3 && numbers == 3) || (count == 6 && numbers == 5)))
        return false;
    for (int i = 0; i < 4 && net_line(source, &offset, &line); i++)
        if (split(line, words) >= 4 && count_numbers(words, 2) == 2 &&
            memmem(words[2].chars, words[2].length, "bps", 3))
            return true;
    return false;
}

static bool read_counts(Reader *reader, Text line)
{
    Net *net = reader->net;
    Text words[MOST_WORDS];
    const int count = split(line, words);
    int64_t *const three[] = {&reader->nodes, &reader->switches, &reader->links};
    int64_t *const five[] = {&reader->nodes, &reader->per_server, &reader->nvswitches,
                             &reader->switches, &reader->links};
    for (int i = 0; i < (count == 3 ? 3 : 5); i++)
        text_whole(words[i], count == 3 ? three[i] : five[i]);
    if (reader->nodes < 1 || reader->nodes > MOST_NET_NODES / 2 ||
        reader->switches + reader->nvswitches > reader->nodes)
        return net_fail(net, line.span, "nodes, and fewer switches, were expected here");
    reader->is_switch = ARENA_ARRAY(net->arena, bool, (size_t)reader->nodes);
    reader->numbers = ARENA_ARRAY(net->arena, int32_t, (size_t)reader->nodes);
    return true;
}

/* The line of switches may be empty; NVSwitches come first. */
static bool read_switches(Reader *reader, Text line)
{
    Text word;
    int64_t node, count = 0;
    while (net_word(&line, &word) && word.chars[0] != '#') {
        if (!text_whole(word, &node) || node >= reader->nodes || reader->is_switch[node])
            return net_fail(reader->net, word.span,
                            "a number of a node, each once, was expected here");
        reader->is_switch[node] = true;
        reader->numbers[node] = count++ < reader->nvswitches ? 1 : 0;
    }
    return count == reader->switches + reader->nvswitches ||
           net_fail(reader->net, line.span, "there are %lld switches here, not %lld",
                    (long long)count, (long long)(reader->switches + reader->nvswitches));
}

static bool read_link(Reader *reader, Text line)
{
    Net *net = reader->net;
    Text words[MOST_WORDS];
    int64_t ends[2];
    double rate, latency;
    if (split(line, words) < 4)
        return net_fail(net, line.span, "two nodes, a rate and a latency were expected here");
    for (int i = 0; i < 2; i++)
        if (!text_whole(words[i], &ends[i]) || ends[i] >= reader->nodes)
            return net_fail(net, words[i].span, "there are nodes 0 to %lld",
                            (long long)reader->nodes - 1);
    if (ends[0] == ends[1])
        return net_fail(net, words[1].span, "a link needs two different ends");
    if (!net_rate(net, words[2], &rate) || !net_time(net, words[3], &latency))
        return false;
    bool is_nvlink = false;
    for (int i = 0; i < 2; i++)
        is_nvlink |=
            text_begins(text_plain(net->nodes.items[reader->numbers[ends[i]]].name), "nvsw");
    NetLink *link =
        net_link(net, reader->numbers[ends[0]], reader->numbers[ends[1]],
                 is_nvlink                                                  ? reader->nvlink
                 : reader->is_switch[ends[0]] && reader->is_switch[ends[1]] ? reader->trunk
                                                                            : reader->host,
                 rate, line.span);
    link->latency = latency;
    return true;
}

bool read_ns3(Net *net)
{
    Reader reader = {.net = net};
    size_t offset = 0;
    Text line;
    if (!net_next(net->source, &offset, &line) || !read_counts(&reader, line) ||
        !net_line(net->source, &offset, &line) || !read_switches(&reader, line))
        return net_fail(net, line.span, "this file is cut off");
    for (int64_t n = 0; n < reader.nodes; n++) {
        const bool is_switch = reader.is_switch[n];
        const char *name = !is_switch ? "n" : reader.numbers[n] ? "nvsw" : "sw";
        reader.numbers[n] = net_add(net, !is_switch, "%s%lld", name, (long long)n);
    }
    reader.nvlink = net_level(net, "nvlink", 0, 0, true);
    reader.host = net_level(net, "host", 0, 0, reader.switches == 0);
    reader.trunk = net_level(net, "trunk", 0, 0, true);
    int64_t count = 0;
    while (net_next(net->source, &offset, &line) && count <= MOST_NET_NODES) {
        Text word, rest = line;
        int64_t node;
        if (count >= reader.links && net_word(&rest, &word) && !text_whole(word, &node))
            break; /* words behind the links say what the file is */
        if (!read_link(&reader, line))
            return false;
        count++;
    }
    if (count != reader.links)
        net_warn(net, net_start(net), "the first line says %lld links, and there are %lld",
                 (long long)reader.links, (long long)count);
    net_join_mirrors(net);
    if (!net_rank_count(net))
        return net_fail(net, net_start(net), "all nodes are switches");
    if (reader.per_server > 1 && net_rank_count(net) % reader.per_server == 0) {
        net_dimension(net, "node", net_rank_count(net) / reader.per_server);
        net_dimension(net, "device", reader.per_server);
    }
    return !net->has_failed;
}
