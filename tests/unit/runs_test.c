/* Rounds that are read off a program as runs of messages. */
#include "cost/derive.h"
#include "sched/runs.h"

#include "unit.h"

#include <string.h>

typedef struct {
    const char *block, *to, *condition, *rounds;
} RunRow;

/* On 8 ranks, with root 2, 2 chunks and 3 ports: each round as "first+stride*count ^mask+shift
   xblocks+slope", runs apart by ", ". NULL: these are no runs. */
static const RunRow rows[] = {
    {"0", "r + 1", "r < p - 1", "0+1*7 ^0+1 x1+0"},
    {"0", "r + d", "r + d < p", "0+1*5 ^0+3 x1+0"},
    {"0", "r + root", "r + root < p", "0+1*6 ^0+2 x1+0"},
    {"0", "r + k", "r + k < p", "0+1*6 ^0+2 x1+0"},
    {"0 .. k - 1", "r - 1", "r >= d", "3+1*5 ^0+-1 x2+0"},
    {"0", "r xor 4", "p > 1", "0+1*8 ^4+0 x1+0"},
    {"0", "r + 2", "r mod 4 == 1", "1+4*2 ^0+2 x1+0"},
    {"0", "(r + 1) mod p", "p > 1", "0+1*7 ^0+1 x1+0, 7+1*1 ^0+-7 x1+0"},
    {"0", "next", "next < p", "0+1*7 ^0+1 x1+0"},
    {"0 .. r - 1", "next", "r > 0 and r < k", "1+1*1 ^0+1 x1+1"},
    {"k .. k + r - 1", "next", "r > 0 and next < p", NULL},
};

typedef struct {
    Arena *arena;
    const char *text;
} Shown;

static bool show_runs(void *context, const MessageRun *runs, size_t count, Arena *arena)
{
    Shown *shown = context;
    (void)arena;
    for (size_t i = 0; i < count; i++)
        shown->text = arena_printf(shown->arena, "%s%s%lld+%lld*%lld ^%lld+%lld x%lld+%lld",
                                   shown->text, i ? ", " : "", (long long)runs[i].from.first,
                                   (long long)runs[i].from.stride, (long long)runs[i].from.count,
                                   (long long)runs[i].mask, (long long)runs[i].shift,
                                   (long long)runs[i].blocks, (long long)runs[i].slope);
    return true;
}

START_TEST(rounds_are_runs)
{
    Fixture *fixture = fixture_open();
    Arena *arena = fixture->arena;
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        Shown shown = {arena, ""};
        Span too_large = NOWHERE;
        use_models(
            fixture,
            arena_printf(arena,
                         "algorithm: row-%d\ncollective: broadcast\nchunks: k\n"
                         "let: {next: r + 1}\nschedule:\n  - send: %s\n    to: %s\n    if: %s\n",
                         i, rows[i].block, rows[i].to, rows[i].condition));
        Instance instance =
            instance_of(fixture, arena_printf(arena, "broadcast/row-%d", i), 8, 2, 2);
        instance.ports = 3;
        const bool good = runs_expand(&instance, false, show_runs, &shown, &too_large);
        ck_assert_msg(good == (rows[i].rounds != NULL), "%s", rows[i].to);
        if (good)
            ck_assert_str_eq(shown.text, rows[i].rounds);
    }
    fixture_close(fixture);
}
END_TEST

/* All send a block; in the second round ranks from 2 on send three. What both rounds have in common
   is not taken to be the same. */
START_TEST(rounds_with_more_blocks)
{
    Fixture *fixture = fixture_open();
    const Prices prices = {1, 0, 1, 0};
    use_models(fixture, "algorithm: more\ncollective: allgather\nschedule:\n"
                        "  - repeat: i in 0 .. 1\n    steps:\n"
                        "      - send: 0 .. 2 * i\n        to: r + 1\n"
                        "        if: r < p - 1 and r >= 2 * i\n");
    Instance instance = instance_of(fixture, "allgather/more", 8, 0, 1);
    Network network = network_of(fixture, "linear", 8);
    const Rules rules = rules_of(prices, 1);
    Profile profile;
    ck_assert(profile_derive_with(fixture->arena, NULL, &instance, &network, &rules, false,
                                  &profile, &fixture->diag));
    const CostParts parts = profile_cost(&profile, rules.parameters, 1);
    ck_assert_double_eq(parts.startup, 2);
    ck_assert_double_eq(parts.transfer, 1 + 3);
    fixture_close(fixture);
}
END_TEST

#define TWO(run) run ", " run

