/* Blocks of unequal sizes: costs and bounds by hand, and what is refused. */
#include "sched/weights.h"

#include "bound/bounds.h"
#include "cost/derive.h"
#include "verify/verify.h"

#include "unit.h"

#include <string.h>

#define FOUR "4,1,2,3"
/* from rank 0, 1, 2 to rank 0, 1, 2 */
#define NINE "0,1,2; 3,0,4; 5,6,0"

static const Weights *weights_of(Fixture *fixture, const char *text, const char *collective,
                                 int64_t p)
{
    const GivenWeights given = {text_of(fixture, text)};
    return weights_find(fixture->arena, &given, collective_named(fixture, collective), p,
                        &fixture->diag);
}

/* The coefficients of ts, tw and tc. */
static const struct {
    const char *network, *algorithm, *weights;
    double startups, transfer, compute;
} costs[] = {
    /* block 0 is on its way in each round */
    {"full:4", "allgather/ring", FOUR, 3, 4 + 4 + 4, 0},
    /* 4; then ranks 0 and 1 have 4 + 1 together, ranks 2 and 3 have 2 + 3 */
    {"full:4", "allgather/recursive-doubling", FOUR, 2, 4 + 5, 0},
    /* 1 to 0 and 3 to 2; then 2 + 3 to 0 */
    {"full:4", "gather/binomial", FOUR, 2, 3 + 5, 0},
    {"full:4", "scatter/binomial", FOUR, 2, 5 + 3, 0},
    /* one after the other, block 0 stays */
    {"full:4", "gather/flat", FOUR, 3, 1 + 2 + 3, 0},
    {"full:4", "scatter/flat", FOUR, 3, 1 + 2 + 3, 0},
    /* 4 in each round, combined there */
    {"full:4", "reduce-scatter/ring", FOUR, 3, 12, 12},
    /* 4 + 1 or 2 + 3; then 4, 1, 2 or 3 */
    {"full:4", "reduce-scatter/recursive-halving", FOUR, 2, 5 + 4, 5 + 4},
    /* 1, 4, 5 by one rank, then 2, 3, 6 by two */
    {"full:3", "alltoall/pairwise", NINE, 2, 5 + 6, 0},
    /* by two ranks: two messages of the three on each link: 2 + 3, 3 + 6, 6 + 2 */
    {"uniring:3", "alltoall/pairwise", NINE, 2, 5 + 9, 0},
    /* all from one */
    {"full:4", "allgather/ring", "when(r == 2, 7, 0)", 3, 21, 0},
    {"full:4", "alltoall/pairwise", "s", 3, 9, 0},
    {"full:4", "alltoall/pairwise", "when(t == 0, 5, 1)", 3, 15, 0},
    {"full:4", "gather/flat", "p - r", 3, 3 + 2 + 1, 0},
};

