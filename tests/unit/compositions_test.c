/* Compositions: what plans there are, and whether the best of all is found stage by stage. */
#include "base/random.h"
#include "cost/derive_memo.h"
#include "model/use.h"
#include "sched/grid_stages.h"
#include "study/followed.h"
#include "study/plans.h"
#include "study/study.h"

#include "unit.h"

#include <math.h>
#include <string.h>

static size_t count_plans(Fixture *fixture, const char *collective, const char *network, bool any)
{
    Network of = network_named(fixture, network, TIES_PLUS);
    PlanGrid grid = {of.shape, ""};
    PlanArray plans = {0};
    plans_list(fixture->arena, collective, &grid, any, &plans);
    return plans.count;
}

/* w ways to wrap each dimension but the last, in n! orders. */
START_TEST(plans_wrap_all_dimensions_but_the_last)
{
    Fixture *fixture = fixture_open();
    ck_assert_uint_eq(count_plans(fixture, "allreduce", "cluster:16x8", false), 3);
    ck_assert_uint_eq(count_plans(fixture, "allreduce", "cluster:16x8", true), 6);
    ck_assert_uint_eq(count_plans(fixture, "allreduce", "torus:4x2x3", false), 9);
    ck_assert_uint_eq(count_plans(fixture, "allreduce", "torus:4x2x3", true), 54);
    ck_assert_uint_eq(count_plans(fixture, "broadcast", "torus:4x2x3", false), 4);
    ck_assert_uint_eq(count_plans(fixture, "alltoall", "torus:4x2x3", true), 6);
    ck_assert_uint_eq(count_plans(fixture, "allreduce", "torus:4x1x3", false), 3);
    ck_assert_uint_eq(count_plans(fixture, "allreduce", "torus:4x1", false), 0);
    ck_assert_uint_eq(count_plans(fixture, "allreduce", "ring:8", true), 0);
    ck_assert_uint_eq(count_plans(fixture, "scan", "torus:4x4", true), 0);
    ck_assert_uint_eq(count_plans(fixture, "allreduce", "torus:2x2x2x2", true), 27 * 24);
    ck_assert_uint_eq(count_plans(fixture, "allreduce", "torus:2x2x2x2x2", true), 81);
    ck_assert_uint_eq(count_plans(fixture, "allreduce", "torus:2x2x2x2x2x2", false), 243);
    ck_assert_uint_eq(count_plans(fixture, "allreduce", "torus:2x2x2x2x2x2x2", false), 0);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_plan_comes_back_through_the_dimensions_it_went_into)
{
    static const PlanStage expected[] = {
        {"reduce-scatter", 0}, {"reduce", 1}, {"allreduce", 2}, {"broadcast", 1}, {"allgather", 0}};
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, "torus:4x2x3", TIES_PLUS);
    PlanGrid grid = {network.shape, ""};
    PlanArray plans = {0};
    plans_list(fixture->arena, "allreduce", &grid, false, &plans);
    ck_assert_uint_eq(plans.items[1].count, 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_str_eq(plans.items[1].stages[i].collective, expected[i].collective);
        ck_assert_int_eq(plans.items[1].stages[i].dimension, expected[i].dimension);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(a_dimension_is_cut_by_each_divisor)
{
    static const char *const expected[] = {"{device1: 2, device2: 3, node: 4}",
                                           "{device1: 3, device2: 2, node: 4}",
                                           "{device: 6, node1: 2, node2: 2}"};
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, "cluster:4x6", TIES_PLUS);
    PlanGridArray grids = {0}, none = {0};
    plans_cut(fixture->arena, &network.shape, &grids);
    ck_assert_uint_eq(grids.count, 3);
    for (size_t i = 0; i < grids.count; i++) {
        ck_assert_str_eq(grids.items[i].text, expected[i]);
        ck_assert_int_eq(grids.items[i].shape.p, 24);
    }
    network = network_named(fixture, "ring:7", TIES_PLUS);
    plans_cut(fixture->arena, &network.shape, &none);
    network = network_named(fixture, "hypercube:16", TIES_PLUS);
    plans_cut(fixture->arena, &network.shape, &none);
    ck_assert_uint_eq(none.count, 0);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_collective_by_itself_is_halved)
{
    static const PlanStage expected[] = {
        {"reduce-scatter", 0}, {"reduce-scatter", 1}, {"allgather", 1}, {"allgather", 0}};
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, "torus:4x3", TIES_PLUS);
    PlanGrid grid = {network.shape, ""};
    PlanArray plans = {0}, halved = {0}, together = {0}, none = {0};
    plans_list(fixture->arena, "allreduce", &grid, false, &plans);
    plans_halve(fixture->arena, "allreduce", &plans, &halved);
    ck_assert_uint_eq(halved.count, 3);
    ck_assert_uint_eq(halved.items[0].count, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_str_eq(halved.items[0].stages[i].collective, expected[i].collective);
        ck_assert_int_eq(halved.items[0].stages[i].dimension, expected[i].dimension);
    }
    plans_together(fixture->arena, "broadcast", &grid, &together);
    ck_assert_uint_eq(together.count, 1);
    ck_assert_uint_eq(together.items[0].count, 2);
    ck_assert_str_eq(together.items[0].stages[0].collective, "scatter");
    ck_assert_int_eq(together.items[0].stages[1].dimension, PLAN_ALL_RANKS);
    plans_together(fixture->arena, "alltoall", &grid, &none);
    ck_assert_uint_eq(none.count, 0);
    fixture_close(fixture);
}
END_TEST

