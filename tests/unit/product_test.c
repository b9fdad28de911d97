/* Products of matrices on real data: right ones, and wrong ones with what is wrong. */
#include "base/random.h"
#include "scale/scale.h"
#include "sched/extents.h"
#include "verify/verify.h"

#include "unit.h"

#include <string.h>

/* An algorithm for two ranks: rank 0 has A and C, rank 1 has B. */
#define HEAD                                                                                       \
    "algorithm: x\nproblem: matmul\nblocks: {A: [1, 2], B: [2, 1], C: [1, 1]}\n"                   \
    "before:\n  - A(0, j) for j in 0 .. 1 if r == 0\n  - B(j, 0) for j in 0 .. 1 if r == 1\n"
#define AFTER "after: C(0, 0) if r == 0\nschedule:\n"
#define SEND_B "  - send: B(j, 0) for j in 0 .. 1 if r == 1\n    to: 0\n"
#define BOTH "  - compute: C(0, 0) += A(0, j) * B(j, 0) for j in 0 .. 1 if r == 0\n"
#define FIRST "  - compute: C(0, 0) += A(0, 0) * B(0, 0) if r == 0\n"

static const struct {
    const char *yaml, *message;
} wrong[] = {
    {HEAD AFTER SEND_B FIRST,
     "block C(0, 0) of rank 0 has a wrong value after the last round (whole numbers, p = 2), "
     "n = 4"},
    {HEAD AFTER SEND_B BOTH FIRST, "block C(0, 0) of rank 0 has a wrong value"},
    {HEAD AFTER SEND_B, "block C(0, 0) of rank 0 is missing after the last round"},
    {HEAD AFTER BOTH, "rank 0 multiplies B(0, 0), which it does not hold (p = 2), n = 4"},
    {HEAD AFTER SEND_B "  - compute: C(0, 0) += A(0, 0) * B(1, 0) if r == 0\n",
     "rank 0 multiplies A(0, 0), but the sizes or places of the three blocks do not fit"},
    {HEAD "after: A(0, 0) if r == 0\nschedule:\n" SEND_B BOTH, "no rank holds C(0, 0) afterwards"},
    {HEAD AFTER "  - send: B(0, 0) if r == 0\n    to: 1\n",
     "round 1, 0 -> 1, block B(0, 0): the sender does not hold it"},
    {HEAD AFTER SEND_B BOTH "  - send: C(0, 0) if r == 0\n    to: 1\n" FIRST
                            "  - send: C(0, 0) if r == 0\n    to: 1\n",
     "block C(0, 0)"},
    {HEAD AFTER SEND_B BOTH "  - send: C(0, 0) if r == 0\n    to: 1\n"
                            "  - reduce: C(0, 0) if r == 1\n    to: 0\n",
     "block C(0, 0) of rank 0 has a wrong value"},
    {HEAD AFTER "  - move: B(j, 0) for j in 0 .. 1 if r == 1\n    to: 0\n"
                "  - send: B(1, 0) if r == 1\n    to: 0\n" BOTH,
     "round 2, 1 -> 0, block B(1, 0): the sender does not hold it"},
};

static Verification verified(Fixture *fixture, const char *name, int64_t p, int64_t n)
{
    Instance instance = instance_of(fixture, name, p, 0, 1);
    instance.sizes.order = n;
    return verify_schedule(fixture->arena, &instance, &fixture->diag);
}

START_TEST(wrong_schedules_are_rejected)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, wrong[_i].yaml);
    Verification result = verified(fixture, "matmul/x", 2, 4);
    ck_assert(result.on_data && !result.right);
    ck_assert_ptr_nonnull(result.failure.text);
    ck_assert_msg(strstr(result.failure.text, wrong[_i].message), "%s", result.failure.text);
    fixture_close(fixture);
}
END_TEST

START_TEST(the_right_schedule_is_accepted)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, HEAD AFTER SEND_B BOTH);
    for (int64_t n = 1; n <= 9; n++)
        ck_assert(verified(fixture, "matmul/x", 2, n).right);
    fixture_close(fixture);
}
END_TEST

