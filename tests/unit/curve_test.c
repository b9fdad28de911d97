#include "cost/chunk_curve.h"
#include "cost/closed_chunks.h"
#include "cost/curve.h"

#include "unit.h"

#include <math.h>

static const Prices link_costs = {1e-6, 0, 1 / 64e9, 1 / 512e9};

static CurvePoint point_at(Fixture *fixture, Curve *curve, double bytes, int64_t most)
{
    CurvePoint point;
    bool good = curve_at(curve, bytes, most, &point, &fixture->diag);
    assert_no_error(fixture);
    ck_assert(good);
    return point;
}

static double chain_time(int64_t p, double k, double bytes)
{
    return ((double)p + k - 2) * (link_costs.ts + bytes / k * link_costs.tw);
}

START_TEST(the_best_whole_k_is_that_of_brute_force)
{
    static const int64_t counts[] = {2, 3, 8, 50};
    Fixture *fixture = fixture_open();
    int64_t p = counts[_i];
    Network network = network_of(fixture, "full", p);
    Rules rules = rules_of(link_costs, 1);
    Curve *curve = curve_of(fixture, "broadcast/pipelined-chain", &network, 0, &rules, 0);
    ck_assert(curve_is_free(curve));
    for (double bytes = 1; bytes < 1e9; bytes = bytes * 1.37 + 0.3) {
        int64_t most = curve_most_chunks(bytes), limit = most < 4000 ? most : 4000;
        double least = INFINITY;
        for (int64_t k = 1; k <= limit; k++)
            least = fmin(least, chain_time(p, (double)k, bytes));
        CurvePoint point = point_at(fixture, curve, bytes, most);
        assert_near(point.total, least, 1e-13);
        assert_near(chain_time(p, point.k, bytes), least, 1e-13);
        assert_near(point.intercept + point.slope * bytes, point.total, 1e-13);
        ck_assert_double_eq(point.k, floor(point.k));
        ck_assert_double_le(point.k, (double)most);
    }
    fixture_close(fixture);
}
END_TEST

/* Its time falls with every other k only: halves of odd numbers of chunks are unequal. */
START_TEST(the_best_whole_k_is_found_between_worse_ones)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 8);
    Rules rules = rules_of(link_costs, 1);
    Curve *curve = curve_of(fixture, "broadcast/split-binary-tree", &network, 0, &rules, 0);
    for (double bytes = 1024; bytes < 1e9; bytes *= 3) {
        CurvePoint best = point_at(fixture, curve, bytes, 400);
        double least = INFINITY;
        for (int64_t k = 1; k <= 400; k++) {
            Curve *given = curve_of(fixture, "broadcast/split-binary-tree", &network, 0, &rules, k);
            least = fmin(least, point_at(fixture, given, bytes, 400).total);
        }
        assert_near(best.total, least, 1e-13);
    }
    fixture_close(fixture);
}
END_TEST

/* Also where it depends on whether k is odd. */
START_TEST(the_best_k_of_a_closed_form_is_that_of_a_scan)
{
    static const char *const names[] = {
        "broadcast/pipelined-chain",        "reduce/circulant",
        "reduce/double-binary-tree",        "broadcast/double-binary-tree",
        "broadcast/split-binary-tree",      "reduce/split-binary-tree",
        "broadcast/spanning-binomial-trees"};
    static const Prices prices = {1e-6, 1e-8, 1 / 64e9, 1 / 512e9};
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 8);
    Rules rules = rules_of(prices, 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Curve *curve = curve_of(fixture, names[i], &network, 0, &rules, 0);
        for (int up = 0; up < 2; up++) {
            for (double step = 0; step < 30; step++) {
                double bytes = 3 * pow(2, up ? step : 30 - step), least = INFINITY, total;
                for (int64_t k = 1; k <= 3000 && (double)k <= bytes; k++) {
                    ck_assert(curve_total(curve, k, 0, bytes, &total, &fixture->diag));
                    least = fmin(least, total);
                }
                CurvePoint point = point_at(fixture, curve, bytes, curve_most_chunks(bytes));
                ck_assert_double_le(point.total, least * (1 + 1e-14));
            }
        }
    }
    fixture_close(fixture);
}
END_TEST

