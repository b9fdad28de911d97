/* Who waits for whom, message by message, by hand. */
#include "study/explain_rounds.h"

#include "net/group.h"

#include "unit.h"

enum { MOST_STEPS = 3 };

/* ts = 1, m tw = 2, each hop 0.5, m tc = 4. */
static const Prices prices = {1, .5, 2, 4};

static const struct {
    const char *network, *algorithm;
    size_t count;
    collcost_message messages[MOST_STEPS];
} cases[] = {
    /* the root receives one after the other, the last rank first, each 1 + 0.5 + 2 */
    {"full:4",
     "gather/flat",
     3,
     {{1, 3, 0, 1, 0, 3.5, 0, -1}, {2, 2, 0, 1, 3.5, 7, 0, 0}, {3, 1, 0, 1, 7, 10.5, 0, 0}}},
    /* from rank to rank: what arrives is sent on */
    {"linear:3", "broadcast/chain", 2, {{1, 0, 1, 1, 0, 3.5, 0, -1}, {2, 1, 2, 1, 3.5, 7, 0, 1}}},
    /* combining stands between messages, 4 after the first */
    {"linear:3", "reduce/chain", 2, {{1, 2, 1, 1, 0, 3.5, 0, -1}, {2, 1, 0, 1, 7.5, 11, 0, 1}}},
};

static void compare(const collcost_message *found, const collcost_message *expected)
{
    ck_assert_int_eq(found->round, expected->round);
    ck_assert_int_eq(found->from, expected->from);
    ck_assert_int_eq(found->to, expected->to);
    ck_assert_double_eq(found->bytes, expected->bytes);
    assert_near(found->start_s + 1, expected->start_s + 1, 1e-12);
    assert_near(found->end_s, expected->end_s, 1e-12);
    assert_near(found->contention_s + 1, expected->contention_s + 1, 1e-12);
    ck_assert_int_eq(found->waits_at, expected->waits_at);
}

static CriticalPath path_on(Fixture *fixture, const Network *network, const char *algorithm)
{
    Rules rules = rules_of(prices, 1);
    Instance instance = instance_of(fixture, algorithm, network->p, 0, 1);
    CriticalPath path;
    instance.shape = &network->shape;
    rules.contention = CONTENTION_SHARED;
    rules.asynchronous = true;
    ck_assert(
        critical_path_find(fixture->arena, &instance, network, &rules, 1, &path, &fixture->diag));
    return path;
}

START_TEST(test_paths)
{
    Fixture *fixture = fixture_open();
    const Network network = network_named(fixture, cases[_i].network, TIES_PLUS);
    const CriticalPath path = path_on(fixture, &network, cases[_i].algorithm);
    ck_assert_int_eq(path.count, cases[_i].count);
    for (size_t i = 0; i < path.count; i++)
        compare(&path.messages[i], &cases[_i].messages[i]);
    fixture_close(fixture);
}
END_TEST

/* 0 -> 2 and 1 -> 3 share 1 -> 2 from beginning to end: 2 more. */
START_TEST(test_contention)
{
    Fixture *fixture = fixture_open();
    static const int64_t members[] = {0, 2, 1, 3};
    const Network whole = network_named(fixture, "linear:4", TIES_PLUS);
    const Shape pair = shape_line(2);
    Network network;
    network_group(fixture->arena, &whole, &pair, members, 2, "pairs", &network);
    const CriticalPath path = path_on(fixture, &network, "broadcast/binomial");
    ck_assert_int_eq(path.count, 1);
    assert_near(path.messages[0].end_s, 1 + 2 * .5 + 4, 1e-12);
    assert_near(path.messages[0].contention_s, 2, 1e-12);
    ck_assert_int_eq(path.messages[0].waits_at, -1);
    ck_assert(path.messages[0].to == path.messages[0].from + 2);
    fixture_close(fixture);
}
END_TEST

Suite *critical_path_suite(void)
{
    Suite *suite = suite_create("critical_path");
    TCase *paths = tcase_create("paths");
    tcase_add_loop_test(paths, test_paths, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(paths, test_contention);
    suite_add_tcase(suite, paths);
    return suite;
}
