/* Costs by hand of messages that one rank posts in a round: in order, together, with gaps. */
#include "cost/derive.h"

#include "rules_cases.h"

#include <math.h>

#define TOGETHER ONE, POSTED
#define OF_LEVEL(overhead, gap)                                                                    \
    {                                                                                              \
        {true, false, overhead},                                                                   \
        {                                                                                          \
            true, false, gap                                                                       \
        }                                                                                          \
    }
#define WITH(overhead, gap) .delays = {{true, false, overhead}, {true, false, gap}}
#define WITH_OVERHEAD(seconds) .delays[DELAY_OVERHEAD] = {true, false, seconds}
#define WITH_RECEIVE(overhead, receive)                                                            \
    .delays = {[DELAY_OVERHEAD] = {true, false, overhead}, [DELAY_RECEIVE] = {true, false, receive}}
#define WITH_CONTACTS(count, first, next)                                                          \
    .contacts = count,                                                                             \
    .delays = {                                                                                    \
        [DELAY_CONTACT] = {true, false, first}, [DELAY_CONTACT_POSTED] = {true, false, next}}
#define WITH_EXCHANGE(share) .delays[DELAY_EXCHANGE] = {true, false, share}
#define WITH_GAP(seconds) .delays[DELAY_GAP] = {true, false, seconds}

/* 0 -> 2 and 0 -> 3 with all, 4 -> 5 beside them; then 5 -> 1. */
#define FORK_AND_CHAIN                                                                             \
    "  - round:\n      - exchange: 0 .. 3\n        to: 2\n        if: r == 0\n"                    \
    "      - exchange: 0 .. 3\n        to: 3\n        if: r == 0\n"                                \
    "      - exchange: 0 .. 3\n        to: 5\n        if: r == 4\n"                                \
    "  - exchange: 0 .. 3\n    to: 1\n    if: r == 5\n"
/* 0 -> 1 and 0 -> 2 with all. */
#define NEAR_AND_FAR                                                                               \
    "  - round:\n      - exchange: 0 .. 3\n        to: 1\n        if: r == 0\n"                    \
    "      - exchange: 0 .. 3\n        to: 2\n        if: r == 0\n"
/* 0 -> 2, 0 -> 1 and 0 -> 3 with all. */
#define FAR_NEAR_FAR                                                                               \
    "  - round:\n      - exchange: 0 .. 3\n        to: 2\n        if: r == 0\n"                    \
    "      - exchange: 0 .. 3\n        to: 1\n        if: r == 0\n"                                \
    "      - exchange: 0 .. 3\n        to: 3\n        if: r == 0\n"
/* 0 -> 1, 0 -> 2, 1 -> 0 and 2 -> 0 with all. */
#define WITH_TWO                                                                                   \
    "  - round:\n      - exchange: 0 .. 3\n        to: 1\n        if: r == 0\n"                    \
    "      - exchange: 0 .. 3\n        to: 2\n        if: r == 0\n"                                \
    "      - exchange: 0 .. 3\n        to: 0\n        if: r == 1 or r == 2\n"
/* 0 -> 2 with a quarter, 0 -> 3 with all. */
#define LITTLE_AND_MUCH                                                                            \
    "  - round:\n      - exchange: 0\n        to: 2\n        if: r == 0\n"                         \
    "      - exchange: 0 .. 3\n        to: 3\n        if: r == 0\n"

