#include "choose/envelope.h"

#include "unit.h"

#include <math.h>
#include <string.h>

enum { MOST_CURVES = 8, MOST_CHUNKS = 320 };

static const double largest_size = 0x1p53;

typedef struct {
    Curve *curves[MOST_CURVES];
    size_t count;
    PieceArray pieces;
} Envelope;

static Envelope envelope_of(Fixture *fixture, const char *const *names, size_t count,
                            const Network *network, const Rules *rules, double from, double to)
{
    Envelope envelope = {.count = count};
    for (size_t i = 0; i < count; i++)
        envelope.curves[i] = curve_of(fixture, names[i], network, 0, rules, 0);
    bool good = envelope_find(
        &(ChoiceAxis){fixture->arena, count, from, to, &fixture->diag, .curves = envelope.curves},
        &envelope.pieces);
    assert_no_error(fixture);
    ck_assert(good);
    return envelope;
}

static double total_at(Fixture *fixture, Curve *curve, double bytes)
{
    CurvePoint point;
    ck_assert(curve_at(curve, bytes, curve_most_chunks(bytes), &point, &fixture->diag));
    return point.total;
}

/* Pieces follow one another from end to end, change the algorithm, and meet at equal costs. */
static void assert_joined(Fixture *fixture, const Envelope *envelope, double from, double to)
{
    const PieceArray *pieces = &envelope->pieces;
    ck_assert_uint_gt(pieces->count, 0);
    ck_assert_double_eq(pieces->items[0].from, from);
    ck_assert_double_ge(pieces->items[pieces->count - 1].to, to);
    for (size_t i = 0; i + 1 < pieces->count; i++) {
        const Piece *piece = &pieces->items[i], *next = &pieces->items[i + 1];
        ck_assert_double_eq(piece->to, next->from);
        ck_assert_double_lt(piece->from, piece->to);
        ck_assert_uint_ne(piece->curve, next->curve);
        assert_near(total_at(fixture, envelope->curves[piece->curve], piece->to),
                    total_at(fixture, envelope->curves[next->curve], piece->to), 1e-12);
        assert_near(next->start.total, total_at(fixture, envelope->curves[next->curve], next->from),
                    1e-12);
    }
}

static const char *const reduces[] = {"reduce/binomial", "reduce/chain", "reduce/flat",
                                      "reduce/pipelined-binary-tree", "reduce/pipelined-chain"};
static const Prices sg2260 = {1e-6, 0, 1 / 64e9, 1 / 512e9};

START_TEST(reduce_on_8_ranks_switches_once)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 8);
    Rules rules = rules_of(sg2260, 1);
    Envelope envelope = envelope_of(fixture, reduces, 5, &network, &rules, 1, largest_size);
    assert_joined(fixture, &envelope, 1, largest_size);
    ck_assert_uint_eq(envelope.pieces.count, 2);
    const Piece *pieces = envelope.pieces.items;
    ck_assert_uint_eq(pieces[0].curve, 0);
    ck_assert_uint_eq(pieces[1].curve, 4);
    assert_near(pieces[1].from, 4480000. / 9, 1e-13);
    ck_assert_double_eq(pieces[1].start.k, 7);
    assert_near(pieces[1].start.total, 29.25e-6, 1e-13);
    fixture_close(fixture);
}
END_TEST

/* times[i][k]: a line for algorithm i and k chunks, from its schedule. */
typedef struct {
    double intercept, slope;
} Line;

static Line line_of(Fixture *fixture, const Instance *instance, const Network *network,
                    Prices link_costs)
{
    double at_0 = derived_time(fixture, instance, network, link_costs, 0);
    double at_1 = derived_time(fixture, instance, network, link_costs, 1e9);
    return (Line){at_0, (at_1 - at_0) / 1e9};
}

static double least_of(const Line *lines, int64_t most, double bytes)
{
    double least = INFINITY;
    for (int64_t k = 1; k <= most; k++)
        least = fmin(least, lines[k].intercept + lines[k].slope * bytes);
    return least;
}

static Line (*all_lines(Fixture *fixture, const char *const *names, size_t count,
                        const Network *network, Prices link_costs))[MOST_CHUNKS + 1]
{
    Line(*lines)[MOST_CHUNKS + 1] = arena_alloc(fixture->arena, count * sizeof *lines);
    for (size_t i = 0; i < count; i++)
        for (int64_t k = 1; k <= MOST_CHUNKS; k++) {
            Instance instance = instance_of(fixture, names[i], network->p, 0, k);
            lines[i][k] = line_of(fixture, &instance, network, link_costs);
        }
    return lines;
}

