#include "exchange/measurement.h"

#include "base/buffer.h"
#include "base/limits.h"
#include "base/watch.h"
#include "exchange/json_tree.h"
#include "exchange/log_columns.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What programs, libraries and launchers print when a run has failed. */
static const char *const failures[] = {
    "Test failure",     "NCCL failure",    "MPI_ABORT",         "MPI_Abort",       "Segmentation",
    "Out of memory",    "CANCELLED AT",    "DUE TO TIME LIMIT", "BAD TERMINATION", "FAILED",
    "Assertion failed", "Failure running", "srun: error:",      "*** An error",    "Fatal error in",
    "exited on signal", "oom_kill",        "core dumped",       "Bus error",       "step aborted",
    "CUDA failure",     "Caught signal",
};

static bool check_failures(LogReading *reading, Text text)
{
    for (size_t i = 0; i < COUNT_OF(failures); i++) {
        const size_t length = strlen(failures[i]);
        const char *found = memmem(text.chars, text.length, failures[i], length);
        if (found)
            return diag_error(reading->diag, text_span(text, (size_t)(found - text.chars), length),
                              "the run that wrote this log failed");
    }
    return true;
}

/* A row of a table without a title: what was started before has printed it. */
static bool is_lost_row(const LogLine *line)
{
    for (int i = 0; i < line->count; i++)
        if (!log_is_numeric(line->words[i]) || !log_is_cell(line->words[i]))
            return false;
    return line->count > 1;
}

static bool note_launched(LogReading *reading, const LogLine *line)
{
    LaunchedProgram launched, *before = &reading->launched;
    if (!launcher_find(line, &launched))
        return false;
    if (launched.element == 0)
        launched.element = before->element;
    for (const Text *word = line->words; word < line->words + line->count; word++)
        if (word->length == 1 && strchr("DHM", *word->chars))
            launched.details = log_join(reading, launched.details, "%c", *word->chars);
    if (!before->program.length || text_begins(launched.program, "#@"))
        launched.settings = before->settings;
    log_settings_take(reading, &launched.settings, line);
    launched.has_rival = before->has_rival ||
                         (before->program.length && !text_same(before->program, launched.program));
    *before = launched;
    return true;
}

/* A row that no table takes looks like one of a table. False after a report. */
static bool note_shape(LogReading *reading, const LogLine *line, bool is_row)
{
    enum { MOST_SHAPES = 64 };
    const LogTable *table = reading->table;
    if (is_row && table && table->rows > MOST_SHAPES)
        return true;
    const uint64_t shape = log_shape(line);
    const Text text = line->text;
    LineShapes *shapes = &reading->shapes;
    if (!shape || (!is_row && table && table->name && !table->operation)) /* passed over */
        return true;
    for (size_t i = 0; i < shapes->count; i++)
        if (shapes->items[i].shape == shape)
            return shapes->items[i].is_row == is_row ||
                   diag_error(reading->diag, is_row ? shapes->items[i].place : text.span,
                              "no table has this row: is the line lost that names its columns?");
    if (shapes->count < MOST_SHAPES)
        *ARRAY_PUSH(reading->arena, shapes) = (LineShape){shape, text.span, is_row};
    if (!is_row && (is_lost_row(line) || operation_find(line->words[0])))
        log_pass_over(reading, text_plain("rows without a heading"), text.span);
    return true;
}

static bool read_line(LogReading *reading, const LogLine *line)
{
    enum { LONGEST_HEADING = 60 }; /* "np=8"; warnings are longer, times have a point */
    if (line->count == 0) {
        if (reading->table && reading->table->last_size >= 0)
            reading->table->is_closed = true;
        return true;
    }
    if (!check_failures(reading, line->text))
        return false;
    nccl_facts_note(reading, line);
    LogTable *table = reading->table;
    if (!(table && table->count && log_is_numeric(line->words[0])) && note_launched(reading, line))
        return true;
    log_settings_note(reading, table && !table->count ? &table->settings : NULL, line);
    if (is_lost_row(line))
        reading->launched = (LaunchedProgram){0};
    LineFate fate = benchmark_open(reading, line);
    if (table && table != reading->table && !log_table_check(reading, table))
        return false;
    if (table != reading->table) {
        reading->table->above = reading->above;
        reading->above = (Text){0};
    }
    table = reading->table;
    const bool is_read = table && (table->operation || !table->name);
    if (fate == LINE_FOREIGN && is_read)
        fate = benchmark_take(reading, table, line);
    if (fate == LINE_FOREIGN && table && table->count)
        fate = log_table_take(reading, table, line);
    else if (fate == LINE_FOREIGN && is_read && log_shape(line) &&
             (log_is_numeric(*line->words) || text_ends(*line->words, "=")) &&
             log_is_numeric(line->words[line->count - 1]))
        return diag_error(reading->diag, line->text.span,
                          "a row before the line that names the columns");
    if (fate == LINE_FOREIGN && *line->text.chars != '[' && line->text.length < LONGEST_HEADING &&
        !text_holds(line->text, "."))
        reading->above = line->text;
    return fate != LINE_WRONG && note_shape(reading, line, fate == LINE_TAKEN);
}