/* ts 100, th 10, tw 1; tc 2 where combining is not free. */
static const struct {
    const char *network, *algorithm;
    int64_t root;
    Rules rules;
    double bytes, time;
} cases[] = {
    /* one after the other: 2 (100 + 10 + 40) */
    {"full:4", FORK, 0, {ONE, FREE}, 40, 300},
    /* 100 + 10 and both through the port of rank 0 */
    {"full:4", FORK, 0, {TOGETHER, FREE}, 40, 110 + 80},
    /* through two ports */
    {"full:4", FORK, 0, {.ports = 2, .posting = POSTING_TOGETHER, FREE}, 40, 110 + 40},
    /* links do not matter, ports do */
    {"full:4", FORK, 0, {TOGETHER, FREE, WITHOUT_CONTENTION}, 40, 110 + 80},
    /* the second one is posted 7, 9, 9 s later */
    {"full:4", FORK, 0, {TOGETHER, FREE, WITH_OVERHEAD(7)}, 40, 7 + 110 + 80},
    {"full:4", FORK, 0, {TOGETHER, FREE, WITH_GAP(9)}, 40, 9 + 110 + 80},
    {"full:4", FORK, 0, {TOGETHER, FREE, WITH(7, 9)}, 40, 9 + 110 + 80},
    /* in order, a gap in place of 100 + 10; the last one takes all */
    {"full:4", FORK, 0, {ONE, FREE, WITH_GAP(9)}, 40, 9 + 40 + 150},
    {"full:4", FORK, 0, {ONE, FREE, WITH(20, 9)}, 40, 20 + 40 + 150},
    {"full:4", FORK, 0, {ONE, FREE, WITH_GAP(0)}, 40, 40 + 150},
    /* an overhead alone changes nothing there, nor does a gap where there are ports for all */
    {"full:4", FORK, 0, {ONE, FREE, WITH_OVERHEAD(20)}, 40, 300},
    {"full:4", FORK, 0, {.ports = 2, FREE, WITH_GAP(9)}, 40, 150},
    /* three arrive at one rank, which combines 3 * 40 for 2 each */
    {"full:4", AT_ONCE, 0, {ONE}, 40, 3 * (150 + 80)},
    {"full:4", AT_ONCE, 0, {TOGETHER}, 40, 110 + 120 + 240},
    {"full:4", AT_ONCE, 0, {TOGETHER, WITH(3, 9)}, 40, 2 * 9 + 110 + 120 + 240},
    {"full:4", AT_ONCE, 0, {ONE, WITH_GAP(9)}, 40, 2 * (9 + 40 + 80) + 150 + 80},
    /* one sends twice, the other is sent three messages */
    {"full:4", FORK, 0, {TOGETHER, FREE, WITH_RECEIVE(7, 50)}, 40, 7 + 110 + 80},
    {"full:4", AT_ONCE, 0, {TOGETHER, FREE, WITH_RECEIVE(7, 50)}, 40, 2 * 50 + 110 + 120},
    {"full:4", AT_ONCE, 0, {TOGETHER, FREE, WITH_RECEIVE(50, 0)}, 40, 110 + 120},
    /* the first contact is free, 3 is another one; 2, 1 and 3 follow one another */
    {"full:4", FORK, 0, {ONE, FREE, WITH_CONTACTS(1, 50, 8)}, 40, 150 + 150 + 50},
    {"full:4", FORK, 0, {ONE, FREE, WITH_CONTACTS(2, 50, 8)}, 40, 300},
    {"full:4", FORK, 0, {TOGETHER, FREE, WITH_CONTACTS(1, 50, 8)}, 40, 50 + 110 + 80},
    {"full:4", FAR_NEAR_FAR, 0, {ONE, FREE, WITH_CONTACTS(1, 50, 8)}, 40, 3 * 150 + 2 * 50},
    {"full:4", FAR_NEAR_FAR, 0, {TOGETHER, FREE, WITH_CONTACTS(1, 50, 8)}, 40, 58 + 110 + 120},
    {"full:4", FAR_NEAR_FAR, 0, {TOGETHER, FREE, WITH_CONTACTS(2, 50, 8)}, 40, 50 + 110 + 120},
    /* each rank sends to one at a time: nobody pays more for three who begin together */
    {"full:4", AT_ONCE, 0, {TOGETHER, FREE, WITH_CONTACTS(1, 50, 8)}, 40, 110 + 120},
    /* hops together: the first one waits */
    {"full:4", FORK, 0, {TOGETHER, FREE, FORWARD, WITH_CONTACTS(1, 50, 8)}, 40, 150 + 10 + 80},
    /* the link beside the root carries 120 too; the farthest comes over 3 */
    {"linear:4", AT_ONCE, 0, {TOGETHER, FREE}, 40, 130 + 120},
    {"linear:4", AT_ONCE, 0, {TOGETHER, FREE, BY_MESSAGES}, 40, 130 + 120},
    {"linear:4", AT_ONCE, 0, {ONE, FREE, WITH_GAP(9)}, 40, 2 * 49 + 170},
    /* the farthest first: each ends 100, its hops and its bytes after its start */
    {"linear:4", AT_ONCE, 3, {ONE, FREE, WITH_GAP(9)}, 40, 2 * 49 + 150},
    {"linear:4", AT_ONCE, 3, {ONE, FREE, WITH_GAP(9)}, 4, 2 * 13 + 114},
    /* of little, it is still under way when the last one has arrived: 134, 5 + 124, 10 + 114 */
    {"linear:4", AT_ONCE, 3, {ONE, FREE, WITH_GAP(1)}, 4, 134},
    /* 131 + 2, 4 + 121 + 2, 8 + 111 + 2 */
    {"linear:4", AT_ONCE, 3, {ONE, WITH_GAP(1)}, 1, 133},
    /* 121, 10 + 111, 20 + 131; the first, or the second, is the last to end */
    {"linear:4", FAR_NEAR_FAR, 0, {ONE, FREE, WITH_GAP(9)}, 1, 20 + 131},
    {"linear:4", BOTH(0, 3, 0, 1), 0, {ONE, FREE, WITH_GAP(9)}, 4, 134},
    {"linear:4", BOTH(0, 3, 0, 1), 0, {ONE, FREE, WITH_GAP(30)}, 4, 34 + 111},
    /* both ways on one link: 0 -> 2 with 40, 3 -> 0 with 10 */
    {"linear:4", BOTH(0, 2, 3, 0), 0, {TOGETHER, FREE, HALF}, 40, 130 + 50},
    /* between two ranks that send to each other bytes take half as long again; not round a ring */
    {"full:4", BOTH(0, 2, 2, 0), 0, {ONE, FREE, WITH_EXCHANGE(0.5)}, 40, 110 + 1.5 * 40},
    {"full:4", BOTH(0, 2, 3, 0), 0, {ONE, FREE, WITH_EXCHANGE(0.5)}, 40, 110 + 40},
    {"linear:4", BOTH(0, 2, 2, 0), 0, {ONE, FREE, WITH_EXCHANGE(0.5)}, 40, 120 + 1.5 * 40},
    {"full:4", BOTH(0, 2, 2, 0), 0, {TOGETHER, FREE, WITH_EXCHANGE(0.5)}, 40, 110 + 1.5 * 40},
    {"linear:4", BOTH(0, 2, 2, 0), 0, {ONE, FREE, FORWARD, WITH_EXCHANGE(0.5)}, 40, 120 + 3 * 40},
    {"full:4", BOTH(0, 2, 2, 0), 0, {ONE, FREE, ASYNCHRONOUS, WITH_EXCHANGE(0.5)}, 40, 170},
    {"full:4", BOTH(0, 2, 2, 0), 0, {ONE, FREE, HALF, WITH_EXCHANGE(0.5)}, 40, 110 + 1.5 * 50},
    /* with two ranks: in order one after the other; together each link, or the 80 of a port */
    {"full:4", WITH_TWO, 0, {ONE, FREE, WITH_EXCHANGE(0.5)}, 40, 2 * (110 + 1.5 * 40)},
    {"full:4", WITH_TWO, 0, {TOGETHER, FREE, WITH_EXCHANGE(0.5)}, 40, 110 + 80},
    {"full:4", WITH_TWO, 0, {TOGETHER, FREE, WITH_EXCHANGE(1.5)}, 40, 110 + 2.5 * 40},
    /* far with little and near with much: in order each by itself */
    {"linear:6", FAR_AND_NEAR, 0, {ONE, FREE}, 40, 140},
    {"linear:6", FAR_AND_NEAR, 0, {TOGETHER, FREE}, 40, 130 + 30},
    /* hops together: 100, then 10 + 80, 10 + 80, 10 + 40 */
    {"linear:4", FORK, 0, {TOGETHER, FREE, FORWARD}, 40, 100 + 90 + 90 + 50},
    {"linear:4", FORK, 0, {TOGETHER, FREE, FORWARD, WITH_GAP(9)}, 40, 9 + 100 + 90 + 90 + 50},
    {"linear:4", FORK, 0, {TOGETHER, FREE, STARTUPS}, 40, 190 + 190 + 150},
    /* the port, not a link, in the only hop; at the root in the only one */
    {"full:4", FORK, 0, {TOGETHER, FREE, FORWARD}, 40, 100 + 10 + 80},
    {"full:4", AT_ONCE, 0, {TOGETHER, FREE, FORWARD}, 40, 100 + 10 + 120},
    /* rank 5 goes on after 150, where it combines first after 150 + 80; nobody waits for rank 0 */
    {"full:6", FORK_AND_CHAIN, 0, {TOGETHER, FREE}, 40, 190 + 150},
    {"full:6", FORK_AND_CHAIN, 0, {TOGETHER, FREE, ASYNCHRONOUS}, 40, 150 + 150},
    {"full:6", FORK_AND_CHAIN, 0, {TOGETHER, FREE, ASYNCHRONOUS, WITH_GAP(200)}, 40, 200 + 190},
    {"full:6", FORK_AND_CHAIN, 0, {TOGETHER, OVERLAP}, 40, 150 + 80 + 150 + 80},
};

