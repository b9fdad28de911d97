#include "cli/cost_parts.h"

#include "cli/composed.h"
#include "cli/setting.h"
#include "collcost.h"
#include "model/claim.h"

#include <math.h>
#include <string.h>

/* Columns of one table, as far as they fit beside the names. */
enum { MOST_CELLS = KEY_cell_12 - KEY_cell_1 + 1, LINE_WIDTH = 100, CELL_WIDTH = 12 };

typedef struct {
    const char *name;
    double *seconds; /* by column; NAN: it is no candidate there */
} MatrixRow;
ARRAY_TYPE(MatrixRowArray, MatrixRow);

typedef struct {
    const Query *query;
    const char *heading, *rules;
    MatrixRowArray rows; /* in the order of the first column that has them, the fastest first */
    size_t columns;
    const char **titles;
    double *least, *bounds; /* by column; NAN: none */
    bool is_wrong;
} Matrix;

bool cost_matrix_check(const Query *query)
{
    const CommandLine *line = query->line;
    const OptionId other = option_among(line, OPTIONS(PICTURE, TRAFFIC, BANDWIDTHS));
    if (other != OPTION_COUNT)
        return diag_error(line->diag, NOWHERE, "--matrix and --%s cannot be combined",
                          option_name(other));
    if (query->collective->problem)
        diag_error(line->diag, line->operands.items[0].span,
                   "--matrix goes with collectives, not with problems");
    else
        return query->sizes.count ||
               line_lacks(line, NOWHERE, OPTION_SIZE, "--matrix needs message sizes: give -m");
    return false;
}

static double *new_column(Arena *arena, size_t count)
{
    double *values = ARENA_ROOM(arena, double, count);
    for (size_t i = 0; i < count; i++)
        values[i] = NAN;
    return values;
}

static bool fill_column(Matrix *matrix, collcost_case *opened, double size, size_t column)
{
    const collcost_cost *costs;
    size_t count;
    if (!query_answered(matrix->query, collcost_case_costs(opened, size, &costs, &count)))
        return false;
    for (size_t i = 0; i < count; i++) {
        Arena *arena = matrix->query->study.arena;
        size_t r = 0;
        while (r < matrix->rows.count &&
               strcmp(matrix->rows.items[r].name, costs[i].algorithm) != 0)
            r++;
        if (r == matrix->rows.count)
            *ARRAY_PUSH(arena, &matrix->rows) =
                (MatrixRow){costs[i].algorithm, new_column(arena, matrix->columns)};
        matrix->rows.items[r].seconds[column] = costs[i].total_s;
        matrix->is_wrong |= costs[i].check == COLLCOST_WRONG;
    }
    if (count)
        matrix->least[column] = costs[0].total_s;
    if (count && costs[0].bound_s >= 0)
        matrix->bounds[column] = costs[0].bound_s;
    return true;
}

static void write_matrix_row(const Matrix *matrix, Table *table, const MatrixRow *row, size_t from,
                             size_t to)
{
    const double *seconds = row->seconds;
    Arena *arena = matrix->query->study.arena;
    const Format format = matrix->query->format;
    const bool marks =
        seconds != matrix->bounds && (format == FORMAT_TEXT || format == FORMAT_MARKDOWN);
    put_text(table, KEY_algorithm, row->name);
    for (size_t i = from; i < to; i++) {
        const Key key = (Key)(KEY_cell_1 + (int)(i - from));
        if (isnan(seconds[i]))
            continue;
        put_number(table, key, seconds[i]);
        if (marks && seconds[i] <= matrix->least[i] * (1 + 1e-12))
            put_shown(table, key, "%s *", quantity_show_time(arena, seconds[i]));
    }
    table_row(table);
}

