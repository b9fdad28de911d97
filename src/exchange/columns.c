/* CSV with named columns: columns.def has the names. Fields are parted by commas, semicolons or
   tabs, and may be quoted. A time needs a unit in the name of its column. Where no column says the
   collective or the ranks, they must be known from elsewhere. */
#include "base/utf8.h"
#include "exchange/reading.h"

#include <math.h>
#include <string.h>

typedef enum {
    HOLDS_NOTHING,
    HOLDS_COLLECTIVE,
    HOLDS_ALGORITHM,
    HOLDS_SYSTEM,
    HOLDS_LIBRARY,
    HOLDS_RANKS,
    HOLDS_NODES,
    HOLDS_PER_NODE,
    HOLDS_BLOCK,
    HOLDS_BUFFER,
    HOLDS_REPEATS,
    HOLDS_FINISH,
    HOLDS_TIME,
    HOLDS_KINDS
} Holds;

static const struct {
    const char *name;
    Holds holds;
} names[] = {
#define COLUMN(name, holds) {name, HOLDS_##holds},
#define TIME(name, finish)
#include "exchange/columns.def"
#undef TIME
};

static const struct {
    const char *name;
    Finish finish;
} times[] = {
#define COLUMN(name, holds)
#define TIME(name, finish) {name, FINISH_##finish},
#include "exchange/columns.def"
#undef COLUMN
};

static const struct {
    const char *name;
    double seconds;
} units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"usec", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"sec", 1}};

enum { TIME_COUNT = sizeof times / sizeof *times };

typedef struct {
    int count;           /* of fields in a row */
    int of[HOLDS_KINDS]; /* where each is; -1: nowhere */
    char separator;
    Finish finish;
    double unit_s; /* of the time */
} Columns;

typedef struct {
    Text items[MOST_LOG_WORDS];
    int count;    /* one more than the most: there are too many */
    bool is_open; /* the last one begins a quote that does not end */
} Fields;

/* Without quotes; a doubled quote inside of some stays double. */
static Text unquote(Text field)
{
    field = text_trim(field);
    bool is_quoted =
        field.length >= 2 && field.chars[0] == '"' && field.chars[field.length - 1] == '"';
    return is_quoted ? text_slice(field, 1, field.length - 2) : field;
}

/* A quote begins at the start of a field and ends there where no other quote follows. */
static void split_fields(Text line, char separator, Fields *fields)
{
    size_t from = 0;
    bool is_quoted = false;
    fields->count = 0;
    fields->is_open = false;
    for (size_t i = 0; i <= line.length; i++) {
        if (i < line.length && line.chars[i] == '"') {
            if (!is_quoted)
                is_quoted = text_trim(text_slice(line, from, i - from)).length == 0;
            else if (i + 1 < line.length && line.chars[i + 1] == '"')
                i++;
            else
                is_quoted = false;
        }
        if (i < line.length && (is_quoted || line.chars[i] != separator))
            continue;
        if (fields->count == MOST_LOG_WORDS) {
            fields->count++;
            return;
        }
        fields->items[fields->count++] = unquote(text_slice(line, from, i - from));
        from = i + 1;
    }
    fields->is_open = is_quoted;
}

static char plain(char sign)
{
    return (char)(sign >= 'A' && sign <= 'Z'   ? sign | 0x20
                  : sign == ' ' || sign == '-' ? '_'
                                               : sign);
}

/* Is the whole of the text this name, or its first `length` bytes? */
static bool is_called(Text text, size_t length, const char *name)
{
    if (strlen(name) != length || length > text.length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (plain(text.chars[i]) != name[i])
            return false;
    return true;
}

static Holds find_holds(Text name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_called(name, name.length, names[i].name))
            return names[i].holds;
    return HOLDS_NOTHING;
}

/* Which kind of time a column has, -1: none; *unit_s is 0 where no unit is named. */
static int find_time(Text name, double *unit_s)
{
    static const char signs[] = "_ ([)]";
    size_t end = name.length, length = 0;
    *unit_s = 0;
    while (end > 0 && strchr(signs, name.chars[end - 1]))
        end--;
    size_t from = end;
    while (from > 0 && !strchr(signs, name.chars[from - 1]))
        from--;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (is_called(text_slice(name, from, end - from), end - from, units[i].name))
            *unit_s = units[i].seconds;
    length = *unit_s > 0 ? from : end;
    size_t blanks = 0;
    while (length > 0 && strchr(signs, name.chars[length - 1]))
        blanks += plain(name.chars[--length]) == '_';
    if (blanks > 1)
        return -1;
    for (int i = 0; i < TIME_COUNT; i++)
        if (is_called(name, length, times[i].name))
            return i;
    return -1;
}

/* The best time of those that have a unit; *unknown is the best that has none. */
static void find_times(const LogReading *reading, const Fields *heads, Columns *columns,
                       Text *unknown)
{
    int best = TIME_COUNT, best_unknown = TIME_COUNT;
    for (int i = 0; i < heads->count; i++) {
        double unit_s;
        int time = find_time(heads->items[i], &unit_s);
        unit_s = unit_s > 0 ? unit_s : reading->facts->unit_s;
        if (time >= 0 && unit_s > 0 && time < best) {
            best = time;
            columns->of[HOLDS_TIME] = i;
            columns->finish = times[time].finish;
            columns->unit_s = unit_s;
        }
        if (time >= 0 && unit_s == 0 && time < best_unknown) {
            best_unknown = time;
            *unknown = heads->items[i];
        }
    }
}

