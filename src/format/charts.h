/* Times over message sizes, or what follows from times: a curve for each algorithm, the bound, and
   the sizes at which the fastest changes. What lies beyond the bound is hatched, so that no curve
   can be taken for it. */
#ifndef COLLCOST_FORMAT_CHARTS_H
#define COLLCOST_FORMAT_CHARTS_H

#include "format/axis.h"
#include "format/captions.h"

typedef struct {
    const char *name;
    const double *values; /* at each size; what is not above 0 is not drawn */
    int style;            /* 0 .. CURVE_STYLES - 1: drawn so and labelled; -1: one of the others */
} CostCurve;

/* What the heights are. All 0 and NULL: times, logarithmic. */
typedef struct {
    const char *title;
    ShowValue show;
    bool is_linear;          /* from 0 on */
    bool bound_is_most;      /* nothing is above the bound; else below it */
    const char *bound_words; /* NULL: those of lower bounds */
    double most;             /* curves are cut above it; 0: nothing is */
} CurveHeights;

/* A value that was measured, in the style of a curve. */
typedef struct {
    double size, value;
    size_t curve;
    const char *tip;
} CostPoint;

/* From one size to the next, `curve` is the fastest. */
typedef struct {
    double from, to;
    size_t curve;
    const char *label; /* of the lower end; NULL: it is that of the axis */
} CostPiece;

typedef struct {
    Heading heading;
    const char *size_title;
    size_t size_count;   /* at least two */
    const double *sizes; /* rising, above 0 */
    size_t curve_count;
    const CostCurve *curves;
    const double *bound; /* at each size, like a curve; NULL: none */
    size_t piece_count;
    const CostPiece *pieces;
    size_t point_count;
    const CostPoint *points; /* at sizes within those of the curves */
    CurveHeights heights;
    ShowValue show_size; /* NULL: as bytes */
    bool joins;          /* curves go on across sizes at which they have no value */
} CostCurves;

/* "grey: 2 more algorithms", a note on so many curves without a style; NULL of none. */
const char *cost_curves_note_others(Arena *arena, size_t count);
/* NULL where nothing has a height. */
Drawing *cost_curves_draw(Arena *arena, const CostCurves *data);

/* Pictures of partitions: which rank owns which elements of a matrix. */

/* Rows, or columns, from .. to - 1 belong to one part. */
typedef struct {
    int64_t from, to, part;
} PartRun;
ARRAY_TYPE(PartRuns, PartRun);

/* The owner of part i of the rows and j of the columns is rank i * across + j. */
typedef struct {
    Heading heading;
    int64_t order, across;
    PartRuns rows, columns; /* all of them, from 0 to `order` */
} OwnershipMap;

/* Runs of one kind, beyond which blocks would be too small to be seen. */
enum { OWNERSHIP_MAP_MOST_RUNS = 96 };

Drawing *ownership_map_draw(Arena *arena, const OwnershipMap *map);

/* Pictures of Pareto fronts: two times of each algorithm, logarithmic, those on the front by number
   and name, the others as dots. What lies beyond the least of either time is hatched. */

typedef struct {
    double x, y; /* seconds */
    const char *name, *tip;
    bool on_front;
} ParetoPoint;

typedef struct {
    Heading heading;
    const char *x_title, *y_title;
    size_t count;
    const ParetoPoint *points; /* those on the front in the order of their numbers, all above 0 */
    double least_x, least_y;   /* nothing is less; 0: not known */
} ParetoFront;

/* NULL where nothing is on the front. Others that are far from it are left out, and counted. */
Drawing *pareto_front_draw(Arena *arena, const ParetoFront *front);

/* Heat maps of schedules: links from top to bottom, rounds from left to right, and a shade for how
   long a link is busy in a round. What a space-time diagram shows message by message, for
   schedules with too many of them. */

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

/* Space-time diagrams: ranks from top to bottom, time from left to right, to scale.

   A message occupies a bar above the line of its sender (startup, hops, transfer, and what it waits
   because links are shared) and one below the line of its receiver; an arrow joins them. Local work
   stands on the line. Where messages share links in time, the arrows of the critical path stand
   out. */

/* Times in seconds. */
typedef struct {
    int64_t from, to;
    double start;
    double startup, hops, transfer; /* one after the other */
    double shared;                  /* and how much longer for other messages on its links */
    bool is_critical;               /* the end of all depends on it */
    const char *label, *tip;
} SpaceTimeMessage;

typedef struct {
    int64_t rank;
    double start, end;
    bool is_product; /* of matrices; else blocks are combined */
    const char *tip;
} SpaceTimeWork;

typedef struct {
    double start, end;
    int64_t number;             /* from 1 */
    const char *words, *detail; /* "round 1", "1.018 us", as far as there is room; */
    const char *contention;     /* NULL: no link is shared */
} SpaceTimeRound;

ARRAY_TYPE(SpaceTimeMessages, SpaceTimeMessage);
ARRAY_TYPE(SpaceTimeWorks, SpaceTimeWork);
ARRAY_TYPE(SpaceTimeRounds, SpaceTimeRound);

typedef struct {
    Heading heading;
    int64_t ranks,
        steps;  /* port steps: with or without barriers between; more of them need more width */
    double end; /* of the time axis, above 0 */
    const char *total; /* at its end */
    SpaceTimeMessages messages;
    SpaceTimeWorks works;
    SpaceTimeRounds rounds; /* none without barriers */
} SpaceTime;

/* Ranks and rounds beyond which nobody could read it. */
enum { SPACE_TIME_MOST_RANKS = 64, SPACE_TIME_MOST_ROUNDS = 64 };

Drawing *space_time_draw(Arena *arena, const SpaceTime *data);

/* One message on its way, link by link, as textbooks draw store-and-forward and cut-through: the
   nodes of the way from top to bottom, time from left to right, to scale. */

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
