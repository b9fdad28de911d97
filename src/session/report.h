/* What became of the lines of a batch: for people, or for a CI system as TAP, JSON or JUnit's XML.
 */
#ifndef COLLCOST_SESSION_REPORT_H
#define COLLCOST_SESSION_REPORT_H

#include "session/state.h"

typedef enum {
#define REPORT(id, name) REPORT_##id,
#include "session/reports.def"
#undef REPORT
    REPORT_COUNT
} ReportFormat;
extern const char *const report_names[REPORT_COUNT];

/* One line that was run. */
typedef struct {
    const char *text; /* as it was understood: one line */
    size_t number;
    bool is_expectation;
    Outcome outcome;
    const char *output, *messages; /* for reports to programs, in UTF-8; else "" */
} LineResult;
ARRAY_TYPE(LineResultArray, LineResult);

typedef struct {
    Arena *arena; /* it lives there, and so does what writing it takes */
    const char *file;
    LineResultArray lines; /* for people: only expectations and what went wrong */
    size_t expectations, failed, wrong;
    bool broke;   /* the system has ended a line */
    bool stopped; /* not all lines were run */
} BatchReport;

void report_add(Arena *arena, BatchReport *report, ReportFormat format, const LineResult *line);
/* The worst of all lines: 3, the system has failed; 2, some were wrong; 1, something that was
   checked failed. */
Status report_status(const BatchReport *report);
void report_write(FILE *stream, ReportFormat format, const BatchReport *report);

/* A file of lines, run one after another, or by several processes. */

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
