/* Problems and their algorithms as files say them. */
#include "unit.h"

#define PRODUCT "compute: C(i, j) += A(i, k) * B(k, j)\n"
#define SQUARES "arrays: {A: [n, n], B: [n, n], C: [n, n]}\n"
#define HEAD "algorithm: x\nproblem: matmul\n"
#define BLOCKS "blocks: {A: [1, 1], B: [1, 1], C: [1, 1]}\n"
#define ENDS "before: [\"A(0, 0)\", \"B(0, 0)\"]\nafter: C(0, 0)\n"
#define SCHEDULE "schedule:\n  - compute: C(0, 0) += A(0, 0) * B(0, 0)\n"

static const struct {
    const char *yaml;
    size_t line, column;
} mistakes[] = {
    {"problem: x\n" PRODUCT, 1, 10},
    {"problem: x\narrays: {A: [n, n], B: [n, n]}\n" PRODUCT, 2, 9},
    {"problem: x\narrays: [A, B, C]\n" PRODUCT, 2, 9},
    {"problem: x\n" SQUARES, 1, 10},
    {"problem: x\narrays: {A: [n, n, n], B: [n, n], C: [n, n]}\n" PRODUCT, 2, 10},
    {"problem: x\narrays: {A: [n, p], B: [n, n], C: [n, n]}\n" PRODUCT, 2, 17},
    {"problem: x\n" SQUARES "compute: C(i, j) += A(i, k)\n", 3, 21},
    {"problem: x\n" SQUARES "compute: C(i, j) = A(i, k) * B(k, j)\n", 3, 18},
    {"problem: x\n" SQUARES "compute: C(i, j) += A(i, k) + B(k, j)\n", 3, 21},
    {"problem: x\n" SQUARES "compute: C(i, j) += A(i, k) * D(k, j)\n", 3, 31},
    {"problem: x\n" SQUARES "compute: C(i, j) += A(i, k) * B(j, k)\n", 3, 10},
    {"problem: x\n" SQUARES "compute: C(i, j) += A(i, k) * A(k, j)\n", 3, 10},
    {"problem: x\narrays: {A: [n, n], B: [n], C: [n, n]}\n" PRODUCT, 3, 31},
    {"problem: x\n" SQUARES "compute: C(i, 0) += A(i, k) * B(k, 0)\n", 3, 10},
    {"problem: x\nblocks: p\n" SQUARES PRODUCT, 2, 1},
    {"algorithm: x\nproblem: matmull\n" BLOCKS ENDS SCHEDULE, 2, 10},
    {HEAD "collective: reduce\n" BLOCKS ENDS SCHEDULE, 1, 12},
    {"algorithm: x\ncollective: reduce\nbefore: 0\nschedule: []\n", 3, 9},
    {HEAD ENDS SCHEDULE, 1, 12},
    {HEAD "blocks: {A: [1, 1], B: [1, 1]}\n" ENDS SCHEDULE, 3, 9},
    {HEAD "blocks: {A: [1, 1], B: [1, 1], C: [1, 1], D: [1]}\n" ENDS SCHEDULE, 3, 43},
    {HEAD "blocks: {A: [1], B: [1, 1], C: [1, 1]}\n" ENDS SCHEDULE, 3, 13},
    {HEAD "blocks: {A: [r, 1], B: [1, 1], C: [1, 1]}\n" ENDS SCHEDULE, 3, 14},
    {HEAD "blocks: {A: [n, 1], B: [1, 1], C: [1, 1]}\n" ENDS SCHEDULE, 3, 14},
    {HEAD BLOCKS "after: C(0, 0)\n" SCHEDULE, 1, 12},
    {HEAD BLOCKS "before: A(0, 0)\n" SCHEDULE, 1, 12},
    {HEAD BLOCKS "before: all\nafter: C(0, 0)\n" SCHEDULE, 4, 9},
    {HEAD BLOCKS "before: A(0)\nafter: C(0, 0)\n" SCHEDULE, 4, 9},
    {HEAD BLOCKS "before: (0, 0)\nafter: C(0, 0)\n" SCHEDULE, 4, 9},
    {HEAD BLOCKS ENDS "schedule:\n  - compute: A(0, 0) += C(0, 0) * B(0, 0)\n", 7, 25},
    {HEAD BLOCKS ENDS "schedule:\n  - compute: C(0, 0) += A(0, 0) * B(0)\n", 7, 35},
    {HEAD BLOCKS ENDS SCHEDULE "    to: 0\n", 8, 5},
    {HEAD BLOCKS ENDS "schedule:\n  - combine: C(0, 0) += C(0, 0)\n", 7, 5},
    {HEAD BLOCKS ENDS "schedule:\n  - send: A(0, 0)\n    to: 0\n    as: B\n", 9, 9},
    {HEAD BLOCKS ENDS "schedule:\n  - send: 0\n    to: 0\n", 7, 11},
    {HEAD BLOCKS ENDS "schedule:\n  - round:\n      - compute: C(0, 0) += A(0, 0) * B(0, 0)\n", 8,
     9},
    {HEAD BLOCKS ENDS "schedule:\n  - use: allgather/ring\n", 7, 5},
    {HEAD BLOCKS ENDS "schedule:\n  - use: allgather/ring\n    of: A(0, c)\n", 8, 14},
    {HEAD BLOCKS ENDS "schedule:\n  - use: allgather/ring\n    of: A(b)\n", 8, 9},
    {HEAD BLOCKS ENDS "schedule:\n  - use: matmul/cannon\n    of: A(0, 0)\n", 7, 10},
    {HEAD BLOCKS ENDS "chunks: 2\n" SCHEDULE, 6, 9},
    {HEAD BLOCKS ENDS "sequence: [allgather/ring]\n", 6, 11},
    {"algorithm: x\ncollective: allgather\n" SCHEDULE, 4, 5},
    {"algorithm: x\ncollective: allgather\nschedule:\n  - use: allgather/ring\n    of: 0\n", 4, 5},
    {HEAD BLOCKS ENDS SCHEDULE "claims:\n  - on: full\n    source: here\n    time: m * tw\n", 11,
     11},
    {HEAD BLOCKS ENDS SCHEDULE
     "claims:\n  - on: full\n    source: here\n    time: n * tm + M * tw\n",
     11, 20},
    {HEAD BLOCKS ENDS SCHEDULE "claims:\n  - on: full\n    source: here\n    reaches: rounds\n", 10,
     13},
    {"algorithm: x\ncollective: allgather\nschedule: []\nclaims:\n  - on: full\n    source: here\n "
     "   time: n * tm\n",
     7, 11},
    {"machine: x\nbandwidth: 1 GB/s\nmultiply: 1 GB\n", 3, 11},
    {"machine: x\nbandwidth: 1 GB/s\nmultiply: [1 ns]\n", 3, 11},
};

