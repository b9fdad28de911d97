#include "cost/bound.h"

enum { MOST_DISTANCES = 1 << 24 };

typedef struct {
    Arena *arena;
    const Contract *contract;
    const Network *network;
    const Rules *rules;
    const LinkPrice *prices;
    int64_t ports;      /* the most of a rank */
    const int64_t *in;  /* lanes of the links that end at each rank; NULL: all are of class 0 */
    int64_t *holders;   /* of each block: ranks that hold it before */
    int64_t *holder;    /* one of them */
    bool *held_by_rank; /* of each block: by the rank at hand */
} Bounder;

static size_t first_before(const Bounder *bounder, int64_t rank)
{
    return (size_t)bounder->contract->before.starts[rank];
}

/* Marks, or clears, the blocks that a rank holds before. */
static void mark_held(Bounder *bounder, int64_t rank, bool mark)
{
    const Holding *before = &bounder->contract->before;
    for (int64_t i = before->starts[rank]; i < before->starts[rank + 1]; i++)
        bounder->held_by_rank[before->blocks[i]] = mark;
}

/* Lanes of the links that end at each node; NULL where all links are of class 0. */
static const int64_t *count_lanes_in(Arena *arena, const Network *network, const LinkPrice *prices)
{
    if (!network->starts || !network->link_classes)
        return NULL;
    int64_t *lanes = ARENA_ARRAY(arena, int64_t, (size_t)network->node_count);
    for (int64_t i = 0; i < network->starts[network->node_count]; i++)
        lanes[network->neighbours[i]] += prices[network->link_classes[i]].lanes;
    return lanes;
}

static int64_t lanes_out(const Bounder *bounder, int64_t rank)
{
    const Network *network = bounder->network;
    int64_t lanes = 0;
    if (!network->starts || !network->link_classes)
        return network_degree(network, rank) * bounder->prices[0].lanes;
    for (int64_t i = network->starts[rank]; i < network->starts[rank + 1]; i++)
        lanes += bounder->prices[network->link_classes[i]].lanes;
    return lanes;
}

static int64_t lanes_in(const Bounder *bounder, int64_t rank)
{
    return bounder->in ? bounder->in[rank]
                       : network_arrivals(bounder->network, rank) * bounder->prices[0].lanes;
}

static Bounder bounder_create(Arena *arena, const Contract *contract, const Network *network,
                              const Rules *rules)
{
    const LinkPrice *prices = rules_prices(arena, rules, network);
    size_t blocks = (size_t)contract->block_count;
    Bounder bounder = {arena,
                       contract,
                       network,
                       rules,
                       prices,
                       rules_ports(rules, network),
                       count_lanes_in(arena, network, prices),
                       ARENA_ARRAY(arena, int64_t, blocks),
                       ARENA_ARRAY(arena, int64_t, blocks),
                       ARENA_ARRAY(arena, bool, blocks)};
    for (int64_t r = 0; r < contract->p; r++)
        for (size_t i = first_before(&bounder, r); i < first_before(&bounder, r + 1); i++) {
            bounder.holders[contract->before.blocks[i]]++;
            bounder.holder[contract->before.blocks[i]] = r;
        }
    return bounder;
}

/* The least R with start (d+1)^R >= wanted. */
static int64_t rounds_to_grow(int64_t start, int64_t wanted, int64_t ports)
{
    int64_t rounds = 0;
    for (__int128 reached = start; reached < wanted; reached *= ports + 1)
        rounds++;
    return rounds;
}

static bool combines_others(const Contract *contract, int64_t rank)
{
    return contract->contributors_from[rank] != rank || contract->contributors_to[rank] != rank;
}

/* Must block b, needed at rank r afterwards, be brought there (in part)? */
static bool must_enter(const Bounder *bounder, int64_t rank, int64_t block)
{
    if (bounder->contract->combines)
        return combines_others(bounder->contract, rank);
    return !bounder->held_by_rank[block];
}

/* needed[b]: how many ranks must receive block b; a combined block counts every receiver. */
static void count_needs(Bounder *bounder, int64_t *needed, int64_t *entering)
{
    const Holding *after = &bounder->contract->after;
    for (int64_t r = 0; r < bounder->contract->p; r++) {
        mark_held(bounder, r, true);
        for (int64_t i = after->starts[r]; i < after->starts[r + 1]; i++)
            if (must_enter(bounder, r, after->blocks[i])) {
                needed[after->blocks[i]]++;
                entering[r]++;
            }
        mark_held(bounder, r, false);
    }
}

