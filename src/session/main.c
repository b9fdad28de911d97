#include "cli/messages.h"
#include "session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void leave_without_memory(void *listener, size_t wanted)
{
    (void)listener;
    messages_write_exhausted(stderr, wanted);
    exit(STATUS_SYSTEM);
}

enum { LARGE_PAGE = 2 << 20, LARGE_PAGES = 4 };

/* The first megabytes, which are enough for most questions, come in large pages where the system
   has any: to get one takes less time than to get the small ones in its place. */
static void settle_memory(void)
{
#ifdef __GLIBC__
    /* Work makes and frees large arrays again and again, and the system takes long to give fresh
       pages: what is freed is kept. */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
#if defined __GLIBC__ && defined MADV_HUGEPAGE
    const uintptr_t start = (uintptr_t)sbrk(0);
    mallopt(M_TOP_PAD, LARGE_PAGES * LARGE_PAGE);
    /* makes the heap; volatile, or the compiler leaves both calls out */
    void *volatile first = malloc(1);
    free(first);
    mallopt(M_TOP_PAD, 128 << 10);
    const uintptr_t end = (uintptr_t)sbrk(0);
    const uintptr_t aligned = (start + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    if (aligned < end)
        madvise((void *)aligned, end - aligned, MADV_HUGEPAGE);
#endif
}

int main(int count, char **arguments)
{
    /* A file that is opened must not take the place of a standard stream that is closed: these
       are then taken by what can be neither read nor written as they are. */
    static const int ways[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int i = 0; i < 3; i++)
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", ways[i]) != i)
            return STATUS_SYSTEM;
    signal(SIGXFSZ, SIG_IGN); /* beyond `ulimit -f` a write fails, as on a full disk */
    settle_memory();
    Workspace workspace = {.exhausted = leave_without_memory};
    Session *session = session_open(&command_table, &workspace, stdout, stderr);
    char *repl[] = {"repl", NULL};
    bool is_bare = count <= 1 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    Outcome outcome = is_bare ? session_run_arguments(session, 1, repl)
                              : session_run_arguments(session, count - 1, arguments + 1);
    session_close(session);
    /* A full disk shows only when the last bytes are written. */
    bool failed = ferror(stdout) != 0;
    if (fclose(stdout) != 0 || failed) {
        fprintf(stderr, "collcost: error: cannot write the output: %s\n", strerror(errno));
        return STATUS_SYSTEM;
    }
    return outcome.status;
}
