#include "base/whole.h"
#include "bound/kinds.h"

/* Bytes times the lengths of the links that they must cross, over what all links pass times their
   lengths: whatever the lengths are, no time can be shorter. Lengths of 1 count links. Where links
   differ, lengths of 1 / bandwidth count the time for which links are busy. */

/* In whole numbers, rounded down: what matters is that paths and links are measured alike. */
static const __int128 precision = (__int128)1 << 40;
enum { MOST_GROUP_WORK = 1 << 26 };

/* Of each block: the most messages, or combinations, that the result of a rank takes. What all
   results hold is alike. Each message of a combined block leaves one rank and enters another: until
   some rank has all of k contributions, k - 1 others have sent; then the other q - 1 receivers must
   receive. */
static void list_most(const Demand *demand, bool messages, int64_t *most)
{
    const Contract *contract = demand->contract;
    const Holding *after = &contract->after;
    bool alike = demand_share_contributors(demand);
    int64_t all = 0;
    for (int64_t r = 0; r < contract->p; r++)
        for (int64_t i = 0, count = holding_count(after, r); i < count; i++) {
            const int64_t block = holding_block(after, r, i), receivers = demand->receivers[block];
            const int64_t given = per_rank(&contract->contributors_to, r) -
                                  per_rank(&contract->contributors_from, r) + 1;
            int64_t taken = given - 1;
            if (messages) {
                taken = alike && receivers > 1 && given > 0 ? given + receivers - 2 : 0;
                taken = whole_larger(taken, demand->needed[block]);
                taken = whole_larger(taken, demand_contributors(demand, r));
            }
            all = whole_larger(all, taken);
            most[block] = whole_larger(most[block], taken);
            if (after->is_shared)
                break;
        }
    for (int64_t i = 0; after->is_shared && i < holding_count(after, after->from); i++)
        most[holding_block(after, after->from, i)] = all;
}

/* Each block goes as far as its farthest path, and each of its messages from rank to rank: at least
   as far as the nearest are. */
static int64_t sum_paths(const Bounder *bounder, const RequiredPaths *paths,
                         const int64_t *messages)
{
    const Demand *demand = &bounder->demand;
    int64_t total = 0;
    if (demand->is_exchange)
        return paths->farthest[0] + paths->unreached * paths->nearest;
    for (int64_t b = 0; b < demand->kinds; b++)
        total += whole_larger(paths->farthest[b], messages[b] * paths->nearest) *
                 demand_weight(demand, b);
    return total;
}

/* What link i passes times its length; false where that is too much. */
static bool weigh_link(const Bounder *bounder, const int64_t *lengths, int64_t i, __int128 *passed)
{
    const __int128 capacity = capacity_graph_link(&bounder->capacity_graph, i);
    return !__builtin_mul_overflow(capacity, lengths ? lengths[i] : 1, passed);
}

/* What all links pass times their lengths, twice; 0 if nothing can be said, or that is too much.
   With half duplex both directions of a link together pass no more than that which passes more by
   itself, and have half of it each. */
static __int128 weigh_links(const Bounder *bounder, const int64_t *lengths)
{
    const Network *network = bounder->network;
    const Graph graph = network_graph(network);
    const bool is_half = bounder->rules->duplex == DUPLEX_HALF;
    __int128 total = 0;
    if (!network->starts) {
        const int64_t links = network->p * (network->p - 1);
        const bool fits = !__builtin_mul_overflow(capacity_graph_link(&bounder->capacity_graph, 0),
                                                  is_half ? links : 2 * links, &total);
        return fits ? total : 0;
    }
    for (size_t c = 0; c < network->class_count && !lengths; c++)
        if (capacity_graph_is_free(&bounder->capacity_graph, c))
            return 0;
    for (int64_t n = 0; n < network->node_count; n++)
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++) {
            const int64_t back = is_half ? graph_find(&graph, network->neighbours[i], n) : -1;
            __int128 passed, other = 0;
            if (!weigh_link(bounder, lengths, i, &passed) ||
                (back >= 0 && !weigh_link(bounder, lengths, back, &other)))
                return 0;
            other = back < 0 ? passed : passed > other ? 0 : other - passed; /* what is added */
            if (__builtin_add_overflow(passed, other, &passed) ||
                __builtin_add_overflow(total, passed, &total))
                return 0;
        }
    return total;
}

static void keep_larger(Bound *bound, Bound other)
{
    if (other.coefficient.real > bound->coefficient.real)
        *bound = other;
}