/* Distinct ranks whose data rank r must receive, r among them. Each of the others is told, in
   `wanted`, that one rank more wants its data. */
static int64_t count_sources(Bounder *bounder, int64_t rank, int64_t *seen_by, int64_t *wanted)
{
    const Contract *contract = bounder->contract;
    const Holding *after = &contract->after;
    int64_t sources = 1;
    if (after->starts[rank] == after->starts[rank + 1])
        return 1;
    if (contract->combines) {
        int64_t from = contract->contributors_from[rank], to = contract->contributors_to[rank];
        return to - from + 1 + (rank < from || rank > to);
    }
    mark_held(bounder, rank, true);
    for (int64_t i = after->starts[rank]; i < after->starts[rank + 1]; i++) {
        int64_t block = after->blocks[i], holder = bounder->holder[block];
        if (bounder->held_by_rank[block] || bounder->holders[block] != 1 ||
            seen_by[holder] == rank + 1)
            continue;
        seen_by[holder] = rank + 1;
        wanted[holder]++;
        sources++;
    }
    mark_held(bounder, rank, false);
    return sources;
}

/* In a combination: how many other ranks' results hold the contribution of each rank. */
static void count_wanted_contributions(const Bounder *bounder, int64_t *wanted)
{
    const Contract *contract = bounder->contract;
    int64_t *difference = ARENA_ARRAY(bounder->arena, int64_t, (size_t)contract->p + 1);
    for (int64_t r = 0; r < contract->p; r++) {
        int64_t from = contract->contributors_from[r], to = contract->contributors_to[r];
        if (contract->after.starts[r] == contract->after.starts[r + 1] || to < from)
            continue;
        difference[from]++, difference[to + 1]--;
        if (from <= r && r <= to)
            difference[r]--, difference[r + 1]++;
    }
    for (int64_t s = 0, asked = 0; s < contract->p; s++)
        wanted[s] = asked += difference[s];
}

static Bound bound_rounds(Bounder *bounder, const int64_t *needed, int64_t *wanted)
{
    const Contract *contract = bounder->contract;
    int64_t rounds = 0, most = 1;
    for (int64_t b = 0; b < contract->block_count; b++) {
        int64_t start = contract->combines || bounder->holders[b] == 0 ? 1 : bounder->holders[b];
        int64_t holders = contract->combines ? 1 : start + needed[b];
        int64_t grown = rounds_to_grow(start, holders, bounder->ports);
        if (grown > rounds)
            rounds = grown, most = holders;
    }
    int64_t *seen_by = ARENA_ARRAY(bounder->arena, int64_t, (size_t)contract->p);
    for (int64_t r = 0; r < contract->p; r++) {
        int64_t sources = count_sources(bounder, r, seen_by, wanted);
        int64_t grown = rounds_to_grow(1, sources, bounder->ports);
        if (grown > rounds)
            rounds = grown, most = sources;
    }
    if (contract->combines)
        count_wanted_contributions(bounder, wanted);
    for (int64_t s = 0; s < contract->p; s++) {
        int64_t grown = rounds_to_grow(1, wanted[s] + 1, bounder->ports);
        if (grown > rounds)
            rounds = grown, most = wanted[s] + 1;
    }
    return (Bound){BOUND_ROUNDS, exact_from_int(rounds),
                   arena_printf(bounder->arena,
                                "data of or for %lld ranks, %lld-fold a round at most",
                                (long long)most, (long long)bounder->ports + 1)};
}

/* The longest of the shortest ways that some data must go; 0 where that is too much to compute. */
static Bound bound_distance(Bounder *bounder)
{
    const Contract *contract = bounder->contract;
    const Holding *after = &contract->after;
    int64_t longest = 0, from = 0, to = 0, p = contract->p;
    int64_t *distances = ARENA_ROOM(bounder->arena, int64_t, (size_t)bounder->network->node_count);
    bool small = p <= MOST_DISTANCES / bounder->network->node_count;
    for (int64_t s = 0; s < p && small; s++) {
        if (first_before(bounder, s) == first_before(bounder, s + 1))
            continue;
        ArenaMark mark = arena_mark(bounder->arena);
        network_distances(bounder->network, bounder->arena, s, distances);
        arena_release(bounder->arena, mark);
        for (int64_t r = 0; r < p; r++) {
            bool needs = false;
            if (distances[r] <= longest)
                continue;
            for (int64_t i = after->starts[r]; i < after->starts[r + 1] && !needs; i++)
                needs = contract->combines ? s >= contract->contributors_from[r] &&
                                                 s <= contract->contributors_to[r]
                                           : bounder->holders[after->blocks[i]] == 1 &&
                                                 bounder->holder[after->blocks[i]] == s;
            if (needs)
                longest = distances[r], from = s, to = r;
        }
    }
    const char *reason = longest ? arena_printf(bounder->arena, "from rank %lld to rank %lld",
                                                (long long)from, (long long)to)
                         : small ? "nothing has to move"
                                 : "not computed for so many ranks";
    return (Bound){BOUND_DISTANCE, exact_from_int(longest), reason};
}

