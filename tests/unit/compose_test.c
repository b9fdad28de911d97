#include "model/use.h"

#include "sched/shapes.h"
#include "verify/verify.h"

#include "unit.h"

#include <string.h>

/* Runs an algorithm on one shape for every root, or three of many; it must be right on data. */
static void assert_right(Fixture *fixture, const Algorithm *algorithm, const Shape *shape,
                         int64_t ports)
{
    int64_t roots = algorithm->collective->rooted ? shape->p : 1;
    int64_t step = roots > 9 ? (roots - 1) / 2 : 1;
    for (int64_t root = 0; root < roots; root += step) {
        ArenaMark mark = arena_mark(fixture->arena);
        Instance instance = {.algorithm = algorithm,
                             .p = shape->p,
                             .root = root,
                             .k = 2,
                             .ports = ports,
                             .shape = shape};
        Verification result = verify_schedule(fixture->arena, &instance, &fixture->diag);
        ck_assert_msg(result.right && result.on_data, "%s on %s, root = %d: %s%s",
                      algorithm->head.name, shape_describe(fixture->arena, shape), (int)root,
                      result.failure.text ? result.failure.text : "", fixture->messages);
        arena_release(fixture->arena, mark);
    }
}

/* Of the grids below, as few have sizes that are powers of three. */
enum { LEAST_GRIDS = 4 };

/* All grids up to 5 x 5, and those of 2, 3 and 4 in any order, with one port, or two where one is
   not enough. Returns on how many it may run. */
static int assert_right_on_grids(Fixture *fixture, const Algorithm *algorithm)
{
    static const int64_t deep[][3] = {{2, 3, 4}, {4, 3, 2}, {3, 4, 2}, {2, 4, 3}, {4, 4, 2}};
    int tried = 0;
    for (int i = 0; i < 25 + 5; i++) {
        Shape shape = {.p = 1};
        for (int d = 0; d < (i < 25 ? 2 : 3); d++)
            shape_add(&shape, NULL, i >= 25 ? deep[i - 25][d] : 1 + (d ? i / 5 : i % 5));
        int64_t ports = 1;
        while (ports < 3 && !schedule_allows(algorithm, &shape, ports, NULL, &fixture->diag))
            ports++;
        if (ports == 3)
            continue;
        assert_right(fixture, algorithm, &shape, ports);
        tried++;
    }
    return tried;
}

static const Algorithm *typed(Fixture *fixture, const char *text)
{
    const Resolver resolver = library_resolver(fixture->library, fixture->arena, &fixture->diag);
    const Algorithm *algorithm = sequence_typed(&resolver, text_of(fixture, text));
    ck_assert_msg(algorithm != NULL, "%s: %s", text, fixture->messages);
    return algorithm;
}

static AlgorithmArray algorithms_of(Fixture *fixture, const char *collective)
{
    AlgorithmArray algorithms = {0};
    ck_assert(library_algorithms(fixture->library, collective_named(fixture, collective),
                                 &algorithms, &fixture->diag));
    ck_assert_uint_gt(algorithms.count, 0);
    return algorithms;
}

static const char *const collectives[] = {"broadcast",      "reduce",    "scatter",  "gather",
                                          "reduce-scatter", "allgather", "allreduce"};

/* Every algorithm can run in the lines of every dimension, in any order of dimensions. */
START_TEST(all_run_along_dimensions)
{
    static const char *const along[] = {"every dimension", "y then x"};
    Fixture *fixture = fixture_open();
    AlgorithmArray algorithms = algorithms_of(fixture, collectives[_i]);
    for (size_t a = 0; a < algorithms.count; a++)
        for (int i = 0; i < 2; i++) {
            const char *text = arena_printf(fixture->arena, "%s: %s along %s", collectives[_i],
                                            algorithms.items[a]->head.name, along[i]);
            ck_assert_int_ge(assert_right_on_grids(fixture, typed(fixture, text)), LEAST_GRIDS);
        }
    fixture_close(fixture);
}
END_TEST

