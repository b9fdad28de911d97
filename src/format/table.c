#include "format/table.h"

#include "base/quantity.h"

#include <math.h>
#include <string.h>

const char *const format_names[FORMAT_COUNT] = {"text", "csv", "json"};

ARRAY_TYPE(StringArray, const char *);

struct Table {
    Arena *arena;
    FILE *stream;
    Format format;
    const Column *columns;
    size_t column_count, row_count;
    StringArray shown; /* text: what stands in each cell, row by row */
};

Cell cell_text(const char *text)
{
    return (Cell){.text = text, .missing = text == NULL};
}

Cell cell_list(const char *const *items, size_t count)
{
    return (Cell){.list = items, .list_count = count};
}

Cell cell_number(double number)
{
    return (Cell){.number = number, .missing = !isfinite(number)};
}

Cell cell_bool(bool value)
{
    return (Cell){.number = value};
}

Cell cell_missing(void)
{
    return (Cell){.missing = true};
}

Cell cell_shown(Cell cell, const char *shown)
{
    cell.shown = shown;
    return cell;
}

void columns_hide(Column *columns, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (columns[i].key && strcmp(columns[i].key, key) == 0)
            columns[i].key = columns[i].title = NULL;
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
        fprintf(stream, "%.17g", number);
}

static void write_json_cell(FILE *stream, const Column *column, const Cell *cell)
{
    if (cell->missing) {
        fputs("null", stream);
    } else if (column->kind == COLUMN_TEXT) {
        json_string(stream, cell->text);
    } else if (column->kind == COLUMN_LIST) {
        fputc('[', stream);
        for (size_t i = 0; i < cell->list_count; i++) {
            fputs(i ? ", " : "", stream);
            json_string(stream, cell->list[i]);
        }
        fputc(']', stream);
    } else if (column->kind == COLUMN_BOOL) {
        fputs(cell->number != 0 ? "true" : "false", stream);
    } else {
        json_number(stream, cell->number);
    }
}

static void write_json_object(const Table *table, const Cell *cells)
{
    const char *before = "{";
    for (size_t i = 0; i < table->column_count; i++) {
        if (!table->columns[i].key)
            continue;
        fputs(before, table->stream);
        before = ", ";
        json_string(table->stream, table->columns[i].key);
        fputs(": ", table->stream);
        write_json_cell(table->stream, &table->columns[i], &cells[i]);
    }
    fputc('}', table->stream);
}

static void write_json_row(const Table *table, const Cell *cells)
{
    fputs(table->row_count ? ",\n  " : "\n  ", table->stream);
    write_json_object(table, cells);
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

static void write_csv_row(Table *table, const Cell *cells)
{
    const char *before = "";
    for (size_t i = 0; i < table->column_count; i++) {
        const Column *column = &table->columns[i];
        if (!column->key)
            continue;
        fputs(before, table->stream);
        before = ",";
        if (cells[i].missing)
            continue;
        if (column->kind == COLUMN_TEXT)
            write_csv_text(table->stream, cells[i].text);
        else if (column->kind == COLUMN_LIST)
            write_csv_text(table->stream, join_list(table->arena, &cells[i]));
        else if (column->kind == COLUMN_BOOL)
            fputs(cells[i].number != 0 ? "true" : "false", table->stream);
        else
            fprintf(table->stream, "%.17g", cells[i].number);
    }
    fputc('\n', table->stream);
}

static void write_csv_header(const Table *table)
{
    const char *before = "";
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].key) {
            fprintf(table->stream, "%s%s", before, table->columns[i].key);
            before = ",";
        }
    fputc('\n', table->stream);
}