START_TEST(mistakes_are_reported_at_their_place)
{
    Fixture *fixture = fixture_open();
    add_models(fixture, mistakes[_i].yaml);
    assert_error_at(fixture, "user.yaml", mistakes[_i].line, mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

START_TEST(sizes_and_work_are_functions_of_n)
{
    Fixture *fixture = fixture_open();
    int64_t sizes[2];
    double work;
    use_models(fixture, "problem: wide\n"
                        "arrays: {Y: [2 * n, 3], X: [n, 3], B: [2 * n, n]}\n"
                        "compute: Y(a, c) += B(a, b) * X(b, c)\n");
    const Problem *problem =
        library_problem(fixture->library, text_of(fixture, "wide"), &fixture->diag);
    ck_assert_int_eq(problem->roles[ARRAY_LEFT], 2);
    ck_assert_int_eq(problem->roles[ARRAY_RIGHT], 1);
    ck_assert_int_eq(problem->roles[ARRAY_RESULT], 0);
    ck_assert(problem_sizes(problem, 2, 5, sizes, &fixture->diag));
    ck_assert_int_eq(sizes[0], 10);
    ck_assert_int_eq(sizes[1], 5);
    ck_assert(problem_work(problem, 5, &work, &fixture->diag));
    ck_assert_double_eq(work, 10 * 5 * 3);
    fixture_close(fixture);
}
END_TEST

/* 2^20 is the longest side: (2^20)^3 multiply-adds can just be counted. */
START_TEST(sides_that_are_too_long_are_refused)
{
    Fixture *fixture = fixture_open();
    int64_t sizes[2];
    use_models(fixture, "problem: long\n"
                        "arrays: {y: [n^2], A: [n^2, n - 1], x: [n - 1]}\n"
                        "compute: y(i) += A(i, j) * x(j)\n");
    const Problem *problem =
        library_problem(fixture->library, text_of(fixture, "long"), &fixture->diag);
    ck_assert(problem_sizes(problem, 0, 1 << 10, sizes, &fixture->diag));
    ck_assert(!problem_sizes(problem, 0, (1 << 10) + 1, sizes, &fixture->diag));
    assert_error_at(fixture, "user.yaml", 2, 14);
    ck_assert(!problem_sizes(problem, 2, 1, sizes, &fixture->diag));
    assert_error_at(fixture, "user.yaml", 2, 41);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_number_of_parts_that_is_none_is_refused)
{
    Fixture *fixture = fixture_open();
    BlockSpace space;
    use_models(fixture, HEAD "blocks: {A: [p - 1, 1], B: [1, 1], C: [p^2, p^2]}\n" ENDS SCHEDULE);
    Instance instance = instance_of(fixture, "matmul/x", 1, 0, 1);
    ck_assert(!schedule_blocks(&instance, &space, &fixture->diag));
    assert_error_at(fixture, "user.yaml", 3, 14);
    instance.p = 64;
    ck_assert(!schedule_blocks(&instance, &space, &fixture->diag));
    assert_error_at(fixture, "user.yaml", 3, 45);
    fixture_close(fixture);
}
END_TEST

Suite *problem_suite(void)
{
    Suite *suite = suite_create("problem");
    TCase *reading = tcase_create("reading");
    tcase_add_loop_test(reading, mistakes_are_reported_at_their_place, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_test(reading, sizes_and_work_are_functions_of_n);
    tcase_add_test(reading, sides_that_are_too_long_are_refused);
    tcase_add_test(reading, a_number_of_parts_that_is_none_is_refused);
    suite_add_tcase(suite, reading);
    return suite;
}
