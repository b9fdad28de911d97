/* The option --using: other algorithms inside of those that were asked for. */
#ifndef COLLCOST_CLI_USING_H
#define COLLCOST_CLI_USING_H

#include "cli/query.h"

/* Reads the list of the option into query->parts. False after a report: no such algorithm, one that
   is wrong, two of one collective. */
bool using_read(Query *query);
/* The algorithm with those parts. */
const Algorithm *using_apply(const Query *query, const Algorithm *algorithm);
/* False after a report: none of the algorithms uses some collective of --using. */
bool using_check(const Query *query, const AlgorithmArray *algorithms);

#endif