static const char *show_cell(Arena *arena, const Column *column, const Cell *cell)
{
    if (cell->shown)
        return cell->shown;
    if (cell->missing)
        return "-";
    switch (column->kind) {
    case COLUMN_TEXT:
        return cell->text;
    case COLUMN_LIST:
        return join_list(arena, cell);
    case COLUMN_INT:
        return arena_printf(arena, "%.0f", cell->number);
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

Table *table_open(Arena *arena, FILE *stream, Format format, const Column *columns, size_t count)
{
    Table *table = ARENA_NEW(arena, Table);
    *table = (Table){arena, stream, format, columns, count, 0, {0}};
    if (format == FORMAT_JSON)
        fputc('[', stream);
    if (format == FORMAT_CSV)
        write_csv_header(table);
    return table;
}

void table_row(Table *table, const Cell *cells)
{
    if (table->format == FORMAT_JSON)
        write_json_row(table, cells);
    else if (table->format == FORMAT_CSV)
        write_csv_row(table, cells);
    else
        for (size_t i = 0; i < table->column_count; i++)
            *ARRAY_PUSH(table->arena, &table->shown) =
                show_cell(table->arena, &table->columns[i], &cells[i]);
    table->row_count++;
}

static bool is_left_aligned(ColumnKind kind)
{
    return kind == COLUMN_TEXT || kind == COLUMN_LIST || kind == COLUMN_BOOL;
}

/* Columns of a terminal: characters, not bytes. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void write_padded(FILE *stream, const char *text, size_t width, bool left, bool is_last)
{
    int gap = (int)(width - width_of(text));
    if (left)
        fprintf(stream, "%s%*s", text, is_last ? 0 : gap, "");
    else
        fprintf(stream, "%*s%s", gap, "", text);
}

/* Empty cells at the end of a line leave no blanks. */
static void write_line(const Table *table, const size_t *widths, const char *const *cells)
{
    size_t last = 0;
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].title && (!cells || *cells[i]))
            last = i;
    const char *before = "";
    for (size_t i = 0; i <= last; i++) {
        const Column *column = &table->columns[i];
        if (!column->title)
            continue;
        fputs(before, table->stream);
        before = "  ";
        write_padded(table->stream, cells ? cells[i] : column->title, widths[i],
                     is_left_aligned(column->kind), i == last);
    }
    fputc('\n', table->stream);
}

static void write_text(Table *table)
{
    size_t *widths = ARENA_ARRAY(table->arena, size_t, table->column_count);
    for (size_t i = 0; i < table->column_count; i++)
        widths[i] = table->columns[i].title ? width_of(table->columns[i].title) : 0;
    for (size_t i = 0; i < table->shown.count; i++) {
        size_t width = width_of(table->shown.items[i]);
        if (width > widths[i % table->column_count])
            widths[i % table->column_count] = width;
    }
    write_line(table, widths, NULL);
    for (size_t row = 0; row < table->row_count; row++)
        write_line(table, widths, table->shown.items + row * table->column_count);
}

void table_close(Table *table)
{
    if (table->format == FORMAT_JSON)
        fputs(table->row_count ? "\n]\n" : "]\n", table->stream);
    if (table->format == FORMAT_TEXT && table->row_count)
        write_text(table);
}

static void write_titled(const Table *table, const Cell *cells)
{
    size_t width = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        const char *title = table->columns[i].title;
        if (title && !cells[i].missing && width_of(title) > width)
            width = width_of(title);
    }
    for (size_t i = 0; i < table->column_count; i++) {
        const Column *column = &table->columns[i];
        if (!column->title || cells[i].missing)
            continue;
        write_padded(table->stream, column->title, width, true, false);
        fprintf(table->stream, "  %s\n", show_cell(table->arena, column, &cells[i]));
    }
}

void record_write(Arena *arena, FILE *stream, Format format, const Column *columns, size_t count,
                  const Cell *cells)
{
    Table table = {arena, stream, format, columns, count, 0, {0}};
    if (format == FORMAT_JSON) {
        write_json_object(&table, cells);
        fputc('\n', stream);
    } else if (format == FORMAT_CSV) {
        write_csv_header(&table);
        write_csv_row(&table, cells);
    } else {
        write_titled(&table, cells);
    }
}
