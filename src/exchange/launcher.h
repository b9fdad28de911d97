/* Lines that start a program on several ranks, as shells and job scripts print them. */
#ifndef COLLCOST_EXCHANGE_LAUNCHER_H
#define COLLCOST_EXCHANGE_LAUNCHER_H

#include "exchange/reading.h"

/* Is that "mpirun -np 16 ./osu_allreduce -f", by mpirun, mpiexec, orterun, srun, jsrun, lrun,
   ibrun, aprun, flux or a shell alone? The number of ranks of the benchmark is 0 where the line
   does not say it, or says two. */
bool launcher_find(const LogLine *line, LaunchedProgram *launched);

#endif