/* At many sizes the piece there is the fastest of all algorithms and numbers of chunks. */
static void assert_fastest(Fixture *fixture, const Envelope *envelope,
                           Line (*lines)[MOST_CHUNKS + 1], double to)
{
    size_t at = 0;
    for (double bytes = 1; bytes < to; bytes *= 1.01) {
        int64_t most =
            curve_most_chunks(bytes) < MOST_CHUNKS ? curve_most_chunks(bytes) : MOST_CHUNKS;
        double least = INFINITY;
        for (size_t i = 0; i < envelope->count; i++)
            least = fmin(least, least_of(lines[i], most, bytes));
        while (envelope->pieces.items[at].to <= bytes)
            at++;
        size_t curve = envelope->pieces.items[at].curve;
        assert_near(least_of(lines[curve], most, bytes), least, 1e-11);
        assert_near(total_at(fixture, envelope->curves[curve], bytes), least, 1e-11);
    }
}

static const struct {
    const char *topology;
    int64_t p;
    Prices link_costs;
} grids[] = {
    {"full", 3, {1e-6, 0, 1 / 64e9, 1 / 512e9}},  {"full", 6, {1e-6, 0, 1 / 64e9, 1 / 512e9}},
    {"full", 16, {1e-6, 0, 1 / 64e9, 1 / 512e9}}, {"full", 7, {1e-6, 1e-7, 1e-10, 5e-11}},
    {"linear", 5, {1e-6, 1e-7, 1 / 64e9, 0}},
};

START_TEST(the_envelope_is_that_of_brute_force)
{
    const double to = 1e8;
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, grids[_i].topology, grids[_i].p);
    Rules rules = rules_of(grids[_i].link_costs, 1);
    Envelope envelope = envelope_of(fixture, reduces, 5, &network, &rules, 1, to);
    assert_joined(fixture, &envelope, 1, to);
    ck_assert_uint_le(envelope.pieces.count, 6);
    assert_fastest(fixture, &envelope,
                   all_lines(fixture, reduces, 5, &network, grids[_i].link_costs), to);
    fixture_close(fixture);
}
END_TEST

/* 10 ts + 7/4 m tw: between the ends of a pipelined chain for p = 8. */
static const char middle[] = "algorithm: middle\ncollective: broadcast\nchunks: 8\nschedule:\n"
                             "  - repeat: i in 1 .. 6\n    steps:\n"
                             "      - send: 0\n        to: 1\n        if: r == 0\n"
                             "  - repeat: i in 1 .. 4\n    steps:\n"
                             "      - send: 0 .. 1\n        to: 1\n        if: r == 0\n";

START_TEST(curves_may_cross_twice)
{
    static const char *const names[] = {"broadcast/pipelined-chain", "broadcast/middle"};
    Fixture *fixture = fixture_open();
    use_models(fixture, middle);
    Network network = network_of(fixture, "full", 8);
    Rules rules = rules_of((Prices){1e-6, 0, 1e-9, 0}, 1);
    Envelope envelope = envelope_of(fixture, names, 2, &network, &rules, 1, largest_size);
    assert_joined(fixture, &envelope, 1, largest_size);
    ck_assert_uint_eq(envelope.pieces.count, 3);
    const Piece *pieces = envelope.pieces.items;
    ck_assert_uint_eq(pieces[0].curve, 0);
    ck_assert_uint_eq(pieces[1].curve, 1);
    ck_assert_uint_eq(pieces[2].curve, 0);
    /* 8 (ts + m/2 tw) = 10 ts + 7/4 m tw */
    assert_near(pieces[1].from, 2e-6 / (2.25e-9), 1e-13);
    /* the first size at which (6 + k) (ts + m/k tw) = 10 ts + 7/4 m tw falls below, for some k */
    double last = INFINITY;
    for (double k = 9; k < 100; k++)
        last = fmin(last, (k - 4) * 1e-6 / ((1.75 - (6 + k) / k) * 1e-9));
    assert_near(pieces[2].from, last, 1e-13);
    fixture_close(fixture);
}
END_TEST

