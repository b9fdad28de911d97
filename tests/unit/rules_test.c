/* Costs under each rule switched on alone, and under pairs that act on one another, by hand. */
#include "cost/rules.h"

#include "choose/envelope.h"
#include "cost/derive.h"
#include "cost/derive_memo.h"
#include "net/line.h"

#include "rules_cases.h"

#include <math.h>
#include <string.h>

static const RuleCase cases[] = {
    /* Store-and-forward: 4 + 2 + 1 hops, each with tw. */
    {"linear:8", 0, 0, "broadcast/binomial", {.ports = 1, FORWARD}, 3, 7, 7, 0},
    {"linear:8", 0, 0, "broadcast/binomial", {.ports = 1, STARTUPS}, 7, 7, 7, 0},
    {"full:8", 0, 0, "broadcast/binomial", {.ports = 1, FORWARD}, 3, 3, 3, 0},
    {"full:8", 0, 0, "broadcast/binomial", {.ports = 1, STARTUPS}, 3, 3, 3, 0},
    /* 3 -> 4 -> 0 -> 1 -> 2: 1 + 4 + 1 + 1 hops */
    {"linear:5", 3, 0, "broadcast/chain", {.ports = 1, FORWARD}, 4, 7, 7, 0},
    {"linear:5", 3, 0, "reduce/chain", {.ports = 1, STARTUPS}, 7, 7, 7, 4},
    /* blocks 4, 2, 1 over 4, 2, 1 hops: 16 + 4 + 1 */
    {"linear:8", 0, 0, "scatter/binomial", {.ports = 1, FORWARD}, 3, 7, 21, 0},
    /* slots: 1/4 and 3/4 at once, then 1/4, 1/4 */
    {"linear:6", 0, 0, FAR_AND_NEAR, {.ports = 1, FORWARD}, 1, 3, 1.25, .75},
    /* 2 hops right, 4 hops left (4 -> 0, 5 -> 1): in no slot do two share a link */
    {"linear:6", 0, 0, SHIFT, {.ports = 1, FORWARD}, 1, 4, 4, 1},
    {"linear:6", 0, 0, SHIFT, {.ports = 1}, 1, 4, 2, 1},
    /* Contention: 5/4 on the link 1 -> 2, of two messages; twice 1; 1 */
    {"linear:6", 0, 0, MEETING, {.ports = 1}, 1, 2, 1.25, 1},
    {"linear:6", 0, 0, MEETING, {.ports = 1, BY_MESSAGES}, 1, 2, 2, 1},
    {"linear:6", 0, 0, MEETING, {.ports = 1, WITHOUT_CONTENTION}, 1, 2, 1, 1},
    /* with store-and-forward they cross it in different slots: 1 + 1, the quarter beside it */
    {"linear:6", 0, 0, MEETING, {.ports = 1, FORWARD}, 1, 2, 2, 1},
    /* Ports and contention: both on the link 0 -> 1 */
    {"linear:6", 0, 0, FORK, {.ports = 1}, 2, 5, 2, 2},
    {"linear:6", 0, 0, FORK, {.ports = 2}, 1, 3, 2, 1},
    {"linear:6", 0, 0, FORK, {.ports = 2, BY_MESSAGES}, 1, 3, 2, 1},
    {"linear:6", 0, 0, FORK, {.ports = 2, WITHOUT_CONTENTION}, 1, 3, 1, 1},
    /* Store-and-forward and contention: slots with 2, 2, 1 */
    {"linear:6", 0, 0, FORK, {.ports = 2, FORWARD}, 1, 3, 5, 1},
    {"linear:6", 0, 0, FORK, {.ports = 2, FORWARD, BY_MESSAGES}, 1, 3, 5, 1},
    {"linear:6", 0, 0, FORK, {.ports = 2, FORWARD, WITHOUT_CONTENTION}, 1, 3, 3, 1},
    /* rank 0 has one link, so it sends one after the other */
    {"linear:6", 0, 0, FORK, {.ports = 1, .all_ports = true}, 2, 5, 2, 2},
    /* All ports: 4 links of the root, then 1, then 2 (0 and 1 first, then 3 and 4) */
    {"full:5", 0, 0, AT_ONCE, {.ports = 1, .all_ports = true}, 1, 1, 1, 4},
    {"linear:5", 0, 0, AT_ONCE, {.ports = 1, .all_ports = true}, 4, 10, 4, 4},
    {"linear:5", 2, 0, AT_ONCE, {.ports = 1, .all_ports = true}, 2, 4, 4, 4},
    /* Half duplex: both directions of each pair's link */
    {"full:6", 0, 0, PAIRS, {.ports = 1}, 1, 1, 1, 1},
    {"full:6", 0, 0, PAIRS, {.ports = 1, HALF}, 1, 1, 2, 1},
    {"linear:6", 0, 0, PAIRS, {.ports = 1, HALF}, 1, 1, 2, 1},
    {"full:6", 0, 0, PAIRS, {.ports = 1, HALF, WITHOUT_CONTENTION}, 1, 1, 1, 1},
    {"full:6", 0, 0, PAIRS, {.ports = 1, HALF, FORWARD}, 1, 1, 2, 1},
    {"full:8", 0, 0, "broadcast/binomial", {.ports = 1, HALF}, 3, 3, 3, 0},
    /* the links 2 - 3: two to the right, two to the left */
    {"linear:6", 0, 0, SHIFT, {.ports = 1, HALF}, 1, 4, 4, 1},
    /* Combining for nothing */
    {"full:8", 0, 0, "reduce/binomial", {.ports = 1, .combining = COMBINING_NONE}, 3, 3, 3, 0},
    /* Asynchronous: 0 -> 1 takes 1, beside it 2 -> 3 and 3 -> 4 take 1/4 + 1 */
    {"full:6", 0, 0, UNEVEN, {.ports = 1}, 2, 2, 2, 2},
    {"full:6", 0, 0, UNEVEN, {.ports = 1, .asynchronous = true}, 2, 2, 1.25, 1.25},
    {"full:6", 0, 0, UNEVEN, {.ports = 1, OVERLAP}, 2, 2, 1.25, 1.25},
    {"linear:6", 0, 0, UNEVEN, {.ports = 1, .asynchronous = true}, 2, 2, 1.25, 1.25},
    /* the load of the port step still counts */
    {"linear:6", 0, 0, MEETING, {.ports = 1, .asynchronous = true}, 1, 2, 1.25, 1},
    /* a message takes its own slots: three of 1/4, or one of 3/4 */
    {"linear:6", 0, 0, FAR_AND_NEAR, {.ports = 1, FORWARD, .asynchronous = true}, 1, 3, .75, .75},
    {"linear:6", 0, 0, FORK, {.ports = 2, STARTUPS, .asynchronous = true}, 3, 3, 5, 1},
    /* Asynchronous and ports: the root is busy with two, then two */
    {"full:5", 0, 0, AT_ONCE, {.ports = 2, .asynchronous = true}, 2, 2, 2, 4},
    {"full:5", 0, 0, AT_ONCE, {.ports = 2, OVERLAP}, 2, 2, 2, 4},
    {"full:6", 0, 0, PAIRS, {.ports = 1, HALF, .asynchronous = true}, 1, 1, 2, 1},
    {"full:6", 0, 0, PAIRS, {.ports = 1, HALF, OVERLAP}, 1, 1, 2, 1},
    /* Rank 1 sends one quarter while it receives and combines another */
    {"full:6", 0, 0, OTHERS, {.ports = 1, .asynchronous = true}, 2, 2, .5, .5},
    {"full:6", 0, 0, OTHERS, {.ports = 1, OVERLAP}, 1, 1, .25, .25},
    /* Overlap and chunks: 3 + 2 steps of a third */
    {"full:4", 0, 3, "reduce/pipelined-chain", {.ports = 1, OVERLAP}, 5, 5, 5. / 3, 5. / 3},
    {"linear:4",
     0,
     3,
     "reduce/pipelined-chain",
     {.ports = 1, OVERLAP, FORWARD},
     5,
     5,
     5. / 3,
     5. / 3},
    {"full:8", 0, 0, "reduce/binomial", {.ports = 1, OVERLAP}, 3, 3, 3, 3},
    {"full:8", 0, 0, "reduce/flat", {.ports = 1, OVERLAP}, 7, 7, 7, 7},
};

