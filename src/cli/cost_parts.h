/* What `cost` shows beside its table of costs. */
#ifndef COLLCOST_CLI_COST_PARTS_H
#define COLLCOST_CLI_COST_PARTS_H

#include "cli/composed.h"
#include "cli/query.h"

/* Closed forms for any number of ranks: what `cost` says where none is given. Does the line ask for
   the costs of a collective without a number of ranks and without a size? */
bool cost_formulas_are_asked(const CommandLine *line);
/* *any: is there a claim about the time of an algorithm on this topology? Else nothing is written.
 */
Status cost_formulas(const CommandLine *line, bool *any);

/* `cost --matrix`: total times for people, algorithm by message size, or by number of ranks.
   Reports, and returns false, where a matrix cannot be the answer to this line. */
bool cost_matrix_check(const Query *query);
/* A matrix for each number of ranks with the sizes as columns; of several numbers of ranks and one
   size, one matrix with the ranks as columns. STATUS_CHECK_FAILED where a schedule is wrong. */
Status cost_matrix(const Query *query);

/* The rows of `cost --traffic`: bytes over the links of each level, by algorithm. Of one size,
   which is `asked` in the convention of --sizes. As text, the table is closed. False after a
   report. */
bool cost_traffic_write(const Query *query, collcost_case *opened, const char *rules, double size,
                        double asked, Table *table);

/* Answers `cost` for a problem. */
Status problem_cost(const Query *query);
/* Answers `switch` for a problem: the fastest algorithm by n, or by p where one n was given. */
Status problem_switch(const Query *query);
/* The lines behind a table: machine, tm, element, rules. */
void problem_describe(const Query *query);

/* `cost --with`: what each collective takes alone, and beside the others. `only`: one algorithm of
 * `collective`; or NULL. */
Status together_cost(const Query *query);

/* `cost`, for `search` and `synthesize`. */

/* Answers as `cost` does with the candidates that no other one beats, compositions among them; what
   these are is noted in `saved`, unless that is NULL. */
Status cost_front(const CommandLine *line, ComposedModels *saved);

/* Answers as `cost` does about these algorithms, among which the study is limited to, at the sizes
   of the query. */
Status cost_synthesized(const Query *query, const SynthesizedList *made);

#endif
