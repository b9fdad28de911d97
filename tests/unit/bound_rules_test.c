/* Bounds by hand where rules, lanes and bandwidths matter. */
#include "bound/bounds.h"
#include "bound/kinds.h"
#include "bound/linear_program.h"

#include "unit.h"

/* Half the ranks send to the other half; and a bridge between two pairs. */
static const char models[] =
    "collective: half\nblocks: {b: p}\nbefore: r\nafter: r - p div 2 if r >= p div 2\n"
    "---\n"
    "topology: bridge\nranks: 4\nlevels: [near, far]\nlinks:\n"
    "  - {from: 0, to: 1, both: yes, level: near, lanes: 2}\n"
    "  - {from: 2, to: 3, both: yes, level: near, lanes: 2}\n"
    "  - {from: 1, to: 2, both: yes, level: far}\nrouting: shortest\n"
    "---\n"
    "topology: mixed\nranks: 4\nlinks:\n"
    "  - {from: 0, to: 1, both: yes, bandwidth: 8 GB/s}\n"
    "  - {from: 1, to: 2, both: yes, bandwidth: 2 GB/s}\n"
    "  - {from: 2, to: 3, both: yes, bandwidth: 8 GB/s}\nrouting: shortest\n";

#define AT_ONCE .contention = CONTENTION_BYTES
#define FREE .contention = CONTENTION_NONE
#define STEP .asynchronous = true
#define FORWARD .switching = SWITCHING_STORE_AND_FORWARD

/* Times m tw as fractions; those of `mixed`, where a bandwidth is its own, times m / (2 GB/s). */
static const struct {
    const char *collective, *network;
    Rules rules;
    int64_t node[2], ports[2], volume[2], cut[2];
} cases[] = {
    /* 6 blocks of 6 links over 22; all 6 over the link in the middle */
    {"half", "linear:12", {.ports = 1}, {1, 1}, {1, 2}, {18, 11}, {6, 1}},
    /* without barriers they may cross it at once, but 1 and 1 port of 12 */
    {"half", "linear:12", {.ports = 1, STEP}, {1, 1}, {1, 2}, {0, 1}, {1, 1}},
    {"half", "linear:12", {.ports = 1, FREE}, {1, 1}, {1, 2}, {0, 1}, {1, 1}},
    /* each keeps a port for 6 links: 36 / 12 */
    {"half", "linear:12", {.ports = 1, FORWARD, STEP}, {1, 1}, {3, 1}, {0, 1}, {1, 1}},
    {"half", "linear:12", {.ports = 1, FORWARD}, {1, 1}, {3, 1}, {18, 11}, {6, 1}},
    /* both directions of 11 links: 36 / 11 */
    {"half", "linear:12", {.ports = 1, .duplex = DUPLEX_HALF}, {1, 1}, {1, 2}, {36, 11}, {6, 1}},
    /* 56 over 8 links with one direction each, which half duplex does not slow down */
    {"allgather", "uniring:8", {.ports = 1, .duplex = DUPLEX_HALF}, {7, 1}, {7, 1}, {7, 1}, {7, 1}},
    /* 8 of 16 links have both directions: 4 go each path between the halves, over 2 links */
    {"alltoall",
     "ring:4",
     {.all_ports = true, .duplex = DUPLEX_HALF},
     {3, 2},
     {3, 2},
     {4, 1},
     {4, 1}},
    /* 14 messages through 8 or 16 ports, and over 16 links */
    {"allreduce", "ring:8", {.ports = 1}, {1, 1}, {7, 4}, {7, 8}, {1, 1}},
    {"allreduce", "ring:8", {.all_ports = true}, {1, 2}, {7, 8}, {7, 8}, {1, 2}},
    /* 7 messages bring all together; over 16 links */
    {"reduce", "ring:8", {.ports = 1}, {1, 1}, {7, 8}, {7, 16}, {1, 1}},
    /* every message between ranks crosses 2 links of 8; 12 / 8 */
    {"allgather", "star:4", {.all_ports = true}, {3, 1}, {3, 1}, {3, 1}, {3, 1}},
    /* 2 ports of 4 ranks; 12 links, in alltoall 20, of 2 + 2 + 1 lanes each path; 2, or 2 * 2,
       blocks over the link in the middle */
    {"allgather", "bridge", {.ports = 2}, {3, 2}, {3, 2}, {6, 5}, {2, 1}},
    {"alltoall", "bridge", {.ports = 2}, {3, 2}, {3, 2}, {2, 1}, {4, 1}},
    {"scatter", "bridge", {.ports = 2}, {3, 2}, {3, 8}, {3, 5}, {2, 1}},
    /* 8 GB/s at the ends: 3 / 4; 12 messages, 4 of which cross the middle, 8 / 4 + 4 over 4 ports;
       two paths of 3/2 and two of 5/4 in time, over 6 links; 2 at 2 GB/s */
    {"allgather", "mixed", {.ports = 1}, {3, 4}, {3, 2}, {11, 12}, {2, 1}},
    /* 2 messages enter ranks 2 and 3, one of them over the middle: 1 / 4 + 1 over 2 ports */
    {"broadcast", "mixed", {.ports = 1}, {1, 4}, {5, 8}, {1, 4}, {1, 1}},
    /* 6 messages, 2 over the middle: 4 / 4 + 2; all 6 over 36 GB/s */
    {"allreduce", "mixed", {.ports = 1}, {1, 4}, {3, 4}, {1, 3}, {1, 1}},
    /* 12 messages, 8 of them over the middle: 4 / 4 + 8 over 8 ports. In time 2 and 2 of the ends,
       at 1/4; 2 of the middle at 1, 4 at 5/4 and 2 at 3/2: 11 over 6 links */
    {"alltoall", "mixed", {.ports = 2, .fixed_ports = true}, {3, 4}, {9, 8}, {11, 6}, {4, 1}},
};

