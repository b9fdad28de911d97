/* Fuzzing: inputs that are run in-process, as libFuzzer makes them or as a file has them.

   A target takes any bytes. It may report what it likes; it must not crash, and where two parts of
   the program answer the same question it calls fuzz_fail if they differ. */
#ifndef COLLCOST_FUZZ_H
#define COLLCOST_FUZZ_H

#include "model/library.h"

typedef struct {
    Workspace *workspace;
    Arena *arena;
    Diag diag; /* writes messages that nobody reads */
    const Source *source;
    Text text; /* all of it */
} FuzzInput;

typedef struct {
    const char *name, *what;
    void (*run)(FuzzInput *input);
} FuzzTarget;

/* fuzz_models() and so on, for every target of the list. */
#define TARGET(name, what) void fuzz_##name(FuzzInput *input);
#include "targets.def"
#undef TARGET

enum {
#define TARGET(name, what) FUZZ_##name,
#include "targets.def"
#undef TARGET
    FUZZ_TARGET_COUNT
};
extern const FuzzTarget fuzz_targets[FUZZ_TARGET_COUNT];

/* NULL: there is none of that name. */
const FuzzTarget *fuzz_target(const char *name);
/* Runs one input with 256 MiB of memory. After 0.3 s of work it is cancelled, at the next safe
   point. */
void fuzz_run(const FuzzTarget *target, const uint8_t *bytes, size_t length);
/* The built-in library, all of it read before: an input may end half-way, but no reading does. */
Library *fuzz_library(void);
/* Ends the process: two parts of the program differ. */
_Noreturn void fuzz_fail(const char *what, const char *details);

#endif