static void report_nothing(const LogReading *reading)
{
    const char *names = "";
    for (int i = 0; i < BENCHMARK_COUNT; i++)
        names = log_join(reading, names, "%s", benchmarks[i].what);
    if (reading->unread)
        diag_error(reading->diag, reading->unread_place, "nothing in this log is read: it has %s",
                   reading->unread);
    else if (reading->table && reading->table->count && reading->table->last_size < 0)
        diag_error(reading->diag, reading->table->title, "this table has no rows");
    else
        diag_error(reading->diag, (Span){reading->source, 0, 0},
                   "this log has no rows of a benchmark");
    if (!reading->unread && reading->lacking)
        diag_note(reading->diag, reading->incomplete.span,
                  "what seem to be names of columns here lack %s", reading->lacking);
    if (!reading->table)
        diag_note(reading->diag, NOWHERE, "logs of these are read: %s and NCCL's Inspector", names);
}

/* A last line without an end can be cut off, and then its row may be wrong. Behind a newline the
   last line is empty. */
static bool is_cut_off(const LogReading *reading, const LogLine *line, size_t rows_before)
{
    const Source *source = reading->source;
    const LogTable *table = reading->table;
    if (reading->rows->count == rows_before || source->text[source->length - 1] == '\r')
        return false;
    /* Tables of CSV can end without a newline. A last cell that was cut off is not that of the
       first row, and has fewer digits. */
    if (table && benchmarks[table->of].may_lack_newline && table->first) {
        Cells cells;
        log_table_split(line, table->separator, &cells);
        const Text last = cells.items[cells.count - 1],
                   first = table->first->items[cells.count - 1];
        if (text_same(last, first) ||
            (log_decimals(last) > 0 && log_decimals(last) == log_decimals(first)))
            return false;
    }
    diag_error(reading->diag, reading->rows->items[reading->rows->count - 1].place,
               "the last line has no end, so this log may be cut off here");
    diag_note(reading->diag, NOWHERE, "if it is complete, add a newline");
    return true;
}

static Text line_of(const Source *source, size_t i)
{
    const size_t mark = i == 0 ? source_mark(source) : 0, from = source->line_starts[i];
    size_t length;
    const char *chars = source_line(source, from, &length);
    length -= mark;
    return (Text){chars + mark, length, {source, from + mark, length}, true};
}

/* How cat -n, nl, or grep -n has numbered all lines. */
typedef struct {
    Text file; /* what stands before a number, and ':' */
    char sign; /* behind it; '\0': lines have none */
    long last; /* negative: there was none */
} Numbering;

/* Leaves what stands behind the number of a line, which must be above the last one. */
static bool cut_number(Numbering *numbering, Text *line)
{
    Text text = text_trim(*line), file = {0};
    if (!log_is_numeric(text))
        text_split(text, ':', &file, &text);
    char *end;
    const long number = strtol(text.chars, &end, 10);
    const size_t length = (size_t)(end - text.chars), behind = length + (length < text.length);
    if (numbering->last < 0)
        numbering->file = file;
    if (!numbering->sign && behind > length && strchr(" \t:|", *end))
        numbering->sign = *end;
    if (!log_is_numeric(text) || number <= numbering->last || !text_same(file, numbering->file) ||
        (behind > length && *end != numbering->sign))
        return false;
    numbering->last = number;
    *line = text_behind(text, behind);
    return true;
}

