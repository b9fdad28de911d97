/* Work that ends half-way: cancelled, or without memory. */
#include "base/watch.h"
#include "study/case.h"
#include "unit.h"
#include "verify/verify.h"

#include <locale.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* A workspace whose memory is counted, and rationed. */
typedef struct {
    Workspace workspace;
    int left; /* allocations that succeed; negative: all */
    int live, made;
    int told; /* safe points */
    WorkStep step;
} Ration;

static void *allocate(void *allocator, size_t alignment, size_t size)
{
    Ration *ration = allocator;
    const size_t largest = (size_t)1 << 40; /* so much nobody has */
    void *memory = ration->left == 0 || size > largest ? NULL : aligned_alloc(alignment, size);
    ration->left -= memory != NULL;
    ration->live += memory != NULL;
    ration->made += memory != NULL;
    return memory;
}

static void release(void *allocator, void *memory)
{
    ((Ration *)allocator)->live--;
    free(memory);
}

static void note_progress(void *listener, const WorkStep *step)
{
    Ration *ration = listener;
    ration->told++;
    if (step)
        ration->step = *step;
}

static void ration_open(Ration *ration)
{
    *ration = (Ration){.left = -1};
    ration->workspace.allocate = allocate;
    ration->workspace.release = release;
    ration->workspace.progress = note_progress;
    ration->workspace.allocator = ration->workspace.listener = ration;
}

static void make_arenas(Ration *ration)
{
    for (int i = 0; i < 3; i++)
        memset(arena_alloc(arena_create(&ration->workspace), 1000), 1, 1000);
}

typedef struct {
    Ration ration;
    Arena *arena;
    int before, behind, ended;
    Ending inner;
} Work;

static Work work_open(void)
{
    return (Work){0};
}

static void cancelled_work(void *context)
{
    Work *work = context;
    make_arenas(&work->ration);
    watch_poll(work->arena);
    work->before++;
    workspace_cancel(&work->ration.workspace);
    make_arenas(&work->ration);
    watch_poll(work->arena);
    work->behind++;
}

START_TEST(cancelled_work_ends_with_its_arenas)
{
    Work work = work_open();
    ration_open(&work.ration);
    work.arena = arena_create(&work.ration.workspace);
    int live = work.ration.live;
    ck_assert_int_eq(workspace_run(&work.ration.workspace, cancelled_work, &work),
                     ENDING_CANCELLED);
    ck_assert_int_eq(work.before, 1);
    ck_assert_int_eq(work.behind, 0);
    ck_assert_int_eq(work.ration.live, live);
    arena_destroy(work.arena);
    ck_assert_int_eq(work.ration.live, 0);
}
END_TEST

static void poll_twice(void *context)
{
    Work *work = context;
    watch_poll(work->arena);
    watch_step(work->arena, "verify", 3, 7);
    work->behind++;
}

START_TEST(a_cancellation_ends_one_run)
{
    Work work = work_open();
    ration_open(&work.ration);
    work.arena = arena_create(&work.ration.workspace);
    workspace_cancel(&work.ration.workspace);
    watch_poll(work.arena); /* nothing runs */
    ck_assert_int_eq(workspace_run(&work.ration.workspace, poll_twice, &work), ENDING_CANCELLED);
    ck_assert_int_eq(workspace_run(&work.ration.workspace, poll_twice, &work), ENDING_DONE);
    workspace_cancel(&work.ration.workspace);
    workspace_forget(&work.ration.workspace);
    ck_assert_int_eq(workspace_run(&work.ration.workspace, poll_twice, &work), ENDING_DONE);
    ck_assert_int_eq(work.behind, 2);
    arena_destroy(work.arena);
}
END_TEST

START_TEST(progress_is_told_at_safe_points)
{
    Work work = work_open();
    ration_open(&work.ration);
    work.arena = arena_create(&work.ration.workspace);
    watch_poll(work.arena);
    ck_assert_int_eq(work.ration.told, 0);
    workspace_run(&work.ration.workspace, poll_twice, &work);
    ck_assert_int_eq(work.ration.told, 2);
    ck_assert_str_eq(work.ration.step.what, "verify");
    ck_assert_int_eq(work.ration.step.number, 3);
    ck_assert_int_eq(work.ration.step.total, 7);
    arena_destroy(work.arena);
}
END_TEST

