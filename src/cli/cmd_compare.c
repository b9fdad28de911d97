#include "base/watch.h"
#include "cli/compared.h"
#include "cli/files.h"
#include "cli/logs.h"
#include "cli/setting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is coloured where no other limit is given. */
static const double usual_error = 0.2;
/* Times of one algorithm in two runs differ by less. */
static const double same_run = 0.25;

static ComparedRows predict_all(const Query *query, const MeasurementArray *rows,
                                const Naming *naming)
{
    Arena *arena = query->study.arena;
    Predictor predictor = logs_predictor(query, naming),
              reach = logs_predictor(query, &(Naming){0});
    ComparedRows compared = {ARENA_ARRAY(arena, ComparedRow, rows->count + 1), rows->count, 0};
    for (size_t i = 0; i < rows->count; i++) {
        const Measurement *row = &rows->items[i];
        ComparedRow *one = &compared.items[i];
        watch_step(arena, "rows of logs", (int64_t)i, (int64_t)rows->count);
        one->row = row;
        if (!prediction_find(&predictor, row, &one->prediction, &one->reason))
            continue;
        one->ratio = one->prediction.cost->total_s / row->seconds;
        one->error = fmax(one->ratio, 1 / one->ratio) - 1;
        compared.predicted++;
        if (!measurement_is_default(row))
            continue;
        /* What could have run: the fastest algorithm of the model, whoever has it, and the bound
           that binds; 0: none is known. */
        Measurement any = *row;
        Prediction found;
        const char *reason;
        any.algorithm = DEFAULT_ALGORITHM;
        any.ran = any.library = "";
        if (!prediction_find(&reach, &any, &found, &reason))
            continue;
        one->reached_by = found.cost->algorithm;
        one->reached = found.cost->total_s;
        const collcost_bound *bounds;
        size_t count = 0;
        query_answered(query, collcost_case_bounds(found.of, row->bytes, 0, &bounds, &count));
        for (size_t b = 0; b < count; b++)
            one->bound = fmax(one->bound, bounds[b].seconds);
    }
    return compared;
}

/* `table` may be compare or compare_worst, which has columns of it. */
static void put_row(Table *table, Arena *arena, const ComparedRow *compared)
{
    const Measurement *row = compared->row;
    const collcost_cost *cost = compared->prediction.cost;
    PUT(table, row, collective, algorithm, p);
    put_text(table, KEY_measured_model, cost->algorithm);
    put_number(table, KEY_m_bytes, row->bytes);
    put_number(table, KEY_measured_s, row->seconds);
    put_number(table, KEY_measured_ratio, compared->ratio);
    PUT(table, cost, total_s, startup_s, hop_s, transfer_s, compute_s);
    put_text(table, KEY_log, logs_place(arena, row->place));
}

static void write_compare_rows(const Query *query, const ComparedRows *rows)
{
    Table *table = query_table(query, TABLE_compare);
    setting_put(table, query, false, setting_rules(query));
    for (size_t i = 0; i < rows->count; i++) {
        const ComparedRow *compared = &rows->items[i];
        if (compared->reason)
            continue;
        put_row(table, query->study.arena, compared);
        put_text(table, KEY_topology, collcost_case_network(compared->prediction.of));
        compared_put_place(table, compared->row);
        if (compared->prediction.cost->has_chunks)
            put_number(table, KEY_k, compared->prediction.cost->k);
        choices_put(table, KEY_measured_model, compared->prediction.cost->algorithm,
                    &compared->prediction.cost->branches);
        PUT(table, compared, error, reached_by);
        if (compared->reached_by)
            PUT_TIMES(table, compared, reached, bound);
        put_text(table, KEY_finish, finish_info[compared->row->finish].name);
        PUT(table, compared->row, logged_bytes, repeats);
        table_row(table);
    }
    table_close(table);
}

/* One line for each algorithm of a collective, and one for all. */
static void write_errors(const Query *query, const ComparedRows *rows)
{
    Arena *arena = query->study.arena;
    Table *table = query_table(query, TABLE_compare_errors);
    double *all = ARENA_ARRAY(arena, double, rows->count + 1);
    double *errors = ARENA_ARRAY(arena, double, rows->count + 1);
    size_t total = 0, groups = 0;
    for (size_t from = 0, to; from < rows->count; from = to) {
        const Measurement *first = rows->items[from].row;
        size_t count = 0;
        for (to = from; to < rows->count; to++) {
            if (!measurement_is_same_subject(first, rows->items[to].row))
                break;
            if (!rows->items[to].reason)
                errors[count++] = all[total++] = rows->items[to].error;
        }
        if (count == 0)
            continue;
        groups++;
        PUT(table, first, collective, p, algorithm);
        logs_put_errors(table, errors, count);
        table_row(table);
    }
    if (groups > 1) {
        put_text(table, KEY_collective, "all");
        logs_put_errors(table, all, total);
        table_row(table);
    }
    table_close(table);
}

static int by_error(const void *first, const void *second)
{
    const ComparedRow *a = *(ComparedRow *const *)first, *b = *(ComparedRow *const *)second;
    if (a->error != b->error)
        return a->error < b->error ? 1 : -1;
    return (a > b) - (a < b);
}

