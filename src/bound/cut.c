#include "base/watch.h"
#include "base/whole.h"
#include "bound/kinds.h"
#include "net/turn.h"

#include <string.h>

/* The best cut of a small graph, by trying all. */

/* All cuts, as bits: rank r stands inside of set S where bit r is set, and so for routers. */
enum { MOST_RANKS = 16, MOST_ROUTERS = 22 };

typedef struct {
    Arena *arena;
    const Demand *demand;
    const CapacityGraph *capacity_graph;
    size_t ranks, routers;
    int64_t *between;  /* what router u sends to router v: between[u * routers + v] */
    int64_t *capacity; /* of each set */
    int64_t *blocks;   /* that must leave each set */
} Sets;

/* What leaves each set: of memories, where the routers stand where that is the least. */
static void measure_capacities(Sets *sets)
{
    const int64_t *ports = sets->capacity_graph->capacities;
    for (size_t i = 2 * sets->ranks; i < sets->capacity_graph->count; i++) {
        const FlowArc *arc = &sets->capacity_graph->arcs[i];
        size_t from = (size_t)arc->from - sets->ranks, to = (size_t)arc->to - sets->ranks;
        sets->between[from * sets->routers + to] += sets->capacity_graph->capacities[i];
    }
    /* Of routers: as without the first one, which then moves in. */
    for (size_t set = 1; set < (size_t)1 << sets->routers; set++) {
        size_t first = (size_t)__builtin_ctzll(set);
        size_t others = set & (set - 1);
        int64_t sum = sets->capacity[others];
        for (size_t v = 0; v < sets->routers; v++)
            if (others >> v & 1)
                sum -= sets->between[v * sets->routers + first];
            else if (v != first)
                sum += sets->between[first * sets->routers + v];
        sets->capacity[set] = sum;
    }
    /* Switches stand where that is the smallest. */
    for (size_t bit = sets->routers; bit-- > sets->ranks;)
        for (size_t set = 0; set < (size_t)1 << bit; set++) {
            int64_t with = sets->capacity[set | (size_t)1 << bit];
            if (with < sets->capacity[set])
                sets->capacity[set] = with;
        }
    /* A memory apart from its router costs its ports. */
    for (size_t r = 0; r < sets->ranks; r++)
        for (size_t set = 0; set < (size_t)1 << sets->ranks; set++) {
            const size_t with = set | (size_t)1 << r;
            if (set == with)
                continue;
            int64_t out = sets->capacity[set], in = sets->capacity[with];
            sets->capacity[set] = in + ports[2 * r + 1] < out ? in + ports[2 * r + 1] : out;
            sets->capacity[with] = out + ports[2 * r] < in ? out + ports[2 * r] : in;
        }
}

/* A block must leave the sets that hold all its holders, but not all of its needers as well. */
static void count_set_blocks(Sets *sets)
{
    const Contract *contract = sets->demand->contract;
    size_t blocks = (size_t)contract->block_count;
    uint32_t *holders = ARENA_ARRAY(sets->arena, uint32_t, blocks);
    uint32_t *all = ARENA_ARRAY(sets->arena, uint32_t, blocks);
    for (size_t r = 0; r < sets->ranks; r++) {
        for (int64_t i = 0; i < holding_count(&contract->before, (int64_t)r); i++)
            holders[holding_block(&contract->before, (int64_t)r, i)] |= 1u << r;
        for (int64_t i = 0; i < holding_count(&contract->after, (int64_t)r); i++)
            all[holding_block(&contract->after, (int64_t)r, i)] |= 1u << r;
    }
    for (size_t b = 0; b < blocks; b++)
        if (holders[b] && all[b] & ~holders[b]) {
            int64_t weight = demand_weight(sets->demand, (int64_t)b);
            sets->blocks[holders[b]] += weight;
            sets->blocks[holders[b] | all[b]] -= weight;
        }
    for (size_t r = 0; r < sets->ranks; r++)
        for (size_t set = 0; set < (size_t)1 << sets->ranks; set++)
            if (set >> r & 1)
                sets->blocks[set] += sets->blocks[set ^ (size_t)1 << r];
}

/* A set of ranks with the best of all cuts, where that is less than `work`; else false. Every set,
   and every place of the routers, is tried. */
