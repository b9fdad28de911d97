#include "verify/verify.h"

#include "verify/executor.h"

#include "unit.h"

static const char scan_model[] = "collective: scan\n"
                                 "before: 0\n"
                                 "after: 0\n"
                                 "combine: 0 .. r\n"
                                 "order: rank\n";

static Verification verified(Fixture *fixture, Instance instance)
{
    return verify_schedule(fixture->arena, &instance, &fixture->diag);
}

static const char *const collectives[] = {
    "broadcast", "reduce", "scatter", "gather",  "allgather",      "reduce-scatter",
    "allreduce", "scan",   "exscan",  "barrier", "point-to-point", "alltoall"};

/* On every root, with 1, 2 and 3 ports. */
static void assert_right(Fixture *fixture, const Algorithm *algorithm, int64_t p)
{
    Shape line = shape_line(p);
    for (int64_t ports = 1; ports <= 3; ports++) {
        if (!schedule_allows(algorithm, &line, ports, NULL, &fixture->diag))
            continue;
        for (int64_t root = 0; root < (algorithm->collective->rooted ? p : 1); root++) {
            Instance instance = {.algorithm = algorithm,
                                 .p = p,
                                 .root = root,
                                 .k = 1 + root % 4,
                                 .ports = ports,
                                 .target = (root + p / 2) % p};
            ArenaMark mark = arena_mark(fixture->arena);
            Verification result = verified(fixture, instance);
            ck_assert_msg(result.right && result.on_data, "%s, p = %d, root = %d, %d ports: %s",
                          algorithm->head.name, (int)p, (int)root, (int)ports,
                          result.failure.text ? result.failure.text : "");
            arena_release(fixture->arena, mark);
        }
    }
}

/* As printed wrong somewhere: from two ranks on. */
static void assert_wrong(Fixture *fixture, const Algorithm *algorithm, int64_t p)
{
    Verification result =
        verified(fixture, (Instance){.algorithm = algorithm, .p = p, .k = 1, .ports = 1});
    take_messages(fixture);
    ck_assert_msg(result.right == (p == 1) && result.on_data, "%s, p = %d", algorithm->head.name,
                  (int)p);
}

START_TEST(the_library_is_right)
{
    Fixture *fixture = fixture_open();
    AlgorithmArray algorithms = {0};
    const Collective *collective = collective_named(fixture, collectives[_i]);
    ck_assert(library_algorithms(fixture->library, collective, &algorithms, &fixture->diag));
    ck_assert_uint_ge(algorithms.count, 1);
    for (size_t a = 0; a < algorithms.count; a++)
        for (int64_t p = 1; p <= 17; p++)
            if (algorithms.items[a]->expect_wrong)
                assert_wrong(fixture, algorithms.items[a], p);
            else
                assert_right(fixture, algorithms.items[a], p);
    fixture_close(fixture);
}
END_TEST

/* Wrong programs for p = 4, root 0. The schedule begins in line 4; line 0: no place, as the end
   result is what is wrong. */
