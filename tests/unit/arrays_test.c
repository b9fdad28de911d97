/* Named arrays, and combining at one rank. */
#include "sched/expander.h"
#include "verify/executor.h"
#include "verify/verify.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

static const char scans[] = "collective: scan\n"
                            "before: 0\n"
                            "after: 0\n"
                            "combine: 0 .. r\n"
                            "order: rank\n"
                            "---\n"
                            "collective: exscan\n"
                            "before: 0\n"
                            "after: 0 if r > 0\n"
                            "combine: 0 .. r - 1\n"
                            "order: rank\n"
                            "---\n"
                            "collective: last\n"
                            "before: 0\n"
                            "after: 0 if r == p - 1\n"
                            "combine: 0 .. p - 1\n"
                            "order: rank\n"
                            "---\n";

/* What remains of recursive doubling once the totals are there. */
#define DOUBLING(first, prefix_if)                                                                 \
    "arrays: [total, got]\n"                                                                       \
    "schedule:\n" first "  - repeat: i in 0 .. clog2(p) - 1\n"                                     \
    "    let: {peer: r xor 2^i}\n"                                                                 \
    "    steps:\n"                                                                                 \
    "      - send: total(0)\n"                                                                     \
    "        as: got\n"                                                                            \
    "        to: peer\n"                                                                           \
    "        if: peer < p\n"                                                                       \
    "      - combine: 0 += got(0)\n"                                                               \
    "        if: " prefix_if "\n"                                                                  \
    "      - reduce: got(0)\n"                                                                     \
    "        as: total\n"                                                                          \
    "        to: r\n"                                                                              \
    "        if: peer < p\n"

#define SCAN "  - combine: total(0) += 0\n"
#define EXSCAN "  - move: 0\n    as: total\n    to: r\n"

static Instance made(Fixture *fixture, const char *collective, const char *program, int64_t p)
{
    use_models(fixture, arena_printf(fixture->arena, "%salgorithm: mine\ncollective: %s\n%s", scans,
                                     collective, program));
    return instance_of(fixture, arena_printf(fixture->arena, "%s/mine", collective), p, 0, 2);
}

static const struct {
    const char *collective, *program;
} prefixes[] = {{"scan", DOUBLING(SCAN, "bit(r, i)")}, {"exscan", DOUBLING(EXSCAN, "bit(r, i)")}};

START_TEST(prefixes_by_recursive_doubling)
{
    for (int64_t p = 1; p <= 20; p++) {
        Fixture *fixture = fixture_open();
        Instance instance = made(fixture, prefixes[_i].collective, prefixes[_i].program, p);
        Verification result = verify_schedule(fixture->arena, &instance, &fixture->diag);
        ck_assert_msg(result.right && result.in_rank_order && result.on_data, "p = %d: %s", (int)p,
                      result.failure.text ? result.failure.text : "not in order");
        fixture_close(fixture);
    }
}
END_TEST

