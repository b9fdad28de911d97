/* OSU micro-benchmarks. A title, "# OSU MPI Allreduce Latency Test v5.8"; a line that names the
   columns, "# Size       Avg Latency(us)"; rows. Times of collectives are the mean over the ranks
   of each rank's mean; with -f the largest of these is printed too, and is taken. The number of
   ranks is not printed; it is known where the line that started this program is in the log. */
#include "base/quantity.h"
#include "exchange/launcher.h"

#include <math.h>
#include <string.h>

typedef enum {
    COLUMN_OTHER,
    COLUMN_SIZE,
    COLUMN_MEAN,
    COLUMN_LEAST,
    COLUMN_MOST,
    COLUMN_RATE, /* MB/s, of 10^6 bytes */
    COLUMN_MESSAGES,
    COLUMN_VERDICT
} OsuColumn;

/* How columns are headed; of two that a heading begins with, the first counts. */
static const struct {
    const char *heading;
    OsuColumn column;
} headings[] = {
    {"Size", COLUMN_SIZE},
    {"Avg Latency(us)", COLUMN_MEAN},
    {"Min Latency(us)", COLUMN_LEAST},
    {"Max Latency(us)", COLUMN_MOST},
    {"Latency (us)", COLUMN_MEAN},
    {"Latency(us)", COLUMN_MEAN},
    {"Pure Comm.(us)", COLUMN_MEAN},
    {"Min Comm.(us)", COLUMN_LEAST},
    {"Max Comm.(us)", COLUMN_MOST},
    {"Bandwidth (MB/s)", COLUMN_RATE},
    {"MB/s", COLUMN_RATE},
    {"Messages/s", COLUMN_MESSAGES},
    {"Validation", COLUMN_VERDICT},
};

enum { MOST_COLUMNS = 24 };

static const char program_start[] = "osu_";

typedef struct {
    const Operation *operation; /* NULL: none that is read */
    const char *name;           /* of the test, for messages */
    const char *algorithm;
    bool is_between_two; /* ranks: one message */
    int directions;      /* in which messages stream at once; 0: they do not stream */
    int64_t pairs;       /* of ranks with streams */
    Span title;
    LaunchedProgram launched;
    OsuColumn columns[MOST_COLUMNS];
    int count; /* of columns; 0: they are not named yet */
    int64_t p;
    LogColumns seen;
} OsuTable;

static bool starts_with(Text text, const char *start)
{
    size_t length = strlen(start);
    return text.length >= length && memcmp(text.chars, start, length) == 0;
}

static Text behind(Text text, size_t length)
{
    while (length < text.length && (text.chars[length] == ' ' || text.chars[length] == '\t'))
        length++;
    return text_slice(text, length, text.length - length);
}

/* "MPI Allreduce Latency Test v5.8": what is between MPI, or MPI-CUDA, and Test. Titles of
   one-sided tests begin with MPI_Put and the like. */
static bool find_test(Text title, Text *test)
{
    const char *end = memmem(title.chars, title.length, " Test", 5);
    size_t prefix = 0;
    while (prefix < title.length && title.chars[prefix] != ' ')
        prefix++;
    if (!end || (size_t)(end - title.chars) <= prefix)
        return false;
    *test = behind(text_slice(title, 0, (size_t)(end - title.chars)), prefix);
    return starts_with(title, "MPI ") || starts_with(title, "MPI-") || starts_with(title, "NCCL ");
}

/* What a test measures, by its title. */
static void find_operation(OsuTable *table, Text test)
{
    static const char non_blocking[] = "Non-blocking", latency[] = "Latency";
    size_t length = strlen(latency);
    table->algorithm = DEFAULT_ALGORITHM;
    table->directions = text_equals(test, "Bandwidth")                           ? 1
                        : text_equals(test, "Bi-Directional Bandwidth")          ? 2
                        : text_equals(test, "Multiple Bandwidth / Message Rate") ? 1
                                                                                 : 0;
    table->pairs = text_equals(test, "Multiple Bandwidth / Message Rate") ? 0 : 1;
    if (table->directions || text_equals(test, latency)) {
        table->operation = operation_find((Text){.chars = latency, .length = length});
        table->algorithm = "direct";
        table->is_between_two = true;
        return;
    }
    if (starts_with(test, non_blocking)) {
        table->algorithm = "non-blocking";
        test = behind(test, strlen(non_blocking));
    }
    if (test.length > length &&
        text_equals(text_slice(test, test.length - length, length), latency))
        table->operation = operation_find(text_slice(test, 0, test.length - length));
}

/* A row of a table without a title: what was started before has printed it. */
static bool is_lost_row(const LogLine *line)
{
    for (int i = 0; i < line->count; i++)
        if (!log_is_numeric(line->words[i]))
            return false;
    return line->count > 1;
}