START_TEST(rules_by_hand)
{
    assert_rule_case(&cases[_i]);
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
        .parameters = {exact_from_int(7), exact_from_int(2), exact_from_int(3), exact_from_int(5)}};
    Profile profile;
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    /* 5 rounds of one hop, ts + th + m / 3 (tw + tc): 5 (9 + 4 / 3 * 8) */
    Exact time = profile_time_exact(&profile, &parameters, exact_from_int(4));
    ck_assert(time.exact);
    ck_assert_int_eq(time.numerator, 295);
    ck_assert_int_eq(time.denominator, 3);
    /* Five equal rounds are one entry. */
    ck_assert_uint_eq(profile.step_count, 1);
    fixture_close(fixture);
}
END_TEST

static const Prices machines[] = {
    {1e-6, 0, 1e-9, 2e-10}, {1e-6, 1e-7, 1e-9, 5e-9}, {1e-5, 0, 1e-10, 1e-9},
    {0, 0, 1e-9, 1e-9},     {1e-6, 0, 1e-9, 1e-8},
};

/* (N - 1) (ts + th + n tw + n tc) + (k - 1) max(ts + th + n tw, n tc) with n = m / k: each chunk
   waits behind the one before it for the slower of the link and the combiner. */
START_TEST(a_pipelined_reduction_overlaps)
{
    static const struct {
        int64_t p, k;
    } sizes[] = {{2, 1}, {2, 5}, {4, 1}, {4, 3}, {7, 12}, {16, 2}};
    const Rules rules = {.ports = 1, OVERLAP};
    Fixture *fixture = fixture_open();
    Prices link_costs = machines[_i];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (double m = 10; m < 1e8; m *= 17) {
            int64_t p = sizes[i].p, k = sizes[i].k;
            double n = m / (double)k, link = link_costs.ts + link_costs.th + n * link_costs.tw;
            double combine = n * link_costs.tc;
            double expected =
                (double)(p - 1) * (link + combine) + (double)(k - 1) * fmax(link, combine);
            Network network = network_of(fixture, "full", p);
            Instance instance = instance_of(fixture, "reduce/pipelined-chain", p, 0, k);
            assert_near(time_of(fixture, &instance, &network, &rules, link_costs, m), expected,
                        1e-13);
        }
    fixture_close(fixture);
}
END_TEST

