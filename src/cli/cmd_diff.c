#include "cli/setting.h"
#include "cli/switch_parts.h"
#include "cli/workers.h"
#include "format/text_table.h"

#include <math.h>
#include <string.h>

enum { BOTH = 2 };

/* Two settings of one question, and what differs. */
typedef struct {
    const CommandLine *line;
    OptionId option;
    const char *names[BOTH]; /* the values of the option */
    CommandLine lines[BOTH];
    Query asked[BOTH];
    SwitchCase cases[BOTH]; /* at sizes that are no range: those of the last one */
} Comparison;

static void take_difference(Comparison *found, OptionId option, const TextArray *values)
{
    Arena *arena = found->line->arena;
    found->option = option;
    for (int i = 0; i < BOTH; i++) {
        const Text value = values->items[i];
        found->lines[i] = *found->line;
        found->lines[i].values[option] = (TextArray){0};
        *ARRAY_PUSH(arena, &found->lines[i].values[option]) = value;
        found->names[i] = text_string(arena, value);
    }
}

/* The one option that has two values; what fails is compared with the whole network. False after a
   report. */
static bool find_difference(Comparison *found)
{
    const CommandLine *line = found->line;
    bool differing = false;
    for (int option = 0; option < OPTION_COUNT; option++) {
        if (option == OPTION_SET || option == OPTION_MODELS) /* whose values add up */
            continue;
        /* "A,B" of machines and networks, whose names have no comma, are two values. */
        const TextArray *given = &line->values[option];
        const bool is_list = option == OPTION_MACHINE || option == OPTION_TOPOLOGY;
        TextArray values = {0};
        for (size_t i = 0; i < given->count; i++) {
            Text rest = given->items[i], first;
            while (is_list && lists_split(rest, &first, &rest))
                *ARRAY_PUSH(line->arena, &values) = first;
            *ARRAY_PUSH(line->arena, &values) = rest;
        }
        if (values.count < BOTH)
            continue;
        if (values.count > BOTH)
            return diag_error(line->diag, values.items[BOTH].span, "'diff' compares two settings");
        if (differing)
            return diag_error(line->diag, values.items[1].span,
                              "--%s and --%s both have two values: only one may",
                              option_name(found->option), option_name((OptionId)option));
        differing = true;
        take_difference(found, (OptionId)option, &values);
    }
    if (!differing && option_given(line, OPTION_WITHOUT)) {
        Text both[] = {source_argument(line->arena, "--without", "none"),
                       option_value(line, OPTION_WITHOUT)};
        take_difference(found, OPTION_WITHOUT, &(TextArray){both, BOTH, BOTH});
        return true;
    }
    return differing || diag_error(line->diag, NOWHERE,
                                   "'diff' needs an option with two values, such as --machine A,B");
}

/* A switch point of the first setting, of the second, or of both: 0 where it is not there. */
typedef struct {
    const char *before, *after;
    double bytes[BOTH]; /* as --sizes asks for them */
} Point;
ARRAY_TYPE(PointArray, Point);

static void put_bytes(Table *table, Key key, double bytes)
{
    if (bytes > 0)
        put_number(table, key, bytes);
    else
        put_shown(table, key, "none");
}

/* What is the same in all rows. */
static void put_settings(const Comparison *found, Table *table)
{
    put_text(table, KEY_collective, found->asked[0].collective->head.name);
    put_text(table, KEY_differs, option_name(found->option));
    put_text(table, KEY_first, found->names[0]);
    put_text(table, KEY_second_setting, found->names[1]);
    table_keep(table);
}

static void write_points(Comparison *found)
{
    /* Points of the second setting go with the first of the same two algorithms that has none
       yet. */
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
    Table *table = query_table(&found->asked[0], TABLE_diff);
    table_title(table, KEY_first_bytes, found->names[0]);
    table_title(table, KEY_second_bytes, found->names[1]);
    put_settings(found, table);
    for (size_t i = 0; i < points.count; i++) {
        const Point *point = &points.items[i];
        PUT(table, point, before, after);
        put_bytes(table, KEY_first_bytes, point->bytes[0]);
        put_bytes(table, KEY_second_bytes, point->bytes[1]);
        if (point->bytes[0] > 0 && point->bytes[1] > 0)
            put_number(table, KEY_moved, point->bytes[1] / point->bytes[0]);
        table_row(table);
    }
    table_close(table);
}