/* Each is wrong for p = 4; what is wrong is found on names and on data, each by itself. */
static const struct {
    const char *name, *collective, *program, *said;
    bool is_seen_in_data; /* in the round that is wrong, not after the last one */
} wrong[] = {
    {"takes up totals of higher ranks", "scan", DOUBLING(SCAN, "not bit(r, i)"),
     "block 0 of rank 0 holds the contribution of rank 1, which does not belong there, after the "
     "last round (p = 4)",
     false},
    {"keeps its own contribution", "exscan", DOUBLING(SCAN, "bit(r, i)"),
     "block 0 of rank 1 holds the contribution of rank 1, which does not belong there, after the "
     "last round (p = 4)",
     false},
    {"has no total", "scan", DOUBLING("", "bit(r, i)"),
     "round 1, 0 -> 1, block total(0): the sender does not hold it (p = 4)", true},
    {"combines with itself", "scan", "schedule:\n  - combine: 0 += 0\n",
     "round 0, rank 0, block 0: the contribution of rank 0 is combined twice (p = 4)", false},
    {"reads what it lacks", "scan",
     "arrays: a\nschedule:\n  - combine: 0 += a(0)\n    if: r == 2\n",
     "round 0, rank 2, block a(0): it does not hold that (p = 4)", true},
    {"overwrites what it holds", "scan",
     "arrays: a\nschedule:\n"
     "  - send: 0\n    as: a\n    to: (r + 1) mod p\n"
     "  - send: 0\n    as: a\n    to: r\n    if: r == 3\n",
     "round 1, rank 3, block a(0): it overwrites a different value that it holds (p = 4)", true},
    {"overwrites what another one holds", "scan",
     "arrays: a\nschedule:\n"
     "  - send: 0\n    as: a\n    to: r\n"
     "  - send: a(0)\n    to: 0\n    if: r == 3\n",
     "round 1, 3 -> 0, block a(0): it overwrites a different value that the receiver holds "
     "(p = 4)",
     true},
    {"reads before it is written", "scan",
     "arrays: a\nschedule:\n"
     "  - round:\n"
     "      - send: 0\n        as: a\n        to: 1\n        if: r == 0\n"
     "      - combine: 0 += a(0)\n        if: r == 1\n",
     "round 1, rank 1, block a(0): it does not hold that (p = 4)", true},
};

typedef struct {
    Contents *contents;
    Executor *executor;
    Failure failure;
} Run;

static bool apply(void *context, const Round *round, Arena *arena)
{
    Run *run = context;
    (void)arena;
    return run->contents ? contents_apply(run->contents, round, &run->failure)
                         : executor_apply(run->executor, round, &run->failure);
}

static bool is_right(Fixture *fixture, const Instance *instance, OperationKind kind, bool on_names,
                     Failure *failure)
{
    Contract contract;
    BlockSpace space;
    Run run = {0};
    int64_t chunks;
    bool in_rank_order;
    ck_assert(contract_create(fixture->arena, instance->algorithm->collective, instance->p, 0, 0,
                              &contract, &fixture->diag));
    ck_assert(schedule_blocks(instance, &space, &fixture->diag));
    ck_assert(schedule_chunks(instance, &chunks, &fixture->diag));
    if (on_names)
        run.contents = contents_create(fixture->arena, &contract, &space, chunks);
    else
        run.executor = executor_create(fixture->arena, &contract, &space, chunks, 1u << kind,
                                       2 * chunks + 3, NULL, 1);
    bool good = schedule_expand(instance, apply, &run, &fixture->diag);
    if (good)
        good = on_names ? contents_check(run.contents, &run.failure)
                        : executor_check(run.executor, &in_rank_order, &run.failure);
    *failure = run.failure;
    return good;
}

START_TEST(wrong_programs_are_found_out)
{
    Fixture *fixture = fixture_open();
    Instance instance = made(fixture, wrong[_i].collective, wrong[_i].program, 4);
    Failure failure;
    ck_assert(!is_right(fixture, &instance, OPERATION_SUM, true, &failure));
    ck_assert_str_eq(failure.text, wrong[_i].said);
    ck_assert(!is_right(fixture, &instance, OPERATION_SUM, false, &failure));
    if (wrong[_i].is_seen_in_data)
        ck_assert_str_eq(failure.text, wrong[_i].said);
    fixture_close(fixture);
}
END_TEST

/* Rank 2 takes 0 . 1 from the left in two ways. In the second round rank 1 sends on what it had
   before: its block still begins with rank 1 when it arrives. */
