/* Programs of GPUs on the ranks of MPI: a rank does the steps of its thread blocks in turn, each as
   soon as what it waits for has happened. A message has its channel as tag, and room of its own, in
   as many slots as the program needs, until MPI has it. */
#ifndef COLLCOST_MPI_PROGRAM_RUN_H
#define COLLCOST_MPI_PROGRAM_RUN_H

#include "cli/query.h"

/* Reads the file, runs it for all sizes of the query in the call modes that it is for, compares all
   bytes of all ranks with what they should be, and times it. Not STATUS_FINE after a report. */
Status gpu_program_run(const CommandLine *line, const Query *query, Text path, int64_t iterations);

#endif
