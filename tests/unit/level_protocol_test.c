/* Protocols of levels, and those that are selected by their time, counted by hand. */
#include "choose/envelope.h"

#include "unit.h"

#include <string.h>

/* In ns and B: two protocols inside a node, 1000 + m and 4000 + m / 4, which meet at 4000 B; and
   between nodes 2000 + 2 m and 10000 + m / 2, at 16000 / 3 B. */
static const char models[] =
    "machine: fastest\nselect: fastest\nprotocols:\n"
    "  - {name: LL, startup: 1 us, bandwidth: 1 GB/s}\n"
    "  - {name: Simple, startup: 4 us, bandwidth: 4 GB/s}\n"
    "levels:\n  node:\n    protocols:\n"
    "      - {name: LL, startup: 2 us, bandwidth: 0.5 GB/s}\n"
    "      - {name: Simple, startup: 10 us, bandwidth: 2 GB/s}\n"
    "---\n"
    "machine: sized\nprotocols:\n"
    "  - {name: LL, up-to: 4000 B, startup: 1 us, bandwidth: 1 GB/s}\n"
    "  - {name: Simple, startup: 4 us, bandwidth: 4 GB/s}\n"
    "levels:\n  node:\n    protocols:\n"
    "      - {name: LL, up-to: 100 B, startup: 2 us, bandwidth: 0.5 GB/s}\n"
    "      - {name: Simple, startup: 10 us, bandwidth: 2 GB/s}\n"
    "---\n"
    "algorithm: fan\ncollective: broadcast\nrequires: p == 4\nschedule:\n  - round:\n"
    "      - {send: 0, to: 1, if: r == root}\n"
    "      - {send: 0, to: 2, if: r == root}\n"
    "      - {send: 0, to: 3, if: r == root}\n"
    "---\n"
    /* a level without a list: its own startup; bandwidths are those of the machine's list */
    "machine: plain\nselect: fastest\nprotocols:\n"
    "  - {name: LL, startup: 1 us, bandwidth: 1 GB/s}\n"
    "  - {name: Simple, startup: 4 us, bandwidth: 4 GB/s}\n"
    "levels:\n  node: {startup: 20 us}\n"
    "---\n"
    /* what a list leaves open is the level's, or that of the same name in the machine's list */
    "machine: partial\nselect: fastest\nprotocols:\n"
    "  - {name: LL, startup: 1 us, bandwidth: 1 GB/s}\n"
    "  - {name: Simple, startup: 4 us, bandwidth: 4 GB/s}\n"
    "levels:\n  node:\n    bandwidth: 0.1 GB/s\n    protocols:\n"
    "      - {name: LL, startup: 2 us}\n"
    "      - {name: Simple, bandwidth: 2 GB/s}\n"
    "---\n"
    /* levels alone have lists */
    "machine: alone\nstartup: 3 us\nbandwidth: 8 GB/s\nlevels:\n  node:\n    protocols:\n"
    "      - {name: eager, up-to: 1 kB, bandwidth: 1 GB/s}\n"
    "      - {name: rendezvous, startup: 9 us}\n";

/* Times in ns. */
static const struct {
    const char *machine, *algorithm, *network;
    Posting posting;
    double bytes, time;
} cases[] = {
    {"fastest", "broadcast/binomial", "cluster:1x2", 0, 0, 1000},
    {"fastest", "broadcast/binomial", "cluster:1x2", 0, 3000, 1000 + 3000},
    {"fastest", "broadcast/binomial", "cluster:1x2", 0, 4000, 5000}, /* either */
    {"fastest", "broadcast/binomial", "cluster:1x2", 0, 8000, 4000 + 8000 / 4},
    {"fastest", "broadcast/binomial", "cluster:2x1", 0, 1000, 2000 + 2 * 1000},
    {"fastest", "broadcast/binomial", "cluster:2x1", 0, 5000, 2000 + 2 * 5000},
    {"fastest", "broadcast/binomial", "cluster:2x1", 0, 6000, 10000 + 6000 / 2},
    /* One neighbour of two is on the other node: 2000 + 2 m, or 10000 + m / 2; so both rounds of
       neighbours. In the other round two messages share a link: alone LL would be the faster one up
       to 16000 / 3 B, so it is taken, though it is not with two of them. */
    {"fastest", "alltoall/pairwise", "cluster:2x2", 0, 5000, 12000 + (2000 + 2 * 10000) + 12000},
    {"fastest", "alltoall/pairwise", "cluster:2x2", 0, 6000, 13000 + (10000 + 12000 / 2) + 13000},
    /* the protocol is that of one message, the port passes three: 1000 + 3 m, 4000 + 3 m / 4 */
    {"fastest", "broadcast/fan", "cluster:1x4", POSTING_TOGETHER, 3000, 1000 + 3 * 3000},
    {"fastest", "broadcast/fan", "cluster:1x4", POSTING_TOGETHER, 8000, 4000 + 3 * 8000 / 4},
    /* ... of which two go to the other node: 2000 at the start; the port passes m + 2 m + 2 m */
    {"fastest", "broadcast/fan", "cluster:2x2", POSTING_TOGETHER, 1000, 2000 + 5 * 1000},
    {"sized", "broadcast/binomial", "cluster:1x2", 0, 1000, 1000 + 1000},
    {"sized", "broadcast/binomial", "cluster:2x1", 0, 100, 2000 + 200},
    {"sized", "broadcast/binomial", "cluster:2x1", 0, 1000, 10000 + 500},
    /* the startup is the same for both: what takes less by bytes is faster */
    {"plain", "broadcast/binomial", "cluster:2x1", 0, 1000, 20000 + 1000 / 4},
    /* LL: 2000 + 10 m; Simple: 4000 + m / 2; they meet at 4000 / 19 B */
    {"partial", "broadcast/binomial", "cluster:2x1", 0, 200, 2000 + 2000},
    {"partial", "broadcast/binomial", "cluster:2x1", 0, 1000, 4000 + 500},
    /* 3000 + max(1, 1/8) m; 9000 + m / 8; inside a node there is no list */
    {"alone", "broadcast/binomial", "cluster:2x1", 0, 1000, 3000 + 1000},
    {"alone", "broadcast/binomial", "cluster:2x1", 0, 2000, 9000 + 2000 / 8},
    {"alone", "broadcast/binomial", "cluster:1x2", 0, 2000, 3000 + 2000 / 8},
};

