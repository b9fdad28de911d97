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

typedef struct {
    CommandLine line;
    TextArray words;
    Status status;
} Question;

static void run_question(void *context)
{
    Question *question = context;
    question->status = command_run(&question->line, &question->words);
}

/* The answer is kept back until it is complete, so that an error leaves no half of it behind. */
static Status answer(int count, char **arguments)
{
    char *text = NULL;
    size_t length = 0;
    Arena *arena = arena_create();
    Diag diag = diag_create(stderr);
    Question question = {.line = {.arena = arena,
                                  .diag = &diag,
                                  .out = open_memstream(&text, &length),
                                  .stream = stdout}};
    if (!question.line.out)
        leave_without_memory(0);
    for (int i = 0; i < count; i++)
        *ARRAY_PUSH(arena, &question.words) =
            (Text){.chars = arguments[i], .length = strlen(arguments[i])};
    watch_run(run_question, &question);
    fclose(question.line.out);
    if (question.status == STATUS_FINE || question.status == STATUS_CHECK_FAILED)
        fwrite(text, 1, length, stdout);
    free(text);
    arena_destroy(arena);
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
