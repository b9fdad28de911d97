/* nccl-tests and rccl-tests. "# nThread ..." begins a run; "# Collective test starting:
   all_reduce_perf" names it since 2.14; "#  Rank  0 Group  0 Pid 7 on HOST device ..." lists its
   ranks; "#  size count type redop root time algbw busbw #wrong time ..." names the columns, once
   for out-of-place and once for in-place, of which the first is read. The size is that of the
   largest buffer of a rank. Iterations follow one another without a barrier. */
#include "exchange/reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    COLUMN_SIZE,
    COLUMN_COUNT,
    COLUMN_TYPE,
    COLUMN_OPERATION,
    COLUMN_TIME,
    COLUMN_ALGORITHM_RATE,
    COLUMN_BUS_RATE,
    COLUMN_WRONG,
    COLUMN_KINDS
} NcclColumn;

static const char *const headings[COLUMN_KINDS] = {"size", "count", "type",  "redop",
                                                   "time", "algbw", "busbw", "#wrong"};

/* Shorter times, in us, are printed with digits after the decimal point. */
static const double least_whole = 10000;

typedef struct {
    const Operation *operation; /* NULL: not named */
    const char *name;           /* of a test that is not read; else NULL */
    Span title;
    TextArray hosts;        /* of the ranks */
    int64_t ranks_per_node; /* 0: not known */
    bool is_in_place_first;
    int count;            /* of columns; 0: they are not named yet */
    int of[COLUMN_KINDS]; /* where each is; -1: nowhere */
} NcclRun;

static NcclRun *open_run(LogReading *reading, const LogLine *line)
{
    NcclRun *run = ARENA_NEW(reading->arena, NcclRun);
    *run = (NcclRun){.title = line->text.span};
    reading->table = run;
    return run;
}

/* "all_reduce_perf" */
static void name_run(LogReading *reading, NcclRun *run, Text name)
{
    static const char end[] = "_perf";
    size_t length = strlen(end);
    run->title = name.span;
    if (name.length > length && memcmp(name.chars + name.length - length, end, length) == 0)
        run->operation = operation_find(text_slice(name, 0, name.length - length));
    if (!run->operation)
        run->name = reading->unread = arena_copy(reading->arena, name.chars, name.length);
}

static LineFate open_table(LogReading *reading, const LogLine *line)
{
    static const char *const version[] = {"#", "nccl-tests", "version", NULL},
                             *const named[] = {"#", "Collective", "test", "starting:", NULL},
                             *const threads[] = {"#", "nThread", NULL};
    Text rest;
    bool is_named = log_begins(line, named, &rest);
    if (!is_named && !log_begins(line, version, &rest) && !log_begins(line, threads, &rest))
        return LINE_FOREIGN;
    NcclRun *run = reading->reader == &log_nccl_tests ? reading->table : NULL;
    bool is_fresh = run && run->hosts.count == 0 && run->count == 0;
    if (!is_fresh || (is_named && (run->operation || run->name)))
        run = open_run(reading, line);
    if (is_named && line->count > 4)
        name_run(reading, run, line->words[4]);
    return LINE_TAKEN;
}

/* "#  Rank  0 Group  0 Pid 7 on HOST device  0 [0x07] NAME" */
static LineFate take_rank(LogReading *reading, NcclRun *run, const LogLine *line)
{
    double number;
    if (!log_number(line->words[2], &number) || number != (double)run->hosts.count || run->count) {
        diag_error(reading->diag, line->words[2].span, "rank %zu was expected here",
                   run->hosts.count);
        return LINE_WRONG;
    }
    Text host = {0};
    for (int i = 3; i + 1 < line->count && !host.length; i++)
        if (text_equals(line->words[i], "on"))
            host = line->words[i + 1];
    *ARRAY_PUSH(reading->arena, &run->hosts) = host;
    return LINE_TAKEN;
}

