#include "format/table.h"

#include "base/limits.h"
#include "base/quantity.h"
#include "base/utf8.h"
#include "format/paper.h"
#include "format/text_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const format_names[FORMAT_COUNT] = {"text", "csv", "json", "markdown", "latex", "html"};

Format format_find(Text name)
{
    int format = 0;
    while (format < FORMAT_COUNT && strcasecmp(name.chars, format_names[format]) != 0)
        format++;
    return (Format)format;
}

const KeyInfo key_info[KEY_COUNT] = {
#define HOMONYM(id, key, kind, meaning) [KEY_##id] = {key, COLUMN_##kind, meaning},
#include "format/keys.def"
};

#define TABLE(id, meaning) static const Column columns_of_##id[] = {
#define RECORD(id, meaning) TABLE(id, meaning)
#define COLUMN(key, title) {KEY_##key, title, SEEN_BY_ALL, false, TABLE_COUNT},
#define MAYBE(key, title) {KEY_##key, title, SEEN_BY_ALL, true, TABLE_COUNT},
#define SHOWN(key, title) {KEY_##key, title, SEEN_BY_PEOPLE, true, TABLE_COUNT},
#define OPTIONAL(key, title) {KEY_##key, title, SEEN_OPTIONALLY, true, TABLE_COUNT},
#define IN_CSV(key, title) {KEY_##key, title, SEEN_IN_CSV, true, TABLE_COUNT},
#define ROWS(key, table) {KEY_##key, NULL, SEEN_BY_ALL, false, TABLE_##table},
#define END                                                                                        \
    }                                                                                              \
    ;
#include "format/tables.def"

#define INFO(id, meaning, is_record)                                                               \
    [TABLE_##                                                                                      \
        id] = {#id, meaning, is_record, columns_of_##id, sizeof columns_of_##id / sizeof(Column)},
const TableInfo table_info[TABLE_COUNT] = {
#define TABLE(id, meaning) INFO(id, meaning, false)
#define RECORD(id, meaning) INFO(id, meaning, true)
#include "format/tables.def"
};

ARRAY_TYPE(StringArray, const char *);

typedef struct {
    bool is_put;
    const char *text;
    const char *const *list;
    size_t list_count;
    double number;
    const char *shown; /* for people, instead of the value; or NULL */
} Cell;

/* A column of an open table. */
typedef struct {
    const char *key, *title; /* NULL: not for programs; not for people */
    ColumnKind kind;
} Field;

struct Table {
    Arena *arena;
    FILE *stream;
    Format format;
    const TableInfo *info;
    Field *fields;
    Cell *cells, *kept; /* of the row that is being made; what stands in it from the beginning */
    size_t column_count, row_count, width;
    bool drops_empty, marks_first;
    size_t begun;      /* columns of the JSON object that are written already */
    bool has_fields;   /* any of them for programs */
    StringArray shown; /* for people: what stands in each cell, row by row */
};

/* A table without the column, or with one of another kind, is a mistake in the program. */
static size_t find_column(const Table *table, Key key)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (table->info->columns[i].key == key)
            return i;
    abort();
}

static Cell *find_cell(Table *table, Key key, bool is_of_kind)
{
    if (!is_of_kind)
        abort();
    Cell *cell = &table->cells[find_column(table, key)];
    cell->is_put = true;
    return cell;
}

static bool is_text(ColumnKind kind)
{
    return kind == COLUMN_TEXT || kind == COLUMN_FORMULA;
}

static bool is_number(ColumnKind kind)
{
    return !is_text(kind) && kind != COLUMN_LIST && kind != COLUMN_BOOL && kind != COLUMN_VALUE &&
           kind != COLUMN_ROWS;
}

void put_text(Table *table, Key key, const char *text)
{
    Cell *cell = find_cell(table, key, is_text(key_info[key].kind));
    cell->text = text;
    cell->is_put = text != NULL;
}

void put_number(Table *table, Key key, double number)
{
    Cell *cell = find_cell(table, key, is_number(key_info[key].kind));
    cell->number = number;
    cell->is_put = isfinite(number);
}

