#include "session/phrase.h"
#include "session/session.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

/* A session whose output is kept. */
typedef struct {
    Fixture *fixture;
    Workspace workspace;
    int left; /* allocations that succeed; negative: all */
    bool ran_out;
    Session *session;
    char *texts[2];
    size_t lengths[2];
    FILE *out, *err;
} Talk;

static void *allocate(void *allocator, size_t alignment, size_t size)
{
    Talk *talk = allocator;
    if (talk->left == 0) {
        talk->ran_out = true;
        return NULL;
    }
    talk->left--;
    return aligned_alloc(alignment, size);
}

static void release(void *allocator, void *memory)
{
    (void)allocator;
    free(memory);
}

static Talk *talk_open(void)
{
    Fixture *fixture = fixture_open();
    Talk *talk = ARENA_NEW(fixture->arena, Talk);
    talk->fixture = fixture;
    talk->left = -1;
    talk->workspace.allocate = allocate;
    talk->workspace.release = release;
    talk->workspace.allocator = talk;
    talk->out = open_memstream(&talk->texts[0], &talk->lengths[0]);
    talk->err = open_memstream(&talk->texts[1], &talk->lengths[1]);
    talk->session = session_open(&command_table, &talk->workspace, talk->out, talk->err);
    return talk;
}

static void talk_close(Talk *talk)
{
    session_close(talk->session);
    fclose(talk->out);
    fclose(talk->err);
    free(talk->texts[0]);
    free(talk->texts[1]);
    fixture_close(talk->fixture);
}

static Status say(Talk *talk, const char *text)
{
    Text line = text_of(talk->fixture, text);
    return session_run(talk->session, line, line).status;
}

/* What was answered since the last call. */
static const char *answer_to(Talk *talk, const char *text)
{
    rewind(talk->out);
    say(talk, text);
    fflush(talk->out);
    return arena_copy(talk->fixture->arena, talk->texts[0], talk->lengths[0]);
}

START_TEST(a_context_stays_and_can_be_taken_back)
{
    Talk *talk = talk_open();
    ck_assert_int_eq(say(talk, "p"), STATUS_BAD_INPUT);
    ck_assert_int_eq(say(talk, "use torus:4x8"), STATUS_FINE);
    ck_assert_str_eq(answer_to(talk, "p"), "32\n");
    ck_assert_str_eq(answer_to(talk, "eval p -p 16"), "16\n");
    ck_assert_int_eq(say(talk, "set p = 9"), STATUS_FINE);
    ck_assert_str_eq(answer_to(talk, "p"), "9\n");
    ck_assert_int_eq(say(talk, "use torus:0"), STATUS_BAD_INPUT);
    ck_assert_str_eq(answer_to(talk, "p"), "9\n");
    ck_assert_int_eq(say(talk, "unset p"), STATUS_FINE);
    ck_assert_int_eq(say(talk, "p"), STATUS_BAD_INPUT);
    talk_close(talk);
}
END_TEST

/* What formulas have asked before must not answer for another context. */
START_TEST(answers_follow_the_context)
{
    Talk *talk = talk_open();
    say(talk, "use full:8");
    ck_assert_str_eq(answer_to(talk, "rounds(reduce/chain, 8)"), "7\n");
    say(talk, "use full:16");
    ck_assert_str_eq(answer_to(talk, "rounds(reduce/chain, 8)"), "15\n");
    ck_assert_str_eq(answer_to(talk, "eval 'rounds(reduce/chain, 8)' -p 4"), "3\n");
    ck_assert_str_eq(answer_to(talk, "rounds(reduce/chain, 8)"), "15\n");
    talk_close(talk);
}
END_TEST

START_TEST(names_keep_their_values)
{
    Talk *talk = talk_open();
    say(talk, "let n = 4096");
    say(talk, "let half = n div 2");
    say(talk, "let n = 1");
    ck_assert_str_eq(answer_to(talk, "n + half"), "2049\n");
    ck_assert_int_eq(say(talk, "let d = 4"), STATUS_BAD_INPUT);
    ck_assert_int_eq(say(talk, "let best = 4"), STATUS_BAD_INPUT);
    ck_assert_int_eq(say(talk, "let verify = 4"), STATUS_BAD_INPUT);
    ck_assert_int_eq(say(talk, "let x = best(reduce, 8)"), STATUS_BAD_INPUT);
    talk_close(talk);
}
END_TEST

/* Typed algorithms and files are part of one line only. */
START_TEST(lines_leave_no_models_behind)
{
    Talk *talk = talk_open();
    const char *before = answer_to(talk, "list algorithms");
    say(talk, "cost 'allreduce: reduce-scatter/ring, allgather/bruck' -p 4 -m 8");
    say(talk, "verify 'allreduce: reduce-scatter/ring, allgather/bruck' -p 4");
    ck_assert_str_eq(answer_to(talk, "list algorithms"), before);
    talk_close(talk);
}
END_TEST

START_TEST(a_failed_expectation_says_why)
{
    Talk *talk = talk_open();
    Text line = text_of(talk->fixture, "expect 2 * 3 == 7");
    Outcome outcome = session_run(talk->session, line, line);
    ck_assert_int_eq(outcome.status, STATUS_CHECK_FAILED);
    ck_assert_str_eq(outcome.finding, "left side 6, right side 7");
    talk_close(talk);
}
END_TEST

static const char *const hungry[] = {
    "cost broadcast -t mesh:4x4 -m 1MiB",
    "best(allreduce, 1MiB)",
    "verify reduce/binomial -p 4,5",
    "switch allreduce -t torus:4x4",
};

/* The line is lost, the session goes on. */
START_TEST(a_line_without_memory_fails_alone)
{
    Talk *talk = talk_open();
    say(talk, "use full:8");
    const char *line = hungry[_i], *whole = answer_to(talk, line);
    for (int n = 0; n < 200; n += 1 + n / 4) {
        say(talk, "let x = 1"); /* the library is there */
        talk->left = n;
        talk->ran_out = false;
        Status status = say(talk, line);
        talk->left = -1;
        ck_assert_int_eq(status, talk->ran_out ? STATUS_SYSTEM : STATUS_FINE);
        ck_assert_str_eq(answer_to(talk, line), whole);
    }
    talk_close(talk);
}
END_TEST

Suite *session_suite(void)
{
    Suite *suite = suite_create("session");
    TCase *lines = tcase_create("lines");
    tcase_add_test(lines, a_context_stays_and_can_be_taken_back);
    tcase_add_test(lines, answers_follow_the_context);
    tcase_add_test(lines, names_keep_their_values);
    tcase_add_test(lines, lines_leave_no_models_behind);
    tcase_add_test(lines, a_failed_expectation_says_why);
    tcase_add_loop_test(lines, a_line_without_memory_fails_alone, 0,
                        sizeof hungry / sizeof *hungry);
    tcase_set_timeout(lines, 300);
    suite_add_tcase(suite, lines);
    return suite;
}
