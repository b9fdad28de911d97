/* No derived cost is below a bound: the library's algorithms, random trees, and random schedules
   for random contracts on random networks. And no bound is less with half duplex, or more where
   links are faster. `bounds N` tries N times as many cases, `bounds N S` those behind the first S
   times as many. */
#include "puzzle.h"

#include "bound/bounds.h"
#include "bound/demand.h"
#include "cost/link_traffic.h"
#include "verify/verify.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BOUND_CASES = 700, TREE_CASES = 200, GRAPH_CASES = 1000, FASTER_CASES = 750 };

/* What a schedule sends over links is nowhere below the least that is possible. */
static bool is_above_least_traffic(World *world, const Case *drawn, const Contract *contract)
{
    LinkGroups groups = link_groups_list(&drawn->network);
    LeastTraffic least[MOST_DIMENSIONS + 1];
    LinkTraffic traffic;
    if (!link_traffic_count(world->arena, &drawn->instance, &groups, &traffic, &world->diag))
        return false;
    least_traffic_find(world->arena, contract, &groups, least);
    for (size_t g = 0; g < groups.count; g++) {
        double total = (double)traffic.groups[g].total / (double)traffic.chunks;
        double busiest = (double)traffic.groups[g].busiest / (double)traffic.chunks;
        if (total >= least[g].total * (1 - 1e-12) && busiest >= least[g].busiest * (1 - 1e-12))
            continue;
        describe(drawn);
        printf("# %s carries %.17g blocks of %.17g, its busiest link %.17g of %.17g\n",
               groups.items[g].name, total, least[g].total, busiest, least[g].busiest);
        return false;
    }
    return true;
}

static bool is_above_bounds(World *world, const Case *drawn)
{
    Profile profile;
    Contract contract;
    BoundSet bounds;
    double least[PARAMETER_COUNT];
    Rules rules = drawn->rules;
    rules.posting = rules_loosest_posting(&rules, drawn->algorithm);
    if (!profile_derive(world->arena, &drawn->instance, &drawn->network, &drawn->rules, &profile,
                        &world->diag) ||
        !contract_create(world->arena, drawn->algorithm->collective, drawn->instance.p,
                         drawn->instance.root, drawn->instance.target, &contract, &world->diag))
        return false;
    if (rules.weights)
        weights_apply(world->arena, rules.weights, &contract);
    bounds_compute(world->arena, &contract, &drawn->network, &rules, BOUND_SEARCH_FLOW, &bounds);
    rules_least(&drawn->rules, &drawn->network, least);
    double derived = derived_time(&profile, drawn);
    for (int i = 0; i < BOUND_KIND_COUNT; i++) {
        double bound = bound_seconds(&bounds.items[i], least, drawn->bytes);
        if (derived >= bound * (1 - 1e-12))
            continue;
        describe(drawn);
        printf("# the bound '%s' is %.17g, derived is %.17g\n", bound_names[i], bound, derived);
        return false;
    }
    return is_above_least_traffic(world, drawn, &contract);
}

static void library_costs_are_above_bounds(Results *results, uint64_t first, uint64_t cases)
{
    int wrong = 0, too_large = 0;
    for (uint64_t n = first; n < first + cases && wrong < 5; n++) {
        World world = world_open(1000000 + n);
        Case drawn;
        bool good = random_case(&world, true, &drawn);
        if (good && n % 2)
            random_rules(&world, &drawn);
        random_sharing(&world, &drawn);
        if (good)
            random_sizes(&world, &drawn);
        good = good && random_groups(&world, &drawn);
        good = good && (drawn.algorithm->expect_wrong || is_above_bounds(&world, &drawn));
        if (world.diag.error_count && world.diag.limit_count == world.diag.error_count)
            good = true, too_large++;
        wrong += !good;
        world_close(&world);
        if (!good)
            printf("# case %llu\n", (unsigned long long)n);
    }
    printf("# %llu cases, %d of them too large\n", (unsigned long long)cases, too_large);
    result(results, wrong == 0, "costs of the library are nowhere below a bound");
}

enum { MOST_TREE_RANKS = 40 };

typedef struct {
    int64_t p;
    int64_t ranks[MOST_TREE_RANKS];  /* the root first */
    int64_t parent[MOST_TREE_RANKS]; /* of ranks[i], as an index below i */
    int64_t level[MOST_TREE_RANKS];
    int64_t height;
} Tree;