static const char *const ordered[] = {
    "arrays: t\n"
    "schedule:\n"
    "  - send: 0\n    as: t\n    to: 2\n    if: r == 0\n"
    "  - exchange: 0\n    to: r + 1\n    if: r < 2\n"
    "  - combine: 0 += t(0)\n    if: r == 2\n",
    "arrays: [t, u]\n"
    "schedule:\n"
    "  - round:\n"
    "      - send: 0\n        as: t\n        to: 2\n        if: r == 0\n"
    "      - send: 0\n        as: u\n        to: 2\n        if: r == 1\n"
    "  - combine: u(0) += t(0)\n    if: r == 2\n"
    "  - reduce: u(0)\n    as: main\n    to: r\n    if: r == 2\n",
    "arrays: [t, u]\n"
    "schedule:\n"
    "  - round:\n"
    "      - send: 0\n        as: t\n        to: 2\n        if: r == 0\n"
    "      - send: 0\n        as: u\n        to: 2\n        if: r == 1\n"
    "  - combine: u(0) += main(0)\n    if: r == 2\n"
    "  - combine: t(0) += u(0)\n    if: r == 2\n"
    "  - round:\n"
    "      - move: t(0)\n        as: main\n        to: r\n        if: r == 2\n"
    "      - move: 0\n        as: t\n        to: r\n        if: r == 2\n",
};

START_TEST(contributions_are_combined_in_the_order_of_ranks)
{
    Fixture *fixture = fixture_open();
    Instance instance = made(fixture, "last", ordered[_i], 3);
    Failure failure;
    for (int kind = 0; kind < OPERATION_COUNT; kind++)
        ck_assert_msg(is_right(fixture, &instance, (OperationKind)kind, false, &failure), "%s",
                      failure.text);
    ck_assert_msg(is_right(fixture, &instance, OPERATION_SUM, true, &failure), "%s", failure.text);
    fixture_close(fixture);
}
END_TEST

static bool write_round(void *context, const Round *round, Arena *arena)
{
    FILE *out = context;
    (void)arena;
    fprintf(out, "|%lld|", (long long)round->number);
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        fprintf(out, " %lld>%lld", (long long)transfer->from, (long long)transfer->to);
        for (size_t b = 0; b < transfer->block_count; b++)
            fprintf(out, ",%lld:%lld", (long long)round->blocks[transfer->first_block + b],
                    (long long)round_destination(round, transfer->first_block + b));
    }
    return true;
}

/* Rounds as |number| from>to,block:destination. Blocks of p = 2 ranks in `gather`: two in each
   array, with chunks: 2 four. */
static const struct {
    const char *program, *rounds;
} programs[] = {
    {"arrays: [a, b]\n"
     "schedule:\n"
     "  - send:\n      - r\n      - a(1)\n      - b(i) for i in 0 .. 1 if i == r\n"
     "    to: 1 - r\n",
     "|0| 0>1,0:0,3:3,4:4 1>0,1:1,3:3,5:5"},
    {"arrays: [a, b]\n"
     "schedule:\n"
     "  - send:\n      - r\n      - a(1)\n      - main(0)\n    as: b\n    to: 0\n    if: r == 1\n"
     "  - send:\n      - 0\n      - b(1)\n    as: main\n    to: 0\n",
     "|0| 1>0,1:5,3:5,0:4|1| 0>0,5:1 1>0,0:0,5:1"},
    /* `all` is of the main array */
    {"arrays: a\n"
     "schedule:\n"
     "  - combine: a(1 - r) += r\n"
     "  - send: all\n    as: a\n    to: 1 - r\n",
     "|-1| 0>0,0:3 1>1,1:2|0| 0>1,0:2 1>0,1:3"},
    /* local rounds do not count */
    {"arrays: a\n"
     "schedule:\n"
     "  - send: 0\n    to: 1\n    if: r == 0\n"
     "  - combine: 0 += 1 for n in 1 .. 2 if r == 1\n"
     "  - round:\n"
     "      - combine: a(i) += c for i in 0 .. 1\n        for: c in 0 .. 1\n        if: r == 1\n"
     "      - send: 1\n        to: 0\n        if: r == 1\n",
     "|0| 0>1,0:0|0| 1>1,1:0,1:0|1| 1>1,0:2,0:3 1>1,1:2,1:3 1>0,1:1"},
    {"chunks: 2\n"
     "arrays: a\n"
     "schedule:\n"
     "  - combine: a(r, h) += (r, h) for h in 0 .. 1\n"
     "  - move: a(r, 1)\n    to: 1 - r\n",
     "|-1| 0>0,0:4,1:5 1>1,2:6,3:7|0| 0>1,5:5 1>0,7:7"},
};

