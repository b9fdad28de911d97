/* On random networks the best weights of links prove at least what the best cut proves, together
   with the ports of ranks, and no weights that are tried prove more. Skipped without GLPK. */
#include "puzzle.h"

#include "bound/bounds.h"
#include "bound/flow.h"
#include "bound/kinds.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHINGS = 30 };

/* As many whole numbers as there are weights: all small, or few that are not 0. */
static void random_weights(World *world, const Traffic *traffic, int64_t *weights)
{
    uint64_t rare = below(world, 4), most = below(world, 6) + 1;
    for (size_t e = 0; e < traffic->count; e++)
        weights[e] = below(world, rare + 1) ? 0 : (int64_t)below(world, most + 1);
}

/* The best weights with one of them a little changed. */
static void change_weights(World *world, const Traffic *traffic, const Weighing *best,
                           int64_t *weights)
{
    int64_t links = traffic->graph.starts[traffic->graph.nodes];
    for (int64_t i = 0; i < links; i++)
        if (traffic->places[i] >= 0)
            weights[traffic->places[i]] = best->weights[i];
    int64_t *changed = &weights[below(world, traffic->count)];
    *changed += (int64_t)below(world, 3) - 1;
    *changed = *changed < 0 ? 0 : *changed;
}

static bool none_prove_more(World *world, const Bounder *bounder, const Weighing *best)
{
    Traffic traffic;
    if (!traffic_open(bounder, &traffic))
        return false;
    int64_t *weights = ARENA_ARRAY(world->arena, int64_t, traffic.count);
    for (int i = 0; i < WEIGHINGS; i++) {
        int64_t crossed, passed;
        if (i % 2)
            random_weights(world, &traffic, weights);
        else
            change_weights(world, &traffic, best, weights);
        if (!traffic_weigh(&traffic, weights, NULL, &crossed, &passed) ||
            (double)crossed * (double)best->passed >
                (1 + 1e-6) * (double)best->crossed * (double)passed)
            return false;
    }
    return true;
}

/* With half duplex a link has one weight for both directions, which may pass more or less. */
static bool have_unlike_ways(const Bounder *bounder)
{
    const CapacityGraph *graph = &bounder->capacity_graph;
    bool differ = false;
    for (size_t i = 0; i < graph->count && bounder->rules->duplex == DUPLEX_HALF; i++)
        differ |= capacity_graph_both(graph, i) > graph->capacities[i];
    return differ;
}

/* A cut through links alone is a weighing; one through ports as well is no better than both. */
static bool compare_bounds(World *world, Case *drawn, const Contract *contract, bool *compared)
{
    Bounder bounder = bounder_open(world->arena, contract, &drawn->network, &drawn->rules);
    Cut cut;
    Weighing weighing;
    Bound node = bound_node(&bounder);
    Bound best = bound_cut(&bounder, &node, bound_search_work(BOUND_SEARCH_CUTS), &cut);
    Bound flow = bound_flow(&bounder, &cut, &weighing);
    *compared = weighing.crossed > 0;
    if (!*compared)
        return true;
    double proven = node.coefficient.real > flow.coefficient.real ? node.coefficient.real
                                                                  : flow.coefficient.real;
    bool good = strstr(flow.reason, "best of all") &&
                (proven >= best.coefficient.real * (1 - 1e-6) || have_unlike_ways(&bounder)) &&
                none_prove_more(world, &bounder, &weighing);
    if (!good)
        printf("# %s: %s, cut %s\n", drawn->network.name, flow.reason, best.reason);
    return good;
}

int main(void)
{
    static const char *const collectives[] = {"alltoall", "alltoall", "scatter", "gather",
                                              "wanted"};
    Results results = {0};
    gsl_set_error_handler_off();
    if (!bounds_have_flow()) {
        puts("1..0 # SKIP built without GLPK");
        return 0;
    }
    puzzle_run(&results, &(PuzzleSeries){
                             7000000, 1500, collectives, sizeof collectives / sizeof *collectives,
                             compare_bounds,
                             "the best weights prove as much as the best cut, and no others more"});
    return results_end(&results);
}