/* N - 1 messages one after the other, combined one after the other. */
START_TEST(a_flat_reduction_overlaps)
{
    const Rules rules = {.ports = 1, OVERLAP};
    Fixture *fixture = fixture_open();
    Prices link_costs = machines[_i];
    Network network = network_of(fixture, "full", 6);
    Instance instance = instance_of(fixture, "reduce/flat", 6, 0, 0);
    for (double m = 10; m < 1e8; m *= 17) {
        double link = link_costs.ts + link_costs.th + m * link_costs.tw,
               combine = m * link_costs.tc;
        assert_near(time_of(fixture, &instance, &network, &rules, link_costs, m),
                    link + combine + 4 * fmax(link, combine), 1e-13);
    }
    fixture_close(fixture);
}
END_TEST

/* With a single line the parts say which path is the longest: startup and transfer 6 times, as the
   first combines at once and the last combines behind them; or the combiner is the slow one. */
START_TEST(parts_are_those_of_the_longest_way)
{
    const Rules rules = {.ports = 1, OVERLAP};
    const double fast[] = {1, 0, 1, .5}, slow[] = {1, 0, 1, 9};
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 7);
    Instance instance = instance_of(fixture, "reduce/flat", 7, 0, 0);
    Profile profile;
    ck_assert(
        profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    CostParts parts = profile_cost(&profile, fast, 4); /* 6 (1 + 4) + 2 */
    assert_near(parts.startup, 6, 1e-14);
    assert_near(parts.transfer, 24, 1e-14);
    assert_near(parts.compute, 2, 1e-14);
    parts = profile_cost(&profile, slow, 4); /* 1 + 4 + 6 * 36 */
    assert_near(parts.startup, 1, 1e-14);
    assert_near(parts.transfer, 4, 1e-14);
    assert_near(parts.compute, 216, 1e-14);
    fixture_close(fixture);
}
END_TEST