static Numbering find_numbering(const Source *source)
{
    Numbering found = {.last = -1};
    for (size_t i = 0; i < source->line_count; i++) {
        Text line = line_of(source, i);
        if (text_trim(line).length && !cut_number(&found, &line))
            return (Numbering){.sign = '\0'};
    }
    found.last = -1;
    return found;
}

/* Strings of programs and JSON have "\\n" where a line ends; no letter follows it. */
static Text cut_part(Text *text)
{
    const char *limit = text->chars + text->length,
               *end = memmem(text->chars, text->length, "\\n", 2);
    while (end && isalpha((unsigned char)end[2]))
        end = memmem(end + 2, (size_t)(limit - end) - 2, "\\n", 2);
    const size_t length = (size_t)((end ? end : limit) - text->chars);
    const Text part = text_slice(*text, 0, length);
    *text = end ? text_slice(*text, length + 2, text->length - length - 2) : (Text){.chars = ""};
    return part;
}

static bool read_lines(LogReading *reading)
{
    const Source *source = reading->source;
    Numbering numbering = find_numbering(source);
    LogLine line;
    for (size_t i = 0; i < source->line_count; i++) {
        if (i % 1024 == 0)
            watch_step(reading->arena, "lines of a log", (int64_t)i, (int64_t)source->line_count);
        const size_t rows = reading->rows->count;
        Text text = line_of(source, i);
        if (numbering.sign)
            cut_number(&numbering, &text);
        do {
            log_split_line(reading, cut_part(&text), &line);
            if (!read_line(reading, &line))
                return false;
        } while (strspn(text.chars, "\",") < text.length); /* more than the end of a string */
        if (i + 1 == source->line_count && is_cut_off(reading, &line, rows))
            return false;
    }
    return !reading->table || log_table_check(reading, reading->table);
}

static bool read_as_line(LogReading *reading, const JsonValue *place, const char *text)
{
    const Text whole = {text, strlen(text), place->text.span, false};
    LogLine line;
    log_split_line(reading, whole, &line);
    return read_line(reading, &line);
}

/* A result of nccl-tests in JSON, as the row that they print. */
static bool read_result(LogReading *reading, const JsonValue *result)
{
    static const char *const keys[] = {"size", "count",  "type",   "redop", "root",
                                       "time", "alg_bw", "bus_bw", "nwrong"};
    const JsonValue *body = json_tree_get(result, "out_of_place");
    const Text size = json_tree_text(result, "size");
    const char *row = "";
    if (!log_is_numeric(size))
        return diag_error(reading->diag, size.length ? size.span : result->text.span,
                          "expected the size of a result");
    for (size_t i = 0; body && body->kind == JSON_OBJECT && i < COUNT_OF(keys); i++) {
        const Text text = json_tree_text(i < 5 ? result : body, keys[i]);
        row = text_equals(text, "null")
                  ? arena_printf(reading->arena, "%s N/A", row)
                  : arena_printf(reading->arena, "%s %.*s", row, TEXT_ARGS(text));
    }
    return read_as_line(reading, result, row);
}

/* What nccl-tests write to a file with -J. LINE_FOREIGN: it is none of it. */
static LineFate read_json(LogReading *reading)
{
    const Source *source = reading->source;
    size_t at = source_mark(source);
    JsonFault fault;
    if (at == source->length || source->text[at] != '{' ||
        !strstr(source->text, "\"out_of_place\""))
        return LINE_FOREIGN;
    const JsonValue *root = json_tree_parse(
        reading->arena, source, (JsonDialect){.depth = LIMIT_DEPTH, .from = &at}, &fault);
    if (!root)
        return WRONG_LINE(reading->diag, fault.span, "%s", fault.text);
    const JsonValue *program = json_tree_find(root, "args"),
                    *devices = json_tree_find(root, "devices"),
                    *results = json_tree_find(root, "results");
    if (!program || !program->count || !devices || !results)
        return WRONG_LINE(reading->diag, root->text.span,
                          "expected 'args', 'devices' and 'results' of nccl-tests");
    const Text name = log_without_folder(program->values[0]->text);
    bool good = read_as_line(
        reading, program,
        arena_printf(reading->arena, "# Collective test starting: %.*s", TEXT_ARGS(name)));
    for (size_t i = 0; i < devices->count && good; i++)
        good =
            read_as_line(reading, devices->values[i],
                         arena_printf(reading->arena, "# Rank %zu on %.*s", i,
                                      TEXT_ARGS(json_tree_text(devices->values[i], "hostname"))));
    good = good &&
           read_as_line(reading, results, "# size count type redop root time algbw busbw #wrong");
    for (size_t i = 0; i < results->count && good; i++)
        good = read_result(reading, results->values[i]);
    return good ? LINE_TAKEN : LINE_WRONG;
}

