/* Costs by hand on a cluster whose links differ by level. */
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
};

static Level level_of(Fixture *fixture, const char *name, LevelPrice link_cost)
{
    return (Level){.name = text_of(fixture, name),
                   .parameters = {link_cost.ts, link_cost.th, link_cost.tw, -1},
                   .ports = link_cost.ports};
}

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

Suite *rules_levels_suite(void)
{
    Suite *suite = suite_create("rules_levels");
    TCase *times = tcase_create("times");
    tcase_add_loop_test(times, levels_of_a_cluster, 0, (int)(sizeof leveled / sizeof *leveled));
    suite_add_tcase(suite, times);
    return suite;
}