/* Between the bends that are found the time is a line, and it bends at each of them. */
START_TEST(bends_are_found)
{
    static const struct {
        const char *topology, *algorithm;
        int64_t p, k;
        Rules rules;
    } curves[] = {
        {"full", "reduce/pipelined-chain", 6, 4, {.ports = 1, OVERLAP}},
        {"linear", "reduce/pipelined-binary-tree", 13, 5, {.ports = 1, OVERLAP}},
        {"linear", "reduce/pipelined-binary-tree", 13, 3, {.ports = 1, .asynchronous = true}},
        {"linear", "broadcast/pipelined-binary-tree", 13, 3, {.ports = 2, FORWARD}},
        {"linear", "broadcast/pipelined-binary-tree", 13, 3, {.ports = 3}},
        {"linear", "reduce/flat", 9, 0, {.ports = 1, OVERLAP}},
    };
    enum { MOST = 1 << 30 };
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, curves[_i].topology, curves[_i].p);
    Instance instance = instance_of(fixture, curves[_i].algorithm, curves[_i].p, 0, curves[_i].k);
    instance.ports = curves[_i].rules.ports;
    const double link_costs[] = {1e-6, 3e-7, 1e-9, 2e-9};
    Profile profile;
    SizeArray bends = {0};
    ck_assert(profile_derive(fixture->arena, &instance, &network, &curves[_i].rules, &profile,
                             &fixture->diag));
    ck_assert(profile_bends(&profile, link_costs,
                            &(BendList){1, MOST, fixture->arena, &bends, &fixture->diag}));
    for (size_t i = 0; i < bends.count; i++) { /* in rising order */
        for (size_t j = i + 1; j < bends.count; j++)
            if (bends.items[j] < bends.items[i]) {
                double swap = bends.items[i];
                bends.items[i] = bends.items[j], bends.items[j] = swap;
            }
        ck_assert(bends.items[i] > 1 && bends.items[i] < MOST);
    }
    *ARRAY_PUSH(fixture->arena, &bends) = MOST;
    double low = 1;
    for (size_t i = 0; i < bends.count; i++) {
        double high = bends.items[i], middle = low + (high - low) / 2;
        double ends = cost_total(profile_cost(&profile, link_costs, low)) +
                      cost_total(profile_cost(&profile, link_costs, high));
        assert_near(cost_total(profile_cost(&profile, link_costs, middle)), ends / 2, 1e-11);
        low = high;
    }
    fixture_close(fixture);
}
END_TEST

