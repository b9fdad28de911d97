/* Costs under each rule switched on alone, and under pairs that act on one another, by hand. */
#include "cost/rules.h"

#include "cost/bound.h"
#include "cost/derive.h"

#include "unit.h"

#include <math.h>

/* A reduction of 4 chunks: its rounds stand in `steps`. */
static const char head[] = "algorithm: mine\ncollective: reduce\nchunks: 4\nschedule:\n";

/* All send to the root at once. */
#define AT_ONCE "  - exchange: 0 .. 3\n    to: root\n    if: r != root\n"
/* 0 -> 2 with all, 1 -> 3 with a quarter: they meet on the link 1 -> 2. */
#define MEETING                                                                                    \
    "  - round:\n      - exchange: 0 .. 3\n        to: 2\n        if: r == 0\n"                    \
    "      - exchange: 0\n        to: 3\n        if: r == 1\n"
/* 0 -> 2 and 0 -> 3, side by side with two ports. */
#define FORK                                                                                       \
    "  - round:\n      - exchange: 0 .. 3\n        to: 2\n        if: r == 0\n"                    \
    "      - exchange: 0 .. 3\n        to: 3\n        if: r == 0\n"
/* Far with little and near with much. */
#define FAR_AND_NEAR                                                                               \
    "  - round:\n      - exchange: 0\n        to: 3\n        if: r == 0\n"                         \
    "      - exchange: 0 .. 2\n        to: 5\n        if: r == 4\n"
#define PAIRS "  - exchange: 0 .. 3\n    to: r xor 1\n"
#define SHIFT "  - exchange: 0 .. 3\n    to: (r + 2) mod p\n"
/* 0 -> 1 with all and 2 -> 3 with a quarter, then 3 -> 4 with all. */
#define UNEVEN                                                                                     \
    "  - round:\n      - exchange: 0 .. 3\n        to: 1\n        if: r == 0\n"                    \
    "      - exchange: 0\n        to: 3\n        if: r == 2\n"                                     \
    "  - exchange: 0 .. 3\n    to: 4\n    if: r == 3\n"

#define CUT_THROUGH                                                                                \
    {                                                                                              \
        .ports = 1                                                                                 \
    }
#define FORWARD .switching = SWITCHING_STORE_AND_FORWARD
#define STARTUPS .switching = SWITCHING_STARTUPS
#define BY_MESSAGES .contention = CONTENTION_MESSAGES
#define WITHOUT_CONTENTION .contention = CONTENTION_NONE
#define HALF .duplex = DUPLEX_HALF
#define OVERLAP .asynchronous = true, .combining = COMBINING_OVERLAP

/* `algorithm` is a name of the library, or the steps of one. Expected are the coefficients of ts,
   th, m tw and m tc, each with the other parameters zero. */
