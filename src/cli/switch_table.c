#include "cli/switch_table.h"

#include "choose/margin.h"
#include "cli/setting.h"

#include <math.h>

/* A piece with all that its row says. */
typedef struct {
    const Piece *piece;
    bool has_end;
    PieceDetails details;
    Margin excess;
} Row;

/* A row's sizes in the convention of --sizes; those of the command line as they were written. */
static double lower_end(const SwitchCase *here, size_t i)
{
    const Query *query = &here->query;
    bool is_given = i == 0 && query->asked.count;
    return is_given ? query->asked.items[0] : here->points.shown.items[i].from * query->m_count;
}

static double upper_end(const SwitchCase *here, size_t i)
{
    const Query *query = &here->query;
    bool is_given = i + 1 == here->points.shown.count && query->asked.count;
    return is_given ? query->asked.items[query->asked.count - 1]
                    : here->points.shown.items[i].to * query->m_count;
}

/* "7", or "7..12" where it changes along the piece. */
static void put_chunks(const Query *query, const Row *row, const Curve *curve, Table *table)
{
    double k = row->piece->start.k;
    if (!curve_algorithm(curve)->free_chunks)
        return;
    put_number(table, KEY_k, k);
    if (row->has_end)
        put_number(table, KEY_to_k, row->details.end.k);
    if (curve_is_free(curve) && !(row->has_end && row->details.end.k == k))
        put_shown(table, KEY_k,
                  row->has_end
                      ? arena_printf(query->study.arena, "%.10g..%.10g", k, row->details.end.k)
                      : arena_printf(query->study.arena, "%.10g..", k));
}

/* Where the second best loses most; beyond all sizes where that is at the end of a row without. */
static void put_loss_at(const Query *query, const Row *row, Table *table)
{
    if (!row->details.second_name)
        return;
    put_number(table, KEY_second_slower_at_bytes, row->details.second.at * query->m_count);
    if (!row->has_end && row->details.second.at >= row->piece->to)
        put_shown(table, KEY_second_slower_at_bytes, "no end");
}

static bool fill_row(const SwitchCase *here, size_t i, Row *row)
{
    const Candidates *candidates = &here->opened->candidates;
    Curve *const *curves = candidates->curves;
    Diag *diag = here->query.study.diag;
    const Piece *piece = &here->points.shown.items[i];
    bool is_merged = option_given(here->query.line, OPTION_TOLERANCE);
    *row = (Row){.piece = piece, .has_end = i + 1 < here->points.shown.count || !here->is_open};
    return piece_details(here->query.study.arena, curves, candidates->algorithms.count, piece,
                         &row->details, diag) &&
           (!is_merged || margin_to_pieces(curves, &here->points.pieces, piece->curve, piece->from,
                                           piece->to, &row->excess, diag));
}

static bool write_row(const SwitchCase *here, size_t i, const Collective *collective, Table *table)
{
    Row row;
    const Query *query = &here->query;
    const Curve *curve = here->opened->candidates.curves[here->points.shown.items[i].curve];
    if (!fill_row(here, i, &row))
        return false;
    put_text(table, KEY_collective, collective->head.name);
    put_text(table, KEY_topology, here->opened->network.name);
    put_number(table, KEY_p, (double)here->opened->network.p);
    put_text(table, KEY_sizes, "nccl");
    put_number(table, KEY_from_bytes, lower_end(here, i));
    put_text(table, KEY_algorithm, curve_algorithm(curve)->head.name);
    put_chunks(query, &row, curve, table);
    put_number(table, KEY_total_at_from_s, row.piece->start.total);
    put_list(table, KEY_tied, row.details.tied, row.details.tied_count);
    put_list(table, KEY_tied_with, row.details.tied, row.details.tied_count);
    if (row.has_end) {
        put_number(table, KEY_to_bytes, upper_end(here, i));
        put_number(table, KEY_total_at_to_s, row.details.end.total);
    } else {
        put_shown(table, KEY_to_bytes, "no end");
    }
    put_number(table, KEY_excess, row.excess.loss);
    put_text(table, KEY_second, row.details.second_name);
    put_number(table, KEY_second_slower_by, row.details.second.loss);
    put_loss_at(query, &row, table);
    table_row(table);
    return true;
}

Table *switch_table_open(const Query *query)
{
    Table *table = table_open(query->study.arena, query->line->out, query->format, TABLE_switch);
    if (query->nccl_sizes)
        table_include(table, KEY_sizes);
    if (option_given(query->line, OPTION_TOLERANCE))
        table_include(table, KEY_excess);
    return table;
}

bool switch_table_write(Table *table, const Query *asked, const Collective *collective,
                        size_t index, SwitchCase *here)
{
    (void)asked, (void)index;
    bool good = true;
    setting_put(table, &here->query, collective->problem,
                setting_rules(&here->query, &here->opened->network));
    for (size_t i = 0; i < here->points.shown.count && good; i++)
        good = write_row(here, i, collective, table);
    return good;
}