/* At each size the piece that covers it is nowhere slower than any other algorithm. */
START_TEST(switch_points_under_rules)
{
    static const char *const names[] = {"reduce/binomial", "reduce/chain", "reduce/flat",
                                        "reduce/pipelined-binary-tree", "reduce/pipelined-chain"};
    static const Rules rules_tried[] = {
        {.ports = 1, OVERLAP},
        {.ports = 2, FORWARD},
        {.ports = 1, FORWARD, .asynchronous = true},
        {.ports = 3, BY_MESSAGES, HALF},
        {.ports = 1, .all_ports = true, STARTUPS, OVERLAP},
    };
    enum { COUNT = sizeof names / sizeof *names };
    const double from = 1, to = 0x1p40;
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "linear", 6);
    Rules rules = rules_tried[_i];
    const double link_costs[] = {1e-6, 3e-7, 1e-9, 2e-9};
    memcpy(rules.parameters, link_costs, sizeof link_costs);
    Curve *curves[COUNT];
    PieceArray pieces = {0};
    for (size_t i = 0; i < COUNT; i++)
        curves[i] = curve_of(fixture, names[i], &network, 0, &rules, 4);
    ck_assert(envelope_find(
        &(ChoiceAxis){fixture->arena, COUNT, from, to, &fixture->diag, .curves = curves}, &pieces));
    size_t piece = 0;
    for (double bytes = from; bytes < to; bytes *= 1.07) {
        CurvePoint winner, other;
        while (pieces.items[piece].to < bytes)
            piece++;
        ck_assert(curve_at(curves[pieces.items[piece].curve], bytes, 4, &winner, &fixture->diag));
        for (size_t i = 0; i < COUNT; i++) {
            ck_assert(curve_at(curves[i], bytes, 4, &other, &fixture->diag));
            ck_assert_msg(winner.total <= other.total * (1 + 1e-11), "%s at %g bytes", names[i],
                          bytes);
            assert_near(other.intercept + other.slope * bytes, other.total, 1e-12);
        }
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(chunks_of_whole_bytes)
{
    const Rules rules = {.ports = 1, .ceil_chunks = true};
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 4);
    Instance instance = instance_of(fixture, "broadcast/pipelined-chain", 4, 0, 3);
    const Prices link_costs = {0, 0, 1, 0};
    /* 5 rounds of 4 bytes, of 3, of 1 */
    ck_assert_double_eq(time_of(fixture, &instance, &network, &rules, link_costs, 10), 20);
    ck_assert_double_eq(time_of(fixture, &instance, &network, &rules, link_costs, 9), 15);
    ck_assert_double_eq(time_of(fixture, &instance, &network, &rules, link_costs, .5), 5);
    fixture_close(fixture);
}
END_TEST

/* Two nodes of two ranks; 4 and 5 are their switches.

       0 --- 4 === 5 --- 2        --- device, === node
       1 ---'       '--- 3                              */
typedef struct {
    Network network;
    Topology topology;
    LinkClass classes[2];
    Level levels[2];
    Rules rules;
    Router router;
} Cluster;

static Cluster *make_cluster(Fixture *fixture)
{
    static const int64_t starts[] = {0, 1, 2, 3, 4, 7, 10};
    static const int64_t neighbours[] = {4, 4, 5, 5, 0, 1, 5, 2, 3, 4};
    static const int64_t arrivals[] = {1, 1, 1, 1, 3, 3};
    static const ClassNumber link_classes[] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 1};
    static const char *const ranked[] = {"device", "node"};
    static int32_t to_2[] = {4, 4, -1, 5, 5, 2}, to_3[] = {4, 4, 5, -1, 5, 3};
    static int32_t *columns[] = {NULL, NULL, to_2, to_3, NULL, NULL};
    Cluster *cluster = ARENA_NEW(fixture->arena, Cluster);
    Network linear = network_of(fixture, "linear", 4);
    *cluster = (Cluster){
        .topology = *linear.topology,
        .classes = {{"device", 0, -1, -1}, {"node", 0, -1, -1}},
        /* tw for bandwidth */
        .levels = {{.name = text_of(fixture, "device"), .parameters = {2, 0, 3, -1}},
                   {.name = text_of(fixture, "node"), .parameters = {5, -1, 2, -1}}},
        .rules = {.parameters = {100, 10, 1, 0}, .ports = 1, .level_count = 2},
    };
    cluster->rules.levels = cluster->levels;
    cluster->topology.levels = ranked;
    cluster->topology.level_count = 2;
    cluster->network = linear;
    cluster->network.topology = &cluster->topology;
    cluster->network.node_count = 6;
    cluster->network.starts = starts;
    cluster->network.neighbours = neighbours;
    cluster->network.arrivals = arrivals;
    cluster->network.classes = cluster->classes;
    cluster->network.class_count = 2;
    cluster->network.link_classes = link_classes;
    cluster->network.router = &cluster->router;
    cluster->router.count = 1;
    cluster->router.lines[0] = (Line){.topology = &cluster->topology,
                                      .graph = network_graph(&cluster->network),
                                      .grid = {.size = 6, .stride = 1},
                                      .columns = columns};
    return cluster;
}

