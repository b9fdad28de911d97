#include "session/commands.h"
#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void leave_without_memory(void *listener, size_t wanted)
{
    (void)listener;
    fprintf(stderr, "collcost: error: out of memory (%zu bytes wanted)\n", wanted);
    exit(STATUS_SYSTEM);
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
    Workspace workspace = {.exhausted = leave_without_memory};
    Session *session = session_open(&command_table, &workspace, stdout, stderr);
    char *repl[] = {"repl", NULL};
    bool is_bare = count <= 1 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    Outcome outcome = is_bare ? session_run_arguments(session, 1, repl)
                              : session_run_arguments(session, count - 1, arguments + 1);
    session_close(session);
    return close_output(outcome.status);
}