/* A closed form of a time that is no a + b k + c / k: all k up to 256 are tried. */
START_TEST(a_closed_form_of_another_kind_is_asked_for_many_k)
{
    static const Prices prices = {1e-6, 0, 1 / 64e9, 0};
    static const char model[] =
        "algorithm: wavy\ncollective: broadcast\nsummary: One time for each rest by seven.\n"
        "chunks: k\nschedule:\n  - repeat: c in 0 .. k - 1\n    steps:\n"
        "      - repeat: i in 1 .. 1 + (3 * k) mod 7\n        steps:\n"
        "          - {send: c, to: 1, if: r == 0}\n"
        "claims:\n  - source: here\n    on: full\n    when: root == 0\n"
        "    time: k * (1 + (3 * k) mod 7) * ts + m * (2 + (2 * k) mod 5) / (k + 1) * tw\n";
    Fixture *fixture = fixture_open();
    use_models(fixture, model);
    Network network = network_of(fixture, "full", 4);
    Rules rules = rules_of(prices, 1);
    const Claim *claim = &claims_all(&algorithm_named(fixture, "broadcast/wavy")->claims)->items[0];
    ClosedTerm term = {.claim = claim,
                       .point = claim_point(&network.shape, 0, 1, 1),
                       .share_of = 1,
                       .share_by = 1};
    ClosedForm form = {.arena = fixture->arena, .items = &term, .count = 1};
    ClosedChunks *chunks = closed_chunks_create(fixture->arena, &form, &rules, 1);
    for (double bytes = 10; bytes < 1e12; bytes *= 3) {
        double least = INFINITY, total, k;
        for (int64_t tried = 1; tried <= 256 && (double)tried <= bytes; tried++) {
            ck_assert(closed_seconds(&form, (double)tried, rules.parameters, bytes, &total,
                                     &fixture->diag));
            least = fmin(least, total);
        }
        ck_assert(
            closed_chunks_best(chunks, bytes, curve_most_chunks(bytes), 256, &k, &fixture->diag));
        ck_assert(closed_seconds(&form, k, rules.parameters, bytes, &total, &fixture->diag));
        assert_near(total, least, 1e-13);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(a_few_chunks_can_be_exceptions)
{
    static const Prices slow = {5.4e-6, 3.4e-7, 3.84e-12, 2.49e-11};
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 3);
    Rules rules = rules_of(slow, 1);
    Curve *curve = curve_of(fixture, "reduce/double-binary-tree", &network, 2, &rules, 0);
    for (double bytes = 1e6; bytes < 1e7; bytes *= 1.01) {
        CurvePoint best = point_at(fixture, curve, bytes, 40);
        double least = INFINITY;
        for (int64_t k = 1; k <= 40; k++) {
            Curve *given = curve_of(fixture, "reduce/double-binary-tree", &network, 2, &rules, k);
            least = fmin(least, point_at(fixture, given, bytes, 40).total);
        }
        assert_near(best.total, least, 1e-13);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(the_best_real_k_is_that_of_the_closed_form)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 8);
    Rules rules = rules_of(link_costs, 1);
    rules.real_chunks = true;
    Curve *curve = curve_of(fixture, "broadcast/pipelined-chain", &network, 0, &rules, 0);
    for (double bytes = 10; bytes < 1e9; bytes *= 1.7) {
        double k = fmax(1, sqrt(6 * bytes * link_costs.tw / link_costs.ts));
        CurvePoint point = point_at(fixture, curve, bytes, curve_most_chunks(bytes));
        assert_near(point.total, chain_time(8, k, bytes), 1e-12);
        assert_near(point.k, k, 1e-5);
    }
    fixture_close(fixture);
}
END_TEST

/* From m = ts / (6 tw) on, where k = 1 is the best, the best k leaves 1 by less than any step; and
   where k and k + 1 cost the same, it lies between. */
START_TEST(the_best_real_k_is_found_beside_whole_ones)
{
    static const double wanted[] = {1.0000001,         1.0001, 1.01, 1.06, 1.9999, M_SQRT2,
                                    2.4494897427831781};
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 8);
    Rules rules = rules_of(link_costs, 1);
    rules.real_chunks = true;
    Curve *curve = curve_of(fixture, "broadcast/pipelined-chain", &network, 0, &rules, 0);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        double bytes = wanted[i] * wanted[i] * link_costs.ts / (6 * link_costs.tw);
        CurvePoint point = point_at(fixture, curve, bytes, curve_most_chunks(bytes));
        assert_near(point.k, wanted[i], 1e-7);
        assert_near(point.total, chain_time(8, wanted[i], bytes), 1e-14);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(the_number_of_chunks_is_limited)
{
    Fixture *fixture = fixture_open();
    ck_assert_int_eq(curve_most_chunks(0), 1);
    ck_assert_int_eq(curve_most_chunks(0.5), 1);
    ck_assert_int_eq(curve_most_chunks(7.9), 7);
    Network network = network_of(fixture, "full", 8);
    Rules rules = rules_of((Prices){1e-9, 0, 1, 0}, 1);
    Curve *curve = curve_of(fixture, "broadcast/pipelined-chain", &network, 0, &rules, 0);
    ck_assert_double_eq(point_at(fixture, curve, 5, curve_most_chunks(5)).k, 5);
    ck_assert_double_eq(point_at(fixture, curve, 1000, 13).k, 13);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_given_k_is_kept)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 8);
    Rules rules = rules_of(link_costs, 1);
    Curve *curve = curve_of(fixture, "broadcast/pipelined-chain", &network, 0, &rules, 5);
    ck_assert(!curve_is_free(curve));
    CurvePoint point = point_at(fixture, curve, 1e6, curve_most_chunks(1e6));
    ck_assert_double_eq(point.k, 5);
    assert_near(point.total, chain_time(8, 5, 1e6), 1e-14);
    fixture_close(fixture);
}
END_TEST

