#include "base/watch.h"
#include "cli/command.h"

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

static void leave_without_memory(size_t wanted)
{
    fprintf(stderr, "collcost: error: out of memory (%zu bytes wanted)\n", wanted);
    exit(STATUS_SYSTEM);
}

/* One command line on its way to an answer. */
typedef struct {
    Arena *arena;
    Diag diag;
    FILE *out;
    int count;
    char **arguments;
    Status status;
} Question;

static void run_question(void *context)
{
    Question *question = context;
    question->status = command_run(question->arena, &question->diag, question->out, question->count,
                                   question->arguments);
}

/* The answer is kept back until it is complete, so that an error leaves no half of it behind. */
static Status answer(int count, char **arguments)
{
    char *text = NULL;
    size_t length = 0;
    Question question = {.arena = arena_create(),
                         .diag = diag_create(stderr),
                         .out = open_memstream(&text, &length),
                         .count = count,
                         .arguments = arguments};
    if (!question.out)
        leave_without_memory(0);
    watch_run(run_question, &question);
    fclose(question.out);
    if (question.status == STATUS_FINE || question.status == STATUS_CHECK_FAILED)
        fwrite(text, 1, length, stdout);
    free(text);
    arena_destroy(question.arena);
    return question.status;
}

/* A full disk shows only when the last bytes are written. */
static Status close_output(Status status)
{
    bool failed = ferror(stdout) != 0;
    if (fclose(stdout) != 0 || failed) {
        fprintf(stderr, "collcost: error: cannot write the output: %s\n", strerror(errno));
        return STATUS_SYSTEM;
    }
    return status;
}

int main(int count, char **arguments)
{
    gsl_set_error_handler_off();
    arena_on_failure(leave_without_memory);
    return close_output(answer(count - 1, arguments + 1));
}