static Rules priced(const Rules *rules)
{
    Rules with = *rules;
    with.parameters[PARAMETER_TS] = 100, with.parameters[PARAMETER_TH] = 10;
    with.parameters[PARAMETER_TW] = 1, with.parameters[PARAMETER_TC] = 2;
    return with;
}

/* By doubles and exactly. */
static void assert_time(Fixture *fixture, const Instance *instance, const Network *network,
                        const Rules *rules, double bytes, double expected)
{
    Profile profile;
    ExactParameters parameters = {.multiply = exact_from_int(0)};
    bool good = profile_derive(fixture->arena, instance, network, rules, &profile, &fixture->diag);
    assert_no_error(fixture);
    ck_assert(good);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        parameters.parameters[i] = exact_from_double(rules->parameters[i]);
    double time = cost_total(profile_cost(&profile, rules->parameters, bytes));
    Exact exact = profile_time_exact(&profile, &parameters, exact_from_double(bytes));
    ck_assert_msg(time == expected && exact.real == expected,
                  "%s, %s: %.17g, exactly %.17g, not %g", network->name,
                  rules_describe(fixture->arena, rules), time, exact.real, expected);
}

START_TEST(messages_of_a_round)
{
    Fixture *fixture = fixture_open();
    Rules rules = priced(&cases[_i].rules);
    Network network = network_named(fixture, cases[_i].network, TIES_PLUS);
    Instance instance =
        rules_instance(fixture, cases[_i].algorithm, cases[_i].root, 0, &network, &rules);
    assert_time(fixture, &instance, &network, &rules, cases[_i].bytes, cases[_i].time);
    fixture_close(fixture);
}
END_TEST