/* The time of a port step with 0 -> 2 of `a` blocks and 1 -> 3 of `b`, and, if `inside`, 3 -> 2 of
   one, for blocks of one byte. */
static double time_across(Fixture *fixture, const Cluster *cluster, size_t a, size_t b, bool inside)
{
    const ScheduledTransfer transfers[] = {
        {.from = 0, .to = 2, .block_count = a},
        {.from = 1, .to = 3, .block_count = b},
        {.from = 3, .to = 2, .block_count = 1},
    };
    const ScheduledTransfer *list[] = {&transfers[0], &transfers[1], &transfers[2]};
    int64_t sizes[] = {a, b, 1};
    PortStep step = {.count = inside ? 3 : 2, .transfers = list, .sizes = sizes};
    LoadContext context = {.rules = &cluster->rules,
                           .network = &cluster->network,
                           .link_costs =
                               rules_link_costs(fixture->arena, &cluster->rules, &cluster->network),
                           .memo = memo_create(fixture->arena),
                           .each = true};
    ck_assert(port_step_route(&context, fixture->arena, &step, &fixture->diag));
    double time = 0;
    for (size_t e = 0; e < step.entry_count; e++)
        time += cost_total(paths_slowest(step.entry_paths + step.entries[e].first,
                                         step.entries[e].count, cluster->rules.parameters, 1));
    return time;
}

START_TEST(levels_by_hand)
{
    Fixture *fixture = fixture_open();
    Cluster *cluster = make_cluster(fixture);
    /* the startup of the node level, th of the machine for its one link and 0 for the others; the
       load 8 at 2 on the link of both, 4 at 3 on the others: 5 + 10 + 16 */
    ck_assert_double_eq(time_across(fixture, cluster, 4, 4, false), 31);
    /* two lanes: 4 at 2, so 4 at 3 is slower: 5 + 10 + 12 */
    cluster->levels[1].ports = 2;
    ck_assert_double_eq(time_across(fixture, cluster, 4, 4, false), 27);
    /* 5 over two lanes are 4 at least, for the one of 4: 5 + 10 + 12 */
    ck_assert_double_eq(time_across(fixture, cluster, 4, 1, false), 27);
    /* lanes of the link itself count: 12 over 3 */
    cluster->classes[1].lanes = 3;
    ck_assert_double_eq(time_across(fixture, cluster, 6, 6, false), 5 + 10 + 18);
    cluster->classes[1].lanes = 0;
    cluster->levels[1].ports = 0;
    /* the link's own bandwidth before that of its level: 8 at 7 */
    cluster->classes[1].tw = 7, cluster->classes[1].th = 1;
    ck_assert_double_eq(time_across(fixture, cluster, 4, 4, false), 5 + 1 + 56);
    cluster->classes[1].tw = -1, cluster->classes[1].th = -1;
    /* the machine's tw where the level has none, and the slower of both: 8 tw or 12 */
    cluster->levels[1].parameters[PARAMETER_TW] = -1;
    ck_assert_double_eq(time_across(fixture, cluster, 4, 4, false), 5 + 10 + 12);
    cluster->rules.parameters[PARAMETER_TW] = 2;
    ck_assert_double_eq(time_across(fixture, cluster, 4, 4, false), 5 + 10 + 16);
    fixture_close(fixture);
}
END_TEST

