/* What combining takes by what ranks hold, counted by hand. */
#include "choose/envelope.h"
#include "cost/curve.h"

#include "unit.h"

/* In ns and B: a message takes 1000 + m; a combined byte 0.5 up to 10 kB of a rank, 2 up to 100 kB,
   and 4 beyond. */
static const char model[] = "machine: cached\nstartup: 1 us\nbandwidth: 1 GB/s\ncompute:\n"
                            "  - {up-to: 10 kB, rate: 2 GB/s}\n"
                            "  - {up-to: 100 kB, rate: 0.5 GB/s}\n"
                            "  - {rate: 0.25 GB/s}\n";

static const struct {
    const char *algorithm;
    double bytes, time;
} cases[] = {
    /* a rank holds its vector and no more: combined in place */
    {"reduce/binomial", 10000, 2 * (1000 + 10000 + 5000)},
    {"reduce/binomial", 10001, 2 * (1000 + 10001 + 20002)},
    {"reduce/binomial", 100000, 2 * (1000 + 100000 + 200000)},
    {"reduce/binomial", 200000, 2 * (1000 + 200000 + 800000)},
    /* of an all-to-all nothing is combined, whatever a rank holds */
    {"alltoall/pairwise", 100000, 3 * (1000 + 100000)},
    /* four blocks: 40 kB are in the second range */
    {"reduce-scatter/ring", 10000, 3 * (1000 + 10000 + 20000)},
    {"reduce-scatter/ring", 2500, 3 * (1000 + 2500 + 1250)},
};

static Rules cached_rules(Fixture *fixture)
{
    Rules rules = {0};
    rules_follow_machine(
        &rules, library_machine(fixture->library, text_of(fixture, "cached"), &fixture->diag));
    return rules;
}

START_TEST(times_by_hand)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, model);
    Rules rules = cached_rules(fixture);
    Network network = network_of(fixture, "full", 4);
    Instance instance = instance_of(fixture, cases[_i].algorithm, 4, 0, 1);
    Profile profile;
    ExactParameters exact = {.multiply = exact_from_int(0)};
    CurveCost cost;
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    assert_near(cost_total(profile_cost(&profile, rules.parameters, cases[_i].bytes)),
                cases[_i].time * 1e-9, 1e-12);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        exact.parameters[i] = exact_from_double(rules.parameters[i]);
    Exact bytes = exact_from_int((int64_t)cases[_i].bytes);
    assert_near(profile_time_exact(&profile, &exact, bytes).real, cases[_i].time * 1e-9, 1e-12);
    /* closed forms step aside */
    Curve *curve = curve_of(fixture, cases[_i].algorithm, &network, 0, &rules, 0);
    ck_assert(!curve_closed(curve, 0));
    ck_assert(curve_cost(curve, cases[_i].bytes, &cost, &fixture->diag));
    assert_near(cost.total, cases[_i].time * 1e-9, 1e-12);
    fixture_close(fixture);
}
END_TEST

/* The time of reduce jumps where the vector gets too large for a rate. */
START_TEST(times_jump_at_the_sizes_of_the_list)
{
    Fixture *fixture = fixture_open();
    SizeArray sizes = {0};
    double least[PARAMETER_COUNT];
    Profile profile;
    use_models(fixture, model);
    Rules rules = cached_rules(fixture);
    Network network = network_of(fixture, "full", 4);
    Instance instance = instance_of(fixture, "reduce/binomial", 4, 0, 1);
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    ck_assert(profile_bends(&profile, rules.parameters,
                            &(BendList){1, 1e9, fixture->arena, &sizes, &fixture->diag}));
    ck_assert_uint_eq(sizes.count, 2);
    assert_near(sizes.items[0], 10000, 1e-12);
    assert_near(sizes.items[1], 100000, 1e-12);
    /* bounds count the fastest rate */
    rules_least(&rules, &network, least);
    assert_near(least[PARAMETER_TC], 0.5e-9, 1e-12);
    fixture_close(fixture);
}
END_TEST

/* Bruck's all-to-all on 4 ranks: 2 rounds of 2 blocks, and 16 blocks that a rank copies: 0.5 ns a
   byte while it holds up to 4 kB, then 1 ns. */
static const struct {
    double bytes, time;
} copied[] = {{1000, 2 * (1000 + 2000) + 8000}, {1001, 2 * (1000 + 2002) + 16016}};

