/* Answers of the layer study that have an interface of their own. */
#include "choose/winner.h"
#include "study/case.h"
#include "study/product.h"
#include "study/study.h"
#include "study/verify_models.h"

#include "unit.h"

#include <math.h>

static Study study_of(Fixture *fixture)
{
    return (Study){.arena = fixture->arena,
                   .diag = &fixture->diag,
                   .library = fixture->library,
                   .rules = rules_of((Prices){100, 10, 1, 2}, 1),
                   .machine = {.multiply = {.is_given = true, .seconds = 5}},
                   .element = 1,
                   .target = -1};
}

/* Verifies one model of the library for these ranks; none: the default ones. */
static collcost_verification verify_one(Fixture *fixture, const char *name, const int64_t *ranks,
                                        size_t count)
{
    const Study study = study_of(fixture);
    const ModelEntry *entry = library_find(fixture->library, text_of(fixture, name));
    collcost_verification report;
    VerifyTask task = {.warns = true};
    ck_assert_ptr_nonnull(entry);
    *ARRAY_PUSH(fixture->arena, &task.entries) = entry;
    for (size_t i = 0; i < count; i++)
        *ARRAY_PUSH(fixture->arena, &task.ranks) = ranks[i];
    ck_assert(verify_models(&study, &task, &report));
    return report;
}

START_TEST(verification_tries_ranks_and_roots_and_judges_claims)
{
    const int64_t ranks[] = {3, 5};
    Fixture *fixture = fixture_open();
    collcost_verification report = verify_one(fixture, "broadcast/binomial", ranks, 2);
    ck_assert_uint_eq(report.model_count, 1);
    const collcost_verified *model = &report.models[0];
    ck_assert_str_eq(model->model, "broadcast/binomial");
    ck_assert_int_eq(model->runs, 7); /* roots 0, 1 and 2; 0, 1, 2 and 4 */
    ck_assert_int_eq(model->wrong_runs, 0);
    ck_assert_uint_eq(report.run_count, 7);
    ck_assert_int_eq(report.runs[6].root, 4);
    ck_assert_uint_gt(report.claim_count, 0);
    ck_assert_int_eq(model->hold + model->refuted, (int64_t)report.claim_count);
    ck_assert_int_eq(report.passed, 7 + (int64_t)report.claim_count);
    ck_assert_int_eq(report.failed, 0);
    report = verify_one(fixture, "allgather/ring", NULL, 0);
    ck_assert_uint_eq(report.run_count, VERIFY_RANKS);
    fixture_close(fixture);
}
END_TEST

START_TEST(one_wrong_run_is_the_counterexample)
{
    static const char forgets_the_last[] = "algorithm: short\n"
                                           "collective: broadcast\n"
                                           "schedule:\n"
                                           "  - send: all\n"
                                           "    if: r == root\n"
                                           "    to: j\n"
                                           "    for: j in 1 .. p - 2\n"
                                           "claims:\n"
                                           "  - source: none\n"
                                           "    on: full\n"
                                           "    rounds: 1\n";
    const int64_t ranks[] = {1, 2, 3};
    Fixture *fixture = fixture_open();
    use_models(fixture, forgets_the_last);
    collcost_verification report = verify_one(fixture, "broadcast/short", ranks, 3);
    assert_error(fixture);
    ck_assert_uint_eq(report.run_count, 2);
    ck_assert(report.runs[0].is_right);
    ck_assert(!report.runs[1].is_right);
    ck_assert_uint_eq(report.claim_count, 0); /* nobody asks what a wrong schedule costs */
    ck_assert_int_eq(report.passed, 1);
    ck_assert_int_eq(report.failed, 1);
    fixture_close(fixture);
}
END_TEST

START_TEST(what_is_expected_to_be_wrong_must_be)
{
    Fixture *fixture = fixture_open();
    const int64_t few = 1;
    collcost_verification report = verify_one(fixture, "alltoall/bruck-listing", NULL, 0);
    ck_assert_int_eq(report.models[0].wrong_runs, 1);
    ck_assert_int_eq(report.passed, 1);
    ck_assert_int_eq(report.failed, 0);
    report = verify_one(fixture, "alltoall/bruck-listing", &few, 1);
    assert_error(fixture);
    ck_assert_int_eq(report.passed, 0);
    ck_assert_int_ge(report.failed, 1);
    fixture_close(fixture);
}
END_TEST