/* An object of a list as a line of CSV: its names, or what it has under those of the first one.
   NULL: it is no row. */
static const char *line_of_object(LogReading *reading, const JsonValue *first,
                                  const JsonValue *object, bool is_names)
{
    Buffer line = {.arena = reading->arena};
    if (object->kind != JSON_OBJECT || first->count < 2 || first->count > MOST_LOG_WORDS ||
        object->count > MOST_LOG_WORDS)
        return NULL;
    for (size_t i = 0; i < first->count; i++) {
        const Text key = first->keys[i]->text;
        const JsonValue *value = json_tree_get(object, text_string(reading->arena, key));
        if (value && (value->kind <= JSON_ARRAY || text_holds(value->text, "\n")))
            return NULL; /* the latter is what a program printed */
        const Text cell = is_names ? key : value ? value->text : text_plain("");
        const bool is_empty = !is_names && text_equals(cell, "null");
        buffer_printf(&line, "%s\"", i ? "," : "");
        for (size_t c = 0; c < cell.length && !is_empty; c++)
            buffer_printf(&line, cell.chars[c] == '"' ? "\"\"" : "%c", cell.chars[c]);
        buffer_printf(&line, "\"");
    }
    for (size_t i = 0; i < object->count; i++)
        if (!json_tree_get(first, text_string(reading->arena, object->keys[i]->text)))
            return NULL;
    return text_string(reading->arena, (Text){.chars = line.items, .length = line.count});
}

/* Objects in a list, or one behind the other, which are the rows of a table. LINE_FOREIGN: it is
   none of it. */
static LineFate read_objects(LogReading *reading)
{
    const Source *source = reading->source;
    size_t at = source_mark(source);
    const JsonValue *first = NULL;
    JsonFault fault;
    if (at == source->length || !strchr("[{", source->text[at]))
        return LINE_FOREIGN;
    const size_t inner = at + 1 + strspn(source->text + at + 1, " \t\r\n");
    const bool is_list_of_objects = source->text[at] == '[' && source->text[inner] == '{';
    while (at < source->length) {
        const JsonValue *value = json_tree_parse(
            reading->arena, source, (JsonDialect){.depth = LIMIT_DEPTH, .from = &at}, &fault);
        if (!value)
            return first || is_list_of_objects
                       ? WRONG_LINE(reading->diag, fault.span, "%s", fault.text)
                       : LINE_FOREIGN;
        const bool is_list = value->kind == JSON_ARRAY;
        for (size_t i = 0; i < (is_list ? value->count : 1); i++) {
            const JsonValue *object = is_list ? value->values[i] : value;
            const bool is_first = !first;
            first = first ? first : object;
            const char *cells = line_of_object(reading, first, object, false);
            if (!cells && is_first)
                return LINE_FOREIGN;
            if (!cells)
                return WRONG_LINE(reading->diag, object->text.span,
                                  "this is no row like the first object, with the same names");
            if ((is_first &&
                 !read_as_line(reading, object, line_of_object(reading, first, object, true))) ||
                !read_as_line(reading, object, cells))
                return LINE_WRONG;
        }
        while (at < source->length && isspace((unsigned char)source->text[at]))
            at++;
    }
    return LINE_TAKEN;
}

bool log_read(Arena *arena, const Source *source, const LogFacts *facts, MeasurementArray *rows,
              Diag *diag)
{
    LogReading reading = {
        .arena = arena, .source = source, .facts = facts, .rows = rows, .diag = diag};
    size_t before = rows->count;
    LineFate fate = inspector_read(&reading);
    if (fate == LINE_FOREIGN)
        fate = read_json(&reading);
    if (fate == LINE_FOREIGN)
        fate = read_objects(&reading);
    if (fate == LINE_WRONG || (fate == LINE_FOREIGN && !read_lines(&reading)))
        rows->count = before;
    else if (rows->count == before)
        report_nothing(&reading);
    else
        log_table_end(&reading);
    if (rows->count > before && reading.unread)
        diag_warning(diag, reading.unread_place, "these tables are not read: %s", reading.unread);
    return rows->count > before;
}
