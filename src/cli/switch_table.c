#include "cli/switch_table.h"

#include "choose/margin.h"

#include <math.h>

static const Column columns[] = {
    {"collective", NULL, COLUMN_TEXT},
    {"topology", NULL, COLUMN_TEXT},
    {"p", NULL, COLUMN_INT},
    {"sizes", NULL, COLUMN_TEXT}, /* with --sizes nccl */
    {"from_bytes", "from", COLUMN_BYTES},
    {"to_bytes", "to", COLUMN_BYTES},
    {"algorithm", "algorithm", COLUMN_TEXT},
    {"k", "k", COLUMN_REAL},
    {"total_at_from_s", "time at from", COLUMN_SECONDS},
    {"tied", NULL, COLUMN_LIST},
    {"to_k", NULL, COLUMN_REAL},
    {"total_at_to_s", "at to", COLUMN_SECONDS},
    {"excess", "over best", COLUMN_SHARE}, /* with --tolerance */
    {"second", "second best", COLUMN_TEXT},
    {"second_loss", "loses", COLUMN_SHARE},
    {"second_loss_at_bytes", "at", COLUMN_BYTES},
    {NULL, "tied with", COLUMN_LIST},
};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

/* A piece with all that its row says. */
typedef struct {
    const Piece *piece;
    bool has_end;
    CurvePoint end;
    Margin second, excess;
} Row;

static Cell tied_cell(const Query *query, const SwitchPoints *points, const Piece *piece)
{
    const char **names = ARENA_ARRAY(query->arena, const char *, points->count + 1);
    return cell_list(names, piece_tied(piece, points->curves, points->count, names));
}

/* A row's sizes in the convention of --sizes; those of the command line as they were written. */
static double lower_end(const SwitchCase *here, size_t i)
{
    const Query *query = &here->query;
    bool is_given = i == 0 && query->asked.count;
    return is_given ? query->asked.items[0] : here->shown.items[i].from * query->m_count;
}

static double upper_end(const SwitchCase *here, size_t i)
{
    const Query *query = &here->query;
    bool is_given = i + 1 == here->shown.count && query->asked.count;
    return is_given ? query->asked.items[query->asked.count - 1]
                    : here->shown.items[i].to * query->m_count;
}

/* "7", or "7..12" where it changes along the piece. */
static Cell chunks_cell(const Query *query, const Row *row, const Curve *curve)
{
    double k = row->piece->start.k;
    if (!curve_algorithm(curve)->free_chunks)
        return cell_missing();
    if (!curve_is_free(curve) || (row->has_end && row->end.k == k))
        return cell_number(k);
    return cell_shown(cell_number(k),
                      row->has_end ? arena_printf(query->arena, "%.10g..%.10g", k, row->end.k)
                                   : arena_printf(query->arena, "%.10g..", k));
}

/* Where the second best loses most; beyond all sizes where that is at the end of a row without. */
static Cell loss_at_cell(const Query *query, const Row *row)
{
    Cell at = cell_number(row->second.at * query->m_count);
    if (isinf(row->second.loss) && row->second.loss < 0)
        return cell_missing();
    return row->has_end || row->second.at < row->piece->to ? at : cell_shown(at, "no end");
}

static bool fill_row(const SwitchCase *here, size_t i, Row *row)
{
    const SwitchPoints *points = &here->points;
    Diag *diag = here->query.diag;
    const Piece *piece = &here->shown.items[i];
    bool is_merged = option_given(here->query.line, OPTION_TOLERANCE);
    *row = (Row){.piece = piece, .has_end = i + 1 < here->shown.count || !points->is_open};
    return (!row->has_end || curve_at(points->curves[piece->curve], piece->to,
                                      curve_most_chunks(piece->to), &row->end, diag)) &&
           margin_of_second(points->curves, points->count, piece, &row->second, diag) &&
           (!is_merged || margin_to_pieces(points->curves, &points->pieces, piece->curve,
                                           piece->from, piece->to, &row->excess, diag));
}

static bool write_row(const SwitchCase *here, size_t i, const Collective *collective, Table *table)
{
    Row row;
    const Query *query = &here->query;
    const Curve *curve = here->points.curves[here->shown.items[i].curve];
    bool is_free = curve_algorithm(curve)->free_chunks;
    if (!fill_row(here, i, &row))
        return false;
    bool has_second = row.second.loss > -INFINITY;
    Cell tied = tied_cell(query, &here->points, row.piece);
    Cell cells[COLUMN_COUNT] = {
        cell_text(collective->head.name),
        cell_text(here->network.name),
        cell_number((double)here->network.p),
        cell_text("nccl"),
        cell_number(lower_end(here, i)),
        row.has_end ? cell_number(upper_end(here, i)) : cell_shown(cell_missing(), "no end"),
        cell_text(curve_algorithm(curve)->head.name),
        chunks_cell(query, &row, curve),
        cell_number(row.piece->start.total),
        tied,
        is_free && row.has_end ? cell_number(row.end.k) : cell_missing(),
        row.has_end ? cell_number(row.end.total) : cell_missing(),
        cell_number(row.excess.loss),
        has_second ? cell_text(curve_algorithm(here->points.curves[row.second.curve])->head.name)
                   : cell_missing(),
        cell_number(row.second.loss),
        loss_at_cell(query, &row),
        tied,
    };
    table_row(table, cells);
    return true;
}

Table *switch_table_open(const Query *query)
{
    Column *shown = ARENA_COPY(query->arena, Column, columns, COLUMN_COUNT);
    if (!query->nccl_sizes)
        columns_hide(shown, COLUMN_COUNT, "sizes");
    if (!option_given(query->line, OPTION_TOLERANCE))
        columns_hide(shown, COLUMN_COUNT, "excess");
    return table_open(query->arena, query->line->out, query->format, shown, COLUMN_COUNT);
}

bool switch_table_write(Table *table, const Query *asked, const Collective *collective,
                        size_t index, const SwitchCase *here)
{
    (void)asked, (void)index;
    bool good = true;
    for (size_t i = 0; i < here->shown.count && good; i++)
        good = write_row(here, i, collective, table);
    return good;
}
