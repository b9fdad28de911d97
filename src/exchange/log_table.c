/* Lines below the headings of a table: its rows, what stands between them, and what is neither. */
#include "exchange/log_columns.h"

#include <ctype.h>
#include <string.h>

static bool fits_cell(Holds holds, Text text)
{
    switch (holds) {
    case HOLDS_TYPE:
    case HOLDS_REDUCES:
        return text.length == 0 || isalpha((unsigned char)text.chars[0]);
    case HOLDS_ROOT:
        return text.length == 0 || log_is_cell(text);
    case HOLDS_VERDICT:
    case HOLDS_STAMP:
        return true;
    default:
        return log_is_cell(text);
    }
}

/* Columns of operations and roots that some versions leave blank get empty cells, where nothing
 * else is missing. */
static void fill_blanks(const LogTable *table, Cells *cells)
{
    int missing = table->count - cells->count;
    if (missing > (table->of_kind[HOLDS_REDUCES] >= 0) + (table->of_kind[HOLDS_ROOT] >= 0))
        return;
    for (int kind = HOLDS_REDUCES; kind <= HOLDS_ROOT && missing > 0; kind++) {
        int at = table->of_kind[kind];
        if (at < 0 || at > cells->count || table->of != BENCHMARK_NCCL ||
            (missing == 1 && kind == HOLDS_REDUCES && at < cells->count &&
             fits_cell(HOLDS_REDUCES, cells->items[at])))
            continue;
        memmove(&cells->items[at + 1], &cells->items[at],
                (size_t)(cells->count - at) * sizeof(Text));
        cells->items[at] = (Text){0};
        cells->count++;
        missing--;
    }
}

static bool fits_row(const LogTable *table, const Cells *cells)
{
    for (int i = 0; i < cells->count && cells->count == table->count; i++)
        if (!fits_cell(table->holds[i], cells->items[i]))
            return false;
    return cells->count == table->count;
}

/* The digits at the end of a word. */
static Text ending_digits(Text word)
{
    size_t from = word.length;
    while (from > 0 && isdigit((unsigned char)word.chars[from - 1]))
        from--;
    return text_slice(word, from, word.length - from);
}

/* Has a time as many digits as those above it? */
static bool has_decimals(const LogTable *table, Text time)
{
    int decimals = log_decimals(time);
    return !benchmarks[table->of].has_digits ||
           (table->decimals < 0 ? decimals > 0 : decimals == table->decimals);
}

/* Would the words from there on go on with the table? */
static bool is_row_from(const LogTable *table, const LogLine *line, int from)
{
    Cells cells = {.count = 0};
    double size, time;
    for (int i = from; i < line->count; i++)
        cells.items[cells.count++] = i > from ? line->words[i] : ending_digits(line->words[i]);
    fill_blanks(table, &cells);
    if (!fits_row(table, &cells))
        return false;
    Holds sized = log_table_size(table), timed = log_table_time(table);
    if (!log_table_has(table, sized) || !log_table_has(table, timed))
        return false;
    Text text = log_cell(table, &cells, timed);
    return log_number(text, &time) && log_number(log_cell(table, &cells, sized), &size) &&
           (!benchmarks[table->of].rises || size > table->last_size) && has_decimals(table, text);
}

/* Does a line end with cells that would go on with the table? Then something stands before its row.
 */
static bool ends_with_row(const LogTable *table, const LogLine *line)
{
    int from = line->count - table->count, most = from + (table->of == BENCHMARK_NCCL ? 2 : 0);
    for (from = from < 0 ? 0 : from; from <= most && table->separator == ' '; from++)
        if (is_row_from(table, line, from))
            return true;
    return false;
}

static LineFate refuse_start(LogReading *reading, const LogLine *line)
{
    return WRONG_LINE(reading->diag, line->text.span, "something precedes the row of a table here");
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
    int last = 0; /* times at the end of the line */
    if (line->count > 1 && log_starts_with(line->words[1], "time-out")) /* IMB has not measured */
        return LINE_TAKEN;
    bool begins = log_is_numeric(line->words[0]), has_time = false;
    bool is_number = log_number(line->words[0], &number) && !table->is_closed &&
                     text_same(line->mark, table->mark);
    bool goes_on = line->count > 1 && log_is_numeric(line->words[1]);
    for (int i = 0; i < line->count && benchmarks[table->of].has_digits && !table->is_closed; i++)
        has_time |= memchr(line->words[i].chars, '.', line->words[i].length) &&
                    has_decimals(table, line->words[i]);
    for (int i = line->count; i-- > 0 && !table->is_closed && log_number(line->words[i], &number);)
        last += log_decimals(line->words[i]) == 2;
    if (last > 1 || (begins && (goes_on || is_number || has_time))) {
        if (!has_mark(reading, table, line))
            return LINE_WRONG;
        diag_error(reading->diag, line->text.span, "this row has %d columns, its table %d",
                   cells->count, table->count);
        if (cells->count >= table->count)
            diag_note(reading->diag, NOWHERE, "something else is in it or follows it");
        return LINE_WRONG;
    }
    return ends_with_row(table, line) ? refuse_start(reading, line) : LINE_FOREIGN;
}

static LineFate take_words(LogReading *reading, LogTable *table, const LogLine *line)
{
    Cells cells;
    log_table_split(line, ' ', &cells);
    if (log_table_has(table, HOLDS_STAMP) && cells.count == table->count + 1)
        cells.count--;
    if (line->text.chars[0] == '#')
        return ends_with_row(table, line) ? refuse_start(reading, line) : LINE_FOREIGN;
    fill_blanks(table, &cells);
    if (!fits_row(table, &cells) || !log_is_cell(cells.items[0]))
        return take_broken(reading, table, line, &cells);
    return has_mark(reading, table, line) && log_row_read(reading, table, &cells) ? LINE_TAKEN
                                                                                  : LINE_WRONG;
}

/* The line below the names of columns in Markdown. */
static bool is_rule(Text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (!strchr("|-: ", text.chars[i]))
            return false;
    return true;
}

/* Is that alone the begin of a row? */
static bool is_torn(const LogTable *table, Text start)
{
    Text whole = table->first ? table->first->items[0] : (Text){0};
    return log_is_numeric(start) || (start.length > 0 && start.length <= whole.length &&
                                     memcmp(start.chars, whole.chars, start.length) == 0);
}

LineFate log_table_take(LogReading *reading, LogTable *table, const LogLine *line)
{
    Cells cells;
    if (table->separator == ' ')
        return take_words(reading, table, line);
    if (line->text.chars[0] == '#' || (table->separator == '|' && is_rule(line->text)))
        return LINE_FOREIGN;
    log_table_split(line, table->separator, &cells);
    if (table->separator == '|' && table->is_closed && line->text.chars[0] != '|')
        return LINE_FOREIGN;
    if (cells.count == 1 && table->count > 1 && !is_torn(table, cells.items[0]))
        return LINE_FOREIGN;
    if (!has_mark(reading, table, line))
        return LINE_WRONG;
    if (cells.is_open)
        return WRONG_LINE(reading->diag, cells.items[cells.count - 1].span,
                          "this quote does not end");
    if (cells.count != table->count)
        return WRONG_LINE(reading->diag, line->text.span, "this row has %d fields, its header %d",
                          cells.count, table->count);
    return log_row_read(reading, table, &cells) ? LINE_TAKEN : LINE_WRONG;
}