static void assert_times(const Bound *bound, const int64_t expected[2], double unit)
{
    const double parameters[PARAMETER_COUNT] = {[PARAMETER_TW] = 1};
    double seconds = bound_seconds(bound, parameters, 1) / unit;
    ck_assert_msg(seconds == (double)expected[0] / (double)expected[1], "%s: %.17g, %s",
                  bound_names[bound->kind], seconds, bound->reason);
}

static BoundSet bounds_on(Fixture *fixture, const char *collective, const char *name,
                          const Rules *rules, BoundSearch search)
{
    BoundSet bounds;
    Contract contract;
    use_models(fixture, models);
    Network network =
        strchr(name, ':') ? network_named(fixture, name, TIES_PLUS) : network_of(fixture, name, 4);
    ck_assert(contract_create(fixture->arena, collective_named(fixture, collective), network.p, 0,
                              0, &contract, &fixture->diag));
    bounds_compute(fixture->arena, &contract, &network, rules, search, &bounds);
    return bounds;
}

START_TEST(bounds_under_rules)
{
    Fixture *fixture = fixture_open();
    bool own = strcmp(cases[_i].network, "mixed") == 0;
    BoundSet bounds = bounds_on(fixture, cases[_i].collective, cases[_i].network, &cases[_i].rules,
                                BOUND_SEARCH_CUTS);
    double unit = own ? 1 / 2e9 : 1;
    assert_times(&bounds.items[BOUND_NODE], cases[_i].node, unit);
    assert_times(&bounds.items[BOUND_PORTS], cases[_i].ports, unit);
    assert_times(&bounds.items[BOUND_VOLUME], cases[_i].volume, unit);
    assert_times(&bounds.items[BOUND_CUT], cases[_i].cut, unit);
    ck_assert_int_eq(bounds.items[BOUND_CUT].is_time, own);
    fixture_close(fixture);
}
END_TEST

/* The bridge is the last of many links to be found; a search with little work keeps what it has. */
START_TEST(a_short_search_is_a_bound_too)
{
    Fixture *fixture = fixture_open();
    const Rules rules = {.all_ports = true};
    Network network = network_named(fixture, "mesh:40x30", TIES_PLUS);
    Contract contract;
    ck_assert(contract_create(fixture->arena, collective_named(fixture, "allgather"), network.p, 0,
                              0, &contract, &fixture->diag));
    Bounder bounder = bounder_open(fixture->arena, &contract, &network, &rules);
    Bound node = bound_node(&bounder);
    Cut cut;
    Bound whole = bound_cut(&bounder, &node, bound_search_work(BOUND_SEARCH_CUTS), &cut);
    ck_assert_int_eq(cut.proof, CUT_BEST);
    Bound early = bound_cut(&bounder, &node, 1 << 20, &cut);
    ck_assert_int_eq(cut.proof, CUT_STOPPED);
    ck_assert(strstr(early.reason, "not all cuts tried"));
    ck_assert_int_le(exact_compare(early.coefficient, whole.coefficient), 0);
    fixture_close(fixture);
}
END_TEST