/* No claim covers a tree on a row of ranks: the profile of each k gives the time. */
START_TEST(the_best_k_without_a_claim)
{
    enum { P = 6, MOST = 120 };
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "linear", P);
    const Prices here = {1e-6, 1e-8, 1e-9, 0};
    Rules rules = rules_of(here, 1);
    Curve *curve = curve_of(fixture, "broadcast/pipelined-binary-tree", &network, 0, &rules, 0);
    for (double bytes = 1; bytes < 1e6; bytes *= 3.1) {
        double least = INFINITY;
        for (int64_t k = 1; k <= MOST && k <= curve_most_chunks(bytes); k++) {
            Instance instance = instance_of(fixture, "broadcast/pipelined-binary-tree", P, 0, k);
            least = fmin(least, derived_time(fixture, &instance, &network, here, bytes));
        }
        int64_t most = curve_most_chunks(bytes);
        CurvePoint point = point_at(fixture, curve, bytes, most < MOST ? most : MOST);
        assert_near(point.total, least, 1e-13);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(costs_of_claim_and_schedule_agree)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 8);
    Rules rules = rules_of(link_costs, 1);
    CurveCost cost;
    Curve *curve = curve_of(fixture, "reduce/binomial", &network, 0, &rules, 0);
    ck_assert(curve_cost(curve, 1e6, &cost, &fixture->diag));
    ck_assert_ptr_nonnull(cost.closed);
    ck_assert_int_eq(cost.rounds, 3);
    assert_near(cost.total, 3 * (1e-6 + 1e6 / 64e9 + 1e6 / 512e9), 1e-14);
    assert_near(cost.parts.startup, 3e-6, 1e-14);
    assert_near(cost.parts.transfer, 3e6 / 64e9, 1e-14);
    assert_near(cost.parts.compute, 3e6 / 512e9, 1e-14);
    ck_assert_double_eq(cost.parts.hop, 0);
    network = network_of(fixture, "linear", 6);
    curve = curve_of(fixture, "reduce/binomial", &network, 2, &rules, 0);
    ck_assert(curve_cost(curve, 1e6, &cost, &fixture->diag));
    ck_assert_ptr_null(cost.closed);
    Instance instance = instance_of(fixture, "reduce/binomial", 6, 2, 0);
    assert_near(cost.total, derived_time(fixture, &instance, &network, link_costs, 1e6), 1e-14);
    fixture_close(fixture);
}
END_TEST

