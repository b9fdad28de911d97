/* Closed forms for any number of ranks: what `cost` says where none is given. */
#ifndef COLLCOST_CLI_COST_FORMULAS_H
#define COLLCOST_CLI_COST_FORMULAS_H

#include "cli/query.h"

/* Does the line ask for the costs of a collective without a number of ranks and without a size? */
bool cost_formulas_are_asked(const CommandLine *line);
/* *any: is there a claim about the time of an algorithm on this topology? Else nothing is written.
 */
Status cost_formulas(const CommandLine *line, bool *any);

#endif