/* Without a cost: it is refused. */
static const Rules refused[] = {
    {ONE, FORWARD, WITH_GAP(9)},
    {ONE, ASYNCHRONOUS, WITH_GAP(9)},
    {TOGETHER, FORWARD, ASYNCHRONOUS},
    {TOGETHER, ASYNCHRONOUS, WITH_CONTACTS(1, 50, 8)},
};

START_TEST(rules_that_give_no_cost)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, "full:4", TIES_PLUS);
    Instance instance = rules_instance(fixture, FORK, 0, 0, &network, &refused[_i]);
    Profile profile;
    ck_assert(!profile_derive(fixture->arena, &instance, &network, &refused[_i], &profile,
                              &fixture->diag));
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

/* Levels: startup, th, tw; -1: the machine's 100, 10, 1. A message inside a node crosses two links
   of the device, one between nodes these and two of the node. */
static const struct {
    const char *algorithm;
    double device[3], node[3];
    Delay device_delays[DELAYS_OF_LEVELS], node_delays[DELAYS_OF_LEVELS];
    Posting posting;
    double tw, time; /* of 40 bytes */
} leveled[] = {
    /* 5 + 1 + 7 + 7 + 1; 80 bytes between nodes, at 4 also on the port */
    {FORK, {2, 1, 3}, {5, 7, 4}, {{0}}, {{0}}, POSTING_TOGETHER, 1, 21 + 320},
    /* the link of rank 0 takes 240, the one between nodes 160, the port 40 * 3 + 40 * 4 */
    {NEAR_AND_FAR, {2, 1, 3}, {5, 7, 4}, {{0}}, {{0}}, POSTING_TOGETHER, 1, 21 + 280},
    /* gaps of 2 and 9: all but the shortest */
    {NEAR_AND_FAR,
     {2, 1, 3},
     {5, 7, 4},
     OF_LEVEL(1, 2),
     OF_LEVEL(3, 9),
     POSTING_TOGETHER,
     1,
     9 + 21 + 280},
    /* in order: inside first, with its gap: 2 + 120; then 21 + 160 */
    {NEAR_AND_FAR,
     {2, 1, 3},
     {5, 7, 4},
     OF_LEVEL(1, 2),
     OF_LEVEL(3, 9),
     POSTING_IN_ORDER,
     1,
     2 + 120 + 21 + 160},
    /* inside without a gap: all of 2 + 2 + 120 */
    {NEAR_AND_FAR,
     {2, 1, 3},
     {5, 7, 4},
     {{0}},
     OF_LEVEL(3, 9),
     POSTING_IN_ORDER,
     1,
     124 + 21 + 160},
    /* between with a gap: 9 + 160; inside without one: 2 + 2 + 120, whatever is still under way;
       500 + 16 + 160 */
    {FAR_NEAR_FAR,
     {2, 1, 3},
     {500, 7, 4},
     {{0}},
     OF_LEVEL(3, 9),
     POSTING_IN_ORDER,
     1,
     169 + 124 + 676},
    /* inside at the machine's 1, between at 4; at the machine's 10, both */
    {NEAR_AND_FAR, {2, 1, -1}, {5, 7, 4}, {{0}}, {{0}}, POSTING_TOGETHER, 1, 21 + 40 + 160},
    {NEAR_AND_FAR, {2, 1, -1}, {5, 7, 4}, {{0}}, {{0}}, POSTING_TOGETHER, 10, 21 + 800},
};

