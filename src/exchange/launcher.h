/* Lines that start a program on several ranks, as shells and job scripts print them. */
#ifndef COLLCOST_EXCHANGE_LAUNCHER_H
#define COLLCOST_EXCHANGE_LAUNCHER_H

#include "exchange/reading.h"

/* Is that "mpirun -np 16 ./osu_allreduce -f", by mpirun, mpiexec, orterun, srun, jsrun, aprun or
   flux? The program is the first word whose name begins with `program_start`; its number of ranks
   is 0 where the line says none before it, or two. */
bool launcher_find(const LogLine *line, const char *program_start, LaunchedProgram *launched);

#endif