/* A claim of a text that knows no th does not speak of machines where hops cost something. */
START_TEST(a_claim_must_know_every_parameter)
{
    Fixture *fixture = fixture_open();
    Network network = network_of(fixture, "full", 8);
    CurveCost cost;
    Rules rules = rules_of((Prices){1e-6, 1e-7, 1e-9, 0}, 1);
    Curve *curve = curve_of(fixture, "broadcast/chain", &network, 0, &rules, 0);
    ck_assert(curve_cost(curve, 1e6, &cost, &fixture->diag));
    assert_near(cost.total, 7 * (1e-6 + 1e-7 + 1e-3), 1e-14);
    assert_near(cost.parts.hop, 7e-7, 1e-14);
    fixture_close(fixture);
}
END_TEST

typedef struct {
    Workspace workspace;
    Fixture *fixture;
    const Network *network;
    const Rules *rules;
    double first, again; /* the time of 300 segments, before others and after them */
} Segmented;

static const double segment = 65536;

static void follow_many_segments(void *context)
{
    Segmented *work = context;
    Arena *arena = arena_create(&work->workspace);
    const FreeChoice chosen = {.segment = segment};
    Curve *curve = curve_create(
        arena,
        &(CurveSubject){algorithm_named(work->fixture, "broadcast/pipelined-binary-tree"),
                        work->network,
                        work->rules,
                        {0}},
        &chosen, &work->fixture->diag);
    work->first = point_at(work->fixture, curve, 300 * segment, 1 << 20).total;
    for (int count = 301; count <= 380; count++) {
        const CurvePoint point = point_at(work->fixture, curve, count * segment, 1 << 20);
        ck_assert_double_eq(point.k, count);
        ck_assert_double_gt(point.total, work->first);
    }
    work->again = point_at(work->fixture, curve, 300 * segment, 1 << 20).total;
    arena_destroy(arena);
}

/* Of more than 256 chunks only the last profile is kept: one of these takes some 0.3 MB. */
START_TEST(profiles_of_many_segments_take_little_memory)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, "torus:4x4", TIES_PLUS);
    Rules rules = rules_of(link_costs, 1);
    Segmented work = {.workspace.memory_limit = (size_t)16 << 20,
                      .fixture = fixture,
                      .network = &network,
                      .rules = &rules};
    ck_assert_int_eq(workspace_run(&work.workspace, follow_many_segments, &work), ENDING_DONE);
    ck_assert_double_eq(work.again, work.first);
    fixture_close(fixture);
}
END_TEST

/* Lower bounds of all radices: those of the full network, where no messages share links. */
static Curve *bound_of(Fixture *fixture, const char *algorithm, const Network *full,
                       const Rules *rules)
{
    Curve *bound = curve_create_least(
        fixture->arena, &(CurveSubject){algorithm_named(fixture, algorithm), full, rules, {0}},
        &(FreeChoice){0}, &fixture->diag);
    ck_assert_ptr_nonnull(bound);
    return bound;
}

