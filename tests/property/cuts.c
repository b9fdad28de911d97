/* On random networks the cut that is said to be the best of all is no worse than any that an
   enumeration finds: every set of memories and routers. */
#include "puzzle.h"

#include "bound/bounds.h"
#include "bound/kinds.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>

enum { MOST_BITS = 14, LITTLE_WORK = 300 };

/* Blocks that must leave the ranks whose bits are set. */
static int64_t count_blocks(const Contract *contract, uint64_t inside)
{
    int64_t blocks = 0;
    for (int64_t b = 0; b < contract->block_count; b++) {
        uint64_t holders = 0, feeds = 0, needers = 0;
        for (int64_t r = 0; r < contract->p; r++) {
            holders |= (uint64_t)holding_has(&contract->before, r, b) << r;
            needers |= (uint64_t)holding_has(&contract->after, r, b) << r;
        }
        for (int64_t t = 0; t < contract->p && contract->combines; t++)
            for (int64_t s = per_rank(&contract->contributors_from, t);
                 s <= per_rank(&contract->contributors_to, t); s++)
                feeds |= (needers & ~inside) >> t & inside >> s & 1;
        const bool leaves =
            contract->combines ? feeds != 0 : holders && !(holders & ~inside) && needers & ~inside;
        if (leaves)
            blocks += contract->weights ? contract->weights[b] : 1;
    }
    return blocks;
}

static int64_t add_capacities(const CapacityGraph *capacity_graph, uint64_t inside)
{
    int64_t capacity = 0;
    for (size_t i = 0; i < capacity_graph->count; i++)
        if (inside >> capacity_graph->arcs[i].from & 1 &&
            !(inside >> capacity_graph->arcs[i].to & 1))
            capacity += capacity_graph->capacities[i];
    return capacity;
}

/* The best ratio of all; the first p bits of a set are memories. */
static Exact find_best(const Bounder *bounder)
{
    const CapacityGraph *capacity_graph = &bounder->capacity_graph;
    Exact best = exact_from_int(0);
    for (uint64_t set = 1; set < (uint64_t)1 << capacity_graph->nodes; set++) {
        int64_t capacity = add_capacities(capacity_graph, set);
        if (capacity == 0 || capacity >= capacity_graph->infinite)
            continue;
        Exact ratio = exact_divide(exact_from_int(count_blocks(bounder->contract, set)),
                                   exact_from_int(capacity));
        best = exact_compare(ratio, best) > 0 ? ratio : best;
    }
    return best;
}

static Exact ratio_of(const Cut *cut)
{
    return cut->blocks ? exact_divide(exact_from_int(cut->blocks), exact_from_int(cut->capacity))
                       : exact_from_int(0);
}

/* In one case of three, blocks with random weights, some of them empty. */
static void weigh_some(World *world, Contract *contract)
{
    int64_t *values = ARENA_ROOM(world->arena, int64_t, (size_t)contract->block_count);
    for (int64_t b = 0; b < contract->block_count; b++)
        values[b] = (int64_t)below(world, 6);
    const Weights weights = {contract->block_count, values, 1, "random"};
    if (contract->block_count > 1 && !contract->is_empty && below(world, 3) == 0)
        weights_apply(world->arena, &weights, contract);
}

/* The whole search finds the best, one that ends early nothing better. */
static bool compare_cuts(World *world, Case *drawn, const Contract *given, bool *compared)
{
    Contract weighted = *given, *contract = &weighted;
    weigh_some(world, contract);
    drawn->rules.duplex = DUPLEX_FULL; /* else the best of all is not promised */
    Bounder bounder = bounder_open(world->arena, contract, &drawn->network, &drawn->rules);
    Bound node = bound_node(&bounder);
    Cut whole, early;
    bound_cut(&bounder, &node, bound_search_work(BOUND_SEARCH_CUTS), &whole);
    *compared = whole.blocks > 0 && bounder.capacity_graph.nodes <= MOST_BITS;
    if (!*compared)
        return true;
    Exact best = find_best(&bounder);
    bound_cut(&bounder, &node, LITTLE_WORK, &early);
    bool good = whole.proof == CUT_BEST && exact_compare(ratio_of(&whole), best) == 0 &&
                exact_compare(ratio_of(&early), best) <= 0;
    if (!good)
        printf("# %s: %s, not %s\n", drawn->network.name, cut_describe(&bounder, &whole, 0),
               exact_show(world->arena, best));
    return good;
}

int main(void)
{
    static const char *const collectives[] = {
        "wanted",    "broadcast", "reduce", "scatter", "gather",  "allgather", "reduce-scatter",
        "allreduce", "alltoall",  "scan",   "exscan",  "barrier", "allgather", "wanted"};
    Results results = {0};
    gsl_set_error_handler_off();
    puzzle_run(
        &results,
        &(PuzzleSeries){6000000, 1500, collectives, sizeof collectives / sizeof *collectives,
                        compare_cuts,
                        "the best of all cuts is as good as the best that an enumeration finds"});
    return results_end(&results);
}