START_TEST(the_first_of_equals_is_named_and_the_others_are_tied)
{
    static const char *const names[] = {"reduce/flat", "reduce/binomial", "reduce/chain"};
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 8);
    Rules rules = rules_of(sg2260, 1);
    static const char *const two[] = {"reduce/chain", "reduce/flat"};
    Envelope envelope = envelope_of(fixture, two, 2, &network, &rules, 1, largest_size);
    ck_assert_uint_eq(envelope.pieces.count, 1);
    ck_assert_uint_eq(envelope.pieces.items[0].curve, 0);
    ck_assert(envelope.pieces.items[0].tied[1]);
    network = network_of(fixture, "full", 2);
    envelope = envelope_of(fixture, names, 3, &network, &rules, 1, largest_size);
    ck_assert_uint_eq(envelope.pieces.count, 1);
    ck_assert_uint_eq(envelope.pieces.items[0].curve, 0);
    ck_assert(envelope.pieces.items[0].tied[1] && envelope.pieces.items[0].tied[2]);
    network = network_of(fixture, "full", 8);
    envelope = envelope_of(fixture, names, 3, &network, &rules, 1, largest_size);
    ck_assert_uint_eq(envelope.pieces.count, 1);
    ck_assert_uint_eq(envelope.pieces.items[0].curve, 1);
    ck_assert(!envelope.pieces.items[0].tied[0] && !envelope.pieces.items[0].tied[2]);
    fixture_close(fixture);
}
END_TEST

/* A pipelined chain of 16 rounds for each chunk and rank, and one round before it, perhaps on some
   condition. */
static const char late_chain[] = "algorithm: %s\ncollective: broadcast\nchunks: k\nschedule:\n"
                                 "  - send: 0\n    to: 1\n    if: r == 0%s\n"
                                 "  - repeat: t in 0 .. p + k - 3\n    steps:\n"
                                 "      - repeat: i in 1 .. 16\n        steps:\n"
                                 "          - send: t - r\n            to: r + 1\n"
                                 "            if: 0 <= t - r and t - r < k and r < p - 1\n";

/* On 16 ranks 16 (14 + k) + 1 rounds of ts + m/k tw, or one round less where k = 2, which then is
   the best between those of 1 and 3 chunks, from m tw = 15/113 ts to 17/37 ts. Outside of that both
   cost the same. */
START_TEST(equals_at_both_ends_may_differ_between_them)
{
    static const char *const names[] = {"broadcast/even", "broadcast/uneven"};
    Fixture *fixture = fixture_open();
    use_models(fixture, arena_printf(fixture->arena, late_chain, "even", ""));
    use_models(fixture, arena_printf(fixture->arena, late_chain, "uneven", " and k != 2"));
    Network network = network_of(fixture, "full", 16);
    Rules rules = rules_of(sg2260, 1);
    Envelope envelope = envelope_of(fixture, names, 2, &network, &rules, 6400, 38400);
    ck_assert_uint_eq(envelope.pieces.count, 3);
    const Piece *pieces = envelope.pieces.items;
    ck_assert_uint_eq(pieces[1].curve, 1);
    assert_near(pieces[1].from, 64000 * 15. / 113, 1e-12);
    assert_near(pieces[1].to, 64000 * 17. / 37, 1e-12);
    ck_assert(pieces[0].tied[1] && pieces[2].tied[1]);
    fixture_close(fixture);
}
END_TEST

START_TEST(one_rank_costs_nothing)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 1);
    Rules rules = rules_of(sg2260, 1);
    Envelope envelope = envelope_of(fixture, reduces, 3, &network, &rules, 1, largest_size);
    ck_assert_uint_eq(envelope.pieces.count, 1);
    ck_assert_double_eq(envelope.pieces.items[0].start.total, 0);
    fixture_close(fixture);
}
END_TEST

Suite *envelope_suite(void)
{
    Suite *suite = suite_create("envelope");
    TCase *switches = tcase_create("switches");
    tcase_set_timeout(switches, 300);
    tcase_add_test(switches, reduce_on_8_ranks_switches_once);
    tcase_add_loop_test(switches, the_envelope_is_that_of_brute_force, 0,
                        sizeof grids / sizeof *grids);
    tcase_add_test(switches, curves_may_cross_twice);
    suite_add_tcase(suite, switches);
    TCase *ties = tcase_create("ties");
    tcase_add_test(ties, the_first_of_equals_is_named_and_the_others_are_tied);
    tcase_add_test(ties, equals_at_both_ends_may_differ_between_them);
    tcase_add_test(ties, one_rank_costs_nothing);
    suite_add_tcase(suite, ties);
    return suite;
}
