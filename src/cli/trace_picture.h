/* Pictures of schedules: a space-time diagram, with many busy ranks a heat map of links, and of a
   schedule that is one message, that message link by link, with both kinds of switching. */
#ifndef COLLCOST_CLI_TRACE_PICTURE_H
#define COLLCOST_CLI_TRACE_PICTURE_H

#include "cli/heat_picture.h"
#include "format/space_time.h"

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