START_TEST(startups_at_every_link_bound_rounds)
{
    Fixture *fixture = fixture_open();
    const Rules rules = {.ports = 1, .switching = SWITCHING_STARTUPS};
    BoundSet bounds = bounds_on(fixture, "broadcast", "linear:9", &rules, BOUND_SEARCH_CUTS);
    ck_assert_str_eq(bound_formula(fixture->arena, &bounds.items[BOUND_ROUNDS], 0), "8 ts");
    fixture_close(fixture);
}
END_TEST

START_TEST(own_bandwidths_are_written_as_such)
{
    Fixture *fixture = fixture_open();
    const Rules rules = {.ports = 1};
    BoundSet bounds = bounds_on(fixture, "allgather", "mixed", &rules, BOUND_SEARCH_CUTS);
    ck_assert_str_eq(bound_formula(fixture->arena, &bounds.items[BOUND_CUT], 0), "m / (1 GB/s)");
    ck_assert_str_eq(bounds.items[BOUND_CUT].reason,
                     "2 m leave ranks 2..3 over 1 link (2 -> 1) with 2 GB/s; best of all cuts");
    fixture_close(fixture);
}
END_TEST

/* A link that takes no time bounds nothing, and is no reason to see a bound beside it. */
START_TEST(free_links_bound_nothing)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "topology: half-free\nranks: 4\nlevels: [near, far]\nlinks:\n"
                        "  - {from: 0, to: 1, both: yes, level: near}\n"
                        "  - {from: 2, to: 3, both: yes, level: near}\n"
                        "  - {from: 1, to: 2, both: yes, bandwidth: 1 GB/s}\nrouting: shortest\n");
    const Rules rules = {.ports = 1}; /* tw = 0 */
    BoundSet bounds = bounds_on(fixture, "allgather", "half-free", &rules, BOUND_SEARCH_CUTS);
    const double none[PARAMETER_COUNT] = {0};
    ck_assert_double_eq(bound_seconds(&bounds.items[BOUND_CUT], none, 1e9), 2);
    fixture_close(fixture);
}
END_TEST

/* 696,877 lanes of 900 TB/s are more than 2^63 bytes/s. What enters rank 0 passes 800 TB/s. */
START_TEST(many_lanes_bound_nothing)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "topology: wide-star\nswitches: 1\nlinks:\n"
                        "  - {from: r, to: p, both: yes, if: r > 0, lanes: 696877, "
                        "bandwidth: 900 TB/s}\n"
                        "  - {from: 0, to: p, both: yes, bandwidth: 800 TB/s}\n"
                        "next: when(r < p, p, to)\n");
    const Rules rules = {.ports = 1};
    BoundSet bounds = bounds_on(fixture, "allgather", "wide-star", &rules, BOUND_SEARCH_CUTS);
    const double none[PARAMETER_COUNT] = {0};
    ck_assert_double_eq(bound_seconds(&bounds.items[BOUND_NODE], none, 800e12), 3);
    ck_assert_double_eq(bound_seconds(&bounds.items[BOUND_CUT], none, 800e12), 3);
    ck_assert_double_le(bound_seconds(&bounds.items[BOUND_PORTS], none, 800e12), 3);
    ck_assert_double_le(bound_seconds(&bounds.items[BOUND_VOLUME], none, 800e12), 1e-5);
    fixture_close(fixture);
}
END_TEST

/* A ring of links of 1 B/s, one of which passes 900 TB/s and joins two ranks as if they were one:
   each of the p blocks goes as far as half of the p - 1 slow links, which keeps 2 (p - 1) of these
   busy, and at most the two directions of the fast one besides. With store-and-forward, a path of s
   slow links, forth and back, for each two ranks, two of which are not any. */
