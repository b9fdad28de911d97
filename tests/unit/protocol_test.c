#include "choose/envelope.h"

#include "base/buffer.h"
#include "choose/breakpoints.h"
#include "unit.h"

#include <math.h>

static const Protocol two[] = {
    {.number = 0, .up_to = 8192, .parameters = {1e-6, -1, 1 / 5e9, -1}},
    {.number = 1, .up_to = INFINITY, .parameters = {5e-6, -1, -1, -1}},
};

static Rules rules_with(const Protocol *protocols)
{
    Rules rules = rules_of((Prices){7e-6, 1e-7, 1 / 10e9, 1 / 100e9}, 1);
    rules.protocols = protocols;
    while (protocols && !isinf(protocols[rules.protocol_count++].up_to))
        continue;
    return rules;
}

/* The time of broadcast, reduce, ... on `topology`, p ranks, for m bytes. */
static double time_of(Fixture *fixture, const char *algorithm, const char *topology, int64_t p,
                      const Rules *rules, double bytes)
{
    Network network = network_of(fixture, topology, p);
    Instance instance = instance_of(fixture, algorithm, p, 0, 1);
    Profile profile;
    ck_assert(profile_derive(fixture->arena, &instance, &network, rules, &profile, &fixture->diag));
    return cost_total(profile_cost(&profile, rules->parameters, bytes));
}

static double eager(double bytes)
{
    return 1e-6 + bytes / 5e9;
}

static double rendezvous(double bytes)
{
    return 5e-6 + bytes / 10e9;
}

START_TEST(a_message_has_the_protocol_of_its_size)
{
    Fixture *fixture = fixture_open();
    Rules rules = rules_with(two);
    const double th = 1e-7;
    double time = time_of(fixture, "broadcast/binomial", "full", 8, &rules, 8192);
    assert_near(time, 3 * (eager(8192) + th), 1e-14);
    time = time_of(fixture, "broadcast/binomial", "full", 8, &rules, 8193);
    assert_near(time, 3 * (rendezvous(8193) + th), 1e-14);
    /* 2 m, then m */
    time = time_of(fixture, "scatter/binomial", "full", 4, &rules, 6000);
    assert_near(time, rendezvous(12000) + eager(6000) + 2 * th, 1e-14);
    /* combining knows no protocols */
    time = time_of(fixture, "reduce/flat", "full", 3, &rules, 100000);
    assert_near(time, 2 * (rendezvous(100000) + th + 100000 / 100e9), 1e-14);
    fixture_close(fixture);
}
END_TEST

/* The protocol is that of the message, whatever else the link carries. */
START_TEST(a_shared_link_does_not_change_the_protocol)
{
    Fixture *fixture = fixture_open();
    Rules rules = rules_with(two);
    use_models(fixture, "algorithm: cross\ncollective: broadcast\nrequires: p == 4\nschedule:\n"
                        "  - {send: 0, to: 3, if: r == 0}\n"
                        "---\nalgorithm: meet\ncollective: allgather\nrequires: p == 4\nschedule:\n"
                        "  - {send: r, to: r + 2, if: r < 2}\n");
    double time = time_of(fixture, "broadcast/cross", "linear", 4, &rules, 8000);
    assert_near(time, eager(8000) + 3e-7, 1e-14);
    time = time_of(fixture, "allgather/meet", "linear", 4, &rules, 5000); /* 2 m over 1-2 */
    assert_near(time, 1e-6 + 10000 / 5e9 + 2e-7, 1e-14);
    rules.switching = SWITCHING_STORE_AND_FORWARD;
    time = time_of(fixture, "broadcast/cross", "linear", 4, &rules, 8193);
    assert_near(time, 5e-6 + 3 * (1e-7 + 8193 / 10e9), 1e-14);
    rules.switching = SWITCHING_STARTUPS;
    time = time_of(fixture, "broadcast/cross", "linear", 4, &rules, 8192);
    assert_near(time, 3 * (eager(8192) + 1e-7), 1e-14);
    fixture_close(fixture);
}
END_TEST

