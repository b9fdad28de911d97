/* The entry points of libFuzzer: fuzz --target=NAME [libFuzzer's options] CORPUS */
#include "fuzz.h"
#include "mutate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t most);

static const FuzzTarget *target;

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    static const char option[] = "--target=";
    for (int i = 1; i < *count; i++)
        if (strncmp((*arguments)[i], option, strlen(option)) == 0)
            target = fuzz_target((*arguments)[i] + strlen(option));
    if (!target || !freopen("/dev/null", "r", stdin)) {
        fputs("usage: fuzz --target=NAME [OPTION...] CORPUS\n", stderr);
        for (int i = 0; i < FUZZ_TARGET_COUNT; i++)
            fprintf(stderr, "  %-12s %s\n", fuzz_targets[i].name, fuzz_targets[i].what);
        exit(2);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    fuzz_run(target, bytes, length);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed)
{
    return seed % 8 ? LLVMFuzzerMutate(bytes, length, most)
                    : mutate_repeat(bytes, length, most, seed);
}
