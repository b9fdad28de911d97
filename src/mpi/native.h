/* MPI's own collectives, with the data that the schedules of collcost have. */
#ifndef COLLCOST_MPI_NATIVE_H
#define COLLCOST_MPI_NATIVE_H

#include <stdbool.h>
#include <stddef.h>

/* The function of MPI for a collective, on blocks of m bytes, sums of bytes where it combines.
   `send` and `receive` have room for p blocks. False: MPI has none. */
bool native_run(const char *collective, int root, size_t m, int ranks, const void *send,
                void *receive);

#endif