START_TEST(test_costs)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, costs[_i].network, TIES_PLUS);
    const Algorithm *algorithm = algorithm_named(fixture, costs[_i].algorithm);
    Instance instance = instance_of(fixture, costs[_i].algorithm, network.p, 0, 1);
    instance.shape = &network.shape;
    instance.sizes.weights =
        weights_of(fixture, costs[_i].weights, algorithm->collective->head.name, network.p);
    ck_assert_ptr_nonnull(instance.sizes.weights);
    ck_assert(verify_schedule(fixture->arena, &instance, &fixture->diag).right);
    const double expected[] = {costs[_i].startups, costs[_i].transfer, costs[_i].compute};
    const Prices one[] = {{1, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        Rules rules = rules_of(one[i], 1);
        Profile profile;
        rules.weights = instance.sizes.weights;
        ck_assert(
            profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
        ck_assert_double_eq(cost_total(profile_cost(&profile, rules.parameters, 1)), expected[i]);
    }
    fixture_close(fixture);
}
END_TEST

/* In the order of kinds: rounds times ts, then times m tw, compute times m tc. */
static const struct {
    const char *network, *collective, *weights;
    double rounds, node, ports, volume, cut, compute;
} bounds[] = {
    /* 5 + 6 leave rank 2; 21 through 3 ports and over 6 links */
    {"full:3", "alltoall", NINE, 2, 11, 7, 3.5, 11, 0},
    /* 9 enter rank 1; each rank needs all but its own: 3 times 10 over 4 ports, 12 links */
    {"full:4", "allgather", FOUR, 2, 9, 7.5, 2.5, 9, 0},
    {"full:4", "gather", FOUR, 2, 6, 1.5, .5, 6, 0},
    {"full:4", "scatter", FOUR, 2, 6, 1.5, .5, 6, 0},
    /* rank 1 must send all but its own, 4 + 2 + 3; 3 combinations of each of 10 */
    {"full:4", "reduce-scatter", FOUR, 2, 9, 7.5, 2.5, 9, 7.5},
    /* empty blocks need not come: from 2 others, from 1, from none */
    {"full:4", "gather", "4,0,2,3", 2, 5, 1.25, 5. / 12, 5, 0},
    {"full:4", "gather", "4,0,0,3", 1, 3, .75, .25, 3, 0},
    {"full:4", "gather", "4,0,0,0", 0, 0, 0, 0, 0, 0},
    {"full:4", "reduce-scatter", "4,0,0,0", 2, 4, 3, 1, 4, 3},
    /* blocks 1 and 3 over one link, block 2 over two: 1 + 3 + 4 over 8 links */
    {"ring:4", "gather", FOUR, 2, 6, 1.5, 1, 6, 0},
};

START_TEST(test_bounds)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, bounds[_i].network, TIES_PLUS);
    const Rules rules = rules_of((Prices){1, 1, 1, 1}, 1);
    const Weights *weights =
        weights_of(fixture, bounds[_i].weights, bounds[_i].collective, network.p);
    Contract contract;
    BoundSet found;
    ck_assert_ptr_nonnull(weights);
    ck_assert(contract_create(fixture->arena, collective_named(fixture, bounds[_i].collective),
                              network.p, 0, 0, &contract, &fixture->diag));
    weights_apply(fixture->arena, weights, &contract);
    bounds_compute(fixture->arena, &contract, &network, &rules, BOUND_SEARCH_CUTS, &found);
    ck_assert_double_eq(found.items[BOUND_ROUNDS].coefficient.real, bounds[_i].rounds);
    ck_assert_double_eq(found.items[BOUND_NODE].coefficient.real, bounds[_i].node);
    ck_assert_double_eq(found.items[BOUND_PORTS].coefficient.real, bounds[_i].ports);
    ck_assert_double_eq(found.items[BOUND_VOLUME].coefficient.real, bounds[_i].volume);
    ck_assert_double_eq(found.items[BOUND_CUT].coefficient.real, bounds[_i].cut);
    ck_assert_double_eq(found.items[BOUND_COMPUTE].coefficient.real, bounds[_i].compute);
    fixture_close(fixture);
}
END_TEST

/* Blocks that all weigh 3 cost what blocks three times as large cost, by each algorithm. */
START_TEST(test_equal_weights)
{
    static const char *const names[] = {"allgather", "alltoall", "gather", "scatter",
                                        "reduce-scatter"};
    Fixture *fixture = fixture_open();
    const Collective *collective = collective_named(fixture, names[_i]);
    Network network = network_named(fixture, "torus:2x4", TIES_PLUS);
    Rules usual = rules_of((Prices){100, 10, 1, 1}, 2), weighted = usual;
    AlgorithmArray all = {0};
    weighted.weights = weights_of(fixture, "3", names[_i], network.p);
    ck_assert(library_algorithms(fixture->library, collective, &all, &fixture->diag));
    size_t compared = 0;
    for (size_t i = 0; i < all.count; i++) {
        Profile plain, heavy;
        Instance instance = {.algorithm = all.items[i],
                             .p = network.p,
                             .root = 1,
                             .k = all.items[i]->free_chunks ? 2 : 1,
                             .ports = 2,
                             .shape = &network.shape};
        if (all.items[i]->expect_wrong ||
            !schedule_allows(all.items[i], &network.shape, 2, NULL, &fixture->diag))
            continue;
        ck_assert(
            profile_derive(fixture->arena, &instance, &network, &usual, &plain, &fixture->diag));
        instance.sizes.weights = weighted.weights;
        ck_assert(
            profile_derive(fixture->arena, &instance, &network, &weighted, &heavy, &fixture->diag));
        ck_assert(verify_schedule(fixture->arena, &instance, &fixture->diag).right);
        assert_near(cost_total(profile_cost(&heavy, usual.parameters, 8)),
                    cost_total(profile_cost(&plain, usual.parameters, 24)), 1e-12);
        ck_assert_int_eq(heavy.peak_blocks, 3 * plain.peak_blocks);
        compared++;
    }
    ck_assert_uint_gt(compared, 4);
    fixture_close(fixture);
}
END_TEST

