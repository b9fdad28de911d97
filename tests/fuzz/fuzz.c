#include "fuzz.h"

#include "cli/messages.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static const size_t most_memory = (size_t)256 << 20;

const FuzzTarget fuzz_targets[FUZZ_TARGET_COUNT] = {
#define TARGET(name, what) {#name, what, fuzz_##name},
#include "targets.def"
#undef TARGET
};

const FuzzTarget *fuzz_target(const char *name)
{
    for (int i = 0; i < FUZZ_TARGET_COUNT; i++)
        if (strcmp(fuzz_targets[i].name, name) == 0)
            return &fuzz_targets[i];
    return NULL;
}

_Noreturn void fuzz_fail(const char *what, const char *details)
{
    fprintf(stderr, "%s: %s\n", what, details);
    abort();
}

Library *fuzz_library(void)
{
    static Library *library;
    Diag silent = diag_silent();
    if (library)
        return library;
    library = library_open(arena_create(NULL));
    for (size_t i = 0; i < library_entry_count(library); i++)
        library_load(library, library_entry(library, i), &silent);
    return library;
}

/* ### Memory and time */

static void *take(void *used, size_t alignment, size_t size)
{
    size_t *total = used;
    if (size > most_memory - *total)
        return NULL;
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    *total += memory ? malloc_usable_size(memory) : 0;
    if (*total > most_memory)
        *total = most_memory;
    return memory;
}

static void give_back(void *used, void *memory)
{
    size_t *total = used, size = malloc_usable_size(memory);
    *total -= size < *total ? size : *total;
    free(memory);
}

static Workspace *working; /* for the handler of a signal */

static void cancel(int number)
{
    (void)number;
    if (working)
        workspace_cancel(working);
}

/* Again and again, as a session goes on with the next line. */
static void set_timer(bool on)
{
    const struct timeval first = {0, on ? 300000 : 0}, again = {0, on ? 100000 : 0};
    setitimer(ITIMER_PROF, &(struct itimerval){again, first}, NULL);
}

/* ### One input */

typedef struct {
    const FuzzTarget *target;
    const uint8_t *bytes;
    size_t length;
    FILE *messages;
    Workspace *workspace;
} Run;

static void run_target(void *context)
{
    const Run *run = context;
    FuzzInput input = {.workspace = run->workspace, .arena = arena_create(run->workspace)};
    const char *text = arena_copy(input.arena, (const char *)run->bytes, run->length);
    input.diag = messages_to(run->messages);
    input.source = source_from_text(input.arena, "input", text, run->length);
    input.text = (Text){text, run->length, {input.source, 0, run->length}, true};
    run->target->run(&input);
    arena_destroy(input.arena);
}

void fuzz_run(const FuzzTarget *target, const uint8_t *bytes, size_t length)
{
    static FILE *messages; /* what is the same for all inputs is done for the first */
    size_t used = 0;
    Workspace workspace = {.allocate = take, .release = give_back, .allocator = &used};
    if (!messages) {
        struct sigaction action = {.sa_handler = cancel, .sa_flags = SA_RESTART};
        sigaction(SIGPROF, &action, NULL);
        messages = fopen("/dev/null", "w");
    }
    Run run = {target, bytes, length, messages, &workspace};
    working = &workspace;
    set_timer(true);
    workspace_run(&workspace, run_target, &run);
    set_timer(false);
    working = NULL;
    if (workspace.newest)
        fuzz_fail("something is left", target->name);
}
