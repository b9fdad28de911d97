/* What a row of a table says, and what in it must agree. */
#include "exchange/log_columns.h"

#include "base/quantity.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* The cell of the first column that holds that. */
static Text log_cell(const LogTable *table, const Cells *cells, Holds holds)
{
    return cells->items[table->of_kind[holds]];
}

/* As many digits behind the point as all times of the table: one that was cut off has fewer. */
static bool check_decimals(LogReading *reading, LogTable *table, Text text)
{
    int decimals = log_decimals(text);
    double number;
    if (!benchmarks[table->of].has_digits || !isdigit((unsigned char)text.chars[0]))
        return true;
    if (!memchr(text.chars, '.', text.length) && log_number(text, &number))
        return diag_error(reading->diag, text.span,
                          "this time has no digits after the decimal point");
    if (table->decimals >= 0 && decimals != table->decimals)
        return diag_error(
            reading->diag, text.span,
            "this time has %d digit%s after the decimal point, those above it have %d: is "
            "it cut off?",
            decimals, PLURAL_END(decimals), table->decimals);
    table->decimals = decimals;
    return true;
}

/* "12,50" is 12.50 in a table that has such times only. False after a report. */
static bool read_positive_time(LogReading *reading, LogTable *table, Text text, double each,
                               double *seconds)
{
    size_t whole = 0;
    while (whole < text.length && isdigit((unsigned char)text.chars[whole]))
        whole++;
    const char sign = whole < text.length ? text.chars[whole] : '\0';
    if (table->of == BENCHMARK_CSV && (sign == ',' || sign == '.')) {
        if (table->point && sign != table->point)
            return diag_error(reading->diag, text.span,
                              "some times of this table have a comma, others a decimal point");
        table->point = sign;
    }
    if (table->of == BENCHMARK_CSV && sign == ',') {
        if (whole > 3 || *text.chars == '0' || text.length - whole != sizeof ",000" - 1)
            table->has_commas = true;
        else if (!table->perhaps_commas.source)
            table->perhaps_commas = text.span;
        char *copy = text_string(reading->arena, text);
        copy[whole] = '.';
        text.chars = copy;
    }
    if (!check_decimals(reading, table, text) || !log_positive(reading, text, seconds))
        return false;
    *seconds /= each; /* so that 2.5 us is 2.5e-6 */
    return true;
}

/* Printed with two digits, rounded or, by nccom-test, cut off; the time was rounded too. */
static bool is_rate(double printed, double expected, double us)
{
    return printed - expected <= 0.0061 + expected * (0.002 + 0.006 / us) &&
           expected - printed <= 0.0101 + expected * (0.002 + 0.006 / us);
}

static bool is_ping_pong(const LogTable *table)
{
    return table->operation && strcmp(table->operation->name, "point-to-point") == 0;
}

/* Do size, time and rates agree? Then they are what they seem to be. */
static bool check_rates(LogReading *reading, const LogTable *table, const Operation *operation,
                        const Cells *cells, const Measurement *row)
{
    const bool is_old = table->is_old && operation->is_per_rank;
    const double us = row->seconds * (table->is_old ? 1e4 : 1e6), /* three digits of ms, or two */
        unit = table->units[HOLDS_RATE], factor = log_bus_factor(operation, row->p),
                 expected = row->logged_bytes / row->seconds / unit,
                 whole = row->bytes * (operation->is_per_rank ? (double)row->p : 1),
                 on_bus = whole / row->seconds / unit * factor;
    double rate, bus;
    if (!log_table_has(table, HOLDS_RATE) || table->directions ||
        (table->of == BENCHMARK_IMB && !is_ping_pong(table)))
        return true;
    Text text = log_cell(table, cells, HOLDS_RATE);
    if (!log_number(text, &rate) ||
        !(is_rate(rate, expected, us) || (is_old && is_rate(rate, on_bus, us)) ||
          (table->of == BENCHMARK_IMB && is_rate(rate, expected / 1.048576, us)) ||
          ((table->of == BENCHMARK_NCCOM || table->of == BENCHMARK_HCCL) &&
           is_rate(rate, expected / 1.073741824, us))))
        return diag_error(reading->diag, text.span,
                          "this row contradicts itself: its size and its time give %.2f %s",
                          expected, unit == 1e9 ? "GB/s" : "MB/s");
    if (!log_table_has(table, HOLDS_BUS))
        return true;
    text = log_cell(table, cells, HOLDS_BUS);
    if (log_number(text, &bus) &&
        (is_rate(bus, on_bus, us) || (!is_old && is_rate(bus, rate * factor, us))))
        return true;
    return diag_error(reading->diag, text.span,
                      "a bus bandwidth of %.2f GB/s was expected for %s on %lld ranks", on_bus,
                      operation->name, (long long)row->p);
}