/* A program prints one table: that of the next one is not known by it. */
static LineFate open_table(LogReading *reading, const LogLine *line)
{
    static const char *const start[] = {"#", "OSU", NULL};
    Text title, test;
    if (is_lost_row(line))
        reading->launched = (LaunchedProgram){0};
    if (launcher_find(line, program_start, &reading->launched) || !log_begins(line, start, &title))
        return LINE_FOREIGN;
    OsuTable *table = ARENA_NEW(reading->arena, OsuTable);
    *table = (OsuTable){.title = title.span, .launched = reading->launched, .seen = {-1, -1}};
    reading->launched = (LaunchedProgram){0};
    reading->table = table;
    table->name = arena_copy(reading->arena, title.chars, title.length);
    if (find_test(title, &test)) {
        table->name = arena_copy(reading->arena, test.chars, test.length);
        find_operation(table, test);
    }
    if (!table->operation)
        reading->unread = table->name;
    return LINE_TAKEN;
}

/* "Avg Latency(us)   Max Latency(us)": headings have single blanks in them and more between them.
 */
static bool name_columns(LogReading *reading, OsuTable *table, Text rest)
{
    table->count = 0;
    while (rest.length && table->count < MOST_COLUMNS) {
        OsuColumn column = COLUMN_OTHER;
        size_t length = 1;
        while (length < rest.length && rest.chars[length] != '\t' &&
               !(rest.chars[length] == ' ' &&
                 (length + 1 == rest.length || rest.chars[length + 1] == ' ')))
            length++;
        for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
            if (starts_with(rest, headings[i].heading)) {
                column = headings[i].column;
                length = strlen(headings[i].heading);
                break;
            }
        if (column == COLUMN_OTHER && log_is_numeric(text_slice(rest, 0, length))) {
            diag_error(reading->diag, text_span(rest, 0, length),
                       "a number among the names of columns: have two lines run together?");
            return false;
        }
        for (int i = 0; i < table->count; i++)
            if (column != COLUMN_OTHER && table->columns[i] == column) {
                diag_error(reading->diag, text_span(rest, 0, length), "this column is there twice");
                return false;
            }
        table->columns[table->count++] = column;
        rest = behind(rest, length);
    }
    return true;
}

/* The place of a column; -1: there is none. */
static int column_of(const OsuTable *table, OsuColumn column)
{
    for (int i = 0; i < table->count; i++)
        if (table->columns[i] == column)
            return i;
    return -1;
}

static bool is_barrier(const OsuTable *table)
{
    return strcmp(table->operation->name, "barrier") == 0;
}

/* A line that names columns, or says how many pairs there are: "# [ pairs: 8 ] [ window size: 64 ]"
 */
static LineFate take_comment(LogReading *reading, OsuTable *table, const LogLine *line)
{
    static const char *const pairs[] = {"#", "[", "pairs:", NULL}, *const sign[] = {"#", NULL};
    Text rest;
    if (log_begins(line, pairs, &rest)) {
        if (line->count >= 4 && log_whole(reading, line->words[3], &table->pairs))
            return LINE_TAKEN;
        if (line->count < 4)
            diag_error(reading->diag, rest.span, "expected the number of pairs");
        return LINE_WRONG;
    }
    if (!log_begins(line, sign, &rest))
        return LINE_FOREIGN;
    bool names = false;
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        names |= starts_with(rest, headings[i].heading);
    if (!names)
        return LINE_TAKEN;
    if (table->count) {
        diag_error(reading->diag, rest.span, "a second table follows without a title");
        diag_note(reading->diag, table->title, "the table before it begins here");
        return LINE_WRONG;
    }
    if (!name_columns(reading, table, rest))
        return LINE_WRONG;
    int time = column_of(table, COLUMN_MEAN), rate = column_of(table, COLUMN_RATE);
    if ((table->directions ? rate : time) >= 0 &&
        (column_of(table, COLUMN_SIZE) >= 0) != is_barrier(table))
        return LINE_TAKEN;
    diag_error(reading->diag, rest.span, "these are not the columns of OSU's %s test", table->name);
    diag_note(reading->diag, table->title, "the table begins here");
    return LINE_WRONG;
}

/* "osu_allreduce" for allreduce, "osu_ibcast" and "osu_bcast_persistent" too. */
static bool is_program_of(const OsuTable *table, Text program)
{
    static const char *const ends[] = {"", "_persistent"};
    size_t start = sizeof program_start - 1;
    for (size_t i = 0; i < 2; i++)
        for (size_t skipped = 0; skipped < 2; skipped++) {
            size_t from = start + skipped, end = strlen(ends[i]);
            if (program.length <= from + end ||
                memcmp(program.chars + program.length - end, ends[i], end) != 0 ||
                (skipped && program.chars[start] != 'i'))
                continue;
            const Operation *operation =
                operation_find(text_slice(program, from, program.length - from - end));
            if (operation && strcmp(operation->name, table->operation->name) == 0)
                return true;
        }
    return false;
}

