/* Lines below the headings of a table: its rows, what stands between them, and what is neither. */
#include "exchange/log_columns.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static bool fits_cell(Holds holds, Text text)
{
    switch (holds) {
    case HOLDS_TYPE:
    case HOLDS_REDUCES:
        return text.length == 0 || isalpha((unsigned char)text.chars[0]);
    case HOLDS_COLLECTIVE:
        return isalpha((unsigned char)text.chars[0]);
    case HOLDS_ROOT:
        return text.length == 0 || log_is_cell(text);
    case HOLDS_VERDICT:
    case HOLDS_WORDS:
    case HOLDS_STAMP:
        return true;
    default:
        return log_is_cell(text);
    }
}

static void insert_blanks(Cells *cells, int at, int count)
{
    memmove(&cells->items[at + count], &cells->items[at],
            (size_t)(cells->count - at) * sizeof(Text));
    memset(&cells->items[at], 0, (size_t)count * sizeof(Text));
    cells->count += count;
}

/* Columns of operations and roots that some versions leave blank get empty cells, where nothing
   else is missing; and those of MSCCL++ for what it does not run in place, or only so. */
static void fill_blanks(const LogTable *table, Cells *cells)
{
    int missing = table->count - cells->count;
    const int times = table->of_kind[HOLDS_TIME];
    if (table->is_in_place_first && missing == table->count - times)
        insert_blanks(cells, times - missing, missing);
    if (missing > (table->of_kind[HOLDS_REDUCES] >= 0) + (table->of_kind[HOLDS_ROOT] >= 0))
        return;
    for (int kind = HOLDS_REDUCES; kind <= HOLDS_ROOT && missing > 0; kind++) {
        int at = table->of_kind[kind];
        if (at < 0 || at > cells->count || table->of != BENCHMARK_NCCL ||
            (missing == 1 && kind == HOLDS_REDUCES && at < cells->count &&
             fits_cell(HOLDS_REDUCES, cells->items[at])))
            continue;
        insert_blanks(cells, at, 1);
        missing--;
    }
}

/* How many cells are like what their columns hold, up to the first that is not. */
static int count_fitting(const LogTable *table, const Cells *cells)
{
    int i = 0;
    while (i < cells->count && i < table->count &&
           (table->holds[i] == HOLDS_LABEL ? text_same(table->headings[i], cells->items[i])
                                           : fits_cell(table->holds[i], cells->items[i])))
        i++;
    return i;
}

/* A number with a decimal point, and as many digits behind it as the times above have. */
static bool is_time(const LogTable *table, Text word)
{
    const int decimals = log_is_numeric(word) ? log_decimals(word) : 0;
    return decimals > 0 && (!benchmarks[table->of].has_digits ? decimals == 2
                            : table->decimals < 0             ? true
                                                              : decimals == table->decimals);
}

/* A line that is no row. If it ends with two times, or with the digits of the next size and a time,
   something stands before a row, or in it. */
static LineFate take_foreign(LogReading *reading, const LogTable *table, const LogLine *line)
{
    double number;
    int times = 0, count = line->count;
    if (log_table_has(table, HOLDS_VERDICT) && text_equals(line->words[count - 1], "Pass"))
        count--;
    for (int i = count; i > 0 && log_is_cell(line->words[i - 1]); i--)
        times += is_time(table, line->words[i - 1]);
    bool has_row = times > 1 || count == 0;
    if (times == 1 && count > 1 && is_time(table, line->words[count - 1])) {
        const Text before = line->words[count - 2];
        size_t from = before.length;
        while (from > 0 && isdigit((unsigned char)before.chars[from - 1]))
            from--;
        has_row = benchmarks[table->of].rises && log_number(text_behind(before, from), &number) &&
                  (number > table->last_size || (line->count == table->count && !table->is_closed));
    }
    return has_row ? WRONG_LINE(reading->diag, line->text.span,
                                "something precedes the row of a table here")
                   : LINE_FOREIGN;
}

static bool has_mark(LogReading *reading, const LogTable *table, const LogLine *line)
{
    return text_same(line->mark, table->mark) ||
           diag_error(reading->diag, line->text.span,
                      "this row was printed by another rank or host than the head of its table");
}

