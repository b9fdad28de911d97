/* What --picture draws for each command: the data of a picture, and the picture. */
#ifndef COLLCOST_CLI_PICTURES_H
#define COLLCOST_CLI_PICTURES_H

#include "cli/cost_axis.h"
#include "cli/query.h"
#include "cli/trace_subject.h"

/* `bound --picture`: the network, and on it the best cut. */
Status bound_picture(const Query *query, const Collective *collective);

/* `cost --picture` and `switch --picture`: every algorithm over the message size, from -m, or
   1 B to 1 GiB without; heights as --axis says, or `usual` without. */
Status cost_picture(const Query *query, const Collective *collective, const Algorithm *only,
                    AxisKind usual);

/* `explain --picture`: the schedules of two algorithms, one above the other, on one scale. Of two
   cases with one candidate each, on the same network; for the size of the query. `verdict`: which
   one is faster. */
Status explain_picture(const Query *query, Case *const sides[2], const char *verdict);

/* `search --picture`: the Pareto front, and the other algorithms beside it. */
Status front_picture(const CommandLine *line);

/* The picture of one message, link by link, with both kinds of switching. Of a schedule whose only
   message has `bytes`. */
Status route_picture(const Query *query, const TraceSubject *subject, double bytes);

/* `scale --picture`: speedup, efficiency or time of products over the number of ranks; or, where an
   efficiency is to be kept, the order that this needs. What --axis can be. False after a report. */
bool scale_axis_check(const CommandLine *line);
/* `wanted`: the efficiency that the orders of the rows keep; 0: all rows have the same order. */
Status scale_picture(const Query *query, const Collective *problem, const collcost_product *rows,
                     size_t count, double wanted);

#endif