/* Over all links, one way to measure them. */
static void try_lengths(Bounder *bounder, const int64_t *lengths, const int64_t *messages,
                        Bound *bound)
{
    RequiredPaths paths = lengths ? required_paths_measure(bounder->arena, &bounder->demand,
                                                           bounder->network, lengths)
                                  : bounder->paths;
    int64_t volume = sum_paths(bounder, &paths, messages);
    __int128 passed = weigh_links(bounder, lengths);
    if (volume == 0 || passed == 0)
        return;
    Bound found = bound_over(bounder, BOUND_VOLUME, 2 * (__int128)volume, passed);
    bool shared = bounder->rules->duplex == DUPLEX_HALF;
    found.reason =
        lengths ? "the time that all blocks occupy links, divided by all links"
                : arena_printf(bounder->arena, "%lld m over links, shared by %s%s",
                               (long long)volume, bound_show_capacity(bounder, passed / 2, "link"),
                               shared ? " that are half duplex" : "");
    keep_larger(bound, found);
}

/* A length is 1 / bandwidth; 0 for a link that takes no time. */
static const int64_t *list_lengths(Bounder *bounder, __int128 scale)
{
    const Network *network = bounder->network;
    const CapacityGraph *capacity_graph = &bounder->capacity_graph;
    int64_t links = network->starts[network->node_count];
    int64_t *lengths = ARENA_ROOM(bounder->arena, int64_t, (size_t)links);
    for (int64_t i = 0; i < links; i++) {
        size_t class = network_link_class(network, i);
        lengths[i] = capacity_graph_is_free(capacity_graph, class)
                         ? 0
                         : (int64_t)(scale / capacity_graph->rates[class]);
    }
    return lengths;
}

/* Fine enough for the fastest link, unless paths would be too long in all then: they are no longer
   than as many of the longest length as they have links. */
static __int128 scale_of(const Bounder *bounder, const int64_t *messages)
{
    const CapacityGraph *capacity_graph = &bounder->capacity_graph;
    const int64_t links = sum_paths(bounder, &bounder->paths, messages);
    int64_t fastest = 1, slowest = INT64_MAX;
    for (size_t c = 0; c < bounder->network->class_count; c++) {
        const int64_t rate = capacity_graph->rates[c];
        if (capacity_graph_is_free(capacity_graph, c))
            continue;
        fastest = whole_larger(fastest, rate);
        slowest = rate < slowest ? rate : slowest;
    }
    const __int128 most =
        (__int128)slowest * (INT64_MAX / whole_larger(links, bounder->network->node_count));
    return most < fastest * precision ? most : fastest * precision;
}

/* Every message enters a rank through its ports, and leaves one. */
static void try_ports(Bounder *bounder, int64_t messages, Bound *bound)
{
    const CapacityGraph *capacity_graph = &bounder->capacity_graph;
    int64_t sent = 0, received = 0;
    for (int64_t r = 0; r < bounder->network->p; r++)
        if (__builtin_add_overflow(sent, per_rank(&capacity_graph->send, r), &sent) ||
            __builtin_add_overflow(received, per_rank(&capacity_graph->receive, r), &received))
            return;
    if (capacity_graph_is_endless(capacity_graph, sent) ||
        capacity_graph_is_endless(capacity_graph, received))
        return;
    bool sends = sent < received;
    int64_t passed = sends ? sent : received;
    if (messages == 0 || passed == 0)
        return;
    Bound found = bound_over(bounder, BOUND_PORTS, messages, passed);
    found.reason =
        arena_printf(bounder->arena, "%lld m %s ranks, over %s in total", (long long)messages,
                     sends ? "leave" : "enter", bound_show_capacity(bounder, passed, "port"));
    keep_larger(bound, found);
}

/* Of all ranks, to send or to receive, whatever is fewer. */
static int64_t count_ports(const Bounder *bounder)
{
    int64_t sent = 0, received = 0;
    for (int64_t r = 0; r < bounder->network->p; r++) {
        sent += rules_send_ports(bounder->rules, bounder->network, r);
        received += rules_receive_ports(bounder->rules, bounder->network, r);
    }
    return sent < received ? sent : received;
}

