#include "sched/store.h"

#include "unit.h"

/* All that is visited, as text, and how far it goes. */
typedef struct {
    Arena *arena;
    const char *text;
    int64_t rounds, most; /* visited; -1: all */
} Visit;

static bool visit_round(void *context, const Round *round, Arena *scratch)
{
    Visit *visit = context;
    (void)scratch;
    if (visit->rounds == visit->most)
        return false;
    visit->rounds++;
    visit->text = arena_printf(visit->arena, "%s\n%lld:", visit->text, (long long)round->number);
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        visit->text =
            arena_printf(visit->arena, "%s %d-%d", visit->text, transfer->from, transfer->to);
        for (size_t b = 0; b < transfer->block_count; b++)
            visit->text =
                arena_printf(visit->arena, "%s,%lld", visit->text,
                             (long long)round_destination(round, transfer->first_block + b));
    }
    for (size_t i = 0; i < round->product_count; i++)
        visit->text = arena_printf(visit->arena, "%s *%lld", visit->text,
                                   (long long)round->products[i].blocks[ARRAY_RESULT]);
    return true;
}

static Visit visit_all(Fixture *fixture, const Instance *instance, int64_t most)
{
    Visit visit = {.arena = fixture->arena, .text = "", .most = most};
    bool good = store_expand(instance, visit_round, &visit, &fixture->diag);
    ck_assert_int_eq(good, most < 0);
    return visit;
}

static const char *const stored[] = {
    "broadcast/pipelined-chain", "reduce/binomial", "allreduce/rabenseifner", "allgather/bruck",
    "scan/recursive-doubling",   "matmul/cannon",   "matvec/striped"};

/* Whoever comes second visits what the first did, and what differs is told apart. */
START_TEST(rounds_are_visited_again)
{
    Fixture *fixture = fixture_open();
    const Shape line = shape_line(4);
    Instance instance = instance_of(fixture, stored[_i], 4, 0, 2);
    ScheduleStore *store = store_create(fixture->arena);
    instance.shape = &line;
    for (int64_t root = 0; root < 2; root++)
        for (int64_t k = 1; k < 3; k++) {
            instance.root = root, instance.k = k, instance.store = NULL;
            Visit fresh = visit_all(fixture, &instance, -1);
            instance.store = store;
            for (int i = 0; i < 2; i++) {
                Visit visit = visit_all(fixture, &instance, -1);
                ck_assert_str_eq(visit.text, fresh.text);
            }
        }
    fixture_close(fixture);
}
END_TEST

/* What ends early is not taken for the whole. */
START_TEST(half_a_schedule_is_not_kept)
{
    Fixture *fixture = fixture_open();
    Instance instance = instance_of(fixture, "allgather/ring", 5, 0, 1);
    instance.store = store_create(fixture->arena);
    ck_assert_int_eq(visit_all(fixture, &instance, 2).rounds, 2);
    ck_assert_int_eq(visit_all(fixture, &instance, -1).rounds, 4);
    ck_assert_int_eq(visit_all(fixture, &instance, 2).rounds, 2);
    fixture_close(fixture);
}
END_TEST

/* Ports count where the program reads them, and the grid where it asks for dimensions. */
START_TEST(what_rounds_depend_on)
{
    Fixture *fixture = fixture_open();
    Shape grids[2] = {{.p = 1}, {.p = 1}};
    ScheduleStore *store = store_create(fixture->arena);
    Instance tree = instance_of(fixture, "broadcast/k-nomial", 9, 0, 1);
    Instance grid = instance_of(fixture, "allgather/dimension-by-dimension", 8, 0, 1);
    tree.store = grid.store = store;
    ck_assert(shape_add(&grids[0], NULL, 4) && shape_add(&grids[0], NULL, 2));
    ck_assert(shape_add(&grids[1], NULL, 2) && shape_add(&grids[1], NULL, 4));
    ck_assert(tree.algorithm->reads_ports);
    int64_t rounds = visit_all(fixture, &tree, -1).rounds;
    tree.ports = 2;
    ck_assert_int_lt(visit_all(fixture, &tree, -1).rounds, rounds);
    grid.shape = &grids[0];
    const char *first = visit_all(fixture, &grid, -1).text;
    grid.shape = &grids[1];
    ck_assert_str_ne(visit_all(fixture, &grid, -1).text, first);
    fixture_close(fixture);
}
END_TEST

Suite *store_suite(void)
{
    Suite *suite = suite_create("store");
    TCase *schedules = tcase_create("schedules");
    tcase_add_loop_test(schedules, rounds_are_visited_again, 0, sizeof stored / sizeof *stored);
    tcase_add_test(schedules, half_a_schedule_is_not_kept);
    tcase_add_test(schedules, what_rounds_depend_on);
    suite_add_tcase(suite, schedules);
    return suite;
}