START_TEST(all_to_all_runs_along_dimensions)
{
    Fixture *fixture = fixture_open();
    AlgorithmArray algorithms = algorithms_of(fixture, "alltoall");
    for (size_t a = 0; a < algorithms.count; a++) {
        const char *text = arena_printf(fixture->arena, "alltoall: %s along every dimension",
                                        algorithms.items[a]->head.name);
        if (!algorithms.items[a]->expect_wrong)
            ck_assert_int_ge(assert_right_on_grids(fixture, typed(fixture, text)), LEAST_GRIDS);
    }
    fixture_close(fixture);
}
END_TEST

/* The dual of every algorithm that has one, and the dual of the dual in the lines of a grid. */
START_TEST(duals_are_right)
{
    Fixture *fixture = fixture_open();
    const Collective *collective = collective_named(fixture, collectives[_i]);
    AlgorithmArray algorithms = algorithms_of(fixture, collectives[_i]);
    for (size_t a = 0; a < algorithms.count && collective->dual; a++) {
        const char *name = algorithm_full_name(fixture->arena, algorithms.items[a]);
        const char *text = arena_printf(fixture->arena, "%s: dual %s", collective->dual, name);
        ck_assert_int_ge(assert_right_on_grids(fixture, typed(fixture, text)), LEAST_GRIDS);
        text = arena_printf(fixture->arena, "%s: dual %s along y then x", collective->dual, name);
        ck_assert_int_ge(assert_right_on_grids(fixture, typed(fixture, text)), LEAST_GRIDS);
    }
    fixture_close(fixture);
}
END_TEST

/* Whose algorithms one after the other make an algorithm of which collective. */
static const struct {
    const char *whole, *first, *second;
} sequences[] = {
    {"allreduce", "reduce-scatter", "allgather"}, {"allreduce", "reduce", "broadcast"},
    {"broadcast", "scatter", "allgather"},        {"reduce", "reduce-scatter", "gather"},
    {"allgather", "gather", "broadcast"},
};

/* All pairs, once among all ranks, and once in the lines of the dimensions. Those for powers of two
   and of three share the grid of one rank. */
START_TEST(sequences_are_right)
{
    Fixture *fixture = fixture_open();
    AlgorithmArray first = algorithms_of(fixture, sequences[_i].first);
    AlgorithmArray second = algorithms_of(fixture, sequences[_i].second);
    for (size_t i = 0; i < first.count * second.count; i++) {
        const char *one = algorithm_full_name(fixture->arena, first.items[i / second.count]);
        const char *two = algorithm_full_name(fixture->arena, second.items[i % second.count]);
        const char *text =
            arena_printf(fixture->arena, "%s: %s, %s", sequences[_i].whole, one, two);
        ck_assert_int_ge(assert_right_on_grids(fixture, typed(fixture, text)), 1);
        text = arena_printf(fixture->arena, "%s: %s along x then y, %s along y then x",
                            sequences[_i].whole, one, two);
        ck_assert_int_ge(assert_right_on_grids(fixture, typed(fixture, text)), 1);
    }
    fixture_close(fixture);
}
END_TEST

/* A hierarchy: inside the lines of one dimension, across them, and inside again. */
START_TEST(hierarchies_are_right)
{
    static const char *const stages[] = {
        "allreduce: reduce-scatter/ring along x, ring along y, allgather/ring along x",
        "allreduce: reduce/binomial along x, recursive-doubling along y, broadcast/flat along x",
        "allreduce: reduce-scatter/ring along y, rabenseifner along x, allgather/bruck along y",
        "broadcast: scatter/binomial along x, pipelined-chain along y, allgather/ring along x",
        "allreduce: reduce-scatter/ring along x, reduce-broadcast along y, dual "
        "reduce-scatter/ring "
        "along x",
    };
    Fixture *fixture = fixture_open();
    ck_assert_int_ge(assert_right_on_grids(fixture, typed(fixture, stages[_i])), LEAST_GRIDS);
    fixture_close(fixture);
}
END_TEST

