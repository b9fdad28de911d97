/* `scale --picture`: speedup, efficiency or time of products over the number of ranks; or, where an
   efficiency is to be kept, the order that this needs. */
#ifndef COLLCOST_CLI_SCALE_PICTURE_H
#define COLLCOST_CLI_SCALE_PICTURE_H

#include "cli/query.h"

/* What --axis can be. False after a report. */
bool scale_axis_check(const CommandLine *line);
/* `wanted`: the efficiency that the orders of the rows keep; 0: all rows have the same order. */
Status scale_picture(const Query *query, const Collective *problem, const collcost_product *rows,
                     size_t count, double wanted);

#endif
