#include "base/sort.h"
#include "cli/compared.h"

#include <string.h>

enum { LINE_WIDTH = 100, HEAD_WIDTH = 10, LEAST_WIDTH = 7 };

/* One algorithm, measured in one way. */
typedef struct {
    const char *title;
    const ComparedRow *rows; /* their sizes rise */
    size_t count, next;      /* the first that is not written yet */
    int width;
} MatrixColumn;
ARRAY_TYPE(MatrixColumns, MatrixColumn);

typedef struct {
    FILE *out;
    Arena *arena;
    const ComparedRow *rows; /* of one matrix */
    size_t count;
    MatrixColumns columns;
    double limit;
    bool has_colour;
} Matrix;

bool compared_alike(const ComparedRow *a, const ComparedRow *b)
{
    return a->row->p == b->row->p && a->row->ranks_per_node == b->row->ranks_per_node &&
           strcmp(a->row->collective, b->row->collective) == 0 &&
           strcmp(a->row->system, b->row->system) == 0;
}

static bool is_same_algorithm(const ComparedRow *a, const ComparedRow *b)
{
    return strcmp(a->row->algorithm, b->row->algorithm) == 0;
}

/* Where rows beside these were measured in another way, the title says in which. */
static const char *choose_title(const Matrix *matrix, const ComparedRow *first)
{
    const Measurement *row = first->row;
    for (size_t i = 0; i < matrix->count; i++) {
        const ComparedRow *other = &matrix->rows[i];
        if (!other->reason && other->row->finish != row->finish && is_same_algorithm(other, first))
            return arena_printf(matrix->arena, "%s (%s)", row->algorithm,
                                finish_info[row->finish].name);
    }
    return row->algorithm;
}

static void find_columns(Matrix *matrix)
{
    for (size_t from = 0, to; from < matrix->count; from = to) {
        const ComparedRow *first = &matrix->rows[from];
        bool is_predicted = false;
        for (to = from; to < matrix->count; to++) {
            const ComparedRow *next = &matrix->rows[to];
            if (!is_same_algorithm(first, next) || first->row->finish != next->row->finish)
                break;
            is_predicted |= !next->reason;
        }
        if (!is_predicted)
            continue;
        const char *title = choose_title(matrix, first);
        int length = (int)strlen(title);
        *ARRAY_PUSH(matrix->arena, &matrix->columns) =
            (MatrixColumn){.title = title,
                           .rows = first,
                           .count = to - from,
                           .width = 2 + (length < LEAST_WIDTH ? LEAST_WIDTH : length)};
    }
}

/* The cell of the next size, which is `bytes`; NULL: the column has none. */
static const ComparedRow *next_cell(const MatrixColumn *column, double bytes)
{
    const ComparedRow *next = &column->rows[column->next];
    return column->next < column->count && next->row->bytes == bytes && !next->reason ? next : NULL;
}

/* Yellow beyond the limit, red from twofold on. */
static void write_cell(const Matrix *matrix, const ComparedRow *cell, int width)
{
    if (!cell) {
        fprintf(matrix->out, "%*s", width, "-");
        return;
    }
    const char *colour = !matrix->has_colour || cell->error <= matrix->limit ? ""
                         : cell->error < 1                                   ? "\033[33m"
                                                                             : "\033[31m";
    int digits = cell->ratio < 10 ? 2 : cell->ratio < 100 ? 1 : 0;
    fprintf(matrix->out, "%s%*.*f%s", colour, width, digits, cell->ratio, *colour ? "\033[m" : "");
}

/* The sizes of some columns, which rise, each perhaps several times. */
static SizeArray list_sizes(const Matrix *matrix, size_t from, size_t to)
{
    SizeArray sizes = {0};
    for (size_t i = from; i < to; i++) {
        const MatrixColumn *column = &matrix->columns.items[i];
        for (size_t row = 0; row < column->count; row++)
            if (!column->rows[row].reason)
                *ARRAY_PUSH(matrix->arena, &sizes) = column->rows[row].row->bytes;
    }
    sort_doubles(sizes.items, sizes.count);
    return sizes;
}

static void write_line(const Matrix *matrix, double bytes, size_t from, size_t to)
{
    fprintf(matrix->out, "%*s", HEAD_WIDTH, quantity_show_bytes(matrix->arena, bytes));
    for (size_t i = from; i < to; i++) {
        MatrixColumn *column = &matrix->columns.items[i];
        while (column->next < column->count && column->rows[column->next].row->bytes < bytes)
            column->next++;
        write_cell(matrix, next_cell(column, bytes), column->width);
    }
    fputc('\n', matrix->out);
}

static void write_columns(const Matrix *matrix, size_t from, size_t to)
{
    const SizeArray sizes = list_sizes(matrix, from, to);
    fprintf(matrix->out, "%*s", HEAD_WIDTH, "size");
    for (size_t i = from; i < to; i++)
        fprintf(matrix->out, "%*s", matrix->columns.items[i].width, matrix->columns.items[i].title);
    fputc('\n', matrix->out);
    for (size_t i = 0; i < sizes.count; i++)
        if (i == 0 || sizes.items[i] > sizes.items[i - 1])
            write_line(matrix, sizes.items[i], from, to);
    fputc('\n', matrix->out);
}

/* As many columns beside one another as fit on a line. */
static void write_matrix(Matrix *matrix)
{
    const Measurement *first = matrix->rows[0].row;
    find_columns(matrix);
    if (matrix->columns.count == 0)
        return;
    fprintf(matrix->out, "%s, p = %lld", first->collective, (long long)first->p);
    if (first->ranks_per_node)
        fprintf(matrix->out, ", %lld rank%s a node", (long long)first->ranks_per_node,
                first->ranks_per_node == 1 ? "" : "s");
    if (*first->system)
        fprintf(matrix->out, ", %s", first->system);
    fputs(": predicted / measured\n\n", matrix->out);
    for (size_t from = 0, to; from < matrix->columns.count; from = to) {
        int width = HEAD_WIDTH;
        for (to = from; to < matrix->columns.count; to++) {
            width += matrix->columns.items[to].width;
            if (width > LINE_WIDTH && to > from)
                break;
        }
        write_columns(matrix, from, to);
    }
}

void compared_write_matrices(FILE *out, Arena *arena, const ComparedRows *rows, double limit,
                             bool has_colour)
{
    for (size_t from = 0, to; from < rows->count; from = to) {
        for (to = from + 1; to < rows->count; to++)
            if (!compared_alike(&rows->items[from], &rows->items[to]))
                break;
        Matrix matrix = {.out = out,
                         .arena = arena,
                         .rows = &rows->items[from],
                         .count = to - from,
                         .limit = limit,
                         .has_colour = has_colour};
        write_matrix(&matrix);
    }
}