/* Blocks that must leave a rank: those that nobody else has, needed elsewhere. */
static int64_t count_leaving(const Bounder *bounder, int64_t rank, const int64_t *needed)
{
    const Contract *contract = bounder->contract;
    int64_t leaving = 0;
    for (size_t i = first_before(bounder, rank); i < first_before(bounder, rank + 1); i++) {
        int64_t block = contract->before.blocks[i];
        leaving += !contract->combines && bounder->holders[block] == 1 && needed[block] > 0;
    }
    return leaving;
}

/* In a combination: blocks of rank s that the result of another rank holds, where all results hold
   contributions of s; where only some do, one block if any. */
static int64_t count_leaving_contributions(const Bounder *bounder, int64_t s,
                                           const int64_t *receivers, int64_t wanted)
{
    const Contract *contract = bounder->contract;
    const Holding *before = &contract->before, *after = &contract->after;
    int64_t others = receivers[contract->block_count] - (after->starts[s] < after->starts[s + 1]);
    if (wanted < others)
        return wanted > 0;
    int64_t leaving = 0;
    for (int64_t i = after->starts[s]; i < after->starts[s + 1]; i++)
        bounder->held_by_rank[after->blocks[i]] = true;
    for (int64_t i = before->starts[s]; i < before->starts[s + 1]; i++)
        leaving += receivers[before->blocks[i]] > bounder->held_by_rank[before->blocks[i]];
    for (int64_t i = after->starts[s]; i < after->starts[s + 1]; i++)
        bounder->held_by_rank[after->blocks[i]] = false;
    return leaving;
}

/* receivers[b]: ranks that hold block b afterwards; the last entry: ranks that hold anything. */
static int64_t *count_receivers(const Bounder *bounder)
{
    const Contract *contract = bounder->contract;
    const Holding *after = &contract->after;
    int64_t *receivers = ARENA_ARRAY(bounder->arena, int64_t, (size_t)contract->block_count + 1);
    for (int64_t r = 0; r < contract->p; r++) {
        for (int64_t i = after->starts[r]; i < after->starts[r + 1]; i++)
            receivers[after->blocks[i]]++;
        receivers[contract->block_count] += after->starts[r] < after->starts[r + 1];
    }
    return receivers;
}

/* Do all bytes of a turn that cross a link do so one after the other? Without contention they need
   not, nor where forwarded messages of one turn take the link at times of their own. */
static bool links_share(const Rules *rules)
{
    return rules->contention != CONTENTION_NONE &&
           !(rules->asynchronous && rules->switching != SWITCHING_CUT_THROUGH);
}

/* Messages that a rank can receive, or send, side by side. */
static int64_t used_ports(const Bounder *bounder, int64_t rank, bool enters)
{
    const Rules *rules = bounder->rules;
    int64_t lanes = enters ? lanes_in(bounder, rank) : lanes_out(bounder, rank);
    int64_t ports = enters ? rules_receive_ports(rules, bounder->network, rank)
                           : rules_send_ports(rules, bounder->network, rank);
    return lanes == 0 || (links_share(rules) && lanes < ports) ? lanes : ports;
}

/* Blocks over the ports of a rank; nothing where there is no link. */
static Exact load_of(const Bounder *bounder, int64_t blocks, int64_t rank, bool enters)
{
    int64_t ports = used_ports(bounder, rank, enters);
    return ports < 1 ? exact_from_int(0)
                     : exact_divide(exact_from_int(blocks), exact_from_int(ports));
}

static const char *describe_load(const Bounder *bounder, int64_t rank, bool enters, int64_t blocks)
{
    int64_t ports = used_ports(bounder, rank, enters);
    return arena_printf(bounder->arena, "%lld m %s rank %lld over %lld port%s", (long long)blocks,
                        enters ? "enter" : "leave", (long long)rank, (long long)ports,
                        ports == 1 ? "" : "s");
}

