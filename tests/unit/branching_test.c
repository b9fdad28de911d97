#include "sched/branching.h"

#include "unit.h"

#include <math.h>

static const Prices prices = {1e-6, 1e-7, 1 / 64e9, 1 / 512e9};

static const char models[] =
    "algorithm: fans\n"
    "collective: broadcast\n"
    "summary: a test\n"
    "fanout: 1 .. p - 1\n"
    "schedule:\n"
    "  - send: 0\n"
    "    to: r + j\n"
    "    if: r mod fanout == 0 and r + j < p\n"
    "    for: j in 1 .. fanout\n"
    "---\n"
    "algorithm: wide\n"
    "collective: broadcast\n"
    "summary: a test\n"
    "radix: 70 .. 1000000\n"
    "schedule:\n"
    "  - send: 0\n"
    "    to: radix mod p\n"
    "    if: r == root\n"
    "---\n"
    "algorithm: both\n"
    "collective: allreduce\n"
    "summary: a test\n"
    "sequence: [reduce/multinomial along device, broadcast/multinomial along node]\n";

static IntArray tried_of(Fixture *fixture, const char *algorithm, const Shape *shape)
{
    IntArray tried = {0};
    Instance instance = {.algorithm = algorithm_named(fixture, algorithm),
                         .p = shape->p,
                         .k = 1,
                         .ports = 1,
                         .shape = shape};
    branches_list(fixture->arena, &instance, &tried);
    return tried;
}

START_TEST(all_up_to_64_are_tried_then_those_with_fewer_steps)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, models);
    Shape shape = shape_line(5000);
    IntArray tried = tried_of(fixture, "broadcast/multinomial", &shape);
    ck_assert_uint_eq(tried.count, 65); /* 71^2 >= 5000 > 70^2; 5000 takes one step */
    ck_assert_int_eq(tried.items[0], 2);
    ck_assert_int_eq(tried.items[62], 64);
    ck_assert_int_eq(tried.items[63], 71);
    ck_assert_int_eq(tried.items[64], 5000);
    shape = shape_line(100);
    tried = tried_of(fixture, "broadcast/fans", &shape); /* 99 / 66 = 1.5, 99 / 99 = 1 */
    ck_assert_uint_eq(tried.count, 65);
    ck_assert_int_eq(tried.items[64], 99);
    tried = tried_of(fixture, "broadcast/wide", &shape);
    ck_assert_uint_eq(tried.count, 2); /* the least, and p */
    ck_assert_int_eq(tried.items[0], 70);
    ck_assert_int_eq(tried.items[1], 100);
    shape = shape_line(3);
    ck_assert_uint_eq(tried_of(fixture, "broadcast/wide", &shape).count, 1);
    ck_assert_uint_eq(tried_of(fixture, "broadcast/binomial", &shape).count, 0);
    fixture_close(fixture);
}
END_TEST

/* Lines of 4 and of 6: up to radix 6, which stands for 4 in the shorter ones. */
START_TEST(what_is_made_of_others_has_their_range)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, models);
    Network network = network_named(fixture, "cluster:6x4", TIES_PLUS);
    IntArray tried = tried_of(fixture, "allreduce/both", &network.shape);
    ck_assert_uint_eq(tried.count, 5);
    ck_assert_int_eq(tried.items[4], 6);
    Instance instance = {.algorithm = algorithm_named(fixture, "allreduce/both"),
                         .p = 24,
                         .k = 1,
                         .ports = 1,
                         .shape = &network.shape,
                         .branches = 1000};
    ck_assert_int_eq(branches_of(&instance), 6);
    fixture_close(fixture);
}
END_TEST

static double least_of(Fixture *fixture, const char *name, const Network *network,
                       const Rules *rules, double bytes, int64_t *best)
{
    const Algorithm *algorithm = algorithm_named(fixture, name);
    IntArray tried = tried_of(fixture, name, &network->shape);
    double least = INFINITY;
    for (size_t i = 0; i < tried.count; i++) {
        FreeChoice chosen = {
            .branches = {[BRANCHING_RADIX] = tried.items[i], [BRANCHING_FANOUT] = tried.items[i]}};
        CurvePoint point;
        Curve *curve = curve_create(fixture->arena, &(CurveSubject){algorithm, network, rules, {0}},
                                    &chosen, &fixture->diag);
        ck_assert(curve_at(curve, bytes, 1, &point, &fixture->diag));
        ck_assert_int_eq(point.branches, tried.items[i]);
        if (point.total < least)
            least = point.total, *best = tried.items[i];
    }
    return least;
}

/* Closed forms, and derived times. */
static const char *const curves[][2] = {{"alltoall/radix-bruck", "full:24"},
                                        {"alltoall/radix-bruck", "ring:24"},
                                        {"reduce/multinomial", "cluster:3x8"},
                                        {"scatter/multinomial", "full:31"}};

