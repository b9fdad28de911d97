/* Up to how many ranks a product is cost-optimal: the largest p with an efficiency. */
#ifndef COLLCOST_CLI_COST_OPTIMAL_H
#define COLLCOST_CLI_COST_OPTIMAL_H

#include "cli/problem_cost.h"

/* For each algorithm and n the row with the largest of the query's numbers of ranks at which the
   efficiency is at least `wanted`. All of them are tried, since it need not fall with p. */
Status cost_optimal_find(const Query *query, const Collective *collective, const Algorithm *only,
                         double wanted, ProblemRows *rows);

#endif
