#include "bound/every_cut.h"

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

static void list_between(Sets *sets)
{
    sets->between = ARENA_ARRAY(sets->arena, int64_t, sets->routers * sets->routers);
    for (size_t i = 2 * sets->ranks; i < sets->capacity_graph->count; i++) {
        const FlowArc *arc = &sets->capacity_graph->arcs[i];
        size_t from = (size_t)arc->from - sets->ranks, to = (size_t)arc->to - sets->ranks;
        sets->between[from * sets->routers + to] += sets->capacity_graph->capacities[i];
    }
}

/* What leaves each set of routers: as without its first one, which then moves in. */
static void add_routers(Sets *sets)
{
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
}

/* Switches stand where that is the smallest. */
static void place_switches(Sets *sets)
{
    for (size_t bit = sets->routers; bit-- > sets->ranks;)
        for (size_t set = 0; set < (size_t)1 << bit; set++) {
            int64_t with = sets->capacity[set | (size_t)1 << bit];
            if (with < sets->capacity[set])
                sets->capacity[set] = with;
        }
}

/* From sets of routers to sets of memories: one apart from its router costs its ports. */
static void place_memories(Sets *sets)
{
    for (size_t r = 0; r < sets->ranks; r++) {
        size_t bit = (size_t)1 << r;
        int64_t send = sets->capacity_graph->capacities[2 * r],
                receive = sets->capacity_graph->capacities[2 * r + 1];
        for (size_t set = 0; set < (size_t)1 << sets->ranks; set++) {
            if (set & bit)
                continue;
            int64_t out = sets->capacity[set], in = sets->capacity[set | bit];
            sets->capacity[set] = in + receive < out ? in + receive : out;
            sets->capacity[set | bit] = out + send < in ? out + send : in;
        }
    }
}

/* A block must leave the sets that hold all its holders, but not all of its needers as well. */
static void count_blocks(Sets *sets)
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

static void count_combined(Sets *sets)
{
    bool inside[MOST_RANKS];
    for (size_t set = 0; set < (size_t)1 << sets->ranks; set++) {
        for (size_t r = 0; r < sets->ranks; r++)
            inside[r] = set >> r & 1;
        sets->blocks[set] = demand_crossing(sets->demand, inside);
    }
}

static size_t find_best(const Sets *sets)
{
    size_t best = 0;
    for (size_t set = 1; set < (size_t)1 << sets->ranks; set++) {
        int64_t capacity = sets->capacity[set];
        if (capacity > 0 && capacity < sets->capacity_graph->infinite && sets->blocks[set] > 0 &&
            (best == 0 || (__int128)sets->blocks[set] * sets->capacity[best] >
                              (__int128)sets->blocks[best] * capacity))
            best = set;
    }
    return best;
}

static bool is_small(const Sets *sets, int64_t work)
{
    const Demand *demand = sets->demand;
    if (demand->contract->p > MOST_RANKS || sets->capacity_graph->nodes > MOST_RANKS + MOST_ROUTERS)
        return false;
    int64_t each = demand->contract->combines ? demand->size + demand->contract->block_count : 16;
    return (each + (int64_t)sets->ranks) << sets->ranks <= work &&
           (int64_t)sets->routers << sets->routers <= work;
}

bool cut_try_all(Arena *arena, const Demand *demand, const CapacityGraph *capacity_graph,
                 int64_t work, bool *inside)
{
    int64_t p = demand->contract->p;
    Sets sets = {.arena = arena,
                 .demand = demand,
                 .capacity_graph = capacity_graph,
                 .ranks = (size_t)p,
                 .routers = (size_t)(capacity_graph->nodes - p)};
    if (!is_small(&sets, work))
        return false;
    sets.capacity = ARENA_ARRAY(arena, int64_t, (size_t)1 << sets.routers);
    sets.blocks = ARENA_ARRAY(arena, int64_t, (size_t)1 << sets.ranks);
    list_between(&sets);
    add_routers(&sets);
    place_switches(&sets);
    place_memories(&sets);
    if (demand->contract->combines)
        count_combined(&sets);
    else
        count_blocks(&sets);
    size_t best = find_best(&sets);
    for (int64_t r = 0; r < p; r++)
        inside[r] = best >> r & 1;
    return true;
}
