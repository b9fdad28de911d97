/* Several schedules at the same time, by hand. */
#include "cost/together.h"

#include "cost/derive.h"
#include "net/group.h"

#include "unit.h"

/* ts = 1, m tw = 2 for m = 1. */
static const Prices prices = {1, 0, 2, 0};

static Profile *derive(Fixture *fixture, const Network *network, const char *algorithm)
{
    Rules rules = rules_of(prices, 1);
    Instance instance = instance_of(fixture, algorithm, network->p, 0, 1);
    Profile *profile = ARENA_NEW(fixture->arena, Profile);
    instance.shape = &network->shape;
    rules.contention = CONTENTION_SHARED;
    rules.asynchronous = true;
    ck_assert(profile_derive(fixture->arena, &instance, network, &rules, profile, &fixture->diag));
    return profile;
}

static Network pair_of(Fixture *fixture, const Network *whole, int64_t from, int64_t to)
{
    const int64_t members[] = {from, to};
    const Shape pair = shape_line(2);
    Network network;
    network_group(fixture->arena, whole, &pair, members, 1, "pair", &network);
    return network;
}

/* One message each on linear:4, in bytes; when they are done. */
static const struct {
    int64_t from[2], to[2];
    double bytes[2], ends[2];
} cases[] = {
    /* apart */
    {{0, 2}, {1, 3}, {1, 1}, {3, 3}},
    /* the same link, the whole time: 1 + 4 */
    {{0, 1}, {2, 3}, {1, 1}, {5, 5}},
    /* half rates until the first has sent 1 byte, at 4; then the other has 2 more: 8 */
    {{0, 1}, {2, 3}, {1, 3}, {5, 9}},
    /* links of two directions */
    {{0, 2}, {2, 0}, {1, 1}, {3, 3}},
    /* the ranks are the same, their messages are not of one queue */
    {{0, 0}, {3, 3}, {2, 1}, {7, 5}},
};

START_TEST(test_pairs)
{
    Fixture *fixture = fixture_open();
    const Network whole = network_named(fixture, "linear:4", TIES_PLUS);
    ScheduleTogether schedules[2];
    double ends[2];
    for (int i = 0; i < 2; i++) {
        Network *pair = ARENA_NEW(fixture->arena, Network);
        *pair = pair_of(fixture, &whole, cases[_i].from[i], cases[_i].to[i]);
        schedules[i] =
            (ScheduleTogether){derive(fixture, pair, "broadcast/binomial"), cases[_i].bytes[i]};
    }
    together_run(fixture->arena, schedules, 2, rules_of(prices, 1).parameters, ends);
    assert_near(ends[0], cases[_i].ends[0], 1e-12);
    assert_near(ends[1], cases[_i].ends[1], 1e-12);
    fixture_close(fixture);
}
END_TEST

/* With nothing beside it, a schedule takes what it takes alone. */
START_TEST(test_alone)
{
    Fixture *fixture = fixture_open();
    const Network network = network_named(fixture, "torus:3x4", TIES_PLUS);
    const Profile *profile = derive(fixture, &network, "alltoall/pairwise");
    const ScheduleTogether alone = {profile, 7};
    const Rules rules = rules_of(prices, 1);
    double end;
    together_run(fixture->arena, &alone, 1, rules.parameters, &end);
    assert_near(end, cost_total(profile_cost(profile, rules.parameters, 7)), 1e-12);
    fixture_close(fixture);
}
END_TEST

Suite *together_suite(void)
{
    Suite *suite = suite_create("together");
    TCase *tests = tcase_create("together");
    tcase_add_loop_test(tests, test_pairs, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(tests, test_alone);
    suite_add_tcase(suite, tests);
    return suite;
}