static const struct {
    const char *name, *collective, *steps;
    size_t line;
} wrong[] = {
    {"sends what it does not hold", "broadcast",
     "  - send: 0\n    to: 2\n    if: r == 0\n"
     "  - send: 0\n    to: 3\n    if: r == 1\n",
     7},
    {"moves away what it sends later", "scatter",
     "  - move: 0 .. 3\n    to: 1\n    if: r == 0\n"
     "  - send: 2\n    to: 2\n    if: r == 0\n",
     7},
    {"is not yet there in the same round", "broadcast",
     "  - round:\n"
     "      - send: 0\n        to: 1\n        if: r == 0\n"
     "      - send: 0\n        to: 2\n        if: r == 1\n",
     8},
    {"combines twice", "reduce",
     "  - exchange: 0\n    to: 0\n    if: r > 0\n"
     "  - reduce: 0\n    to: 0\n    if: r == 2\n",
     7},
    {"combines its own again", "reduce",
     "  - exchange: 0\n    to: 1\n    if: r == 0\n"
     "  - reduce: 0\n    to: 0\n    if: r > 0\n",
     7},
    {"overwrites another value", "reduce",
     "  - reduce: 0\n    to: 0\n    if: r == 1\n"
     "  - send: 0\n    to: 0\n    if: r == 2\n",
     7},
    {"two overwrite each other in one round", "reduce",
     "  - reduce: 0\n    to: 3\n    if: r == 0\n"
     "  - send: 0\n    to: 0\n    if: r == 1 or r == 2\n",
     7},
    {"misses a contribution", "reduce", "  - reduce: 0\n    to: 0\n    if: r > 1\n", 0},
    {"misses a rank", "broadcast", "  - send: 0\n    to: r + 1\n    if: r == 0\n", 0},
    {"misses a block", "gather", "  - move: r\n    to: 0\n    if: r != 2\n", 0},
    {"loses the result", "reduce",
     "  - reduce: 0\n    to: 1\n    if: r == 0\n"
     "  - reduce: 0\n    to: 1\n    if: r > 1\n",
     0},
    {"gives away what it must keep", "scatter",
     "  - repeat: i in 1 .. 3\n    steps:\n      - move: i\n        to: i\n        if: r == 0\n"
     "  - move: 0\n    to: 1\n    if: r == 0\n",
     0},
};

START_TEST(wrong_programs_are_found_out)
{
    Fixture *fixture = fixture_open();
    use_models(fixture,
               arena_printf(fixture->arena, "algorithm: mine\ncollective: %s\nschedule:\n%s",
                            wrong[_i].collective, wrong[_i].steps));
    const char *name = arena_printf(fixture->arena, "%s/mine", wrong[_i].collective);
    Verification result = verified(fixture, instance_of(fixture, name, 4, 0, 0));
    ck_assert_msg(!result.right && result.failure.text, "%s, but is right", wrong[_i].name);
    Span span = result.failure.span;
    size_t line = span.source ? source_position(span.source, span.offset).line : 0;
    ck_assert_msg(line == wrong[_i].line, "%s in line %zu, not %zu (%s)", wrong[_i].name,
                  wrong[_i].line, line, result.failure.text);
    fixture_close(fixture);
}
END_TEST

static bool apply_data(void *context, const Round *round, Arena *arena)
{
    Failure failure = {0};
    (void)arena;
    return executor_apply(context, round, &failure);
}

/* Large schedules are run on data alone. */
START_TEST(wrong_programs_are_found_out_by_data_alone)
{
    Fixture *fixture = fixture_open();
    use_models(fixture,
               arena_printf(fixture->arena, "algorithm: mine\ncollective: %s\nschedule:\n%s",
                            wrong[_i].collective, wrong[_i].steps));
    const char *name = arena_printf(fixture->arena, "%s/mine", wrong[_i].collective);
    Instance instance = instance_of(fixture, name, 4, 0, 0);
    Contract contract;
    BlockSpace space;
    Failure failure = {0};
    ck_assert(contract_create(fixture->arena, instance.algorithm->collective, 4, 0, 0, &contract,
                              &fixture->diag));
    ck_assert(schedule_blocks(&instance, &space, &fixture->diag));
    Executor *executor =
        executor_create(fixture->arena, &contract, &space, 1, 1u << OPERATION_SUM, 5, NULL, 1);
    bool in_rank_order;
    bool good = schedule_expand(&instance, apply_data, executor, &fixture->diag) &&
                executor_check(executor, &in_rank_order, &failure);
    ck_assert_msg(!good, "%s, but its data are right", wrong[_i].name);
    fixture_close(fixture);
}
END_TEST

typedef struct {
    Contents *contents;
    Failure failure;
} Names;

static bool apply_names(void *context, const Round *round, Arena *arena)
{
    Names *names = context;
    (void)arena;
    return contents_apply(names->contents, round, &names->failure);
}