static bool cut_try_all(Arena *arena, const Demand *demand, const CapacityGraph *capacity_graph,
                        int64_t work, bool *inside)
{
    int64_t p = demand->contract->p;
    Sets sets = {.arena = arena,
                 .demand = demand,
                 .capacity_graph = capacity_graph,
                 .ranks = (size_t)p,
                 .routers = (size_t)(capacity_graph->nodes - p)};
    if (p > MOST_RANKS || capacity_graph->nodes > MOST_RANKS + MOST_ROUTERS)
        return false;
    const Contract *contract = demand->contract;
    const int64_t each = contract->combines ? demand->size + contract->block_count : 16;
    if ((each + p) << sets.ranks > work || (int64_t)sets.routers << sets.routers > work)
        return false;
    sets.capacity = ARENA_ARRAY(arena, int64_t, (size_t)1 << sets.routers);
    sets.blocks = ARENA_ARRAY(arena, int64_t, (size_t)1 << sets.ranks);
    sets.between = ARENA_ARRAY(sets.arena, int64_t, sets.routers * sets.routers);
    measure_capacities(&sets);
    if (!contract->combines)
        count_set_blocks(&sets);
    size_t best = 0;
    for (size_t set = 1; set < (size_t)1 << sets.ranks; set++) {
        const int64_t capacity = sets.capacity[set];
        for (int64_t r = 0; r < p && contract->combines; r++)
            inside[r] = set >> r & 1;
        if (contract->combines)
            sets.blocks[set] = demand_crossing(demand, inside);
        if (capacity > 0 && capacity < capacity_graph->infinite && sets.blocks[set] > 0 &&
            (best == 0 || (__int128)sets.blocks[set] * sets.capacity[best] >
                              (__int128)sets.blocks[best] * capacity))
            best = set;
    }
    for (int64_t r = 0; r < p; r++)
        inside[r] = best >> r & 1;
    return true;
}

/* Ranks up to which single ranks are tried on either side, arcs for which there is room, and ends
   whose capacities are compared in the time that it takes to look at an arc. */
enum { MOST_MOVED = 64, MOST_ARCS = 1 << 22, ENDS_PER_WORK = 4 };

static const int64_t most_flow = (int64_t)1 << 62;

typedef struct {
    Bounder *bounder;
    Flow flow;
    int64_t
        *capacities; /* source to each memory, each memory to the sink, then the capacity graph's */
    int64_t factor, wide; /* as the flow is loaded for probes at this end; factor 0: it is not */
    int64_t *weights;     /* room: of ranks */
    bool *inside, *set;   /* room: of nodes, of ranks */
    int64_t work, most_work;
    bool stopped;
    bool *settled; /* of ranks: a better cut would have them where the weights come from */
    Cut best;
} Search;

static int32_t source_of(const Search *search)
{
    return (int32_t)search->bounder->capacity_graph.nodes;
}

static int32_t sink_of(const Search *search)
{
    return source_of(search) + 1;
}

static bool has_time(Search *search)
{
    search->stopped |= search->work + search->flow.work > search->most_work;
    return !search->stopped;
}

/* The cut at hand, search->inside, if it is better than the best so far. */
static bool consider_as(Search *search, bool both)
{
    const CapacityGraph *capacity_graph = &search->bounder->capacity_graph;
    Cut *best = &search->best;
    watch_poll(search->bounder->arena);
    int64_t capacity = capacity_graph_across(capacity_graph, search->inside, both);
    search->work += (int64_t)capacity_graph->count;
    if (capacity == 0 || capacity >= capacity_graph->infinite)
        return false;
    const Demand *demand = &search->bounder->demand;
    const int64_t p = search->bounder->contract->p;
    int64_t blocks = demand_crossing(demand, search->inside);
    search->work += demand->size + p;
    for (int64_t r = 0; r < p; r++)
        search->set[r] = !search->inside[r];
    if (both)
        blocks += demand_crossing(demand, search->set);
    if ((__int128)blocks * best->capacity <= (__int128)best->blocks * capacity)
        return false;
    memcpy(best->inside, search->inside, (size_t)capacity_graph->nodes * sizeof *best->inside);
    best->blocks = blocks, best->capacity = capacity, best->both = both;
    return true;
}

static bool consider(Search *search)
{
    bool is_half = search->bounder->rules->duplex == DUPLEX_HALF;
    bool better = consider_as(search, false);
    return (is_half && consider_as(search, true)) || better;
}

static void take_side(Search *search)
{
    for (int64_t n = 0; n < search->bounder->capacity_graph.nodes; n++)
        search->inside[n] = flow_is_inside(&search->flow, n);
}