/* In one round, a small message by a slow protocol can take longer than a large one. */
START_TEST(the_slowest_message_need_not_be_the_largest)
{
    static const Protocol slow_first[] = {
        {.number = 0, .up_to = 1000, .parameters = {1e-6, -1, 1 / 1e6, -1}},
        {.number = 1, .up_to = INFINITY, .parameters = {2e-6, -1, 1 / 1e9, -1}},
    };
    Fixture *fixture = fixture_open();
    Rules rules = rules_with(slow_first);
    use_models(fixture, "algorithm: two\ncollective: allgather\nrequires: p == 4\nschedule:\n"
                        "  - {send: r, to: 2, if: r == 0}\n"
                        "  - round:\n"
                        "      - {send: r, to: 3, if: r == 1}\n"
                        "      - {send: all, to: 1, if: r == 2}\n");
    for (int asynchronous = 0; asynchronous < 2; asynchronous++) {
        rules.asynchronous = asynchronous;
        double first = 1e-6 + 600 / 1e6 + 1e-7, large = 2e-6 + 1200 / 1e9 + 1e-7;
        double time = time_of(fixture, "allgather/two", "full", 4, &rules, 600);
        assert_near(time, asynchronous ? first + large : 2 * first, 1e-14);
    }
    fixture_close(fixture);
}
END_TEST

/* Whichever is listed first: 5 us + s / (10 GB/s) = 1 us + s / (1 GB/s) at 40000 / 9 bytes. */
START_TEST(the_fastest_protocol_changes_where_lines_cross)
{
    static const Protocol slow = {
        .number = 0, .up_to = INFINITY, .parameters = {1e-6, -1, 1 / 1e9, -1}};
    static const Protocol fast = {
        .number = 1, .up_to = INFINITY, .parameters = {5e-6, -1, 1 / 10e9, -1}};
    for (int fast_first = 0; fast_first < 2; fast_first++) {
        const Protocol list[] = {fast_first ? fast : slow, fast_first ? slow : fast};
        Rules rules = rules_with(list);
        rules.protocol_count = 2;
        rules.select_fastest = true;
        const ProtocolChoice choice = {
            .rules = &rules, .message = 1, .alone.listed = 1 | PATH_STARTS_BY_MACHINE};
        Arena *arena = arena_create(NULL);
        SizeArray sizes = {0};
        choice_jumps(&choice, rules.parameters, arena, &sizes);
        ck_assert_uint_eq(sizes.count, 1);
        assert_near(sizes.items[0], 40000.0 / 9, 1e-12);
        arena_destroy(arena);
    }
}
END_TEST

/* The fastest of all curves with all numbers of chunks, each from a profile of its own. */
typedef struct {
    const char *const *names;
    size_t count;
    int64_t k; /* 0: all are tried */
    Profile profiles[4][257];
} Rivals;

static Rivals *derive_rivals(Fixture *fixture, const char *const *names, size_t count,
                             const Network *network, const Rules *rules, int64_t only)
{
    Rivals *rivals = ARENA_NEW(fixture->arena, Rivals);
    *rivals = (Rivals){.names = names, .count = count, .k = only};
    for (size_t i = 0; i < count; i++)
        for (int64_t k = only ? only : 1; k <= (only ? only : 256); k++) {
            Instance instance = instance_of(fixture, names[i], network->p, 0, k);
            ck_assert(profile_derive(fixture->arena, &instance, network, rules,
                                     &rivals->profiles[i][k], &fixture->diag));
        }
    return rivals;
}

static double least_of(const Rivals *rivals, size_t i, const double *parameters, double bytes)
{
    double least = INFINITY;
    if (rivals->k)
        return cost_total(profile_cost(&rivals->profiles[i][rivals->k], parameters, bytes));
    for (int64_t k = 1; k <= 256 && k <= fmax(1, floor(bytes)); k++)
        least = fmin(least, cost_total(profile_cost(&rivals->profiles[i][k], parameters, bytes)));
    return least;
}

static void assert_fastest_at(const Rivals *rivals, const PieceArray *pieces,
                              const double *parameters, double bytes)
{
    double least = INFINITY;
    for (size_t i = 0; i < rivals->count; i++)
        least = fmin(least, least_of(rivals, i, parameters, bytes));
    size_t at = 0;
    while (at + 1 < pieces->count && pieces->items[at].to < bytes)
        at++;
    assert_near(least_of(rivals, pieces->items[at].curve, parameters, bytes), least, 1e-9);
}

static const Protocol three[] = {
    {.number = 0, .up_to = 512, .parameters = {1e-6, -1, 1 / 1e9, -1}},
    {.number = 1, .up_to = 65536, .parameters = {3e-6, -1, 1 / 4e9, -1}},
    {.number = 2, .up_to = INFINITY, .parameters = {9e-6, -1, -1, -1}},
};
/* the second protocol is the faster one at once */
static const Protocol downward[] = {
    {.number = 0, .up_to = 4096, .parameters = {4e-6, -1, 1 / 1e9, -1}},
    {.number = 1, .up_to = INFINITY, .parameters = {5e-6, -1, 1 / 20e9, -1}},
};