void put_bool(Table *table, Key key, bool value)
{
    find_cell(table, key, key_info[key].kind == COLUMN_BOOL)->number = value;
}

void put_list(Table *table, Key key, const char *const *items, size_t count)
{
    Cell *cell = find_cell(table, key, key_info[key].kind == COLUMN_LIST);
    cell->list = items;
    cell->list_count = count;
}

void put_shown(Table *table, Key key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (table->format != FORMAT_CSV && table->format != FORMAT_JSON)
        table->cells[find_column(table, key)].shown =
            arena_vprintf(table->arena, format, arguments);
    va_end(arguments);
}

void json_string(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const unsigned char *byte = (const unsigned char *)text; *byte; byte++) {
        if (*byte == '"' || *byte == '\\')
            fprintf(stream, "\\%c", *byte);
        else if (*byte < 0x20)
            fprintf(stream, "\\u%04x", *byte);
        else
            fputc(*byte, stream);
    }
    fputc('"', stream);
}

void json_number(FILE *stream, double number)
{
    if (!isfinite(number))
        fputs("null", stream);
    else
        fputs(number_exactly(number, (char[LONGEST_NUMBER]){0}), stream);
}

static void write_json_cell(FILE *stream, ColumnKind kind, const Cell *cell)
{
    if (!cell->is_put) {
        fputs("null", stream);
    } else if (is_text(kind)) {
        json_string(stream, cell->text);
    } else if (kind == COLUMN_LIST) {
        fputc('[', stream);
        for (size_t i = 0; i < cell->list_count; i++) {
            fputs(i ? ", " : "", stream);
            json_string(stream, cell->list[i]);
        }
        fputc(']', stream);
    } else if (kind == COLUMN_BOOL) {
        fputs(cell->number != 0 ? "true" : "false", stream);
    } else {
        json_number(stream, cell->number);
    }
}

/* The columns from the first that is not written yet up to one of them. */
static void write_json_fields(Table *table, size_t end)
{
    for (; table->begun < end; table->begun++) {
        const Field *field = &table->fields[table->begun];
        if (!field->key)
            continue;
        fputs(table->has_fields ? ", " : "{", table->stream);
        table->has_fields = true;
        json_string(table->stream, field->key);
        fputs(": ", table->stream);
        if (field->kind != COLUMN_ROWS)
            write_json_cell(table->stream, field->kind, &table->cells[table->begun]);
    }
}

static void write_json_object(Table *table)
{
    write_json_fields(table, table->column_count);
    fputc('}', table->stream);
    table->begun = 0;
    table->has_fields = false;
}

/* RFC 4180: fields with a comma, a quote or a line break are quoted. */
static void write_csv_text(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : (char[2]){*text, '\0'}, stream);
    fputc('"', stream);
}

static const char *join_list(Arena *arena, const Cell *cell)
{
    const char *joined = "";
    for (size_t i = 0; i < cell->list_count; i++)
        joined = arena_printf(arena, "%s%s%s", joined, i ? " " : "", cell->list[i]);
    return joined;
}

static void write_csv_cell(Table *table, ColumnKind kind, const Cell *cell)
{
    if (!cell->is_put)
        return;
    if (is_text(kind))
        write_csv_text(table->stream, cell->text);
    else if (kind == COLUMN_LIST)
        write_csv_text(table->stream, join_list(table->arena, cell));
    else if (kind == COLUMN_BOOL)
        fputs(cell->number != 0 ? "true" : "false", table->stream);
    else
        fputs(number_exactly(cell->number, (char[LONGEST_NUMBER]){0}), table->stream);
}

static void write_csv_row(Table *table, bool is_header)
{
    const char *before = "";
    for (size_t i = 0; i < table->column_count; i++)
        if (table->fields[i].key) {
            fputs(before, table->stream);
            before = ",";
            if (is_header)
                fputs(table->fields[i].key, table->stream);
            else
                write_csv_cell(table, table->fields[i].kind, &table->cells[i]);
        }
    fputc('\n', table->stream);
}