/* Is it right by names? Else *failure says why not. */
static bool is_named_right(Fixture *fixture, Instance instance, Failure *failure)
{
    Contract contract;
    BlockSpace space;
    ck_assert(contract_create(fixture->arena, instance.algorithm->collective, instance.p, 0, 0,
                              &contract, &fixture->diag));
    ck_assert(schedule_blocks(&instance, &space, &fixture->diag));
    Names names = {contents_create(fixture->arena, &contract, &space, 1), {0}};
    const bool good = schedule_expand(&instance, apply_names, &names, &fixture->diag) &&
                      contents_check(names.contents, &names.failure);
    *failure = names.failure;
    return good;
}

START_TEST(wrong_programs_are_found_out_by_names_alone)
{
    Fixture *fixture = fixture_open();
    use_models(fixture,
               arena_printf(fixture->arena, "algorithm: mine\ncollective: %s\nschedule:\n%s",
                            wrong[_i].collective, wrong[_i].steps));
    const char *name = arena_printf(fixture->arena, "%s/mine", wrong[_i].collective);
    Instance instance = instance_of(fixture, name, 4, 0, 0);
    Failure failure;
    const bool good = is_named_right(fixture, instance, &failure);
    ck_assert_msg(!good && failure.text, "%s, but is right", wrong[_i].name);
    Span span = failure.span;
    ck_assert_uint_eq(span.source ? source_position(span.source, span.offset).line : 0,
                      wrong[_i].line);
    fixture_close(fixture);
}
END_TEST

/* Ranks fill words of 64 bits; one of the second word never sends. */
START_TEST(names_of_many_ranks)
{
    Fixture *fixture = fixture_open();
    Failure failure;
    use_models(fixture, "algorithm: all-but-one\ncollective: reduce\nschedule:\n"
                        "  - reduce: 0\n    to: 0\n    if: r > 0 and r != 64\n");
    for (int64_t p = 63; p <= 130; p += p == 65 ? 63 : 1) {
        ck_assert(
            is_named_right(fixture, instance_of(fixture, "reduce/binomial", p, 0, 0), &failure));
        ck_assert(is_named_right(fixture, instance_of(fixture, "reduce/all-but-one", p, 0, 0),
                                 &failure) == (p <= 64));
        ck_assert(p <= 64 || strstr(failure.text, "lacks the contribution of rank 64 "));
    }
    fixture_close(fixture);
}
END_TEST

/* 64 MiB are 481 blocks of 1024 ranks with sets of 17 words. */
START_TEST(names_have_a_limit_of_memory)
{
    Fixture *fixture = fixture_open();
    for (int64_t chunks = 481; chunks <= 482; chunks++) {
        Contract contract;
        BlockSpace space;
        const Instance instance =
            instance_of(fixture, "broadcast/pipelined-chain", 1024, 0, chunks);
        ck_assert(contract_create(fixture->arena, instance.algorithm->collective, 1024, 0, 0,
                                  &contract, &fixture->diag));
        ck_assert(schedule_blocks(&instance, &space, &fixture->diag));
        ck_assert((contents_create(fixture->arena, &contract, &space, chunks) != NULL) ==
                  (chunks == 481));
    }
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *step;
    size_t line, column;
} impossible[] = {
    {"  - send: 0\n    to: r + 1\n", 5, 9},
    {"  - send: r\n    to: 0\n", 4, 11},
};

START_TEST(impossible_programs_are_reported)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, arena_printf(fixture->arena,
                                     "algorithm: mine\ncollective: broadcast\n"
                                     "schedule:\n%s",
                                     impossible[_i].step));
    Verification result = verified(fixture, instance_of(fixture, "broadcast/mine", 4, 0, 0));
    ck_assert(!result.right);
    assert_error_at(fixture, "user.yaml", impossible[_i].line, impossible[_i].column);
    fixture_close(fixture);
}
END_TEST

