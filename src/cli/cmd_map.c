#include "cli/composed.h"
#include "cli/files.h"
#include "cli/setting.h"
#include "cli/switch_parts.h"
#include "cli/workers.h"
#include "format/decision_map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A map for people: a letter for each algorithm, sizes across, ranks down. */

enum { LINE_WIDTH = 78, MOST_PER_OCTAVE = 8, LETTERS = 52, LEAST_WIDTH = 16 };

/* The letters of a line: `count` of them, from the smallest size to the largest. */
typedef struct {
    const DecisionMap *map;
    int margin; /* letters begin behind the names of networks */
    int count;
    double octaves; /* of all letters; 0: there is one size */
} Scale;

static char letter_of(size_t winner)
{
    static const char letters[LETTERS + 1] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return winner < LETTERS ? letters[winner] : '?';
}

/* Sizes above the letters at which they begin: every fifth or tenth octave from the first. */
static void write_axis(FILE *out, const Scale *scale)
{
    static const int steps[] = {1, 2, 5, 10, 20, 50};
    enum { LABEL_WIDTH = 10, STEP_COUNT = COUNT_OF(steps) };
    Arena *arena = scale->map->arena;
    double per_octave = scale->octaves > 0 ? scale->count / scale->octaves : 1;
    int step = 0;
    while (step + 1 < STEP_COUNT && steps[step] * per_octave < LABEL_WIDTH)
        step++;
    int column = fprintf(out, "%-*s", scale->margin, "");
    for (double octave = 0; octave * per_octave < scale->count; octave += steps[step]) {
        int at = scale->margin + (int)lround(octave * per_octave);
        const char *label = quantity_show_bytes(arena, scale->map->from * exp2(octave));
        if (at + (int)strlen(label) <= scale->margin + scale->count || octave == 0)
            column += fprintf(out, "%*s%s", at - column, "", label);
    }
    fputc('\n', out);
}

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
        put_number(table, KEY_total_at_from_s, found->total_at_from_s);
        put_number(table, KEY_to_bytes, piece->to);
        put_list(table, KEY_tied, found->tied, found->tied_count);
        if (found->has_chunks) {
            put_number(table, KEY_k, found->from_k);
            put_number(table, KEY_to_k, found->to_k);
        }
        choices_put_range(table, found->algorithm, &found->branches, found->to_branches);
        PUT(table, found, total_at_to_s, stages);
        if (found->second) {
            PUT(table, found, second, second_slower_by);
            put_number(table, KEY_second_slower_at_bytes,
                       found->second_slower_at_bytes * column->m_count);
        }
        table_row(table);
    }
}

/* Sizes across on a logarithmic scale, as many letters an octave as fit on a line of 80. */
static void write_letters(FILE *out, const DecisionMap *map)
{
    Scale scale = {.map = map};
    for (size_t i = 0; i < map->columns.count; i++) {
        const int length = (int)strlen(map->columns.items[i].network);
        scale.margin = length + 2 > scale.margin ? length + 2 : scale.margin;
    }
    int room = LINE_WIDTH - scale.margin;
    room = room < LEAST_WIDTH ? LEAST_WIDTH : room;
    scale.octaves = map->to > map->from ? log2(map->to / map->from) : 0;
    const double per_octave = fmin(floor(room / fmax(scale.octaves, 1)), MOST_PER_OCTAVE);
    const double count = per_octave < 1 ? room : ceil(per_octave * scale.octaves);
    scale.count = count < 1 ? 1 : count > room ? room : (int)count;
    size_t hidden = 0, empty = 0;
    write_axis(out, &scale);
    for (size_t i = 0; i < map->columns.count; i++) {
        const MapColumn *column = &map->columns.items[i];
        bool *seen = ARENA_ARRAY(map->arena, bool, column->pieces.count + 1);
        fprintf(out, "%-*s", scale.margin, column->network);
        for (int j = 0; j < scale.count; j++) {
            /* The size in the middle of a letter, or at a share of it. */
            const MapPiece *piece = decision_map_piece(
                column, scale.map->from * exp2(scale.octaves * (j + 0.5) / scale.count));
            fputc(piece ? letter_of(piece->winner) : '-', out);
            if (piece)
                seen[piece - column->pieces.items] = true;
        }
        fputc('\n', out);
        for (size_t piece = 0; piece < column->pieces.count; piece++)
            hidden += !seen[piece];
        empty += column->pieces.count == 0;
    }
    fputc('\n', out);
    for (size_t i = 0; i < map->winners.count; i++)
        fprintf(out, "%c  %s\n", letter_of(i), map->winners.items[i]);
    if (empty)
        fputs("-  no algorithm runs there\n", out);
    if (hidden)
        fprintf(out, "%zu piece%s too narrow for a letter: see -o csv or collcost switch\n", hidden,
                hidden == 1 ? " is" : "s are");
}

static void write_map_text(const Query *query, const DecisionMap *map)
{
    FILE *out = query->line->out;
    setting_write_machine(query);
    fprintf(out, "\n%s on %s, %s to %s%s\n\n", map->collective, map->topology,
            quantity_show_bytes(query->study.arena, map->from),
            quantity_show_bytes(query->study.arena, map->to),
            query->nccl_sizes ? ", sizes as in NCCL: M, not m" : "");
    write_letters(out, map);
    fputc('\n', out);
    StringArray written = {0};
    for (size_t i = 0; i < map->columns.count; i++) {
        const MapPieceArray *pieces = &map->columns.items[i].pieces;
        for (size_t j = 0; j < pieces->count; j++)
            composed_write(query, pieces->items[j].found->algorithm, pieces->items[j].found->stages,
                           &written);
    }
    if (written.count)
        fputc('\n', out);
    setting_write_rules(query);
}