/* With store-and-forward a message keeps its ports busy on every link of its path. */
static void try_busy_ports(Bounder *bounder, const int64_t *messages, Bound *bound)
{
    __int128 scale = 1;
    int64_t ports = count_ports(bounder);
    RequiredPaths paths = bounder->paths;
    if (bounder->capacity_graph.per_link_costs) {
        scale = scale_of(bounder, messages);
        paths = required_paths_measure(bounder->arena, &bounder->demand, bounder->network,
                                       list_lengths(bounder, scale));
    }
    int64_t volume = sum_paths(bounder, &paths, messages);
    if (volume == 0)
        return;
    Bound found = bound_over(bounder, BOUND_PORTS, volume, ports * scale);
    found.reason =
        arena_printf(bounder->arena, "%s, each of which occupies a port; %lld ports",
                     bounder->capacity_graph.per_link_costs
                         ? "m times the time on links"
                         : arena_printf(bounder->arena, "%lld m over links", (long long)volume),
                     (long long)ports);
    keep_larger(bound, found);
}

/* The ranks that links faster than tw join, over all ranks and switches. */
static RankGroups join_ranks(const Bounder *bounder, double tw)
{
    const Network *network = bounder->network;
    const LinkCost *link_costs = bounder->capacity_graph.link_costs;
    size_t nodes = (size_t)network->node_count;
    int64_t *root = ARENA_ROOM(bounder->arena, int64_t, nodes), count = 0;
    int64_t *numbers = ARENA_ARRAY(bounder->arena, int64_t, nodes);
    int64_t *of = ARENA_ROOM(bounder->arena, int64_t, (size_t)network->p);
    for (int64_t n = 0; n < network->node_count; n++)
        root[n] = n;
    for (int64_t n = 0; n < network->node_count; n++)
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++) {
            if (link_costs[network_link_class(network, i)].values[PARAMETER_TW] < tw)
                joined_join(root, n, network->neighbours[i]);
        }
    for (int64_t r = 0; r < network->p; r++) {
        int64_t *number = &numbers[joined_root(root, r)];
        *number = *number ? *number : ++count;
        of[r] = *number - 1;
    }
    return (RankGroups){count, of};
}

/* Bandwidths that differ, the fastest first: each time per byte once. */
static size_t list_times(const Bounder *bounder, double *times)
{
    const Network *network = bounder->network;
    size_t count = 0;
    for (size_t c = 0; c < network->class_count; c++) {
        double tw = bounder->capacity_graph.link_costs[c].values[PARAMETER_TW];
        size_t at = count;
        while (at > 0 && times[at - 1] >= tw)
            at--;
        if (at < count && times[at] == tw)
            continue;
        for (size_t i = count++; i > at; i--)
            times[i] = times[i - 1];
        times[at] = tw;
    }
    return count;
}

static const char *show_times(Bounder *bounder, const char *text, int64_t messages, double tw)
{
    if (messages == 0 || tw <= 0)
        return text;
    return arena_printf(bounder->arena, "%s%s%lld m at %s", text, *text ? ", " : "",
                        (long long)messages, quantity_show_bandwidth(bounder->arena, 1 / tw));
}

/* What a group of ranks, `inside`, must receive or send by itself: all from other groups slowly. */
static void try_group(Bounder *bounder, bool *inside, bool enters, double fast, double slow,
                      Bound *bound)
{
    const PerRank *blocks = enters ? &bounder->demand.entering : &bounder->demand.leaving;
    int64_t messages = 0, ports = 0, first = -1;
    for (int64_t r = 0; r < bounder->network->p; r++) {
        if (inside[r]) {
            first = first < 0 ? r : first;
            messages += per_rank(blocks, r);
            ports += (enters ? rules_receive_ports : rules_send_ports)(bounder->rules,
                                                                       bounder->network, r);
        }
        inside[r] ^= enters; /* what leaves all others */
    }
    const int64_t slower = demand_crossing(&bounder->demand, inside);
    const int64_t faster = messages > slower ? messages - slower : 0;
    const double time = ((double)slower * slow + (double)faster * fast) / (double)ports;
    if (slower == 0 || time <= bound->coefficient.real * (1 + 1e-12))
        return;
    *bound = (Bound){BOUND_PORTS, exact_from_double(time), true, NULL};
    bound->reason = arena_printf(
        bounder->arena, "%s %s the group of rank %s, over its %lld port%s",
        show_times(bounder, show_times(bounder, "", faster, fast), slower, slow),
        enters ? "enter" : "leave", network_name_node(bounder->arena, bounder->network, first),
        (long long)ports, PLURAL_END(ports));
}

