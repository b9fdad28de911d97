#include "base/watch.h"
#include "unit.h"

typedef struct {
    int before, behind;
    bool inner_done;
} Steps;

static void interrupted_work(void *context)
{
    Steps *steps = context;
    for (int i = 0; i < 3; i++)
        memset(arena_alloc(arena_create(), 1000), 1, 1000);
    watch_poll();
    steps->before++;
    watch_interrupt();
    watch_poll();
    steps->behind++;
}

static void paused_work(void *context)
{
    Steps *steps = context;
    watch_pause();
    watch_interrupt();
    watch_poll();
    steps->before++;
    watch_resume();
    watch_step("never", 0, 0);
    steps->behind++;
}

static void nested_work(void *context)
{
    Steps *steps = context;
    steps->inner_done = watch_run(interrupted_work, context);
    watch_poll();
    steps->behind++;
}

START_TEST(an_interrupt_ends_the_work_and_its_arenas)
{
    Arena *mine = arena_create();
    Steps steps = {0};
    ck_assert(!watch_run(interrupted_work, &steps));
    ck_assert_int_eq(steps.before, 1);
    ck_assert_int_eq(steps.behind, 0);
    ck_assert_ptr_eq(arena_newest(), mine);
    arena_destroy(mine);
}
END_TEST

START_TEST(no_point_is_safe_in_a_pause)
{
    Steps steps = {0};
    ck_assert(!watch_run(paused_work, &steps));
    ck_assert_int_eq(steps.before, 1);
    ck_assert_int_eq(steps.behind, 0);
}
END_TEST

START_TEST(an_interrupt_ends_the_inner_run)
{
    Steps steps = {0};
    ck_assert(watch_run(nested_work, &steps));
    ck_assert(!steps.inner_done);
    ck_assert_int_eq(steps.behind, 1);
}
END_TEST

START_TEST(nothing_ends_where_nothing_runs)
{
    watch_interrupt();
    watch_poll();
    watch_erase();
}
END_TEST

START_TEST(arenas_can_go_in_any_order)
{
    Arena *first = arena_create(), *second = arena_create(), *third = arena_create();
    arena_destroy(second);
    ck_assert_ptr_eq(arena_newest(), third);
    arena_destroy(third);
    ck_assert_ptr_eq(arena_newest(), first);
    arena_create();
    arena_destroy_since(first);
    ck_assert_ptr_eq(arena_newest(), first);
    arena_destroy(first);
}
END_TEST

Suite *watch_suite(void)
{
    Suite *suite = suite_create("watch");
    TCase *interrupts = tcase_create("interrupts");
    tcase_add_test(interrupts, an_interrupt_ends_the_work_and_its_arenas);
    tcase_add_test(interrupts, no_point_is_safe_in_a_pause);
    tcase_add_test(interrupts, an_interrupt_ends_the_inner_run);
    tcase_add_test(interrupts, nothing_ends_where_nothing_runs);
    tcase_add_test(interrupts, arenas_can_go_in_any_order);
    suite_add_tcase(suite, interrupts);
    return suite;
}
