/* Costs by hand on a cluster whose links differ by level. */
#include "bound/bounds.h"
#include "cost/derive.h"

#include "rules_cases.h"

/* Levels of a machine, listed upside down: startup, th, tw, ports. A message inside a node takes
   2 + 2 * 1 + 3 n, one between nodes 5 + (1 + 7 + 7 + 1) and 3 or 4 for a byte of the load. What
   is left out (-1, or 0 ports) is the machine's 100, 10 and 1, and one lane. */
typedef struct {
    double ts, th, tw;
    int64_t ports;
} LevelPrice;

#define DEVICE                                                                                     \
    {                                                                                              \
        2, 1, 3, 0                                                                                 \
    }
#define NODE                                                                                       \
    {                                                                                              \
        5, 7, 4, 0                                                                                 \
    }
#define TWO_LANES                                                                                  \
    {                                                                                              \
        5, 7, 4, 2                                                                                 \
    }

static const struct {
    const char *network, *algorithm;
    Rules rules;
    LevelPrice device, node;
    double time; /* of one byte, combined for 11 */
} leveled[] = {
    /* 7, then two of 2 on a link of a switch: 21 + 16 */
    {"cluster:2x2", "allgather/recursive-doubling", {ONE}, DEVICE, NODE, 7 + 37},
    /* side by side: 21 + 2 * 4 */
    {"cluster:2x2", "allgather/recursive-doubling", {ONE}, DEVICE, TWO_LANES, 7 + 29},
    {"cluster:2x2", "allgather/recursive-doubling", {ONE}, DEVICE, {5, 7, 4, 8}, 7 + 29},
    /* 3 and 4 lanes at most take the message itself; at 2 s a byte the device is the slower one */
    {"cluster:2x2", "allgather/recursive-doubling", {ONE}, DEVICE, {5, 7, 2, 2}, 7 + 21 + 6},
    {"cluster:2x2",
     "allgather/recursive-doubling",
     {ONE, WITHOUT_CONTENTION},
     DEVICE,
     NODE,
     7 + 29},
    /* 2 on a rank's link: 4 + 6; 4 of 2 on a switch's: 21 + 32, over two lanes 21 + 16 */
    {"cluster:2x2", "allgather/recursive-doubling", {ONE, HALF}, DEVICE, NODE, 10 + 53},
    {"cluster:2x2", "allgather/recursive-doubling", {ONE, HALF}, DEVICE, TWO_LANES, 10 + 37},
    /* 2 + 4 + 4; 5 + 7 + 23 + 23 + 7, with two lanes 5 + 7 + 15 + 15 + 7 */
    {"cluster:2x2", "allgather/recursive-doubling", {ONE, FORWARD}, DEVICE, NODE, 10 + 65},
    {"cluster:2x2", "allgather/recursive-doubling", {ONE, FORWARD}, DEVICE, TWO_LANES, 10 + 49},
    /* 6 + 6; 9 + 28 + 28 + 9 */
    {"cluster:2x2", "allgather/recursive-doubling", {ONE, STARTUPS}, DEVICE, NODE, 12 + 74},
    /* a level that the machine does not know: 100 + 20 + 1, but 5 for the higher one:
       5 + 10 + 7 + 7 + 10 + 16 */
    {"cluster:2x2", "allgather/recursive-doubling", {ONE}, {-1, -1, -1, 0}, NODE, 121 + 55},
    /* and the other way: 7; 100 + 1 + 10 + 10 + 1 + max(2 * 3, 4) */
    {"cluster:2x2", "allgather/recursive-doubling", {ONE}, DEVICE, {-1, -1, -1, 0}, 7 + 128},
    /* 25 between nodes, 7 inside, at once, three times; 0 -> 1 -> 2 -> 3 */
    {"cluster:2x2", "allgather/ring", {ONE}, DEVICE, NODE, 3 * 25},
    {"cluster:2x2", "allgather/ring", {ONE, ASYNCHRONOUS}, DEVICE, NODE, 3 * 25},
    {"cluster:2x2", "broadcast/chain", {ONE}, DEVICE, NODE, 7 + 25 + 7},
    /* the later startup of both: 5 + 4 + 11 + 11 + 4; at every hop 6 + 16 + 16 + 6 */
    {"cluster:2x2", "allgather/ring", {ONE, FORWARD}, DEVICE, NODE, 3 * 35},
    {"cluster:2x2", "allgather/ring", {ONE, STARTUPS}, DEVICE, NODE, 3 * 44},
    /* 1 and 1/4 between the nodes: 21 + 5; 21 + 8; in two lanes the whole one as if alone */
    {"cluster:2x2", MEETING, {ONE, FREE}, DEVICE, NODE, 26},
    {"cluster:2x2", MEETING, {ONE, FREE, BY_MESSAGES}, DEVICE, NODE, 29},
    {"cluster:2x2", MEETING, {ONE, FREE}, DEVICE, TWO_LANES, 25},
    {"cluster:2x2", MEETING, {ONE, FREE, BY_MESSAGES}, DEVICE, TWO_LANES, 25},
    {"cluster:2x2", MEETING, {ONE, FREE, WITHOUT_CONTENTION}, DEVICE, NODE, 25},
    /* 1 from 0 to the other node, 1/4 from there to 0 */
    {"cluster:2x2", BOTH(0, 2, 3, 0), {ONE}, DEVICE, NODE, 25 + 11},
    {"cluster:2x2", BOTH(0, 2, 3, 0), {ONE, HALF}, DEVICE, NODE, 26 + 11},
    /* Ports of a rank are those of its links: 1 and 2 at once, 2 on the root's link: 21 + 6,
       combined 22; then 25 + 11 */
    {"cluster:2x2", AT_ONCE, {ONE}, {2, 1, 3, 2}, NODE, 27 + 22 + 25 + 11},
    {"cluster:2x2", AT_ONCE, {ONE}, DEVICE, NODE, 7 + 25 + 25 + 33},
    {"cluster:2x2", AT_ONCE, {ALL}, {2, 1, 3, 2}, NODE, 7 + 25 + 25 + 33},
    /* all three: 9 on the root's link, 8 between the switches */
    {"cluster:2x2", AT_ONCE, {.ports = 3, .fixed_ports = true}, DEVICE, NODE, 21 + 9 + 33},
    /* 7, beside it 2 + 2 + 3/4; 25; combined 11 + 11, or 11/4 + 11 */
    {"cluster:3x2", UNEVEN, {ONE}, DEVICE, NODE, 7 + 11 + 25 + 11},
    {"cluster:3x2", UNEVEN, {ONE, ASYNCHRONOUS}, DEVICE, NODE, 4.75 + 2.75 + 25 + 11},
    /* 4 + 3/4, then 21 + 1; side by side */
    {"cluster:2x2", OTHERS, {ONE, ASYNCHRONOUS}, DEVICE, NODE, 4.75 + 2.75 + 22 + 2.75},
    {"cluster:2x2", OTHERS, {ONE, OVERLAP}, DEVICE, NODE, 22 + 2.75},
    /* 25, 25 and 7 arrive; combined from 25, 50 and 61 on */
    {"cluster:2x2", "reduce/flat", {ONE}, DEVICE, NODE, 57 + 33},
    {"cluster:2x2", "reduce/flat", {ONE, OVERLAP}, DEVICE, NODE, 72},
    /* Rails: 7 inside a node, 5 + 14 + 4 on one rail, 5 + 28 + 4 from rail to rail. Two blocks on
       each rail: 19 + 8 */
    {"rails:2x2", "allgather/recursive-doubling", {ONE}, DEVICE, NODE, 7 + 27},
    {"rails:2x2", "allgather/recursive-doubling", {BY_LEVEL}, DEVICE, NODE, 7 + 27},
    /* a rail is one adapter, however many a node has */
    {"rails:2x2", "allgather/recursive-doubling", {ONE}, DEVICE, {5, 7, 4, 8}, 7 + 27},
    /* to a neighbour with all, and to the other node with a quarter: 7 and 20 */
    {"rails:2x2", BOTH(0, 1, 0, 2), {ONE, FREE}, DEVICE, NODE, 7 + 20},
    {"rails:2x2", BOTH(0, 1, 0, 2), {BY_LEVEL, FREE}, DEVICE, NODE, 20},
    {"rails:2x2", BOTH(0, 1, 0, 2), {BY_LEVEL}, DEVICE, NODE, 20 + 11},
    /* what arrives in that way, too */
    {"rails:2x2", BOTH(1, 0, 2, 0), {ONE, FREE}, DEVICE, NODE, 7 + 20},
    {"rails:2x2", BOTH(1, 0, 2, 0), {BY_LEVEL, FREE}, DEVICE, NODE, 20},
    {"rails:2x2", BOTH(1, 0, 2, 0), {BY_LEVEL}, DEVICE, NODE, 20 + 11 + 2.75},
    /* both by the adapter: 23, then 37; on two rails they are two ranks' */
    {"rails:2x2", FORK, {ONE, FREE}, DEVICE, NODE, 23 + 37},
    {"rails:2x2", FORK, {BY_LEVEL, FREE}, DEVICE, NODE, 23 + 37},
    {"rails:2x2", BOTH(0, 2, 1, 3), {BY_LEVEL, FREE}, DEVICE, NODE, 23},
    /* from 1 and 2 at once, then from 3 */
    {"rails:2x2", AT_ONCE, {ONE}, DEVICE, NODE, 7 + 23 + 37 + 33},
    {"rails:2x2", AT_ONCE, {BY_LEVEL}, DEVICE, NODE, 23 + 22 + 37 + 11},
    /* 2 + 4 + 4 and 5 + 8 + 8; at every hop 6 + 6 and 13 + 13 */
    {"rails:2x2", BOTH(0, 1, 0, 2), {ONE, FREE, FORWARD}, DEVICE, NODE, 10 + 21},
    {"rails:2x2", BOTH(0, 1, 0, 2), {BY_LEVEL, FREE, FORWARD}, DEVICE, NODE, 21},
    {"rails:2x2", BOTH(0, 1, 0, 2), {BY_LEVEL, FREE, STARTUPS}, DEVICE, NODE, 26},
    /* combined at 1 after 7, at 2 after 20; one processor each */
    {"rails:2x2", BOTH(0, 1, 0, 2), {BY_LEVEL, ASYNCHRONOUS}, DEVICE, NODE, 20 + 2.75},
    {"rails:2x2", BOTH(0, 1, 1, 0), {BY_LEVEL, FREE, HALF}, DEVICE, NODE, 4 + 3.75},
    {"rails:2x2", BOTH(0, 1, 0, 2), {BY_LEVEL, FREE, HALF}, DEVICE, NODE, 20},
    /* a number counts whatever the levels say: 7 and 23 at once, and both by one adapter, where
       they share the rail: 5 + 28 + 8 */
    {"rails:2x2", BOTH(0, 1, 0, 2), {.ports = 2, .fixed_ports = true, FREE}, DEVICE, NODE, 20},
    {"rails:2x2", FORK, {.ports = 2, .fixed_ports = true, FREE}, DEVICE, NODE, 33 + 8},
    /* together: 5 + 14, then 3 + 1 by one port; by two, 3. Both by the adapter of rank 0: 8 */
    {"rails:2x2", BOTH(0, 1, 0, 2), {ONE, FREE, POSTED}, DEVICE, NODE, 19 + 4},
    {"rails:2x2", BOTH(0, 1, 0, 2), {BY_LEVEL, FREE, POSTED}, DEVICE, NODE, 19 + 3},
    {"rails:2x2", FORK, {BY_LEVEL, FREE, POSTED, WITHOUT_CONTENTION}, DEVICE, NODE, 33 + 8},
    {"rails:2x2",
     BOTH(1, 0, 2, 0),
     {BY_LEVEL, FREE, POSTED, WITHOUT_CONTENTION},
     DEVICE,
     NODE,
     19 + 3},
    /* all links of these ranks are of one level: one port, even where the level has two */
    {"cluster:2x2", AT_ONCE, {BY_LEVEL}, {2, 1, 3, 2}, NODE, 7 + 25 + 25 + 33},
    {"ring:4", AT_ONCE, {BY_LEVEL}, DEVICE, NODE, 111 + 111 + 121 + 33},
};