/* The same schedule with its ranks permuted, among all and in lines. */
START_TEST(renumbering_is_right)
{
    static const char *const orders[] = {"p - 1 - r", "(r + 2) mod p",
                                         "when(2*r < p, 2*r, 2*(p - r) - 1)"};
    Fixture *fixture = fixture_open();
    AlgorithmArray algorithms = algorithms_of(fixture, collectives[_i]);
    for (size_t a = 0; a < algorithms.count; a++)
        for (int i = 0; i < 3; i++) {
            const char *name = algorithms.items[a]->head.name;
            const char *text = arena_printf(fixture->arena, "%s: %s renumber %s", collectives[_i],
                                            name, orders[i]);
            ck_assert_int_ge(assert_right_on_grids(fixture, typed(fixture, text)), LEAST_GRIDS);
            text = arena_printf(fixture->arena, "%s: %s along every dimension renumber %s",
                                collectives[_i], name, orders[i]);
            ck_assert_int_ge(assert_right_on_grids(fixture, typed(fixture, text)), LEAST_GRIDS);
        }
    fixture_close(fixture);
}
END_TEST

/* A ring of 4, its ranks in the order 0, 2, 3, 1: rank 0 sends to 2, 2 to 3, 3 to 1, 1 to 0. */
START_TEST(renumbered_ranks_take_their_blocks_along)
{
    Fixture *fixture = fixture_open();
    const Algorithm *algorithm =
        typed(fixture, "allgather: ring renumber when(2*r < p, 2*r, 2*(p - r) - 1)");
    Shape shape = shape_line(4);
    Instance instance = {.algorithm = algorithm, .p = 4, .k = 1, .ports = 1, .shape = &shape};
    ck_assert_str_eq(schedule_text(fixture, &instance),
                     "0>2 send 0, 2>3 send 2, 3>1 send 3, 1>0 send 1; "
                     "0>2 send 1, 2>3 send 0, 3>1 send 2, 1>0 send 3; "
                     "0>2 send 3, 2>3 send 1, 3>1 send 0, 1>0 send 2");
    fixture_close(fixture);
}
END_TEST

/* A ring of 3 twice, each on half of every block, 0 and 1 of rank 0: up, and down. */
START_TEST(channels_share_rounds)
{
    Fixture *fixture = fixture_open();
    const Algorithm *algorithm =
        typed(fixture, "allgather: ring channels 2 renumber when(channel == 0, r, p - 1 - r)");
    Shape shape = shape_line(3);
    Instance instance = {.algorithm = algorithm, .p = 3, .k = 1, .ports = 2, .shape = &shape};
    ck_assert_str_eq(schedule_text(fixture, &instance),
                     "0>1 send 0, 1>2 send 2, 2>0 send 4, 2>1 send 5, 1>0 send 3, 0>2 send 1; "
                     "0>1 send 4, 1>2 send 0, 2>0 send 2, 2>1 send 1, 1>0 send 5, 0>2 send 3");
    fixture_close(fixture);
}
END_TEST

/* Side by side, in orders of their own, also where the roots of the channels differ. */
START_TEST(channels_are_right)
{
    Fixture *fixture = fixture_open();
    AlgorithmArray algorithms = algorithms_of(fixture, collectives[_i]);
    for (size_t a = 0; a < algorithms.count; a++) {
        const char *name = algorithms.items[a]->head.name;
        const char *text =
            arena_printf(fixture->arena, "%s: %s channels 3 renumber (r + channel) mod p",
                         collectives[_i], name);
        ck_assert_int_ge(assert_right_on_grids(fixture, typed(fixture, text)), LEAST_GRIDS);
        text = arena_printf(fixture->arena,
                            "%s: %s along every dimension channels min(X, d + 1) renumber "
                            "when(bit(channel, 0), p - 1 - r, r)",
                            collectives[_i], name);
        ck_assert_int_ge(assert_right_on_grids(fixture, typed(fixture, text)), LEAST_GRIDS);
    }
    fixture_close(fixture);
}
END_TEST