/* What the columns of a map are found from. */
typedef struct {
    Query query;
    DecisionMap map;
    bool is_wrong; /* a winner failed its check */
} Columns;

static void carry_piece(Carrier carrier, collcost_piece *piece)
{
    CARRY(carrier, piece, from_bytes, to_bytes, algorithm, has_chunks, from_k, branches.name,
          branches.value, to_branches, total_at_from_s, to_k);
    CARRY(carrier, piece, total_at_to_s, second, second_slower_by, second_slower_at_bytes,
          slower_by, stages);
    carry_list(carrier, &piece->tied, &piece->tied_count);
}

static bool take_column(void *context, size_t item, Packed *answer)
{
    Columns *columns = context;
    const char *network = unpack_text(answer);
    double m_count;
    carry_double((Carrier){.from = answer}, &m_count);
    columns->is_wrong |= unpack_int(answer) != 0;
    size_t count = (size_t)unpack_int(answer);
    collcost_piece *pieces = ARENA_ARRAY(columns->map.arena, collcost_piece, count);
    for (size_t i = 0; i < count; i++)
        carry_piece((Carrier){.from = answer}, &pieces[i]);
    decision_map_add(&columns->map, network, columns->query.ranks.items[item], pieces, count,
                     m_count);
    return true;
}

/* Its curves are needed no longer. */
static bool find_column(void *context, size_t item, Buffer *bytes)
{
    const Columns *columns = context;
    Query asked = columns->query;
    SwitchCase switches;
    bool has_details = asked.format != FORMAT_TEXT;
    asked.study.curves = arena_scratch(asked.study.arena);
    bool good = switchcase_open(&asked, item,
                                COLLCOST_CHECKED | (has_details ? COLLCOST_DETAILS : 0), &switches);
    if (good) {
        pack_text(bytes, collcost_case_network(switches.opened));
        carry_double((Carrier){.to = bytes}, &switches.query.m_count);
        pack_int(bytes, switches.is_wrong);
        pack_int(bytes, (int64_t)switches.count);
        for (size_t i = 0; i < switches.count; i++) {
            collcost_piece piece = switches.pieces[i];
            carry_piece((Carrier){.to = bytes}, &piece);
        }
    }
    arena_destroy(asked.study.curves);
    return good;
}

static Status run_map(const CommandLine *line)
{
    Columns columns = {.is_wrong = false};
    Query *query = &columns.query;
    DecisionMap *map = &columns.map;
    if (!picture_check(line) || !query_read_subject_over_ranks(line, query) ||
        !query_is_collective(query, line->operands.items[0], query->collective) ||
        !switchpoints_check_subject(query))
        return STATUS_BAD_INPUT;
    if (query->sizes.count == 0) {
        *ARRAY_PUSH(line->arena, &query->sizes) = default_from;
        *ARRAY_PUSH(line->arena, &query->sizes) = default_to;
        query->asked = query->sizes;
    } else if (!switchpoints_check_sizes(query))
        return STATUS_BAD_INPUT;
    query->study.skips_refused = query->ranks.count > 1;
    *map = (DecisionMap){.arena = line->arena,
                         .collective = query->collective->head.name,
                         .topology = query->topology->head.name,
                         .from = query->asked.items[0],
                         .to = query->asked.items[query->asked.count - 1]};
    const WorkItems items = {.count = query->ranks.count,
                             .rising = true,
                             .names = query_network_names(query),
                             .work = find_column,
                             .take = take_column,
                             .context = &columns};
    Status status = workers_run(line, &items);
    if (status != STATUS_FINE)
        return status;
    if (option_given(line, OPTION_PICTURE) && map->columns.count > WINNER_MAP_MOST_ROWS)
        return BAD_INPUT(line->diag, option_value(line, OPTION_RANKS).span,
                         "too many numbers of ranks for a picture (at most %d)",
                         WINNER_MAP_MOST_ROWS);
    if (option_given(line, OPTION_PICTURE)) {
        const Heading heading = {
            arena_printf(line->arena, "%s on %s: the fastest algorithm", map->collective,
                         map->topology),
            {setting_machine(query), arena_printf(line->arena, "rules: %s", setting_rules(query))}};
        status = picture_write(
            line, winner_map_draw(line->arena, map, &heading,
                                  query->nccl_sizes ? "message size M (NCCL)" : "message size m"));
    } else if (query->format == FORMAT_TEXT)
        write_map_text(query, map);
    else {
        Table *table = query_table(query, TABLE_map);
        if (composed_may_occur(query))
            table_include(table, KEY_stages);
        setting_put(table, query, false, setting_rules(query));
        for (size_t i = 0; i < map->columns.count; i++)
            write_column(map, &map->columns.items[i], table);
        table_close(table);
    }
    return status == STATUS_FINE && columns.is_wrong ? STATUS_CHECK_FAILED : status;
}

const Command command_map = {
    .name = "map",
    .operands = "COLLECTIVE",
    .summary = "the fastest algorithm over ranks and message sizes",
    .description =
        "Shows which algorithm is the fastest for each number of ranks of -p and each message "
        "size, from 1 B to 1 GiB or -m LO..HI. Text has a letter for each algorithm; CSV and "
        "JSON have a row for each piece, whose ends are the exact switch points; --picture "
        "draws the map.",
    .examples = "collcost map allreduce -t torus -p 4..16\n"
                "collcost map allreduce -t full -p 2..16 -m 1KiB..1MiB --picture map.svg",
    .options = OPTIONS_OF_COSTS | OPTIONS_OF_PICTURES |
               OPTIONS(SIZES, REAL_K, AMONG, FOR, COMPOSE, USING, JOBS),
    .spoken = OPTION_BIT(SIZE),
    .lists = OPTIONS(TOPOLOGY, MACHINE),
    .run = run_map,
};