static void nested_work(void *context)
{
    Work *work = context;
    Arena *mine = arena_create(&work->ration.workspace);
    work->inner = workspace_run(&work->ration.workspace, cancelled_work, context);
    watch_poll(mine);
    arena_destroy(mine);
    work->behind++;
}

START_TEST(the_inner_run_ends)
{
    Work work = work_open();
    ration_open(&work.ration);
    work.arena = arena_create(&work.ration.workspace);
    ck_assert_int_eq(workspace_run(&work.ration.workspace, nested_work, &work), ENDING_DONE);
    ck_assert_int_eq(work.inner, ENDING_CANCELLED);
    ck_assert_int_eq(work.behind, 1);
    arena_destroy(work.arena);
    ck_assert_int_eq(work.ration.live, 0);
}
END_TEST

/* The arena that was newest when the run began is gone when it ends. */
static void replacing_work(void *context)
{
    Work *work = context;
    arena_destroy(work->arena);
    make_arenas(&work->ration);
    workspace_fail(&work->ration.workspace, 1);
}

START_TEST(older_arenas_stay)
{
    Work work = work_open();
    ration_open(&work.ration);
    Arena *oldest = arena_create(&work.ration.workspace);
    char *text = arena_printf(oldest, "still here");
    work.arena = arena_create(&work.ration.workspace);
    ck_assert_int_eq(workspace_run(&work.ration.workspace, replacing_work, &work),
                     ENDING_NO_MEMORY);
    ck_assert_str_eq(text, "still here");
    arena_destroy(oldest);
    ck_assert_int_eq(work.ration.live, 0);
}
END_TEST

START_TEST(arenas_can_go_in_any_order)
{
    Ration ration;
    ration_open(&ration);
    Arena *first = arena_create(&ration.workspace), *second = arena_scratch(first);
    Arena *third = arena_scratch(second);
    ck_assert_ptr_eq(arena_workspace(third), &ration.workspace);
    arena_destroy(second);
    arena_destroy(third);
    arena_destroy(first);
    ck_assert_int_eq(ration.live, 0);
}
END_TEST

typedef struct {
    Resource resource;
    Work *work;
    int number;
} Foreign;

static void count_end(Resource *resource)
{
    const Foreign *foreign = (const Foreign *)(const void *)resource;
    foreign->work->ended = foreign->work->ended * 10 + foreign->number;
}

static void work_with_foreign(void *context)
{
    Work *work = context;
    Foreign foreign[3];
    for (int i = 0; i < 3; i++) {
        foreign[i].work = work;
        foreign[i].number = i + 1;
        workspace_hold(&work->ration.workspace, &foreign[i].resource, count_end);
    }
    workspace_drop(&foreign[1].resource);
    workspace_fail(&work->ration.workspace, 1);
}

START_TEST(foreign_things_end_newest_first)
{
    Work work = work_open();
    ration_open(&work.ration);
    workspace_run(&work.ration.workspace, work_with_foreign, &work);
    ck_assert_int_eq(work.ended, 31);
}
END_TEST

static void oversized_work(void *context)
{
    Work *work = context;
    Arena *arena = arena_create(&work->ration.workspace);
    IntArray array = {0};
    switch (work->before) {
    case 0:
        arena_alloc(arena, SIZE_MAX - 100);
        break;
    case 1:
        arena_calloc(arena, SIZE_MAX / 4, 5);
        break;
    case 2:
        arena_alloc(arena, SIZE_MAX / 8); /* no overflow, but nobody has so much */
        break;
    case 3:
        arena_copy(arena, "", SIZE_MAX);
        break;
    case 4:
        ARRAY_RESERVE(arena, &array, SIZE_MAX / 2);
        break;
    default:
        *ARRAY_PUSH(arena, &array) = 1;
        ARRAY_RESERVE(arena, &array, SIZE_MAX);
    }
    work->behind++;
}

START_TEST(overflow_is_too_large)
{
    Work work = work_open();
    ration_open(&work.ration);
    work.before = _i;
    ck_assert_int_eq(workspace_run(&work.ration.workspace, oversized_work, &work),
                     ENDING_TOO_LARGE);
    ck_assert_int_eq(work.behind, 0);
    ck_assert_int_eq(work.ration.live, 0);
    ck_assert_uint_gt(workspace_wanted(&work.ration.workspace), SIZE_MAX / 16);
}
END_TEST

