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

/* The answer is kept back until it is complete, so that an error leaves no half of it behind. */
static Status answer(int count, char **arguments)
{
    Arena *arena = arena_create();
    Diag diag = diag_create(stderr);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        leave_without_memory(0);
    Status status = command_run(arena, &diag, out, count, arguments);
    fclose(out);
    if (status == STATUS_FINE || status == STATUS_CHECK_FAILED)
        fwrite(text, 1, length, stdout);
    free(text);
    arena_destroy(arena);
    return status;
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