/* A message between ranks that only slower links join holds its ports for as long as the slowest of
   them takes, so that it counts with its time. */
static void try_slow_ports(Bounder *bounder, int64_t messages, Bound *bound)
{
    double *times = ARENA_ARRAY(bounder->arena, double, bounder->network->class_count + 1);
    double total = 0;
    size_t count = bounder->network->link_classes ? list_times(bounder, times) : 0;
    int64_t ports = count_ports(bounder), faster = messages;
    Bound of_groups = *bound;
    const char *text = "";
    for (size_t i = 0; i < count; i++) {
        int64_t slower = 0;
        if (i + 1 < count) {
            const RankGroups groups = join_ranks(bounder, times[i + 1]);
            slower = groups.count > 1 ? demand_between(&bounder->demand, &groups) : 0;
            slower = slower < faster ? slower : faster;
            if (groups.count > 1) {
                /* Of as many groups as there is time for. */
                const int64_t p = bounder->network->p, each = bounder->demand.size + 8 * p;
                bool *inside = ARENA_ROOM(bounder->arena, bool, (size_t)p);
                for (int64_t side = 0; side < 2 * groups.count && side * each < MOST_GROUP_WORK;
                     side++) {
                    for (int64_t r = 0; r < p; r++)
                        inside[r] = groups.of[r] == side / 2;
                    try_group(bounder, inside, side % 2, times[0], times[i + 1], &of_groups);
                }
            }
        }
        total += (double)(faster - slower) * times[i];
        text = show_times(bounder, text, faster - slower, times[i]);
        faster = slower;
    }
    Bound found = {BOUND_PORTS, exact_from_double(total / (double)ports), true, NULL};
    found.reason = arena_printf(bounder->arena, "%s, over %lld port%s", text, (long long)ports,
                                PLURAL_END(ports));
    if (total > (double)messages * times[0])
        keep_larger(bound, found);
    if (of_groups.coefficient.real > bound->coefficient.real * (1 + 1e-12))
        *bound = of_groups;
}

/* The switch that all links of each rank lead to and come from, if it has a capacity; -1: there is
   none. */
static const int64_t *list_gates(const Bounder *bounder, const NodeCapacities *nodes)
{
    const Network *network = bounder->network;
    int64_t p = network->p, *gates = ARENA_ROOM(bounder->arena, int64_t, (size_t)p);
    for (int64_t r = 0; r < p; r++)
        gates[r] = network->starts[r] < network->starts[r + 1]
                       ? network->neighbours[network->starts[r]]
                       : -1;
    for (int64_t n = 0; n < network->node_count; n++)
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++) {
            int64_t other = network->neighbours[i];
            if (n < p && gates[n] != other)
                gates[n] = -1;
            if (other < p && gates[other] != n)
                gates[other] = -1;
        }
    for (int64_t r = 0; r < p; r++)
        if (gates[r] >= 0 && nodes->capacities[gates[r]] <= 0)
            gates[r] = -1;
    return gates;
}

static void keep_gates(Bounder *bounder, int64_t blocks, double capacity, Bound *bound)
{
    Bound found = {BOUND_VOLUME, exact_from_double((double)blocks / capacity), true, NULL};
    found.reason =
        arena_printf(bounder->arena, "%lld m through switches or memories that pass %s",
                     (long long)blocks, quantity_show_bandwidth(bounder->arena, capacity));
    keep_larger(bound, found);
}

/* What enters and leaves ranks goes through the switch that they are linked to. Where a message
   between two of its links counts more than once, it counts for the rank that it leaves and for
   that which it enters, and one that goes further once at either end. */
static void try_gates(Bounder *bounder, int64_t messages, Bound *bound)
{
    const Network *network = bounder->network;
    const NodeCapacities *nodes = bounder->capacity_graph.node_capacities;
    if (!nodes)
        return;
    const int64_t *gates = list_gates(bounder, nodes);
    int64_t *entering = ARENA_ARRAY(bounder->arena, int64_t, (size_t)network->node_count);
    int64_t *leaving = ARENA_ARRAY(bounder->arena, int64_t, (size_t)network->node_count);
    bool *is_gate = ARENA_ARRAY(bounder->arena, bool, (size_t)network->node_count);
    bool all = true, twice = true;
    double capacity = 0;
    for (int64_t r = 0; r < network->p; r++) {
        all &= gates[r] >= 0;
        if (gates[r] < 0)
            continue;
        is_gate[gates[r]] = true;
        entering[gates[r]] += per_rank(&bounder->demand.entering, r);
        leaving[gates[r]] += per_rank(&bounder->demand.leaving, r);
    }
    for (int64_t n = network->p; n < network->node_count; n++) {
        bool both = nodes->passes[n] > 1;
        int64_t blocks = both ? entering[n] + leaving[n] : whole_larger(entering[n], leaving[n]);
        if (!is_gate[n])
            continue;
        if (blocks > 0)
            keep_gates(bounder, blocks, nodes->capacities[n], bound);
        capacity += nodes->capacities[n]; /* also of those that messages may, but need not use */
        twice &= both;
    }
    if (all && capacity > 0)
        keep_gates(bounder, twice ? 2 * messages : messages, capacity, bound);
}