static const char *show_cell(Arena *arena, ColumnKind kind, const Cell *cell)
{
    if (cell->shown)
        return cell->shown;
    if (!cell->is_put)
        return "-";
    const bool is_short =
        fabs(cell->number) < 0x1p53 && cell->number == floor(cell->number) && cell->number != 0;
    switch (kind) {
    case COLUMN_TEXT:
    case COLUMN_FORMULA:
        return cell->text;
    case COLUMN_LIST:
        return join_list(arena, cell);
    case COLUMN_INT:
        return is_short ? arena_printf(arena, "%lld", (long long)cell->number)
                        : arena_printf(arena, "%.0f", cell->number);
    case COLUMN_REAL:
        return arena_printf(arena, "%.10g", cell->number);
    case COLUMN_SECONDS:
        return quantity_show_time(arena, cell->number);
    case COLUMN_BYTES:
        return quantity_show_bytes(arena, cell->number);
    case COLUMN_BANDWIDTH:
        return quantity_show_bandwidth(arena, cell->number);
    case COLUMN_RATIO:
        return arena_printf(arena, "%.3f", cell->number);
    case COLUMN_SHARE:
        return quantity_show_share(arena, cell->number);
    default:
        return cell->number != 0 ? "yes" : "no";
    }
}

static bool is_for_documents(Format format)
{
    return format == FORMAT_MARKDOWN || format == FORMAT_LATEX || format == FORMAT_HTML;
}

Table *table_open(Arena *arena, FILE *stream, Format format, TableId id)
{
    const TableInfo *info = &table_info[id];
    Table *table = ARENA_NEW(arena, Table);
    *table = (Table){.arena = arena,
                     .stream = stream,
                     .format = format,
                     .info = info,
                     .fields = ARENA_ARRAY(arena, Field, info->column_count),
                     .cells = ARENA_ARRAY(arena, Cell, info->column_count),
                     .kept = ARENA_ARRAY(arena, Cell, info->column_count),
                     .column_count = info->column_count};
    for (size_t i = 0; i < info->column_count; i++) {
        const Column *column = &info->columns[i];
        const KeyInfo *key = &key_info[column->key];
        bool stands_alone = format == FORMAT_CSV || is_for_documents(format);
        bool is_hidden =
            column->use == SEEN_OPTIONALLY || (column->use == SEEN_IN_CSV && !stands_alone);
        table->fields[i] = (Field){is_hidden || column->use == SEEN_BY_PEOPLE ? NULL : key->name,
                                   is_hidden ? NULL : column->title, key->kind};
    }
    return table;
}

void table_include(Table *table, Key key)
{
    size_t i = find_column(table, key);
    table->fields[i].key = key_info[key].name;
    table->fields[i].title = table->info->columns[i].title;
}

void table_fit(Table *table, size_t width, bool drops_empty)
{
    table->width = width;
    table->drops_empty = drops_empty;
}

void table_mark_first(Table *table)
{
    table->marks_first = true;
}

void table_hide(Table *table, Key key)
{
    size_t i = find_column(table, key);
    table->fields[i].key = table->fields[i].title = NULL;
}

void table_title(Table *table, Key key, const char *title)
{
    table->fields[find_column(table, key)].title = title;
}

static const char too_many_rows[] = "this answer has too many rows";

void table_row(Table *table)
{
    bool is_first = table->row_count == 0;
    if (table->row_count == LIMIT_ROWS)
        workspace_refuse(arena_workspace(table->arena), too_many_rows);
    table->row_count++;
    if (table->format == FORMAT_JSON) {
        fputs(is_first ? "[\n  " : ",\n  ", table->stream);
        write_json_object(table);
    } else if (table->format == FORMAT_CSV) {
        if (is_first)
            write_csv_row(table, true);
        write_csv_row(table, false);
    } else {
        bool keeps_all = is_for_documents(table->format);
        for (size_t i = 0; i < table->column_count; i++)
            *ARRAY_PUSH(table->arena, &table->shown) =
                table->fields[i].title || (keeps_all && table->fields[i].key)
                    ? utf8_clean_line(table->arena, show_cell(table->arena, table->fields[i].kind,
                                                              &table->cells[i]))
                    : "";
    }
    memcpy(table->cells, table->kept, table->column_count * sizeof *table->cells);
}