static void write_matrix(const Matrix *matrix)
{
    FILE *out = matrix->query->line->out;
    const bool is_text = matrix->query->format == FORMAT_TEXT;
    size_t width = strlen("lower bound");
    for (size_t i = 0; i < matrix->rows.count; i++) {
        const size_t length = strlen(matrix->rows.items[i].name);
        width = length > width ? length : width;
    }
    const size_t room = matrix->query->line->width ? matrix->query->line->width : LINE_WIDTH;
    size_t beside = width + 3 * CELL_WIDTH < room ? (room - width) / CELL_WIDTH : 3;
    if (!is_text || beside > MOST_CELLS)
        beside = MOST_CELLS;
    if (is_text) {
        fprintf(out, "%s%s\n", matrix->heading, setting_of_machine(matrix->query));
        setting_write_machine(matrix->query);
    }
    for (size_t from = 0; from < matrix->columns; from += beside) {
        const size_t to = from + beside < matrix->columns ? from + beside : matrix->columns;
        if (from || (is_text && !setting_is_brief(matrix->query)))
            fputc('\n', out);
        Table *table = query_table(matrix->query, TABLE_cost_matrix);
        for (size_t i = from; i < to; i++)
            table_title(table, (Key)(KEY_cell_1 + (int)(i - from)), matrix->titles[i]);
        for (size_t i = to - from; i < MOST_CELLS; i++)
            table_hide(table, (Key)(KEY_cell_1 + (int)i));
        for (size_t i = 0; i < matrix->rows.count; i++)
            write_matrix_row(matrix, table, &matrix->rows.items[i], from, to);
        const MatrixRow bounds = {"lower bound", matrix->bounds};
        write_matrix_row(matrix, table, &bounds, from, to);
        table_close(table);
    }
    if (is_text && !setting_is_brief(matrix->query)) {
        fputs("\n*: the fastest\n", out);
        line_say(matrix->query->line, "rules: %s", matrix->rules);
    }
}

Status cost_matrix(const Query *query)
{
    Arena *arena = query->study.arena;
    const bool by_ranks = query->sizes.count == 1 && query->ranks.count > 1;
    const char *collective = query->collective->head.name;
    bool is_wrong = false;
    Matrix matrix;
    for (size_t i = 0; i < query->ranks.count; i++) {
        const size_t columns = by_ranks ? query->ranks.count : query->sizes.count;
        if (i == 0 || !by_ranks)
            matrix = (Matrix){.query = query,
                              .columns = columns,
                              .titles = ARENA_ARRAY(arena, const char *, columns),
                              .least = new_column(arena, columns),
                              .bounds = new_column(arena, columns)};
        Query *settled = ARENA_NEW(arena, Query);
        if (!query_settle_sizes(query, query->collective, query->ranks.items[i], settled))
            return STATUS_BAD_INPUT;
        collcost_case *opened = query_case(settled, i, query->collective, query->only);
        if (!opened || !query_answered(query, collcost_case_rules(opened, &matrix.rules)))
            return STATUS_BAD_INPUT;
        for (size_t s = 0; s < query->sizes.count; s++) {
            const char *size = quantity_show_bytes(arena, settled->asked.items[s]);
            const size_t column = by_ranks ? i : s;
            matrix.titles[column] =
                by_ranks ? collcost_case_network(opened)
                         : arena_printf(arena, "%s%s", query->nccl_sizes ? "M = " : "", size);
            matrix.heading = by_ranks ? arena_printf(arena, "%s on %s, %s = %s: total time",
                                                     collective, query->topology->head.name,
                                                     query->nccl_sizes ? "M" : "m", size)
                                      : arena_printf(arena, "%s on %s: total time", collective,
                                                     collcost_case_network(opened));
            if (!fill_column(&matrix, opened, settled->sizes.items[s], column))
                return STATUS_BAD_INPUT;
        }
        is_wrong |= matrix.is_wrong;
        if (by_ranks && i + 1 < query->ranks.count)
            continue;
        if (i && !by_ranks)
            fputc('\n', query->line->out);
        write_matrix(&matrix);
    }
    return is_wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
}