static bool has_root(const Operation *operation)
{
    static const char *const names[] = {"broadcast", "reduce", "gather", "scatter"};
    return text_among(text_plain(operation->name), names, COUNT_OF(names)) < COUNT_OF(names);
}

static bool is_reduction(Text word)
{
    static const char *const names[] = {"sum", "prod", "min", "max", "avg", "mulsum", "none"};
    return text_among(word, names, COUNT_OF(names)) < COUNT_OF(names);
}

/* A type, operation or root that is not that of the first row: then it is one, and no word that
   something fell into. */
static bool check_kinds(LogReading *reading, const LogTable *table, const Operation *operation,
                        const Cells *cells)
{
    for (Holds holds = HOLDS_TYPE; holds <= HOLDS_ROOT && table->first; holds++) {
        if (!log_table_has(table, holds))
            continue;
        Text text = log_cell(table, cells, holds), first = log_cell(table, table->first, holds);
        const bool can_differ = holds == HOLDS_TYPE
                                    ? log_type_size(text) > 0 && log_type_size(first) > 0
                                : holds == HOLDS_REDUCES ? is_reduction(text) && is_reduction(first)
                                                         : has_root(operation);
        if (!can_differ && !text_same(text, first) && text.length && first.length)
            return diag_error(reading->diag, text.span, "'%.*s' here, but '%.*s' in the first row",
                              TEXT_ARGS(text), TEXT_ARGS(first));
    }
    return true;
}

/* The count is that of a block, or of the whole buffer: their number must be that of the ranks. And
   an operation stands there where one combines, a root where there is one. */
static bool check_elements(LogReading *reading, const LogTable *table, const Operation *operation,
                           const Cells *cells, Measurement *row)
{
    double count;
    if (log_table_has(table, HOLDS_REDUCES) && strcmp(operation->name, "sendrecv") != 0) {
        Text text = log_cell(table, cells, HOLDS_REDUCES);
        const bool combines =
            strncmp(operation->name, "reduce", 6) == 0 || strcmp(operation->name, "allreduce") == 0;
        if ((!text.length || text_equals(text, "none")) == combines)
            return diag_error(reading->diag, text.length ? text.span : cells->items[0].span,
                              "%s has no such operation", operation->name);
    }
    if (log_table_has(table, HOLDS_ROOT) && has_root(operation) &&
        text_begins(log_cell(table, cells, HOLDS_ROOT), "-"))
        return diag_error(reading->diag, log_cell(table, cells, HOLDS_ROOT).span, "%s has a root",
                          operation->name);
    if (!log_table_has(table, HOLDS_ELEMENTS) || !log_table_has(table, HOLDS_TYPE))
        return true;
    Text text = log_cell(table, cells, HOLDS_ELEMENTS);
    double element = log_type_size(log_cell(table, cells, HOLDS_TYPE));
    if (!log_positive(reading, text, &count))
        return false;
    double blocks = row->logged_bytes / (count * element);
    if (table->is_old && blocks == 1) /* the tests of NCCL 1 */
        row->bytes = row->logged_bytes;
    if (element == 0 || blocks == 1 || (operation->is_per_rank && blocks == (double)row->p))
        return true;
    return diag_error(reading->diag, text.span,
                      "this count does not give %.0f bytes for %s on %lld ranks", row->logged_bytes,
                      operation->name, (long long)row->p);
}