/* How much room a workspace has for more, in steps of a KiB. */
static size_t room_of(const Workspace *workspace)
{
    size_t room = 0;
    while (workspace_has_room(workspace, room + 1024))
        room += 1024;
    return room;
}

/* An array for each number of KiB of `before`, each in an arena of its own: released, then `behind`
   KiB in one piece. */
typedef struct {
    Ration ration;
    size_t before, behind;
    bool is_released;
} Hoard;

static void hoard_memory(void *context)
{
    Hoard *hoard = context;
    for (int i = 0; i < 3; i++) {
        Arena *arena = arena_create(&hoard->ration.workspace);
        ArenaMark mark = arena_mark(arena);
        arena_room(arena, hoard->before << 10);
        if (hoard->is_released)
            arena_release(arena, mark);
    }
    arena_room(arena_create(&hoard->ration.workspace), hoard->behind << 10);
}

static Ending run_hoard(size_t limit, size_t before, size_t behind, bool is_released)
{
    Hoard hoard = {.before = before, .behind = behind, .is_released = is_released};
    ration_open(&hoard.ration);
    hoard.ration.workspace.memory_limit = limit << 10;
    Ending ending = workspace_run(&hoard.ration.workspace, hoard_memory, &hoard);
    if (ending != ENDING_DONE) {
        ck_assert_int_eq(hoard.ration.live, 0);
        ck_assert_uint_eq(room_of(&hoard.ration.workspace), limit << 10);
        ck_assert_ptr_null(workspace_refusal(&hoard.ration.workspace));
    }
    while (hoard.ration.workspace.newest) {
        Resource *newest = hoard.ration.workspace.newest;
        workspace_drop(newest);
        newest->end(newest);
    }
    return ending;
}

/* Whatever the host has; what is kept for use again does not count. */
START_TEST(more_memory_than_the_limit_is_refused)
{
    ck_assert_int_eq(run_hoard(1000, 200, 300, false), ENDING_DONE);
    ck_assert_int_eq(run_hoard(1000, 200, 400, false), ENDING_TOO_LARGE);
    ck_assert_int_eq(run_hoard(1000, 300, 600, false), ENDING_TOO_LARGE);
    ck_assert_int_eq(run_hoard(1000, 300, 600, true), ENDING_DONE);
    ck_assert_int_eq(run_hoard(1000, 300, 1000, true), ENDING_TOO_LARGE);
}
END_TEST

static void take_more_than_usual(void *context)
{
    arena_room(arena_create(context), (size_t)5 << 30);
}

START_TEST(the_usual_limit_is_4_GiB)
{
    Ration ration;
    ration_open(&ration);
    ck_assert_uint_eq(workspace_limit(&ration.workspace), (size_t)4 << 30);
    ck_assert_int_eq(workspace_run(&ration.workspace, take_more_than_usual, &ration.workspace),
                     ENDING_TOO_LARGE);
    ck_assert_int_eq(ration.live, 0);
}
END_TEST

static jmp_buf way_out;

static void leave(void *listener, size_t wanted)
{
    *(size_t *)listener = wanted;
    longjmp(way_out, 1);
}

START_TEST(without_a_run_the_program_is_asked)
{
    static size_t wanted;
    Workspace workspace = {.exhausted = leave, .listener = &wanted};
    if (setjmp(way_out) == 0)
        workspace_fail(&workspace, 12345);
    ck_assert_uint_eq(wanted, 12345);
}
END_TEST

static void look_at_locale(void *context)
{
    Work *work = context;
    Ration *ration = &work->ration;
    work->before = uselocale((locale_t)0) != LC_GLOBAL_LOCALE;
    if (ration->left == 0)
        workspace_fail(&ration->workspace, 1);
}

/* Numbers have a point in the engine, whatever its user's locale says; it is the user's again
 * behind. */
START_TEST(work_runs_in_a_locale_of_its_own)
{
    Work work = work_open();
    ration_open(&work.ration);
    work.ration.left = _i;
    workspace_run(&work.ration.workspace, look_at_locale, &work);
    ck_assert(work.before);
    ck_assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
}
END_TEST

/* Engine questions: what each answers, so that a torn answer does not pass for one. */
typedef struct {
    Ration ration;
    bool good;
} Question;

static Text word(Arena *arena, const char *text)
{
    return source_argument(arena, "test", text);
}