/* Is the size among those where a curve bends? */
static bool has_bend(const SizeArray *bends, double bytes)
{
    bool has = false;
    for (size_t i = 0; i < bends->count; i++)
        has |= fabs(bends->items[i] - bytes) <= 1e-9 * bytes;
    return has;
}

/* On a torus the best radix changes with the size, and for long messages fan-outs do with k. */
START_TEST(bounds_change_no_time_and_no_bend)
{
    static const char *const names[] = {"allreduce/radix-multiplying",
                                        "allgather/recursive-exchange", "broadcast/chains",
                                        "alltoall/radix-bruck", "allgather/radix-bruck"};
    static const char *const networks[] = {"torus:5x7", "fat-tree:4x3x3", "cluster:4x6"};
    Fixture *fixture = fixture_open();
    Rules rules = rules_of(link_costs, 1);
    for (size_t n = 0; n < sizeof networks / sizeof *networks; n++) {
        Network network = network_named(fixture, networks[n], TIES_PLUS);
        Network full = network_of(fixture, "full", network.p);
        Curve *all = curve_of(fixture, names[_i], &network, 0, &rules, 0);
        Curve *few = curve_of(fixture, names[_i], &network, 0, &rules, 0);
        ck_assert(!curve_is_closed(few));
        curve_bound(few, bound_of(fixture, names[_i], &full, &rules));
        for (double bytes = 1; bytes < 1e10; bytes *= 3.7) {
            const int64_t most = curve_most_chunks(bytes);
            const CurvePoint point = point_at(fixture, few, bytes, most);
            const CurvePoint other = point_at(fixture, all, bytes, most);
            double seconds;
            ck_assert(curve_seconds(few, bytes, most, &seconds, &fixture->diag));
            ck_assert_double_eq(point.total, other.total);
            ck_assert_double_eq(seconds, other.total);
            ck_assert_int_eq(point.branches, other.branches);
            ck_assert_double_eq(point.k, other.k);
            ck_assert_double_eq(point.slope, other.slope);
        }
        /* a bend of the least of all times is one of the number that is the best there */
        SizeArray bends = {0}, of_few = {0};
        ck_assert(curve_bends(all, &(BendList){1, 1e10, fixture->arena, &bends, &fixture->diag}));
        ck_assert(curve_bends(few, &(BendList){1, 1e10, fixture->arena, &of_few, &fixture->diag}));
        for (size_t i = 0; i < bends.count; i++) {
            const CurvePoint point = point_at(fixture, all, bends.items[i], 1);
            ChunkCurve *best = NULL;
            for (size_t a = 0; (best = curve_alternative(all, a)); a++)
                if (chunk_curve_branches(best) == point.branches)
                    break;
            SizeArray of_best = {0};
            ck_assert(
                chunk_curve_bends(best, &(BendList){bends.items[i] * 0.999, bends.items[i] * 1.001,
                                                    fixture->arena, &of_best, &fixture->diag}));
            ck_assert(!has_bend(&of_best, bends.items[i]) || has_bend(&of_few, bends.items[i]));
        }
        ck_assert_uint_le(of_few.count, bends.count);
    }
    fixture_close(fixture);
}
END_TEST

/* Where a bound says that it is slower, though that is not so, a radix is not looked at. */
START_TEST(bounds_are_believed)
{
    static const char *const name = "alltoall/radix-bruck";
    Fixture *fixture = fixture_open();
    Rules rules = rules_of(link_costs, 1), slow = rules_of((Prices){1e6, 0, 1e-11, 0}, 1);
    Network network = network_named(fixture, "torus:5x7", TIES_PLUS);
    Network full = network_of(fixture, "full", 35), other = network_of(fixture, "full", 34);
    Curve *curve = curve_of(fixture, name, &network, 0, &rules, 0);
    const CurvePoint right = point_at(fixture, curve, 1e9, 1);
    curve_bound(curve, bound_of(fixture, name, &other, &slow)); /* of other radices: ignored */
    ck_assert_int_eq(point_at(fixture, curve, 1e9, 1).branches, right.branches);
    curve_bound(curve, bound_of(fixture, name, &full, &slow)); /* startups are all that counts */
    const CurvePoint wrong = point_at(fixture, curve, 1e9, 1);
    ck_assert_int_ne(wrong.branches, right.branches);
    ck_assert_double_gt(wrong.total, right.total);
    fixture_close(fixture);
}
END_TEST

