/* `cost --matrix`: total times for people, algorithm by message size, or by number of ranks. */
#ifndef COLLCOST_CLI_COST_MATRIX_H
#define COLLCOST_CLI_COST_MATRIX_H

#include "cli/query.h"

/* Reports, and returns false, where a matrix cannot be the answer to this line. */
bool cost_matrix_check(const Query *query, const Collective *collective);
/* A matrix for each number of ranks with the sizes as columns; of several numbers of ranks and one
   size, one matrix with the ranks as columns. STATUS_CHECK_FAILED where a schedule is wrong. */
Status cost_matrix(const Query *query, const Collective *collective, const Algorithm *only);

#endif