/* Each rank in turn takes over what the ranks before it have. */
static const char hillis_steele[] = "---\n"
                                    "algorithm: hillis-steele\n"
                                    "collective: scan\n"
                                    "schedule:\n"
                                    "  - repeat: i in 0 .. clog2(p) - 1\n"
                                    "    steps:\n"
                                    "      - exchange: 0\n"
                                    "        to: r + 2^i\n"
                                    "        if: r + 2^i < p\n";

START_TEST(a_scan_in_the_order_of_ranks_is_right)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, arena_printf(fixture->arena, "%s%s", scan_model, hillis_steele));
    for (int64_t p = 1; p <= 20; p++) {
        Verification result =
            verified(fixture, instance_of(fixture, "scan/hillis-steele", p, 0, 0));
        ck_assert_msg(result.right && result.in_rank_order, "p = %d: %s", (int)p,
                      result.failure.text ? result.failure.text : "not in order");
    }
    fixture_close(fixture);
}
END_TEST

/* Rank 2 takes the contribution of 0 before that of 1: the right ones, but 1 0 2. */
static const char out_of_order[] = "---\n"
                                   "algorithm: out-of-order\n"
                                   "collective: scan\n"
                                   "schedule:\n"
                                   "  - exchange: 0\n"
                                   "    to: 2\n"
                                   "    if: r == 0 and p > 2\n"
                                   "  - exchange: 0\n"
                                   "    to: 2\n"
                                   "    if: r == 1 and p > 2\n"
                                   "  - exchange: 0\n"
                                   "    to: 1\n"
                                   "    if: r == 0 and p > 1\n";

START_TEST(a_scan_in_another_order_is_wrong)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, arena_printf(fixture->arena, "%s%s", scan_model, out_of_order));
    ck_assert(verified(fixture, instance_of(fixture, "scan/out-of-order", 2, 0, 0)).right);
    Verification result = verified(fixture, instance_of(fixture, "scan/out-of-order", 3, 0, 0));
    ck_assert(!result.right);
    ck_assert_ptr_nonnull(result.failure.text);
    fixture_close(fixture);
}
END_TEST

START_TEST(another_order_is_right_where_none_is_asked_for)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, arena_printf(fixture->arena,
                                     "collective: scan\nbefore: 0\nafter: 0\n"
                                     "combine: 0 .. r\n%s",
                                     out_of_order));
    Verification result = verified(fixture, instance_of(fixture, "scan/out-of-order", 3, 0, 0));
    ck_assert(result.right);
    ck_assert(!result.in_rank_order);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_scan_that_stops_early_is_wrong)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, arena_printf(fixture->arena,
                                     "%s---\nalgorithm: short\ncollective: scan\nschedule:\n"
                                     "  - repeat: i in 0 .. flog2(p) - 1\n"
                                     "    steps:\n"
                                     "      - exchange: 0\n"
                                     "        to: r + 2^i\n"
                                     "        if: r + 2^i < p\n",
                                     scan_model));
    ck_assert(verified(fixture, instance_of(fixture, "scan/short", 4, 0, 0)).right);
    ck_assert(!verified(fixture, instance_of(fixture, "scan/short", 5, 0, 0)).right);
    fixture_close(fixture);
}
END_TEST

/* Ranks 0 and 1 swap, so that the lower sender has the contribution of the higher rank. */
static const char swapped[] = "collective: fold\n"
                              "before: 0\n"
                              "after: 0 if r == 1\n"
                              "combine: 0 .. p - 1\n"
                              "order: rank\n"
                              "---\n"
                              "algorithm: swapped\n"
                              "collective: fold\n"
                              "requires: p == 3\n"
                              "schedule:\n"
                              "  - move: 0\n"
                              "    to: 1 - r\n"
                              "    if: r < 2\n"
                              "  - reduce: 0\n"
                              "    to: 1\n"
                              "    if: r == 0\n"
                              "  - reduce: 0\n"
                              "    to: 1\n"
                              "    if: r == 2\n";

START_TEST(what_begins_with_the_lower_rank_goes_to_the_left)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, swapped);
    Verification result = verified(fixture, instance_of(fixture, "fold/swapped", 3, 0, 0));
    ck_assert_msg(result.right && result.in_rank_order, "%s",
                  result.failure.text ? result.failure.text : "not in order");
    fixture_close(fixture);
}
END_TEST