static const Machine *machine_named(Fixture *fixture, const char *name)
{
    const Machine *machine =
        library_machine(fixture->library, text_of(fixture, name), &fixture->diag);
    ck_assert_ptr_nonnull(machine);
    return machine;
}

static Profile derive(Fixture *fixture, const char *machine, const char *algorithm,
                      const char *topology, Posting posting, Rules *rules)
{
    Network *network = ARENA_NEW(fixture->arena, Network);
    *network = network_named(fixture, topology, TIES_PLUS);
    Instance instance = instance_of(fixture, algorithm, network->p, 0, 1);
    Profile profile;
    instance.shape = &network->shape;
    *rules = (Rules){.posting = posting, .fixed_posting = posting != POSTING_UNSTATED};
    rules_follow_machine(rules, machine_named(fixture, machine));
    ck_assert(profile_derive(fixture->arena, &instance, network, rules, &profile, &fixture->diag));
    return profile;
}

START_TEST(times_by_hand)
{
    Fixture *fixture = fixture_open();
    Rules rules;
    ExactParameters exact = {.multiply = exact_from_int(0)};
    use_models(fixture, models);
    Profile profile = derive(fixture, cases[_i].machine, cases[_i].algorithm, cases[_i].network,
                             cases[_i].posting, &rules);
    double time = cost_total(profile_cost(&profile, rules.parameters, cases[_i].bytes));
    assert_near(time, cases[_i].time * 1e-9, 1e-12);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        exact.parameters[i] = exact_from_double(rules.parameters[i]);
    Exact bytes = exact_from_int((int64_t)cases[_i].bytes);
    assert_near(profile_time_exact(&profile, &exact, bytes).real, cases[_i].time * 1e-9, 1e-12);
    fixture_close(fixture);
}
END_TEST

/* The sizes at which messages change their protocols are found exactly. */
START_TEST(times_jump_where_protocols_change)
{
    static const struct {
        const char *machine, *network;
        double at;
    } jumps[] = {
        {"fastest", "cluster:1x2", 4000},        {"fastest", "cluster:2x1", 16000.0 / 3},
        {"sized", "cluster:1x2", 4000},          {"sized", "cluster:2x1", 100},
        {"partial", "cluster:2x1", 4000.0 / 19},
    };
    Fixture *fixture = fixture_open();
    use_models(fixture, models);
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        Rules rules;
        SizeArray sizes = {0};
        Profile profile = derive(fixture, jumps[i].machine, "broadcast/binomial", jumps[i].network,
                                 POSTING_UNSTATED, &rules);
        ck_assert(profile_bends(&profile, rules.parameters,
                                &(BendList){1, 1e9, fixture->arena, &sizes, &fixture->diag}));
        ck_assert_uint_eq(sizes.count, 1);
        assert_near(sizes.items[0], jumps[i].at, 1e-12);
    }
    fixture_close(fixture);
}
END_TEST

