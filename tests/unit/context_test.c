/* The public functions where a call ends half-way. */
#include "collcost.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A context whose memory is rationed, and which is cancelled at a safe point. */
typedef struct {
    int left; /* allocations that succeed; negative: all */
    int live;
    int polls; /* safe points until it is cancelled; negative: never */
    collcost_context *context;
    int errors;
    size_t memory_limit;
} Embedder;

static void *allocate(void *user, size_t alignment, size_t size)
{
    Embedder *embedder = user;
    void *memory = embedder->left == 0 ? NULL : aligned_alloc(alignment, size);
    embedder->left -= memory != NULL;
    embedder->live += memory != NULL;
    return memory;
}

static void release(void *user, void *memory)
{
    ((Embedder *)user)->live--;
    free(memory);
}

static void hear(void *user, const collcost_diagnostic *diagnostic)
{
    ((Embedder *)user)->errors += diagnostic->severity == COLLCOST_ERROR;
}

static void note_progress(void *user, const char *what, int64_t number, int64_t total)
{
    Embedder *embedder = user;
    ck_assert(what || (number == 0 && total == 0));
    if (embedder->polls-- == 0)
        collcost_cancel(embedder->context);
}

/* A file of a user's models, which the last line of a test removes. */
static char models_path[32];

static void write_models(void)
{
    strcpy(models_path, "/tmp/collcost-XXXXXX.yaml");
    FILE *file = fdopen(mkstemps(models_path, 5), "w");
    ck_assert_ptr_nonnull(file);
    fputs("topology: pair\nranks: 2\nlinks: [{from: 0, to: 1, both: yes}]\nrouting: shortest\n",
          file);
    fclose(file);
}

static collcost_status embed(Embedder *embedder)
{
    /* Gone after the call. */
    char *path = strdup(models_path);
    const char *const models[] = {path};
    const collcost_settings settings = {.diagnostic = hear,
                                        .progress = note_progress,
                                        .allocate = allocate,
                                        .release = release,
                                        .user = embedder,
                                        .models = models,
                                        .model_count = 1,
                                        .memory_limit = embedder->memory_limit};
    collcost_status status = collcost_open(&settings, &embedder->context);
    memset(path, 'x', strlen(path));
    free(path);
    return status;
}

static collcost_task up_to(const char *const *model, int64_t most)
{
    return (collcost_task){.models = model, .model_count = 1, .most = most};
}

/* About one case of gather. */
static collcost_status ask_variations(collcost_case *opened, double *sum)
{
    const collcost_moved *moved;
    const collcost_convention *conventions;
    size_t count;
    collcost_status status =
        collcost_case_vary(opened, "bandwidth", 0.2, 1, 1 << 20, -1, &moved, &count);
    if (status == COLLCOST_FINE)
        *sum += (double)count;
    if (status == COLLCOST_FINE)
        status = collcost_case_conventions(opened, 1, 1024, -1, &conventions, &count);
    for (size_t i = 0; status == COLLCOST_FINE && i < count; i++)
        *sum += (double)conventions[i].piece_count;
    return status;
}

static collcost_status ask_sweep(collcost_study *study, collcost_case *opened, double *sum)
{
    collcost_sweep *sweep;
    const collcost_rank_row *rows;
    size_t count;
    collcost_status status = collcost_sweep_create(study, "gather", &sweep);
    if (status == COLLCOST_FINE)
        status = collcost_sweep_add(sweep, opened, 1 << 20);
    if (status == COLLCOST_FINE)
        status = collcost_sweep_rows(sweep, &rows, &count);
    if (status == COLLCOST_FINE)
        *sum += rows[0].total_at_from_s;
    return status;
}

static collcost_status ask_explanation(collcost_study *study, double *sum)
{
    collcost_case *sides[2];
    const collcost_explanation *found;
    collcost_status status = collcost_case_open(study, "reduce/chain", "full:3", &sides[0]);
    if (status == COLLCOST_FINE)
        status = collcost_case_open(study, "reduce/flat", "full:3", &sides[1]);
    if (status == COLLCOST_FINE)
        status = collcost_explain(sides[0], sides[1], 1 << 10, COLLCOST_BREAK_EVENS, &found);
    if (status == COLLCOST_FINE)
        *sum += found->more[COLLCOST_TOTAL];
    return status;
}

static collcost_status ask_products(collcost_study *study, double *sum)
{
    static const char *const topologies[] = {"full:1", "full:4"};
    const int64_t n = 8;
    collcost_products *opened;
    const collcost_product *list;
    const collcost_product_row *rows;
    size_t count;
    collcost_status status = collcost_products_open(study, "matmul/cannon", topologies, 2, &opened);
    if (status == COLLCOST_FINE)
        status = collcost_products_scaling(opened, &n, 1, &list, &count);
    for (size_t i = 0; status == COLLCOST_FINE && i < count; i++)
        *sum += list[i].total_s;
    if (status == COLLCOST_FINE)
        status = collcost_products_over_ranks(opened, n, &rows, &count);
    if (status == COLLCOST_FINE)
        *sum += (double)count;
    return status;
}