/* Of each algorithm the row that is farthest off, with the parts of what was predicted. */
static void write_worst(const Query *query, const ComparedRows *rows)
{
    Arena *arena = query->study.arena;
    const ComparedRow **worst = ARENA_ARRAY(arena, const ComparedRow *, rows->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const ComparedRow *row = &rows->items[i];
        if (row->reason)
            continue;
        if (count == 0 || !measurement_is_same_subject(worst[count - 1]->row, row->row))
            worst[count++] = row;
        else if (row->error > worst[count - 1]->error)
            worst[count - 1] = row;
    }
    qsort(worst, count, sizeof *worst, by_error);
    fputs("\nfarthest off, with the parts of the predicted time:\n\n", query->line->out);
    Table *table = query_table(query, TABLE_compare_worst);
    for (size_t i = 0; i < count && i < MOST_SHOWN; i++) {
        put_row(table, arena, worst[i]);
        table_row(table);
    }
    table_close(table);
}

/* Is the log as fast as it should be, and where is it lost: by the choice, or beside the model? */
static void write_chosen(const Query *query, const ComparedRows *rows)
{
    Table *table = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const ComparedRow *one = &rows->items[i];
        if (!one->reached_by)
            continue;
        if (!table) {
            fputs("\nwhat the library chose, beside what the model could reach:\n\n",
                  query->line->out);
            table = query_table(query, TABLE_compare_chosen);
        }
        PUT(table, one->row, collective, p);
        put_number(table, KEY_m_bytes, one->row->bytes);
        put_number(table, KEY_measured_s, one->row->seconds);
        put_number(table, KEY_total_s, one->prediction.cost->total_s);
        PUT(table, one, reached_by);
        PUT_TIMES(table, one, reached, bound);
        put_number(table, KEY_above_reached, one->row->seconds / one->reached - 1);
        table_row(table);
    }
    if (table)
        table_close(table);
}

/* A site can have rules of its own: then what the library chose takes another time than what its
   decisions name, where that was measured, too. */
static void write_tuned(const Query *query, const ComparedRows *rows)
{
    const ComparedRow *first = NULL, *items = rows->items;
    size_t known = 0, others = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const Measurement *row = items[i].row;
        double nearest = INFINITY;
        if (items[i].reason || !*items[i].prediction.ran || *row->ran)
            continue;
        for (size_t j = 0; j < rows->count && measurement_is_default(row); j++)
            if (items[j].row->bytes == row->bytes && items[j].row->finish == row->finish &&
                !items[j].reason && !measurement_is_default(items[j].row) &&
                measurement_compare_places(row, items[j].row) == 0 &&
                strcmp(items[j].prediction.cost->algorithm, items[i].prediction.cost->algorithm) ==
                    0)
                nearest = fmin(nearest, fit_error(items[j].row->seconds, row->seconds));
        bool is_other = isfinite(nearest) && nearest > same_run;
        known += isfinite(nearest);
        others += is_other;
        first = is_other && !first ? &items[i] : first;
    }
    if (first)
        line_say(
            query->line,
            "default: %zu of %zu rows take other times, by more than %s, than what the library "
            "would choose, where that was measured, too (first: %s of %s, %s): has the site "
            "rules of its own?",
            others, known, quantity_show_share(query->study.arena, same_run),
            first->row->collective, quantity_show_bytes(query->study.arena, first->row->bytes),
            logs_place(query->study.arena, first->row->place));
}

/* "not compared: 3 rows of allreduce/swing: there is no model allreduce/swing" */
static void write_left_out(const Query *query, const ComparedRows *rows)
{
    for (size_t from = 0, to; from < rows->count; from = to) {
        const ComparedRow *first = &rows->items[from];
        for (to = from + 1; to < rows->count; to++) {
            const ComparedRow *next = &rows->items[to];
            if (!next->reason || !first->reason || strcmp(next->reason, first->reason) != 0 ||
                !measurement_is_same_subject(first->row, next->row))
                break;
        }
        if (first->reason)
            line_say(query->line, "not compared: %zu row%s of %s/%s, p = %lld: %s", to - from,
                     PLURAL_END(to - from), first->row->collective, first->row->algorithm,
                     (long long)first->row->p, first->reason);
    }
}