/* Streams of messages: their rate, and their number in a second. */
static bool read_rate(LogReading *reading, const LogTable *table, const Cells *cells,
                      Measurement *row)
{
    Text text = log_cell(table, cells, HOLDS_RATE);
    double unit = table->units[HOLDS_RATE], rate, count;
    if (row->bytes == 0 || !log_positive(reading, text, &rate))
        return row->bytes == 0;
    row->place = text.span;
    row->finish = FINISH_STREAM;
    row->seconds = row->bytes * table->directions * (double)table->pairs / (rate * unit);
    if (!log_table_has(table, HOLDS_MESSAGES))
        return true;
    Text messages = log_cell(table, cells, HOLDS_MESSAGES);
    if (!log_positive(reading, messages, &count))
        return false;
    double expected = count * table->units[HOLDS_MESSAGES] * row->bytes / unit;
    double last =
        0.5 * pow(10, -log_decimals(messages)) * table->units[HOLDS_MESSAGES] * row->bytes / unit;
    if (fabs(expected - rate) <= 0.006 + 0.001 * rate + last)
        return true;
    return diag_error(
        reading->diag, messages.span,
        "this row contradicts itself: this rate of messages of %s does not give %.*s %s",
        quantity_show_bytes(reading->arena, row->bytes), TEXT_ARGS(text),
        unit == 1e6 ? "MB/s" : "as its rate");
}

/* Is the time of a row of CSV, which may be rounded, one between its least and its largest? */
static bool check_limits(LogReading *reading, const LogTable *table, const Cells *cells,
                         const Measurement *row)
{
    static const Holds limits[] = {HOLDS_LEAST, HOLDS_MOST};
    for (int i = 0; i < 2 && table->of == BENCHMARK_CSV; i++) {
        double limit;
        if (log_table_has(table, limits[i]) && table->units[limits[i]] > 0 &&
            log_number(log_cell(table, cells, limits[i]), &limit) &&
            (i ? 1.01 * limit < row->seconds * table->units[HOLDS_MOST]
               : limit > 1.01 * row->seconds * table->units[HOLDS_LEAST]))
            return diag_error(reading->diag, row->place,
                              "this time is not between the least and the largest of its row");
    }
    return true;
}

/* The time of the slowest rank where there are three. The least may be 0, as that of a rank that
 * waits for nothing. */
static bool read_time(LogReading *reading, LogTable *table, const Cells *cells, Measurement *row)
{
    Holds which = log_table_time(table);
    bool has_three = log_table_has_three(table);
    Text text = log_cell(table, cells, has_three ? HOLDS_MOST : which);
    double each = table->units[which], least, mean;
    row->place = text.span;
    row->finish = is_ping_pong(table) ? FINISH_ROUND_TRIP : table->finish;
    if (!has_three) {
        if (!read_positive_time(reading, table, text, each, &row->seconds) ||
            !check_limits(reading, table, cells, row))
            return false;
        if (table->of != BENCHMARK_NCCL || (row->seconds >= 0.01 && !table->is_old) ||
            memchr(text.chars, '.', text.length))
            return true;
        return diag_error(reading->diag, text.span,
                          "this time has no digits after the decimal point");
    }
    Text mean_text = log_cell(table, cells, HOLDS_MEAN),
         least_text = log_cell(table, cells, HOLDS_LEAST);
    if (!read_positive_time(reading, table, mean_text, each, &mean) ||
        !read_positive_time(reading, table, text, each, &row->seconds) ||
        !check_decimals(reading, table, least_text))
        return false;
    if (log_number(least_text, &least) && least / each <= mean && mean <= row->seconds)
        return true;
    return diag_error(reading->diag, mean_text.span,
                      "the mean is not between the minimum and the maximum");
}

static const char *text_in(const LogReading *reading, const LogTable *table, const Cells *cells,
                           Holds holds)
{
    return log_table_has(table, holds) ? log_clean(reading, log_cell(table, cells, holds)) : "";
}