START_TEST(levels_with_store_and_forward)
{
    Fixture *fixture = fixture_open();
    Cluster *cluster = make_cluster(fixture);
    cluster->rules.switching = SWITCHING_STORE_AND_FORWARD;
    /* 5, then slots of 12, of 10 + 16, of 12 */
    ck_assert_double_eq(time_across(fixture, cluster, 4, 4, false), 55);
    /* beside them 3 -> 2 takes slots of 3 and 3 */
    ck_assert_double_eq(time_across(fixture, cluster, 4, 4, true), 55);
    /* a startup of the machine on the lower level: 100 before that of 5 */
    cluster->levels[0].parameters[PARAMETER_TS] = -1;
    ck_assert_double_eq(time_across(fixture, cluster, 4, 4, true), 150);
    ck_assert_double_eq(time_across(fixture, cluster, 4, 4, false), 55);
    cluster->levels[0].parameters[PARAMETER_TS] = 2;
    /* 2 + 12, 5 + 10 + 16, 2 + 12 */
    cluster->rules.switching = SWITCHING_STARTUPS;
    ck_assert_double_eq(time_across(fixture, cluster, 4, 4, false), 59);
    fixture_close(fixture);
}
END_TEST

START_TEST(ports_of_levels)
{
    Fixture *fixture = fixture_open();
    Cluster *cluster = make_cluster(fixture);
    double least[PARAMETER_COUNT];
    rules_least(&cluster->rules, &cluster->network, least);
    ck_assert_double_eq(least[PARAMETER_TS], 2);
    ck_assert_double_eq(least[PARAMETER_TH], 0);
    ck_assert_double_eq(least[PARAMETER_TW], 2);
    ck_assert_int_eq(rules_ports(&cluster->rules, &cluster->network), 1);
    cluster->levels[0].ports = 3, cluster->levels[1].ports = 8;
    const LinkCost *link_costs =
        rules_link_costs(fixture->arena, &cluster->rules, &cluster->network);
    ck_assert_int_eq(rules_ports(&cluster->rules, &cluster->network), 3);
    ck_assert_int_eq(link_costs[0].lanes, 1);
    ck_assert_int_eq(link_costs[1].lanes, 8);
    ck_assert_int_lt(link_costs[0].level, link_costs[1].level);
    cluster->rules.fixed_ports = true;
    ck_assert_int_eq(rules_ports(&cluster->rules, &cluster->network), 1);
    cluster->rules.all_ports = true;
    ck_assert_int_eq(rules_ports(&cluster->rules, &cluster->network), 1);
    Network linear = network_of(fixture, "linear", 4), full = network_of(fixture, "full", 4);
    ck_assert_int_eq(rules_ports(&cluster->rules, &linear), 2);
    ck_assert_int_eq(rules_ports(&cluster->rules, &full), 3);
    ck_assert_int_eq(rules_send_ports(&cluster->rules, &linear, 0), 1);
    ck_assert_int_eq(rules_receive_ports(&cluster->rules, &linear, 1), 2);
    fixture_close(fixture);
}
END_TEST

START_TEST(rules_are_described)
{
    Fixture *fixture = fixture_open();
    const Rules usual = {.ports = 1};
    const Rules other = {
        .all_ports = true, FORWARD, BY_MESSAGES, HALF, OVERLAP, .ceil_chunks = true, PARITY};
    ck_assert(rules_are_usual(&usual));
    ck_assert(!rules_are_usual(&other));
    ck_assert_str_eq(rules_describe(fixture->arena, &usual),
                     "cut-through, 1 port, contention by bytes, full duplex, combining after the "
                     "receive, integer k");
    ck_assert_str_eq(rules_describe(fixture->arena, &other),
                     "store-and-forward, all ports, contention by messages, half duplex, combining "
                     "overlapped, asynchronous, integer k, whole bytes per chunk, ties by parity");
    fixture_close(fixture);
}
END_TEST