/* Chunk 1 is reduced while chunk 0 is sent on, which comes first in a round. */
START_TEST(pipelined_stages_overlap)
{
    Fixture *fixture = fixture_open();
    const Algorithm *algorithm =
        typed(fixture, "allreduce: pipelined reduce/flat, broadcast/chain");
    Shape shape = shape_line(3);
    Instance instance = {.algorithm = algorithm, .p = 3, .k = 2, .ports = 2, .shape = &shape};
    ck_assert(algorithm->free_chunks);
    ck_assert_str_eq(schedule_text(fixture, &instance),
                     "2>0 reduce 0; 1>0 reduce 0; 0>1 send 0, 2>0 reduce 1; "
                     "1>2 send 0, 1>0 reduce 1; 0>1 send 1; 1>2 send 1");
    instance.k = 1;
    ck_assert_str_eq(schedule_text(fixture, &instance),
                     "2>0 reduce 0; 1>0 reduce 0; 0>1 send 0; 1>2 send 0");
    fixture_close(fixture);
}
END_TEST

/* The longest stage sets the length of the period; stages behind it end with it. */
START_TEST(stages_behind_the_longest_end_with_it)
{
    Fixture *fixture = fixture_open();
    const Algorithm *algorithm =
        typed(fixture, "broadcast: pipelined binomial along x, chain along y, binomial along x");
    Shape shape = {.p = 1};
    shape_add(&shape, NULL, 2), shape_add(&shape, NULL, 3);
    Instance instance = {.algorithm = algorithm, .p = 6, .k = 2, .ports = 2, .shape = &shape};
    ck_assert_str_eq(schedule_text(fixture, &instance),
                     "0>1 send 0; 0>2 send 0, 1>3 send 0, 0>1 send 1; 2>4 send 0, 3>5 send 0; "
                     "0>2 send 1, 1>3 send 1; 0>1 send 0, 2>3 send 0, 4>5 send 0, 2>4 send 1, "
                     "3>5 send 1; 0>1 send 1, 2>3 send 1, 4>5 send 1");
    fixture_close(fixture);
}
END_TEST

/* Any stages, with arrays and chunks of their own, with channels, and inside of one another. */
START_TEST(pipelines_are_right)
{
    static const char *const texts[] = {
        "allreduce: pipelined reduce-scatter/ring along x, ring along y, allgather/ring along x",
        "allreduce: pipelined reduce/pipelined-chain, broadcast/pipelined-chain along every "
        "dimension",
        "allreduce: pipelined reduce-scatter/circulant, allgather/bruck along every dimension",
        "allreduce: pipelined reduce-scatter/ring along every dimension channels 2, "
        "allgather/ring along every dimension channels 3 renumber (r + channel) mod p",
        "broadcast: pipelined scatter/binomial along every dimension, allgather/ring",
        "reduce: pipelined dual broadcast/binomial along every dimension",
        "reduce-scatter: pipelined ring along every dimension",
        "allgather: pipelined bruck along every dimension",
        "gather: pipelined flat along x then y",
        "alltoall: pipelined bruck along every dimension",
        "scan: pipelined recursive-doubling",
    };
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_int_ge(assert_right_on_grids(fixture, typed(fixture, texts[i])), 9);
    fixture_close(fixture);
}
END_TEST

/* Allgather on 2 x 2: along x (0 and 1, 2 and 3), then along y (0 and 2, 1 and 3). */
START_TEST(projected_blocks_travel_together)
{
    Fixture *fixture = fixture_open();
    const Algorithm *algorithm = typed(fixture, "allgather: ring along every dimension");
    Shape shape = {.p = 1};
    shape_add(&shape, NULL, 2), shape_add(&shape, NULL, 2);
    Instance instance = {.algorithm = algorithm, .p = 4, .k = 1, .ports = 1, .shape = &shape};
    ck_assert_str_eq(schedule_text(fixture, &instance),
                     "0>1 send 0, 2>3 send 2, 1>0 send 1, 3>2 send 3; "
                     "0>2 send 0+1, 1>3 send 0+1, 2>0 send 2+3, 3>1 send 2+3");
    fixture_close(fixture);
}
END_TEST