static bool read_whole(LogReading *reading, const LogTable *table, const Cells *cells, Holds holds,
                       int64_t *number)
{
    return !log_table_has(table, holds) ||
           log_whole(reading, log_cell(table, cells, holds), number);
}

/* Columns of ranks, nodes and ranks per node, of which two can be there; else what is known from
 * elsewhere. */
static bool read_ranks(LogReading *reading, LogTable *table, const Cells *cells, Measurement *row)
{
    int64_t nodes = 0;
    if (table->p == 0 && table->of != BENCHMARK_CSV && !log_table_has(table, HOLDS_RANKS) &&
        !benchmark_ranks(reading, table))
        return false;
    row->p = table->p;
    row->ranks_per_node = table->ranks_per_node;
    if (!read_whole(reading, table, cells, HOLDS_RANKS, &row->p) ||
        !read_whole(reading, table, cells, HOLDS_NODES, &nodes) ||
        !read_whole(reading, table, cells, HOLDS_PER_NODE, &row->ranks_per_node))
        return false;
    if (!row->p && !row->ranks_per_node)
        row->p = reading->facts->p;
    if (nodes > row->p && row->p)
        return diag_error(reading->diag, log_cell(table, cells, HOLDS_NODES).span,
                          "%lld nodes have more than %lld ranks", (long long)nodes,
                          (long long)row->p);
    if (nodes && row->p && !row->ranks_per_node && row->p % nodes == 0)
        row->ranks_per_node = row->p / nodes;
    int64_t product = nodes * row->ranks_per_node;
    if (row->p && product && (row->p > product || row->p <= product - row->ranks_per_node))
        return diag_error(reading->diag, log_cell(table, cells, HOLDS_RANKS).span,
                          "%lld nodes of %lld ranks are not %lld ranks", (long long)nodes,
                          (long long)row->ranks_per_node, (long long)row->p);
    if (row->p && row->p < product) /* the last node has fewer than the others */
        row->ranks_per_node = 0;
    row->p = row->p ? row->p : product;
    if (row->p == 0 && strcmp(row->collective, "point-to-point") == 0)
        row->p = 2;
    if (row->p == 0)
        row->p = log_ranks(reading, 0, cells->items[0].span, row->collective);
    return row->p > 0;
}

/* m, from a block or from the whole buffer of a rank. */
static bool read_size(LogReading *reading, LogTable *table, const Operation *operation,
                      const Cells *cells, Measurement *row)
{
    const Holds holds = log_table_size(table);
    const bool has_groups = table->of == BENCHMARK_IMB && log_table_has(table, HOLDS_WORDS),
               rises = benchmarks[table->of].rises;
    bool is_block = holds != HOLDS_BUFFER;
    bool is_buffer =
        !is_block || log_table_has(table, HOLDS_PIPED) || table->bytes > 0 ||
        (operation->counts_buffers &&
         (table->of == BENCHMARK_OSU || (table->of == BENCHMARK_IMB && !operation->is_block)));
    row->logged_bytes = table->bytes;
    if (is_block || log_table_has(table, HOLDS_BUFFER)) {
        Text text = log_cell(table, cells, holds);
        bool is_none = text_equals(text, "N/A") && operation_can_be_empty(operation->name);
        if (!is_none && !log_size(reading, text, table->units[holds], &row->logged_bytes))
            return false;
        if (holds == HOLDS_ELEMENTS && table->launched.element == 0)
            return diag_error(reading->diag, text.span,
                              "no line says how large an element is: #@datatype_extent_bytes");
        if (holds == HOLDS_ELEMENTS)
            row->logged_bytes *= strcmp(operation->name, "barrier") ? table->launched.element : 0;
        if (rises && (row->logged_bytes < table->last_size ||
                      (row->logged_bytes == table->last_size && !has_groups)))
            return diag_error(
                reading->diag, text.span,
                "the sizes of a table rise, but %.0f follows %.0f: are lines of several runs "
                "mixed here, or is a title missing?",
                row->logged_bytes, table->last_size);
    } else if (table->bytes == 0 && strcmp(operation->name, "barrier") != 0) {
        return diag_error(reading->diag, cells->items[0].span, "no column has the size");
    } else if (rises && !has_groups && table->last_size >= 0) {
        return diag_error(reading->diag, cells->items[0].span, "a barrier has one row");
    }
    table->last_size = row->logged_bytes;
    table->is_closed = false;
    row->bytes = row->logged_bytes;
    if (is_buffer && operation->is_per_rank)
        row->bytes /= (double)row->p;
    return true;
}