bool cost_traffic_write(const Query *query, collcost_case *opened, const char *rules, double size,
                        double asked, Table *table)
{
    const collcost_traffic *traffic;
    size_t count;
    setting_put(table, query, false, rules);
    if (!query_answered(query, collcost_case_traffic(opened, size, &traffic, &count)))
        return false;
    for (size_t i = 0; i < count; i++) {
        const collcost_traffic *row = &traffic[i];
        choices_put_subject(table, opened, row->algorithm, &row->branches);
        put_number(table, KEY_m_bytes, size);
        put_number(table, KEY_nccl_bytes, asked);
        if (row->has_chunks)
            put_number(table, KEY_k, row->k);
        PUT(table, row, total_s, links, link_count, busiest_bytes, least_busiest_bytes, stages);
        put_number(table, KEY_traffic_bytes, row->bytes);
        put_number(table, KEY_least_traffic_bytes, row->least_bytes);
        if (row->least_bytes > 0)
            put_number(table, KEY_traffic_ratio, row->bytes / row->least_bytes);
        table_row(table);
    }
    if (query->format != FORMAT_TEXT)
        return true;
    table_close(table);
    if (!setting_is_brief(query))
        fputc('\n', query->line->out);
    StringArray written = {0};
    for (size_t i = 0; i < count; i++)
        composed_write(query, traffic[i].algorithm, traffic[i].stages, &written);
    return true;
}

bool cost_formulas_are_asked(const CommandLine *line)
{
    const OptionSet others = OPTIONS(RANKS, SIZE, ORDER, PICTURE, WITH, TRAFFIC, ALONG, MEMBERS,
                                     MATRIX, WEIGHTS, FOR, COMPOSE, FINISH, BANDWIDTHS);
    return option_among(line, others) == OPTION_COUNT && !topology_has_sizes(line);
}

static size_t put_closed_forms(const Query *query, const AlgorithmArray *algorithms, Table *table)
{
    size_t rows = 0;
    for (size_t a = 0; a < algorithms->count; a++) {
        const Algorithm *algorithm = algorithms->items[a];
        for (size_t i = 0; i < algorithm->claims.list.count; i++) {
            const Claim *claim = claims_on(&algorithm->claims, i, query->topology->head.name);
            if (!(claim && claim->kind == CLAIM_TIME && !claim->first.program &&
                  !claim->recorded_refuted && !claim->overlaps &&
                  claim->switching[query->study.rules.switching]))
                continue;
            rows++;
            if (table) {
                Arena *arena = query->study.arena;
                put_text(table, KEY_collective, algorithm->collective->head.name);
                put_text(table, KEY_algorithm, algorithm->head.name);
                put_text(table, KEY_topology, query->topology->head.name);
                put_text(table, KEY_closed_form, claim_formula(arena, claim));
                put_text(table, KEY_claimed_where, claim_where(arena, claim));
                put_text(table, KEY_source, claim->source);
                table_row(table);
            }
        }
    }
    return rows;
}

Status cost_formulas(const CommandLine *line, bool *any)
{
    Query query;
    const Collective *collective;
    const Algorithm *only;
    AlgorithmArray algorithms = {0};
    *any = false;
    if (!query_read(line, &query) ||
        !subject_read(&query.study, line->operands.items[0], &collective, &only))
        return STATUS_BAD_INPUT;
    if (only)
        *ARRAY_PUSH(query.study.arena, &algorithms) = only;
    else if (!library_algorithms(query.study.library, collective, &algorithms, query.study.diag))
        return STATUS_BAD_INPUT;
    *any = !query.ranks.count && put_closed_forms(&query, &algorithms, NULL) > 0;
    if (!*any)
        return STATUS_FINE;
    if (query.format == FORMAT_TEXT)
        fprintf(line->out, "%s on %s, any p\n%s", collective->head.name, query.topology->head.name,
                setting_is_brief(&query) ? "" : "\n");
    Table *table = query_table(&query, TABLE_cost_formulas);
    put_closed_forms(&query, &algorithms, table);
    table_close(table);
    if (query.format != FORMAT_TEXT || setting_is_brief(&query))
        return STATUS_FINE;
    fputc('\n', line->out);
    line_say(line,
             "Closed forms, which 'verify' compares with the schedules. Give -t %s:8, or -p 8, "
             "for all algorithms, also those without.",
             query.topology->head.name);
    return STATUS_FINE;
}