static Level level_of(Fixture *fixture, const char *name, const double *prices, const Delay *delays)
{
    Level level = {.name = text_of(fixture, name),
                   .parameters = {prices[0], prices[1], prices[2], -1}};
    for (int i = 0; i < DELAYS_OF_LEVELS; i++)
        level.delays[i] = delays[i];
    return level;
}

START_TEST(messages_over_levels)
{
    Fixture *fixture = fixture_open();
    const Level levels[] = {
        level_of(fixture, "node", leveled[_i].node, leveled[_i].node_delays),
        level_of(fixture, "device", leveled[_i].device, leveled[_i].device_delays)};
    Rules rules = priced(&(Rules){ONE, FREE, .posting = leveled[_i].posting});
    rules.parameters[PARAMETER_TW] = leveled[_i].tw;
    rules.levels = levels, rules.level_count = 2;
    Network network = network_named(fixture, "cluster:2x2", TIES_PLUS);
    Instance instance = rules_instance(fixture, leveled[_i].algorithm, 0, 0, &network, &rules);
    assert_time(fixture, &instance, &network, &rules, 40, leveled[_i].time);
    fixture_close(fixture);
}
END_TEST

/* Up to 15 bytes 50 and 2 a byte, beyond that 100 and 1. */
static const struct {
    Posting posting;
    double bytes, time;
} with_protocols[] = {
    {POSTING_IN_ORDER, 40, 50 + 10 + 20 + 100 + 10 + 40},
    {POSTING_TOGETHER, 40, 110 + 10 * 2 + 40 * 1},
    {POSTING_TOGETHER, 8, 60 + 2 * 2 + 8 * 2},
    {POSTING_TOGETHER, 200, 110 + 50 + 200},
};

START_TEST(messages_with_protocols)
{
    Fixture *fixture = fixture_open();
    const Protocol protocols[] = {{.number = 0, .up_to = 15, .parameters = {50, -1, 2, -1}},
                                  {.number = 1, .up_to = INFINITY, .parameters = {100, -1, 1, -1}}};
    Rules rules = priced(&(Rules){ONE, FREE, .posting = with_protocols[_i].posting});
    rules.protocols = protocols, rules.protocol_count = 2;
    Network network = network_named(fixture, "full:4", TIES_PLUS);
    Instance instance = rules_instance(fixture, LITTLE_AND_MUCH, 0, 0, &network, &rules);
    assert_time(fixture, &instance, &network, &rules, with_protocols[_i].bytes,
                with_protocols[_i].time);
    fixture_close(fixture);
}
END_TEST