/* Who ran, where, and what: the algorithm, with the protocol behind it. What other columns say in
   words or whole numbers makes a row another one, and so does another type, operation or root than
   that of the first row. */
static void name_row(const LogReading *reading, const LogTable *table, const Operation *operation,
                     const Cells *cells, Measurement *row)
{
    Arena *arena = reading->arena;
    const char *algorithm = text_in(reading, table, cells, HOLDS_ALGORITHM);
    const char *protocol = text_in(reading, table, cells, HOLDS_PROTOCOL);
    const char *library = text_in(reading, table, cells, HOLDS_LIBRARY);
    const char *ran = NULL;
    row->library = library;
    row->system = text_in(reading, table, cells, HOLDS_SYSTEM);
    if (*library)
        row->system = arena_printf(arena, "%s%s%s", row->system, *row->system ? " " : "", library);
    if (table->of == BENCHMARK_NCCL) {
        row->library = "nccl";
        ran = nccl_facts_choice(reading, row->logged_bytes);
    }
    row->ran = ran ? ran : "";
    row->above = table->above;
    row->algorithm = *algorithm && *protocol
                         ? nccl_name(arena, text_plain(algorithm), text_plain(protocol))
                     : *algorithm ? algorithm
                                  : table->algorithm;
    const char *more =
        log_settings_name(reading, &table->settings, table->details, operation, &row->algorithm);
    more = log_join(reading, more, "%s", operation->is_block ? "block" : "");
    if (table->other_type.length)
        more = log_join(reading, more, "%.*s", TEXT_ARGS(table->other_type));
    for (int i = 0; i < table->count; i++) {
        Text name = table->headings[i], text = cells->items[i];
        Holds holds = table->holds[i];
        bool is_channels = holds == HOLDS_CHANNELS && !text_equals(text, "-1");
        bool is_other = (holds == HOLDS_TYPE || holds == HOLDS_REDUCES || holds == HOLDS_ROOT) &&
                        table->first && table->first->items[i].length &&
                        !text_same(text, table->first->items[i]);
        if ((holds != HOLDS_WORDS || text_equals(text, "MPI_COMM_WORLD")) && !is_channels &&
            !is_other)
            continue;
        if (!text.length || (memchr(text.chars, '.', text.length) && log_is_numeric(text)))
            continue;
        more = log_join(reading, more, "%s %s", log_clean(reading, name), log_clean(reading, text));
    }
    if (*more)
        row->algorithm = arena_printf(arena, "%s (%s)", row->algorithm, more);
}

static bool read_finish(LogReading *reading, const LogTable *table, const Cells *cells,
                        Measurement *row)
{
    if (!log_table_has(table, HOLDS_FINISH))
        return true;
    Text text = log_cell(table, cells, HOLDS_FINISH);
    for (int i = 0; i < FINISH_COUNT; i++)
        if (text_equals(text, finish_info[i].name)) {
            row->finish = (Finish)i;
            return true;
        }
    const char *list = "";
    for (int i = 0; i < FINISH_COUNT; i++)
        list = arena_printf(reading->arena, "%s, %s", list, finish_info[i].name);
    return diag_error(reading->diag, text.span, "unknown value '%.*s' of finish: expected one of%s",
                      TEXT_ARGS(text), list + 1);
}

