/* Measures of products, by hand at small n and p, and the statements of the textbook. */
#include "scale/scale.h"

#include "unit.h"

#include <math.h>
#include <stdlib.h>

/* ts 100, th 10, tw 1, tc 2 (a byte), tm 5, elements of one byte: whole numbers everywhere. */
static const Prices link_costs = {100, 10, 1, 2};
static const double multiply = 5;

/* Square roots: of side q, blocks of b x b. */
static double cannon(int64_t q, double b)
{
    double messages = q > 1 ? 2.0 * (double)q : 0;
    return messages * (110 + b * b) + (double)q * b * b * b * 5;
}

static double simple(int64_t q, double b)
{
    double rounds = 2 * log2((double)q), others = 2 * ((double)q - 1);
    return rounds * 110 + others * b * b + (double)q * b * b * b * 5;
}

/* Two moves, two broadcasts, a sum that combines. */
static double dns(int64_t q, double b)
{
    double rounds = q > 1 ? 2 + 3 * log2((double)q) : 0;
    return rounds * (110 + b * b) + log2((double)q) * b * b * 2 + b * b * b * 5;
}

/* n = q b. */
static const struct {
    const char *algorithm;
    int power; /* p = q^power */
    double (*time)(int64_t q, double b);
    double held; /* blocks of the rank that holds the most, for q = 4 */
} formulas[] = {
    {"matmul/cannon", 2, cannon, 3}, {"matmul/simple", 2, simple, 9}, {"matmul/dns", 3, dns, 3}};

static void open_case(Fixture *fixture, const char *algorithm, int64_t p, Network *network,
                      Rules *rules, ScaleCase *scale)
{
    *network = network_of(fixture, "full", p);
    *rules = rules_of(link_costs, 1);
    *scale = (ScaleCase){algorithm_named(fixture, algorithm), network, rules, multiply, 1, false};
}

static collcost_product point_of(Fixture *fixture, const char *algorithm, int64_t p, int64_t n,
                                 bool loads)
{
    Network network;
    Rules rules;
    ScaleCase scale;
    collcost_product point;
    open_case(fixture, algorithm, p, &network, &rules, &scale);
    scale.counts_loads = loads;
    ck_assert(scale_point(&scale, n, &point, &fixture->diag));
    return point;
}

START_TEST(times_by_hand)
{
    Fixture *fixture = fixture_open();
    for (int64_t q = 1; q <= 8; q *= 2)
        for (int64_t b = 1; b <= 3; b++) {
            int64_t n = q * b, p = q * q * (formulas[_i].power == 3 ? q : 1);
            collcost_product point = point_of(fixture, formulas[_i].algorithm, p, n, false);
            double serial = 5.0 * (double)(n * n * n);
            assert_near(point.total_s, formulas[_i].time(q, (double)b), 1e-12);
            assert_near(point.speedup, serial / point.total_s, 1e-12);
            assert_near(point.efficiency, serial / point.total_s / (double)p, 1e-12);
            assert_near(point.cost_s, point.total_s * (double)p, 1e-12);
            ck_assert_double_eq_tol(point.overhead_s, point.total_s * (double)p - serial, 1e-6);
            if (q == 4)
                assert_near(point.peak_bytes, formulas[_i].held * (double)(b * b), 1e-12);
        }
    fixture_close(fixture);
}
END_TEST

/* Claimed and derived times are compared wherever both exist, so uneven n are all derived. */
START_TEST(uneven_orders_are_derived)
{
    Fixture *fixture = fixture_open();
    ck_assert(point_of(fixture, "matmul/cannon", 4, 6, false).from_closed_form);
    ck_assert(!point_of(fixture, "matmul/cannon", 4, 5, false).from_closed_form);
    /* the largest blocks count: 2 ranks multiply 3 x 3 by 3 x 3, or 3 x 3 by 3 x 2 and so on */
    assert_near(point_of(fixture, "matmul/cannon", 4, 5, false).total_s,
                4 * (110 + 9) + 5 * (18 + 27), 1e-12);
    fixture_close(fixture);
}
END_TEST

