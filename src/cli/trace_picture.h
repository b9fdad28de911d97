/* Pictures of schedules, for `trace --picture`: a space-time diagram; or, of a schedule that is one
   message, that message link by link, with both kinds of switching. */
#ifndef COLLCOST_CLI_TRACE_PICTURE_H
#define COLLCOST_CLI_TRACE_PICTURE_H

#include "cli/query.h"
#include "format/captions.h"

/* What is traced. */
typedef struct {
    const Instance *instance;
    const Network *network;
    double size, block; /* m, or in a problem the bytes of an element; and bytes of a block */
    const char *title;
} Subject;

Status trace_picture(const Query *query, const Subject *subject);
/* The title, the machine, the rules, and what is left out (NULL: nothing). */
Heading trace_heading(const Query *query, const Subject *subject, const char *left_out);
/* A length of time that can be drawn to scale? Else false after a report. */
bool trace_check_length(const Query *query, double seconds);

/* Of a schedule whose only message has `bytes`. */
Status route_picture(const Query *query, const Subject *subject, double bytes);

#endif