/* Where k is free the messages of all k would be too many. */
START_TEST(too_many_messages_are_refused)
{
    const Rules rules = {.ports = 1, .asynchronous = true};
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 4096);
    Instance instance = instance_of(fixture, "broadcast/pipelined-chain", 4096, 0, 600);
    Profile profile;
    ck_assert(
        !profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
    assert_error(fixture);
    const Rules overlap = {.ports = 1, OVERLAP};
    instance.k = 513;
    ck_assert(
        !profile_derive(fixture->arena, &instance, &network, &overlap, &profile, &fixture->diag));
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

static bool counts_posts(const Rules *rules)
{
    return rules_count_delays(rules, DELAY_OVERHEAD, DELAY_CONTACT);
}

static bool counts_contacts(const Rules *rules)
{
    return rules_count_delays(rules, DELAY_CONTACT, DELAY_EXCHANGE);
}

/* A delay of the machine, or of one of two levels; a third one is none of its. */
START_TEST(delays_of_levels_are_seen)
{
    Level levels[3] = {0};
    for (int kind = 0; kind < DELAYS_OF_LEVELS; kind++)
        levels[2].delays[kind].is_given = true;
    for (int kind = 0; kind < DELAY_COUNT; kind++) {
        Rules rules = {.ports = 1, .keeps_spacing = true, .levels = levels, .level_count = 2};
        const bool is_contact = kind == DELAY_CONTACT || kind == DELAY_CONTACT_POSTED;
        const bool is_exchange = kind == DELAY_EXCHANGE;
        ck_assert(counts_posts(&rules) && counts_contacts(&rules) && !rules_have_contacts(&rules));
        ck_assert(!rules_have_exchanges(&rules));
        ck_assert(rules_are_usual(&rules));
        for (int of = -1; of < (kind < DELAYS_OF_LEVELS ? 2 : 0); of++) {
            bool *given = of < 0 ? &rules.delays[kind].is_given : &levels[of].delays[kind].is_given;
            *given = true;
            ck_assert(counts_posts(&rules) == (of < 0 || is_contact || is_exchange));
            ck_assert(counts_contacts(&rules) == (of < 0 || !is_contact));
            ck_assert(rules_have_contacts(&rules) == is_contact);
            ck_assert(rules_have_exchanges(&rules) == is_exchange);
            ck_assert(rules_are_usual(&rules) == (kind == DELAY_CALL));
            *given = false;
        }
        rules.keeps_spacing = false;
        ck_assert(!counts_posts(&rules) && !counts_contacts(&rules));
    }
}
END_TEST

Suite *rules_suite(void)
{
    enum { MACHINES = sizeof machines / sizeof *machines };
    Suite *suite = suite_create("rules");
    TCase *times = tcase_create("times");
    tcase_set_timeout(times, 300);
    tcase_add_loop_test(times, rules_by_hand, 0, sizeof cases / sizeof *cases);
    tcase_add_test(times, rounds_are_counted_not_hops);
    tcase_add_test(times, store_and_forward_is_exact);
    tcase_add_loop_test(times, a_pipelined_reduction_overlaps, 0, MACHINES);
    tcase_add_loop_test(times, a_flat_reduction_overlaps, 0, MACHINES);
    tcase_add_test(times, parts_are_those_of_the_longest_way);
    tcase_add_loop_test(times, bends_are_found, 0, 6);
    tcase_add_loop_test(times, switch_points_under_rules, 0, 5);
    tcase_add_test(times, chunks_of_whole_bytes);
    tcase_add_test(times, too_many_messages_are_refused);
    tcase_add_test(times, delays_of_levels_are_seen);
    suite_add_tcase(suite, times);
    TCase *levels = tcase_create("levels");
    tcase_add_test(levels, levels_by_hand);
    tcase_add_test(levels, levels_with_store_and_forward);
    tcase_add_test(levels, ports_of_levels);
    tcase_add_test(levels, rules_are_described);
    suite_add_tcase(suite, levels);
    return suite;
}