/* 8 ranks, q = 2, blocks of 9: 4 blocks are combined, and A and B move 2 + 4 each. */
START_TEST(overhead_counts_work)
{
    Fixture *fixture = fixture_open();
    collcost_product without = point_of(fixture, "matmul/dns", 8, 6, false);
    collcost_product with = point_of(fixture, "matmul/dns", 8, 6, true);
    ck_assert_double_eq(without.overhead_work, 4 * 9);
    ck_assert_double_eq(with.overhead_work, 4 * (4 * 9) + 2 * (2 + 4 + 2 + 4 + 4) * 9);
    fixture_close(fixture);
}
END_TEST

/* Each rank of Cannon's has 3 n^2 / p, whatever p is; that of the simple one gathers 2 q + 1. */
START_TEST(memory_of_the_simple_algorithm_grows)
{
    Fixture *fixture = fixture_open();
    for (int64_t q = 1; q <= 16; q *= 2) {
        collcost_product passing = point_of(fixture, "matmul/cannon", q * q, 32, false);
        collcost_product gathering = point_of(fixture, "matmul/simple", q * q, 32, false);
        double share = 32.0 * 32 / (double)(q * q);
        ck_assert_double_eq(passing.peak_bytes, 3 * share);
        ck_assert_double_eq(passing.peak_total_bytes, 3 * 32 * 32);
        ck_assert_double_eq(gathering.peak_bytes, (2 * (double)q + 1) * share);
        ck_assert_double_eq(gathering.peak_total_bytes, (2 * (double)q + 1) * 32 * 32);
    }
    fixture_close(fixture);
}
END_TEST

/* At unit costs and n = 16, on as many ranks as each can use. */
START_TEST(dns_is_the_fastest_and_not_cost_optimal)
{
    Fixture *fixture = fixture_open();
    Rules rules = rules_of((Prices){1, 0, 1, 1}, 1);
    double least[2] = {INFINITY, INFINITY}, efficiency[5];
    static const char *const squares[] = {"matmul/cannon", "matmul/simple"};
    for (int i = 0; i < 2; i++)
        for (int64_t q = 1; q <= 64; q *= 2) {
            Network network = network_of(fixture, "full", q * q);
            double seconds;
            const ScaleCase scale = {
                algorithm_named(fixture, squares[i]), &network, &rules, 1, 1, false};
            ck_assert(scale_time(&scale, 16, &seconds, &fixture->diag));
            least[i] = fmin(least[i], seconds);
        }
    for (int i = 1; i <= 4; i++) {
        int64_t q = (int64_t)1 << i;
        Network network = network_of(fixture, "full", q * q * q);
        collcost_product point;
        const ScaleCase scale = {
            algorithm_named(fixture, "matmul/dns"), &network, &rules, 1, 1, false};
        ck_assert(scale_point(&scale, q, &point, &fixture->diag));
        efficiency[i] = point.efficiency;
        if (q == 16)
            ck_assert(point.total_s < least[0] && point.total_s < least[1]);
        /* 2 (2 + 3 log q) + log q + 1: log n times what the serial product costs */
        assert_near(point.efficiency, 1.0 / (5 + 7 * i), 1e-12);
    }
    ck_assert(efficiency[4] < efficiency[3] && efficiency[3] < efficiency[2]);
    fixture_close(fixture);
}
END_TEST

/* With n / log n planes the efficiency stays where it is as n = q grows. */
START_TEST(fewer_planes_are_cost_optimal)
{
    static const struct {
        int64_t p, q;
    } cubes[] = {{32, 4}, {128, 8}, {1024, 16}};
    Fixture *fixture = fixture_open();
    Rules rules = rules_of((Prices){1, 0, 1, 1}, 1);
    for (int i = 0; i < 3; i++) {
        Network network = network_of(fixture, "full", cubes[i].p);
        collcost_product point;
        const ScaleCase scale = {
            algorithm_named(fixture, "matmul/dns-cost-optimal"), &network, &rules, 1, 1, false};
        ck_assert(scale_point(&scale, cubes[i].q, &point, &fixture->diag));
        ck_assert_double_gt(point.efficiency, 0.1);
    }
    fixture_close(fixture);
}
END_TEST