START_TEST(a_curve_takes_the_best_of_them)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, curves[_i][1], TIES_PLUS);
    Rules rules = rules_of(prices, 2);
    Curve *curve = curve_of(fixture, curves[_i][0], &network, 0, &rules, 0);
    bool differs = false;
    int64_t first = 0;
    for (double bytes = 1; bytes < 1e9; bytes *= 7) {
        CurvePoint point;
        CurveCost cost;
        int64_t best = 0;
        double least = least_of(fixture, curves[_i][0], &network, &rules, bytes, &best);
        ck_assert(curve_at(curve, bytes, 1, &point, &fixture->diag));
        ck_assert(curve_cost(curve, bytes, &cost, &fixture->diag));
        ck_assert_double_eq(point.total, least);
        ck_assert_double_eq(cost.total, least);
        ck_assert_int_eq(point.branches, best);
        ck_assert_int_eq(cost.branches, best);
        assert_near(point.intercept + point.slope * bytes, least, 1e-12);
        differs |= first && best != first;
        first = first ? first : best;
    }
    ck_assert(differs || _i > 0);
    fixture_close(fixture);
}
END_TEST

/* Six ranks in a chain, 1 us a message and 1 ns a byte: k + 4 messages of m / k bytes each. */
START_TEST(segments_give_the_number_of_chunks)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 6);
    Rules rules = rules_of((Prices){1e-6, 0, 1e-9, 0}, 1);
    FreeChoice chosen = {.segment = 1000};
    CurvePoint point;
    SizeArray jumps = {0};
    Curve *curve = curve_create(
        fixture->arena,
        &(CurveSubject){
            algorithm_named(fixture, "broadcast/pipelined-chain"), &network, &rules, {0}},
        &chosen, &fixture->diag);
    static const struct {
        double bytes, k;
    } expected[] = {{1, 1}, {1000, 1}, {1001, 2}, {2000, 2}, {123456, 124}};
    ck_assert(!curve_is_free(curve));
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        double bytes = expected[i].bytes, k = expected[i].k;
        ck_assert(curve_at(curve, bytes, curve_most_chunks(bytes), &point, &fixture->diag));
        ck_assert_double_eq(point.k, k);
        assert_near(point.total, (k + 4) * (1e-6 + bytes / k * 1e-9), 1e-13);
    }
    ck_assert(curve_bends(curve, &(BendList){500, 3500, fixture->arena, &jumps, &fixture->diag}));
    ck_assert_uint_eq(jumps.count, 3);
    ck_assert_double_eq(jumps.items[0], 1000);
    ck_assert_double_eq(jumps.items[2], 3000);
    chosen.segment = 1;
    curve = curve_create(
        fixture->arena,
        &(CurveSubject){
            algorithm_named(fixture, "broadcast/pipelined-chain"), &network, &rules, {0}},
        &chosen, &fixture->diag);
    ck_assert(!curve_bends(curve, &(BendList){1, 1e9, fixture->arena, &jumps, &fixture->diag}));
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

START_TEST(wrong_ranges_are_refused)
{
    Fixture *fixture = fixture_open();
    assert_program_error_at(fixture, "broadcast",
                            "radix: 2 .. p\nfanout: 1 .. p\nschedule: [{send: 0, to: 1}]\n", 4, 9);
    assert_program_error_at(fixture, "broadcast", "radix: 2 .. k\nschedule: [{send: 0, to: 1}]\n",
                            3, 13);
    assert_program_error_at(fixture, "broadcast", "radix: 2\nschedule: [{send: 0, to: 1}]\n", 3, 9);
    assert_program_error_at(fixture, "broadcast", "radix: 2 .. p\nsequence: binomial\n", 3, 8);
    assert_program_error_at(fixture, "broadcast",
                            "radix: 2 .. p\nlet: {radix: 3}\nschedule: [{send: 0, to: 1}]\n", 4, 7);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_range_below_the_least_is_none)
{
    Fixture *fixture = fixture_open();
    const Shape shape = shape_line(1);
    int64_t least, most;
    use_models(fixture, "algorithm: low\n"
                        "collective: broadcast\n"
                        "summary: a test\n"
                        "fanout: 0 .. p - 1\n"
                        "schedule: []\n");
    Instance instance = {.algorithm = algorithm_named(fixture, "broadcast/low"),
                         .p = shape.p,
                         .ports = 1,
                         .shape = &shape};
    ck_assert(!branches_range(&instance, &least, &most));
    ck_assert_uint_eq(tried_of(fixture, "broadcast/low", &shape).count, 0);
    fixture_close(fixture);
}
END_TEST

Suite *branching_suite(void)
{
    Suite *suite = suite_create("branching");
    TCase *cases = tcase_create("branching");
    tcase_add_test(cases, all_up_to_64_are_tried_then_those_with_fewer_steps);
    tcase_add_test(cases, what_is_made_of_others_has_their_range);
    tcase_add_loop_test(cases, a_curve_takes_the_best_of_them, 0, 4);
    tcase_add_test(cases, segments_give_the_number_of_chunks);
    tcase_add_test(cases, wrong_ranges_are_refused);
    tcase_add_test(cases, a_range_below_the_least_is_none);
    suite_add_tcase(suite, cases);
    return suite;
}
