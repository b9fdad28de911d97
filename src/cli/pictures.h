/* What --picture draws for each command: the data of a picture, and the picture. */
#ifndef COLLCOST_CLI_PICTURES_H
#define COLLCOST_CLI_PICTURES_H

#include "cli/query.h"
#include "format/charts.h"

/* What a picture of a schedule is about, and says in its heading. */
typedef struct {
    const Instance *instance;
    const Network *network;
    double size, block; /* m, or in a problem the bytes of an element; and bytes of a block */
    const char *title;
} TraceSubject;

/* The title, the machine, the rules, and what is left out (NULL: nothing). */
Heading trace_heading(const Query *query, const TraceSubject *subject, const char *left_out);
/* `text` and ", k = 3, radix = 4", as far as the algorithm has a choice. */
const char *trace_add_choices(Arena *arena, const char *text, const Instance *instance);
/* "reduce/binomial on full:8, k = 3, n = 64" */
const char *trace_subject_text(const Query *query, const Instance *instance,
                               const Network *network);
/* Where combining takes a time by what ranks hold, finds that first. False after a report. */
bool trace_settle_compute(Query *query, const Instance *instance, const Network *network);
/* A length of time that can be drawn to scale? Else false after a report. */
bool trace_check_length(const Query *query, double seconds);

/* What the heights of a picture of costs can be (--axis): times, or what follows from them. */
typedef enum {
#define AXIS(id, ...) AXIS_##id,
#include "cli/axes.def"
#undef AXIS
    AXIS_COUNT
} AxisKind;
extern const char *const cost_axis_names[AXIS_COUNT];

/* `reference`: over which algorithm a speedup is; empty where that is not said. */
typedef struct {
    AxisKind kind;
    Text reference;
} CostAxis;

/* `usual` where there is no --axis. False after a report. */
bool cost_axis_read(const CommandLine *line, AxisKind usual, CostAxis *axis);

/* Makes of the seconds of the curves, and of the bound, what the axis wants. `best` is the curve to
   which speedups refer where no other is named. *words: what it is; *note: what more there is to
   say, or NULL. False after a report: it has no such value. */
bool cost_axis_apply(const CostAxis *axis, const Query *query, size_t best, CostCurves *data,
                     const char **words, const char **note);

/* `bound --picture`: the network, and on it the best cut. */
Status bound_picture(const Query *query);

/* `cost --picture` and `switch --picture`: every algorithm over the message size, from -m, or
   1 B to 1 GiB without; heights as --axis says, or `usual` without. */
Status cost_picture(const Query *query, AxisKind usual);

/* `explain --picture`: the schedules of two algorithms, one above the other, on one scale. Of two
   cases with one candidate each, on the same network; for the size of the query. `verdict`: which
   one is faster. */
Status explain_picture(const Query *query, Case *const sides[2], const char *verdict);

/* What a link costs a message: the link's own, else that of the message's protocol, by number, else
   the machine's. */
double link_price(const Rules *rules, const LinkCost *cost, int protocol, Parameter parameter);

/* `search --picture`: the Pareto front, and the other algorithms beside it. */
Status front_picture(const CommandLine *line);

/* The picture of one message, link by link, with both kinds of switching. Of a schedule whose only
   message has `bytes`. */
Status route_picture(const Query *query, const TraceSubject *subject, double bytes);

/* `scale --picture`: speedup, efficiency or time of products over the number of ranks; or, where an
   efficiency is to be kept, the order that this needs. What --axis can be. False after a report. */
bool scale_axis_check(const CommandLine *line);
/* `wanted`: the efficiency that the orders of the rows keep; 0: all rows have the same order. */
Status scale_picture(const Query *query, const collcost_product *rows, size_t count, double wanted);

/* What a schedule sends over which link in which round, for pictures of schedules in which too many
   ranks are busy to follow each message. */

/* How large a schedule is. */
typedef struct {
    int64_t messages, rounds;
    double busy; /* ranks that send or receive, in the mean round */
    Profile profile;
} ScheduleExtent;

/* False after a report. */
bool schedule_extent_find(const Query *query, const TraceSubject *subject, ScheduleExtent *extent);
/* False after a report: also where more messages or links than base/limits.def says would have to
   be followed, or no message crosses a link. */
bool heat_find(const Query *query, const TraceSubject *subject, const ScheduleExtent *extent,
               LinkHeat *heat);

/* Pictures of schedules: a space-time diagram, with many busy ranks a heat map of links, and of a
   schedule that is one message, that message link by link, with both kinds of switching. */

/* What a schedule of several messages looks like. */
typedef struct {
    bool is_heat;
    SpaceTime diagram;
    LinkHeat heat;
} TraceScene;

/* Would bars and arrows be too many? */
bool trace_wants_heat(const ScheduleExtent *extent, const Network *network);
/* False after a report. */
bool trace_scene_find(const Query *query, const TraceSubject *subject, const ScheduleExtent *extent,
                      bool is_heat, TraceScene *scene);
Drawing *trace_scene_draw(Arena *arena, const TraceScene *scene);

/* For `trace --picture`. */
Status trace_picture(const Query *query, const TraceSubject *subject);

#endif
