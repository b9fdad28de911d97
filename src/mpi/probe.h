/* What a machine file needs of a cluster, measured: messages there and back between two ranks, once
   of one node and once of two, as MPI knows them. */
#ifndef COLLCOST_MPI_PROBE_H
#define COLLCOST_MPI_PROBE_H

#include "cli/query.h"

/* Writes rows of CSV, with half the time there and back, for all sizes of the query, or for powers
   of 4 if it has none. Not STATUS_FINE after a report: there is one rank only. */
Status probe_run(const CommandLine *line, const Query *query, int64_t iterations);

#endif