/* Of stages, and of rounds within those that are run. */
typedef struct {
    int run[2], repeated[2], depth;
} StageTally;

static void count_run(void *context)
{
    StageTally *tally = context;
    ck_assert_int_lt(tally->depth, 2);
    tally->run[tally->depth++]++;
}

static const char kept_stage;

static const void *keep_it(void *context, Arena *arena)
{
    (void)arena;
    ((StageTally *)context)->depth--;
    return &kept_stage;
}

static void count_repeated(void *context, const void *kept)
{
    StageTally *tally = context;
    ck_assert_ptr_eq(kept, &kept_stage);
    tally->repeated[tally->depth]++;
}

static bool ignore_round(void *context, const Round *round, Arena *arena)
{
    (void)context, (void)round, (void)arena;
    return true;
}

/* An allreduce of such stages, with one port. */
static Instance allreduce_of(Fixture *fixture, const Network *network, const char *stages)
{
    const Resolver resolver = library_resolver(fixture->library, fixture->arena, &fixture->diag);
    const char *text = arena_printf(fixture->arena, "allreduce: %s", stages);
    const Text typed = source_argument(fixture->arena, "text", text);
    return (Instance){.algorithm = sequence_typed(&resolver, typed),
                      .p = network->p,
                      .k = 1,
                      .ports = 1,
                      .shape = &network->shape};
}

START_TEST(a_stage_that_others_have_run_is_not_run_again)
{
    static const struct {
        const char *stages;
        int run, repeated;     /* stages */
        int rounds, as_before; /* rounds of those that are run; a ring's are one */
    } expected[] = {
        {"reduce-scatter/ring along x, allgather/bruck along x", 2, 0, 3, 0},
        {"reduce-scatter/ring along x, allgather/ring along x", 1, 1, 1, 0},
        /* it leaves what the ring leaves */
        {"reduce-scatter/recursive-halving along x, allgather/ring along x", 1, 1, 2, 0},
        {"reduce-scatter/ring along y, allgather/ring along y", 2, 0, 2, 0},
        {"reduce-scatter/ring along x, allgather/bruck along x", 0, 2, 0, 0},
        /* the round of its allgather has been sent before */
        {"allreduce/ring along x", 1, 0, 1, 1},
    };
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, "torus:4x4", TIES_PLUS);
    GridStages *stages = grid_stages_create(fixture->arena);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        StageTally tally = {0};
        const StageVisitor visitor = {&tally, count_run, keep_it, count_repeated};
        GridOwnership grid;
        const RoundsWanted wanted = {.grid = &grid};
        const Instance instance = allreduce_of(fixture, &network, expected[i].stages);
        ck_assert(grid_ownership_create(fixture->arena, &instance, stages, &grid, &fixture->diag));
        grid.visitor = &visitor;
        ck_assert(schedule_expand_as(&instance, &wanted, ignore_round, NULL, &fixture->diag));
        ck_assert_int_eq(tally.run[0], expected[i].run);
        ck_assert_int_eq(tally.repeated[0], expected[i].repeated);
        ck_assert_msg(
            tally.run[1] == expected[i].rounds && tally.repeated[1] == expected[i].as_before,
            "%s: %d rounds, %d as before", expected[i].stages, tally.run[1], tally.repeated[1]);
    }
    fixture_close(fixture);
}
END_TEST