static const struct {
    const char *topology;
    int64_t p;
    const Protocol *protocols;
    Switching switching;
    bool asynchronous;
    int64_t k;
} envelopes[] = {
    {"full", 5, two, SWITCHING_CUT_THROUGH, false, 0},
    {"linear", 4, three, SWITCHING_CUT_THROUGH, false, 0},
    {"ring", 6, three, SWITCHING_STORE_AND_FORWARD, false, 0},
    {"full", 6, downward, SWITCHING_CUT_THROUGH, false, 0},
    {"full", 4, three, SWITCHING_CUT_THROUGH, true, 4},
};

/* At sizes all over the range, and on both sides of each switch point and each change of protocol.
 */
START_TEST(switch_points_count_jumps)
{
    static const char *const names[] = {"broadcast/binomial", "broadcast/pipelined-chain",
                                        "broadcast/scatter-ring-allgather"};
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, envelopes[_i].topology, envelopes[_i].p);
    Rules rules = rules_with(envelopes[_i].protocols);
    rules.switching = envelopes[_i].switching;
    rules.asynchronous = envelopes[_i].asynchronous;
    Curve *curves[3];
    for (size_t i = 0; i < 3; i++)
        curves[i] = curve_of(fixture, names[i], &network, 0, &rules, envelopes[_i].k);
    PieceArray pieces = {0};
    ck_assert(envelope_find(
        &(ChoiceAxis){fixture->arena, 3, 1, 0x1p40, &fixture->diag, .curves = curves}, &pieces));
    ck_assert_uint_gt(pieces.count, 1);
    Rivals *rivals = derive_rivals(fixture, names, 3, &network, &rules, envelopes[_i].k);
    for (double bytes = 1; bytes < 0x1p30; bytes *= 1.07)
        assert_fastest_at(rivals, &pieces, rules.parameters, bytes);
    for (size_t i = 1; i < pieces.count; i++)
        for (int side = -1; side <= 1; side += 2)
            assert_fastest_at(rivals, &pieces, rules.parameters,
                              pieces.items[i].from * (1 + side * 1e-7));
    for (double limit = 512; limit < 1e6; limit *= 2)
        for (int k = 1; k < 40; k++)
            for (int side = -1; side <= 1; side++)
                assert_fastest_at(rivals, &pieces, rules.parameters, limit * k * (1 + side * 1e-7));
    fixture_close(fixture);
}
END_TEST

/* A range that begins or ends where costs jump or bend, or just beside, has what a longer one has
   there; of the place where it begins it has what is after that. */
static void assert_part(const PieceArray *part, const PieceArray *all, double from, double to)
{
    size_t at = 0;
    ck_assert_double_eq(part->items[0].from, from);
    for (size_t i = 0; i < all->count; i++) {
        const Piece *piece = &all->items[i];
        if (piece->to <= from * (1 + 1e-7) || piece->from >= to * (1 - 1e-7))
            continue;
        while (at + 1 < part->count && part->items[at].to <= from * (1 + 1e-7))
            at++;
        ck_assert_uint_lt(at, part->count);
        ck_assert_uint_eq(part->items[at].curve, piece->curve);
        if (piece->from > from)
            assert_near(part->items[at].from, piece->from, 1e-8);
        at++;
    }
    ck_assert(at == part->count || part->items[at].from >= to * (1 - 1e-7));
}

START_TEST(ranges_that_end_at_jumps)
{
    static const char *const names[] = {"broadcast/binomial", "broadcast/pipelined-chain",
                                        "broadcast/scatter-ring-allgather"};
    static const double places[] = {512, 1024, 1536, 4096, 8192, 12288, 65536, 131072, 327680};
    enum { PLACES = sizeof places / sizeof *places };
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, envelopes[_i].topology, envelopes[_i].p);
    Rules rules = rules_with(envelopes[_i].protocols);
    rules.switching = envelopes[_i].switching;
    rules.asynchronous = envelopes[_i].asynchronous;
    for (int64_t k = 0; k <= 3; k += 3) {
        Curve *curves[3];
        for (size_t i = 0; i < 3; i++)
            curves[i] = curve_of(fixture, names[i], &network, 0, &rules, k ? k : envelopes[_i].k);
        PieceArray all = {0};
        ck_assert(envelope_find(
            &(ChoiceAxis){fixture->arena, 3, 100, 1e6, &fixture->diag, .curves = curves}, &all));
        for (int a = 0; a < PLACES; a++)
            for (int b = a + 1; b <= PLACES; b++)
                for (int beside = -1; beside <= 1; beside++) {
                    double from = places[a] * (1 + beside * 3e-9);
                    double to = b < PLACES ? places[b] * (1 - beside * 3e-9) : 1e6;
                    PieceArray part = {0};
                    ck_assert(envelope_find(&(ChoiceAxis){fixture->arena, 3, from, to,
                                                          &fixture->diag, .curves = curves},
                                            &part));
                    assert_part(&part, &all, from, to);
                }
    }
    fixture_close(fixture);
}
END_TEST

