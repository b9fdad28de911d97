/* `bound --picture`: the network, and on it the best cut. */
#ifndef COLLCOST_CLI_BOUND_PICTURE_H
#define COLLCOST_CLI_BOUND_PICTURE_H

#include "cli/query.h"

Status bound_picture(const Query *query, const Collective *collective);

#endif