/* Loops that end at the last number there is: one of them in the dual, backwards. */
START_TEST(loops_end_at_the_last_number)
{
    static const char *const ranges[] = {
        "9223372036854775806 .. 9223372036854775807",
        "9223372036854775807 down to 9223372036854775806",
    };
    Fixture *fixture = fixture_open();
    Arena *arena = fixture->arena;
    for (int i = 0; i < 2; i++) {
        Shown shown = {arena, ""}, back = {arena, ""};
        Span too_large = NOWHERE;
        use_models(fixture, arena_printf(arena,
                                         "algorithm: last-%d\ncollective: broadcast\nschedule:\n"
                                         "  - repeat: i in %s\n    steps:\n      - send: 0\n"
                                         "        to: r + 1\n        if: r == 0\n        for: j in "
                                         "%s\n---\n"
                                         "algorithm: last-%d\ncollective: reduce\n"
                                         "dual: broadcast/last-%d\n",
                                         i, ranges[i], ranges[i], i, i));
        Instance instance =
            instance_of(fixture, arena_printf(arena, "broadcast/last-%d", i), 4, 0, 1);
        ck_assert(runs_expand(&instance, false, show_runs, &shown, &too_large));
        ck_assert_str_eq(shown.text, TWO("0+1*1 ^0+1 x1+0") TWO("0+1*1 ^0+1 x1+0"));
        instance = instance_of(fixture, arena_printf(arena, "reduce/last-%d", i), 4, 0, 1);
        ck_assert(runs_expand(&instance, false, show_runs, &back, &too_large));
        ck_assert_str_eq(back.text, TWO("1+1*1 ^0+-1 x1+0") TWO("1+1*1 ^0+-1 x1+0"));
    }
    fixture_close(fixture);
}
END_TEST

/* What a name can be is found for all ranks, also after a round of some. */
START_TEST(names_are_those_of_all_ranks)
{
    Fixture *fixture = fixture_open();
    Shown shown = {fixture->arena, ""};
    Span too_large = NOWHERE;
    use_models(fixture, "algorithm: named\ncollective: broadcast\nschedule:\n"
                        "  - send: 0\n    to: r + 1\n    if: r == 0\n"
                        "  - let: {v: (r + 1) mod p}\n    round:\n      - {send: 0, to: v}\n");
    Instance instance = instance_of(fixture, "broadcast/named", 2, 0, 1);
    ck_assert(runs_expand(&instance, false, show_runs, &shown, &too_large));
    ck_assert_str_eq(shown.text, "0+1*1 ^0+1 x1+0"
                                 "0+1*1 ^0+1 x1+0, 1+1*1 ^0+-1 x1+0");
    fixture_close(fixture);
}
END_TEST

/* On 8 ranks: each round as "first+stride*count ^mask+shift block+step>goal+step". Blocks of a1
   follow those of main. NULL: these are no runs of named blocks. */
static const struct {
    const char *collective, *steps, *rounds;
} named[] = {
    {"allgather", "{send: r, to: r + 1, if: r < p - 1}", "0+1*7 ^0+1 0+1>0+1"},
    {"allgather", "{send: r, to: r + 1, if: r mod 2 == 0}", "0+2*4 ^0+1 0+2>0+2"},
    {"allgather", "{send: p - 1 - r, as: a1, to: r xor 4}", "0+1*8 ^4+0 7+-1>15+-1"},
    {"allgather", "{send: a1(3), as: main, to: r + 2, if: r mod 4 == 1}", "1+4*2 ^0+2 11+0>3+0"},
    {"alltoall", "{send: '(r, p - 1 - r)', to: r + 1, if: r > 4 and r < p - 1}",
     "5+1*2 ^0+1 42+7>42+7"},
    {"reduce-scatter", "{combine: a1(r) += p - 1 - r}", "0+1*8 ^0+0 7+-1>8+1"},
    {"reduce-scatter", "{combine: a1(r + 1) += r, if: r < p - 1}", "0+1*7 ^0+0 0+1>9+1"},
    {"reduce-scatter", "{combine: a1(r + 1) += r}", NULL},
    {"reduce-scatter", "{combine: a1(r - 1) += r}", NULL},
    {"reduce-scatter", "{combine: a1(r xor 1) += r}", NULL},
    {"allgather", "{send: r xor 1, to: r + 1, if: r < p - 1}", NULL},
    {"allgather", "{send: r + 1, to: r xor 1}", NULL},
    {"allgather", "{send: r - 1, to: r xor 1}", NULL},
    {"allgather", "{send: 0 .. 1, to: r xor 1}", NULL},
    {"allgather", "{send: p .. p + r - 1, to: r + 1, if: r > 0 and r < p - 1}", NULL},
};

static bool show_blocks(void *context, const MessageRun *runs, size_t count, Arena *arena)
{
    Shown *shown = context;
    (void)arena;
    for (size_t i = 0; i < count; i++)
        shown->text = arena_printf(
            shown->arena, "%s%s%lld+%lld*%lld ^%lld+%lld %lld+%lld>%lld+%lld", shown->text,
            i ? ", " : "", (long long)runs[i].from.first, (long long)runs[i].from.stride,
            (long long)runs[i].from.count, (long long)runs[i].mask, (long long)runs[i].shift,
            (long long)runs[i].block, (long long)runs[i].block_step, (long long)runs[i].goal,
            (long long)runs[i].goal_step);
    return true;
}