START_TEST(copies_by_hand)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "machine: copying\nstartup: 1 us\nbandwidth: 1 GB/s\ncopy:\n"
                        "  - {up-to: 4 kB, rate: 2 GB/s}\n  - {rate: 1 GB/s}\n");
    Rules rules = {0};
    rules_follow_machine(
        &rules, library_machine(fixture->library, text_of(fixture, "copying"), &fixture->diag));
    Network network = network_of(fixture, "full", 4);
    Instance instance = instance_of(fixture, "alltoall/bruck", 4, 0, 1);
    ExactParameters exact = {.multiply = exact_from_int(0)};
    for (int i = 0; i < PARAMETER_COUNT; i++)
        exact.parameters[i] = exact_from_double(rules.parameters[i]);
    Exact bytes = exact_from_int((int64_t)copied[_i].bytes);
    for (int asynchronous = 0; asynchronous < 2; asynchronous++) {
        Profile profile;
        rules.asynchronous = asynchronous;
        ck_assert(
            profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
        assert_near(cost_total(profile_cost(&profile, rules.parameters, copied[_i].bytes)),
                    copied[_i].time * 1e-9, 1e-12);
        assert_near(profile_time_exact(&profile, &exact, bytes).real, copied[_i].time * 1e-9,
                    1e-12);
    }
    fixture_close(fixture);
}
END_TEST

/* Of 6 ranks, the first of the largest part below the root has a buffer of 3 blocks: first the
   other's block comes, 1 us a message, then 2, then 3 to the root. 0.5 ns to touch a byte while
   ranks hold up to 96 MiB, then 1 ns. Scattering is the same backwards. Rabenseifner's: 4 rounds of
   1/2, 1/4, 1/4 and 1/2, and a buffer of half of the vector, which is kept below 32 MiB. */
#define MIB 1048576.0
static const struct {
    const char *algorithm;
    int64_t p;
    double bytes, messages, touches; /* ns for a byte of m */
    double startups;                 /* us */
} touched[] = {
    {"gather/binomial", 6, 16 * MIB, 5, 1.5, 3},
    {"gather/binomial", 6, 16 * MIB + 1, 5, 3, 3},
    {"scatter/binomial", 6, 16 * MIB, 5, 1.5, 3},
    {"gather/binomial", 3, 16 * MIB, 2, 1, 2},
    {"gather/binomial", 3, 8 * MIB, 2, 0, 2},
    {"allreduce/rabenseifner", 4, 64 * MIB, 1.5, 0.25, 4},
    {"allreduce/rabenseifner", 4, 64 * MIB - 64, 1.5, 0, 4},
    {"allreduce/rabenseifner", 4, 128 * MIB, 1.5, 0.5, 4},
    {"allreduce/rabenseifner", 1, 64 * MIB, 0, 0, 0},
    {"alltoall/bruck", 4, 8 * MIB, 4, 2, 2},
};

START_TEST(first_touches_by_hand)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "machine: touching\nstartup: 1 us\nbandwidth: 1 GB/s\nfirst-touch:\n"
                        "  - {up-to: 96 MiB, rate: 2 GB/s}\n  - {rate: 1 GB/s}\n");
    Rules rules = {0};
    rules_follow_machine(
        &rules, library_machine(fixture->library, text_of(fixture, "touching"), &fixture->diag));
    Network network = network_of(fixture, "full", touched[_i].p);
    Instance instance = instance_of(fixture, touched[_i].algorithm, touched[_i].p, 0, 1);
    Profile profile;
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    assert_near(cost_total(profile_cost(&profile, rules.parameters, touched[_i].bytes)),
                touched[_i].startups * 1e-6 +
                    (touched[_i].messages + touched[_i].touches) * touched[_i].bytes * 1e-9,
                1e-12);
    fixture_close(fixture);
}
END_TEST

START_TEST(rates_can_be_set)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, model);
    Machine machine =
        *library_machine(fixture->library, text_of(fixture, "cached"), &fixture->diag);
    ck_assert(
        machine_set(&machine, text_of(fixture, "compute"), text_of(fixture, "x2"), &fixture->diag));
    assert_near(machine.compute.items[0].price, 0.25e-9, 1e-12);
    assert_near(machine.compute.items[2].price, 2e-9, 1e-12);
    ck_assert(machine_set(&machine, text_of(fixture, "compute"), text_of(fixture, "8GB/s"),
                          &fixture->diag));
    ck_assert_int_eq(machine.compute.count, 0);
    assert_near(machine.parameters[PARAMETER_TC], 1 / 8e9, 1e-12);
    fixture_close(fixture);
}
END_TEST

Suite *working_set_suite(void)
{
    Suite *suite = suite_create("working_set");
    TCase *tests = tcase_create("working_set");
    tcase_add_loop_test(tests, times_by_hand, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, times_jump_at_the_sizes_of_the_list);
    tcase_add_loop_test(tests, copies_by_hand, 0, sizeof copied / sizeof *copied);
    tcase_add_loop_test(tests, first_touches_by_hand, 0, sizeof touched / sizeof *touched);
    tcase_add_test(tests, rates_can_be_set);
    suite_add_tcase(suite, tests);
    return suite;
}
