/* `cost --with`: several collectives at the same time. */
#ifndef COLLCOST_CLI_TOGETHER_H
#define COLLCOST_CLI_TOGETHER_H

#include "cli/query.h"

/* What each takes alone, and beside the others. `only`: one algorithm of `collective`; or NULL. */
Status together_cost(const Query *query, const Collective *collective, const Algorithm *only);

#endif
