/* What a schedule sends over which link in which round, for pictures of schedules in which too many
   ranks are busy to follow each message. */
#ifndef COLLCOST_CLI_HEAT_PICTURE_H
#define COLLCOST_CLI_HEAT_PICTURE_H

#include "cli/trace_subject.h"
#include "format/link_heat.h"

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

#endif
