#include "bound/kinds.h"

/* Links that are written out. */
enum { MOST_LINKS = 4 };

/* "rank 3", "ranks 0..3, 8", "ranks 0..3, 8, ... (12 in all)": those that are, or are not, inside,
   by the numbers of the whole network where ranks are those of groups. */
static const char *describe_ranks(const Bounder *bounder, const bool *inside, bool wanted)
{
    Arena *arena = bounder->arena;
    const Network *network = bounder->network;
    const int64_t p = network->grouping ? network->grouping->whole->p : bounder->contract->p;
    bool *named = ARENA_ARRAY(arena, bool, (size_t)p);
    const char *text = "";
    int64_t count = 0, ranges = 0;
    for (int64_t r = 0; r < bounder->contract->p; r++)
        named[network_rank(network, r)] = inside[r] == wanted;
    for (int64_t r = 0; r < p; r++) {
        int64_t first = r;
        if (!named[r])
            continue;
        while (r + 1 < p && named[r + 1])
            r++;
        count += r - first + 1;
        const char *comma = ranges ? ", " : "";
        if (++ranges <= MOST_SHOWN)
            text = first == r ? arena_printf(arena, "%s%s%lld", text, comma, (long long)r)
                              : arena_printf(arena, "%s%s%lld..%lld", text, comma, (long long)first,
                                             (long long)r);
    }
    if (ranges > MOST_SHOWN)
        text = arena_printf(arena, "%s, ... (%lld in all)", text, (long long)count);
    return arena_printf(arena, "rank%s %s", PLURAL_END(count), text);
}

typedef struct {
    int64_t links, ports; /* ranks whose ports are crossed */
    const char *names;
} Crossed;

static Crossed list_crossed(const Bounder *bounder, const Cut *cut)
{
    const CapacityGraph *capacity_graph = &bounder->capacity_graph;
    const Network *network = bounder->network;
    long long p = bounder->contract->p;
    Crossed crossed = {.names = ""};
    for (size_t i = 0; i < capacity_graph->count; i++) {
        const FlowArc *arc = &capacity_graph->arcs[i];
        const bool link = capacity_graph_is_link(capacity_graph, i);
        const bool leaves = cut->inside[arc->from] && !cut->inside[arc->to];
        const bool enters = cut->inside[arc->to] && !cut->inside[arc->from];
        /* a link that both share is told once */
        if (!leaves && !(enters && cut->both && !link))
            continue;
        crossed.ports += !link;
        crossed.links += link;
        if (link && crossed.links <= MOST_LINKS)
            crossed.names = arena_printf(bounder->arena, "%s%s%s -> %s", crossed.names,
                                         crossed.links > 1 ? ", " : "",
                                         network_name_node(bounder->arena, network, arc->from - p),
                                         network_name_node(bounder->arena, network, arc->to - p));
    }
    if (crossed.links > MOST_LINKS)
        crossed.names = arena_printf(bounder->arena, "%s, ...", crossed.names);
    return crossed;
}

const char *cut_describe(const Bounder *bounder, const Cut *cut, int64_t ports)
{
    static const char *const proofs[] = {
        [CUT_BEST] = "best of all cuts",
        [CUT_TRIED] = "best of the cuts tried",
        [CUT_STOPPED] = "best so far: not all cuts tried",
    };
    Arena *arena = bounder->arena;
    const Crossed crossed =
        ports ? (Crossed){.ports = ports, .names = ""} : list_crossed(bounder, cut);
    const int64_t capacity = cut->capacity * (ports ? 1 : bounder->capacity_graph.unit);
    int64_t p = bounder->contract->p, within = 0;
    for (int64_t r = 0; r < p; r++)
        within += cut->inside[r];
    bool leaves = within <= p - within; /* the smaller side is told */
    const char *passes = ""; /* where that is not told by the number of links and ports */
    if (bounder->capacity_graph.per_link_costs)
        passes = arena_printf(arena, " with %s", quantity_show_bandwidth(arena, (double)capacity));
    else if (capacity != crossed.links + crossed.ports)
        passes = arena_printf(arena, ", %lld at a time", (long long)capacity);
    /* "2 links (0 -> 1, 3 -> 2) and the ports of 3 ranks" */
    const char *links = "", *of_ports = "";
    if (crossed.links)
        links = arena_printf(arena, "%lld link%s (%s)", (long long)crossed.links,
                             PLURAL_END(crossed.links), crossed.names);
    if (crossed.ports)
        of_ports = arena_printf(arena, "the ports of %lld rank%s", (long long)crossed.ports,
                                PLURAL_END(crossed.ports));
    return arena_printf(arena, "%lld m %s %s over %s%s%s%s; %s%s", (long long)cut->blocks,
                        cut->both ? "leave or enter"
                        : leaves  ? "leave"
                                  : "enter",
                        describe_ranks(bounder, cut->inside, leaves), links,
                        *links && *of_ports ? " and " : "", of_ports, passes, proofs[cut->proof],
                        cut->by_symmetry ? ", as all ranks are alike" : "");
}