/* Were the results right? */
static bool check_verdict(LogReading *reading, const LogTable *table, const Cells *cells)
{
    double faults;
    Holds holds = log_table_has(table, HOLDS_VERDICT) ? HOLDS_VERDICT : HOLDS_FAULTS;
    if (!log_table_has(table, holds))
        return true;
    Text text = log_cell(table, cells, holds);
    if (holds == HOLDS_VERDICT
            ? text_equals(text, "Pass") ||
                  (table->of == BENCHMARK_HCCL &&
                   (text_equals(text, "success") || text_equals(text, "NULL")))
            : text_equals(text, "N/A") || (log_number(text, &faults) && faults < 0.1))
        return true;
    return diag_error(reading->diag, text.span, "the results of this test were wrong");
}

bool log_row_read(LogReading *reading, LogTable *table, const Cells *cells)
{
    const Operation *operation = table->operation ? table->operation : reading->facts->operation;
    Measurement row = {.repeats = 1};
    const int last = table->count - 1;
    if (last > 0 && !table->headings[last].length && cells->items[last].length)
        return diag_error(reading->diag, table->headings[last].span, "this column has no name");
    if (!check_verdict(reading, table, cells))
        return false;
    const int subject = table->of_kind[HOLDS_SUBJECT];
    if (!table->operation && !log_table_has(table, HOLDS_COLLECTIVE) && !table->first &&
        subject >= 0 && operation_find(cells->items[subject])) {
        table->holds[subject] = HOLDS_COLLECTIVE;
        table->of_kind[HOLDS_COLLECTIVE] = subject;
    }
    if (log_table_has(table, HOLDS_COLLECTIVE)) {
        const Text name = log_cell(table, cells, HOLDS_COLLECTIVE);
        operation = operation_find(name);
        if (!operation)
            return diag_error(reading->diag, name.span, "'%.*s' is not a known collective",
                              TEXT_ARGS(name));
    } else if (!operation) {
        return diag_error(reading->diag, cells->items[0].span,
                          "no column says which collective was measured: give --collective");
    }
    row.collective = operation->name;
    if (!read_ranks(reading, table, cells, &row) ||
        !read_size(reading, table, operation, cells, &row))
        return false;
    bool is_empty = row.bytes == 0 && !operation_can_be_empty(operation->name);
    if (is_empty || text_equals(log_cell(table, cells, log_table_time(table)), "N/A"))
        return true; /* nothing is done, and that can take 0.00 us */
    name_row(reading, table, operation, cells, &row);
    if (!(table->directions ? read_rate(reading, table, cells, &row)
                            : read_time(reading, table, cells, &row)) ||
        !read_finish(reading, table, cells, &row) ||
        !read_whole(reading, table, cells, HOLDS_REPEATS, &row.repeats) ||
        !check_kinds(reading, table, operation, cells) ||
        !check_elements(reading, table, operation, cells, &row) ||
        !check_rates(reading, table, operation, cells, &row))
        return false;
    if (!table->first)
        table->first = ARENA_COPY(reading->arena, Cells, cells, 1);
    table->rows++;
    for (int i = 0; i < cells->count; i++)
        if (!cells->items[i].length) {
            table->blanks[i]++;
            table->blank[i] = cells->items[i].span;
        }
    return row.seconds == 0 || log_add(reading, &row);
}

bool log_table_check(const LogReading *reading, const LogTable *table)
{
    enum { FEW_ROWS = 3 };
    for (int i = 0; i < table->count && table->of == BENCHMARK_CSV; i++)
        if (table->blanks[i] == 1 && table->rows > FEW_ROWS && table->holds[i] != HOLDS_OTHER)
            return diag_error(reading->diag, table->blank[i],
                              "only this row has no %.*s: is it lost here? A row for which the "
                              "library chose has the algorithm " DEFAULT_ALGORITHM,
                              TEXT_ARGS(table->headings[i]));
    return table->has_commas || !table->perhaps_commas.source ||
           diag_error(reading->diag, table->perhaps_commas,
                      "this can be a decimal comma or one of thousands: write a point, or none");
}