static Tree random_tree(World *world)
{
    Tree tree = {.p = (int64_t)below(world, MOST_TREE_RANKS) + 1};
    for (int64_t i = 0; i < tree.p; i++) {
        int64_t j = (int64_t)below(world, (uint64_t)i + 1);
        tree.ranks[i] = tree.ranks[j];
        tree.ranks[j] = i;
    }
    uint64_t nearest = 1 + below(world, 8); /* chains, bushes and all between */
    for (int64_t i = 1; i < tree.p; i++) {
        uint64_t reach = (uint64_t)i < nearest ? (uint64_t)i : nearest;
        tree.parent[i] = i - 1 - (int64_t)below(world, reach);
        tree.level[i] = tree.level[tree.parent[i]] + 1;
        tree.height = tree.level[i] > tree.height ? tree.level[i] : tree.height;
    }
    return tree;
}

static const char *edge_text(World *world, const Tree *tree, int64_t i, bool reduces)
{
    long long child = tree->ranks[i], parent = tree->ranks[tree->parent[i]];
    return arena_printf(world->arena, "      - %s: 0\n        to: %lld\n        if: r == %lld\n",
                        reduces ? "reduce" : "send", reduces ? parent : child,
                        reduces ? child : parent);
}

/* All edges of a level in one round, or each in a round of its own. */
static const char *tree_text(World *world, const Tree *tree, bool reduces, bool by_level)
{
    const char *text = arena_printf(world->arena, "algorithm: tree\ncollective: %s\nschedule:%s\n",
                                    reduces ? "reduce" : "broadcast", tree->height ? "" : " []");
    for (int64_t n = 1; n <= tree->height; n++) {
        int64_t level = reduces ? tree->height + 1 - n : n;
        if (by_level)
            text = arena_printf(world->arena, "%s  - round:\n", text);
        for (int64_t i = 1; i < tree->p; i++)
            if (tree->level[i] == level)
                text = arena_printf(world->arena, "%s%s%s", text, by_level ? "" : "  - round:\n",
                                    edge_text(world, tree, i, reduces));
    }
    return text;
}

static bool try_tree(World *world)
{
    Tree tree = random_tree(world);
    bool reduces = below(world, 2);
    const char *text = tree_text(world, &tree, reduces, below(world, 2));
    const Source *source = source_from_text(world->arena, "tree.yaml", text, strlen(text));
    if (!library_add_source(world->library, source, &world->diag))
        return false;
    Case drawn = {.algorithm = library_algorithm(
                      world->library, text_of(world, reduces ? "reduce/tree" : "broadcast/tree"),
                      &world->diag)};
    if (!drawn.algorithm ||
        !make_network(world, random_topology(world, true), tree.p, &drawn.network))
        return false;
    drawn.instance = (Instance){.algorithm = drawn.algorithm,
                                .p = tree.p,
                                .root = tree.ranks[0],
                                .k = 1,
                                .ports = (int64_t)below(world, 4) + 1};
    random_machine(world, &drawn);
    set_rules(&drawn);
    if (below(world, 2))
        random_rules(world, &drawn);
    random_sharing(world, &drawn);
    if (!random_groups(world, &drawn))
        return false;
    Verification verification = verify_schedule(world->arena, &drawn.instance, &world->diag);
    if (!verification.right) {
        describe(&drawn);
        printf("# %s\n", verification.failure.text ? verification.failure.text : "not right");
    }
    return verification.right && is_above_bounds(world, &drawn);
}

static void random_trees_are_right_and_above_bounds(Results *results, uint64_t first,
                                                    uint64_t cases)
{
    int wrong = 0;
    for (uint64_t n = first; n < first + cases && wrong < 5; n++) {
        World world = world_open(2000000 + n);
        bool good = try_tree(&world);
        wrong += !good;
        world_close(&world);
        if (!good)
            printf("# case %llu\n", (unsigned long long)n);
    }
    printf("# %llu cases\n", (unsigned long long)cases);
    result(results, wrong == 0, "random spanning trees are right, and nowhere below a bound");
}

/* Is any rank still without a block that it needs? */
static bool is_open(const Puzzle *puzzle, bool holds[MOST_RANKS][MOST_BLOCKS])
{
    for (int r = 0; r < puzzle->p; r++)
        for (int b = 0; b < puzzle->blocks; b++)
            if (puzzle->demand[r][b] && !holds[r][b])
                return true;
    return false;
}