static const struct {
    const char *topology;
    int64_t p, root, k;
    const char *algorithm;
    Rules rules;
    double ts, th, tw, tc;
} cases[] = {
    /* Store-and-forward: 4 + 2 + 1 hops, each with tw. */
    {"linear", 8, 0, 0, "broadcast/binomial", {.ports = 1, FORWARD}, 3, 7, 7, 0},
    {"linear", 8, 0, 0, "broadcast/binomial", {.ports = 1, STARTUPS}, 7, 7, 7, 0},
    {"full", 8, 0, 0, "broadcast/binomial", {.ports = 1, FORWARD}, 3, 3, 3, 0},
    {"full", 8, 0, 0, "broadcast/binomial", {.ports = 1, STARTUPS}, 3, 3, 3, 0},
    /* 3 -> 4 -> 0 -> 1 -> 2: 1 + 4 + 1 + 1 hops */
    {"linear", 5, 3, 0, "broadcast/chain", {.ports = 1, FORWARD}, 4, 7, 7, 0},
    {"linear", 5, 3, 0, "reduce/chain", {.ports = 1, STARTUPS}, 7, 7, 7, 4},
    /* blocks 4, 2, 1 over 4, 2, 1 hops: 16 + 4 + 1 */
    {"linear", 8, 0, 0, "scatter/binomial", {.ports = 1, FORWARD}, 3, 7, 21, 0},
    /* slots: 1/4 and 3/4 at once, then 1/4, 1/4 */
    {"linear", 6, 0, 0, FAR_AND_NEAR, {.ports = 1, FORWARD}, 1, 3, 1.25, .75},
    /* 2 hops right, 4 hops left (4 -> 0, 5 -> 1): in no slot do two share a link */
    {"linear", 6, 0, 0, SHIFT, {.ports = 1, FORWARD}, 1, 4, 4, 1},
    {"linear", 6, 0, 0, SHIFT, {.ports = 1}, 1, 4, 2, 1},
    /* Contention: 5/4 on the link 1 -> 2, of two messages; twice 1; 1 */
    {"linear", 6, 0, 0, MEETING, {.ports = 1}, 1, 2, 1.25, 1},
    {"linear", 6, 0, 0, MEETING, {.ports = 1, BY_MESSAGES}, 1, 2, 2, 1},
    {"linear", 6, 0, 0, MEETING, {.ports = 1, WITHOUT_CONTENTION}, 1, 2, 1, 1},
    /* with store-and-forward they cross it in different slots: 1 + 1, the quarter beside it */
    {"linear", 6, 0, 0, MEETING, {.ports = 1, FORWARD}, 1, 2, 2, 1},
    /* Ports and contention: both on the link 0 -> 1 */
    {"linear", 6, 0, 0, FORK, {.ports = 1}, 2, 5, 2, 2},
    {"linear", 6, 0, 0, FORK, {.ports = 2}, 1, 3, 2, 1},
    {"linear", 6, 0, 0, FORK, {.ports = 2, BY_MESSAGES}, 1, 3, 2, 1},
    {"linear", 6, 0, 0, FORK, {.ports = 2, WITHOUT_CONTENTION}, 1, 3, 1, 1},
    /* Store-and-forward and contention: slots with 2, 2, 1 */
    {"linear", 6, 0, 0, FORK, {.ports = 2, FORWARD}, 1, 3, 5, 1},
    {"linear", 6, 0, 0, FORK, {.ports = 2, FORWARD, BY_MESSAGES}, 1, 3, 5, 1},
    {"linear", 6, 0, 0, FORK, {.ports = 2, FORWARD, WITHOUT_CONTENTION}, 1, 3, 3, 1},
    /* rank 0 has one link, so it sends one after the other */
    {"linear", 6, 0, 0, FORK, {.ports = 1, .all_ports = true}, 2, 5, 2, 2},
    /* All ports: 4 links of the root, then 1, then 2 (0 and 1 first, then 3 and 4) */
    {"full", 5, 0, 0, AT_ONCE, {.ports = 1, .all_ports = true}, 1, 1, 1, 4},
    {"linear", 5, 0, 0, AT_ONCE, {.ports = 1, .all_ports = true}, 4, 10, 4, 4},
    {"linear", 5, 2, 0, AT_ONCE, {.ports = 1, .all_ports = true}, 2, 4, 4, 4},
    /* Half duplex: both directions of each pair's link */
    {"full", 6, 0, 0, PAIRS, {.ports = 1}, 1, 1, 1, 1},
    {"full", 6, 0, 0, PAIRS, {.ports = 1, HALF}, 1, 1, 2, 1},
    {"linear", 6, 0, 0, PAIRS, {.ports = 1, HALF}, 1, 1, 2, 1},
    {"full", 6, 0, 0, PAIRS, {.ports = 1, HALF, WITHOUT_CONTENTION}, 1, 1, 1, 1},
    {"full", 6, 0, 0, PAIRS, {.ports = 1, HALF, FORWARD}, 1, 1, 2, 1},
    {"full", 8, 0, 0, "broadcast/binomial", {.ports = 1, HALF}, 3, 3, 3, 0},
    /* the links 2 - 3: two to the right, two to the left */
    {"linear", 6, 0, 0, SHIFT, {.ports = 1, HALF}, 1, 4, 4, 1},
    /* Combining for nothing */
    {"full", 8, 0, 0, "reduce/binomial", {.ports = 1, .combining = COMBINING_NONE}, 3, 3, 3, 0},
};

