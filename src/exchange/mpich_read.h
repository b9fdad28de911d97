/* MPICH's tuning files (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE), as src/mpi/coll/src/csel.c of
   MPICH 4.0 to 5.0 reads them with json-c: objects in one another whose keys are conditions, tried
   in order, down to an algorithm.

   Rules are for the usual call: within one communicator with one rank on each node, from one thread
   of a process, with one of MPI's own operations, not in place, with blocks of one size. */
#ifndef COLLCOST_EXCHANGE_MPICH_READ_H
#define COLLCOST_EXCHANGE_MPICH_READ_H

#include "exchange/tuning.h"

TuningFile mpich_read(Arena *arena, const Source *source, const Implementation *library,
                      const char *version);

#endif