/* The ranks, once the first row is there. */
static bool find_ranks(LogReading *reading, OsuTable *table)
{
    if (table->is_between_two) {
        table->p = 2 * table->pairs;
        if (table->pairs == 0)
            diag_error(reading->diag, table->title, "this test does not say how many pairs it has");
        return table->p > 0;
    }
    bool is_launched =
        table->launched.program.length && is_program_of(table, table->launched.program);
    table->p =
        log_ranks(reading, is_launched ? table->launched.p : 0,
                  is_launched && table->launched.p ? table->launched.program.span : table->title,
                  table->operation->name);
    return table->p > 0;
}

static bool read_rate(LogReading *reading, const OsuTable *table, const LogLine *line,
                      Measurement *row)
{
    Text text = line->words[column_of(table, COLUMN_RATE)];
    int messages = column_of(table, COLUMN_MESSAGES);
    double rate, count;
    if (row->bytes == 0 || !log_positive(reading, text, &rate))
        return row->bytes == 0;
    row->place = text.span;
    row->finish = FINISH_STREAM;
    row->seconds = row->bytes * table->directions * (double)table->pairs / (rate * 1e6);
    if (messages < 0)
        return true;
    if (!log_positive(reading, line->words[messages], &count))
        return false;
    if (fabs(count * row->bytes * 1e-6 - rate) <= 0.006 + 0.001 * rate)
        return true;
    diag_error(reading->diag, line->words[messages].span,
               "this row contradicts itself: this rate of messages of %s does not give %.*s MB/s",
               quantity_show_bytes(reading->arena, row->bytes), (int)text.length, text.chars);
    return false;
}

/* The time of the slowest rank where there is one. */
static bool read_time(LogReading *reading, OsuTable *table, const LogLine *line, Measurement *row)
{
    int mean = column_of(table, COLUMN_MEAN), least = column_of(table, COLUMN_LEAST);
    int most = column_of(table, COLUMN_MOST);
    row->place = line->words[mean].span;
    row->finish = table->is_between_two ? FINISH_ROUND_TRIP : FINISH_MEAN;
    if (least < 0 || most < 0)
        return log_time(reading, &table->seen, line->words[mean], &row->seconds);
    row->place = line->words[most].span;
    row->finish = table->is_between_two ? FINISH_ROUND_TRIP : FINISH_LAST;
    return log_slowest(reading, &table->seen, line->words[least], line->words[mean],
                       line->words[most], &row->seconds);
}

static bool take_row(LogReading *reading, OsuTable *table, const LogLine *line)
{
    const Operation *operation = table->operation;
    int size = column_of(table, COLUMN_SIZE), verdict = column_of(table, COLUMN_VERDICT);
    if (line->count != table->count) {
        diag_error(reading->diag, line->text.span, "this row has %d columns, its table %d",
                   line->count, table->count);
        return false;
    }
    if (verdict >= 0 && !text_equals(line->words[verdict], "Pass")) {
        diag_error(reading->diag, line->words[verdict].span, "the results of this test were wrong");
        return false;
    }
    Measurement row = {
        .collective = operation->name, .algorithm = table->algorithm, .system = "", .repeats = 1};
    if ((size >= 0 && !log_size(reading, &table->seen, line->words[size], &row.bytes)) ||
        (table->p == 0 && !find_ranks(reading, table)))
        return false;
    row.p = table->p;
    row.logged_bytes = row.bytes;
    if (size < 0 && table->seen.last_size >= 0) {
        diag_error(reading->diag, line->text.span, "a barrier has one row");
        return false;
    }
    table->seen.last_size = row.bytes;
    if (!(table->directions ? read_rate(reading, table, line, &row)
                            : read_time(reading, table, line, &row)))
        return false;
    if (operation->counts_buffers)
        row.bytes /= (double)row.p;
    return row.seconds == 0 || log_add(reading, &row);
}

/* A number, and cells behind it; a verdict is none. */
static bool is_row(const OsuTable *table, const LogLine *line)
{
    int verdict = column_of(table, COLUMN_VERDICT);
    for (int i = 0; i < line->count; i++)
        if (!(i ? log_is_cell(line->words[i]) : log_is_numeric(line->words[i])) &&
            !(i == verdict && line->count == table->count))
            return false;
    return true;
}

static LineFate take_line(LogReading *reading, const LogLine *line)
{
    OsuTable *table = reading->table;
    if (!table->operation)
        return LINE_FOREIGN;
    if (line->text.chars[0] == '#')
        return take_comment(reading, table, line);
    if (!is_row(table, line))
        return LINE_FOREIGN;
    if (table->count == 0) {
        diag_error(reading->diag, line->text.span, "a row before the line that names the columns");
        return LINE_WRONG;
    }
    return take_row(reading, table, line) ? LINE_TAKEN : LINE_WRONG;
}

const LogReader log_osu = {"osu", "OSU micro-benchmarks", false, open_table, take_line};