/* Capacities from the source and to the sink are 0 again; infinite ones are `wide`. */
static void start_capacities(Search *search, int64_t factor, int64_t wide)
{
    const CapacityGraph *capacity_graph = &search->bounder->capacity_graph;
    size_t ends = 2 * (size_t)search->bounder->contract->p;
    memset(search->capacities, 0, ends * sizeof *search->capacities);
    for (size_t i = 0; i < capacity_graph->count; i++)
        search->capacities[ends + i] = capacity_graph->capacities[i] == capacity_graph->infinite
                                           ? wide
                                           : factor * capacity_graph->capacities[i];
}

/* Weights of ranks that the source feeds, or that the sink drains; the other end is one rank. */
typedef struct {
    bool from_source;
    int64_t rank;
    int64_t total; /* of the weights */
} Probe;

/* One flow: is there a cut with more than D blocks for C? */
static bool probe_once(Search *search, const Probe *probe)
{
    const CapacityGraph *capacity_graph = &search->bounder->capacity_graph;
    int64_t p = search->bounder->contract->p;
    int64_t divisor = whole_common_divisor(search->best.blocks, search->best.capacity);
    int64_t blocks = search->best.blocks / divisor, capacity = search->best.capacity / divisor;
    if ((__int128)blocks * capacity_graph->infinite + (__int128)capacity * probe->total >
        most_flow) {
        search->stopped = true;
        return false;
    }
    const int64_t enough = capacity * probe->total;
    /* Those of the probe before it are loaded, mostly. */
    if (search->factor != blocks || search->wide != enough + 1) {
        start_capacities(search, blocks, enough + 1);
        flow_load(&search->flow, search->capacities);
        search->factor = blocks, search->wide = enough + 1;
    }
    const size_t first = (size_t)(probe->from_source ? 0 : p);
    for (size_t r = 0; r < (size_t)p; r++) {
        const int64_t end = search->settled[r] ? search->wide : capacity * search->weights[r];
        if (search->capacities[first + r] == end)
            continue;
        /* Those of an end, from the source or to the sink, which are 0 at first. */
        search->capacities[first + r] = end;
        flow_change(&search->flow, first + r, end);
    }
    search->work += p / ENDS_PER_WORK;
    int32_t rank = (int32_t)probe->rank;
    int64_t passed = flow_pass(&search->flow, probe->from_source ? source_of(search) : rank,
                               probe->from_source ? rank : sink_of(search), enough);
    bool is_less = passed < enough;
    if (is_less)
        take_side(search);
    flow_take_back(&search->flow, search->capacities);
    return is_less && consider(search);
}

/* Better and better cuts, until there is none. */
static void run_probe(Search *search, Probe probe)
{
    if (probe.total > 0)
        while (has_time(search) && probe_once(search, &probe))
            ;
}

static void probe_pair(Search *search, int64_t from, int64_t to)
{
    memset(search->weights, 0, (size_t)search->bounder->contract->p * sizeof *search->weights);
    search->weights[from] = 1;
    run_probe(search, (Probe){true, to, 1});
}

static bool is_pair(const Search *search, int64_t from, int64_t to)
{
    return holding_count(&search->bounder->contract->after, to) > 0 &&
           demand_combines(&search->bounder->demand, from, to);
}

/* A cut between s and t also cuts a pair on any chain from s to t. So pairs of neighbouring numbers
   do for all pairs that they join: joined[t] is how many of them lead to t without a gap. */
static void probe_pairs(Search *search)
{
    int64_t p = search->bounder->contract->p;
    int64_t *joined = ARENA_ARRAY(search->bounder->arena, int64_t, (size_t)p);
    for (int64_t i = 0; i < 2 * p; i++) {
        int64_t to = i % p, from = (to + p - 1) % p;
        bool joins = is_pair(search, from, to);
        if (joins && i < p && has_time(search))
            probe_pair(search, from, to);
        joined[to] = joins ? joined[from] + 1 : 0;
    }
    for (int64_t to = 0; to < p; to++)
        for (int64_t from = 0; joined[to] < p - 1 && from < p && has_time(search); from++)
            if (is_pair(search, from, to) && (to - from + p) % p > joined[to])
                probe_pair(search, from, to);
}

/* Probes each rank as the one target, or as the one source. Where that settles it, no better cut
   has such a target outside, or such a source inside: the next flow starts, or ends, there as well,
   and is short. */
static void probe_ranks(Search *search, bool to_targets, bool settles)
{
    const Demand *demand = &search->bounder->demand;
    int64_t last = search->best.by_symmetry ? 1 : search->bounder->contract->p;
    search->factor = 0;
    for (int64_t r = 0; r < last && has_time(search); r++) {
        int64_t total = to_targets ? demand_weigh_sources(demand, r, search->weights)
                                   : demand_weigh_targets(demand, r, search->weights);
        run_probe(search, (Probe){to_targets, r, total});
        search->settled[r] = settles && total > 0;
    }
    memset(search->settled, 0, (size_t)search->bounder->contract->p);
}

