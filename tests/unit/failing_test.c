/* A schedule that goes wrong with more than so many chunks: whatever searches sizes, or parameters,
   says that it failed, wherever on its way it meets such a number, or that the place is open. */
#include "choose/break_even.h"
#include "choose/envelope.h"
#include "choose/margin.h"

#include "unit.h"

#include <math.h>

/* A chain that is tried with up to so many chunks. */
static const char models[] = "algorithm: fails\n"
                             "collective: broadcast\n"
                             "chunks: k\n"
                             "schedule:\n"
                             "  - repeat: t in 0 .. p + k - 3\n"
                             "    steps:\n"
                             "      - send: t - r\n"
                             "        if: 0 <= t - r and t - r < k and r < p - 1\n"
                             "        to: r + 1 + 0 mod when(k > %d, 0, 1)\n";

static const struct {
    int most;       /* chunks */
    double segment; /* 0: the number of chunks is free */
} cases[] = {{1, 1000}, {2, 1000}, {5, 64}, {40, 5e6}, {1, 0}, {8, 0}};
enum { SEGMENT_CASES = 4, CASE_COUNT = sizeof cases / sizeof *cases };

static const Prices costs = {1e-6, 0, 1 / 64e9, 1 / 512e9};
static const double largest_size = 0x1p53;

typedef struct {
    Fixture *fixture;
    Network network;
    Rules rules;
    Curve *curves[2];
    double good, bad; /* there are answers up to the one size, and none at the other */
} Failing;

/* Curves of an algorithm that is right, and of the one that is not. */
static void open_failing(Failing *failing, int number)
{
    Fixture *fixture = failing->fixture = fixture_open();
    CurvePoint point;
    Diag silent = diag_silent();
    const FreeChoice chosen = {.segment = cases[number].segment};
    use_models(fixture, arena_printf(fixture->arena, models, cases[number].most));
    failing->network = network_of(fixture, "full", 4);
    failing->rules = rules_of(costs, 1);
    failing->curves[0] =
        curve_of(fixture, "broadcast/binomial", &failing->network, 0, &failing->rules, 0);
    failing->curves[1] = curve_create(
        fixture->arena,
        &(CurveSubject){
            algorithm_named(fixture, "broadcast/fails"), &failing->network, &failing->rules, {0}},
        &chosen, &fixture->diag);
    assert_no_error(fixture);
    failing->good = 1;
    while (curve_at(failing->curves[1], 2 * failing->good, curve_most_chunks(2 * failing->good),
                    &point, &silent))
        failing->good *= 2;
    failing->bad = 2 * failing->good;
    if (cases[number].segment == 0) /* a search tries more chunks than are the best */
        failing->good = fmax(1, failing->good / 8);
    ck_assert(failing->bad < largest_size);
}

static bool find_pieces(Failing *failing, double from, double to, PieceArray *pieces)
{
    *pieces = (PieceArray){0};
    return envelope_find(&(ChoiceAxis){failing->fixture->arena, 2, from, to,
                                       &failing->fixture->diag, .curves = failing->curves},
                         pieces);
}

START_TEST(no_envelope_where_a_curve_fails)
{
    Failing failing;
    open_failing(&failing, _i);
    PieceArray pieces;
    ck_assert(find_pieces(&failing, 1, failing.good, &pieces));
    assert_no_error(failing.fixture);
    const double ends[] = {failing.bad, 3 * failing.bad, largest_size};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        ck_assert(!find_pieces(&failing, 1, ends[i], &pieces));
        assert_error(failing.fixture);
        ck_assert(!find_pieces(&failing, failing.bad, failing.bad + ends[i], &pieces));
        assert_error(failing.fixture);
    }
    fixture_close(failing.fixture);
}
END_TEST

START_TEST(no_margin_where_a_curve_fails)
{
    Failing failing;
    open_failing(&failing, _i);
    Fixture *fixture = failing.fixture;
    PieceArray pieces, merged = {0};
    Margin margin;
    PieceDetails details;
    ck_assert(find_pieces(&failing, 1, failing.good, &pieces));
    Piece *last = &pieces.items[pieces.count - 1];
    ChoiceAxis axis = {fixture->arena, 2, 1, last->to, &fixture->diag, .curves = failing.curves};
    ck_assert(margin_of_second(&axis, last, &margin));
    ck_assert(piece_details(&axis, last, &details));
    ck_assert(margin_to_pieces(&axis, &pieces, !last->curve, &margin));
    ck_assert(margin_merge(&axis, &pieces, 0.1, &merged));
    assert_no_error(fixture);
    const double ends[] = {failing.bad, largest_size};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        last->to = axis.to = ends[i];
        ck_assert(!margin_of_second(&axis, last, &margin));
        assert_error(fixture);
        ck_assert(!piece_details(&axis, last, &details));
        assert_error(fixture);
        ck_assert(!margin_to_pieces(&axis, &pieces, !last->curve, &margin));
        assert_error(fixture);
        ck_assert(!margin_merge(&axis, &pieces, 0.1, &merged));
        assert_error(fixture);
    }
    fixture_close(fixture);
}
END_TEST

/* What cannot be followed is open. */
START_TEST(no_break_even_where_a_curve_fails)
{
    Failing failing;
    open_failing(&failing, _i);
    Fixture *fixture = failing.fixture;
    Machine machine = {.parameters = {1e-6, 0, 1 / 64e9, 1 / 512e9}};
    Comparison comparison = {.algorithms = {algorithm_named(fixture, "broadcast/binomial"),
                                            algorithm_named(fixture, "broadcast/fails")},
                             .network = &failing.network,
                             .machine = &machine,
                             .rules = &failing.rules,
                             .chosen = {{0}, {.segment = cases[_i].segment}},
                             .bytes = failing.bad};
    ck_assert(comparison_open(fixture->arena, &comparison, &fixture->diag));
    BreakEvens found = break_evens_find(fixture->arena, &comparison);
    ck_assert_uint_gt(found.parameters.count, 2);
    for (size_t i = 0; i < found.parameters.count; i++)
        ck_assert(found.by_parameter[i].below.is_open && found.by_parameter[i].above.is_open);
    comparison.bytes = failing.good;
    const BreakEven by_size = break_even_by_size(&comparison);
    ck_assert(by_size.above.is_open || (by_size.above.is_found && by_size.above.at < failing.bad));
    assert_no_error(fixture);
    fixture_close(fixture);
}
END_TEST

Suite *failing_suite(void)
{
    Suite *suite = suite_create("failing");
    TCase *sizes = tcase_create("sizes");
    tcase_add_loop_test(sizes, no_envelope_where_a_curve_fails, 0, CASE_COUNT);
    tcase_add_loop_test(sizes, no_margin_where_a_curve_fails, 0, SEGMENT_CASES);
    suite_add_tcase(suite, sizes);
    TCase *parameters = tcase_create("parameters");
    tcase_add_loop_test(parameters, no_break_even_where_a_curve_fails, 0, CASE_COUNT);
    suite_add_tcase(suite, parameters);
    return suite;
}
