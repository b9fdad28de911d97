/* Intel MPI Benchmarks, IMB-MPI1. A title, "# Benchmarking Allreduce"; "# #processes = 144"; a line
   that names the columns, "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]"; rows. PingPong
   has one time, half a round trip; of others the largest mean of a rank counts, of iterations that
   follow one another without a barrier. Mbytes are 2^20 bytes up to version 4, then 10^6. */
#include "exchange/reading.h"

#include <math.h>
#include <string.h>

typedef enum {
    COLUMN_BYTES,
    COLUMN_REPETITIONS,
    COLUMN_TIME,
    COLUMN_LEAST,
    COLUMN_MOST,
    COLUMN_MEAN,
    COLUMN_RATE,
    COLUMN_OTHER,
    COLUMN_KINDS = COLUMN_OTHER
} ImbColumn;

static const char *const headings[COLUMN_KINDS] = {
    "#bytes", "#repetitions", "t[usec]", "t_min[usec]", "t_max[usec]", "t_avg[usec]", "Mbytes/sec"};

typedef struct {
    const Operation *operation; /* NULL: none that is read */
    const char *name;
    Span title;
    int64_t p;            /* 0: not stated yet */
    int count;            /* of columns; 0: they are not named yet */
    int of[COLUMN_KINDS]; /* where each is; -1: nowhere */
    bool is_ping_pong;
    LogColumns seen;
} ImbTable;

static LineFate open_table(LogReading *reading, const LogLine *line)
{
    static const char *const start[] = {"#", "Benchmarking", NULL};
    Text name;
    if (!log_begins(line, start, &name) || line->count != 3)
        return LINE_FOREIGN;
    ImbTable *table = ARENA_NEW(reading->arena, ImbTable);
    *table = (ImbTable){.operation = operation_find(name),
                        .name = arena_copy(reading->arena, name.chars, name.length),
                        .title = name.span,
                        .is_ping_pong = text_equals(name, "PingPong"),
                        .seen = {-1, -1}};
    reading->table = table;
    if (!table->operation)
        reading->unread = table->name;
    return LINE_TAKEN;
}

/* "# #processes = 144" */
static LineFate take_ranks(LogReading *reading, ImbTable *table, const LogLine *line)
{
    if (line->count == 4 && table->p == 0)
        return log_whole(reading, line->words[3], &table->p) ? LINE_TAKEN : LINE_WRONG;
    diag_error(reading->diag, line->text.span, "expected one number of processes");
    return LINE_WRONG;
}

static LineFate name_columns(LogReading *reading, ImbTable *table, const LogLine *line)
{
    bool is_barrier = strcmp(table->operation->name, "barrier") == 0;
    if (table->count) {
        diag_error(reading->diag, line->text.span, "a second table follows without a title");
        diag_note(reading->diag, table->title, "the table before it begins here");
        return LINE_WRONG;
    }
    table->count = line->count;
    for (int kind = 0; kind < COLUMN_KINDS; kind++) {
        table->of[kind] = -1;
        for (int i = 0; i < line->count; i++)
            if (text_equals(line->words[i], headings[kind]))
                table->of[kind] = i;
    }
    bool has_one = table->of[COLUMN_TIME] >= 0;
    bool has_three =
        table->of[COLUMN_LEAST] >= 0 && table->of[COLUMN_MOST] >= 0 && table->of[COLUMN_MEAN] >= 0;
    if (has_one != has_three && (table->of[COLUMN_BYTES] < 0) == is_barrier &&
        (has_one || !table->is_ping_pong) && table->p > 0)
        return LINE_TAKEN;
    diag_error(reading->diag, line->text.span,
               "these are not the columns of %s, or its number of "
               "processes is missing",
               table->name);
    diag_note(reading->diag, table->title, "the table begins here");
    return LINE_WRONG;
}

/* The rate must be that of one message in this time; of other benchmarks it counts several. */
static bool check_rate(LogReading *reading, const ImbTable *table, const LogLine *line,
                       const Measurement *row)
{
    double rate, expected = row->bytes / row->seconds / 1e6;
    if (!table->is_ping_pong || table->of[COLUMN_RATE] < 0)
        return true;
    Text text = line->words[table->of[COLUMN_RATE]];
    if (log_number(text, &rate) && (fabs(rate - expected) <= 0.006 + 0.01 * expected ||
                                    fabs(rate - expected / 1.048576) <= 0.006 + 0.01 * expected))
        return true;
    diag_error(reading->diag, text.span,
               "this row contradicts itself: its size and its time give another rate");
    return false;
}

static bool read_time(LogReading *reading, ImbTable *table, const LogLine *line, Measurement *row)
{
    bool has_one = table->of[COLUMN_TIME] >= 0;
    Text text = line->words[table->of[has_one ? COLUMN_TIME : COLUMN_MOST]];
    row->place = text.span;
    row->finish = table->is_ping_pong ? FINISH_ROUND_TRIP : FINISH_ITERATIONS;
    if (has_one)
        return log_time(reading, &table->seen, text, &row->seconds) &&
               check_rate(reading, table, line, row);
    return log_slowest(reading, &table->seen, line->words[table->of[COLUMN_LEAST]],
                       line->words[table->of[COLUMN_MEAN]], text, &row->seconds);
}

static bool take_row(LogReading *reading, ImbTable *table, const LogLine *line)
{
    const Operation *operation = table->operation;
    int size = table->of[COLUMN_BYTES];
    if (line->count != table->count) {
        diag_error(reading->diag, line->text.span, "this row has %d columns, its table %d",
                   line->count, table->count);
        return false;
    }
    Measurement row = {.collective = operation->name,
                       .algorithm = table->is_ping_pong ? "direct" : DEFAULT_ALGORITHM,
                       .system = "",
                       .p = table->p,
                       .repeats = 1};
    if (size >= 0 && !log_size(reading, &table->seen, line->words[size], &row.bytes))
        return false;
    if (size < 0 && table->seen.last_size >= 0) {
        diag_error(reading->diag, line->text.span, "a barrier has one row");
        return false;
    }
    table->seen.last_size = row.bytes;
    if (row.bytes == 0 && !operation_can_be_empty(operation->name))
        return true; /* nothing is done, and that can take 0.00 us */
    row.logged_bytes = row.bytes;
    if (operation->counts_buffers)
        row.bytes /= (double)row.p;
    return read_time(reading, table, line, &row) && log_add(reading, &row);
}

static LineFate take_line(LogReading *reading, const LogLine *line)
{
    static const char *const ranks[] = {"#", "#processes", NULL};
    ImbTable *table = reading->table;
    Text rest;
    if (!table->operation)
        return LINE_FOREIGN;
    if (log_begins(line, ranks, &rest))
        return take_ranks(reading, table, line);
    if (text_equals(line->words[0], headings[COLUMN_BYTES]) ||
        text_equals(line->words[0], headings[COLUMN_REPETITIONS]))
        return name_columns(reading, table, line);
    for (int i = 0; i < line->count; i++)
        if (!(i ? log_is_cell(line->words[i]) : log_is_numeric(line->words[i])))
            return LINE_FOREIGN;
    if (table->count == 0) {
        diag_error(reading->diag, line->text.span, "a row before the line that names the columns");
        return LINE_WRONG;
    }
    return take_row(reading, table, line) ? LINE_TAKEN : LINE_WRONG;
}

const LogReader log_imb = {"imb", "IMB-MPI1", false, open_table, take_line};
