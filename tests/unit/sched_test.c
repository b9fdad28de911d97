#include "sched/schedule.h"

#include "unit.h"

static void assert_schedule(Fixture *fixture, Instance instance, const char *expected)
{
    const char *text = schedule_text(fixture, &instance);
    assert_no_error(fixture);
    ck_assert_str_eq(text, expected);
}

START_TEST(binomial_broadcast_of_8_ranks)
{
    Fixture *fixture = fixture_open();
    assert_schedule(fixture, instance_of(fixture, "broadcast/binomial", 8, 0, 0),
                    "0>4 send 0; 0>2 send 0, 4>6 send 0; "
                    "0>1 send 0, 2>3 send 0, 4>5 send 0, 6>7 send 0");
    assert_schedule(fixture, instance_of(fixture, "broadcast/binomial", 8, 5, 0),
                    "5>1 send 0; 1>3 send 0, 5>7 send 0; "
                    "1>0 send 0, 3>2 send 0, 5>4 send 0, 7>6 send 0");
    assert_schedule(fixture, instance_of(fixture, "broadcast/binomial", 6, 4, 0),
                    "4>2 send 0; 4>0 send 0; 0>1 send 0, 2>3 send 0, 4>5 send 0");
    assert_schedule(fixture, instance_of(fixture, "broadcast/binomial", 1, 0, 0), "");
    fixture_close(fixture);
}
END_TEST

START_TEST(the_dual_turns_rounds_and_transfers_round)
{
    Fixture *fixture = fixture_open();
    assert_schedule(fixture, instance_of(fixture, "reduce/binomial", 8, 0, 0),
                    "1>0 reduce 0, 3>2 reduce 0, 5>4 reduce 0, 7>6 reduce 0; "
                    "2>0 reduce 0, 6>4 reduce 0; 4>0 reduce 0");
    assert_schedule(fixture, instance_of(fixture, "scatter/binomial", 4, 0, 0),
                    "0>2 move 2+3; 0>1 move 1, 2>3 move 3");
    assert_schedule(fixture, instance_of(fixture, "gather/binomial", 4, 0, 0),
                    "1>0 move 1, 3>2 move 3; 2>0 move 2+3");
    assert_schedule(fixture, instance_of(fixture, "reduce/pipelined-chain", 3, 0, 2),
                    "2>1 reduce 1; 1>0 reduce 1, 2>1 reduce 0; 1>0 reduce 0");
    fixture_close(fixture);
}
END_TEST

/* Programs for p = 3, root 0 and, where they say so, k = 3. */
static const struct {
    const char *collective, *program, *rounds;
} programs[] = {
    {"gather",
     "schedule:\n"
     "  - send: all\n    to: r + 1\n    if: r < 2\n"
     "  - send: all\n    to: 2\n    if: r == 1\n",
     "0>1 send 0, 1>2 send 1; 1>2 send 0+1"},
    {"gather",
     "schedule:\n"
     "  - move: all\n    to: 1\n    if: r == 0\n"
     "  - move: all\n    to: 2\n",
     "0>1 move 0; 1>2 move 0+1"},
    {"broadcast",
     "schedule:\n"
     "  - round:\n"
     "      - send: 0\n        to: 1\n        if: r == 0\n"
     "      - send: 0\n        to: 2\n        if: r == 0\n",
     "0>1 send 0, 0>2 send 0"},
    {"broadcast",
     "schedule:\n"
     "  - repeat: i in 2 down to 1\n"
     "    steps:\n"
     "      - send: 0\n        to: i\n        if: r == 0\n",
     "0>2 send 0; 0>1 send 0"},
    {"broadcast",
     "schedule:\n"
     "  - repeat: i in 1 .. 0\n"
     "    steps:\n"
     "      - send: 0\n        to: i\n"
     "  - repeat: i in 0 down to 1\n"
     "    steps:\n"
     "      - send: 0\n        to: i\n",
     ""},
    {"broadcast",
     "schedule:\n"
     "  - repeat: i in 1 .. 2\n"
     "    steps:\n"
     "      - repeat: j in 1 .. i\n"
     "        if: i == 2\n"
     "        steps:\n"
     "          - send: 0\n            to: j\n            if: r == 0\n",
     "0>1 send 0; 0>2 send 0"},
    {"broadcast",
     "chunks: k\n"
     "schedule:\n"
     "  - repeat: t in 0 .. k - 1\n"
     "    steps:\n"
     "      - send: t\n        to: 1\n        if: r == 0\n",
     "0>1 send 0; 0>1 send 1; 0>1 send 2"},
    {"gather",
     "chunks: 2\n"
     "schedule:\n"
     "  - send: (r, h) for h in 1 down to 0\n    to: 0\n",
     "1>0 send 3+2, 2>0 send 5+4"},
    {"broadcast",
     "schedule:\n"
     "  - repeat: i in 0 .. 1\n"
     "    let:\n"
     "      near: (r + i) mod p\n"
     "      far: near + 1\n"
     "    steps:\n"
     "      - send: 0\n        to: far mod p\n        if: near == 1\n",
     "1>2 send 0; 0>2 send 0"},
    {"gather",
     "let:\n"
     "  v: (r - root) mod p\n"
     "schedule:\n"
     "  - round:\n"
     "      - send:\n          - v\n          - 0 .. v - 1\n        to: 0\n"
     "    let:\n"
     "      unused: 1\n",
     "1>0 send 1+0, 2>0 send 2+0+1"},
    {"gather",
     "schedule:\n"
     "  - send: r\n    to: r\n"
     "  - send: r .. r - 1\n    to: 0\n"
     "  - send: r\n    to: 0\n    if: r == 2\n",
     "2>0 send 2"},
    {"gather",
     "schedule:\n"
     "  - round:\n"
     "      - send: r\n        to: 0\n"
     "    if: p > 3\n"
     "  - send: 2\n    to: 1\n    if: r == 0\n",
     "0>1 send 2"},
    {"broadcast",
     "schedule:\n"
     "  - repeat: i in 1 .. sum(j, 1, 2, j) - 1\n"
     "    steps:\n"
     "      - send: 0\n        to: i\n        if: r == sum(j, 1, i, 0)\n",
     "0>1 send 0; 0>2 send 0"},
};