/* Rank 1 combines (0 1) 2 and rank 2 (0 2) 1, which then takes the place of the other. */
static const char regrouped[] = "collective: fold\n"
                                "before: 0 if r < 3\n"
                                "after: 0 if r == 1\n"
                                "combine: 0 .. 2\n"
                                "order: %s\n"
                                "---\n"
                                "algorithm: regrouped\n"
                                "collective: fold\n"
                                "requires: p == 4\n"
                                "schedule:\n"
                                "  - send: 0\n"
                                "    to: 3\n"
                                "    if: r == 1\n"
                                "  - exchange: 0\n"
                                "    to: 1\n"
                                "    if: r == 0\n"
                                "  - exchange: 0\n"
                                "    to: 1\n"
                                "    if: r == 2\n"
                                "  - exchange: 0\n"
                                "    to: 2\n"
                                "    if: r == 0\n"
                                "  - exchange: 0\n"
                                "    to: 2\n"
                                "    if: r == 3\n"
                                "  - send: 0\n"
                                "    to: 1\n"
                                "    if: r == 2\n";

START_TEST(equal_contributions_may_overwrite_one_another_unless_their_order_counts)
{
    static const char *const orders[] = {"any", "rank"};
    for (int i = 0; i < 2; i++) {
        Fixture *fixture = fixture_open();
        use_models(fixture, arena_printf(fixture->arena, regrouped, orders[i]));
        Verification result = verified(fixture, instance_of(fixture, "fold/regrouped", 4, 0, 0));
        ck_assert_msg(result.right == (i == 0) && result.on_data, "%s: %s", orders[i],
                      result.failure.text ? result.failure.text : "right");
        ck_assert(!result.in_rank_order);
        fixture_close(fixture);
    }
}
END_TEST

START_TEST(the_order_of_ranks_is_noticed)
{
    Fixture *fixture = fixture_open();
    ck_assert(verified(fixture, instance_of(fixture, "reduce/binomial", 8, 0, 0)).in_rank_order);
    ck_assert(!verified(fixture, instance_of(fixture, "reduce/binomial", 6, 3, 0)).in_rank_order);
    fixture_close(fixture);
}
END_TEST

Suite *verify_suite(void)
{
    Suite *suite = suite_create("verify");
    TCase *programs = tcase_create("programs");
    tcase_set_timeout(programs, 300);
    tcase_add_loop_test(programs, the_library_is_right, 0,
                        sizeof collectives / sizeof *collectives);
    tcase_add_loop_test(programs, wrong_programs_are_found_out, 0, sizeof wrong / sizeof *wrong);
    tcase_add_loop_test(programs, wrong_programs_are_found_out_by_data_alone, 0,
                        sizeof wrong / sizeof *wrong);
    tcase_add_loop_test(programs, wrong_programs_are_found_out_by_names_alone, 0,
                        sizeof wrong / sizeof *wrong);
    tcase_add_test(programs, names_of_many_ranks);
    tcase_add_test(programs, names_have_a_limit_of_memory);
    tcase_add_loop_test(programs, impossible_programs_are_reported, 0,
                        sizeof impossible / sizeof *impossible);
    suite_add_tcase(suite, programs);
    TCase *order = tcase_create("order");
    tcase_add_test(order, a_scan_in_the_order_of_ranks_is_right);
    tcase_add_test(order, a_scan_in_another_order_is_wrong);
    tcase_add_test(order, what_begins_with_the_lower_rank_goes_to_the_left);
    tcase_add_test(order, equal_contributions_may_overwrite_one_another_unless_their_order_counts);
    tcase_add_test(order, another_order_is_right_where_none_is_asked_for);
    tcase_add_test(order, a_scan_that_stops_early_is_wrong);
    tcase_add_test(order, the_order_of_ranks_is_noticed);
    suite_add_tcase(suite, order);
    return suite;
}