/* A schedule that loses a block is wrong whatever the sizes, also where it is empty. */
START_TEST(test_wrong_schedules)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "algorithm: lost\ncollective: gather\nschedule:\n"
                        "  - move: r\n    to: root\n    if: r != root and r != p - 1\n");
    Instance instance = instance_of(fixture, "gather/lost", 4, 0, 1);
    ck_assert(!verify_schedule(fixture->arena, &instance, &fixture->diag).right);
    instance.sizes.weights = weights_of(fixture, "4,1,2,3", "gather", 4);
    ck_assert(!verify_schedule(fixture->arena, &instance, &fixture->diag).right);
    instance.sizes.weights = weights_of(fixture, "4,1,2,0", "gather", 4);
    ck_assert(!verify_schedule(fixture->arena, &instance, &fixture->diag).right);
    fixture_close(fixture);
}
END_TEST

START_TEST(test_largest_buffer)
{
    Fixture *fixture = fixture_open();
    ck_assert_int_eq(weights_of(fixture, NINE, "alltoall", 3)->largest_sum, 11);
    ck_assert_int_eq(weights_of(fixture, "9,0,0 3,0,4 5,6,0", "alltoall", 3)->largest_sum, 17);
    ck_assert_int_eq(weights_of(fixture, FOUR, "allgather", 4)->largest_sum, 10);
    ck_assert_int_eq(weights_of(fixture, "1", "scatter", 6)->largest_sum, 6);
    ck_assert_int_eq(weights_of(fixture, "0", "scatter", 6)->largest_sum, 0);
    ck_assert_str_eq(weights_of(fixture, FOUR, "gather", 4)->text, FOUR);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *collective, *text, *message;
} refused[] = {
    {"gather", "1,2,3", "expected 4 weights"},
    {"gather", "1,2,3,4,5", "expected 4 weights"},
    {"alltoall", "1,2,3,4", "expected 16 weights"},
    {"gather", "r - 1", "the weight of block 0 is -1"},
    {"alltoall", "s - t", "the weight of block (0, 1) is -1"},
    {"gather", "r / 2", "expected an integer"},
    {"gather", "x", "unknown name"},
    {"gather", "s", "unknown name"},
    {"gather", "1,", "expected 4 weights"},
    {"gather", "1099511627776,1,0,0", "more than 2^40"},
    {"gather", "99999999999999999999,1,0,0", "too large"},
    {"broadcast", "1", "broadcast has no blocks of several ranks"},
    {"barrier", "1", "barrier has no blocks of several ranks"},
};

START_TEST(test_refused)
{
    Fixture *fixture = fixture_open();
    ck_assert_ptr_null(weights_of(fixture, refused[_i].text, refused[_i].collective, 4));
    ck_assert_ptr_nonnull(strstr(take_messages(fixture), refused[_i].message));
    fixture_close(fixture);
}
END_TEST

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

Suite *weights_suite(void)
{
    Suite *suite = suite_create("weights");
    TCase *tests = tcase_create("weights");
    tcase_add_loop_test(tests, test_costs, 0, COUNT(costs));
    tcase_add_loop_test(tests, test_bounds, 0, COUNT(bounds));
    tcase_add_loop_test(tests, test_equal_weights, 0, 5);
    tcase_add_test(tests, test_wrong_schedules);
    tcase_add_test(tests, test_largest_buffer);
    tcase_add_loop_test(tests, test_refused, 0, COUNT(refused));
    suite_add_tcase(suite, tests);
    return suite;
}
