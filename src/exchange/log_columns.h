/* Tables of benchmarks: columns under headings (log_columns.def), which rows fill whole. */
#ifndef COLLCOST_EXCHANGE_LOG_COLUMNS_H
#define COLLCOST_EXCHANGE_LOG_COLUMNS_H

#include "exchange/reading.h"

typedef enum {
    HOLDS_LABEL,   /* its heading again */
    HOLDS_WORDS,   /* what benchmarks of CSV say beside: with other words a row is another one */
    HOLDS_OTHER,   /* what is not read */
    HOLDS_SUBJECT, /* words, or the collective of a table without a column for it */
    HOLDS_SIZE,    /* in bytes: of a block, or of what the operation counts */
    HOLDS_BUFFER,
    HOLDS_ELEMENTS,
    HOLDS_TYPE,
    HOLDS_REDUCES, /* how it combines; can be blank, and so can the next one */
    HOLDS_ROOT,
    HOLDS_COUNTS,
    HOLDS_TIME,
    HOLDS_LEAST,
    HOLDS_MEAN,
    HOLDS_MOST,
    HOLDS_RATE, /* bytes/s */
    HOLDS_BUS,
    HOLDS_MESSAGES, /* per second */
    HOLDS_FAULTS,
    HOLDS_VERDICT,
    HOLDS_COLLECTIVE,
    HOLDS_ALGORITHM,
    HOLDS_PROTOCOL,
    HOLDS_CHANNELS,
    HOLDS_PIPED, /* stands in NCCL's own tables, whose sizes are those of buffers */
    HOLDS_STAMP, /* a date and a time, two words at the end of a row */
    HOLDS_SYSTEM,
    HOLDS_LIBRARY,
    HOLDS_RANKS,
    HOLDS_NODES,
    HOLDS_PER_NODE,
    HOLDS_REPEATS,
    HOLDS_FINISH,
    HOLDS_KINDS
} Holds;

typedef enum {
#define BENCHMARK(id, what, rises, has_digits, may_lack_newline, one, most) BENCHMARK_##id,
#include "exchange/log_columns.def"
#undef BENCHMARK
#undef HEADING
    BENCHMARK_COUNT
} BenchmarkId;

typedef struct {
    const char *what;
    bool rises, has_digits, may_lack_newline;
    Finish one, most; /* until when one time counts, and the largest of three */
} Benchmark;
extern const Benchmark benchmarks[BENCHMARK_COUNT];

/* The fields of a line, or its words. */
typedef struct {
    Text items[MOST_LOG_WORDS + 1];
    int count;    /* one more than the most: there are too many */
    bool is_open; /* the last one begins a quote that does not end */
} Cells;

typedef struct LogTable {
    BenchmarkId of;
    const Operation *operation; /* NULL: a column says it, or it is not read */
    const char *name;           /* of a test; NULL: not named */
    const char *algorithm;
    Span title;
    Text above;               /* the line before it, of which nothing was read; empty: none */
    Text mark;                /* of the line with the headings */
    int64_t p;                /* 0: not known yet, or a column says it */
    int64_t ranks_per_node;   /* 0: not known */
    Text type;                /* of the elements, where a line says it */
    Text other_type;          /* than that of the first rows; empty: the same */
    const char *details;      /* what else makes its rows other ones: "MPI-CUDA"; NULL: nothing */
    bool is_between_two;      /* ranks: one message */
    bool is_old;              /* OSU before version 7: one message has no average; nccl-tests of
                                 before 2019: times in ms, rates of what other ranks have */
    int directions;           /* in which messages stream at once; 0: they do not stream */
    int64_t pairs;            /* of ranks with streams */
    double bytes;             /* of all rows; 0: a column says it */
    bool is_in_place_first;   /* of two groups of columns the second counts */
    LaunchedProgram launched; /* before this table */
    LogSettings settings;     /* under which it was measured */
    TextArray hosts;          /* of the ranks of the first group, where they are listed */
    int64_t ranks, groups;    /* that are listed */
    bool is_cut_short;        /* their list */
    int64_t devices;          /* of a process; 0: not known */
    /* columns */
    char separator; /* ' ': any blanks */
    int count;      /* 0: they are not named yet */
    Holds holds[MOST_LOG_WORDS + 1];
    Text headings[MOST_LOG_WORDS + 1];
    int of_kind[HOLDS_KINDS]; /* the first of each; -1: there is none */
    double units[HOLDS_KINDS];
    Finish finish;
    /* rows so far */
    const Cells *first; /* NULL: there are none */
    int64_t rows;
    int64_t blanks[MOST_LOG_WORDS + 1]; /* how many rows have nothing there */
    Span blank[MOST_LOG_WORDS + 1];     /* the last of them */
    double last_size;                   /* negative: there are none */
    int decimals;                       /* of the times; negative: there are none */
    char point;                         /* a decimal point or comma; '\0': they have none */
    bool has_commas;                    /* certainly */
    Span perhaps_commas;                /* the first that can be one of thousands, "1,024" */
    bool is_closed;                     /* a blank line stands below them */
} LogTable;

/* The same for all rows of a table, and hardly for other lines: which cells are numbers, with how
   many decimals. 0: it is no row. */
uint64_t log_shape(const LogLine *line);
void log_table_split(const LogLine *line, char separator, Cells *cells);
/* Has it such a column? */
bool log_table_has(const LogTable *table, Holds holds);
/* Which column has the size; and the time, or the rate that stands for it. */
Holds log_table_size(const LogTable *table);
Holds log_table_time(const LogTable *table);
/* The least, the mean and the largest time? */
bool log_table_has_three(const LogTable *table);
/* A row, handed over. False after a report. */
bool log_row_read(LogReading *reading, LogTable *table, const Cells *cells);
/* Bytes of an element of that type; 0: not known. */
double log_type_size(Text type);
LogTable log_table_new(BenchmarkId of, Span title);
/* Notes whether the table has no rows at its end. */
void log_table_end(LogReading *reading);
/* It is the table of all lines that follow; what was started before has printed it. */
LogTable *log_table_open(LogReading *reading, const LogTable *table);
/* Does the line name columns of the benchmark? LINE_FOREIGN: it does not. LINE_TAKEN: the columns
   are those of `table` now. LINE_WRONG after a report: a name twice, a unit that is missing. */
LineFate log_table_name_columns(LogReading *reading, LogTable *table, const LogLine *line);
/* A line below the headings: whole rows are handed over. LINE_WRONG after a report. */
LineFate log_table_take(LogReading *reading, LogTable *table, const LogLine *line);
/* What a single row of many lacks was lost. False after a report. */
bool log_table_check(const LogReading *reading, const LogTable *table);
/* Opens a table if the line stands above one, by what benchmarks print there. LINE_WRONG after a
   report. */
LineFate benchmark_open(LogReading *reading, const LogLine *line);
/* A line below that which is no row. */
LineFate benchmark_take(LogReading *reading, LogTable *table, const LogLine *line);
/* Finds on how many ranks a table was measured, once it has a row. False after a report. */
bool benchmark_ranks(LogReading *reading, LogTable *table);
#endif
