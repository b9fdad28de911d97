/* Pictures of schedules, for `trace --picture`: a space-time diagram; or, of a schedule that is one
   message, that message link by link, with both kinds of switching. */
#ifndef COLLCOST_CLI_TRACE_PICTURE_H
#define COLLCOST_CLI_TRACE_PICTURE_H

#include "cli/trace_subject.h"

Status trace_picture(const Query *query, const TraceSubject *subject);

#endif
