/* Which columns a table has: the names above it. */
#include "exchange/log_columns.h"

#include <ctype.h>
#include <string.h>

#define BENCHMARK(id, what, rises, has_digits, may_lack_newline, one, most)                        \
    {what, rises, has_digits, may_lack_newline, FINISH_##one, FINISH_##most},
const Benchmark benchmarks[BENCHMARK_COUNT] = {
#include "exchange/log_columns.def"
};
#undef HEADING

enum { MOST_NAMES = 20 };
typedef struct {
    BenchmarkId of;
    Holds holds;
    double unit;
    const char *names[MOST_NAMES + 1];
} Heading;

#define HEADING(benchmark, holds, unit, ...)                                                       \
    {BENCHMARK_##benchmark, HOLDS_##holds, unit, {__VA_ARGS__}},
static const Heading headings[] = {
#include "exchange/log_columns.def"
};
enum { HEADINGS = COUNT_OF(headings) };

LogTable log_table_new(BenchmarkId of, Span title)
{
    return (LogTable){.of = of,
                      .title = title,
                      .algorithm = DEFAULT_ALGORITHM,
                      .separator = ' ',
                      .last_size = -1,
                      .decimals = -1};
}

double log_type_size(Text type)
{
    static const struct {
        const char *name;
        double bytes;
    } types[] = {{"int8", 1},     {"uint8", 1}, {"char", 1},   {"int16", 2}, {"half", 2},
                 {"bfloat16", 2}, {"fp16", 2},  {"bf16", 2},   {"float", 4}, {"fp32", 4},
                 {"int", 4},      {"int32", 4}, {"uint32", 4}, {"int64", 8}, {"uint64", 8},
                 {"double", 8},   {"fp64", 8},  {"f8e4m3", 1}, {"f8e5m2", 1}};
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (text_equals(type, types[i].name))
            return types[i].bytes;
    return 0;
}

void log_table_end(LogReading *reading)
{
    const LogTable *table = reading->table;
    if (table && (table->operation || !table->name) && table->last_size < 0)
        log_pass_over(reading, text_plain("one without rows"), table->title);
}

LogTable *log_table_open(LogReading *reading, const LogTable *table)
{
    const LogTable *before = reading->table;
    log_table_end(reading);
    if (before && before->of == table->of && !reading->launched.program.length &&
        (table->of == BENCHMARK_IMB || table->of == BENCHMARK_CCL))
        reading->launched = before->launched; /* which prints several */
    reading->table = ARENA_COPY(reading->arena, LogTable, table, 1);
    reading->table->launched = reading->launched;
    reading->table->details = reading->launched.details;
    log_settings_add(reading, &reading->table->settings, &reading->settings);
    log_settings_add(reading, &reading->table->settings, &reading->launched.settings);
    if (!before)
        log_settings_add(reading, &reading->usual, &reading->table->settings);
    reading->launched = (LaunchedProgram){0};
    return reading->table;
}

bool log_table_has(const LogTable *table, Holds holds)
{
    return table->of_kind[holds] >= 0;
}

Holds log_table_size(const LogTable *table)
{
    return log_table_has(table, HOLDS_SIZE)  ? HOLDS_SIZE
           : table->of == BENCHMARK_REPROMPI ? HOLDS_ELEMENTS
                                             : HOLDS_BUFFER;
}

Holds log_table_time(const LogTable *table)
{
    return log_table_has(table, HOLDS_TIME)   ? HOLDS_TIME
           : log_table_has(table, HOLDS_MEAN) ? HOLDS_MEAN
                                              : HOLDS_RATE;
}

bool log_table_has_three(const LogTable *table)
{
    return log_table_has(table, HOLDS_LEAST) && log_table_has(table, HOLDS_MEAN) &&
           log_table_has(table, HOLDS_MOST);
}

/* Without quotes; a doubled quote inside of some stays double. In Markdown without what prints a
   cell in bold, or as code. */
static Text unquote(Text field, char separator)
{
    field = text_trim(field);
    while (separator == '|' && field.length > 2 && strchr("*`", field.chars[0]) &&
           field.chars[field.length - 1] == field.chars[0])
        field = text_slice(field, 1, field.length - 2);
    bool is_quoted =
        field.length >= 2 && field.chars[0] == '"' && field.chars[field.length - 1] == '"';
    return is_quoted ? text_slice(field, 1, field.length - 2) : field;
}

void log_table_split(const LogLine *line, char separator, Cells *cells)
{
    Text text = line->text;
    size_t from = 0;
    bool is_quoted = false;
    *cells = (Cells){.count = 0};
    if (separator == ' ') {
        for (int i = 0; i < line->count; i++)
            cells->items[cells->count++] = line->words[i];
        return;
    }
    if (separator == '|') { /* Markdown has bars at the ends, too */
        const size_t bar = text.length && text.chars[0] == '|';
        text = text_behind(text, bar);
        text = text_slice(text, 0, text.length - text_ends(text, "|"));
    }
    for (size_t i = 0; i <= text.length; i++) {
        /* A quote begins at the start of a field and ends there where no other quote follows. */
        if (i < text.length && text.chars[i] == '"') {
            if (!is_quoted)
                is_quoted = text_trim(text_slice(text, from, i - from)).length == 0;
            else if (i + 1 < text.length && text.chars[i + 1] == '"')
                i++;
            else
                is_quoted = false;
        }
        if (i < text.length && (is_quoted || text.chars[i] != separator))
            continue;
        if (cells->count == MOST_LOG_WORDS) {
            cells->count++;
            return;
        }
        cells->items[cells->count++] = unquote(text_slice(text, from, i - from), separator);
        from = i + 1;
    }
    cells->is_open = is_quoted;
}

static bool is_joint(char sign)
{
    return sign == ' ' || sign == '-' || sign == '_';
}

/* Is this the first `length` signs of the text? Neither case nor what joins words matters. */
static bool is_called(Text text, size_t length, const char *name)
{
    for (size_t i = 0; i < length && i < text.length; i++) {
        if (is_joint(text.chars[i]))
            continue;
        while (is_joint(*name))
            name++;
        if (!*name || tolower((unsigned char)text.chars[i]) != tolower((unsigned char)*name++))
            return false;
    }
    return !*name;
}

/* Behind names: how many of a time make a second, and how many bytes a size has. */
typedef struct {
    const char *name;
    double each, bytes;
} Unit;
static const Unit units[] = {
    {"ns", 1e9, 0},        {"us", 1e6, 0},     {"usec", 1e6, 0},  {"\xc2\xb5s", 1e6, 0},
    {"\xce\xbcs", 1e6, 0}, {"ms", 1e3, 0},     {"msec", 1e3, 0},  {"s", 1, 0},
    {"sec", 1, 0},         {"seconds", 1, 0},  {"B", 0, 0},       {"bytes", 0, 0},
    {"elements", 0, 0},    {"GB/s", 0, 0},     {"KB", 0, 0x1p10}, {"KiB", 0, 0x1p10},
    {"MB", 0, 0x1p20},     {"MiB", 0, 0x1p20}, {"GB", 0, 0x1p30}, {"GiB", 0, 0x1p30}};

/* The unit of a name, as in "median_us", "Latency (us)" or "size (B)"; NULL: it has none. *bare:
   the name without it. */
static const Unit *find_unit(Text name, Text *bare)
{
    const size_t end = name.length - (name.length > 0 && strchr(")]", name.chars[name.length - 1]));
    *bare = name;
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        const size_t length = strlen(units[i].name);
        if (end <= length + 1 ||
            !is_called(text_slice(name, end - length, length), length, units[i].name))
            continue;
        const char sign = name.chars[end - length - 1], before = name.chars[end - length - 2];
        if (end < name.length
                ? !strchr("([", sign)
                : !is_joint(sign) || is_joint(before) || units[i].each + units[i].bytes == 0)
            continue;
        *bare = text_trim(text_slice(name, 0, end - length - 1));
        return &units[i];
    }
    return NULL;
}

/* The name with which a text goes on, NULL: none; of a field the whole, behind which a unit may
   follow. */
static const char *find_name(const Heading *heading, Text text, Text bare, bool is_field)
{
    for (const char *const *name = heading->names; *name; name++)
        if (is_field ? is_called(text, text.length, *name) || is_called(bare, bare.length, *name)
                     : text_begins(text, *name) && (strlen(*name) == text.length ||
                                                    strchr(" \t", text.chars[strlen(*name)])))
            return *name;
    return NULL;
}

/* *each, of a field: how many of its unit make a second; 0: it is none of time. */
static const Heading *find_heading(BenchmarkId of, Text text, bool is_field, double *each)
{
    Text bare = text;
    const Unit *unit = is_field ? find_unit(text, &bare) : NULL;
    for (size_t i = 0; i < COUNT_OF(units) && is_field; i++)
        if (units[i].each > 0 && units[i].name[1] && is_called(text, text.length, units[i].name)) {
            unit = &units[i]; /* a unit alone, as "usec", is of a time */
            bare = text_plain("time");
        }
    if (is_field)
        *each = unit ? unit->each : 0;
    of = of == BENCHMARK_CCL ? BENCHMARK_IMB : of;
    for (size_t i = 0; i < HEADINGS; i++)
        if (headings[i].of == of && find_name(&headings[i], text, bare, is_field))
            return &headings[i];
    return NULL;
}

/* Headings have single blanks in them and more between them; a known one ends where it ends. */
static void split_headings(BenchmarkId of, Text rest, Cells *cells)
{
    *cells = (Cells){.count = 0};
    while (rest.length && cells->count < MOST_LOG_WORDS) {
        const Heading *known = find_heading(of, rest, false, NULL);
        size_t length = known ? strlen(find_name(known, rest, rest, false)) : 1;
        while (!known && length < rest.length && rest.chars[length] != '\t') {
            Text behind = text_trim(text_behind(rest, length));
            if (rest.chars[length] == ' ' &&
                (length + 1 == rest.length || strchr(" \t", rest.chars[length + 1]) ||
                 find_heading(of, behind, false, NULL)))
                break;
            length++;
        }
        cells->items[cells->count++] = text_slice(rest, 0, length);
        rest = text_trim(text_behind(rest, length));
    }
}

static bool is_time(const Heading *heading)
{
    return heading && (heading->holds == HOLDS_TIME || heading->holds == HOLDS_MEAN ||
                       heading->holds == HOLDS_MOST);
}

static bool reports_misspelt(LogReading *reading, Text name)
{
    const char *known[HEADINGS * MOST_NAMES];
    size_t count = 0;
    for (size_t i = 0; i < HEADINGS; i++)
        for (const char *const *one = headings[i].names; *one; one++)
            if (headings[i].of == BENCHMARK_CSV && headings[i].holds > HOLDS_SUBJECT &&
                !is_time(&headings[i]) && tolower((unsigned char)*name.chars) == **one)
                known[count++] = *one; /* a slip seldom hits the first letter */
    const char *nearest = diag_nearest(name.chars, name.length, known, count);
    size_t length = nearest ? strlen(nearest) : 0;
    bool is_longer = nearest && name.length > length + 2 &&
                     is_called(text_slice(name, name.length - length, length), length, nearest);
    if (name.length <= 3 || length <= 3 || is_longer) /* "segsize" is not meant to be "size" */
        return false;
    diag_error(reading->diag, name.span, "unknown column '%.*s'", TEXT_ARGS(name));
    diag_note(reading->diag, NOWHERE, "did you mean '%s'?", nearest);
    return true;
}

/* The best time of a table of CSV. False after a report: its unit is not named. */
static bool choose_time(LogReading *reading, LogTable *table, const Cells *cells)
{
    const Heading *best = NULL, *best_unknown = NULL;
    Text unknown = {0};
    for (int i = 0; i < cells->count; i++) {
        double each;
        const Heading *time = find_heading(BENCHMARK_CSV, cells->items[i], true, &each);
        if (time && (time->holds == HOLDS_LEAST || time->holds == HOLDS_MOST))
            table->units[time->holds] = table->of_kind[time->holds] == i ? each : 0;
        if (!is_time(time))
            continue;
        table->holds[i] = HOLDS_OTHER;
        if (each == 0 && reading->facts->unit_s > 0)
            each = 1 / reading->facts->unit_s;
        if (each > 0 && (!best || time < best)) {
            best = time;
            table->of_kind[HOLDS_TIME] = i;
            table->units[HOLDS_TIME] = each;
            table->finish = time->holds == HOLDS_MEAN ? FINISH_MEAN : FINISH_LAST;
        } else if (each == 0 && (!best_unknown || time < best_unknown)) {
            best_unknown = time;
            unknown = cells->items[i];
        }
    }
    table->of_kind[HOLDS_MEAN] = -1;
    if (!best)
        table->of_kind[HOLDS_TIME] = -1;
    return log_table_has(table, HOLDS_TIME) || !unknown.length ||
           diag_error(reading->diag, unknown.span,
                      "this column does not name its unit, as %.*s_us would: give --unit",
                      TEXT_ARGS(unknown));
}

/* Does the name say that the numbers of a column may differ between repeats, as "MinLatency"? */
static bool is_statistic(Text name)
{
    static const char *const parts[] = {"lat", "time", "min", "max",  "avg",  "mean",
                                        "std", "dev",  "bw",  "band", "gbps", "err"};
    char small[64] = "";
    for (size_t i = 0; i < name.length && i + 1 < sizeof small; i++)
        small[i] = (char)tolower((unsigned char)name.chars[i]);
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (strstr(small, parts[i]))
            return true;
    return false;
}

/* Which columns there are. False after a report: a name is there twice, or nearly a known one. */
static bool place_columns(LogReading *reading, LogTable *table, const Cells *cells)
{
    const bool is_csv = table->of == BENCHMARK_CSV;
    int groups = 0;
    table->count = cells->count;
    for (int kind = 0; kind < HOLDS_KINDS; kind++)
        table->of_kind[kind] = -1;
    for (int i = 0; i < cells->count; i++) {
        double each = 0;
        Text name = table->headings[i] = cells->items[i];
        const Heading *known = find_heading(table->of, name, table->separator != ' ', &each);
        bool is_number = !known && is_csv && (each > 0 || is_statistic(name));
        const bool is_bus = is_csv && strcasestr(text_string(reading->arena, name), "busbw");
        Holds holds = known                  ? known->holds
                      : is_bus               ? HOLDS_PIPED
                      : is_csv && !is_number ? HOLDS_WORDS
                                             : HOLDS_OTHER;
        if (is_csv && !name.length) {
            if (i > 0 && i + 1 < cells->count)
                return diag_error(reading->diag, name.span, "this column has no name");
            holds = HOLDS_OTHER; /* the numbers of the rows, or what is behind the last comma */
        }
        groups += holds == HOLDS_TIME;
        table->holds[i] = holds == HOLDS_SUBJECT ? HOLDS_WORDS : holds;
        if (is_csv && !known && name.length && reports_misspelt(reading, name))
            return false;
        for (int before = 0; before < i; before++)
            if (known && table->of != BENCHMARK_NCCL && table->of != BENCHMARK_UCC &&
                text_same(cells->items[before], name))
                return diag_error(reading->diag, name.span, "there are two columns '%.*s'",
                                  TEXT_ARGS(name));
        if (table->of_kind[holds] < 0 || (table->is_in_place_first && groups == 2)) {
            table->of_kind[holds] = i;
            Text bare;
            const Unit *unit = is_csv ? find_unit(name, &bare) : NULL;
            table->units[holds] =
                (known ? known->unit : 1) * (unit && unit->bytes > 0 ? unit->bytes : 1);
        }
    }
    if (is_csv && log_table_has(table, HOLDS_NODES) && log_table_has(table, HOLDS_RANKS) &&
        !log_table_has(table, HOLDS_PER_NODE)) {
        const Text name = cells->items[table->of_kind[HOLDS_RANKS]];
        if (text_holds(name, "gpu") && !text_begins(name, "total"))
            return diag_error(reading->diag, name.span,
                              "of all nodes, or of each? Call this column ranks, or gpus_per_node");
    }
    return !is_csv || choose_time(reading, table, cells);
}

/* Signs between fields; ' ' where the line has none. */
static char separator_of(const LogLine *line)
{
    static const char signs[] = ",;\t|";
    if (line->text.chars[0] == '|')
        return '|';
    for (size_t i = 0; i < sizeof signs - 1; i++)
        if (memchr(line->text.chars, signs[i], line->text.length))
            return signs[i];
    return ' ';
}

uint64_t log_shape(const LogLine *line)
{
    enum { PRIME = 31 };
    const char separator = separator_of(line);
    uint64_t shape = (uint64_t)separator;
    bool has_time = false;
    Cells cells;
    log_table_split(line, separator, &cells);
    for (int i = 0; i < cells.count && i < MOST_LOG_WORDS; i++) {
        const bool is_number = log_is_numeric(cells.items[i]);
        const int decimals = is_number && separator == ' ' ? log_decimals(cells.items[i]) : 0;
        shape = PRIME * shape + is_number + (uint64_t)decimals;
        has_time |= separator == ' ' ? decimals > 0 : is_number && cells.count > 1;
    }
    return has_time && line->text.chars[0] != '#' ? shape : 0;
}

/* CSV: a time, a size or a collective, and no field is a number. */
static LineFate name_fields(LogReading *reading, LogTable *table, const Cells *cells)
{
    bool has_subject = false, has_time = false, is_prose = false;
    double each;
    if (cells->count < 2 || cells->count > MOST_LOG_WORDS || table->separator == ' ')
        return LINE_FOREIGN;
    for (int i = 0; i < cells->count; i++)
        if (log_is_numeric(cells->items[i]) || text_begins(cells->items[i], "--"))
            return LINE_FOREIGN;
    for (int i = 0; i < cells->count; i++) {
        const Heading *known = find_heading(BENCHMARK_CSV, cells->items[i], true, &each);
        has_subject |= known && (known->holds == HOLDS_COLLECTIVE || known->holds == HOLDS_SIZE ||
                                 known->holds == HOLDS_BUFFER || known->holds == HOLDS_RANKS);
        has_time |= is_time(known);
        const char *blank = memchr(cells->items[i].chars, ' ', cells->items[i].length);
        is_prose |= blank && blank[1] != '(';
    }
    if (has_subject && has_time)
        return place_columns(reading, table, cells) ? LINE_TAKEN : LINE_WRONG;
    if (cells->count > 2 && !is_prose && !reading->lacking) {
        reading->incomplete = cells->items[0];
        reading->lacking =
            has_time ? "a size (bytes), a collective or ranks" : "a time with its unit (median_us)";
    }
    return LINE_FOREIGN;
}

LineFate log_table_name_columns(LogReading *reading, LogTable *table, const LogLine *line)
{
    Cells cells;
    Text text = line->text;
    double each;
    char separator = separator_of(line);
    const bool is_pico = table->of == BENCHMARK_PICO;
    LogLine fields = *line;
    if (table->of == BENCHMARK_CSV && *text.chars == '#')
        fields.text = text_trim(text_behind(text, 1));
    table->separator = table->of == BENCHMARK_CSV || is_pico || separator == '|' ? separator : ' ';
    table->mark = line->mark;
    table->finish = benchmarks[table->of].one;
    if (table->of == BENCHMARK_UCC) { /* Count and Size stand in the line above */
        if (!text_begins(text, "avg"))
            return LINE_FOREIGN;
        text.chars = arena_printf(reading->arena, "Count Size %.*s", TEXT_ARGS(text));
        text = (Text){text.chars, strlen(text.chars), text.span, false};
    }
    if (table->separator != ' ') {
        log_table_split(&fields, separator, &cells);
    } else {
        if (text.length > 1 && text.chars[0] == '#' &&
            (strchr(" \t", text.chars[1]) || table->of == BENCHMARK_OSU))
            text = text_trim(text_behind(text, 1));
        if (!find_heading(table->of, text, false, NULL))
            return LINE_FOREIGN;
        split_headings(table->of, text, &cells);
    }
    if (table->of == BENCHMARK_CSV)
        return name_fields(reading, table, &cells);
    for (int i = 0; i < (is_pico ? 1 : cells.count) && table->separator != ' '; i++)
        if (!find_heading(table->of, cells.items[i], true, &each))
            return LINE_FOREIGN;
    for (int i = 0; i < cells.count; i++)
        if (log_is_numeric(cells.items[i]) && !find_heading(table->of, cells.items[i], false, NULL))
            return WRONG_LINE(reading->diag, cells.items[i].span,
                              "a number among the names of columns: have two lines run together?");
    if (!place_columns(reading, table, &cells))
        return LINE_WRONG;
    if (log_table_has_three(table))
        table->finish = benchmarks[table->of].most;
    if (is_pico) /* the slowest rank, and each of them */
        table->p = cells.count - 1;
    return LINE_TAKEN;
}