static bool has(const Columns *columns, Holds holds)
{
    return columns->of[holds] >= 0;
}

/* A name that is nearly a known one would be missed in silence. */
static bool is_misspelt(LogReading *reading, Text name)
{
    const char *known[sizeof names / sizeof *names];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        known[i] = names[i].name;
    double unit_s;
    const char *nearest =
        name.length > 3 && find_holds(name) == HOLDS_NOTHING && find_time(name, &unit_s) < 0
            ? diag_nearest(name.chars, name.length, known, sizeof names / sizeof *names)
            : NULL;
    if (!nearest || strlen(nearest) <= 3)
        return false;
    diag_error(reading->diag, name.span, "unknown column '%.*s'", (int)name.length, name.chars);
    diag_note(reading->diag, NOWHERE, "did you mean '%s'?", nearest);
    return true;
}

static bool is_repeated(LogReading *reading, const Fields *heads, int i)
{
    const Text name = heads->items[i];
    double unit_s;
    if (find_holds(name) == HOLDS_NOTHING && find_time(name, &unit_s) < 0)
        return false;
    for (int before = 0; before < i; before++)
        if (text_same(heads->items[before], name)) {
            diag_error(reading->diag, name.span, "there are two columns '%.*s'", (int)name.length,
                       name.chars);
            return true;
        }
    return false;
}

/* Column names: a time, a size or a collective, and no field is a number. */
static LineFate open_table(LogReading *reading, const LogLine *line)
{
    Fields heads;
    Text unknown = {0};
    char separator = memchr(line->text.chars, ',', line->text.length)   ? ','
                     : memchr(line->text.chars, ';', line->text.length) ? ';'
                                                                        : '\t';
    if (line->text.chars[0] == '#' || !memchr(line->text.chars, separator, line->text.length))
        return LINE_FOREIGN;
    split_fields(line->text, separator, &heads);
    if (heads.count < 2 || heads.count > MOST_LOG_WORDS)
        return LINE_FOREIGN;
    Columns columns = {.count = heads.count, .separator = separator};
    for (int i = 0; i < HOLDS_KINDS; i++)
        columns.of[i] = -1;
    for (int i = 0; i < heads.count; i++) {
        Holds holds = find_holds(heads.items[i]);
        if (log_is_numeric(heads.items[i]))
            return LINE_FOREIGN;
        if (holds != HOLDS_NOTHING && !has(&columns, holds))
            columns.of[holds] = i;
    }
    find_times(reading, &heads, &columns, &unknown);
    if (!has(&columns, HOLDS_BLOCK) && !has(&columns, HOLDS_BUFFER) &&
        !has(&columns, HOLDS_COLLECTIVE) && !has(&columns, HOLDS_RANKS))
        return LINE_FOREIGN;
    if (!has(&columns, HOLDS_TIME) && !unknown.length)
        return LINE_FOREIGN;
    if (!has(&columns, HOLDS_TIME)) {
        diag_error(reading->diag, unknown.span,
                   "this column does not name its unit, as %.*s_us would: give --unit",
                   (int)unknown.length, unknown.chars);
        return LINE_WRONG;
    }
    for (int i = 0; i < heads.count; i++)
        if (is_misspelt(reading, heads.items[i]) || is_repeated(reading, &heads, i))
            return LINE_WRONG;
    reading->table = ARENA_COPY(reading->arena, Columns, &columns, 1);
    return LINE_TAKEN;
}

static bool read_operation(LogReading *reading, const Columns *columns, const Fields *fields,
                           const Operation **operation)
{
    *operation = reading->facts->operation;
    if (!has(columns, HOLDS_COLLECTIVE)) {
        if (!*operation)
            diag_error(reading->diag, fields->items[0].span,
                       "no column says which collective was measured: give --collective");
        return *operation != NULL;
    }
    Text name = fields->items[columns->of[HOLDS_COLLECTIVE]];
    *operation = operation_find(name);
    if (!*operation)
        diag_error(reading->diag, name.span, "'%.*s' is not a known collective", (int)name.length,
                   name.chars);
    return *operation != NULL;
}

