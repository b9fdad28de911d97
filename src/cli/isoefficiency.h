/* The isoefficiency function in words: how the work must grow with p. */
#ifndef COLLCOST_CLI_ISOEFFICIENCY_H
#define COLLCOST_CLI_ISOEFFICIENCY_H

#include "cli/problem_cost.h"

/* One line for each algorithm: a power of p fitted to its rows, whose n are the smallest with the
   efficiency `wanted`, where there are three; and the order of growth by its closed form. */
void isoefficiency_write(const Query *query, const ProblemRows *rows, double wanted);

#endif