typedef struct {
    int warnings;
    char first[160];
} Heard;

static void hear(void *user, const Diagnostic *diagnostic)
{
    Heard *heard = user;
    if (heard->warnings++ == 0)
        snprintf(heard->first, sizeof heard->first, "%s", diagnostic->message);
}

/* Where ranks post a million messages together there are others that will do, unless all are so. */
START_TEST(a_radix_of_too_many_messages_is_left_out_with_a_warning)
{
    const Heard none = {0};
    Heard heard = none;
    Fixture *fixture = fixture_open();
    Diag diag = diag_create(hear, &heard);
    FirstError first = {fixture->arena, NULL};
    Diag deaf = diag_keep_first(&first);
    Rules rules = rules_of(link_costs, 1);
    Network network = network_named(fixture, "torus:33x34", TIES_PLUS);
    Curve *curve = curve_of(fixture, "allreduce/mpich-recexch", &network, 0, &rules, 0);
    IntArray tried = {0};
    double seconds;
    ck_assert(curve_seconds(curve, 1, 1, &seconds, &deaf));
    ck_assert(curve_seconds(curve, 1, 1, &seconds, &diag));
    ck_assert(curve_seconds(curve, 2, 1, &seconds, &diag));
    ck_assert_int_eq(heard.warnings, 1);
    ck_assert_str_eq(heard.first, "allreduce/mpich-recexch is not tried with radix 1122: its "
                                  "schedule is too large to expand");
    curve_list_branches(curve, fixture->arena, &tried);
    ck_assert_int_eq(tried.items[tried.count - 1], 64);
    fixture_close(fixture);
}
END_TEST

Suite *curve_suite(void)
{
    Suite *suite = suite_create("curve");
    TCase *chunks = tcase_create("chunks");
    tcase_set_timeout(chunks, 300);
    tcase_add_loop_test(chunks, the_best_whole_k_is_that_of_brute_force, 0, 4);
    tcase_add_test(chunks, the_best_whole_k_is_found_between_worse_ones);
    tcase_add_test(chunks, a_few_chunks_can_be_exceptions);
    tcase_add_test(chunks, the_best_k_of_a_closed_form_is_that_of_a_scan);
    tcase_add_test(chunks, a_closed_form_of_another_kind_is_asked_for_many_k);
    tcase_add_test(chunks, the_best_real_k_is_that_of_the_closed_form);
    tcase_add_test(chunks, the_best_real_k_is_found_beside_whole_ones);
    tcase_add_test(chunks, the_number_of_chunks_is_limited);
    tcase_add_test(chunks, a_given_k_is_kept);
    tcase_add_test(chunks, the_best_k_without_a_claim);
    tcase_add_test(chunks, profiles_of_many_segments_take_little_memory);
    suite_add_tcase(suite, chunks);
    TCase *costs = tcase_create("costs");
    tcase_add_test(costs, costs_of_claim_and_schedule_agree);
    tcase_add_test(costs, a_claim_must_know_every_parameter);
    suite_add_tcase(suite, costs);
    TCase *branches = tcase_create("branches");
    tcase_set_timeout(branches, 300);
    tcase_add_loop_test(branches, bounds_change_no_time_and_no_bend, 0, 5);
    tcase_add_test(branches, bounds_are_believed);
    tcase_add_test(branches, a_radix_of_too_many_messages_is_left_out_with_a_warning);
    suite_add_tcase(suite, branches);
    return suite;
}
