#include "cli/audit.h"
#include "cli/switchpoints.h"

#include <math.h>

static const Column columns[] = {
    {"collective", NULL, COLUMN_TEXT},
    {"topology", NULL, COLUMN_TEXT},
    {"p", NULL, COLUMN_INT},
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
            cell_number(piece->from),
            no_end ? cell_shown(cell_missing(), "no end") : cell_number(piece->to),
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
                                 piece->from, curve_claim(curve)) != AUDIT_WRONG;
    }
    return right;
}

static bool answer(const Query *query, const Collective *collective, const Network *network,
                   Table *table, bool *right)
{
    AlgorithmArray algorithms = {0};
    SwitchPoints points;
    if (!query_algorithms(query, collective, NULL, network, &algorithms) ||
        !switchpoints_find(query, &algorithms, network, &points))
        return false;
    write_pieces(query, collective, network, &points, table);
    *right &= are_winners_right(query, network, &points);
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
        fprintf(line->out, "\n%s on %s\n", collective->head.name, network.name);
        Table *table = table_open(line->arena, line->out, query.format, columns, COLUMN_COUNT);
        if (!answer(&query, collective, &network, table, &right))
            return STATUS_BAD_INPUT;
        table_close(table);
    }
    if (query.format == FORMAT_TEXT) {
        fprintf(line->out, "\nrules: %s\n", rules_describe(line->arena, &query.rules));
        return right ? STATUS_FINE : STATUS_CHECK_FAILED;
    }
    Table *table = table_open(line->arena, line->out, query.format, columns, COLUMN_COUNT);
    for (size_t i = 0; i < query.ranks.count; i++)
        if (!query_network(&query, i, &network) ||
            !answer(&query, collective, &network, table, &right))
            return STATUS_BAD_INPUT;
    table_close(table);
    return right ? STATUS_FINE : STATUS_CHECK_FAILED;
}

const Command command_switch = {
    .name = "switch",
    .operands = "COLLECTIVE",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "the fastest algorithm by message size, with exact switch points",
    .description =
        "Which algorithm of a collective is the fastest from which message size on. Switch points\n"
        "are computed, not sampled; k is the best number of chunks at the lower end of a row, and\n"
        "ties are named. With -m LO..HI only that range is searched.",
    .options = OPTIONS_OF_COSTS | OPTION_BIT(REAL_K) | OPTION_BIT(AMONG),
    .run = run,
};