START_TEST(runs_name_blocks)
{
    Fixture *fixture = fixture_open();
    Shown shown = {fixture->arena, ""};
    Span too_large = NOWHERE;
    use_models(fixture, arena_printf(fixture->arena,
                                     "algorithm: named\ncollective: %s\narrays: [a1]\n"
                                     "schedule:\n  - %s\n",
                                     named[_i].collective, named[_i].steps));
    const char *name = arena_printf(fixture->arena, "%s/named", named[_i].collective);
    const Instance instance = instance_of(fixture, name, 8, 0, 1);
    const bool good = runs_expand(&instance, true, show_blocks, &shown, &too_large);
    ck_assert(good == (named[_i].rounds != NULL));
    if (good)
        ck_assert_str_eq(shown.text, named[_i].rounds);
    fixture_close(fixture);
}
END_TEST

/* A name without a known range may be anything. */
START_TEST(unknown_names_are_no_runs)
{
    Fixture *fixture = fixture_open();
    Shown shown = {fixture->arena, ""};
    Span too_large = NOWHERE;
    use_models(fixture, "algorithm: wide\ncollective: broadcast\n"
                        "let: {u: 9223372036854775807 + r}\n"
                        "schedule:\n  - send: 0\n    to: r + 1\n    if: r < p - 1\n");
    const Instance instance = instance_of(fixture, "broadcast/wide", 8, 0, 1);
    ck_assert(!runs_expand(&instance, false, show_runs, &shown, &too_large));
    fixture_close(fixture);
}
END_TEST

static bool take_runs(void *context, const MessageRun *runs, size_t count, Arena *arena)
{
    int64_t *messages = context;
    (void)arena;
    for (size_t i = 0; i < count; i++)
        *messages += runs[i].from.count;
    return true;
}

/* 60,000 rounds of 7 runs: these are too much work, all ranks of each round are not. */
START_TEST(rounds_of_many_runs_are_not_too_large)
{
    Fixture *fixture = fixture_open();
    Span span = {NULL, 0, 0};
    int64_t messages = 0;
    use_models(fixture, "algorithm: many\ncollective: broadcast\nschedule:\n"
                        "  - repeat: i in 1 .. 60000\n    steps:\n      - send: 0\n"
                        "        to: r + 1\n        if: r < p - 1 and r != 2 and r != 4 and r != 6 "
                        "and r != 8 and r != 10 and r != 12\n");
    Instance instance = instance_of(fixture, "broadcast/many", 16, 0, 1);
    ck_assert(!runs_expand(&instance, false, take_runs, &messages, &span));
    ck_assert_ptr_null(span.source);
    instance = instance_of(fixture, "alltoall/pairwise-xor", 16384, 0, 1);
    ck_assert(!runs_expand(&instance, false, take_runs, &messages, &span));
    ck_assert_ptr_nonnull(span.source);
    fixture_close(fixture);
}
END_TEST

/* Of 134 million messages few are followed, of 17 million all. */
START_TEST(too_many_messages_are_told_early)
{
    Fixture *fixture = fixture_open();
    Span span = {NULL, 0, 0};
    int64_t few = 0, all = 0;
    Instance instance = instance_of(fixture, "alltoall/pairwise-xor", 16384, 0, 1);
    ck_assert(!runs_expand(&instance, false, take_runs, &few, &span));
    ck_assert_ptr_nonnull(span.source);
    ck_assert_int_lt(few, 1 << 22);
    instance = instance_of(fixture, "alltoall/pairwise-xor", 4096, 0, 1);
    ck_assert(runs_expand(&instance, false, take_runs, &all, &span));
    ck_assert_int_eq(all, 4096 * 4095);
    fixture_close(fixture);
}
END_TEST

Suite *runs_suite(void)
{
    Suite *suite = suite_create("runs");
    TCase *runs = tcase_create("runs");
    tcase_add_test(runs, rounds_are_runs);
    tcase_add_test(runs, rounds_with_more_blocks);
    tcase_add_test(runs, names_are_those_of_all_ranks);
    tcase_add_test(runs, loops_end_at_the_last_number);
    tcase_add_loop_test(runs, runs_name_blocks, 0, COUNT_OF(named));
    tcase_add_test(runs, unknown_names_are_no_runs);
    tcase_add_test(runs, rounds_of_many_runs_are_not_too_large);
    tcase_add_test(runs, too_many_messages_are_told_early);
    suite_add_tcase(suite, runs);
    return suite;
}