START_TEST(programs_expand)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, arena_printf(fixture->arena, "algorithm: mine\ncollective: %s\n%s",
                                     programs[_i].collective, programs[_i].program));
    const char *name = arena_printf(fixture->arena, "%s/mine", programs[_i].collective);
    assert_schedule(fixture, instance_of(fixture, name, 3, 0, 3), programs[_i].rounds);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *step;
    size_t line, column;
} mistakes[] = {
    {"  - send: r\n    to: r + 1\n", 5, 9},
    {"  - send: r\n    to: r - 1\n", 5, 9},
    {"  - send: p\n    to: 0\n", 4, 11},
    {"  - send: r - 1\n    to: 0\n", 4, 11},
    {"  - send: r\n    to: 1 div r\n", 5, 9},
    {"  - send: r\n    to: 0\n    if: 1 div (r - 2) == 0\n", 6, 9},
    {"  - send: 0 .. 3 mod r\n    to: 0\n", 4, 16},
    {"  - repeat: i in 0 .. 1 mod (p - 3)\n    steps:\n      - send: r\n        to: 0\n", 4, 23},
};

START_TEST(what_cannot_be_expanded_is_reported)
{
    Fixture *fixture = fixture_open();
    use_models(fixture,
               arena_printf(fixture->arena, "algorithm: mine\ncollective: gather\nschedule:\n%s",
                            mistakes[_i].step));
    Instance instance = instance_of(fixture, "gather/mine", 3, 0, 0);
    ck_assert_ptr_null(schedule_text(fixture, &instance));
    assert_error_at(fixture, "user.yaml", mistakes[_i].line, mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_requirement_says_which_p_are_allowed)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "algorithm: mine\n"
                        "collective: broadcast\n"
                        "requires: power_of_two(p) and d == 1\n"
                        "schedule:\n"
                        "  - send: 0\n"
                        "    to: 0\n");
    const Algorithm *algorithm = algorithm_named(fixture, "broadcast/mine");
    Shape six = shape_line(6), eight = shape_line(8);
    ck_assert(schedule_allows(algorithm, &eight, 1, NULL, &fixture->diag));
    ck_assert(!schedule_allows(algorithm, &six, 1, NULL, &fixture->diag));
    ck_assert(!schedule_allows(algorithm, &eight, 2, NULL, &fixture->diag));
    ck_assert(schedule_allows(algorithm_named(fixture, "broadcast/binomial"), &six, 1, NULL,
                              &fixture->diag));
    fixture_close(fixture);
}
END_TEST

START_TEST(blocks_are_numbered_row_by_row)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "collective: mine\n"
                        "blocks: {s: p, t: 4}\n"
                        "before: (r, j) for j in 0 .. 3\n"
                        "after: (r, j) for j in 0 .. 3\n");
    BlockSpace space;
    ck_assert(blockspace_create(collective_named(fixture, "mine"), 3, 2, &space, &fixture->diag));
    ck_assert_int_eq(space.index_count, 3);
    ck_assert_int_eq(space.count, 24);
    ck_assert_str_eq(blockspace_name(fixture->arena, &space, (1 * 4 + 2) * 2 + 1), "(1, 2, 1)");
    ck_assert(blockspace_create(collective_named(fixture, "mine"), 3, 0, &space, &fixture->diag));
    ck_assert_int_eq(space.count, 12);
    ck_assert_str_eq(blockspace_name(fixture->arena, &space, 7), "(1, 3)");
    ck_assert(blockspace_create(collective_named(fixture, "reduce"), 3, 0, &space, &fixture->diag));
    ck_assert_int_eq(space.count, 1);
    ck_assert_str_eq(blockspace_name(fixture->arena, &space, 0), "0");
    fixture_close(fixture);
}
END_TEST

