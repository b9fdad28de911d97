/* One message on its way, link by link, as textbooks draw store-and-forward and cut-through: the
   nodes of the way from top to bottom, time from left to right, to scale. */
#ifndef COLLCOST_FORMAT_MESSAGE_ROUTE_H
#define COLLCOST_FORMAT_MESSAGE_ROUTE_H

#include "format/captions.h"

/* How long the message occupies a link, in seconds: one after the other. */
typedef struct {
    double start;
    double startup, header, body;
} RouteHop;

/* One kind of switching. */
typedef struct {
    const char *words, *total;
    double end;
    const RouteHop *hops;
} RoutePanel;

enum { ROUTE_PANELS = 2, ROUTE_MOST_HOPS = 48 };

typedef struct {
    Heading heading;
    size_t hop_count;
    const char *const *nodes; /* hop_count + 1 names */
    const char *size;         /* of the message */
    RoutePanel panels[ROUTE_PANELS];
} MessageRoute;

Drawing *message_route_draw(Arena *arena, const MessageRoute *data);

#endif
