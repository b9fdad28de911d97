#include "cli/lists.h"
#include "cli/setting.h"
#include "cli/switchpoints.h"
#include "format/text_table.h"

#include <string.h>

enum { BOTH = 2 };

/* Two settings of one question, and what differs. */
typedef struct {
    const CommandLine *line;
    OptionId option;
    const char *names[BOTH]; /* the values of the option */
    CommandLine lines[BOTH];
    Query asked[BOTH];
    SwitchCase cases[BOTH];
} Comparison;

/* "A,B" of machines and networks, whose names have no comma, as two values. */
static TextArray list_values(const CommandLine *line, OptionId option)
{
    const TextArray *given = &line->values[option];
    TextArray list = {0};
    bool is_list = option == OPTION_MACHINE || option == OPTION_TOPOLOGY;
    for (size_t i = 0; i < given->count; i++) {
        Text rest = given->items[i], first;
        while (is_list && lists_split(rest, &first, &rest))
            *ARRAY_PUSH(line->arena, &list) = first;
        *ARRAY_PUSH(line->arena, &list) = rest;
    }
    return list;
}

/* Options whose values add up are never what differs. */
static bool adds_up(int option)
{
    return option == OPTION_SET || option == OPTION_MODELS;
}

/* The one option that has two values. False after a report. */
static bool find_difference(Comparison *found)
{
    const CommandLine *line = found->line;
    int differing = 0;
    for (int option = 0; option < OPTION_COUNT; option++) {
        TextArray values = adds_up(option) ? (TextArray){0} : list_values(line, (OptionId)option);
        if (values.count < BOTH)
            continue;
        differing++;
        if (values.count > BOTH) {
            diag_error(line->diag, values.items[BOTH].span, "'diff' compares two settings");
            return false;
        }
        found->option = (OptionId)option;
        for (int i = 0; i < BOTH; i++) {
            found->lines[i] = *line;
            found->lines[i].values[option] = (TextArray){0};
            *ARRAY_PUSH(line->arena, &found->lines[i].values[option]) = values.items[i];
            found->names[i] =
                arena_copy(line->arena, values.items[i].chars, values.items[i].length);
        }
    }
    if (differing == 1)
        return true;
    diag_error(line->diag, NOWHERE,
               differing ? "more than one option has two values"
                         : "'diff' needs an option with two values, such as --machine A,B");
    return false;
}

/* A switch point of the first setting, of the second, or of both: 0 where it is not there. */
typedef struct {
    const char *before, *after;
    double bytes[BOTH]; /* as --sizes asks for them */
} Point;
ARRAY_TYPE(PointArray, Point);

/* Points of the second setting go with the first of the same two algorithms that has none yet. */
static PointArray find_points(Comparison *found)
{
    PointArray points = {0};
    for (int side = 0; side < BOTH; side++) {
        const SwitchCase *switches = &found->cases[side];
        for (size_t i = 1; i < switches->count; i++) {
            Point *at = NULL;
            const char *before = switches->pieces[i - 1].algorithm;
            const char *after = switches->pieces[i].algorithm;
            for (size_t n = 0; n < points.count && side && !at; n++)
                if (points.items[n].bytes[side] == 0 &&
                    strcmp(points.items[n].before, before) == 0 &&
                    strcmp(points.items[n].after, after) == 0)
                    at = &points.items[n];
            if (!at)
                *(at = ARRAY_PUSH(found->line->arena, &points)) =
                    (Point){.before = before, .after = after};
            at->bytes[side] = switches->pieces[i].from_bytes * switches->query.m_count;
        }
    }
    return points;
}

static void put_bytes(Table *table, Key key, double bytes)
{
    if (bytes > 0)
        put_number(table, key, bytes);
    else
        put_shown(table, key, "none");
}