/* On 4 x 4 ranks: the reduce-scatter leaves 4 quarters of the vector in `total`, beside those that
   are gathered then; also where another composition has run it. Of two stages with arrays the
   second takes those of the first, so that dimensions are not followed one by one. */
START_TEST(what_a_stage_leaves_in_its_arrays_is_held_to_the_end)
{
    static const struct {
        const char *stages;
        bool is_followed;
        int64_t peak;
    } expected[] = {
        {"reduce-scatter/mpich-recursive-doubling along x, allgather/ring along x", true, 8},
        {"reduce-scatter/mpich-recursive-doubling along x, allgather/bruck along x", true, 8},
        {"allreduce/allgather-combine-doubling along x, allreduce/allgather-combine along y", false,
         5}};
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, "torus:4x4", TIES_PLUS);
    Rules rules = rules_of((Prices){1000, 0, 1, 1}, 1);
    PortStepMemo *memo = memo_create(fixture->arena);
    memo_keep_stages(memo);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        GridOwnership grid;
        Profile profile;
        const Instance instance = allreduce_of(fixture, &network, expected[i].stages);
        ck_assert_int_eq(
            grid_ownership_create(fixture->arena, &instance, NULL, &grid, &fixture->diag),
            expected[i].is_followed);
        ck_assert(profile_derive_with(fixture->arena, memo, &instance, &network, &rules, true,
                                      &profile, &fixture->diag));
        ck_assert_int_eq(profile.peak_blocks, expected[i].peak);
    }
    fixture_close(fixture);
}
END_TEST

/* All ways to fill the stages of a plan, "collective dimension ...", are costed one by one; `all`
   is no dimension, but all ranks. */
typedef struct {
    Fixture *fixture;
    const Study *study;
    const Network *network;
    Arena *scratch;
    const double *sizes;
    size_t size_count;
    double *least; /* at each size */
    Front *fronts; /* likewise */
    size_t tried;
} Search;

static void cost_text(Search *search, const char *text)
{
    Diag silent = diag_silent();
    ArenaMark mark = arena_mark(search->scratch);
    const Resolver resolver = library_resolver(search->fixture->library, search->scratch, &silent);
    const Algorithm *algorithm =
        sequence_typed(&resolver, source_argument(search->scratch, "text", text));
    Curve *curve = algorithm && schedule_allows(algorithm, &search->network->shape,
                                                search->study->rules.ports, NULL, &silent)
                       ? curve_create(search->scratch,
                                      &(CurveSubject){algorithm,
                                                      search->network,
                                                      &search->study->rules,
                                                      {.root = 0, .target = -1}},
                                      &search->study->chosen, &silent)
                       : NULL;
    for (size_t i = 0; curve && i < search->size_count; i++) {
        CurvePoint point;
        if (!curve_at(curve, search->sizes[i], curve_most_chunks(search->sizes[i]), &point,
                      &silent))
            continue;
        search->least[i] = fmin(search->least[i], point.total);
        front_add(search->fixture->arena, &search->fronts[i],
                  &(FrontPoint){.startup = point.intercept, .rest = point.total - point.intercept});
        search->tried += i == 0;
    }
    arena_release(search->scratch, mark);
}