START_TEST(slow_links_are_long)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "topology: slow-ring\nlinks:\n"
                        "  - {from: r, to: (r + 1) mod p, both: yes, if: r > 0, bandwidth: 1 B/s}\n"
                        "  - {from: 0, to: 1, both: yes, bandwidth: 900 TB/s}\n"
                        "routing: shortest\n");
    const double none[PARAMETER_COUNT] = {0};
    for (int64_t p = 8; p <= 64; p *= 2) {
        Network network = network_of(fixture, "slow-ring", p);
        Contract contract;
        BoundSet bounds;
        const Rules rules = {.ports = 1};
        ck_assert(contract_create(fixture->arena, collective_named(fixture, "allgather"), p, 0, 0,
                                  &contract, &fixture->diag));
        bounds_compute(fixture->arena, &contract, &network, &rules, BOUND_SEARCH_CUTS, &bounds);
        const double volume = bound_seconds(&bounds.items[BOUND_VOLUME], none, 1);
        const double slow = (double)(p * ((p - 1) / 2));
        ck_assert_double_ge(volume, slow / (double)(2 * p) * (1 - 1e-12));
        ck_assert_double_le(volume, slow / (double)(2 * (p - 1)) * (1 + 1e-12));
        const Rules forward = {.ports = 1, FORWARD};
        ck_assert(contract_create(fixture->arena, collective_named(fixture, "alltoall"), p, 0, 0,
                                  &contract, &fixture->diag));
        bounds_compute(fixture->arena, &contract, &network, &forward, BOUND_SEARCH_CUTS, &bounds);
        double length = 0;
        for (int64_t a = 0; a < p; a++)
            for (int64_t b = 0; b < p; b++) {
                const int64_t from = a ? a - 1 : 0, to = b ? b - 1 : 0; /* on the slow links */
                const int64_t apart = from < to ? to - from : from - to, around = p - 1 - apart;
                length += (double)(apart < around ? apart : around);
            }
        assert_near(bound_seconds(&bounds.items[BOUND_PORTS], none, 1), length / (double)p, 1e-9);
    }
    fixture_close(fixture);
}
END_TEST

/* A startup of 3, and 1 between the messages of a rank. From rank 0: messages leave at 0, 1, 2, 3
   and 4; rank 1, which has it at 3, sends as well. From two: each of them does what rank 0 does. */
START_TEST(what_was_asked_before_does_not_change_how_data_spreads)
{
    static const struct {
        int64_t start, wanted;
        double seconds;
    } questions[] = {{1, 2, 3}, {1, 5, 6}, {1, 7, 7}, {1, 4, 5}, {1, 6, 6}, {2, 3, 3},
                     {2, 6, 4}, {1, 3, 4}, {3, 6, 3}, {3, 4, 3}, {1, 9, 7}};
    Fixture *fixture = fixture_open();
    Spread spread = spread_start(fixture->arena, 9, 1, 1, 3);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        ck_assert_double_eq(spread_seconds(&spread, questions[i].start, questions[i].wanted),
                            questions[i].seconds);
    fixture_close(fixture);
}
END_TEST

/* The best weights of links, in the fewest numbers, and why there are none. */
START_TEST(flows_weigh_links)
{
    static const struct {
        const char *collective, *network, *reason;
        double times;
    } flows[] = {
        {"alltoall", "ring:5", "link weights 1: 30 m over paths, shared by 10; best of all weights",
         3},
        {"alltoall", "linear:4",
         "link weights 0 to 1: 4 m over paths, shared by 1; best of all weights", 4},
        {"alltoall", "mesh:2x3",
         "link weights 0 to 1: 8 m over paths, shared by 2; best of all weights", 4},
        {"broadcast", "ring:4", "only for blocks that go from one rank to one other rank", 0},
    };
    Fixture *fixture = fixture_open();
    const Rules rules = {.ports = 1};
    for (size_t i = 0; i < sizeof flows / sizeof *flows && route_mix_exists(); i++) {
        BoundSet bounds =
            bounds_on(fixture, flows[i].collective, flows[i].network, &rules, BOUND_SEARCH_FLOW);
        ck_assert_str_eq(bounds.items[BOUND_FLOW].reason, flows[i].reason);
        ck_assert_double_eq(bounds.items[BOUND_FLOW].coefficient.real, flows[i].times);
    }
    fixture_close(fixture);
}
END_TEST

Suite *bound_rules_suite(void)
{
    Suite *suite = suite_create("bound_rules");
    TCase *bounds = tcase_create("bounds");
    tcase_add_loop_test(bounds, bounds_under_rules, 0, sizeof cases / sizeof *cases);
    tcase_add_test(bounds, a_short_search_is_a_bound_too);
    tcase_add_test(bounds, startups_at_every_link_bound_rounds);
    tcase_add_test(bounds, own_bandwidths_are_written_as_such);
    tcase_add_test(bounds, free_links_bound_nothing);
    tcase_add_test(bounds, many_lanes_bound_nothing);
    tcase_add_test(bounds, slow_links_are_long);
    tcase_add_test(bounds, what_was_asked_before_does_not_change_how_data_spreads);
    tcase_add_test(bounds, flows_weigh_links);
    suite_add_tcase(suite, bounds);
    return suite;
}