static int compare_hosts(const void *first, const void *second)
{
    const Text *a = first, *b = second;
    size_t length = a->length < b->length ? a->length : b->length;
    int order = length ? memcmp(a->chars, b->chars, length) : 0;
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* 0: the hosts are not named. Negative: some have more than others; then a line can be missing. */
static int64_t count_per_node(TextArray *hosts)
{
    size_t per_node = 0;
    if (hosts->count == 0)
        return 0;
    qsort(hosts->items, hosts->count, sizeof *hosts->items, compare_hosts);
    for (size_t from = 0, to; from < hosts->count; from = to) {
        for (to = from + 1; to < hosts->count; to++)
            if (!text_same(hosts->items[from], hosts->items[to]))
                break;
        if (hosts->items[from].length == 0)
            return 0;
        if (from > 0 && to - from != per_node)
            return -1;
        per_node = to - from;
    }
    return (int64_t)per_node;
}

/* A log that does not name its collective can be named after it. */
static void find_operation(const LogReading *reading, NcclRun *run)
{
    static const char *const names[] = {
        "all_reduce",    "all_gather", "reduce_scatter", "allreduce", "allgather",
        "reducescatter", "alltoall",   "all_to_all",     "broadcast", "sendrecv",
        "reduce",        "scatter",    "gather"};
    const char *file = reading->source->name, *slash = strrchr(file, '/');
    run->operation = reading->facts->operation;
    for (size_t i = 0; i < sizeof names / sizeof *names && !run->operation; i++)
        if (strstr(slash ? slash : file, names[i]))
            run->operation = operation_find((Text){.chars = names[i], .length = strlen(names[i])});
}

static LineFate name_columns(LogReading *reading, NcclRun *run, const LogLine *line)
{
    int times = 0;
    if (run->count) {
        diag_error(reading->diag, line->text.span, "a second table follows without its ranks");
        diag_note(reading->diag, run->title, "the table before it begins here");
        return LINE_WRONG;
    }
    run->count = line->count - 1;
    for (int kind = 0; kind < COLUMN_KINDS; kind++)
        run->of[kind] = -1;
    for (int i = 1; i < line->count; i++) {
        times += text_equals(line->words[i], headings[COLUMN_TIME]);
        for (int kind = 0; kind < COLUMN_KINDS; kind++)
            if (text_equals(line->words[i], headings[kind]) &&
                (run->of[kind] < 0 || (run->is_in_place_first && times == 2)))
                run->of[kind] = i - 1;
    }
    if (run->of[COLUMN_SIZE] < 0 || run->of[COLUMN_TIME] < 0 ||
        run->of[COLUMN_ALGORITHM_RATE] < 0 || run->of[COLUMN_BUS_RATE] < 0) {
        diag_error(reading->diag, line->text.span, "these are not the columns of nccl-tests");
        return LINE_WRONG;
    }
    if (!run->operation && !run->name)
        find_operation(reading, run);
    if (!run->operation && !run->name) {
        diag_error(reading->diag, run->title,
                   "this log does not say which collective was measured: give --collective");
        return LINE_WRONG;
    }
    run->ranks_per_node = count_per_node(&run->hosts);
    if (run->ranks_per_node < 0) {
        diag_error(reading->diag, run->title,
                   "some hosts have more ranks than others: is one missing in their list?");
        return LINE_WRONG;
    }
    const char *name = run->operation ? run->operation->name : run->name;
    return log_ranks(reading, (int64_t)run->hosts.count, run->title, name) ? LINE_TAKEN
                                                                           : LINE_WRONG;
}

/* busbw / algbw */
static double bus_factor(const Operation *operation, int64_t p)
{
    double others = (double)(p - 1) / (double)p;
    return strcmp(operation->name, "allreduce") == 0 ? 2 * others
           : operation->is_per_rank                  ? others
                                                     : 1;
}

/* Printed with two digits after the decimal point, from a time with four digits or more. */
static bool is_rate(double printed, double expected, double us)
{
    return fabs(printed - expected) <= 0.0051 + expected * (0.002 + 0.006 / us);
}

static bool combines(const Operation *operation)
{
    return strncmp(operation->name, "reduce", 6) == 0 || strcmp(operation->name, "allreduce") == 0;
}

/* Bytes of an element; 0: not known. */
static double type_size(Text type)
{
    static const struct {
        const char *name;
        double bytes;
    } types[] = {{"int8", 1},  {"uint8", 1},  {"half", 2},  {"bfloat16", 2}, {"float", 4},
                 {"int32", 4}, {"uint32", 4}, {"int64", 8}, {"uint64", 8},   {"double", 8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (text_equals(type, types[i].name))
            return types[i].bytes;
    return 0;
}

/* The count is that of a block, or of the whole buffer: their number must be that of the ranks. */
static bool check_count(LogReading *reading, const NcclRun *run, const LogLine *line,
                        const Measurement *row)
{
    double count;
    if (run->of[COLUMN_COUNT] < 0 || run->of[COLUMN_TYPE] < 0)
        return true;
    Text text = line->words[run->of[COLUMN_COUNT]];
    double element = type_size(line->words[run->of[COLUMN_TYPE]]);
    if (!log_positive(reading, text, &count))
        return false;
    double blocks = row->logged_bytes / (count * element);
    if (element == 0 || blocks == 1 || (run->operation->is_per_rank && blocks == (double)row->p))
        return true;
    diag_error(reading->diag, text.span, "this count does not give %.0f bytes for %s on %lld ranks",
               row->logged_bytes, run->operation->name, (long long)row->p);
    return false;
}

/* Do size, time, both rates and the operation agree? Then they are what they seem to be. */
static bool check_row(LogReading *reading, const NcclRun *run, const LogLine *line,
                      const Measurement *row)
{
    double rate, bus, us = row->seconds * 1e6;
    double expected = row->logged_bytes / row->seconds / 1e9;
    Text rate_text = line->words[run->of[COLUMN_ALGORITHM_RATE]];
    Text bus_text = line->words[run->of[COLUMN_BUS_RATE]];
    if (!log_number(rate_text, &rate) || !is_rate(rate, expected, us)) {
        diag_error(reading->diag, rate_text.span,
                   "this row contradicts itself: its size and its time give %.2f GB/s", expected);
        return false;
    }
    expected *= bus_factor(run->operation, row->p);
    if (!log_number(bus_text, &bus) || !is_rate(bus, expected, us)) {
        diag_error(reading->diag, bus_text.span,
                   "a bus bandwidth of %.2f GB/s was expected for %s on %lld ranks", expected,
                   run->operation->name, (long long)row->p);
        return false;
    }
    int operation = run->of[COLUMN_OPERATION];
    if (operation < 0 || strcmp(run->operation->name, "sendrecv") == 0 ||
        text_equals(line->words[operation], "none") != combines(run->operation))
        return true;
    diag_error(reading->diag, line->words[operation].span, "%s has no such operation",
               run->operation->name);
    return false;
}

static bool is_missing(Text text)
{
    return text_equals(text, "N/A");
}

static bool take_row(LogReading *reading, NcclRun *run, const LogLine *line)
{
    int wrong = run->of[COLUMN_WRONG];
    double faults, us;
    if (line->count != run->count) {
        diag_error(reading->diag, line->text.span, "this row has %d columns, its table %d",
                   line->count, run->count);
        return false;
    }
    Text time = line->words[run->of[COLUMN_TIME]];
    if (wrong >= 0 && !is_missing(line->words[wrong]) &&
        (!log_number(line->words[wrong], &faults) || faults > 0)) {
        diag_error(reading->diag, line->words[wrong].span, "the results of this test were wrong");
        return false;
    }
    Measurement row = {.collective = run->operation->name,
                       .algorithm = DEFAULT_ALGORITHM,
                       .system = "",
                       .p = run->hosts.count ? (int64_t)run->hosts.count : reading->facts->p,
                       .ranks_per_node = run->ranks_per_node,
                       .finish = FINISH_ITERATIONS,
                       .repeats = 1,
                       .place = time.span};
    LogColumns any = {-1, -1};
    if (is_missing(time))
        return true;
    if (!log_size(reading, &any, line->words[run->of[COLUMN_SIZE]], &row.logged_bytes) ||
        !log_positive(reading, time, &us))
        return false;
    if (us < least_whole && !memchr(time.chars, '.', time.length)) {
        diag_error(reading->diag, time.span, "this time has no digits after the decimal point");
        return false;
    }
    row.seconds = us / 1e6;
    row.bytes = row.logged_bytes;
    if (run->operation->is_per_rank)
        row.bytes /= (double)row.p;
    return row.bytes == 0 || (check_count(reading, run, line, &row) &&
                              check_row(reading, run, line, &row) && log_add(reading, &row));
}

static LineFate take_line(LogReading *reading, const LogLine *line)
{
    static const char *const rank[] = {"#", "Rank", NULL}, *const size[] = {"#", "size", NULL},
                             *const places[] = {"#", "in-place", "out-of-place", NULL};
    NcclRun *run = reading->table;
    Text rest;
    if (line->count > 2 && log_begins(line, rank, &rest))
        return take_rank(reading, run, line);
    if (log_begins(line, places, &rest))
        run->is_in_place_first = true;
    if (log_begins(line, size, &rest))
        return name_columns(reading, run, line);
    if (line->count < 3 || !log_is_numeric(line->words[0]) || !log_is_numeric(line->words[1]) ||
        run->name)
        return LINE_FOREIGN;
    if (run->count == 0) {
        diag_error(reading->diag, line->text.span, "a row before the line that names the columns");
        return LINE_WRONG;
    }
    return take_row(reading, run, line) ? LINE_TAKEN : LINE_WRONG;
}

const LogReader log_nccl_tests = {"nccl_tests", "nccl-tests", false, open_table, take_line};