/* n ~ sqrt(p) keeps the efficiency of Cannon's algorithm, so the work n^3 grows as p^1.5. */
START_TEST(isoefficiency_of_cannon)
{
    Fixture *fixture = fixture_open();
    int64_t before = 0;
    for (int64_t q = 2; q <= 64; q *= 2) {
        Network network;
        Rules rules;
        ScaleCase scale;
        collcost_product point, below;
        int64_t n;
        open_case(fixture, "matmul/cannon", q * q, &network, &rules, &scale);
        ck_assert(scale_order(&scale, 0.5, 1 << 20, &point, &n, &fixture->diag));
        ck_assert(scale_point(&scale, n - 1, &below, &fixture->diag));
        ck_assert(point.efficiency >= 0.5 && below.efficiency < 0.5);
        if (before)
            ck_assert_int_le(llabs(n - 2 * before), 2 + n / 10);
        before = n;
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(an_efficiency_that_is_never_reached_has_no_order)
{
    Fixture *fixture = fixture_open();
    Network network;
    Rules rules;
    ScaleCase scale;
    collcost_product point;
    int64_t n;
    open_case(fixture, "matmul/cannon", 4, &network, &rules, &scale);
    ck_assert(scale_order(&scale, 0.999, 16, &point, &n, &fixture->diag));
    ck_assert_int_eq(n, 0);
    fixture_close(fixture);
}
END_TEST

/* No claim: 2^20 ranks are far too many to derive anything. */
START_TEST(claims_answer_for_many_ranks)
{
    Fixture *fixture = fixture_open();
    collcost_product point = point_of(fixture, "matmul/cannon", 1 << 20, 1 << 12, false);
    ck_assert(point.from_closed_form);
    assert_near(point.total_s, cannon(1 << 10, 4), 1e-12);
    ck_assert(isnan(point.peak_bytes) && isnan(point.overhead_work));
    fixture_close(fixture);
}
END_TEST

/* It is below the time for all n, and where all ranks do alike, most of it. */
START_TEST(the_least_time_is_a_bound)
{
    static const int64_t ranks[] = {1, 4, 16, 64}; /* squares, and some of them cubes */
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        Network network;
        Rules rules;
        ScaleCase scale;
        double seconds;
        if (formulas[_i].power == 3 && ranks[i] != 1 && ranks[i] != 64)
            continue;
        open_case(fixture, formulas[_i].algorithm, ranks[i], &network, &rules, &scale);
        LeastTime *least = least_time_open(fixture->arena, &scale, INFINITY);
        const LeastTime *stopped = least_time_open(fixture->arena, &scale, 150);
        for (int64_t n = 1; n <= 40; n++) {
            double found = least_time_seconds(least, n), first = least_time_seconds(stopped, n);
            ck_assert(scale_time(&scale, n, &seconds, &fixture->diag));
            ck_assert_double_le(found, seconds * (1 + 1e-9));
            ck_assert_double_gt(found, seconds / 2);
            ck_assert_double_le(first, found);
            ck_assert_double_gt(first, ranks[i] > 1 ? 150 : 0);
        }
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(no_least_time_is_known_by_other_rules)
{
    Fixture *fixture = fixture_open();
    Network network;
    Rules rules;
    ScaleCase scale;
    open_case(fixture, "matmul/cannon", 16, &network, &rules, &scale);
    rules.asynchronous = true;
    ck_assert_double_eq(least_time_seconds(least_time_open(fixture->arena, &scale, INFINITY), 16),
                        0);
    fixture_close(fixture);
}
END_TEST

Suite *scale_suite(void)
{
    Suite *suite = suite_create("scale");
    TCase *measures = tcase_create("measures"), *statements = tcase_create("statements");
    tcase_set_timeout(statements, 300);
    tcase_add_loop_test(measures, times_by_hand, 0, sizeof formulas / sizeof *formulas);
    tcase_add_loop_test(measures, the_least_time_is_a_bound, 0, sizeof formulas / sizeof *formulas);
    tcase_add_test(measures, no_least_time_is_known_by_other_rules);
    tcase_add_test(measures, uneven_orders_are_derived);
    tcase_add_test(measures, overhead_counts_work);
    tcase_add_test(measures, an_efficiency_that_is_never_reached_has_no_order);
    tcase_add_test(measures, claims_answer_for_many_ranks);
    tcase_add_test(statements, memory_of_the_simple_algorithm_grows);
    tcase_add_test(statements, dns_is_the_fastest_and_not_cost_optimal);
    tcase_add_test(statements, fewer_planes_are_cost_optimal);
    tcase_add_test(statements, isoefficiency_of_cannon);
    suite_add_tcase(suite, measures);
    suite_add_tcase(suite, statements);
    return suite;
}