static void load_library(void *context)
{
    Question *question = context;
    Diag silent = diag_silent();
    Arena *arena = arena_create(&question->ration.workspace);
    Library *library = library_open(arena);
    AlgorithmArray algorithms = {0};
    const Collective *collective = library_collective(library, word(arena, "allreduce"), &silent);
    question->good = collective && library_algorithms(library, collective, &algorithms, &silent) &&
                     algorithms.count > 3;
    arena_destroy(arena);
}

/* Costs of all candidates, the bound and the switch points. */
static void ask_case(void *context)
{
    Question *question = context;
    Diag silent = diag_silent();
    Arena *arena = arena_create(&question->ration.workspace);
    const Study study = {
        .arena = arena,
        .diag = &silent,
        .library = library_open(arena),
        .rules = {.parameters = {1e-6, 1e-8, 1e-9, 1e-10}, .ports = 1},
        .target = -1,
    };
    const Topology *topology = library_topology(study.library, word(arena, "mesh"), &silent);
    const Collective *collective =
        library_collective(study.library, word(arena, "gather"), &silent);
    const Shape shape = topology_shape(topology, 6);
    Case *opened = case_open(&study, collective, NULL, topology, &shape);
    CaseCost *costs =
        opened ? ARENA_ARRAY(arena, CaseCost, opened->candidates.algorithms.count) : NULL;
    question->good = opened && case_costs(opened, 1e6, costs) && costs[0].cost.total > 1e-6 &&
                     lower_bound_seconds(case_bound(opened), 1e6) > 0 &&
                     switch_points_find(opened, 1, 1e6, -1)->pieces.count > 0;
    arena_destroy(arena);
}

static void ask_verification(void *context)
{
    Question *question = context;
    Diag silent = diag_silent();
    Arena *arena = arena_create(&question->ration.workspace);
    Library *library = library_open(arena);
    const Algorithm *algorithm =
        library_algorithm(library, word(arena, "reduce/binomial"), &silent);
    Instance instance = {.algorithm = algorithm, .p = 6, .root = 1, .k = 1, .ports = 1};
    question->good = algorithm && verify_schedule(arena, &instance, &silent).right;
    arena_destroy(arena);
}

static void (*const questions[])(void *context) = {load_library, ask_case, ask_verification};

/* Allocation number n fails, for each n; later ones are sampled, as their number goes with the
   number of rounds. */
START_TEST(questions_survive_each_failure)
{
    Question question;
    ration_open(&question.ration);
    ck_assert_int_eq(workspace_run(&question.ration.workspace, questions[_i], &question),
                     ENDING_DONE);
    ck_assert(question.good);
    ck_assert_int_eq(question.ration.live, 0);
    int needed = question.ration.made;
    ck_assert_int_gt(needed, 3);
    for (int n = 0; n < needed; n += 1 + n / 50) {
        ration_open(&question.ration);
        question.ration.left = n;
        ck_assert_int_eq(workspace_run(&question.ration.workspace, questions[_i], &question),
                         ENDING_NO_MEMORY);
        ck_assert_msg(question.ration.live == 0, "%d of %d allocations: %d are not freed", n,
                      needed, question.ration.live);
    }
}
END_TEST

Suite *workspace_suite(void)
{
    Suite *suite = suite_create("workspace");
    TCase *ends = tcase_create("ends");
    tcase_add_test(ends, cancelled_work_ends_with_its_arenas);
    tcase_add_test(ends, a_cancellation_ends_one_run);
    tcase_add_test(ends, progress_is_told_at_safe_points);
    tcase_add_test(ends, the_inner_run_ends);
    tcase_add_test(ends, older_arenas_stay);
    tcase_add_test(ends, arenas_can_go_in_any_order);
    tcase_add_test(ends, foreign_things_end_newest_first);
    tcase_add_loop_test(ends, overflow_is_too_large, 0, 6);
    tcase_add_test(ends, more_memory_than_the_limit_is_refused);
    tcase_add_test(ends, the_usual_limit_is_4_GiB);
    tcase_add_loop_test(ends, work_runs_in_a_locale_of_its_own, 0, 2);
    suite_add_tcase(suite, ends);
    TCase *memory = tcase_create("memory");
    tcase_add_test(memory, without_a_run_the_program_is_asked);
    tcase_add_loop_test(memory, questions_survive_each_failure, 0,
                        sizeof questions / sizeof *questions);
    tcase_set_timeout(memory, 300);
    suite_add_tcase(suite, memory);
    return suite;
}
