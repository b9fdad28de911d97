/* The algorithms that can answer a question on one network, with their curves. */
#ifndef COLLCOST_CLI_CANDIDATES_H
#define COLLCOST_CLI_CANDIDATES_H

#include "cli/query.h"

typedef struct {
    AlgorithmArray algorithms;
    Curve **curves; /* of each */
} Candidates;

/* `only` or NULL as for query_algorithms. One that is too large to be followed here is left out
   with a warning, unless it was asked for by name. False after a report, also if none is left. */
bool candidates_open(const Query *query, const Collective *collective, const Algorithm *only,
                     const Network *network, Candidates *candidates);

#endif
