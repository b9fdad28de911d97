#include "cli/audit.h"
#include "cli/problem_cost.h"
#include "cli/switchpoints.h"

#include <math.h>
#include <string.h>

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
    {"tied", "tied with", COLUMN_LIST},
};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

static Cell tied_cell(const Query *query, const SwitchPoints *points, const Piece *piece)
{
    const char **names = ARENA_ARRAY(query->arena, const char *, points->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < points->count; i++)
        if (piece->tied[i])
            names[count++] = curve_algorithm(points->curves[i])->head.name;
    return cell_list(names, count);
}

/* A row's sizes in the convention of --sizes; those of the command line as they were written. */
static double lower_end(const Query *query, const SwitchPoints *points, size_t i)
{
    bool is_given = i == 0 && query->asked.count;
    return is_given ? query->asked.items[0] : points->pieces.items[i].from * query->m_count;
}

static double upper_end(const Query *query, const SwitchPoints *points, size_t i)
{
    bool is_given = i + 1 == points->pieces.count && query->asked.count;
    return is_given ? query->asked.items[query->asked.count - 1]
                    : points->pieces.items[i].to * query->m_count;
}

static void write_pieces(const Query *query, const Collective *collective, const Network *network,
                         const SwitchPoints *points, Table *table)
{
    for (size_t i = 0; i < points->pieces.count; i++) {
        const Piece *piece = &points->pieces.items[i];
        bool no_end = i + 1 == points->pieces.count && points->is_open;
        const Curve *curve = points->curves[piece->curve];
        Cell cells[COLUMN_COUNT] = {
            cell_text(collective->head.name),
            cell_text(network->name),
            cell_number((double)network->p),
            cell_text("nccl"),
            cell_number(lower_end(query, points, i)),
            no_end ? cell_shown(cell_missing(), "no end")
                   : cell_number(upper_end(query, points, i)),
            cell_text(curve_algorithm(curve)->head.name),
            curve_algorithm(curve)->free_chunks ? cell_number(piece->start.k) : cell_missing(),
            cell_number(piece->start.total),
            tied_cell(query, points, piece),
        };
        table_row(table, cells);
    }
}

/* Nobody is sent to an algorithm that is wrong: the winners are run at the sizes where they begin.
 */
static bool are_winners_right(const Query *query, const Network *network,
                              const SwitchPoints *points)
{
    bool right = true;
    for (size_t i = 0; i < points->pieces.count; i++) {
        const Piece *piece = &points->pieces.items[i];
        const Curve *curve = points->curves[piece->curve];
        right &= audit_algorithm(query, curve_algorithm(curve), network, floor(piece->start.k),
                                 piece->from, curve_closed(curve)) != AUDIT_WRONG;
    }
    return right;
}

static Table *open_table(const Query *query)
{
    Column *shown = ARENA_ARRAY(query->arena, Column, COLUMN_COUNT);
    memcpy(shown, columns, sizeof columns);
    if (!query->nccl_sizes)
        columns_hide(shown, COLUMN_COUNT, "sizes");
    return table_open(query->arena, query->line->out, query->format, shown, COLUMN_COUNT);
}

static bool answer(const Query *asked, const Collective *collective, size_t index, Table *table,
                   bool *right)
{
    Query query;
    Network network;
    Candidates candidates;
    SwitchPoints points;
    if (!query_settle_sizes(asked, collective, asked->ranks.items[index], &query))
        return false;
    if (collective->is_empty) /* one winner, at every size of the range */
        query.sizes = asked->sizes;
    if (!query_network(&query, index, &network) ||
        !query_settle_ends(&query, collective, &network) ||
        !candidates_open(&query, collective, NULL, &network, &candidates) ||
        !switchpoints_find(&query, &candidates, &points))
        return false;
    write_pieces(&query, collective, &network, &points, table);
    *right &= are_winners_right(&query, &network, &points);
    return true;
}

static Status run(const CommandLine *line)
{
    Query query;
    const Collective *collective;
    const Algorithm *only;
    Network network;
    bool right = true;
    if (!query_read_subject(line, &query, &collective, &only))
        return STATUS_BAD_INPUT;
    if (collective->problem)
        return problem_switch(&query, collective, only);
    const double *sizes = query.sizes.items;
    if (query.sizes.count && !(query.is_range && sizes[0] < sizes[query.sizes.count - 1])) {
        diag_error(line->diag, option_value(line, OPTION_SIZE).span,
                   "switch points are sought in a range of sizes, such as 1KiB..1GiB");
        return STATUS_BAD_INPUT;
    }
    if (only) {
        diag_error(line->diag, line->operands.items[0].span,
                   "switch points are between algorithms: name the collective, and --among A,B");
        return STATUS_BAD_INPUT;
    }
    if (query.format == FORMAT_TEXT)
        query_describe_machine(&query);
    for (size_t i = 0; i < query.ranks.count && query.format == FORMAT_TEXT; i++) {
        if (!query_network(&query, i, &network))
            return STATUS_BAD_INPUT;
        fprintf(line->out, "\n%s on %s%s\n", collective->head.name, network.name,
                query.nccl_sizes ? ", sizes as nccl counts them: M, not m" : "");
        Table *table = open_table(&query);
        if (!answer(&query, collective, i, table, &right))
            return STATUS_BAD_INPUT;
        table_close(table);
    }
    if (query.format == FORMAT_TEXT) {
        fprintf(line->out, "\nrules: %s\n", rules_describe(line->arena, &query.rules));
        return right ? STATUS_FINE : STATUS_CHECK_FAILED;
    }
    Table *table = open_table(&query);
    for (size_t i = 0; i < query.ranks.count; i++)
        if (!answer(&query, collective, i, table, &right))
            return STATUS_BAD_INPUT;
    table_close(table);
    return right ? STATUS_FINE : STATUS_CHECK_FAILED;
}

const Command command_switch = {
    .name = "switch",
    .operands = "COLLECTIVE|PROBLEM",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "the fastest algorithm by message size, with exact switch points",
    .description =
        "Which algorithm of a collective is the fastest from which message size on. Switch points\n"
        "are computed, not sampled; k is the best number of chunks at the lower end of a row, and\n"
        "ties are named. With -m LO..HI only that range is searched. For a product of matrices:\n"
        "from which order on, up to 65536 or in -n LO..HI.",
    .options = OPTIONS_OF_COSTS | OPTION_BIT(SIZES) | OPTION_BIT(REAL_K) | OPTION_BIT(AMONG) |
               OPTION_BIT(ORDER) | OPTION_BIT(ELEMENT) | OPTION_BIT(USING),
    .spoken = OPTION_BIT(SIZE) | OPTION_BIT(ORDER),
    .run = run,
};