static Level level_of(Fixture *fixture, const char *name, LevelPrice link_cost)
{
    return (Level){.name = text_of(fixture, name),
                   .parameters = {link_cost.ts, link_cost.th, link_cost.tw, -1},
                   .ports = link_cost.ports};
}

/* On rails:2x2, in ns for one byte, which takes 2 ns to the switch of a node, 4 ns to a rail. */
static const struct {
    const char *collective;
    Rules rules;
    double ports, cut;
} bounded[] = {
    /* 12 messages, 4 of which go between nodes: (8 * 2 + 4 * 4) over 4 ports, over 8; 3 come into a
       rank over its fastest link, over both links 3 (1/2 + 1/4), and 2 into a node over two rails
     */
    {"allgather", {ONE}, 8, 6},
    {"allgather", {BY_LEVEL}, 4, 4},
    /* 6 messages, 2 between nodes: (4 * 2 + 2 * 4) over 4 ports, over 8; 1 into a node */
    {"allreduce", {ONE}, 4, 2},
    {"allreduce", {BY_LEVEL}, 2, 2},
};

START_TEST(bounds_of_rails)
{
    Fixture *fixture = fixture_open();
    const Level levels[] = {level_of(fixture, "node", (LevelPrice){-1, -1, 4e-9, 0}),
                            level_of(fixture, "device", (LevelPrice){-1, -1, 2e-9, 0})};
    const double machine[PARAMETER_COUNT] = {0};
    Rules rules = bounded[_i].rules;
    Contract contract;
    BoundSet bounds;
    rules.levels = levels;
    rules.level_count = 2;
    Network network = network_named(fixture, "rails:2x2", TIES_PLUS);
    ck_assert(contract_create(fixture->arena, collective_named(fixture, bounded[_i].collective),
                              network.p, 0, 0, &contract, &fixture->diag));
    bounds_compute(fixture->arena, &contract, &network, &rules, BOUND_SEARCH_CUTS, &bounds);
    assert_near(bound_seconds(&bounds.items[BOUND_PORTS], machine, 1), 1e-9 * bounded[_i].ports,
                1e-14);
    assert_near(bound_seconds(&bounds.items[BOUND_CUT], machine, 1), 1e-9 * bounded[_i].cut, 1e-14);
    fixture_close(fixture);
}
END_TEST

