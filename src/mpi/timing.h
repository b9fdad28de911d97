/* Times on all ranks, and what all ranks must know of each other. */
#ifndef COLLCOST_MPI_TIMING_H
#define COLLCOST_MPI_TIMING_H

#include "cli/command.h"

/* Runs it a few times, and so often behind a barrier each: the times of the slowest rank, rising,
   at rank 0. */
const double *timing_measure(Arena *arena, void (*run)(void *context), void *context,
                             int64_t iterations);
/* A row of CSV. */
void timing_write(const CommandLine *line, const char *collective, const char *algorithm, int ranks,
                  size_t m, int64_t iterations, const double *times);
/* What is wrong at this rank, or NULL: reports that of the last rank that has something, at all
   ranks. */
Status timing_agree(const CommandLine *line, const char *wrong, const char *name);

#endif
