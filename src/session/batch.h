/* A file of lines, run one after another. */
#ifndef COLLCOST_SESSION_BATCH_H
#define COLLCOST_SESSION_BATCH_H

#include "session/report.h"

/* Runs all lines, or those up to the first that fails. The source must live as long as the session.
   What lines print comes as they run; in reports for programs it is part of the report. */
Status batch_run(Session *session, const Source *source, ReportFormat format, bool stop);

#endif