/* One of each kind of question; all that is found as one number. */
static collcost_status ask(Embedder *embedder, double *sum)
{
    collcost_study *study;
    collcost_case *opened;
    const collcost_cost *costs;
    const collcost_bound *bounds;
    const collcost_piece *pieces;
    collcost_verification found;
    const char *const model = "reduce/binomial";
    const collcost_task task = up_to(&model, 3);
    size_t count;
    collcost_status status = collcost_study_create(embedder->context, &study);
    *sum = 0;
    if (status == COLLCOST_FINE)
        status = collcost_study_set(study, "startup", "2 us");
    if (status == COLLCOST_FINE)
        status = collcost_study_set(study, "multiply", "1 ps");
    if (status == COLLCOST_FINE)
        status = collcost_case_open(study, "gather", "mesh:3x2", &opened);
    if (status == COLLCOST_FINE)
        status = collcost_case_costs(opened, 1 << 20, &costs, &count);
    for (size_t i = 0; status == COLLCOST_FINE && i < count; i++)
        *sum += costs[i].total_s;
    if (status == COLLCOST_FINE)
        status = collcost_case_bounds(opened, 1 << 20, 0, &bounds, &count);
    for (size_t i = 0; status == COLLCOST_FINE && i < count; i++)
        *sum += bounds[i].seconds;
    if (status == COLLCOST_FINE)
        status =
            collcost_case_switch_points(opened, 1, 1 << 20, -1, COLLCOST_CHECKED, &pieces, &count);
    for (size_t i = 0; status == COLLCOST_FINE && i < count; i++)
        *sum += pieces[i].from_bytes;
    if (status == COLLCOST_FINE)
        status = ask_variations(opened, sum);
    if (status == COLLCOST_FINE)
        status = ask_sweep(study, opened, sum);
    if (status == COLLCOST_FINE)
        status = ask_explanation(study, sum);
    if (status == COLLCOST_FINE)
        status = ask_products(study, sum);
    if (status == COLLCOST_FINE)
        status = collcost_case_open(study, "broadcast/chain", "pair", &opened);
    if (status == COLLCOST_FINE)
        status = collcost_verify(study, &task, &found);
    if (status == COLLCOST_FINE)
        *sum += (double)found.run_count;
    return status;
}

static Embedder unlimited(void)
{
    return (Embedder){.left = -1, .polls = -1};
}

/* What the whole answer takes: allocations behind the opening, and safe points. */
static double measure(int *allocations, int *polls)
{
    double sum;
    Embedder embedder = unlimited();
    ck_assert_int_eq(embed(&embedder), COLLCOST_FINE);
    embedder.left = 1 << 30, embedder.polls = 1 << 30;
    ck_assert_int_eq(ask(&embedder, &sum), COLLCOST_FINE);
    *allocations = (1 << 30) - embedder.left;
    *polls = (1 << 30) - embedder.polls;
    collcost_close(embedder.context);
    ck_assert_int_eq(embedder.live, 0);
    ck_assert_int_eq(embedder.errors, 0);
    return sum;
}

START_TEST(memory_runs_out_anywhere)
{
    int allocations, polls;
    write_models();
    double expected = measure(&allocations, &polls), sum;
    ck_assert_int_gt(allocations, 100);
    for (int n = 0; n < allocations; n += 1 + n / 10) {
        Embedder embedder = unlimited();
        ck_assert_int_eq(embed(&embedder), COLLCOST_FINE);
        embedder.left = n;
        ck_assert_msg(ask(&embedder, &sum) == COLLCOST_NO_MEMORY, "%d of %d", n, allocations);
        embedder.left = -1;
        ck_assert_msg(ask(&embedder, &sum) == COLLCOST_FINE, "%d of %d", n, allocations);
        ck_assert(sum == expected);
        collcost_close(embedder.context);
        ck_assert_int_eq(embedder.live, 0);
    }
    remove(models_path);
}
END_TEST

START_TEST(memory_runs_out_while_a_context_opens)
{
    write_models();
    for (int n = 0;; n++) {
        Embedder embedder = unlimited();
        embedder.left = n;
        collcost_status status = embed(&embedder);
        if (status == COLLCOST_FINE)
            collcost_close(embedder.context);
        ck_assert_int_eq(embedder.live, 0);
        if (status == COLLCOST_FINE)
            break;
        ck_assert_int_eq(status, COLLCOST_NO_MEMORY);
    }
    remove(models_path);
}
END_TEST

START_TEST(memory_beyond_the_limit_is_refused)
{
    collcost_status status = COLLCOST_TOO_LARGE;
    int refused_openings = 0, refused_questions = 0;
    double sum;
    write_models();
    for (size_t limit = 1 << 12; status != COLLCOST_FINE; limit += limit / 4) {
        Embedder embedder = unlimited();
        embedder.memory_limit = limit;
        status = embed(&embedder);
        bool is_open = status == COLLCOST_FINE;
        if (is_open)
            status = ask(&embedder, &sum);
        ck_assert(status == COLLCOST_FINE || status == COLLCOST_TOO_LARGE);
        refused_openings += !is_open;
        refused_questions += is_open && status != COLLCOST_FINE;
        if (is_open)
            collcost_close(embedder.context);
        ck_assert_int_eq(embedder.live, 0);
        ck_assert_int_eq(embedder.errors, 0);
    }
    ck_assert_int_gt(refused_openings, 0);
    ck_assert_int_gt(refused_questions, 0);
    remove(models_path);
}
END_TEST