static Bound bound_node(Bounder *bounder, const int64_t *needed, const int64_t *entering,
                        const int64_t *wanted)
{
    const Contract *contract = bounder->contract;
    const int64_t *receivers = count_receivers(bounder);
    Exact largest = exact_from_int(0);
    const char *reason = contract->is_empty ? "messages are empty" : "nothing has to move";
    for (int64_t r = 0; r < contract->p && !contract->is_empty; r++) {
        int64_t leaving = contract->combines
                              ? count_leaving_contributions(bounder, r, receivers, wanted[r])
                              : count_leaving(bounder, r, needed);
        Exact in = load_of(bounder, entering[r], r, true);
        Exact out = load_of(bounder, leaving, r, false);
        bool enters = exact_compare(in, out) >= 0;
        Exact load = enters ? in : out;
        if (exact_compare(load, largest) <= 0)
            continue;
        largest = load;
        reason = describe_load(bounder, r, enters, enters ? entering[r] : leaving);
    }
    return (Bound){BOUND_NODE, largest, reason};
}

/* Links from `source` to every node, computed when they are first asked for; NULL where all ranks
   are neighbours. */
static const int64_t *distances_from(Bounder *bounder, int64_t **rows, int64_t source)
{
    const Network *network = bounder->network;
    if (!network->starts)
        return NULL;
    if (!rows[source]) {
        rows[source] = ARENA_ROOM(bounder->arena, int64_t, (size_t)network->node_count);
        network_distances(network, bounder->arena, source, rows[source]);
    }
    return rows[source];
}

/* Links that block b must cross until rank r has it: for its contributions, one each at least. */
static int64_t links_to(Bounder *bounder, int64_t **rows, int64_t block, int64_t rank)
{
    const Contract *contract = bounder->contract;
    if (contract->combines) {
        int64_t from = contract->contributors_from[rank], to = contract->contributors_to[rank];
        return to - from + (rank < from || rank > to);
    }
    const int64_t *distances =
        bounder->holders[block] == 1 ? distances_from(bounder, rows, bounder->holder[block]) : NULL;
    return distances ? distances[rank] : 1;
}

/* Links times blocks: each block enters every rank that needs it, and goes as far as the farthest.
 */
static int64_t count_volume(Bounder *bounder, const int64_t *needed)
{
    const Contract *contract = bounder->contract;
    const Holding *after = &contract->after;
    int64_t **rows = ARENA_ARRAY(bounder->arena, int64_t *, (size_t)contract->p);
    int64_t *most = ARENA_ARRAY(bounder->arena, int64_t, (size_t)contract->block_count), total = 0;
    for (int64_t r = 0; r < contract->p; r++) {
        mark_held(bounder, r, true);
        for (int64_t i = after->starts[r]; i < after->starts[r + 1]; i++) {
            int64_t block = after->blocks[i];
            int64_t links = must_enter(bounder, r, block) ? links_to(bounder, rows, block, r) : 0;
            most[block] = links > most[block] ? links : most[block];
        }
        mark_held(bounder, r, false);
    }
    for (int64_t b = 0; b < contract->block_count; b++)
        total += most[b] > needed[b] ? most[b] : needed[b];
    return total;
}

/* Messages that all links can carry side by side. */
static int64_t count_lanes(const Bounder *bounder)
{
    const Network *network = bounder->network;
    int64_t lanes = 0, nodes = network->node_count;
    if (!network->starts || !network->link_classes)
        lanes = (network->starts ? network->starts[nodes] : network->p * (network->p - 1)) *
                bounder->prices[0].lanes;
    for (int64_t i = 0; network->link_classes && i < network->starts[nodes]; i++)
        lanes += bounder->prices[network->link_classes[i]].lanes;
    return lanes;
}

static Bound bound_volume(Bounder *bounder, const int64_t *needed)
{
    Bound bound = {BOUND_VOLUME, exact_from_int(0), "nothing has to move"};
    bool small = bounder->contract->p <= MOST_DISTANCES / bounder->network->node_count;
    if (!links_share(bounder->rules) || bounder->contract->is_empty || !small) {
        bound.reason = small ? "messages do not share links" : "not computed for so many ranks";
        return bound;
    }
    int64_t lanes = count_lanes(bounder);
    int64_t volume = lanes ? count_volume(bounder, needed) : 0;
    bool shared = bounder->rules->duplex == DUPLEX_HALF;
    if (volume == 0)
        return bound;
    bound.coefficient =
        exact_divide(exact_from_int(volume * (shared ? 2 : 1)), exact_from_int(lanes));
    bound.reason =
        arena_printf(bounder->arena, "%lld m over links, shared by %lld%s", (long long)volume,
                     (long long)lanes, shared ? " that are half duplex" : "");
    return bound;
}