static void write_points(Comparison *found)
{
    const Query *query = &found->cases[0].query;
    PointArray points = find_points(found);
    Table *table = line_table(found->line, query->format, TABLE_diff);
    table_title(table, KEY_first_bytes, found->names[0]);
    table_title(table, KEY_second_bytes, found->names[1]);
    put_text(table, KEY_collective, collcost_case_collective(found->cases[0].opened));
    put_text(table, KEY_differs, option_name(found->option));
    put_text(table, KEY_first, found->names[0]);
    put_text(table, KEY_second_setting, found->names[1]);
    table_keep(table);
    for (size_t i = 0; i < points.count; i++) {
        const Point *point = &points.items[i];
        put_text(table, KEY_before, point->before);
        put_text(table, KEY_after, point->after);
        put_bytes(table, KEY_first_bytes, point->bytes[0]);
        put_bytes(table, KEY_second_bytes, point->bytes[1]);
        if (point->bytes[0] > 0 && point->bytes[1] > 0)
            put_number(table, KEY_moved, point->bytes[1] / point->bytes[0]);
        table_row(table);
    }
    table_close(table);
}

/* "binomial up to 128 kB, then chain" */
static const char *describe_winners(const SwitchCase *switches)
{
    Arena *arena = switches->query.study.arena;
    const char *text = switches->count ? switches->pieces[0].algorithm : "nothing runs";
    for (size_t i = 1; i < switches->count; i++)
        text = arena_printf(
            arena, "%s up to %s, then %s", text,
            quantity_show_bytes(arena, switches->pieces[i].from_bytes * switches->query.m_count),
            switches->pieces[i].algorithm);
    return text;
}

static void write_text(Comparison *found)
{
    FILE *out = found->line->out;
    TitledLine lines[BOTH];
    fputs(collcost_case_collective(found->cases[0].opened), out);
    if (found->option != OPTION_TOPOLOGY)
        fprintf(out, " on %s", collcost_case_network(found->cases[0].opened));
    fputc('\n', out);
    for (int i = 0; i < BOTH; i++)
        lines[i] = (TitledLine){found->names[i], describe_winners(&found->cases[i])};
    titled_write(out, lines, BOTH, found->line->width);
    fputc('\n', out);
    if (found->cases[0].count > 1 || found->cases[1].count > 1)
        write_points(found);
    else
        fputs("neither has a switch point\n", out);
}

static bool open_side(Comparison *found, int side)
{
    const Collective *collective;
    const Algorithm *only;
    Query *asked = &found->asked[side];
    if (!query_read_subject(&found->lines[side], asked, &collective, &only) ||
        !query_is_collective(asked, found->line->operands.items[0], collective) ||
        !switchpoints_check_subject(asked, only) || !switchpoints_check_sizes(asked))
        return false;
    if (asked->ranks.count > 1) {
        diag_error(found->line->diag, option_value(found->line, OPTION_RANKS).span,
                   "'diff' needs one number of ranks");
        return false;
    }
    return switchcase_open(asked, collective, 0, COLLCOST_CHECKED, &found->cases[side]);
}

static Status run(const CommandLine *line)
{
    Comparison found = {.line = line};
    if (!find_difference(&found) || !open_side(&found, 0) || !open_side(&found, 1))
        return STATUS_BAD_INPUT;
    if (found.asked[0].format == FORMAT_TEXT)
        write_text(&found);
    else
        write_points(&found);
    return found.cases[0].is_wrong || found.cases[1].is_wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
}

const Command command_diff = {
    .name = "diff",
    .operands = "COLLECTIVE",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "which switch points move between two machines, networks or rules",
    .description = "The fastest algorithms under two settings, and each switch point in both, with "
                   "how far it\nmoves. One option is given twice: --machine A,B, -t A,B, or any "
                   "other, such as --ports 1\n--ports 2 or --for open-mpi@4.1 --for open-mpi@5.0.",
    .examples = "collcost diff allreduce -t torus:4x4 --ports 1 --ports 2\n"
                "collcost diff allreduce -t ring:8,torus:2x4",
    .options = (OPTIONS_OF_COSTS | OPTION_BIT(SIZES) | OPTION_BIT(REAL_K) | OPTION_BIT(AMONG) |
                OPTION_BIT(WITHOUT) | OPTION_BIT(COMPOSE) | OPTION_BIT(FOR) |
                OPTION_BIT(TOLERANCE) | OPTION_BIT(USING)) &
               ~(OPTION_BIT(FROM) | OPTION_BIT(TO)),
    .compares = true,
    .run = run,
};
