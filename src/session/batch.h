/* A file of lines, run one after another, or by several processes. */
#ifndef COLLCOST_SESSION_BATCH_H
#define COLLCOST_SESSION_BATCH_H

#include "session/report.h"

typedef struct {
    ReportFormat format;
    bool stop; /* at the first line that fails */
    const CommandLine *line;
    int64_t jobs;    /* processes, where the session has no crew */
    bool shares_all; /* between them, also what takes microseconds */
} BatchOptions;

/* Runs all lines. The source must live as long as the session. What lines print comes as they run;
   in reports for programs it is part of the report. */
Status batch_run(Session *session, const Source *source, const BatchOptions *options);

#endif