static void fill_stages(Search *search, const char *text, const char *plan)
{
    char collective[32], dimension[32];
    int length;
    if (sscanf(plan, "%31s %31[a-z0-9] %n", collective, dimension, &length) != 2) {
        cost_text(search, text);
        return;
    }
    AlgorithmArray all = {0};
    ck_assert(library_algorithms(search->fixture->library,
                                 collective_named(search->fixture, collective), &all,
                                 &search->fixture->diag));
    for (size_t i = 0; i < all.count; i++) {
        char *longer =
            arena_printf(search->fixture->arena, "%s%s %s/%s", text, strchr(text, '/') ? "," : "",
                         collective, all.items[i]->head.name);
        if (strcmp(dimension, "all") != 0)
            longer = arena_printf(search->fixture->arena, "%s along %s", longer, dimension);
        if (!all.items[i]->free_chunks && !all.items[i]->expect_wrong)
            fill_stages(search, longer, plan + length);
    }
}

static Study *study_of_levels(Fixture *fixture, uint64_t *random)
{
    Study *study = study_create(fixture->arena, fixture->library, &fixture->diag);
    study->rules = rules_of((Prices){1 + (double)(random_next(random) % 1000), 0,
                                     1 + (double)(random_next(random) % 20),
                                     (double)(random_next(random) % 3)},
                            1);
    Level *level = ARENA_NEW(fixture->arena, Level);
    *level = (Level){.name = text_of(fixture, "node"),
                     .parameters = {1 + (double)(random_next(random) % 9000), -1,
                                    1 + (double)(random_next(random) % 200), -1},
                     .ports = 1 + (int64_t)(random_next(random) % 4)};
    study->rules.levels = level;
    study->rules.level_count = 1;
    return study;
}

static const struct {
    const char *collective, *network;
    const char *plans[3];
} spaces[] = {
    {"allreduce",
     "cluster:3x2",
     {"reduce-scatter device allreduce node allgather device",
      "reduce device allreduce node broadcast device", "allreduce device allreduce node"}},
    {"broadcast",
     "cluster:4x4",
     {"broadcast node broadcast device", "scatter device broadcast node allgather device"}},
    {"reduce",
     "cluster:4x3",
     {"reduce device reduce node", "reduce-scatter device reduce node gather device"}},
    {"allgather", "cluster:4x4", {"allgather node allgather device"}},
    {"reduce-scatter", "cluster:5x4", {"reduce-scatter device reduce-scatter node"}},
    {"alltoall", "cluster:4x4", {"alltoall device alltoall node"}},
};

/* Is there a candidate that is as good as the point, at that size? */
static bool is_covered(Search *search, const Candidates *candidates, double size,
                       const FrontPoint *point)
{
    const double wanted[] = {point->startup, point->rest};
    for (size_t i = 0; i < candidates->algorithms.count; i++) {
        CurvePoint at;
        ck_assert(curve_at(candidates->curves[i], size, curve_most_chunks(size), &at,
                           &search->fixture->diag));
        const double offered[] = {at.intercept, at.total - at.intercept};
        if (front_covers(offered, wanted, 2))
            return true;
    }
    return false;
}

/* The least time of candidates is the least of all compositions and of the library; and where the
   front is wanted, no composition is beyond it. */
