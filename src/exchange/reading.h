/* A log while it is read: what readers of benchmarks see, and how they hand over rows. */
#ifndef COLLCOST_EXCHANGE_READING_H
#define COLLCOST_EXCHANGE_READING_H

#include "base/diag.h"
#include "exchange/measurement.h"

enum { MOST_LOG_WORDS = 64 };

/* A line without the mark of the rank that printed it ("[1,0]<stdout>:", "0: ") and without blanks
   around it. */
typedef struct {
    Text text;
    Text words[MOST_LOG_WORDS]; /* between blanks */
    int count;                  /* those beyond the most are not there */
} LogLine;

/* What the last line said that started a program on several ranks. */
typedef struct {
    Text program; /* without its folder; empty: there was none */
    int64_t p;    /* 0: not known */
} LaunchedProgram;

typedef struct {
    Arena *arena;
    const Source *source;
    const LogFacts *facts;
    MeasurementArray *rows;
    Diag *diag;
    const struct LogReader *reader; /* of the table that is open; NULL: none */
    void *table;                    /* the reader's own */
    LaunchedProgram launched;
    const char *unread; /* what was measured in a table that is passed over; NULL: none */
} LogReading;

typedef enum { LINE_FOREIGN, LINE_TAKEN, LINE_WRONG } LineFate;

typedef struct LogReader {
    const char *name, *what;
    bool may_lack_newline; /* at its end, as some programs write it; of others it is a sign that the
                              log was cut off */
    /* Opens a table if the line stands above one. LINE_WRONG after a report. */
    LineFate (*open)(LogReading *reading, const LogLine *line);
    /* A line below that. */
    LineFate (*take)(LogReading *reading, const LogLine *line);
} LogReader;

#define READER(name, what) extern const LogReader log_##name;
#include "exchange/readers.def"

/* The whole of a text is a number as programs print them. */
bool log_number(Text text, double *number);
/* Does it begin like one, or is it nan, inf or N/A? */
bool log_is_numeric(Text text);
/* A number, or what stands in the place of one that was not measured or is too long: - or ***. */
bool log_is_cell(Text text);
/* What stands behind the words that the line begins with, which must be these. */
bool log_begins(const LogLine *line, const char *const *words, Text *rest);
/* The number of ranks where the log states `stated`, or nothing: 0. 0 after a report: it is not
   known, or is not what is known from elsewhere. `what` was measured. */
int64_t log_ranks(LogReading *reading, int64_t stated, Span place, const char *what);

/* Columns of numbers of a table. */
typedef struct {
    double last_size; /* of the rows so far; negative: there are none */
    int decimals;     /* of the times so far; negative: there are none */
} LogColumns;

/* The size in a row, at which sizes must go on to rise. False after a report. */
bool log_size(LogReading *reading, LogColumns *columns, Text text, double *bytes);
/* A positive number. False after a report. */
bool log_positive(LogReading *reading, Text text, double *number);
/* A whole number from 1 to 10^9. False after a report. */
bool log_whole(LogReading *reading, Text text, int64_t *number);
/* A time in us, with as many digits after the decimal point as all in its table: one that was cut
   off has fewer. */
bool log_time(LogReading *reading, LogColumns *columns, Text text, double *seconds);
/* The time of the slowest rank, `most`. The minimum may be 0, as that of a rank that waits for
   nothing. False after one report, also if the mean is not between the other two. */
bool log_slowest(LogReading *reading, LogColumns *columns, Text least, Text mean, Text most,
                 double *seconds);
/* Appends a row whose time stands at `place`, unless it is one of a collective of no bytes, which
   does nothing. False after a report, if they are too many. */
bool log_add(LogReading *reading, const Measurement *row);

#endif