/* A column of ranks, else nodes with their ranks, else what is known from elsewhere. */
static bool read_ranks(LogReading *reading, const Columns *columns, const Fields *fields,
                       Measurement *row)
{
    int64_t nodes = 0;
    if ((has(columns, HOLDS_RANKS) &&
         !log_whole(reading, fields->items[columns->of[HOLDS_RANKS]], &row->p)) ||
        (has(columns, HOLDS_NODES) &&
         !log_whole(reading, fields->items[columns->of[HOLDS_NODES]], &nodes)) ||
        (has(columns, HOLDS_PER_NODE) &&
         !log_whole(reading, fields->items[columns->of[HOLDS_PER_NODE]], &row->ranks_per_node)))
        return false;
    int64_t product = nodes * row->ranks_per_node;
    if (row->p && product && row->p != product) {
        diag_error(reading->diag, fields->items[columns->of[HOLDS_RANKS]].span,
                   "%lld nodes of %lld ranks are not %lld ranks", (long long)nodes,
                   (long long)row->ranks_per_node, (long long)row->p);
        return false;
    }
    row->p = row->p ? row->p : product;
    if (row->p == 0 && strcmp(row->collective, "point-to-point") == 0)
        row->p = 2;
    if (row->p == 0)
        row->p = log_ranks(reading, 0, fields->items[0].span, row->collective);
    return row->p > 0;
}

/* m, from a block or from the whole buffer of a rank. */
static bool read_size(LogReading *reading, const Columns *columns, const Fields *fields,
                      const Operation *operation, Measurement *row)
{
    LogColumns any = {-1, -1};
    bool is_block = has(columns, HOLDS_BLOCK);
    if (!is_block && !has(columns, HOLDS_BUFFER)) {
        if (strcmp(operation->name, "barrier") != 0)
            diag_error(reading->diag, fields->items[0].span, "no column has the size");
        return strcmp(operation->name, "barrier") == 0;
    }
    Text text = fields->items[columns->of[is_block ? HOLDS_BLOCK : HOLDS_BUFFER]];
    if (!log_size(reading, &any, text, &row->logged_bytes))
        return false;
    row->bytes = row->logged_bytes;
    if (!is_block && operation->is_per_rank)
        row->bytes /= (double)row->p;
    return true;
}

static bool read_finish(LogReading *reading, const Columns *columns, const Fields *fields,
                        Measurement *row)
{
    row->finish = columns->finish;
    if (strcmp(row->collective, "point-to-point") == 0)
        row->finish = FINISH_ROUND_TRIP;
    if (!has(columns, HOLDS_FINISH))
        return true;
    Text text = fields->items[columns->of[HOLDS_FINISH]];
    for (int i = 0; i < FINISH_COUNT; i++)
        if (text_equals(text, finish_info[i].name)) {
            row->finish = (Finish)i;
            return true;
        }
    const char *list = finish_info[0].name;
    for (int i = 1; i < FINISH_COUNT; i++)
        list = arena_printf(reading->arena, "%s%s%s", list, i + 1 < FINISH_COUNT ? ", " : " or ",
                            finish_info[i].name);
    diag_error(reading->diag, text.span, "unknown value '%.*s' of finish: expected %s",
               (int)text.length, text.chars, list);
    return false;
}

static const char *text_in(const LogReading *reading, const Columns *columns, const Fields *fields,
                           Holds holds)
{
    if (!has(columns, holds))
        return "";
    Text text = fields->items[columns->of[holds]];
    return utf8_clean(reading->arena, text.chars, text.length);
}

static bool take_row(LogReading *reading, const Columns *columns, const Fields *fields)
{
    const Operation *operation;
    Measurement row = {.repeats = 1};
    if (!read_operation(reading, columns, fields, &operation))
        return false;
    row.collective = operation->name;
    row.algorithm = text_in(reading, columns, fields, HOLDS_ALGORITHM);
    row.system = text_in(reading, columns, fields, HOLDS_SYSTEM);
    const char *library = text_in(reading, columns, fields, HOLDS_LIBRARY);
    if (!*row.algorithm)
        row.algorithm = DEFAULT_ALGORITHM;
    if (*library)
        row.system =
            arena_printf(reading->arena, "%s%s%s", row.system, *row.system ? " " : "", library);
    Text time = fields->items[columns->of[HOLDS_TIME]];
    row.place = time.span;
    if (!read_ranks(reading, columns, fields, &row) ||
        !read_size(reading, columns, fields, operation, &row) ||
        !read_finish(reading, columns, fields, &row) ||
        (has(columns, HOLDS_REPEATS) &&
         !log_whole(reading, fields->items[columns->of[HOLDS_REPEATS]], &row.repeats)) ||
        !log_positive(reading, time, &row.seconds))
        return false;
    row.seconds /= 1 / columns->unit_s; /* so that 2.5 us is 2.5e-6 */
    return log_add(reading, &row);
}

/* A line without any separator is foreign. */
static LineFate take_line(LogReading *reading, const LogLine *line)
{
    const Columns *columns = reading->table;
    Fields fields;
    if (line->text.chars[0] == '#')
        return LINE_FOREIGN;
    split_fields(line->text, columns->separator, &fields);
    if (fields.count == 1)
        return LINE_FOREIGN;
    if (fields.is_open) {
        diag_error(reading->diag, fields.items[fields.count - 1].span, "this quote does not end");
        return LINE_WRONG;
    }
    if (fields.count != columns->count) {
        diag_error(reading->diag, line->text.span, "this row has %d fields, its header %d",
                   fields.count, columns->count);
        return LINE_WRONG;
    }
    return take_row(reading, columns, &fields) ? LINE_TAKEN : LINE_WRONG;
}

const LogReader log_columns = {"columns", "CSV with named columns", true, open_table, take_line};