START_TEST(programs_expand)
{
    Fixture *fixture = fixture_open();
    Instance instance = made(fixture, "gather", programs[_i].program, 2);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool good = schedule_expand(&instance, write_round, out, &fixture->diag);
    fclose(out);
    assert_no_error(fixture);
    ck_assert(good);
    ck_assert_str_eq(text, programs[_i].rounds);
    free(text);
    fixture_close(fixture);
}
END_TEST

/* The transposed map: what was spread by way of an array is collected by way of it. */
START_TEST(a_dual_goes_back_through_arrays)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "algorithm: by-array\n"
                        "collective: broadcast\n"
                        "arrays: [a, unused]\n"
                        "schedule:\n"
                        "  - send: 0\n    as: a\n    to: (root + i) mod p\n    if: r == root\n"
                        "    for: i in 1 .. p - 1\n"
                        "  - move: a(0)\n    as: main\n    to: r\n    if: r != root\n"
                        "---\n"
                        "algorithm: by-array\ncollective: reduce\ndual: broadcast/by-array\n");
    for (int64_t p = 1; p < 7; p++) {
        Instance instance = instance_of(fixture, "reduce/by-array", p, p / 2, 0);
        Verification result = verify_schedule(fixture->arena, &instance, &fixture->diag);
        ck_assert_msg(result.right, "%s", result.failure.text);
        instance.algorithm = algorithm_named(fixture, "broadcast/by-array");
        ck_assert(verify_schedule(fixture->arena, &instance, &fixture->diag).right);
    }
    Instance instance = instance_of(fixture, "reduce/by-array", 3, 0, 0);
    RoundArray rounds = {0};
    ck_assert(expander_collect(fixture->arena, &instance, &(RoundsWanted){0}, &(int64_t){0},
                               &rounds, &fixture->diag));
    ck_assert_uint_eq(rounds.count, 2);
    ck_assert_int_eq(rounds.items[0].number, -1);
    ck_assert_int_eq(rounds.items[1].number, 0);
    fixture_close(fixture);
}
END_TEST

static Profile profiled(Fixture *fixture, const Instance *instance, const char *topology)
{
    Profile profile;
    Network network = network_of(fixture, topology, instance->p);
    const Rules rules = {.ports = instance->ports};
    bool good =
        profile_derive(fixture->arena, instance, &network, &rules, &profile, &fixture->diag);
    assert_no_error(fixture);
    ck_assert(good);
    return profile;
}

/* ts = 1000, th = 100, tw = 1, tc = 3; 8 bytes. */
static const double link_costs[] = {1000, 100, 1, 3};

static const struct {
    const char *collective, *program;
    int64_t p, startups, peak;
    double time;
} costs[] = {
    /* log2 p = 3 exchanges, each followed by two combinations: of the prefix and of the total */
    {"scan", DOUBLING(SCAN, "bit(r, i)"), 8, 3, 3, 3 * (1000 + 100 + 8 + 2 * 8 * 3)},
    /* the first prefix is a copy, which costs nothing */
    {"exscan", DOUBLING(EXSCAN, "bit(r, i)"), 8, 3, 3, 3 * (1000 + 100 + 8) + 5 * 8 * 3},
    /* in one round: rank 0 combines what comes and what it has, one after the other */
    {"scan",
     "arrays: a\n"
     "schedule:\n"
     "  - combine: a(0) += 0\n"
     "  - send: 0\n    as: a\n    to: 2\n    if: r == 3\n"
     "  - round:\n"
     "      - combine: a(0) += 0\n        if: r == 0\n"
     "      - exchange: 0\n        to: 0\n        if: r == 1\n"
     "      - exchange: 0\n        to: 2\n        if: r == 3\n",
     4, 2, 2, 2 * (1000 + 100 + 8) + 2 * 8 * 3},
    /* nothing but local work */
    {"scan",
     "arrays: [a, b]\n"
     "schedule:\n"
     "  - combine: a(0) += 0\n"
     "  - combine: b(0) += 0\n"
     "  - combine: a(0) += b(0)\n    for: n in 1 .. 5\n    if: r == 1\n"
     "  - move: b(0)\n    as: main\n    to: r\n    if: r > 5\n",
     3, 0, 3, 5 * 8 * 3},
};

