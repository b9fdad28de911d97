/* The isoefficiency function in words: how the work must grow with p. */
#ifndef COLLCOST_CLI_ISOEFFICIENCY_H
#define COLLCOST_CLI_ISOEFFICIENCY_H

#include "cli/problem_cost.h"

/* How the work of one algorithm must grow with p to keep an efficiency. */
typedef struct {
    double power;      /* of p, fitted; NAN where there are fewer than three rows */
    double from, to;   /* the numbers of ranks to which it is fitted */
    const char *order; /* by its closed form, "p^1.5, by tw"; NULL: it has none */
} Isoefficiency;

/* Of the algorithm of `row`, from all its rows, whose n are the smallest with the efficiency. */
Isoefficiency isoefficiency_find(const Query *query, const ProblemRows *rows,
                                 const ProblemRow *row);
/* One line for each algorithm of which something is known. */
void isoefficiency_write(const Query *query, const ProblemRows *rows, double wanted);

#endif