/* Both protocols change at the sizes at which 10 and 40 parts of 40 are 15 bytes. */
START_TEST(sizes_where_a_port_takes_another_protocol)
{
    Fixture *fixture = fixture_open();
    const Protocol protocols[] = {{.number = 0, .up_to = 15, .parameters = {50, -1, 2, -1}},
                                  {.number = 1, .up_to = INFINITY, .parameters = {100, -1, 1, -1}}};
    Rules rules = priced(&(Rules){TOGETHER, FREE, .protocols = protocols, .protocol_count = 2});
    Network network = network_named(fixture, "full:4", TIES_PLUS);
    Instance instance = rules_instance(fixture, LITTLE_AND_MUCH, 0, 0, &network, &rules);
    Profile profile;
    SizeArray sizes = {0};
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    ck_assert(profile_bends(&profile, rules.parameters,
                            &(BendList){1, 1000, fixture->arena, &sizes, &fixture->diag}));
    bool has_15 = false, has_60 = false;
    for (size_t i = 0; i < sizes.count; i++)
        has_15 |= sizes.items[i] == 15, has_60 |= sizes.items[i] == 60;
    ck_assert(has_15 && has_60);
    fixture_close(fixture);
}
END_TEST

static const char models[] =
    "algorithm: fan\ncollective: broadcast\nposting: together\nschedule:\n"
    "  - send: 0\n    for: c in 1 .. p - 1\n    to: (root + c) mod p\n    if: r == root\n"
    "---\nalgorithm: fan-in\ncollective: reduce\ndual: broadcast/fan\n"
    "---\nalgorithm: slow-fan-in\ncollective: reduce\nposting: in-order\ndual: broadcast/fan\n"
    "---\nalgorithm: plain\ncollective: broadcast\nschedule:\n"
    "  - send: 0\n    for: c in 1 .. p - 1\n    to: (root + c) mod p\n    if: r == root\n"
    "---\nalgorithm: plain-in\ncollective: reduce\ndual: broadcast/plain\n"
    "---\nalgorithm: both\ncollective: allreduce\n"
    "sequence: [reduce/plain-in, broadcast/fan]\n";

/* 3 messages of 40 bytes together, 110 + 120, or in order, 3 * 150. */
static const struct {
    const char *algorithm;
    Rules rules;
    double time;
} stated[] = {
    {"broadcast/fan", {ONE, FREE}, 230},
    {"reduce/fan-in", {ONE, FREE}, 230},
    {"reduce/slow-fan-in", {ONE, FREE}, 450},
    {"allreduce/both", {ONE, FREE}, 450 + 230},
    /* a machine says it of those that do not, an option of all */
    {"reduce/slow-fan-in", {TOGETHER, FREE}, 450},
    {"allreduce/both", {TOGETHER, FREE}, 230 + 230},
    {"reduce/slow-fan-in", {TOGETHER, FREE, .fixed_posting = true}, 230},
    {"broadcast/fan", {ONE, FREE, .posting = POSTING_IN_ORDER, .fixed_posting = true}, 450},
};

START_TEST(posting_that_algorithms_state)
{
    Fixture *fixture = fixture_open();
    Rules rules = priced(&stated[_i].rules);
    Network network = network_named(fixture, "full:4", TIES_PLUS);
    use_models(fixture, models);
    Instance instance = instance_of(fixture, stated[_i].algorithm, 4, 0, 1);
    instance.shape = &network.shape;
    assert_time(fixture, &instance, &network, &rules, 40, stated[_i].time);
    fixture_close(fixture);
}
END_TEST

#define COUNT(list) (int)(sizeof(list) / sizeof *(list))

Suite *posting_suite(void)
{
    Suite *suite = suite_create("posting");
    TCase *times = tcase_create("times");
    tcase_add_loop_test(times, messages_of_a_round, 0, COUNT(cases));
    tcase_add_loop_test(times, rules_that_give_no_cost, 0, COUNT(refused));
    tcase_add_loop_test(times, messages_over_levels, 0, COUNT(leveled));
    tcase_add_loop_test(times, messages_with_protocols, 0, COUNT(with_protocols));
    tcase_add_test(times, sizes_where_a_port_takes_another_protocol);
    tcase_add_loop_test(times, posting_that_algorithms_state, 0, COUNT(stated));
    suite_add_tcase(suite, times);
    return suite;
}