START_TEST(local_work_costs_what_it_combines)
{
    static const char *const topologies[] = {"full", "linear"};
    Fixture *fixture = fixture_open();
    Instance instance = made(fixture, costs[_i].collective, costs[_i].program, costs[_i].p);
    for (int t = 0; t < 2; t++) {
        Profile profile = profiled(fixture, &instance, topologies[t]);
        ck_assert_int_eq(profile.startups, costs[_i].startups);
        ck_assert_int_eq(profile.peak_blocks, costs[_i].peak);
        ck_assert_int_eq(profile_message(&profile, costs[_i].startups + 1), 0);
        ck_assert_int_eq(profile_message(&profile, costs[_i].startups), costs[_i].startups > 0);
        if (t > 0)
            continue;
        assert_near(cost_total(profile_cost(&profile, link_costs, 8)), costs[_i].time, 1e-15);
        ExactParameters exact;
        for (int i = 0; i < PARAMETER_COUNT; i++)
            exact.parameters[i] = exact_from_double(link_costs[i]);
        Exact time = profile_time_exact(&profile, &exact, exact_from_int(8));
        ck_assert_int_eq(time.numerator, (int64_t)costs[_i].time);
        ck_assert_int_eq(time.denominator, 1);
    }
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *program;
    size_t line, column;
} mistakes[] = {
    {"schedule:\n  - send: 0\n    to: 0\n    as: total\n", 6, 9},
    {"schedule:\n  - send: total(0)\n    to: 0\n", 4, 11},
    {"arrays: [total]\nschedule:\n  - send: 0\n    to: 0\n    as: totl\n", 7, 9},
    {"arrays: [total]\nschedule:\n  - send: totl(0)\n    to: 0\n", 5, 11},
    {"arrays: [total]\nschedule:\n  - send: total\n    to: 0\n", 5, 11},
    {"arrays: [total]\nschedule:\n  - send: total(0, 0)\n    to: 0\n", 5, 11},
    {"arrays: [total]\nschedule:\n  - send: total(0) .. total(1)\n    to: 0\n", 5, 11},
    {"arrays: [total]\nschedule:\n  - send: total(0) + 1\n    to: 0\n", 5, 11},
    {"arrays: [total]\nschedule:\n  - send: r\n    to: total(0)\n", 6, 9},
    {"arrays: [total]\nschedule:\n  - send: r\n    to: total\n", 6, 9},
    {"arrays: [total]\nlet: {total: 1}\nschedule: []\n", 4, 7},
    {"arrays: [r]\nschedule: []\n", 3, 10},
    {"arrays: [main]\nschedule: []\n", 3, 10},
    {"arrays: [a, a]\nschedule: []\n", 3, 13},
    {"arrays: [a b]\nschedule: []\n", 3, 12},
    {"arrays: ['a(b)']\nschedule: []\n", 3, 11},
    {"arrays: {a: x}\nschedule: []\n", 3, 13},
    {"arrays: [[a]]\nschedule: []\n", 3, 10},
    {"schedule:\n  - combine: 0\n", 4, 15},
    {"schedule:\n  - combine: 0 + 1\n", 4, 19},
    {"schedule:\n  - combine: 0 += \n", 4, 18},
    {"schedule:\n  - combine: 0 .. 1 += 1\n", 4, 14},
    {"schedule:\n  - combine: 0 += all\n", 4, 19},
    {"schedule:\n  - combine: (0, 0) += 1\n", 4, 14},
    {"schedule:\n  - combine: 0 += i for i in 0 .. x\n", 4, 35},
    {"schedule:\n  - combine: 0 += 1\n    to: 1\n", 5, 5},
    {"schedule:\n  - combine: 0 += 1 if r\n    if: s\n", 5, 9},
    {"schedule:\n  - send: 0 += 1\n    to: 1\n", 4, 13},
};

