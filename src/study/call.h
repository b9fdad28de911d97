/* How the functions of collcost.h run: in the workspace of their study, so that memory that runs
   out, or is too much, and cancellation become a status. */
#ifndef COLLCOST_STUDY_CALL_H
#define COLLCOST_STUDY_CALL_H

#include "study/study.h"

/* What a function does. COLLCOST_BAD_INPUT after a report. */
typedef collcost_status CallBody(void *arguments);

collcost_status call_run(Workspace *workspace, CallBody *body, void *arguments);
/* Of a study, unless an earlier call of its context ended half-way, which is reported. */
collcost_status call_study(const Study *study, CallBody *body, void *arguments);
/* Did it leave results? */
bool call_answered(collcost_status status);
/* Did it end half-way? */
bool call_was_interrupted(collcost_status status);
/* COLLCOST_FINE, or COLLCOST_BAD_INPUT for what has been reported. */
collcost_status call_status(bool good);
/* A value with its name for messages. */
Text call_text(const Study *study, const char *name, const char *value);
/* Is it a size of a message, of so many bytes at least? False after a report. */
bool call_check_size(const Study *study, double bytes, double least);

#endif