/* What runs for long by malice stops, and so does what multiplies more than can be counted. */
START_TEST(endless_programs_are_stopped)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, HEAD AFTER SEND_B "  - repeat: i in 1 .. 100000\n    steps:\n    " BOTH);
    Network network = network_of(fixture, "full", 2);
    Rules rules = rules_of((Prices){1, 1, 1, 1}, 1);
    const Algorithm *algorithm = algorithm_named(fixture, "matmul/x");
    const ScaleCase scale = {algorithm, &network, &rules, 1, 8, false};
    collcost_product point;
    ck_assert(!scale_point(&scale, 1 << 20, &point, &fixture->diag));
    ck_assert_ptr_nonnull(strstr(take_messages(fixture), "to be counted"));
    fixture_close(fixture);
}
END_TEST

static const char *const library[] = {
    "matmul/cannon",  "matmul/simple",       "matmul/simple-ring",
    "matmul/dns",     "matvec/checkerboard", "matmul/dns-cost-optimal",
    "matvec/striped", "matvec/striped-ring", "matvec/striped-torus"};
enum { LIBRARY = sizeof library / sizeof *library };

/* Every number of ranks up to 64 that an algorithm allows, DNS also 125, and orders up to 96:
   below, at and above what the ranks cut, most of them not cut evenly. Each p takes every third
   order (every ninth where all p are allowed), from another one on. Data know of no network. */
START_TEST(the_library_multiplies)
{
    Fixture *fixture = fixture_open();
    const Algorithm *algorithm = algorithm_named(fixture, library[_i]);
    bool is_cubic = strcmp(library[_i], "matmul/dns") == 0;
    int64_t step = strncmp(library[_i], "matvec/striped", 14) == 0 ? 9 : 3;
    int runs = 0;
    for (int64_t p = 1; p <= (is_cubic ? 125 : 64); p++) {
        const Shape line = shape_line(p);
        if (!schedule_allows(algorithm, &line, 1, NULL, &fixture->diag))
            continue;
        for (int64_t n = 1 + p % step; n <= 96; n += step, runs++) {
            ArenaMark mark = arena_mark(fixture->arena);
            Verification result = verified(fixture, library[_i], p, n);
            ck_assert_msg(result.right && result.on_data, "%s, p = %d, n = %d: %s", library[_i],
                          (int)p, (int)n, result.failure.text ? result.failure.text : "");
            arena_release(fixture->arena, mark);
        }
    }
    ck_assert_int_ge(runs, 5 * 96 / 3);
    fixture_close(fixture);
}
END_TEST

/* On any network: the product is right, and where a claim speaks it is what the schedule costs. */
START_TEST(random_products_agree)
{
    static const char *const topologies[] = {"full", "torus", "hypercube", "ring",   "mesh",
                                             "star", "tree",  "linear",    "uniring"};
    enum { TOPOLOGIES = sizeof topologies / sizeof *topologies };
    static const int64_t ranks[] = {1, 2, 4, 8, 9, 16, 25, 27, 32, 36, 49, 64};
    Fixture *fixture = fixture_open();
    int compared = 0, tried = 0;
    for (uint64_t n = 0; tried < 400; n++) {
        uint64_t draw = random_hash(n);
        const Algorithm *algorithm = algorithm_named(fixture, library[draw % LIBRARY]);
        const char *on = topologies[draw / LIBRARY % TOPOLOGIES];
        int64_t p = ranks[draw / 100 % 12], order = 1 + (int64_t)(draw / 4200 % 40);
        if (draw / 420000 % 2)
            order *= p;
        if (strcmp(on, "hypercube") == 0 && (p & (p - 1)))
            continue;
        ArenaMark mark = arena_mark(fixture->arena);
        Network network = network_of(fixture, on, p);
        if (schedule_allows(algorithm, &network.shape, 1, NULL, &fixture->diag)) {
            Rules rules = rules_of((Prices){3e-6, 7e-9, 2e-9, 5e-10}, 1);
            const ScaleCase scale = {algorithm, &network, &rules, 1e-9, 8, false};
            collcost_product point;
            Instance instance = instance_of(fixture, library[draw % LIBRARY], p, 0, 1);
            instance.shape = &network.shape;
            instance.sizes.order = order % 41;
            ck_assert_msg(scale_point(&scale, order, &point, &fixture->diag), "%s",
                          take_messages(fixture));
            compared += point.from_closed_form;
            ck_assert(point.total_s > 0 && point.efficiency <= 1 + 1e-12);
            ck_assert(!instance.sizes.order ||
                      verify_schedule(fixture->arena, &instance, &fixture->diag).right);
            tried++;
        }
        arena_release(fixture->arena, mark);
    }
    ck_assert_int_gt(compared, 30);
    fixture_close(fixture);
}
END_TEST

