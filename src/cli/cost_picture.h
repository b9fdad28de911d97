/* `cost --picture`: the time of every algorithm over the message size. */
#ifndef COLLCOST_CLI_COST_PICTURE_H
#define COLLCOST_CLI_COST_PICTURE_H

#include "cli/query.h"

/* Over the range of -m, or 1 B to 1 GiB without. */
Status cost_picture(const Query *query, const Collective *collective, const Algorithm *only);

#endif