START_TEST(the_best_compositions_of_all_are_found_stage_by_stage)
{
    static const double sizes[] = {1, 30, 1000, 33333, 1e6, 1e9};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    uint64_t random = (uint64_t)_i + 1;
    Fixture *fixture = fixture_open();
    Study *study = study_of_levels(fixture, &random);
    const Collective *collective = collective_named(fixture, spaces[_i].collective);
    Network network = network_named(fixture, spaces[_i].network, TIES_PLUS);
    Candidates candidates = {0};
    double least[SIZES];
    Front fronts[SIZES] = {{0}};
    bool composed = false;
    for (int i = 0; i < SIZES; i++)
        least[i] = INFINITY;
    Search search = {fixture, study,  &network, arena_scratch(fixture->arena), sizes, SIZES,
                     least,   fronts, 0};
    for (int i = 0; i < 3 && spaces[_i].plans[i]; i++)
        fill_stages(&search, arena_printf(fixture->arena, "%s:", spaces[_i].collective),
                    spaces[_i].plans[i]);
    ck_assert_uint_gt(search.tried, 20);
    ck_assert(candidates_open(study, collective, NULL, &network, &candidates));
    for (int s = 0; s < SIZES; s++) {
        double found = INFINITY, of_library = INFINITY;
        for (size_t i = 0; i < candidates.algorithms.count; i++) {
            CurvePoint point;
            bool is_composed = candidates.algorithms.items[i]->composed != NULL;
            ck_assert(curve_at(candidates.curves[i], sizes[s], curve_most_chunks(sizes[s]), &point,
                               &fixture->diag));
            composed |= is_composed;
            found = fmin(found, point.total);
            of_library = is_composed ? of_library : fmin(of_library, point.total);
        }
        assert_near(found, fmin(least[s], of_library), 1e-12);
    }
    ck_assert(composed);
    study->wants_front = true;
    candidates = (Candidates){0};
    ck_assert(candidates_open(study, collective, NULL, &network, &candidates));
    for (int s = 0; s < SIZES; s++)
        for (size_t i = 0; i < fronts[s].count; i++)
            ck_assert_msg(is_covered(&search, &candidates, sizes[s], &fronts[s].items[i]),
                          "%s on %s, %g bytes: startup %g, rest %g", spaces[_i].collective,
                          spaces[_i].network, sizes[s], fronts[s].items[i].startup,
                          fronts[s].items[i].rest);
    arena_destroy(search.scratch);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *collective, *network, *grid, *plan;
} cut_spaces[] = {
    {"allreduce", "full:6", " {x1: 2, x2: 3}", "reduce-scatter x1 allreduce x2 allgather x1"},
    {"allreduce", "full:6", " {x1: 3, x2: 2}", "allreduce x1 allreduce x2"},
    {"broadcast", "full:9", " {x1: 3, x2: 3}", "scatter x1 broadcast x2 allgather x1"},
    {"alltoall", "full:12", " {x1: 4, x2: 3}", "alltoall x1 alltoall x2"},
    {"allreduce", "ring:10", "", "reduce-scatter all allgather all"},
    {"reduce", "torus:4x3", "", "reduce-scatter all gather all"},
};

/* On a network whose ranks are all linked, and with all ranks together, no composition on a grid of
   its own is faster than all that are found for a front. */
START_TEST(grids_that_cut_dimensions_are_tried)
{
    static const double sizes[] = {1, 1000, 33333, 1e6, 1e9};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    Fixture *fixture = fixture_open();
    Study *study = study_create(fixture->arena, fixture->library, &fixture->diag);
    study->rules = rules_of((Prices){1000, 0, 1, 1}, 1);
    study->wants_front = true;
    Network network = network_named(fixture, cut_spaces[_i].network, TIES_PLUS);
    Candidates candidates = {0};
    double least[SIZES];
    Front fronts[SIZES] = {{0}};
    for (int i = 0; i < SIZES; i++)
        least[i] = INFINITY;
    Search search = {fixture, study,  &network, arena_scratch(fixture->arena), sizes, SIZES,
                     least,   fronts, 0};
    fill_stages(
        &search,
        arena_printf(fixture->arena, "%s%s:", cut_spaces[_i].collective, cut_spaces[_i].grid),
        cut_spaces[_i].plan);
    ck_assert_uint_gt(search.tried, 20);
    ck_assert(candidates_open(study, collective_named(fixture, cut_spaces[_i].collective), NULL,
                              &network, &candidates));
    for (int s = 0; s < SIZES; s++) {
        double found = INFINITY;
        for (size_t i = 0; i < candidates.algorithms.count; i++) {
            CurvePoint point;
            ck_assert(curve_at(candidates.curves[i], sizes[s], curve_most_chunks(sizes[s]), &point,
                               &fixture->diag));
            found = fmin(found, point.total);
        }
        ck_assert_msg(found <= least[s] * (1 + 1e-12), "%s on %s, %g bytes: %g, not %g",
                      cut_spaces[_i].collective, cut_spaces[_i].network, sizes[s], found, least[s]);
    }
    arena_destroy(search.scratch);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *collective, *network, *plan;
    int64_t ports, k; /* k 0: the best; where there are thousands of pipelines, one number */
} pipelines[] = {
    {"allgather", "cluster:4x4", "allgather node allgather device", 2, 0},
    {"reduce-scatter", "cluster:5x4", "reduce-scatter device reduce-scatter node", 2, 0},
    {"broadcast", "cluster:3x2", "scatter device scatter node allgather node allgather device", 4,
     8},
    {"allreduce", "cluster:3x2", "reduce-scatter device allreduce node allgather device", 3, 8},
};