/* The smallest cut between the ranks of search->set and the others. */
static bool close_set(Search *search, const bool *set)
{
    int64_t p = search->bounder->contract->p, wide = search->bounder->capacity_graph.infinite;
    if ((__int128)wide * p > most_flow)
        return false;
    start_capacities(search, 1, wide);
    search->factor = 0;
    for (int64_t r = 0; r < p; r++)
        search->capacities[set[r] ? r : p + r] = wide;
    flow_run(&search->flow, search->capacities, source_of(search), sink_of(search));
    take_side(search);
    return consider(search);
}

/* Ranks whose coordinate is in a range, and those that are not. */
static void close_range(Search *search, int dimension, int64_t from, int64_t to)
{
    int64_t p = search->bounder->contract->p;
    bool *range = ARENA_ROOM(search->bounder->arena, bool, (size_t)p);
    for (int other = 0; other < 2 && has_time(search); other++) {
        for (int64_t r = 0; r < p; r++) {
            int64_t at = shape_coordinate(&search->bounder->network->shape, r, dimension);
            range[r] = (from <= at && at < to) != other;
        }
        close_set(search, range);
    }
}

/* Cuts that may be good where no flow finds the best one. */
static CutProof try_cuts(Search *search)
{
    const Bounder *bounder = search->bounder;
    const size_t p = (size_t)bounder->contract->p;
    bool *set = ARENA_ROOM(bounder->arena, bool, p);
    bool is_half = bounder->rules->duplex == DUPLEX_HALF;
    bool all = cut_try_all(bounder->arena, &bounder->demand, &bounder->capacity_graph,
                           search->most_work, set);
    if (all)
        close_set(search, set);
    if (all && !is_half)
        return CUT_BEST;
    /* The first ones, and halves, along each dimension of the network. */
    const Shape *shape = &search->bounder->network->shape;
    for (int i = 0; i < shape->count; i++) {
        int64_t size = shape->sizes[i];
        for (int64_t to = 1; to < size && has_time(search); to++)
            close_range(search, i, 0, to);
        for (int64_t from = 1; from + size / 2 < size && has_time(search); from++)
            close_range(search, i, from, from + size / 2);
    }
    /* Single ranks, and all but one. */
    for (int is_without = 0; p <= MOST_MOVED && is_without < 2; is_without++)
        for (size_t r = 0; r < p && has_time(search); r++) {
            memset(set, is_without, p);
            set[r] = !is_without;
            close_set(search, set);
        }
    probe_ranks(search, true, false);
    probe_ranks(search, false, false);
    /* Moves one rank at a time to the other side of the best cut, while that makes it better. */
    for (bool better = p <= MOST_MOVED; better;) {
        better = false;
        for (size_t r = 0; r < p && has_time(search); r++) {
            memcpy(set, search->best.inside, p);
            set[r] = !set[r];
            better |= close_set(search, set);
        }
    }
    return CUT_TRIED;
}

static CutProof find_best(Search *search)
{
    Bounder *bounder = search->bounder;
    DemandForm form = demand_form(&bounder->demand);
    search->best.by_symmetry =
        demand_are_alike(&bounder->demand, form) && network_is_symmetric(bounder->network);
    if (form == DEMAND_SOURCES)
        probe_ranks(search, false, true);
    else if (form == DEMAND_TARGETS || (form == DEMAND_PAIRS && !bounder->contract->combines))
        probe_ranks(search, true, true);
    else if (form == DEMAND_PAIRS && search->best.by_symmetry) {
        /* Each step along a dimension from rank 0: a set that no step leaves is all ranks. */
        const Shape *shape = &search->bounder->network->shape;
        for (int i = 0; i < shape->count; i++)
            if (shape->sizes[i] > 1)
                probe_pair(search, 0, shape_stride(shape, i));
    } else if (form == DEMAND_PAIRS)
        probe_pairs(search);
    CutProof proof = CUT_BEST;
    if (form == DEMAND_OTHER || bounder->rules->duplex == DUPLEX_HALF) {
        search->best.by_symmetry = false;
        proof = try_cuts(search);
    }
    return search->stopped ? CUT_STOPPED : proof;
}

