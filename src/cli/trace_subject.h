/* What a picture of a schedule is about, and says in its heading. */
#ifndef COLLCOST_CLI_TRACE_SUBJECT_H
#define COLLCOST_CLI_TRACE_SUBJECT_H

#include "cli/query.h"
#include "format/captions.h"

typedef struct {
    const Instance *instance;
    const Network *network;
    double size, block; /* m, or in a problem the bytes of an element; and bytes of a block */
    const char *title;
} TraceSubject;

/* The title, the machine, the rules, and what is left out (NULL: nothing). */
Heading trace_heading(const Query *query, const TraceSubject *subject, const char *left_out);
/* "reduce/binomial on full:8, k = 3, n = 64" */
const char *trace_subject_text(const Query *query, const Instance *instance,
                               const Network *network);
/* Where combining takes a time by what ranks hold, finds that first. False after a report. */
bool trace_settle_compute(Query *query, const Instance *instance, const Network *network);
/* A length of time that can be drawn to scale? Else false after a report. */
bool trace_check_length(const Query *query, double seconds);

#endif
