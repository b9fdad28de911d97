/* The picture of one message, link by link, with both kinds of switching. */
#ifndef COLLCOST_CLI_ROUTE_PICTURE_H
#define COLLCOST_CLI_ROUTE_PICTURE_H

#include "cli/trace_subject.h"

/* Of a schedule whose only message has `bytes`. */
Status route_picture(const Query *query, const TraceSubject *subject, double bytes);

#endif
