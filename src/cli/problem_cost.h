/* Costs of products of matrices. */
#ifndef COLLCOST_CLI_PROBLEM_COST_H
#define COLLCOST_CLI_PROBLEM_COST_H

#include "cli/query.h"
#include "cost/scale.h"

/* An algorithm at one n on one network. */
typedef struct {
    const Algorithm *algorithm;
    const Network *network;
    ScalePoint point;
} ProblemRow;
ARRAY_TYPE(ProblemRows, ProblemRow);

/* The case of one algorithm on one network, as the query has it. False after a report: the machine
   does not say what a multiply-add takes. */
bool problem_case(const Query *query, const Algorithm *algorithm, const Network *network,
                  ScaleCase *scale);
/* The algorithms that run on a network, of those asked for; none is fine where several networks
   were asked for. False after a report. */
bool problem_algorithms(const Query *query, const Collective *collective, const Algorithm *only,
                        const Network *network, AlgorithmArray *algorithms);
/* Runs an algorithm on small matrices for this number of ranks. False after a report: it is wrong.
 */
bool problem_audit(const Query *query, const Algorithm *algorithm, const Network *network);
/* A report about `algorithm` that `silent` has counted: a warning, and true, where it is too large
   to be followed here, so that others can go on without it. */
bool problem_left_out(const Query *query, const Algorithm *algorithm, const Network *network,
                      const Diag *silent);
/* The number, or a gap where it is NAN: unknown. */
Cell problem_cell(double value);
/* Answers `cost` for a problem. */
Status problem_cost(const Query *query, const Collective *collective, const Algorithm *only);
/* Answers `switch` for a problem: the fastest algorithm by n. */
Status problem_switch(const Query *query, const Collective *collective, const Algorithm *only);
/* The lines behind a table: machine, tm, element, rules. */
void problem_describe(const Query *query);

#endif