/* The parts of each array lie side by side and are the whole. */
START_TEST(blocks_fill_their_arrays)
{
    Fixture *fixture = fixture_open();
    Instance instance = instance_of(fixture, "matmul/cannon", 49, 0, 1);
    BlockSpace space;
    Extents extents;
    ck_assert(schedule_blocks(&instance, &space, &fixture->diag));
    for (int64_t n = 1; n <= 30; n++) {
        int64_t sum = 0;
        ck_assert(extents_find(fixture->arena, &space, n, &extents, &fixture->diag));
        for (int64_t b = 0; b < space.count; b++) {
            Extent block = extents_block(&extents, b);
            ck_assert_int_eq(extents.elements[b], block.size[0] * block.size[1]);
            ck_assert_int_eq(block.array, b / 49);
            ck_assert_int_eq(block.first[1], b % 7 * n / 7);
            ck_assert_int_eq(block.first[1] + block.size[1], (b % 7 + 1) * n / 7);
            sum += extents.elements[b];
        }
        ck_assert_int_eq(sum, 3 * n * n);
        ck_assert(extents_are_even(space.problem, space.parts, n) == (n % 7 == 0));
    }
    fixture_close(fixture);
}
END_TEST

/* Each of two lines has a root of its own and a block of its own. */
START_TEST(lines_have_their_own_roots_and_blocks)
{
    Fixture *fixture = fixture_open();
    Instance instance = instance_of(fixture, "matvec/checkerboard", 4, 0, 1);
    ck_assert_str_eq(schedule_text(fixture, &instance),
                     "1>0 move 4; 0>2 send 4, 3>1 send 5; 0>1 reduce 6, 2>3 reduce 7");
    fixture_close(fixture);
}
END_TEST

START_TEST(a_line_must_agree_on_its_blocks)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "algorithm: x\nproblem: matvec\nblocks: {A: [1, p], v: [p], w: [1]}\n"
                        "before: v(r)\nafter: w(0) if r == 0\n"
                        "schedule:\n  - use: broadcast/binomial\n    of: v(r)\n");
    Instance instance = instance_of(fixture, "matvec/x", 3, 0, 1);
    ck_assert_ptr_null(schedule_text(fixture, &instance));
    assert_error_at(fixture, "user.yaml", 8, 9);
    fixture_close(fixture);
}
END_TEST

START_TEST(roots_are_ranks)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "algorithm: x\nproblem: matvec\nblocks: {A: [1, 1], v: [1], w: [1]}\n"
                        "before: v(0)\nafter: w(0) if r == 0\n"
                        "schedule:\n  - use: broadcast/binomial\n    of: v(0)\n    root: p\n");
    Instance instance = instance_of(fixture, "matvec/x", 3, 0, 1);
    ck_assert_ptr_null(schedule_text(fixture, &instance));
    assert_error_at(fixture, "user.yaml", 9, 11);
    fixture_close(fixture);
}
END_TEST

Suite *product_suite(void)
{
    Suite *suite = suite_create("product");
    TCase *data = tcase_create("data"), *blocks = tcase_create("blocks");
    tcase_set_timeout(data, 300);
    tcase_set_tags(data, "slow");
    tcase_add_loop_test(data, wrong_schedules_are_rejected, 0, sizeof wrong / sizeof *wrong);
    tcase_add_test(data, the_right_schedule_is_accepted);
    tcase_add_test(data, endless_programs_are_stopped);
    tcase_add_loop_test(data, the_library_multiplies, 0, LIBRARY);
    tcase_add_test(data, random_products_agree);
    tcase_add_test(blocks, blocks_fill_their_arrays);
    tcase_add_test(blocks, lines_have_their_own_roots_and_blocks);
    tcase_add_test(blocks, a_line_must_agree_on_its_blocks);
    tcase_add_test(blocks, roots_are_ranks);
    suite_add_tcase(suite, data);
    suite_add_tcase(suite, blocks);
    return suite;
}
