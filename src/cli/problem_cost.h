/* Costs of products of matrices. */
#ifndef COLLCOST_CLI_PROBLEM_COST_H
#define COLLCOST_CLI_PROBLEM_COST_H

#include "cli/query.h"
#include "scale/scale.h"

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
/* The network with the number of ranks `index`, and the algorithms that run on it, of those asked
   for; none is fine where several networks were asked for. Each has multiplied small matrices.
   After a report: STATUS_CHECK_FAILED where one is wrong, STATUS_BAD_INPUT. */
Status problem_prepare(const Query *query, const Collective *collective, const Algorithm *only,
                       size_t index, Network *network, AlgorithmArray *algorithms);
typedef enum { OUTCOME_FAILED, OUTCOME_LEFT_OUT, OUTCOME_DONE } Outcome;
/* Something to be found about an algorithm. False after a report. */
typedef bool (*ProblemTask)(void *context, const ScaleCase *scale, Diag *diag);
/* Does it. Where that is too large to be followed, a warning, so that others can go on without this
   algorithm, if there are any. */
Outcome problem_try(const Query *query, const Algorithm *algorithm, const Network *network,
                    bool has_others, ProblemTask task, void *context);
/* The task to find the time at one n. */
typedef struct {
    int64_t n;
    double seconds;
} TimeTask;
bool problem_find_time(void *context, const ScaleCase *scale, Diag *diag);
/* Is it the same algorithm on another network? Parts are exchanged for each network anew. */
bool problem_same(const Algorithm *a, const Algorithm *b);
/* Answers `cost` for a problem. */
Status problem_cost(const Query *query, const Collective *collective, const Algorithm *only);
/* Answers `switch` for a problem: the fastest algorithm by n, or by p where one n was given. */
Status problem_switch(const Query *query, const Collective *collective, const Algorithm *only);
Status problem_switch_ranks(const Query *query, const Collective *collective);
/* The lines behind a table: machine, tm, element, rules. */
void problem_describe(const Query *query);
/* The machine and the elements only, above an answer. */
void problem_describe_machine(const Query *query);

#endif