/* Which network, and what wins under both settings, if that is known. */
static void write_diff_head(Comparison *found, bool has_winners)
{
    FILE *out = found->line->out;
    TitledLine lines[BOTH];
    fputs(found->asked[0].collective->head.name, out);
    if (found->option != OPTION_TOPOLOGY)
        fprintf(out, " on %s", collcost_case_network(found->cases[0].opened));
    fputc('\n', out);
    for (int i = 0; i < BOTH && has_winners; i++) {
        const SwitchCase *switches = &found->cases[i];
        const char *text = pieces_show(switches->query.study.arena, switches->pieces,
                                       switches->count, switches->query.m_count);
        lines[i] = (TitledLine){found->names[i], *text ? text : "nothing runs"};
    }
    if (has_winners)
        titled_write(out, lines, BOTH, found->line->width);
    fputc('\n', out);
}

/* The fastest algorithm under both settings at each size. False after a report. */
static bool write_sizes(Comparison *found)
{
    static const Key algorithms[] = {KEY_first_algorithm, KEY_second_algorithm},
                     times[] = {KEY_first_s, KEY_second_s};
    Table *table = query_table(&found->asked[0], TABLE_diff_sizes);
    for (int side = 0; side < BOTH; side++)
        table_title(table, algorithms[side], found->names[side]);
    put_settings(found, table);
    for (size_t i = 0; i < found->asked[0].sizes.count; i++) {
        double seconds[BOTH];
        for (int side = 0; side < BOTH; side++) {
            Query at = found->asked[side];
            at.sizes = (SizeArray){&at.sizes.items[i], 1, 1};
            SwitchCase *case_ = &found->cases[side];
            if (!switchcase_open(&at, 0, COLLCOST_CHECKED, case_))
                return false;
            seconds[side] = case_->count ? case_->pieces[0].total_at_from_s : NAN;
            put_text(table, algorithms[side], case_->count ? case_->pieces[0].algorithm : "none");
            put_number(table, times[side], seconds[side]);
        }
        if (!i && found->asked[0].format == FORMAT_TEXT)
            write_diff_head(found, false);
        put_number(table, KEY_m_bytes, found->asked[0].sizes.items[i]);
        put_number(table, KEY_slower, seconds[1] / seconds[0]);
        table_row(table);
    }
    table_close(table);
    return true;
}

static bool has_sizes(const Comparison *found)
{
    return found->asked[0].sizes.count && !found->asked[0].is_range;
}

static bool open_side(Comparison *found, int side)
{
    Query *asked = &found->asked[side];
    if (!query_read_subject(&found->lines[side], asked) ||
        !query_is_collective(asked, found->line->operands.items[0], asked->collective) ||
        !switchpoints_check_subject(asked) || (asked->is_range && !switchpoints_check_sizes(asked)))
        return false;
    if (asked->ranks.count > 1)
        return diag_error(found->line->diag, option_value(found->line, OPTION_RANKS).span,
                          "'diff' needs one number of ranks");
    return has_sizes(found) || switchcase_open(asked, 0, COLLCOST_CHECKED, &found->cases[side]);
}

static Status run_diff(const CommandLine *line)
{
    Comparison found = {.line = line};
    if (!find_difference(&found) || !open_side(&found, 0) || !open_side(&found, 1))
        return STATUS_BAD_INPUT;
    if (has_sizes(&found) && !write_sizes(&found))
        return STATUS_BAD_INPUT;
    if (!has_sizes(&found) && found.asked[0].format == FORMAT_TEXT)
        write_diff_head(&found, true);
    if (!has_sizes(&found) && found.asked[0].format == FORMAT_TEXT && found.cases[0].count <= 1 &&
        found.cases[1].count <= 1)
        fputs("neither has a switch point\n", line->out);
    else if (!has_sizes(&found))
        write_points(&found);
    return found.cases[0].is_wrong || found.cases[1].is_wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
}

const Command command_diff = {
    .name = "diff",
    .operands = "COLLECTIVE",
    .summary = "which switch points move between two machines, networks or rules",
    .description =
        "Shows the fastest algorithms under two settings, and how far each switch point moves "
        "between them; for single sizes, the times. Give one option twice: --machine A,B, -t "
        "A,B, or any other, such as --ports 1 --ports 2. --without 0-1 alone compares with the "
        "whole network.",
    .examples = "collcost diff allreduce -t torus:4x4 --ports 1 --ports 2\n"
                "collcost diff allreduce -t rails:2x8 --without 3-21 -m 1GB",
    .options = (OPTIONS_OF_COSTS | OPTIONS(SIZES, REAL_K, AMONG, COMPOSE, FOR, TOLERANCE, USING)) &
               ~(OPTIONS(FROM, TO)),
    .compares = true,
    .run = run_diff,
};