START_TEST(levels_of_a_cluster)
{
    Fixture *fixture = fixture_open();
    const Level levels[] = {level_of(fixture, "node", leveled[_i].node),
                            level_of(fixture, "device", leveled[_i].device)};
    const double machine[] = {100, 10, 1, 11};
    Rules rules = leveled[_i].rules;
    rules.levels = levels;
    rules.level_count = 2;
    Network network = network_named(fixture, leveled[_i].network, TIES_PLUS);
    Instance instance = rules_instance(fixture, leveled[_i].algorithm, 0, 0, &network, &rules);
    Profile profile;
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    assert_near(cost_total(profile_cost(&profile, machine, 1)), leveled[_i].time, 1e-14);
    fixture_close(fixture);
}
END_TEST

/* On smp:2x2: links to a memory take 2 ts, 1 th, 3 tw, those to the switch 5, 7, 4; a memory passes
   a byte in 5 s, and one between ranks of its node so often. An allgather: 0 <-> 1 and 2 <-> 3,
   then two blocks of each rank to the other node. */
static const struct {
    Rules rules;
    int64_t passes;
    double time;
} remembered[] = {
    /* 2 through each memory, 2 + 2 + 2 * 5; then 4 out and 4 in, 5 + 16 + 8 * 5 */
    {{ONE}, 1, 14 + 61},
    {{ONE}, 2, 24 + 61},
    {{ONE}, 0, 14 + 61},
    {{ONE, BY_MESSAGES}, 1, 14 + 61},
    {{ONE, BY_MESSAGES}, 2, 24 + 61},
    {{ONE, ASYNCHRONOUS}, 2, 24 + 61},
    {{BY_LEVEL}, 2, 24 + 61},
    /* a link has 2, or 8 * 4 between the nodes, which is less than what memories take */
    {{ONE, HALF}, 1, 14 + 61},
    /* a message alone: 2 + 2 + 5, or 10; 5 + 16 + 2 * 5 */
    {{ONE, WITHOUT_CONTENTION}, 1, 9 + 31},
    {{ONE, WITHOUT_CONTENTION}, 2, 14 + 31},
    /* 2, 4 and 10 behind it, 4; then 5, 7 and 4 * 5, 7 + 16, 7 + 16 and 4 * 5, 7 */
    {{ONE, FORWARD}, 1, 20 + 105},
    {{ONE, FORWARD}, 2, 30 + 105},
    /* 2 + 14 + 2 + 4; 2 + 27, 5 + 23, 5 + 43, 2 + 7 */
    {{ONE, STARTUPS}, 1, 22 + 114},
};

