/* Answers about products of matrices: tables of costs and of the fastest algorithms. */
#ifndef COLLCOST_CLI_PROBLEM_COST_H
#define COLLCOST_CLI_PROBLEM_COST_H

#include "cli/query.h"

/* Answers `cost` for a problem. */
Status problem_cost(const Query *query, const Collective *collective, const Algorithm *only);
/* Answers `switch` for a problem: the fastest algorithm by n, or by p where one n was given. */
Status problem_switch(const Query *query, const Collective *collective, const Algorithm *only);
/* The lines behind a table: machine, tm, element, rules. */
void problem_describe(const Query *query);
/* The machine and the elements only, above an answer. */
void problem_describe_machine(const Query *query);

#endif
