#include "topology/net.h"

/* The .topo files of htsim: a fat tree of two or three tiers, told by what a switch of each tier
   has. Speeds, latencies and bundles are those of the links below a tier. */

enum { MOST_TIERS = 3 };
typedef enum { SPEED, DOWN, UP, LATENCY, SWITCH_LATENCY, BUNDLE, OVERSUBSCRIBED, FIELDS } Field;
static const char *const names[FIELDS] = {"Downlink_speed_Gbps", "Radix_Down",        "Radix_Up",
                                          "Downlink_Latency_ns", "Switch_Latency_ns", "Bundle",
                                          "Oversubscribed"};

typedef struct {
    Net *net;
    int64_t nodes, tiers, pod;
    int64_t of[MOST_TIERS][FIELDS];     /* 0: not given */
    int64_t tors, per_pod, aggs, cores; /* ToR switches in all and in a pod; others above a pod;
                                           cores above each of these */
} Reader;

bool is_htsim(const Source *source)
{
    size_t offset = 0;
    Text line, word;
    return net_next(source, &offset, &line) && net_word(&line, &word) && text_like(word, "Nodes") &&
           (net_has_line(source, "Tiers") || net_has_line(source, "tiers"));
}

static bool read_line(Reader *reader, Text line, int *tier)
{
    Text key, value;
    int64_t number, *place = NULL;
    net_word(&line, &key);
    if (!net_word(&line, &value) || !text_whole(value, &number) || number > MOST_NET_NODES)
        return net_fail(reader->net, key.span, "a whole number after '%.*s' was expected here",
                        TEXT_ARGS(key));
    if (text_like(key, "Tier")) {
        *tier = (int)number;
        return number < MOST_TIERS ||
               net_fail(reader->net, value.span, "there are at most %d tiers", MOST_TIERS);
    }
    if (*tier < 0)
        place = text_like(key, "Nodes")     ? &reader->nodes
                : text_like(key, "Tiers")   ? &reader->tiers
                : text_like(key, "Podsize") ? &reader->pod
                                            : NULL;
    for (int f = 0; f < FIELDS && *tier >= 0; f++)
        if (text_like(key, names[f]))
            place = &reader->of[*tier][f];
    if (!place && !text_begins(key, "Queue") && !text_begins(key, "queue"))
        return net_fail(reader->net, key.span, "'%.*s' is not known here", TEXT_ARGS(key));
    if (place)
        *place = number;
    return true;
}

/* How many switches each tier has: their ports must fit. */
static bool count_switches(Reader *reader)
{
    Net *net = reader->net;
    for (int t = 0; t < reader->tiers; t++) {
        reader->of[t][BUNDLE] += !reader->of[t][BUNDLE];
        if (!reader->of[t][DOWN] || !reader->of[t][SPEED])
            return net_fail(net, net_start(net), "tier %d needs Radix_Down and Downlink_speed_Gbps",
                            t);
    }
    int64_t *tor = reader->of[0], *agg = reader->of[1], *core = reader->of[2];
    if (!tor[UP])
        tor[UP] = tor[OVERSUBSCRIBED] ? tor[DOWN] / tor[OVERSUBSCRIBED] : tor[DOWN];
    const int64_t pod = reader->tiers == 2 || !reader->pod ? reader->nodes : reader->pod;
    reader->tors = reader->nodes / tor[DOWN];
    reader->per_pod = pod / tor[DOWN];
    reader->aggs = tor[UP] / agg[BUNDLE];
    reader->cores = reader->tiers == 3 ? agg[UP] / core[BUNDLE] : 0;
    const bool fits = reader->nodes % tor[DOWN] == 0 && pod % tor[DOWN] == 0 && reader->per_pod &&
                      reader->nodes % pod == 0 && reader->aggs && tor[UP] % agg[BUNDLE] == 0 &&
                      agg[DOWN] == reader->per_pod * agg[BUNDLE];
    if (!fits)
        return net_fail(net, net_start(net),
                        "Nodes, Podsize and the radices of tiers 0 and 1 do not fit");
    if (reader->tiers == 3 && (!reader->cores || agg[UP] % core[BUNDLE] ||
                               core[DOWN] != reader->nodes / pod * core[BUNDLE]))
        return net_fail(net, net_start(net), "the radices of tiers 1 and 2 do not fit");
    return true;
}

static bool build(Reader *reader)
{
    Net *net = reader->net;
    static const char *const levels[] = {"host", "pod", "core"};
    static const char *const switches[] = {"tor", "agg", "core"};
    const int64_t down[] = {reader->of[0][DOWN], reader->per_pod, reader->tors / reader->per_pod},
                  up[] = {1, reader->aggs, reader->cores};
    NetTier tiers[MOST_TIERS];
    for (int t = 0; t < reader->tiers; t++) {
        const int64_t *of = reader->of[t], lower = t ? reader->of[t - 1][SWITCH_LATENCY] : 0;
        tiers[t] = (NetTier){
            .down = down[t],
            .up = up[t],
            .cables = t ? of[BUNDLE] : 1,
            .name = reader->tiers == 2 && t ? "spine" : switches[t],
            .level = net_level(net, levels[t], 0, 0, t > 0),
            .rate = (double)of[SPEED] * 1e9 / 8,
            .latency = ((double)of[LATENCY] + (double)(of[SWITCH_LATENCY] + lower) / 2) * 1e-9};
    }
    for (int64_t h = 0; h < reader->nodes; h++)
        net_add(net, true, "h%lld", (long long)h);
    return net_add_tiers(net, 0, reader->nodes, tiers, (int)reader->tiers, net_start(net));
}

bool read_htsim(Net *net)
{
    Reader reader = {.net = net};
    size_t offset = 0;
    Text line;
    int tier = -1;
    while (net_next(net->source, &offset, &line))
        if (!read_line(&reader, line, &tier))
            return false;
    if (reader.nodes < 1 || reader.tiers < 2 || reader.tiers > MOST_TIERS)
        return net_fail(net, net_start(net), "Nodes, and 2 or 3 Tiers, were expected");
    return count_switches(&reader) && build(&reader);
}