/* A message with what the receiver lacks, mostly only what it needs; to a neighbour, mostly. */
static void add_message(World *world, Puzzle *puzzle, bool holds[MOST_RANKS][MOST_BLOCKS],
                        bool next[MOST_RANKS][MOST_BLOCKS])
{
    int from = (int)below(world, (uint64_t)puzzle->p), to = (int)below(world, (uint64_t)puzzle->p);
    bool all = below(world, 4) == 0;
    const char *blocks = "";
    if (from == to || (!puzzle->linked[from][to] && below(world, 4)))
        return;
    for (int b = 0; b < puzzle->blocks; b++) {
        bool useful = puzzle->demand[to][b] || all;
        if (!holds[from][b] || next[to][b] || !useful || below(world, 3) == 0)
            continue;
        next[to][b] = true;
        blocks = arena_printf(world->arena, "%s          - %d\n", blocks, b);
    }
    if (*blocks)
        puzzle->schedule =
            arena_printf(world->arena, "%s      - send:\n%s        to: %d\n        if: r == %d\n",
                         puzzle->schedule, blocks, to, from);
}

/* Rounds of messages that somebody needs, until nobody does. */
static void random_schedule(World *world, Puzzle *puzzle)
{
    bool holds[MOST_RANKS][MOST_BLOCKS], next[MOST_RANKS][MOST_BLOCKS];
    memcpy(holds, puzzle->holds, sizeof holds);
    puzzle->schedule = "schedule:\n";
    while (is_open(puzzle, holds)) {
        const char *before = puzzle->schedule;
        memcpy(next, holds, sizeof next);
        puzzle->schedule = arena_printf(world->arena, "%s  - round:\n", before);
        size_t length = strlen(puzzle->schedule);
        for (uint64_t n = 1 + below(world, 20); n > 0; n--)
            add_message(world, puzzle, holds, next);
        if (strlen(puzzle->schedule) == length)
            puzzle->schedule = before;
        memcpy(holds, next, sizeof holds);
    }
    if (strcmp(puzzle->schedule, "schedule:\n") == 0)
        puzzle->schedule = "schedule: []\n";
}

/* The puzzle's own algorithm, or one of the library that may run for as many ranks. */
static bool draw_algorithm(World *world, const Puzzle *puzzle, Case *drawn)
{
    const Shape shape = shape_line(puzzle->p);
    if (below(world, 3)) {
        drawn->algorithm =
            library_algorithm(world->library, text_of(world, "wanted/greedy"), &world->diag);
        return drawn->algorithm;
    }
    do {
        drawn->algorithm = random_algorithm(world);
    } while (drawn->algorithm &&
             (drawn->algorithm->expect_wrong ||
              !schedule_allows(drawn->algorithm, &shape, 1, NULL, &world->diag)));
    return drawn->algorithm;
}

static bool try_graph(World *world)
{
    Puzzle puzzle = {0};
    Case drawn = {0};
    puzzle_draw(world, &puzzle);
    random_schedule(world, &puzzle);
    if (!puzzle_add(world, &puzzle) || !draw_algorithm(world, &puzzle, &drawn) ||
        !make_network(world, "graph", puzzle.p, &drawn.network))
        return false;
    drawn.instance = (Instance){.algorithm = drawn.algorithm,
                                .p = puzzle.p,
                                .root = (int64_t)below(world, (uint64_t)puzzle.p),
                                .k = (int64_t)below(world, 12) + 1,
                                .ports = (int64_t)below(world, 3) + 1,
                                .shape = &drawn.network.shape,
                                .target = (int64_t)below(world, (uint64_t)puzzle.p)};
    random_machine(world, &drawn);
    if (below(world, 2)) /* nothing but bytes */
        drawn.link_costs[PARAMETER_TS] = drawn.link_costs[PARAMETER_TH] =
            drawn.link_costs[PARAMETER_TC] = 0;
    set_rules(&drawn);
    if (below(world, 3))
        random_rules(world, &drawn);
    random_sharing(world, &drawn);
    random_sizes(world, &drawn);
    bool good = random_groups(world, &drawn) &&
                verify_schedule(world->arena, &drawn.instance, &world->diag).right &&
                is_above_bounds(world, &drawn);
    if (!good)
        printf("# on\n%s%s", puzzle.links, puzzle.schedule);
    return good;
}

static void random_graphs_are_above_bounds(Results *results, uint64_t first, uint64_t cases)
{
    int wrong = 0;
    for (uint64_t n = first; n < first + cases && wrong < 3; n++) {
        World world = world_open(5000000 + n);
        bool good = try_graph(&world);
        wrong += !good;
        world_close(&world);
        if (!good)
            printf("# case %llu\n", (unsigned long long)n);
    }
    printf("# %llu cases\n", (unsigned long long)cases);
    result(results, wrong == 0,
           "random networks, contracts and schedules are nowhere below a bound");
}