/* Exchanging stages comes near the best of all pipelines, and does not beat it. */
START_TEST(pipelines_come_near_the_best_of_all)
{
    const double size = 0x1p30;
    uint64_t random = (uint64_t)_i + 1;
    Fixture *fixture = fixture_open();
    Study *study = study_of_levels(fixture, &random);
    study->rules.ports = pipelines[_i].ports;
    study->chosen.k = pipelines[_i].k;
    const Collective *collective = collective_named(fixture, pipelines[_i].collective);
    Network network = network_named(fixture, pipelines[_i].network, TIES_PLUS);
    Candidates candidates = {0};
    double least = INFINITY, found = INFINITY;
    Front front = {0};
    Search search = {fixture, study,  &network, arena_scratch(fixture->arena), &size, 1,
                     &least,  &front, 0};
    fill_stages(&search, arena_printf(fixture->arena, "%s: pipelined", pipelines[_i].collective),
                pipelines[_i].plan);
    ck_assert(candidates_open(study, collective, NULL, &network, &candidates));
    for (size_t i = 0; i < candidates.algorithms.count; i++) {
        CurvePoint point;
        if (!candidates.algorithms.items[i]->pipelined)
            continue;
        ck_assert(
            curve_at(candidates.curves[i], size, curve_most_chunks(size), &point, &fixture->diag));
        found = fmin(found, point.total);
    }
    ck_assert_msg(found >= least * (1 - 1e-9) && found <= 1.05 * least, "%s: %g, %g of %d",
                  pipelines[_i].collective, found, least, (int)search.tried);
    arena_destroy(search.scratch);
    fixture_close(fixture);
}
END_TEST

Suite *compositions_suite(void)
{
    Suite *suite = suite_create("compositions");
    TCase *plans = tcase_create("plans"), *best = tcase_create("best");
    TCase *pipelined = tcase_create("pipelined");
    tcase_set_timeout(best, 300);
    tcase_set_timeout(pipelined, 300);
    tcase_add_test(plans, plans_wrap_all_dimensions_but_the_last);
    tcase_add_test(plans, a_plan_comes_back_through_the_dimensions_it_went_into);
    tcase_add_test(plans, a_dimension_is_cut_by_each_divisor);
    tcase_add_test(plans, a_collective_by_itself_is_halved);
    tcase_add_test(plans, a_stage_that_others_have_run_is_not_run_again);
    tcase_add_test(plans, what_a_stage_leaves_in_its_arrays_is_held_to_the_end);
    suite_add_tcase(suite, plans);
    tcase_add_loop_test(best, grids_that_cut_dimensions_are_tried, 0,
                        (int)(sizeof cut_spaces / sizeof *cut_spaces));
    tcase_add_loop_test(best, the_best_compositions_of_all_are_found_stage_by_stage, 0,
                        (int)(sizeof spaces / sizeof *spaces));
    suite_add_tcase(suite, best);
    tcase_add_loop_test(pipelined, pipelines_come_near_the_best_of_all, 0,
                        (int)(sizeof pipelines / sizeof *pipelines));
    suite_add_tcase(suite, pipelined);
    return suite;
}