/* The same on 2 nodes of 2 devices: across nodes (0 and 2, 1 and 3) first. Its dual goes back. */
START_TEST(the_outermost_level_comes_first)
{
    Fixture *fixture = fixture_open();
    Shape shape = {.p = 1};
    shape_add(&shape, "device", 2), shape_add(&shape, "node", 2);
    Instance instance = {.algorithm = typed(fixture, "allgather: ring along every level"),
                         .p = 4,
                         .k = 1,
                         .ports = 1,
                         .shape = &shape};
    ck_assert_str_eq(schedule_text(fixture, &instance),
                     "0>2 send 0, 1>3 send 1, 2>0 send 2, 3>1 send 3; "
                     "0>1 send 0+2, 2>3 send 0+2, 1>0 send 1+3, 3>2 send 1+3");
    instance.algorithm = typed(fixture, "reduce-scatter: dimension-by-dimension");
    ck_assert_str_eq(schedule_text(fixture, &instance),
                     "1>0 reduce 0+2, 3>2 reduce 0+2, 0>1 reduce 1+3, 2>3 reduce 1+3; "
                     "2>0 reduce 0, 3>1 reduce 1, 0>2 reduce 2, 1>3 reduce 3");
    instance.algorithm = typed(fixture, "reduce-scatter: ring along every level backwards");
    ck_assert_str_eq(schedule_text(fixture, &instance),
                     "1>0 reduce 0+2, 3>2 reduce 0+2, 0>1 reduce 1+3, 2>3 reduce 1+3; "
                     "2>0 reduce 0, 3>1 reduce 1, 0>2 reduce 2, 1>3 reduce 3");
    instance.algorithm = typed(fixture, "allgather: ring along every dimension backwards");
    ck_assert_str_eq(schedule_text(fixture, &instance),
                     "0>2 send 0, 1>3 send 1, 2>0 send 2, 3>1 send 3; "
                     "0>1 send 0+2, 2>3 send 0+2, 1>0 send 1+3, 3>2 send 1+3");
    fixture_close(fixture);
}
END_TEST

/* Broadcast from rank 3 of 3 x 2: the row of the root (3 4 5) first, the other row stays idle. */
START_TEST(lines_without_data_stay_idle)
{
    Fixture *fixture = fixture_open();
    const Algorithm *algorithm = typed(fixture, "broadcast: chain along x then y");
    Shape shape = {.p = 1};
    shape_add(&shape, NULL, 3), shape_add(&shape, NULL, 2);
    Instance instance = {
        .algorithm = algorithm, .p = 6, .root = 3, .k = 1, .ports = 1, .shape = &shape};
    ck_assert_str_eq(schedule_text(fixture, &instance),
                     "3>4 send 0; 4>5 send 0; 3>0 send 0, 4>1 send 0, 5>2 send 0");
    fixture_close(fixture);
}
END_TEST

/* Nonsense: text and the column at which it is reported. */
static const struct {
    const char *text;
    size_t column;
} nonsense[] = {
    {"allreduce: dual allreduce/ring", 17},
    {"allreduce: dual reduce/ring", 17},
    {"sum: ring", 1},
    {"allreduce: ring beside x", 17},
    {"allreduce: ring along", 22},
    {"allreduce: ring along every x", 29},
    {"allreduce: ring along x then", 29},
    {"allreduce: ring renumber q + 1", 26},
    {"allreduce: ring renumber", 25},
    {"allreduce: ring channels", 25},
    {"allreduce: ring channels channel", 26},
    {"allreduce: ring renumber r channels 2", 28},
    {"allreduce: ring,, ring", 17},
    {"allreduce:", 11},
    {"allreduce: pipelined", 12},
    {"broadcast: dual broadcast/binomial, no", 37},
};

START_TEST(nonsense_is_reported)
{
    Fixture *fixture = fixture_open();
    Text text = text_of(fixture, nonsense[_i].text);
    const Resolver resolver = library_resolver(fixture->library, fixture->arena, &fixture->diag);
    ck_assert_ptr_null(sequence_typed(&resolver, text));
    assert_error_at(fixture, "text", 1, nonsense[_i].column);
    fixture_close(fixture);
}
END_TEST