static Instance make_instance(Fixture *fixture, const char *algorithm, int64_t p, int64_t root,
                              int64_t k, const Network *network, const Rules *rules)
{
    bool is_own = algorithm[0] == ' ';
    if (is_own)
        use_models(fixture, arena_printf(fixture->arena, "%s%s", head, algorithm));
    Instance instance = instance_of(fixture, is_own ? "reduce/mine" : algorithm, p, root, k);
    instance.ports = rules_ports(rules, network);
    return instance;
}

static double time_of(Fixture *fixture, const Instance *instance, const Network *network,
                      const Rules *rules, Prices prices, double bytes)
{
    Profile profile;
    const double parameters[PARAMETER_COUNT] = {prices.ts, prices.th, prices.tw, prices.tc};
    bool good = profile_derive(fixture->arena, instance, network, rules, &profile, &fixture->diag);
    assert_no_error(fixture);
    ck_assert(good);
    return cost_total(profile_cost(&profile, parameters, bytes));
}

START_TEST(rules_by_hand)
{
    const double m = 240;
    Fixture *fixture = fixture_open();
    const Rules *rules = &cases[_i].rules;
    Network network = network_of(fixture, cases[_i].topology, cases[_i].p);
    Instance instance = make_instance(fixture, cases[_i].algorithm, cases[_i].p, cases[_i].root,
                                      cases[_i].k, &network, rules);
    double ts = time_of(fixture, &instance, &network, rules, (Prices){1, 0, 0, 0}, m);
    double th = time_of(fixture, &instance, &network, rules, (Prices){0, 1, 0, 0}, m);
    double tw = time_of(fixture, &instance, &network, rules, (Prices){0, 0, 1, 0}, m) / m;
    double tc = time_of(fixture, &instance, &network, rules, (Prices){0, 0, 0, 1}, m) / m;
    ck_assert_msg(ts == cases[_i].ts && th == cases[_i].th && fabs(tw - cases[_i].tw) < 1e-12 &&
                      fabs(tc - cases[_i].tc) < 1e-12,
                  "%s on %s: %g ts + %g th + %g m tw + %g m tc",
                  rules_describe(fixture->arena, rules), network.name, ts, th, tw, tc);
    fixture_close(fixture);
}
END_TEST

START_TEST(rounds_are_counted_not_hops)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "linear", 8);
    const Rules rules = {.ports = 1, STARTUPS};
    Instance instance = instance_of(fixture, "gather/binomial", 8, 0, 0);
    Profile profile;
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    ck_assert_int_eq(profile.startups, 3);
    for (int64_t j = 1; j <= 4; j++)
        ck_assert_int_eq(profile_message(&profile, j), j == 4 ? 0 : 1 << (j - 1));
    fixture_close(fixture);
}
END_TEST

START_TEST(store_and_forward_is_exact)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "linear", 4);
    const Rules rules = {.ports = 1, FORWARD};
    Instance instance = instance_of(fixture, "reduce/pipelined-chain", 4, 0, 3);
    const ExactParameters parameters = {
        {exact_from_int(7), exact_from_int(2), exact_from_int(3), exact_from_int(5)}};
    Profile profile;
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    /* 5 rounds of one hop, ts + th + m / 3 (tw + tc): 5 (9 + 4 / 3 * 8) */
    Exact time = profile_time_exact(&profile, &parameters, exact_from_int(4));
    ck_assert(time.exact);
    ck_assert_int_eq(time.numerator, 295);
    ck_assert_int_eq(time.denominator, 3);
    /* Five equal rounds are one entry. */
    ck_assert_uint_eq(profile.turn_count, 1);
    fixture_close(fixture);
}
END_TEST

Suite *rules_suite(void)
{
    Suite *suite = suite_create("rules");
    TCase *times = tcase_create("times");
    tcase_add_loop_test(times, rules_by_hand, 0, sizeof cases / sizeof *cases);
    tcase_add_test(times, rounds_are_counted_not_hops);
    tcase_add_test(times, store_and_forward_is_exact);
    suite_add_tcase(suite, times);
    return suite;
}
