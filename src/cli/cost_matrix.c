#include "cli/cost_parts.h"

#include "cli/setting.h"
#include "collcost.h"

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

bool cost_matrix_check(const Query *query, const Collective *collective)
{
    static const OptionId others[] = {OPTION_PICTURE, OPTION_TRAFFIC, OPTION_BANDWIDTHS};
    const CommandLine *line = query->line;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (option_given(line, others[i]))
            return diag_error(line->diag, NOWHERE, "--matrix and --%s cannot be combined",
                              option_name(others[i]));
    if (collective->problem)
        diag_error(line->diag, line->operands.items[0].span,
                   "--matrix goes with collectives, not with problems");
    else if (query->sizes.count)
        return true;
    else {
        diag_error(line->diag, NOWHERE, "--matrix needs message sizes: give -m");
        context_hint(line, OPTION_SIZE);
    }
    return false;
}

static double *fill(Arena *arena, size_t count)
{
    double *values = ARENA_ROOM(arena, double, count);
    for (size_t i = 0; i < count; i++)
        values[i] = NAN;
    return values;
}

static Matrix create_matrix(const Query *query, size_t columns)
{
    Arena *arena = query->study.arena;
    return (Matrix){.query = query,
                    .columns = columns,
                    .titles = ARENA_ARRAY(arena, const char *, columns),
                    .least = fill(arena, columns),
                    .bounds = fill(arena, columns)};
}

static MatrixRow *row_named(Matrix *matrix, const char *name)
{
    Arena *arena = matrix->query->study.arena;
    for (size_t i = 0; i < matrix->rows.count; i++)
        if (strcmp(matrix->rows.items[i].name, name) == 0)
            return &matrix->rows.items[i];
    MatrixRow *row = ARRAY_PUSH(arena, &matrix->rows);
    *row = (MatrixRow){name, fill(arena, matrix->columns)};
    return row;
}

static bool fill_column(Matrix *matrix, collcost_case *opened, double size, size_t column)
{
    const collcost_cost *costs;
    size_t count;
    if (!query_answered(matrix->query, collcost_case_costs(opened, size, &costs, &count)))
        return false;
    for (size_t i = 0; i < count; i++) {
        row_named(matrix, costs[i].algorithm)->seconds[column] = costs[i].total_s;
        matrix->is_wrong |= costs[i].check == COLLCOST_WRONG;
    }
    if (count)
        matrix->least[column] = costs[0].total_s;
    if (count && costs[0].bound_s >= 0)
        matrix->bounds[column] = costs[0].bound_s;
    return true;
}

static void write_row(const Matrix *matrix, Table *table, const char *name, const double *seconds,
                      size_t from, size_t to)
{
    Arena *arena = matrix->query->study.arena;
    const Format format = matrix->query->format;
    const bool marks =
        seconds != matrix->bounds && (format == FORMAT_TEXT || format == FORMAT_MARKDOWN);
    put_text(table, KEY_algorithm, name);
    for (size_t i = from; i < to; i++) {
        const Key key = (Key)(KEY_cell_1 + (int)(i - from));
        if (isnan(seconds[i]))
            continue;
        put_number(table, key, seconds[i]);
        if (marks && seconds[i] <= matrix->least[i] * (1 + 1e-12))
            put_shown(table, key,
                      arena_printf(arena, "%s *", quantity_show_time(arena, seconds[i])));
    }
    table_row(table);
}

static void write_columns(const Matrix *matrix, size_t from, size_t to)
{
    const Query *query = matrix->query;
    Table *table = line_table(query->line, query->format, TABLE_cost_matrix);
    for (size_t i = from; i < to; i++)
        table_title(table, (Key)(KEY_cell_1 + (int)(i - from)), matrix->titles[i]);
    for (size_t i = to - from; i < MOST_CELLS; i++)
        table_hide(table, (Key)(KEY_cell_1 + (int)i));
    for (size_t i = 0; i < matrix->rows.count; i++)
        write_row(matrix, table, matrix->rows.items[i].name, matrix->rows.items[i].seconds, from,
                  to);
    write_row(matrix, table, "lower bound", matrix->bounds, from, to);
    table_close(table);
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
        if (from || (is_text && !setting_is_brief(matrix->query)))
            fputc('\n', out);
        write_columns(matrix, from,
                      from + beside < matrix->columns ? from + beside : matrix->columns);
    }
    if (is_text && !setting_is_brief(matrix->query)) {
        fputs("\n*: the fastest\n", out);
        line_say(matrix->query->line, "rules: %s", matrix->rules);
    }
}

/* `fixed`: ", m = 1 MiB", or nothing where sizes are columns. */
static const char *heading_of(const Query *query, const char *collective, const char *network,
                              const char *fixed)
{
    return arena_printf(query->study.arena, "%s on %s%s: total time", collective, network, fixed);
}

static bool open_column(const Query *query, const Collective *collective, const Algorithm *only,
                        size_t index, Query *settled, collcost_case **opened)
{
    if (!query_settle_sizes(query, collective, query->ranks.items[index], settled))
        return false;
    settled = ARENA_COPY(query->study.arena, Query, settled, 1);
    *opened = query_case(settled, index, collective, only);
    return *opened != NULL;
}

static Status by_size(const Query *query, const Collective *collective, const Algorithm *only)
{
    bool is_wrong = false;
    for (size_t i = 0; i < query->ranks.count; i++) {
        Matrix matrix = create_matrix(query, query->sizes.count);
        Query settled;
        collcost_case *opened;
        if (!open_column(query, collective, only, i, &settled, &opened) ||
            !query_answered(query, collcost_case_rules(opened, &matrix.rules)))
            return STATUS_BAD_INPUT;
        matrix.heading =
            heading_of(query, collective->head.name, collcost_case_network(opened), "");
        for (size_t s = 0; s < query->sizes.count; s++) {
            matrix.titles[s] =
                arena_printf(query->study.arena, "%s%s", query->nccl_sizes ? "M = " : "",
                             quantity_show_bytes(query->study.arena, settled.asked.items[s]));
            if (!fill_column(&matrix, opened, settled.sizes.items[s], s))
                return STATUS_BAD_INPUT;
        }
        if (i)
            fputc('\n', query->line->out);
        write_matrix(&matrix);
        is_wrong |= matrix.is_wrong;
    }
    return is_wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
}

static Status by_ranks(const Query *query, const Collective *collective, const Algorithm *only)
{
    Matrix matrix = create_matrix(query, query->ranks.count);
    for (size_t i = 0; i < query->ranks.count; i++) {
        Query settled;
        collcost_case *opened;
        if (!open_column(query, collective, only, i, &settled, &opened) ||
            !query_answered(query, collcost_case_rules(opened, &matrix.rules)) ||
            !fill_column(&matrix, opened, settled.sizes.items[0], i))
            return STATUS_BAD_INPUT;
        matrix.titles[i] = collcost_case_network(opened);
        matrix.heading = heading_of(
            query, collective->head.name, query->topology->head.name,
            arena_printf(query->study.arena, ", %s = %s", query->nccl_sizes ? "M" : "m",
                         quantity_show_bytes(query->study.arena, settled.asked.items[0])));
    }
    write_matrix(&matrix);
    return matrix.is_wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
}

Status cost_matrix(const Query *query, const Collective *collective, const Algorithm *only)
{
    return query->sizes.count == 1 && query->ranks.count > 1 ? by_ranks(query, collective, only)
                                                             : by_size(query, collective, only);
}