START_TEST(work_is_cancelled_anywhere)
{
    int allocations, polls;
    write_models();
    double expected = measure(&allocations, &polls), sum;
    ck_assert_int_gt(polls, 100);
    for (int n = 0; n < polls; n += 1 + n / 10) {
        Embedder embedder = unlimited();
        ck_assert_int_eq(embed(&embedder), COLLCOST_FINE);
        embedder.polls = n;
        ck_assert_msg(ask(&embedder, &sum) == COLLCOST_CANCELLED, "%d of %d", n, polls);
        ck_assert_msg(ask(&embedder, &sum) == COLLCOST_FINE, "%d of %d", n, polls);
        ck_assert(sum == expected);
        collcost_close(embedder.context);
        ck_assert_int_eq(embedder.live, 0);
    }
    remove(models_path);
}
END_TEST

START_TEST(older_cases_are_refused_afterwards)
{
    Embedder embedder = unlimited();
    collcost_study *study;
    collcost_case *first, *second;
    const collcost_cost *best = NULL;
    const char *const model = "reduce/binomial";
    const collcost_task task = up_to(&model, 4);
    write_models();
    ck_assert_int_eq(embed(&embedder), COLLCOST_FINE);
    ck_assert_int_eq(collcost_study_create(embedder.context, &study), COLLCOST_FINE);
    ck_assert_int_eq(collcost_case_open(study, "reduce", "full:8", &first), COLLCOST_FINE);
    ck_assert_int_eq(collcost_case_open(study, "gather", "full:8", &second), COLLCOST_FINE);
    collcost_cancel(embedder.context);
    ck_assert_int_eq(collcost_verify(study, &task, &(collcost_verification){0}),
                     COLLCOST_CANCELLED);
    ck_assert_int_eq(embedder.errors, 0);
    ck_assert_int_eq(collcost_case_best(first, 8, &best), COLLCOST_BAD_INPUT);
    ck_assert_int_eq(collcost_case_best(second, 8, &best), COLLCOST_BAD_INPUT);
    ck_assert_int_eq(collcost_study_set(study, "ports", "2"), COLLCOST_BAD_INPUT);
    ck_assert_int_eq(embedder.errors, 3);
    ck_assert_ptr_null(best);
    collcost_study_free(study);
    collcost_close(embedder.context);
    ck_assert_int_eq(embedder.live, 0);
    remove(models_path);
}
END_TEST

START_TEST(interruptions_do_not_pile_up)
{
    Embedder embedder = unlimited();
    collcost_study *study;
    collcost_verification found;
    const char *const model = "reduce";
    const collcost_task task = up_to(&model, 4);
    int live = 0;
    write_models();
    ck_assert_int_eq(embed(&embedder), COLLCOST_FINE);
    for (int i = 0; i < 6; i++) {
        ck_assert_int_eq(collcost_study_create(embedder.context, &study), COLLCOST_FINE);
        embedder.polls = 20;
        ck_assert_int_eq(collcost_verify(study, &task, &found), COLLCOST_CANCELLED);
        collcost_study_free(study);
        if (i == 1)
            live = embedder.live;
    }
    ck_assert_int_eq(embedder.live, live);
    collcost_close(embedder.context);
    ck_assert_int_eq(embedder.live, 0);
    remove(models_path);
}
END_TEST

START_TEST(errors_are_told_however_many_calls_came_before)
{
    Embedder embedder = unlimited();
    collcost_study *study;
    write_models();
    ck_assert_int_eq(embed(&embedder), COLLCOST_FINE);
    ck_assert_int_eq(collcost_study_create(embedder.context, &study), COLLCOST_FINE);
    for (int i = 1; i <= 50; i++) {
        ck_assert_int_eq(collcost_study_set(study, "root", "abc"), COLLCOST_BAD_INPUT);
        ck_assert_int_eq(embedder.errors, i);
    }
    collcost_study_free(study);
    collcost_close(embedder.context);
    remove(models_path);
}
END_TEST

Suite *context_suite(void)
{
    Suite *suite = suite_create("context");
    TCase *ends = tcase_create("ends");
    tcase_add_test(ends, memory_runs_out_anywhere);
    tcase_add_test(ends, memory_runs_out_while_a_context_opens);
    tcase_add_test(ends, memory_beyond_the_limit_is_refused);
    tcase_add_test(ends, work_is_cancelled_anywhere);
    tcase_add_test(ends, older_cases_are_refused_afterwards);
    tcase_add_test(ends, interruptions_do_not_pile_up);
    tcase_add_test(ends, errors_are_told_however_many_calls_came_before);
    tcase_set_timeout(ends, 300);
    suite_add_tcase(suite, ends);
    return suite;
}
