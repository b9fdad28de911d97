/* A log while it is read: what readers of benchmarks see, and how they hand over rows. */
#ifndef COLLCOST_EXCHANGE_READING_H
#define COLLCOST_EXCHANGE_READING_H

#include "exchange/measurement.h"

enum { MOST_LOG_WORDS = 64 };

/* A line without colours, without blanks around it, and without what launchers and services put
   before it: a time, and the mark of the rank, host or container that printed it ("[1,0]<stdout>:",
   "0: ", "node7: "). */
typedef struct {
    Text text;
    Text mark;                  /* empty: there is none; times do not count */
    Text words[MOST_LOG_WORDS]; /* between blanks */
    int count;                  /* those beyond the most are not there */
} LogLine;

/* "NCCL_ALGO=Ring", "--mca coll_tuned_bcast_algorithm 3": a variable by which a library chooses. */
typedef struct {
    Text name, value; /* of no characters: it is not set any more */
} LogSetting;
ARRAY_TYPE(LogSettings, LogSetting);

/* What the last line said that started a program on several ranks. */
typedef struct {
    Text program;           /* without its folder; empty: there was none */
    int64_t p;              /* 0: not known */
    int64_t ranks_per_node; /* 0: not known */
    int64_t devices;        /* of a process, by its options; 0: not known */
    double element;         /* bytes of what it counts; 0: not known */
    const char *details;    /* what makes its rows other ones: "D, H"; NULL: nothing */
    LogSettings settings;   /* so do these */
    bool has_rival;         /* another one was started since the last table */
} LaunchedProgram;

/* What NCCL ran for buffers of some size, as NCCL_DEBUG=INFO says it. */
typedef struct {
    double bytes;
    const char *algorithm; /* "ring_ll128"; NULL: not always the same */
} NcclChoice;
ARRAY_TYPE(NcclChoices, NcclChoice);

typedef struct {
    int64_t ranks, nodes; /* 0: not known; negative: of several communicators */
    NcclChoices choices;
} NcclFacts;

/* What lines look like that are rows, or seem to be: log_shape. */
typedef struct {
    uint64_t shape;
    Span place; /* of the first */
    bool is_row;
} LineShape;
ARRAY_TYPE(LineShapes, LineShape);

typedef struct {
    Arena *arena;
    const Source *source;
    const LogFacts *facts;
    MeasurementArray *rows;
    Diag *diag;
    struct LogTable *table; /* NULL: none is open */
    Text frame;             /* what stood before the last title; empty: nothing */
    Text above;             /* the last line that says nothing, since the last title */
    LaunchedProgram launched;
    LogSettings settings; /* of all programs that are started from now on */
    LogSettings usual;    /* those of the first table */
    NcclFacts nccl;
    const char *unread; /* what was measured in tables that are passed over; NULL: none */
    Span unread_place;  /* of the first */
    LineShapes shapes;
    Text incomplete; /* the names of columns that look like a table's, but lack `lacking` */
    const char *lacking;
} LogReading;

typedef enum { LINE_FOREIGN, LINE_TAKEN, LINE_WRONG } LineFate;
/* The report of a line that is wrong. */
#define WRONG_LINE(...) (diag_error(__VA_ARGS__), LINE_WRONG)

/* The line without its marks. Of one with colours a copy is made. A line with a title says what
   stands before all. */
void log_split_line(LogReading *reading, Text text, LogLine *line);
/* The whole of a text is a number as programs print them. */
bool log_number(Text text, double *number);
/* Does it begin like one, or is it nan, inf or N/A? */
bool log_is_numeric(Text text);
/* A number, be it cut off after its point, or what stands in the place of one that was not measured
   or is too long: - or ***. */
bool log_is_cell(Text text);
/* How many digits stand behind the decimal point. */
int log_decimals(Text text);
/* What stands behind the words that the line begins with, which must be these. */
bool log_begins(const LogLine *line, const char *words, Text *rest);
/* The number of ranks where the log states `stated`, or nothing: 0. 0 after a report: it is not
   known, or is not what is known from elsewhere. `what` was measured. */
int64_t log_ranks(LogReading *reading, int64_t stated, Span place, const char *what);
/* As a text that can be shown. */
const char *log_clean(const LogReading *reading, Text text);
/* One more of the words in parentheses that keep rows apart; an empty one is none, nor are NULL. */
const char *log_join(const LogReading *reading, const char *words, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Notes that a table of that name, which stands at `place`, is not read. */
void log_pass_over(LogReading *reading, Text name, Span place);
/* A positive number. False after a report. */
bool log_positive(LogReading *reading, Text text, double *number);
/* A whole number from 1 to 10^9. False after a report. */
bool log_whole(LogReading *reading, Text text, int64_t *number);
/* A size in such units, a whole number of bytes. False after a report. */
bool log_size(LogReading *reading, Text text, double unit, double *bytes);
/* Appends a row whose time stands at `place`, unless it is one of a collective of no bytes, which
   does nothing. False after a report, if they are too many. */
bool log_add(LogReading *reading, const Measurement *row);
/* busbw / algbw of nccl-tests. */
double log_bus_factor(const Operation *operation, int64_t p);

/* "ring_ll128", in small letters. */
const char *nccl_name(Arena *arena, Text algorithm, Text protocol);
/* Notes what a line of NCCL_DEBUG=INFO says; a row can stand in it, too. */
void nccl_facts_note(LogReading *reading, const LogLine *line);
/* How many ranks each host of a list has, which is sorted. 0: the hosts are not named. Negative:
   some have more than others, or no name; then a line can be missing, or torn. */
int64_t nccl_ranks_per_node(TextArray *hosts);
/* What NCCL ran for so many bytes; NULL: not known. */
const char *nccl_facts_choice(const LogReading *reading, double bytes);
/* Settings that a line shows which starts a program; and those of any other line: of all programs
   that follow, of the next one, or of `open`, a table without rows (NULL: there is none). */
void log_settings_take(LogReading *reading, LogSettings *settings, const LogLine *line);
void log_settings_note(LogReading *reading, LogSettings *open, const LogLine *line);
/* Sets all of `more`, too. */
void log_settings_add(LogReading *reading, LogSettings *settings, const LogSettings *more);
/* What they make of a row of an operation: one that forces an algorithm names it ("open-mpi:3"),
   others follow the words that keep rows apart. */
const char *log_settings_name(const LogReading *reading, const LogSettings *settings,
                              const char *words, const Operation *of, const char **algorithm);
/* Reads a log of NCCL's Inspector, objects of JSON with the key coll_perf. LINE_FOREIGN: it is
 * none. */
LineFate inspector_read(LogReading *reading);
/* A name behind its folder, and behind what a service glued to the first word of a line. */
Text log_without_folder(Text word);
/* Is that "mpirun -np 16 ./osu_allreduce -f", by mpirun, mpiexec, orterun, srun, jsrun, lrun,
   ibrun, aprun, flux or a shell alone? The number of ranks of the benchmark is 0 where the line
   does not say it, or says two. */
bool launcher_find(const LogLine *given, LaunchedProgram *launched);

#endif
