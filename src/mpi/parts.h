/* Times on all ranks, and what all ranks must know of each other. */
#ifndef COLLCOST_MPI_PARTS_H
#define COLLCOST_MPI_PARTS_H

#include "cli/command.h"
#include "cli/query.h"
#include "session/crew.h"

#include <stdio.h>

/* Of a message, or of a buffer of a rank. */
enum { MOST_BYTES = 1 << 30 };

/* Sums of bytes, which is all that is combined here. */
void bytes_add(unsigned char *into, const unsigned char *from, size_t count);
/* Adds, so many times, the random bytes that `origin` contributes to a block. */
void bytes_contribute(uint64_t origin, uint64_t block, unsigned times, size_t count,
                      unsigned char *bytes);
/* Runs it a few times, and so often behind a barrier each: the times of the slowest rank, rising,
   at rank 0. */
const double *timing_measure(Arena *arena, void (*run)(void *context), void *context,
                             int64_t iterations);
/* A row of CSV; `what` of it stands in front of the size: "allreduce,ring,8". */
void timing_write(const CommandLine *line, const char *what, size_t m, int64_t iterations,
                  const double *times);
/* What is wrong at this rank, or NULL: reports that of the last rank that has something, at all
   ranks. */
Status timing_agree(const CommandLine *line, const char *wrong, const char *name);

/* Programs of GPUs on the ranks of MPI: a rank does the steps of its thread blocks in turn, each as
   soon as what it waits for has happened. A message has its channel as tag, and room of its own, in
   as many slots as the program needs, until MPI has it. */

/* Reads the file, runs it for all sizes of the query in the call modes that it is for, compares all
   bytes of all ranks with what they should be, and times it. Not STATUS_FINE after a report. */
Status gpu_program_run(const CommandLine *line, const Query *query, Text path, int64_t iterations);

/* What a machine file needs of a cluster, measured: messages there and back between two ranks, once
   of one node and once of two, as MPI knows them. */

/* Writes rows of CSV, with half the time there and back, for all sizes of the query, or for powers
   of 4 if it has none. Not STATUS_FINE after a report: there is one rank only. */
Status probe_run(const CommandLine *line, const Query *query, int64_t iterations);

/* The ranks of MPI as a crew that runs the lines of a batch. */

typedef struct RanksCrew {
    Crew crew; /* the first member */
    struct Sent *sent;
    FILE *input; /* what all ranks read as standard input, once it is shared */
} RanksCrew;

void ranks_crew_open(RanksCrew *ranks);
/* Waits until all that was sent has arrived. */
void ranks_crew_close(RanksCrew *ranks);

#endif