static Products open_products(Fixture *fixture, const Study *study, int64_t from, int64_t to)
{
    Products opened;
    ProductPlaces places = {0};
    const Topology *full =
        library_topology(fixture->library, text_of(fixture, "full"), &fixture->diag);
    for (int64_t p = from; p <= to; p++)
        *ARRAY_PUSH(fixture->arena, &places) = (ProductPlace){full, topology_shape(full, p)};
    ck_assert_int_eq(
        products_open(study, collective_named(fixture, "matmul"), NULL, &places, &opened),
        PRODUCT_OPENED);
    ck_assert_uint_eq(opened.cases.count, places.count);
    return opened;
}

START_TEST(rows_over_n_and_over_p_begin_with_the_winner_of_the_table)
{
    Fixture *fixture = fixture_open();
    const Study study = study_of(fixture);
    const Products opened = open_products(fixture, &study, 16, 64);
    const ProductCases cases = opened.cases;
    ProductRows rows = {0}, over_ranks = {0};
    ck_assert(product_over_orders(cases.items[48], 1, 500, &rows));
    ck_assert_uint_gt(rows.count, 1);
    ck_assert_int_eq(rows.items[0].from, 1);
    ck_assert_int_eq(rows.items[rows.count - 1].to, 500);
    for (size_t i = 0; i < rows.count; i++) {
        ProductPoints points = {0};
        ck_assert(product_costs(cases.items[48], rows.items[i].from, &points));
        ck_assert_str_eq(points.items[0].algorithm->head.name, rows.items[i].algorithm);
        ck_assert_double_eq(points.items[0].point.total_s, rows.items[i].total_at_from_s);
    }
    ck_assert(product_over_ranks(&cases, 60, &over_ranks));
    ck_assert_uint_gt(over_ranks.count, 0);
    for (size_t i = 0; i < over_ranks.count; i++) {
        ProductPoints points = {0};
        const collcost_product_row *row = &over_ranks.items[i];
        ck_assert(product_costs(cases.items[row->to - 16], 60, &points));
        ck_assert_str_eq(points.items[0].algorithm->head.name, row->algorithm);
        ck_assert_double_eq(points.items[0].point.total_s, row->total_at_to_s);
    }
    products_put_away(&opened);
    fixture_close(fixture);
}
END_TEST

START_TEST(the_largest_ranks_with_an_efficiency_are_those_of_the_table)
{
    Fixture *fixture = fixture_open();
    const Study study = study_of(fixture);
    const Products opened = open_products(fixture, &study, 1, 64);
    const ProductCases cases = opened.cases;
    ProductPoints all = {0}, largest = {0};
    IntArray orders = {0};
    *ARRAY_PUSH(fixture->arena, &orders) = 20;
    *ARRAY_PUSH(fixture->arena, &orders) = 48;
    ck_assert(product_scaling(&cases, &orders, &all));
    ck_assert(product_largest_ranks(&cases, &orders, 0.5, &largest));
    ck_assert_uint_gt(largest.count, 0);
    for (size_t i = 0; i < all.count; i++) {
        const ProductPoint *row = &all.items[i], *kept = NULL;
        for (size_t j = 0; j < largest.count; j++)
            if (product_is_same(largest.items[j].algorithm, row->algorithm) &&
                largest.items[j].point.n == row->point.n)
                kept = &largest.items[j];
        ck_assert(row->point.efficiency < 0.5 || (kept && kept->point.p >= row->point.p));
    }
    for (size_t j = 0; j < largest.count; j++)
        ck_assert_double_ge(largest.items[j].point.efficiency, 0.5);
    products_put_away(&opened);
    fixture_close(fixture);
}
END_TEST

START_TEST(ties_of_products_go_to_the_first_row)
{
    const collcost_product rows[] = {
        {.n = 8, .p = 4, .total_s = 1 + 1e-14, .efficiency = 0.6},
        {.n = 8, .p = 4, .total_s = 1, .efficiency = 0.7},
        {.n = 8, .p = 9, .total_s = 1 - 1e-14, .efficiency = 0.4},
        {.n = 9, .p = 9, .total_s = 0.5, .efficiency = 0.9},
    };
    ck_assert_ptr_eq(collcost_products_fastest(rows, 4, 8, 0), &rows[0]);
    ck_assert_ptr_eq(collcost_products_fastest(rows, 4, 8, 9), &rows[2]);
    ck_assert_ptr_null(collcost_products_fastest(rows, 4, 9, 4));
    ck_assert_ptr_eq(collcost_products_cost_optimal(rows, 4, 8, 0.5), &rows[0]);
    ck_assert_ptr_eq(collcost_products_cost_optimal(rows, 4, 8, 0.65), &rows[1]);
    ck_assert_ptr_null(collcost_products_cost_optimal(rows, 4, 8, 0.8));
}
END_TEST