/* ### Intervals between bends */

/* Up to 8192 B; at the limit the second costs as much as the first. */
static const Protocol joined[] = {
    {.number = 0, .up_to = 8192, .parameters = {1e-6, -1, 1e-9, -1}},
    {.number = 1, .up_to = INFINITY, .parameters = {5.096e-6, -1, 0.5e-9, -1}},
};

static const struct {
    const Protocol *protocols;
    double from, to;
    const char *intervals; /* with the times at both ends, in ns; those behind a jump with a ! */
} intervals[] = {
    {two, 100, 8000, "100 .. 8000: 1120 .. 2700"},
    {two, 100, 10000, "100 .. 8192: 1120 .. 2738.4; !8192 .. 10000: 5919.2 .. 6100"},
    {two, 100, 8192, "100 .. 8192: 1120 .. 2738.4"},
    {two, 100, 8192 * (1 + 5e-10), "100 .. 8192: 1120 .. 2738.4"}, /* less than rounding */
    {two, 8192, 10000, "8192 .. 10000: 5919.2 .. 6100"},
    {two, 8000, 8192, "8000 .. 8192: 2700 .. 2738.4"},
    {two, 8192, 8192, ""},
    {joined, 100, 10000, "100 .. 8192: 1200 .. 9292; 8192 .. 10000: 9292 .. 10196"},
};

static bool write_interval(IntervalScan *scan, const Breakpoint *low, const Breakpoint *high)
{
    Buffer *text = scan->context;
    buffer_printf(text, "%s%s%.8g .. %.8g: %.8g .. %.8g", text->count ? "; " : "",
                  low->after_jump ? "!" : "", low->bytes, high->bytes, low->points[0].total / 1e-9,
                  high->points[0].total / 1e-9);
    return true;
}

/* A jump belongs to the size below it, but a range that begins there has what is after it. */
START_TEST(intervals_go_from_bend_to_bend)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 2);
    Rules rules = rules_with(intervals[_i].protocols);
    Curve *curve = curve_of(fixture, "broadcast/binomial", &network, 0, &rules, 0);
    Buffer text = {.arena = fixture->arena};
    const ChoiceAxis axis = {
        fixture->arena, 1, intervals[_i].from, intervals[_i].to, &fixture->diag, .curves = &curve};
    IntervalScan scan = {.axis = &axis, .interval = write_interval, .context = &text};
    ck_assert(scan_range(&scan));
    ck_assert_str_eq(text.count ? text.items : "", intervals[_i].intervals);
    fixture_close(fixture);
}
END_TEST

/* Of 1 + 3 m and 5 + m, in ns: they meet at 2 B; parallels, and lines that part, meet nowhere. */
START_TEST(corners_of_two_lines)
{
    const CurvePoint steep = {.intercept = 1e-9, .slope = 3e-9};
    const CurvePoint flat = {.intercept = 5e-9, .slope = 1e-9};
    assert_near(points_corner(&steep, &flat, 1, 8), 2, 1e-12);
    ck_assert_double_eq(points_corner(&steep, &flat, 3, 8), 3);
    ck_assert_double_eq(points_corner(&steep, &flat, 0.5, 1.5), 1.5);
    ck_assert_double_eq(points_corner(&flat, &steep, 1, 8), 1);
    ck_assert_double_eq(points_corner(&flat, &flat, 1, 8), 1);
}
END_TEST

