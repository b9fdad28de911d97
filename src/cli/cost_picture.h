/* `cost --picture` and `switch --picture`: every algorithm over the message size. */
#ifndef COLLCOST_CLI_COST_PICTURE_H
#define COLLCOST_CLI_COST_PICTURE_H

#include "cli/cost_axis.h"

/* Over the range of -m, or 1 B to 1 GiB without; heights as --axis says, or `usual` without. */
Status cost_picture(const Query *query, const Collective *collective, const Algorithm *only,
                    AxisKind usual);

#endif