static Bound bound_compute(Bounder *bounder)
{
    const Contract *contract = bounder->contract;
    const Holding *after = &contract->after;
    int64_t *most = ARENA_ARRAY(bounder->arena, int64_t, (size_t)contract->block_count);
    int64_t total = 0;
    bool works = contract->combines && !contract->is_empty;
    for (int64_t r = 0; r < contract->p && works; r++) {
        int64_t terms = contract->contributors_to[r] - contract->contributors_from[r];
        for (int64_t i = after->starts[r]; i < after->starts[r + 1]; i++)
            if (terms > most[after->blocks[i]])
                most[after->blocks[i]] = terms;
    }
    for (int64_t b = 0; b < contract->block_count; b++)
        total += most[b];
    Exact share = exact_divide(exact_from_int(total), exact_from_int(contract->p));
    if (bounder->rules->combining == COMBINING_NONE)
        return (Bound){BOUND_COMPUTE, exact_from_int(0), "combining is free"};
    const char *reason = total
                             ? arena_printf(bounder->arena, "%lld m combined, shared by %lld ranks",
                                            (long long)total, (long long)contract->p)
                             : "nothing is combined";
    return (Bound){BOUND_COMPUTE, share, reason};
}

static void compute_all(Arena *arena, const Contract *contract, const Network *network,
                        const Rules *rules, BoundSet *bounds)
{
    Bounder bounder = bounder_create(arena, contract, network, rules);
    int64_t *needed = ARENA_ARRAY(arena, int64_t, (size_t)contract->block_count);
    int64_t *entering = ARENA_ARRAY(arena, int64_t, (size_t)contract->p);
    int64_t *wanted = ARENA_ARRAY(arena, int64_t, (size_t)contract->p);
    count_needs(&bounder, needed, entering);
    bounds->items[BOUND_ROUNDS] = bound_rounds(&bounder, needed, wanted);
    bounds->items[BOUND_DISTANCE] = bound_distance(&bounder);
    bounds->items[BOUND_NODE] = bound_node(&bounder, needed, entering, wanted);
    bounds->items[BOUND_VOLUME] = bound_volume(&bounder, needed);
    bounds->items[BOUND_COMPUTE] = bound_compute(&bounder);
}

void bounds_compute(Arena *arena, const Contract *contract, const Network *network,
                    const Rules *rules, BoundSet *bounds)
{
    Arena *scratch = arena_create();
    compute_all(scratch, contract, network, rules, bounds);
    for (int i = 0; i < BOUND_KIND_COUNT; i++)
        bounds->items[i].reason = arena_printf(arena, "%s", bounds->items[i].reason);
    arena_destroy(scratch);
}

/* By which parameter a kind is multiplied, and whether by m too. */
static const struct {
    Parameter parameter;
    bool per_byte;
} scales[BOUND_KIND_COUNT] = {
    [BOUND_ROUNDS] = {PARAMETER_TS, false}, [BOUND_DISTANCE] = {PARAMETER_TH, false},
    [BOUND_NODE] = {PARAMETER_TW, true},    [BOUND_VOLUME] = {PARAMETER_TW, true},
    [BOUND_COMPUTE] = {PARAMETER_TC, true},
};

Parameter bound_parameter(BoundKind kind)
{
    return scales[kind].parameter;
}

double bound_seconds(const Bound *bound, const double *parameters, double bytes)
{
    double value = bound->coefficient.real * parameters[scales[bound->kind].parameter];
    return scales[bound->kind].per_byte ? value * bytes : value;
}

Exact bound_exact(const Bound *bound, const ExactParameters *parameters, Exact bytes)
{
    Exact value =
        exact_multiply(bound->coefficient, parameters->parameters[scales[bound->kind].parameter]);
    return scales[bound->kind].per_byte ? exact_multiply(value, bytes) : value;
}

BoundKind bounds_binding(const BoundSet *bounds, const double *parameters, double bytes)
{
    int binding = 0;
    for (int i = 1; i < BOUND_KIND_COUNT; i++)
        if (bound_seconds(&bounds->items[i], parameters, bytes) >
            bound_seconds(&bounds->items[binding], parameters, bytes))
            binding = i;
    return (BoundKind)binding;
}

const char *bound_formula(Arena *arena, const Bound *bound)
{
    if (bound->coefficient.real == 0)
        return "0";
    const char *name = parameter_info[scales[bound->kind].parameter].name;
    bool one = bound->coefficient.real == 1;
    return arena_printf(arena, "%s%s%s%s", one ? "" : exact_show(arena, bound->coefficient),
                        one ? "" : " ", scales[bound->kind].per_byte ? "m " : "", name);
}