/* What the links of one class cost, or those of a level, or of the machine, or how many lanes they
   have, better than before; with half duplex, or with full. */
static void make_faster(World *world, Case *drawn)
{
    Network *network = &drawn->network;
    const double factor = (double)(2 + below(world, 20)) / (double)(1 + below(world, 2));
    const size_t class = below(world, network->class_count);
    const LinkCost *costs = rules_link_costs(world->arena, &drawn->rules, network);
    LinkClass *classes =
        ARENA_COPY(world->arena, LinkClass, network->classes, network->class_count);
    network->classes = classes;
    const uint64_t way = below(world, 4);
    if (way == 0 && drawn->rules.level_count)
        drawn->levels[below(world, (uint64_t)drawn->rules.level_count)].parameters[PARAMETER_TW] /=
            factor;
    else if (way == 1)
        drawn->rules.parameters[PARAMETER_TW] /= factor;
    else if (way == 2 && classes[class].lanes > 0)
        classes[class].lanes += 1 + (int64_t)below(world, 3);
    else
        classes[class].tw = costs[class].values[PARAMETER_TW] / factor;
}

/* What one rank sends over its ports is `node`, what a group of ranks does `ports`: faster links
   make a group of ranks that were alone. */
static bool is_no_larger(const Case *drawn, const BoundSet *less, const double *less_costs,
                         const BoundSet *more, const double *costs)
{
    for (int i = 0; i < BOUND_KIND_COUNT; i++) {
        const double small = bound_seconds(&less->items[i], less_costs, 1e6);
        double large = bound_seconds(&more->items[i], costs, 1e6);
        if (i == BOUND_PORTS)
            large = fmax(large, bound_seconds(&more->items[BOUND_NODE], costs, 1e6));
        if (small <= large * (1 + 1e-9)) /* bytes/s are whole */
            continue;
        printf("# %s: the bound '%s' is %.17g (%s), not %.17g (%s)\n", drawn->network.name,
               bound_names[i], small, less->items[i].reason, large, more->items[i].reason);
        return false;
    }
    return true;
}

static bool compare_faster(World *world, Case *drawn, const Contract *contract, bool *compared)
{
    BoundSet full, half, faster;
    double costs[PARAMETER_COUNT], fast_costs[PARAMETER_COUNT];
    const Duplex duplex = drawn->rules.duplex;
    drawn->rules.duplex = DUPLEX_FULL;
    bounds_compute(world->arena, contract, &drawn->network, &drawn->rules, BOUND_SEARCH_CUTS,
                   &full);
    drawn->rules.duplex = DUPLEX_HALF;
    bounds_compute(world->arena, contract, &drawn->network, &drawn->rules, BOUND_SEARCH_CUTS,
                   &half);
    rules_least(&drawn->rules, &drawn->network, costs);
    *compared = full.items[BOUND_VOLUME].coefficient.real > 0;
    if (!is_no_larger(drawn, &full, costs, &half, costs))
        return false;
    drawn->rules.duplex = duplex;
    make_faster(world, drawn);
    bounds_compute(world->arena, contract, &drawn->network, &drawn->rules, BOUND_SEARCH_CUTS,
                   &faster);
    rules_least(&drawn->rules, &drawn->network, fast_costs);
    return is_no_larger(drawn, &faster, fast_costs, duplex == DUPLEX_HALF ? &half : &full, costs);
}

static void bounds_follow_links(Results *results, uint64_t first, uint64_t cases)
{
    static const char *const collectives[] = {"wanted",    "broadcast", "reduce",
                                              "scatter",   "gather",    "allgather",
                                              "allreduce", "alltoall",  "reduce-scatter"};
    puzzle_run(results,
               &(PuzzleSeries){8000000 + first, cases, collectives,
                               sizeof collectives / sizeof *collectives, compare_faster,
                               "no bound is less with half duplex, or more with faster links"});
}

int main(int count, char **arguments)
{
    Results results = {0};
    uint64_t times = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
    uint64_t skipped = count > 2 ? strtoull(arguments[2], NULL, 10) : 0;
    gsl_set_error_handler_off();
    library_costs_are_above_bounds(&results, skipped * BOUND_CASES, times * BOUND_CASES);
    random_trees_are_right_and_above_bounds(&results, skipped * TREE_CASES, times * TREE_CASES);
    random_graphs_are_above_bounds(&results, skipped * GRAPH_CASES, times * GRAPH_CASES);
    bounds_follow_links(&results, skipped * FASTER_CASES, times * FASTER_CASES);
    return results_end(&results);
}
