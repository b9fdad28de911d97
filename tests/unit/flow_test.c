#include "bound/max_flow.h"

#include "base/random.h"
#include "net/turn.h"

#include "unit.h"

enum { MOST_ARCS = 40, CASES = 400 };

/* The least capacity of all cuts between two nodes. */
static int64_t smallest_cut(int32_t nodes, const FlowArc *arcs, const int64_t *capacities,
                            size_t count, int32_t source, int32_t sink)
{
    int64_t least = INT64_MAX;
    for (uint32_t set = 0; set < 1u << nodes; set++) {
        int64_t sum = 0;
        if (!(set >> source & 1) || set >> sink & 1)
            continue;
        for (size_t i = 0; i < count; i++)
            if (set >> arcs[i].from & 1 && !(set >> arcs[i].to & 1))
                sum += capacities[i];
        least = sum < least ? sum : least;
    }
    return least;
}

/* The side of the source, and what leaves it. */
static int64_t found_cut(const Flow *flow, const FlowArc *arcs, const int64_t *capacities,
                         size_t count, int32_t source, int32_t sink)
{
    int64_t sum = 0;
    ck_assert(flow_is_inside(flow, source) && !flow_is_inside(flow, sink));
    for (size_t i = 0; i < count; i++)
        if (flow_is_inside(flow, arcs[i].from) && !flow_is_inside(flow, arcs[i].to))
            sum += capacities[i];
    return sum;
}

START_TEST(a_flow_is_as_large_as_the_smallest_cut)
{
    uint64_t random = (uint64_t)_i + 1;
    Arena *arena = arena_create(NULL);
    FlowArc arcs[MOST_ARCS];
    int64_t capacities[MOST_ARCS];
    int32_t nodes = (int32_t)(random_next(&random) % 7) + 2;
    size_t count = random_next(&random) % MOST_ARCS;
    for (size_t i = 0; i < count; i++) {
        arcs[i].from = (int32_t)(random_next(&random) % (uint64_t)nodes);
        arcs[i].to =
            (int32_t)((uint64_t)arcs[i].from + 1 + random_next(&random) % (uint64_t)(nodes - 1)) %
            nodes;
    }
    Flow flow = flow_create(arena, nodes, arcs, count);
    for (int32_t sink = 1; sink < nodes; sink++) {
        for (size_t i = 0; i < count; i++)
            capacities[i] = (int64_t)(random_next(&random) % 12);
        int64_t expected = smallest_cut(nodes, arcs, capacities, count, 0, sink);
        ck_assert_int_eq(flow_run(&flow, capacities, 0, sink), expected);
        ck_assert_int_eq(found_cut(&flow, arcs, capacities, count, 0, sink), expected);
    }
    arena_destroy(arena);
}
END_TEST

/* Capacities stay loaded between flows; what is enough ends a flow. */
START_TEST(flows_on_loaded_capacities_are_as_large)
{
    enum { NODES = 8, RUNS = 30 };
    uint64_t random = (uint64_t)_i + 1;
    Arena *arena = arena_create(NULL);
    FlowArc arcs[MOST_ARCS];
    int64_t capacities[MOST_ARCS];
    for (size_t i = 0; i < MOST_ARCS; i++) {
        arcs[i].from = (int32_t)(random_next(&random) % NODES);
        arcs[i].to =
            (int32_t)((uint64_t)arcs[i].from + 1 + random_next(&random) % (NODES - 1)) % NODES;
        capacities[i] = (int64_t)(random_next(&random) % 12);
    }
    Flow flow = flow_create(arena, NODES, arcs, MOST_ARCS);
    flow_load(&flow, capacities);
    for (int run = 0; run < RUNS; run++) {
        const int32_t sink = 1 + (int32_t)(random_next(&random) % (NODES - 1));
        const size_t changed = random_next(&random) % MOST_ARCS;
        const int64_t enough = 1 + (int64_t)(random_next(&random) % 20);
        capacities[changed] = (int64_t)(random_next(&random) % 12);
        flow_change(&flow, changed, capacities[changed]);
        const int64_t expected = smallest_cut(NODES, arcs, capacities, MOST_ARCS, 0, sink);
        const int64_t passed = flow_pass(&flow, 0, sink, enough);
        ck_assert_int_eq(passed < enough ? passed : enough, expected < enough ? expected : enough);
        if (passed < enough)
            ck_assert_int_eq(found_cut(&flow, arcs, capacities, MOST_ARCS, 0, sink), expected);
        flow_take_back(&flow, capacities);
    }
    arena_destroy(arena);
}
END_TEST