static void write_compare_text(const Query *query, const ComparedRows *rows, double limit)
{
    FILE *out = query->line->out;
    bool has_colour = !getenv("NO_COLOR") && isatty(fileno(query->line->stream));
    setting_begin(query);
    compared_write_matrices(out, query->study.arena, rows, limit, has_colour);
    write_errors(query, rows);
    write_worst(query, rows);
    write_chosen(query, rows);
    fputc('\n', out);
    /* What was measured, since that differs between benchmarks. */
    for (int finish = 0; finish < FINISH_COUNT; finish++) {
        size_t count = 0;
        for (size_t i = 0; i < rows->count; i++)
            count += !rows->items[i].reason && rows->items[i].row->finish == (Finish)finish;
        if (count)
            line_say(query->line, "measured: %s (%zu row%s)", finish_info[finish].words, count,
                     PLURAL_END(count));
    }
    /* Where the size in a log is not m. */
    const char *converted = NULL, *last = "";
    const ComparedRow *by_library = NULL;
    bool is_open = false;
    for (size_t i = 0; i < rows->count; i++) {
        const ComparedRow *one = &rows->items[i];
        const Measurement *row = one->row;
        if (row->bytes != row->logged_bytes && strcmp(row->collective, last) != 0) {
            last = row->collective;
            converted =
                converted ? arena_printf(query->study.arena, "%s, %s", converted, last) : last;
        }
        if (one->reason)
            continue;
        is_open |= !one->prediction.of->only;
        if (!by_library && *one->prediction.ran && measurement_is_default(one->row))
            by_library = one;
    }
    if (converted)
        line_say(query->line,
                 "sizes: m here; the logs have the largest buffer of a rank, M = p m, for %s",
                 converted);
    if (by_library)
        line_say(query->line, "default: predicted is what %.*s %s",
                 (int)strcspn(by_library->prediction.ran, ":"), by_library->prediction.ran,
                 *by_library->row->ran ? "ran, by the log" : "chooses by itself");
    if (is_open)
        line_say(query->line,
                 "default: the library chose; predicted is the fastest algorithm of the model");
    write_tuned(query, rows);
    write_left_out(query, rows);
    setting_write_rules(query);
}

/* Is every row within --max-error? */
static Status judge_error(const Query *query, const ComparedRows *rows, double limit)
{
    const ComparedRow *worst = NULL;
    size_t beyond = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const ComparedRow *row = &rows->items[i];
        if (row->reason)
            continue;
        worst = !worst || row->error > worst->error ? row : worst;
        beyond += row->error > limit;
    }
    if (!option_given(query->line, OPTION_MAX_ERROR) || beyond == 0)
        return STATUS_FINE;
    Arena *arena = query->study.arena;
    const char *finding = arena_printf(
        arena, "%zu of %zu rows are off by more than %s, at most by %s", beyond, rows->predicted,
        quantity_show_share(arena, limit), quantity_show_share(arena, worst->error));
    diag_error(query->study.diag, worst->row->place, "%s", finding);
    if (query->line->finding && !*query->line->finding)
        *query->line->finding = finding;
    return STATUS_CHECK_FAILED;
}

static Status run_compare(const CommandLine *line)
{
    Query query;
    Naming naming = {0};
    MeasurementArray rows = {0};
    double limit = usual_error;
    if (!picture_check(line) || !query_read(line, &query) || !logs_read_naming(&query, &naming) ||
        !option_share(line, OPTION_MAX_ERROR, &limit) || !logs_read(&query, &naming, &rows))
        return STATUS_BAD_INPUT;
    ComparedRows compared = predict_all(&query, &rows, &naming);
    if (compared.predicted == 0) {
        diag_error(line->diag, rows.items[0].place, "nothing in these logs can be compared: %s",
                   compared.items[0].reason);
        const Measurement *first = rows.items;
        const char *full = arena_printf(line->arena, "%s/%s", first->collective, first->algorithm);
        if (!measurement_is_default(first) && !naming_find(&naming, first) &&
            !library_find(query.study.library, text_plain(full)))
            diag_note(line->diag, NOWHERE, "--map NAME=MODEL says which model an algorithm is");
        return STATUS_BAD_INPUT;
    }
    if (option_given(line, OPTION_PICTURE)) {
        Status status = compared_draw(&query, &compared);
        return status == STATUS_FINE ? judge_error(&query, &compared, limit) : status;
    }
    if (option_given(line, OPTION_DECISIONS)) {
        if (!compared_write_decisions(&query, &rows, &compared, &naming))
            return STATUS_BAD_INPUT;
        if (query.format == FORMAT_TEXT) {
            write_left_out(&query, &compared);
            setting_write_rules(&query);
        }
    } else if (query.format == FORMAT_TEXT)
        write_compare_text(&query, &compared, limit);
    else
        write_compare_rows(&query, &compared);
    return judge_error(&query, &compared, limit);
}

const Command command_compare = {
    .name = "compare",
    .operands = "LOG...",
    .summary = "predictions beside measurements of benchmarks",
    .description =
        "Reads logs of benchmarks and shows each prediction of the machine beside what was "
        "measured, as a ratio: for each algorithm and size, with the error of each algorithm, "
        "and the rows that are farthest off. The number of ranks is that of the log, else -p. "
        "With --max-error the exit status is 1 if a row is off by more. With --decisions: what "
        "the model would choose at each size, what was fastest, and what the library chose.",
    .examples = "collcost compare measured.log -p 16 --models measured.yaml --machine measured\n"
                "collcost compare measured.csv --models measured.yaml --machine measured --map "
                "'ring*=ring' --decisions",
    .options = OPTIONS_OF_PREDICTIONS | OPTIONS_OF_PICTURES |
               OPTIONS(DECISIONS, TUNED, ELEMENT, MAX_ERROR),
    .run = run_compare,
};