/* Where each two ranks have a link, no slower than the ports of a rank, no cut is better than one
   around a rank. For a set A of n ranks the least capacity is that of a corner: all routers with
   their memories, or all on one side,

       min(n S, (p - n) R, n (p - n) L)        S, R: what a rank sends, receives; L: a link

   where the last one is no less than the first if L >= S, or than the second if L >= R. What must
   leave A leaves its ranks, one of which is the only holder, and enters the others, so that
   blocks / capacity is at most that of the tightest rank. */
bool bound_port_cut(const Bounder *bounder, Bound *bound)
{
    const int64_t p = bounder->contract->p;
    const Demand *demand = &bounder->demand;
    const CapacityGraph *capacity_graph = &bounder->capacity_graph;
    const PerRank *send = &capacity_graph->send, *receive = &capacity_graph->receive;
    DemandForm form = demand_form(demand);
    Tightest tightest = node_tightest(bounder);
    if (tightest.blocks == 0 || bounder->network->starts || !capacity_graph->links_share ||
        bounder->rules->duplex != DUPLEX_FULL || !per_rank_is_same(send) ||
        !per_rank_is_same(receive))
        return false;
    const __int128 link = capacity_graph_link(capacity_graph, 0);
    if (per_rank(send, 0) > link && per_rank(receive, 0) > link)
        return false;
    for (int64_t kind = 0; kind < demand->kinds && !bounder->contract->combines; kind++)
        if (demand->holders[kind] > 1)
            return false;
    Cut cut = {.inside = ARENA_ROOM(bounder->arena, bool, (size_t)p),
               .blocks = tightest.blocks,
               .capacity = tightest.capacity,
               .proof = CUT_BEST,
               .by_symmetry = form != DEMAND_OTHER && demand_are_alike(demand, form)};
    for (int64_t r = 0; r < p; r++)
        cut.inside[r] = (r == tightest.rank) != tightest.enters;
    *bound = bound_over(bounder, BOUND_CUT, cut.blocks, cut.capacity);
    bound->reason = cut_describe(bounder, &cut, 1);
    return true;
}

Bound bound_cut(Bounder *bounder, const Bound *node, int64_t work, Cut *cut)
{
    Bound bound = *node;
    bound.kind = BOUND_CUT;
    *cut = (Cut){0};
    Tightest tightest = node_tightest(bounder);
    if (bounder->demand.demanded == 0 || bounder->contract->is_empty)
        return bound;
    if (!capacity_graph_lay_out(bounder->arena, &bounder->capacity_graph,
                                work / 8 < MOST_ARCS ? work / 8 : MOST_ARCS)) {
        bound.reason = arena_printf(bounder->arena, "%s; other cuts not tried", node->reason);
        return bound;
    }
    const CapacityGraph *capacity_graph = &bounder->capacity_graph;
    const size_t p = (size_t)bounder->contract->p, nodes = (size_t)capacity_graph->nodes;
    const size_t count = 2 * p + capacity_graph->count;
    const int32_t source = (int32_t)nodes;
    FlowArc *arcs = ARENA_ROOM(bounder->arena, FlowArc, count);
    for (size_t r = 0; r < p; r++) {
        arcs[r] = (FlowArc){source, (int32_t)r};
        arcs[p + r] = (FlowArc){(int32_t)r, source + 1};
    }
    memcpy(arcs + 2 * p, capacity_graph->arcs, capacity_graph->count * sizeof *arcs);
    Search search = {.bounder = bounder,
                     .flow = flow_create(bounder->arena, source + 2, arcs, count),
                     .capacities = ARENA_ROOM(bounder->arena, int64_t, count),
                     .weights = ARENA_ROOM(bounder->arena, int64_t, p),
                     .inside = ARENA_ARRAY(bounder->arena, bool, nodes),
                     .set = ARENA_ROOM(bounder->arena, bool, p),
                     .settled = ARENA_ARRAY(bounder->arena, bool, p),
                     .most_work = work,
                     .best = {.inside = ARENA_ARRAY(bounder->arena, bool, nodes), .capacity = 1}};
    if (tightest.blocks > 0) {
        /* The cut around one rank: its router stands on the other side of its ports. */
        for (size_t n = 0; n < nodes; n++)
            search.inside[n] = ((int64_t)n == tightest.rank) != tightest.enters;
        consider(&search);
    }
    CutProof proof = find_best(&search);
    *cut = search.best;
    cut->proof = proof;
    if (cut->blocks == 0)
        return bound;
    bound = bound_over(bounder, BOUND_CUT, cut->blocks,
                       (__int128)cut->capacity * bounder->capacity_graph.unit);
    bound.reason = cut_describe(bounder, cut, 0);
    return bound;
}