/* No message pays less than this. */
START_TEST(the_least_is_that_of_all_lists)
{
    Fixture *fixture = fixture_open();
    double least[PARAMETER_COUNT];
    Rules rules = {.ports = 1};
    use_models(fixture, models);
    Network network = network_named(fixture, "cluster:2x2", TIES_PLUS);
    rules_follow_machine(&rules, machine_named(fixture, "fastest"));
    rules_least(&rules, &network, least);
    assert_near(least[PARAMETER_TS], 1e-6, 1e-15);
    assert_near(least[PARAMETER_TW], 0.25e-9, 1e-15);
    const LinkCost *link_costs = rules_link_costs(fixture->arena, &rules, &network);
    for (size_t i = 0; i < network.class_count; i++) {
        bool between = strcmp(network.classes[i].level, "node") == 0;
        assert_near(link_costs[i].values[PARAMETER_TW], between ? 0.5e-9 : 0.25e-9, 1e-15);
        assert_near(link_costs[i].values[PARAMETER_TS], between ? 2e-6 : 1e-6, 1e-15);
    }
    fixture_close(fixture);
}
END_TEST

static bool set(Fixture *fixture, Machine *machine, const char *name, const char *value)
{
    return machine_set(machine, text_of(fixture, name), text_of(fixture, value), &fixture->diag);
}

START_TEST(protocols_of_levels_can_be_set)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, models);
    Machine machine = *machine_named(fixture, "sized");
    const Protocol *list = machine.protocols + machine.levels[0].first_protocol;
    ck_assert(set(fixture, &machine, "node.LL.startup", "7us"));
    ck_assert_double_eq(list[0].parameters[PARAMETER_TS], 7e-6);
    ck_assert_double_eq(machine.protocols[0].parameters[PARAMETER_TS], 1e-6);
    ck_assert(set(fixture, &machine, "node.LL.up-to", "2kB"));
    ck_assert_double_eq(list[0].up_to, 2000);
    ck_assert(set(fixture, &machine, "node.Simple.bandwidth", "x2"));
    ck_assert_double_eq(list[1].parameters[PARAMETER_TW], 0.25e-9);
    /* of the level: all of its list; of the machine: none of it */
    ck_assert(set(fixture, &machine, "node.startup", "x2"));
    ck_assert_double_eq(list[0].parameters[PARAMETER_TS], 2 * 7e-6);
    ck_assert_double_eq(list[1].parameters[PARAMETER_TS], 2 * 10e-6);
    ck_assert(set(fixture, &machine, "startup", "x3"));
    ck_assert_double_eq(list[0].parameters[PARAMETER_TS], 2 * 7e-6);
    ck_assert_double_eq(machine.protocols[0].parameters[PARAMETER_TS], 3 * 1e-6);
    /* what a protocol has not, it has from its namesake in the machine's list */
    machine = *machine_named(fixture, "partial");
    list = machine.protocols + machine.levels[0].first_protocol;
    ck_assert(set(fixture, &machine, "node.Simple.startup", "x2"));
    ck_assert_double_eq(list[1].parameters[PARAMETER_TS], 2 * 4e-6);
    ck_assert(!set(fixture, &machine, "node.LX.startup", "1us"));
    assert_error(fixture);
    ck_assert(!set(fixture, &machine, "node.LL.up-to", "1kB"));
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

/* A piece of switch is won by the algorithm that is the fastest all along. */
START_TEST(switch_points_count_selections)
{
    Fixture *fixture = fixture_open();
    static const char *const names[] = {"allgather/ring", "allgather/bruck"};
    Curve *curves[2];
    Rules rules = {0};
    PieceArray pieces = {0};
    use_models(fixture, models);
    Network network = network_named(fixture, "cluster:4x2", TIES_PLUS);
    rules_follow_machine(&rules, machine_named(fixture, "fastest"));
    for (int i = 0; i < 2; i++)
        curves[i] = curve_of(fixture, names[i], &network, 0, &rules, 0);
    ck_assert(envelope_find(
        &(ChoiceAxis){fixture->arena, 2, 1, 0x1p30, &fixture->diag, .curves = curves}, &pieces));
    ck_assert_uint_ge(pieces.count, 2);
    for (double bytes = 1; bytes < 0x1p30; bytes *= 1.03) {
        CurvePoint points[2];
        size_t piece = 0;
        while (piece + 1 < pieces.count && pieces.items[piece].to < bytes)
            piece++;
        for (int i = 0; i < 2; i++)
            ck_assert(curve_at(curves[i], bytes, 1, &points[i], &fixture->diag));
        size_t best = pieces.items[piece].curve;
        ck_assert_double_le(points[best].total, points[!best].total * (1 + 1e-9));
    }
    fixture_close(fixture);
}
END_TEST

Suite *level_protocol_suite(void)
{
    Suite *suite = suite_create("level_protocol");
    TCase *tests = tcase_create("level_protocol");
    tcase_add_loop_test(tests, times_by_hand, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, times_jump_where_protocols_change);
    tcase_add_test(tests, the_least_is_that_of_all_lists);
    tcase_add_test(tests, protocols_of_levels_can_be_set);
    tcase_add_test(tests, switch_points_count_selections);
    suite_add_tcase(suite, tests);
    return suite;
}