/* messages[k], for each kind of blocks, and their sum over all blocks, by weight, in *total. NULL
   where messages are empty. */
static const int64_t *list_messages(Bounder *bounder, Bound *bound, int64_t *total)
{
    const Demand *demand = &bounder->demand;
    const int64_t p = bounder->contract->p;
    int64_t *messages = ARENA_ARRAY(bounder->arena, int64_t, (size_t)demand->kinds);
    *bound = (Bound){bound->kind, exact_from_int(0), false, "nothing has to move"};
    if (bounder->contract->is_empty) {
        bound->reason = "messages are empty";
        return NULL;
    }
    *total = 0;
    if (bounder->contract->combines)
        list_most(demand, true, messages);
    for (int64_t k = 0; k < demand->kinds; k++) {
        if (!bounder->contract->combines)
            messages[k] = demand->needed[k];
        /* of a kind there is one block but in an exchange */
        const int64_t copies = !demand->is_exchange ? 1 : k == 0 ? p * (p - 1) : p;
        *total += messages[k] * copies * demand_weight(demand, k);
    }
    return messages;
}

Bound bound_ports(Bounder *bounder)
{
    Bound bound = {.kind = BOUND_PORTS};
    int64_t total;
    const int64_t *messages = list_messages(bounder, &bound, &total);
    if (!messages)
        return bound;
    try_ports(bounder, total, &bound);
    bool forwards = bounder->rules->switching != SWITCHING_CUT_THROUGH;
    if (forwards && bounder->rules->posting >= POSTING_TOGETHER)
        return bound; /* a port is busy for the link beside it alone */
    if (bounder->capacity_graph.per_link_costs)
        try_slow_ports(bounder, total, &bound);
    if (bounder->paths.known && forwards)
        try_busy_ports(bounder, messages, &bound);
    return bound;
}

Bound bound_volume(Bounder *bounder)
{
    Bound bound = {.kind = BOUND_VOLUME};
    int64_t total;
    const int64_t *messages = list_messages(bounder, &bound, &total);
    if (!messages)
        return bound;
    if (!bounder->paths.known || !bounder->capacity_graph.links_share) {
        bound.reason = bounder->paths.known ? "messages sent at different times do not share links"
                                            : "not computed for this many ranks";
        return bound;
    }
    try_lengths(bounder, NULL, messages, &bound);
    if (bounder->network->starts)
        try_gates(bounder, total, &bound);
    if (bounder->capacity_graph.per_link_costs)
        try_lengths(bounder, list_lengths(bounder, scale_of(bounder, messages)), messages, &bound);
    return bound;
}

/* The combinations of each block, one less than contributions, shared by all ranks. */
Bound bound_compute(Bounder *bounder)
{
    const Contract *contract = bounder->contract;
    int64_t *most = ARENA_ARRAY(bounder->arena, int64_t, (size_t)bounder->demand.kinds);
    int64_t total = 0;
    if (contract->combines && !contract->is_empty)
        list_most(&bounder->demand, false, most);
    for (int64_t k = 0; k < bounder->demand.kinds; k++)
        total += most[k] * demand_weight(&bounder->demand, k);
    if (bounder->rules->combining == COMBINING_NONE)
        return (Bound){BOUND_COMPUTE, exact_from_int(0), false, "combining is free"};
    const char *reason = total
                             ? arena_printf(bounder->arena, "%lld m combined, shared by %lld ranks",
                                            (long long)total, (long long)contract->p)
                             : "nothing is combined";
    return (Bound){BOUND_COMPUTE, exact_divide(exact_from_int(total), exact_from_int(contract->p)),
                   false, reason};
}
