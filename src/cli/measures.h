/* What formulas can ask about algorithms: time(allreduce/ring, 1MiB), best(...), switch(...).

   measures.def lists them. Answers are those of `cost`, `bound` and `switch` with the same options;
   measured(LOG, ...) is what a benchmark printed.
   What has been laid out for one question serves the next, as long as the context stays. */
#ifndef COLLCOST_CLI_MEASURES_H
#define COLLCOST_CLI_MEASURES_H

#include "cli/query.h"

typedef enum {
#define MEASURE(id, name, arguments, fewest, summary) MEASURE_##id,
#include "cli/measures.def"
#undef MEASURE
    MEASURE_COUNT
} MeasureKind;

typedef struct {
    const char *name, *arguments;
    int fewest;
    const char *summary;
} MeasureInfo;
extern const MeasureInfo measure_info[MEASURE_COUNT];

typedef struct Measures Measures;

/* A memory of answers for a session, which drops it when its context changes. */
Measures *measures_create(Workspace *workspace);
void measures_destroy(Measures *measures);
/* Those for one line: the session's, or new ones where the line has options of its own. */
Measures *measures_of_line(const Query *query);

/* The measure of that name, or -1. */
int measure_find(Text name);

/* What is asked. */
typedef struct {
    MeasureKind kind;
    Text call;     /* its name, for messages */
    Text subject;  /* "allreduce" or "allreduce/ring" */
    Text from, to; /* algorithms, of `switch` */
    Text log;      /* a file, of `measured` */
    double bytes;  /* in the convention of --sizes */
} Measure;

/* False after a report; *is_wrong is then whether the algorithm that it is about is wrong. */
bool measure_take(Measures *measures, const Query *query, const Measure *measure, Value *value,
                  bool *is_wrong);
/* The name of an algorithm of the collective, without the collective's; NULL after a report. */
const char *measure_algorithm(Measures *measures, const Query *query, Text collective, Text name);

#endif