static void remember(Fixture *fixture, Level levels[2], int64_t passes, Rules *rules)
{
    levels[0] = level_of(fixture, "node", (LevelPrice)NODE);
    levels[1] = level_of(fixture, "memory", (LevelPrice)DEVICE);
    levels[1].capacity = 1. / 5;
    levels[1].passes = passes;
    rules->levels = levels;
    rules->level_count = 2;
}

START_TEST(memories_of_nodes)
{
    Fixture *fixture = fixture_open();
    Level levels[2];
    const double machine[] = {100, 10, 1, 11};
    Rules rules = remembered[_i].rules;
    remember(fixture, levels, remembered[_i].passes, &rules);
    Network network = network_named(fixture, "smp:2x2", TIES_PLUS);
    Instance instance =
        rules_instance(fixture, "allgather/recursive-doubling", 0, 0, &network, &rules);
    Profile profile;
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    assert_near(cost_total(profile_cost(&profile, machine, 1)), remembered[_i].time, 1e-14);
    fixture_close(fixture);
}
END_TEST

/* 3 blocks come to each of two ranks, 6 in 5 s each, and 1 goes from each; 12 messages in all, over
   two memories. */
START_TEST(memories_bound)
{
    static const double volumes[] = {30, 60};
    Fixture *fixture = fixture_open();
    Level levels[2];
    const double machine[PARAMETER_COUNT] = {0};
    Rules rules = {ONE};
    Contract contract;
    BoundSet bounds;
    remember(fixture, levels, _i + 1, &rules);
    Network network = network_named(fixture, "smp:2x2", TIES_PLUS);
    ck_assert(contract_create(fixture->arena, collective_named(fixture, "allgather"), network.p, 0,
                              0, &contract, &fixture->diag));
    bounds_compute(fixture->arena, &contract, &network, &rules, BOUND_SEARCH_CUTS, &bounds);
    assert_near(bound_seconds(&bounds.items[BOUND_VOLUME], machine, 1), volumes[_i], 1e-14);
    fixture_close(fixture);
}
END_TEST

Suite *rules_levels_suite(void)
{
    Suite *suite = suite_create("rules_levels");
    TCase *times = tcase_create("times");
    tcase_add_loop_test(times, levels_of_a_cluster, 0, (int)(sizeof leveled / sizeof *leveled));
    tcase_add_loop_test(times, bounds_of_rails, 0, (int)(sizeof bounded / sizeof *bounded));
    tcase_add_loop_test(times, memories_of_nodes, 0, (int)(sizeof remembered / sizeof *remembered));
    tcase_add_loop_test(times, memories_bound, 0, 2);
    suite_add_tcase(suite, times);
    return suite;
}
