/* switch --over p: the fastest algorithm by the number of ranks, at one size. */
#ifndef COLLCOST_CLI_SWITCH_OVER_H
#define COLLCOST_CLI_SWITCH_OVER_H

#include "cli/query.h"

/* Does --over ask for ranks? *good is false after a report. */
bool switch_over_asked(const CommandLine *line, bool *good);
Status switch_over_ranks(const Query *query, const Collective *collective);

#endif