/* What an algorithm may not run on, and why. */
static const struct {
    const char *text, *reason;
} refusals[] = {
    {"allreduce: ring along device", "the network has no dimension 'device'"},
    {"allreduce: ring along z", "the network has no dimension 'z'"},
    {"allreduce: ring along x", "allreduce/ring along x does not run along the dimension 'y'"},
    {"allgather: neighbour-exchange along every dimension",
     "allgather/neighbour-exchange does not allow p = 3: it requires p mod 2 == 0 or p == 1"},
};

START_TEST(refusals_say_why)
{
    Fixture *fixture = fixture_open();
    Refusal refusal;
    Shape shape = {.p = 1};
    shape_add(&shape, NULL, 3), shape_add(&shape, NULL, 2);
    ck_assert(
        !schedule_allows(typed(fixture, refusals[_i].text), &shape, 1, &refusal, &fixture->diag));
    ck_assert_str_eq(schedule_explain(fixture->arena, &refusal), refusals[_i].reason);
    fixture_close(fixture);
}
END_TEST

/* A composition whose parts do not fit is wrong, and the run says so. */
static const char *const wrong[] = {
    "allreduce: reduce-scatter/ring",
    "allreduce: allgather/ring",
    "allreduce: reduce-scatter/ring along x, allgather/ring along y",
    "broadcast: scatter/binomial, broadcast/binomial",
    "allgather: ring along x then x",
    "reduce: broadcast/binomial",
};

START_TEST(unfitting_parts_are_wrong)
{
    Fixture *fixture = fixture_open();
    Shape shape = shape_line(4);
    if (strstr(wrong[_i], "along")) {
        shape = (Shape){.p = 1};
        shape_add(&shape, NULL, 2), shape_add(&shape, NULL, 2);
    }
    Instance instance = {
        .algorithm = typed(fixture, wrong[_i]), .p = 4, .k = 1, .ports = 1, .shape = &shape};
    Verification result = verify_schedule(fixture->arena, &instance, &fixture->diag);
    take_messages(fixture);
    ck_assert(!result.right && result.failure.text);
    fixture_close(fixture);
}
END_TEST

Suite *compose_suite(void)
{
    enum { COUNT = sizeof collectives / sizeof *collectives };
    Suite *suite = suite_create("compose");
    TCase *library = tcase_create("library"), *tests = tcase_create("compose");
    tcase_set_timeout(library, 300);
    tcase_set_tags(library, "slow");
    tcase_add_loop_test(library, all_run_along_dimensions, 0, COUNT);
    tcase_add_test(library, all_to_all_runs_along_dimensions);
    tcase_add_loop_test(library, duals_are_right, 0, COUNT);
    tcase_add_loop_test(library, sequences_are_right, 0, sizeof sequences / sizeof *sequences);
    tcase_add_loop_test(library, renumbering_is_right, 0, COUNT);
    tcase_add_loop_test(library, channels_are_right, 0, COUNT);
    tcase_add_loop_test(tests, hierarchies_are_right, 0, 5);
    tcase_add_test(tests, renumbered_ranks_take_their_blocks_along);
    tcase_add_test(tests, channels_share_rounds);
    tcase_add_test(tests, pipelined_stages_overlap);
    tcase_add_test(tests, stages_behind_the_longest_end_with_it);
    tcase_add_test(tests, pipelines_are_right);
    tcase_add_test(tests, projected_blocks_travel_together);
    tcase_add_test(tests, the_outermost_level_comes_first);
    tcase_add_test(tests, lines_without_data_stay_idle);
    tcase_add_loop_test(tests, nonsense_is_reported, 0, sizeof nonsense / sizeof *nonsense);
    tcase_add_loop_test(tests, refusals_say_why, 0, sizeof refusals / sizeof *refusals);
    tcase_add_loop_test(tests, unfitting_parts_are_wrong, 0, sizeof wrong / sizeof *wrong);
    suite_add_tcase(suite, library);
    suite_add_tcase(suite, tests);
    return suite;
}