/* A line that is not whole, between the rows of a table of words. */
static LineFate take_broken(LogReading *reading, LogTable *table, const LogLine *line,
                            const Cells *cells)
{
    double number;
    bool has_time = false, is_named = false;
    for (int i = 1; i < line->count && i < 3; i++) /* IMB has not measured */
        if (text_begins(line->words[i], "time-out.") ||
            text_begins(line->words[i], "out-of-mem.") ||
            text_begins(line->words[i], "int-overflow."))
            return LINE_TAKEN;
    const bool has_names = log_table_has(table, HOLDS_COLLECTIVE);
    for (int i = 0; i < line->count; i++) {
        has_time |= !table->is_closed && is_time(table, line->words[i]);
        is_named |= has_names && operation_find(line->words[i]);
    }
    if (is_named || (!has_names && log_is_numeric(line->words[0]) &&
                     (has_time || (line->count > 1 && log_is_numeric(line->words[1])) ||
                      (log_number(line->words[0], &number) && !table->is_closed &&
                       text_same(line->mark, table->mark))))) {
        if (!has_mark(reading, table, line))
            return LINE_WRONG;
        if (cells->count == table->count) {
            const int at = count_fitting(table, cells);
            return WRONG_LINE(reading->diag, cells->items[at].span,
                              "'%.*s' cannot be a value of %.*s", TEXT_ARGS(cells->items[at]),
                              TEXT_ARGS(table->headings[at]));
        }
        diag_error(reading->diag, line->text.span, "this row has %d column%s, its table %d",
                   cells->count, PLURAL_END(cells->count), table->count);
        if (cells->count > table->count)
            diag_note(reading->diag, NOWHERE, "something else is in it or follows it");
        return LINE_WRONG;
    }
    return take_foreign(reading, table, line);
}

/* "procs= 2 count= 1 4 5.0 0.1 16 4.9 5.0" of SKaMPI: what varies, the columns, and the times of up
   to 16 ranks, whose number becomes the last cell. False after a report. */
static bool name_cells(LogReading *reading, const LogLine *line, Cells *cells)
{
    enum { COLUMNS = 4, MOST_TIMES = 16 };
    Text ranks = {0};
    int from = 0;
    for (; from + 1 < cells->count && text_ends(cells->items[from], "="); from += 2)
        if (text_equals(cells->items[from], "procs=") || text_equals(cells->items[from], "nodes="))
            ranks = cells->items[from + 1];
    const int times = cells->count - from - COLUMNS;
    double p;
    if (!ranks.length && times < MOST_TIMES)
        ranks = text_plain(arena_printf(reading->arena, "%d", times));
    if (times < 0 || !log_number(ranks, &p) || (times > 0 && times != fmin(p, MOST_TIMES)))
        return diag_error(reading->diag, line->text.span,
                          "this row does not have four columns and the times of its ranks");
    memmove(cells->items, cells->items + from, COLUMNS * sizeof *cells->items);
    cells->items[COLUMNS] = ranks;
    cells->count = COLUMNS + 1;
    return true;
}

static LineFate take_words(LogReading *reading, LogTable *table, const LogLine *line)
{
    Cells cells;
    log_table_split(line, ' ', &cells);
    if (table->of == BENCHMARK_MPIBENCH && text_ends(line->words[0], "=") &&
        !name_cells(reading, line, &cells))
        return LINE_WRONG;
    if (log_table_has(table, HOLDS_STAMP) && cells.count == table->count + 1)
        cells.count--;
    if (line->text.chars[0] == '#')
        return take_foreign(reading, table, line);
    fill_blanks(table, &cells);
    if (cells.count != table->count || count_fitting(table, &cells) < table->count)
        return take_broken(reading, table, line, &cells);
    return has_mark(reading, table, line) && log_row_read(reading, table, &cells) ? LINE_TAKEN
                                                                                  : LINE_WRONG;
}

/* Is that alone the begin of a row, perhaps with a line behind it, or where the log is cut? */
static bool is_torn(const LogTable *table, Text start)
{
    enum { ENOUGH = 4 };
    const Text whole = table->first ? table->first->items[0] : (Text){0};
    size_t same = 0;
    while (same < start.length && same < whole.length && start.chars[same] == whole.chars[same])
        same++;
    const bool is_begun =
        (table->last_size < 0 || start.span.offset + start.length == start.span.source->length) &&
        start.length && isalnum((unsigned char)*start.chars);
    return log_is_numeric(start) || operation_find(start) || (same > 0 && same == start.length) ||
           ((same >= ENOUGH || is_begun) && !table->is_closed);
}

LineFate log_table_take(LogReading *reading, LogTable *table, const LogLine *line)
{
    Cells cells;
    size_t ruled = 0; /* as far as it is like the line below the names of columns in Markdown */
    if (table->separator == ' ')
        return take_words(reading, table, line);
    while (ruled < line->text.length && strchr("|-: ", line->text.chars[ruled]))
        ruled++;
    if (line->text.chars[0] == '#' || (table->separator == '|' && ruled == line->text.length))
        return LINE_FOREIGN;
    log_table_split(line, table->separator, &cells);
    if (table->separator == '|' && table->is_closed && line->text.chars[0] != '|')
        return LINE_FOREIGN;
    if (cells.count == 1 && table->count > 1 && !cells.is_open && !is_torn(table, cells.items[0]))
        return LINE_FOREIGN;
    if (!has_mark(reading, table, line))
        return LINE_WRONG;
    if (cells.is_open)
        return WRONG_LINE(reading->diag, cells.items[cells.count - 1].span,
                          "this quote does not end");
    if (cells.count != table->count)
        return WRONG_LINE(reading->diag, line->text.span, "this row has %d field%s, its header %d",
                          cells.count, PLURAL_END(cells.count), table->count);
    return log_row_read(reading, table, &cells) ? LINE_TAKEN : LINE_WRONG;
}