START_TEST(contracts_say_who_holds_what)
{
    Fixture *fixture = fixture_open();
    Contract contract;
    ck_assert(contract_create(fixture->arena, collective_named(fixture, "scatter"), 5, 3, 0,
                              &contract, &fixture->diag));
    ck_assert_int_eq(contract.block_count, 5);
    ck_assert_int_eq(contract.buffer_blocks, 5);
    ck_assert(!contract.combines);
    for (int64_t r = 0; r < 5; r++) {
        ck_assert_int_eq(holding_count(&contract.before, r), r == 3 ? 5 : 0);
        ck_assert_int_eq(holding_count(&contract.after, r), 1);
        ck_assert_int_eq(holding_block(&contract.after, r, 0), r);
    }
    ck_assert(contract_create(fixture->arena, collective_named(fixture, "reduce"), 5, 3, 0,
                              &contract, &fixture->diag));
    ck_assert(contract.combines && !contract.rank_order);
    ck_assert_int_eq(contract.buffer_blocks, 1);
    ck_assert_int_eq(per_rank(&contract.contributors_from, 3), 0);
    ck_assert_int_eq(per_rank(&contract.contributors_to, 3), 4);
    for (int64_t r = 0; r < 5; r++)
        ck_assert_int_eq(holding_count(&contract.after, r), r == 3);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_contract_with_a_wrong_index_is_refused)
{
    Fixture *fixture = fixture_open();
    Contract contract;
    use_models(fixture, "collective: mine\nblocks: {b: p}\nbefore: r\nafter: r + 1\n");
    ck_assert(!contract_create(fixture->arena, collective_named(fixture, "mine"), 3, 0, 0,
                               &contract, &fixture->diag));
    assert_error_at(fixture, "user.yaml", 4, 8);
    fixture_close(fixture);
}
END_TEST

static bool stop_at_second(void *context, const Round *round, Arena *arena)
{
    (void)arena;
    ++*(int *)context;
    return round->number < 1;
}

START_TEST(a_visitor_can_end_the_expansion)
{
    Fixture *fixture = fixture_open();
    int rounds = 0;
    Instance instance = instance_of(fixture, "broadcast/chain", 8, 0, 0);
    ck_assert(!schedule_expand(&instance, stop_at_second, &rounds, &fixture->diag));
    ck_assert_int_eq(rounds, 2);
    rounds = 0;
    instance = instance_of(fixture, "reduce/chain", 8, 0, 0);
    ck_assert(!schedule_expand(&instance, stop_at_second, &rounds, &fixture->diag));
    ck_assert_int_eq(rounds, 2);
    fixture_close(fixture);
}
END_TEST

START_TEST(parts_that_take_too_much_work_do_not_fit)
{
    const Shape shapes[] = {{.p = 16384, .count = 3, .sizes = {16, 32, 32}},
                            {.p = 65536, .count = 3, .sizes = {64, 32, 32}}};
    Fixture *fixture = fixture_open();
    for (int i = 0; i < 2; i++) {
        Instance instance = instance_of(fixture, "allreduce/two-way-torus", shapes[i].p, 0, 1);
        instance.shape = &shapes[i];
        ck_assert_int_eq(schedule_parts_fit(fixture->arena, &instance, instance.p), i == 0);
    }
    fixture_close(fixture);
}
END_TEST

Suite *sched_suite(void)
{
    Suite *suite = suite_create("sched");
    TCase *expansion = tcase_create("expansion");
    tcase_add_test(expansion, binomial_broadcast_of_8_ranks);
    tcase_add_test(expansion, the_dual_turns_rounds_and_transfers_round);
    tcase_add_loop_test(expansion, programs_expand, 0, sizeof programs / sizeof *programs);
    tcase_add_loop_test(expansion, what_cannot_be_expanded_is_reported, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_test(expansion, a_requirement_says_which_p_are_allowed);
    tcase_add_test(expansion, a_visitor_can_end_the_expansion);
    tcase_add_test(expansion, parts_that_take_too_much_work_do_not_fit);
    suite_add_tcase(suite, expansion);
    TCase *blocks = tcase_create("blocks");
    tcase_add_test(blocks, blocks_are_numbered_row_by_row);
    tcase_add_test(blocks, contracts_say_who_holds_what);
    tcase_add_test(blocks, a_contract_with_a_wrong_index_is_refused);
    suite_add_tcase(suite, blocks);
    return suite;
}
