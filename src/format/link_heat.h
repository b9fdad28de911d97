/* Heat maps of schedules: links from top to bottom, rounds from left to right, and a shade for how
   long a link is busy in a round. What a space-time diagram shows message by message, for
   schedules with too many of them. */
#ifndef COLLCOST_FORMAT_LINK_HEAT_H
#define COLLCOST_FORMAT_LINK_HEAT_H

#include "format/captions.h"

/* More rows and columns than these stand for several links and rounds. */
enum { LINK_HEAT_MOST_ROWS = 96, LINK_HEAT_MOST_COLUMNS = 192 };

typedef struct {
    const char *name; /* "3 to 4" */
    size_t group;
} LinkHeatRow;

typedef struct {
    Heading heading;
    size_t row_count, column_count;
    const LinkHeatRow *rows; /* those of a group follow one another */
    const char *const *groups;
    const double *busy;  /* seconds [row * column_count + column]; 0: nothing is sent */
    const double *bytes; /* the most, likewise */
    int64_t rounds,
        together;          /* so many of the rounds are one column; the last one may have fewer */
    const double *seconds; /* the longest round of each column; NULL: rounds have no times */
    double most_busy, most_seconds; /* of the darkest shade, and of the highest bar */
    bool is_compared; /* with another map: shades are equal parts of the most, as there */
} LinkHeat;

Drawing *link_heat_draw(Arena *arena, const LinkHeat *data);

#endif