static Case *open_case(Fixture *fixture, const char *collective, const char *topology, bool defers)
{
    Study study = study_of(fixture);
    Shape shape;
    const Topology *found = subject_topology(&study, text_of(fixture, topology), &shape);
    study.defers = defers;
    study.stages = defers ? STAGES_BY_BOUNDS : STAGES_ALL;
    study.compose = COMPOSE_LEVELS;
    Case *opened = case_open(
        &study, library_collective(fixture->library, text_of(fixture, collective), &fixture->diag),
        NULL, found, &shape);
    ck_assert_ptr_nonnull(opened);
    return opened;
}

static const char *name_of(const Case *opened, size_t candidate)
{
    return case_algorithm(opened, candidate)->head.name;
}

/* The first of all candidates, and the next one that is slower. *saved: those not derived. */
static void check_rivals(Fixture *fixture, const char *collective, const char *topology,
                         double bytes, size_t *saved)
{
    Case *all = open_case(fixture, collective, topology, false);
    Case *deferred = open_case(fixture, collective, topology, true);
    CaseCost *costs = ARENA_ARRAY(fixture->arena, CaseCost, all->candidates.algorithms.count);
    size_t rivals[2], next = 1;
    ck_assert(case_costs(all, bytes, costs));
    while (!time_is_below(costs[0].cost.total, costs[next].cost.total))
        next++;
    ck_assert(explanation_rivals(deferred, bytes, NULL, rivals));
    ck_assert_str_eq(name_of(deferred, rivals[0]), name_of(all, costs[0].candidate));
    ck_assert_str_eq(name_of(deferred, rivals[1]), name_of(all, costs[next].candidate));
    *saved += deferred->candidates.put_off;
    deferred = open_case(fixture, collective, topology, true);
    ck_assert(explanation_rivals(deferred, bytes, name_of(all, costs[0].candidate), rivals));
    ck_assert_str_eq(name_of(deferred, rivals[1]), name_of(all, costs[1].candidate));
}

START_TEST(rivals_are_those_of_all_candidates)
{
    static const char *const collectives[] = {"allreduce", "reduce", "allgather", "broadcast"};
    static const char *const topologies[] = {"torus:4x4", "cluster:4x4", "fat-tree:2x2x4"};
    size_t saved = 0;
    for (int c = 0; c < 4; c++)
        for (int t = 0; t < 3; t++)
            for (double bytes = 4; bytes < 0x1p22; bytes *= 64) {
                Fixture *fixture = fixture_open();
                check_rivals(fixture, collectives[c], topologies[t], bytes, &saved);
                fixture_close(fixture);
            }
    ck_assert_uint_gt(saved, 0);
}
END_TEST

Suite *study_suite(void)
{
    Suite *suite = suite_create("study");
    TCase *models = tcase_create("models"), *products = tcase_create("products");
    tcase_set_timeout(models, 300);
    TCase *rivals = tcase_create("rivals");
    tcase_set_timeout(products, 300);
    tcase_set_timeout(rivals, 300);
    tcase_add_test(models, verification_tries_ranks_and_roots_and_judges_claims);
    tcase_add_test(models, one_wrong_run_is_the_counterexample);
    tcase_add_test(models, what_is_expected_to_be_wrong_must_be);
    tcase_add_test(products, rows_over_n_and_over_p_begin_with_the_winner_of_the_table);
    tcase_add_test(products, the_largest_ranks_with_an_efficiency_are_those_of_the_table);
    tcase_add_test(products, ties_of_products_go_to_the_first_row);
    suite_add_tcase(suite, models);
    suite_add_tcase(suite, products);
    tcase_add_test(rivals, rivals_are_those_of_all_candidates);
    suite_add_tcase(suite, rivals);
    return suite;
}