START_TEST(mistakes_are_reported_at_their_place)
{
    Fixture *fixture = fixture_open();
    assert_program_error_at(fixture, "gather", mistakes[_i].program, mistakes[_i].line,
                            mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

START_TEST(pieces_of_other_sizes_are_not_combined)
{
    Fixture *fixture = fixture_open();
    Instance instance = made(fixture, "scan",
                             "chunks: 2\n"
                             "schedule:\n"
                             "  - combine: 1 += 0\n",
                             2);
    ck_assert_ptr_null(schedule_text(fixture, &instance));
    assert_error_at(fixture, "user.yaml", 23, 5);
    fixture_close(fixture);
}
END_TEST

START_TEST(arrays_follow_one_another)
{
    static const char *const names[] = {"a", "total"};
    static const Arrays arrays = {names, 2, {0}};
    Fixture *fixture = fixture_open();
    use_models(fixture, "collective: pairs\nblocks: {s: p, t: 4}\nbefore: (r, 0)\nafter: (r, 0)\n");
    BlockSpace space;
    ck_assert(blockspace_create(collective_named(fixture, "pairs"), 3, 2, &space, &fixture->diag));
    ck_assert(blockspace_add_arrays(&space, &arrays, NOWHERE, &fixture->diag));
    ck_assert_int_eq(space.array_blocks, 24);
    ck_assert_int_eq(space.count, 72);
    ck_assert_str_eq(blockspace_name(fixture->arena, &space, 13), "(1, 2, 1)");
    ck_assert_str_eq(blockspace_name(fixture->arena, &space, 24 + 13), "a(1, 2, 1)");
    ck_assert_str_eq(blockspace_name(fixture->arena, &space, 48), "total(0, 0, 0)");
    ck_assert(blockspace_create(collective_named(fixture, "reduce"), 3, 0, &space, &fixture->diag));
    ck_assert(blockspace_add_arrays(&space, &arrays, NOWHERE, &fixture->diag));
    ck_assert_str_eq(blockspace_name(fixture->arena, &space, 2), "total(0)");
    fixture_close(fixture);
}
END_TEST

Suite *arrays_suite(void)
{
    Suite *suite = suite_create("arrays");
    TCase *runs = tcase_create("runs");
    tcase_add_loop_test(runs, prefixes_by_recursive_doubling, 0,
                        sizeof prefixes / sizeof *prefixes);
    tcase_add_loop_test(runs, wrong_programs_are_found_out, 0, sizeof wrong / sizeof *wrong);
    tcase_add_loop_test(runs, contributions_are_combined_in_the_order_of_ranks, 0,
                        sizeof ordered / sizeof *ordered);
    tcase_add_test(runs, a_dual_goes_back_through_arrays);
    suite_add_tcase(suite, runs);
    TCase *programs_case = tcase_create("programs");
    tcase_add_loop_test(programs_case, programs_expand, 0, sizeof programs / sizeof *programs);
    tcase_add_loop_test(programs_case, local_work_costs_what_it_combines, 0,
                        sizeof costs / sizeof *costs);
    tcase_add_loop_test(programs_case, mistakes_are_reported_at_their_place, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_test(programs_case, pieces_of_other_sizes_are_not_combined);
    tcase_add_test(programs_case, arrays_follow_one_another);
    suite_add_tcase(suite, programs_case);
    return suite;
}
