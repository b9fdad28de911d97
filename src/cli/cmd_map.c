#include "cli/files.h"
#include "cli/map_text.h"
#include "cli/setting.h"
#include "cli/switchpoints.h"
#include "format/winner_map.h"

/* Sizes of a map where none are asked for. */
static const double default_from = 1, default_to = 0x1p30;

static void write_column(const DecisionMap *map, const MapColumn *column, Table *table)
{
    for (size_t i = 0; i < column->pieces.count; i++) {
        const MapPiece *piece = &column->pieces.items[i];
        const collcost_piece *found = piece->found;
        put_text(table, KEY_collective, map->collective);
        put_text(table, KEY_topology, column->network);
        put_number(table, KEY_p, (double)column->p);
        put_number(table, KEY_from_bytes, piece->from);
        put_text(table, KEY_algorithm, found->algorithm);
        put_number(table, KEY_total_at_from_s, found->total_at_from_s);
        put_number(table, KEY_to_bytes, piece->to);
        put_list(table, KEY_tied, found->tied, found->tied_count);
        if (found->has_chunks) {
            put_number(table, KEY_k, found->from_k);
            put_number(table, KEY_to_k, found->to_k);
        }
        put_number(table, KEY_total_at_to_s, found->total_at_to_s);
        if (found->second) {
            put_text(table, KEY_second, found->second);
            put_number(table, KEY_second_slower_by, found->second_slower_by);
            put_number(table, KEY_second_slower_at_bytes,
                       found->second_slower_at_bytes * column->m_count);
        }
        table_row(table);
    }
}

static void write_rows(const Query *query, const DecisionMap *map)
{
    Table *table = table_open(query->study.arena, query->line->out, query->format, TABLE_map);
    setting_put(table, query, false, setting_rules(query));
    for (size_t i = 0; i < map->columns.count; i++)
        write_column(map, &map->columns.items[i], table);
    table_close(table);
}

static void write_text(const Query *query, const DecisionMap *map)
{
    FILE *out = query->line->out;
    setting_write_machine(query);
    fprintf(out, "\n%s on %s, %s to %s%s\n\n", map->collective, map->topology,
            quantity_show_bytes(query->study.arena, map->from),
            quantity_show_bytes(query->study.arena, map->to),
            query->nccl_sizes ? ", sizes as in NCCL: M, not m" : "");
    map_write_text(out, map);
    fputc('\n', out);
    setting_write_rules(query);
}

static Status draw(const Query *query, const DecisionMap *map)
{
    Arena *arena = query->study.arena;
    const Heading heading = {
        arena_printf(arena, "%s on %s: the fastest algorithm", map->collective, map->topology),
        {setting_machine(query), arena_printf(arena, "rules: %s", setting_rules(query))}};
    if (map->columns.count > WINNER_MAP_MOST_ROWS) {
        diag_error(query->study.diag, option_value(query->line, OPTION_RANKS).span,
                   "too many numbers of ranks for a picture (at most %d)", WINNER_MAP_MOST_ROWS);
        return STATUS_BAD_INPUT;
    }
    return picture_write(query->line, winner_map_draw(arena, map, &heading,
                                                      query->nccl_sizes ? "message size M (NCCL)"
                                                                        : "message size m"));
}

static bool find_column(const Query *query, const Collective *collective, size_t index,
                        DecisionMap *map, bool *right)
{
    SwitchCase switches;
    bool has_details = query->format != FORMAT_TEXT;
    if (!switchcase_open(query, collective, index,
                         COLLCOST_CHECKED | (has_details ? COLLCOST_DETAILS : 0), &switches))
        return false;
    *right &= !switches.is_wrong;
    decision_map_add(map, switches.opened, switches.pieces, switches.count, switches.query.m_count);
    return true;
}

/* Its curves are needed no longer. */
static bool add_column(const Query *query, const Collective *collective, size_t index,
                       DecisionMap *map, bool *right)
{
    Query asked = *query;
    asked.study.curves = arena_scratch(asked.study.arena);
    bool good = find_column(&asked, collective, index, map, right);
    arena_destroy(asked.study.curves);
    return good;
}

static bool settle_sizes(Query *query)
{
    if (query->sizes.count == 0) {
        *ARRAY_PUSH(query->study.arena, &query->sizes) = default_from;
        *ARRAY_PUSH(query->study.arena, &query->sizes) = default_to;
        query->asked = query->sizes;
        return true;
    }
    return switchpoints_check_sizes(query);
}

static Status run(const CommandLine *line)
{
    Query query;
    const Collective *collective;
    const Algorithm *only;
    bool right = true;
    if (!picture_check(line) || !query_read_subject_over_ranks(line, &query, &collective, &only) ||
        !query_is_collective(&query, line->operands.items[0], collective) ||
        !switchpoints_check_subject(&query, only) || !settle_sizes(&query))
        return STATUS_BAD_INPUT;
    query.study.skips_refused = query.ranks.count > 1;
    DecisionMap map = {.arena = line->arena,
                       .collective = collective->head.name,
                       .topology = query.topology->head.name,
                       .from = query.asked.items[0],
                       .to = query.asked.items[query.asked.count - 1]};
    for (size_t i = 0; i < query.ranks.count; i++)
        if (!add_column(&query, collective, i, &map, &right))
            return STATUS_BAD_INPUT;
    if (option_given(line, OPTION_PICTURE)) {
        Status status = draw(&query, &map);
        return status == STATUS_FINE && !right ? STATUS_CHECK_FAILED : status;
    }
    if (query.format == FORMAT_TEXT)
        write_text(&query, &map);
    else
        write_rows(&query, &map);
    return right ? STATUS_FINE : STATUS_CHECK_FAILED;
}

const Command command_map = {
    .name = "map",
    .operands = "COLLECTIVE",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "the fastest algorithm over ranks and message sizes",
    .description =
        "Which algorithm is the fastest, for each number of ranks of -p and each size from 1 B to\n"
        "1 GiB or in -m LO..HI. As text, a letter for each algorithm; as CSV or JSON a row for "
        "each\n"
        "piece, whose ends are the exact switch points; with --picture it is drawn.",
    .options = OPTIONS_OF_COSTS | OPTION_BIT(SIZES) | OPTION_BIT(REAL_K) | OPTION_BIT(AMONG) |
               OPTION_BIT(WITHOUT) | OPTION_BIT(USING) | OPTION_BIT(PICTURE),
    .spoken = OPTION_BIT(SIZE),
    .run = run,
};