void table_keep(Table *table)
{
    memcpy(table->kept, table->cells, table->column_count * sizeof *table->cells);
}

void table_nest(Table *table, Key key)
{
    write_json_fields(table, find_column(table, key) + 1);
}

/* Columns without a title are for programs. */
static void write_text(Table *table)
{
    TextColumn *columns = ARENA_ARRAY(table->arena, TextColumn, table->column_count);
    StringArray cells = {0};
    size_t count = 0;
    for (size_t i = 0; i < table->column_count; i++)
        if (table->fields[i].title)
            columns[count++] =
                (TextColumn){table->fields[i].title, !is_number(table->fields[i].kind)};
    for (size_t i = 0; i < table->shown.count; i++)
        if (table->fields[i % table->column_count].title)
            *ARRAY_PUSH(table->arena, &cells) = table->shown.items[i];
    const TextTable text = {.columns = columns,
                            .column_count = count,
                            .row_count = table->row_count,
                            .cells = cells.items,
                            .width = table->width,
                            .drops_empty = table->drops_empty,
                            .marks_first = table->marks_first && table->row_count > 1};
    text_table_write(table->arena, table->stream, &text);
}

/* "total_at_from_s" is "total at from": cells have units. */
static const char *heading_of(Arena *arena, const char *key)
{
    static const char *const units[] = {"_s", "_bytes"};
    char *heading = arena_copy(arena, key, strlen(key));
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        size_t length = strlen(heading), tail = strlen(units[i]);
        if (length > tail && strcmp(heading + length - tail, units[i]) == 0)
            heading[length - tail] = '\0';
    }
    for (char *at = heading; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    return heading;
}

/* Where columns have headings, those without one say what rows are about and rest on; what others
   say stands in the former. */
static void write_document(Table *table)
{
    PaperColumn *columns = ARENA_ARRAY(table->arena, PaperColumn, table->column_count);
    bool has_headings = false;
    for (size_t i = 0; i < table->column_count; i++)
        has_headings |= table->fields[i].title != NULL;
    for (size_t i = 0; i < table->column_count; i++) {
        const Field *field = &table->fields[i];
        const Column *column = &table->info->columns[i];
        bool is_about =
            column->key <= KEY_rules && (!column->can_be_null || column->use == SEEN_IN_CSV);
        bool is_setting = !field->title && is_about;
        bool is_needed = field->key && (is_setting || !has_headings);
        columns[i] = (PaperColumn){.heading = !field->title && is_needed
                                                  ? heading_of(table->arena, field->key)
                                                  : field->title,
                                   .kind = is_number(field->kind)          ? PAPER_NUMBER
                                           : field->kind == COLUMN_FORMULA ? PAPER_FORMULA
                                                                           : PAPER_TEXT,
                                   .is_setting = is_setting};
    }
    const Paper paper = {.columns = columns,
                         .column_count = table->column_count,
                         .row_count = table->row_count,
                         .cells = table->shown.items,
                         .is_record = table->info->is_record,
                         .is_brief = table->drops_empty};
    paper_write(table->arena, table->stream,
                table->format == FORMAT_LATEX  ? PAPER_LATEX
                : table->format == FORMAT_HTML ? PAPER_HTML
                                               : PAPER_MARKDOWN,
                &paper);
}

void table_close(Table *table)
{
    if (table->info->is_record) {
        if (is_for_documents(table->format)) {
            table_row(table);
            write_document(table);
        }
        if (table->format == FORMAT_JSON) {
            write_json_object(table);
            fputc('\n', table->stream);
        } else if (table->format == FORMAT_CSV) {
            write_csv_row(table, true);
            write_csv_row(table, false);
        }
    } else if (table->format == FORMAT_JSON)
        fputs(table->row_count ? "\n]\n" : "[]\n", table->stream);
    else if (table->format == FORMAT_CSV && table->row_count == 0)
        write_csv_row(table, true);
    else if (table->format == FORMAT_TEXT && table->row_count)
        write_text(table);
    else if (is_for_documents(table->format) && table->row_count)
        write_document(table);
}
