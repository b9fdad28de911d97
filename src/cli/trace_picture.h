/* Pictures of schedules: the space-time diagram of `trace --picture`. */
#ifndef COLLCOST_CLI_TRACE_PICTURE_H
#define COLLCOST_CLI_TRACE_PICTURE_H

#include "cli/query.h"

/* What is traced. */
typedef struct {
    const Instance *instance;
    const Network *network;
    double size, block; /* m, or in a problem the bytes of an element; and bytes of a block */
    const char *title;
} Subject;

Status trace_picture(const Query *query, const Subject *subject);

#endif