START_TEST(large_capacities_are_exact)
{
    Arena *arena = arena_create(NULL);
    const FlowArc arcs[] = {{0, 1}, {1, 2}, {0, 2}};
    const int64_t large = (int64_t)1 << 61, capacities[] = {large, large - 1, 3};
    Flow flow = flow_create(arena, 3, arcs, 3);
    ck_assert_int_eq(flow_run(&flow, capacities, 0, 2), large + 2);
    ck_assert(flow_is_inside(&flow, 1)); /* only the two arcs to node 2 are full */
    arena_destroy(arena);
}
END_TEST

/* With less work than it takes a flow ends early, and is never too large. */
START_TEST(a_flow_ends_behind_the_work_that_it_may_take)
{
    enum { NODES = 12 };
    uint64_t random = (uint64_t)_i + 1;
    FlowArc arcs[MOST_ARCS];
    int64_t capacities[MOST_ARCS], before = 0;
    for (size_t i = 0; i < MOST_ARCS; i++) {
        arcs[i].from = (int32_t)(random_next(&random) % NODES);
        arcs[i].to =
            (int32_t)((uint64_t)arcs[i].from + 1 + random_next(&random) % (NODES - 1)) % NODES;
        capacities[i] = (int64_t)(random_next(&random) % 12);
    }
    Arena *arena = arena_create(NULL);
    Flow whole = flow_create(arena, NODES, arcs, MOST_ARCS);
    const int64_t largest = flow_run(&whole, capacities, 0, 1);
    for (int64_t most = 0; most <= whole.work; most++) {
        Flow flow = flow_create(arena, NODES, arcs, MOST_ARCS);
        flow.most_work = most;
        const int64_t passed = flow_run(&flow, capacities, 0, 1);
        ck_assert(passed >= before && passed <= largest);
        ck_assert(passed == 0 || most >= MOST_ARCS); /* they were loaded */
        ck_assert(flow.work <= whole.work);
        before = passed;
    }
    ck_assert_int_eq(before, largest);
    arena_destroy(arena);
}
END_TEST

/* No path is sought where none is open. */
START_TEST(less_than_nothing_lets_nothing_through)
{
    Arena *arena = arena_create(NULL);
    const FlowArc arcs[] = {{0, 1}, {1, 2}};
    const int64_t capacities[] = {-5, 3};
    Flow flow = flow_create(arena, 3, arcs, 2);
    flow.most_work = 1000;
    ck_assert_int_eq(flow_run(&flow, capacities, 0, 2), 0);
    ck_assert(flow.work < 20);
    arena_destroy(arena);
}
END_TEST

static const struct {
    const char *network;
    bool symmetric;
} networks[] = {
    {"ring:7", true},    {"uniring:5", true}, {"linear:2", true},  {"linear:3", false},
    {"mesh:4x4", false}, {"torus:4x8", true}, {"torus:2x3", true}, {"hypercube:16", true},
    {"full:9", true},    {"star:4", false},   {"tree:7", false},   {"cluster:2x2", false},
    {"dented:4", false}, {"ladder:6", true},  {"ring:1", true},
};

/* A ring with one wider link, and one whose ranks are linked to the opposite ones. */
static const char own[] = "topology: dented\nlinks:\n"
                          "  - {from: r, to: (r + 1) mod p, both: yes, if: r > 0}\n"
                          "  - {from: 0, to: 1, both: yes, lanes: 2}\nrouting: shortest\n"
                          "---\n"
                          "topology: ladder\nlinks:\n"
                          "  - {from: r, to: (r + 1) mod p, both: yes}\n"
                          "  - {from: r, to: (r + p div 2) mod p, lanes: 2}\nrouting: shortest\n";

START_TEST(networks_in_which_all_ranks_are_alike)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, own);
    Network network = network_named(fixture, networks[_i].network, TIES_PLUS);
    ck_assert_int_eq(network_is_symmetric(&network), networks[_i].symmetric);
    fixture_close(fixture);
}
END_TEST

Suite *flow_suite(void)
{
    Suite *suite = suite_create("flow");
    TCase *flows = tcase_create("flows");
    tcase_add_loop_test(flows, a_flow_is_as_large_as_the_smallest_cut, 0, CASES);
    tcase_add_loop_test(flows, flows_on_loaded_capacities_are_as_large, 0, CASES);
    tcase_add_test(flows, large_capacities_are_exact);
    tcase_add_loop_test(flows, a_flow_ends_behind_the_work_that_it_may_take, 0, CASES);
    tcase_add_test(flows, less_than_nothing_lets_nothing_through);
    tcase_add_loop_test(flows, networks_in_which_all_ranks_are_alike, 0,
                        sizeof networks / sizeof *networks);
    suite_add_tcase(suite, flows);
    return suite;
}