START_TEST(parameters_of_protocols_can_be_set)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "machine: mine\ncompute: 1 GB/s\nprotocols:\n"
                        "  - {name: eager, up-to: 1 KiB, startup: 1 us, bandwidth: 1 GB/s}\n"
                        "  - {name: rendezvous, startup: 2 us, bandwidth: 2 GB/s}\n");
    const Machine *found =
        library_machine(fixture->library, text_of(fixture, "mine"), &fixture->diag);
    Machine machine = *found;
    ck_assert_double_eq(machine.parameters[PARAMETER_TS], 1e-6);
    ck_assert_double_eq(machine.parameters[PARAMETER_TW], 1 / 1e9);
    ck_assert(machine_set(&machine, text_of(fixture, "rendezvous.startup"), text_of(fixture, "3us"),
                          &fixture->diag));
    ck_assert(machine_set(&machine, text_of(fixture, "eager.up-to"), text_of(fixture, "16KiB"),
                          &fixture->diag));
    ck_assert_double_eq(machine.protocols[1].parameters[PARAMETER_TS], 3e-6);
    ck_assert_double_eq(machine.protocols[0].up_to, 16384);
    ck_assert_ptr_eq(protocol_for(machine.protocols, 16384), &machine.protocols[0]);
    ck_assert_ptr_eq(protocol_for(machine.protocols, 16384.5), &machine.protocols[1]);
    ck_assert(machine_set(&machine, text_of(fixture, "startup"), text_of(fixture, "9us"),
                          &fixture->diag));
    for (int i = 0; i < 2; i++)
        ck_assert_double_lt(machine.protocols[i].parameters[PARAMETER_TS], 0);
    ck_assert(!machine_set(&machine, text_of(fixture, "rendezvous.up-to"), text_of(fixture, "1MiB"),
                           &fixture->diag));
    assert_error(fixture);
    ck_assert(!machine_set(&machine, text_of(fixture, "eager.compute"), text_of(fixture, "1GB/s"),
                           &fixture->diag));
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

static bool set(Fixture *fixture, Machine *machine, const char *name, const char *value)
{
    return machine_set(machine, text_of(fixture, name), text_of(fixture, value), &fixture->diag);
}

/* A factor is for the protocols that have a value, and for what else is the machine's. */
START_TEST(a_factor_multiplies_what_is_given)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "machine: mine\ncompute: 1 GB/s\nbandwidth: 1 GB/s\nprotocols:\n"
                        "  - {name: eager, up-to: 1 KiB, startup: 1 us}\n"
                        "  - {name: rendezvous, startup: 2 us}\n"
                        "levels:\n  node: {startup: 5 us}\n  device: {}\n");
    Machine machine = *library_machine(fixture->library, text_of(fixture, "mine"), &fixture->diag);
    ck_assert(set(fixture, &machine, "startup", "x3"));
    ck_assert_double_eq(machine.protocols[0].parameters[PARAMETER_TS], 3 * 1e-6);
    ck_assert_double_eq(machine.protocols[1].parameters[PARAMETER_TS], 3 * 2e-6);
    ck_assert_double_eq(machine.levels[0].parameters[PARAMETER_TS], 5e-6);
    ck_assert(set(fixture, &machine, "node.startup", "x2"));
    ck_assert_double_eq(machine.levels[0].parameters[PARAMETER_TS], 1e-5);
    ck_assert(set(fixture, &machine, "device.bandwidth", "x4"));
    ck_assert_double_eq(machine.levels[1].parameters[PARAMETER_TW], 0.25 / 1e9);
    ck_assert_double_eq(machine.parameters[PARAMETER_TW], 1 / 1e9);
    ck_assert(set(fixture, &machine, "eager.tw", "x2"));
    ck_assert_double_eq(machine.protocols[0].parameters[PARAMETER_TW], 2 / 1e9);
    ck_assert(set(fixture, &machine, "eager.up-to", "x2"));
    ck_assert_double_eq(machine.protocols[0].up_to, 2048);
    ck_assert(!set(fixture, &machine, "device.startup", "x2"));
    assert_error(fixture);
    ck_assert(!set(fixture, &machine, "per-hop", "x2"));
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

Suite *protocol_suite(void)
{
    Suite *suite = suite_create("protocol");
    TCase *tests = tcase_create("protocol");
    tcase_add_test(tests, a_message_has_the_protocol_of_its_size);
    tcase_add_test(tests, a_shared_link_does_not_change_the_protocol);
    tcase_add_test(tests, the_slowest_message_need_not_be_the_largest);
    tcase_add_test(tests, the_fastest_protocol_changes_where_lines_cross);
    tcase_add_loop_test(tests, ranges_that_end_at_jumps, 0, sizeof envelopes / sizeof *envelopes);
    tcase_add_loop_test(tests, switch_points_count_jumps, 0, sizeof envelopes / sizeof *envelopes);
    tcase_add_loop_test(tests, intervals_go_from_bend_to_bend, 0,
                        sizeof intervals / sizeof *intervals);
    tcase_add_test(tests, corners_of_two_lines);
    tcase_add_test(tests, parameters_of_protocols_can_be_set);
    tcase_add_test(tests, a_factor_multiplies_what_is_given);
    suite_add_tcase(suite, tests);
    return suite;
}
