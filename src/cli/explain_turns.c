#include "cli/explain_turns.h"

#include <math.h>

/* A row: `below` and `above` are those of the quantity as it is spelled, a bandwidth where it is
   one. */
typedef struct {
    Arena *arena;
    const char *name, *unit;
    const ParameterInfo *info; /* NULL: bytes */
    double least, most;        /* now, as times or bytes */
    bool is_factor;            /* turns are factors of that; else values */
    Turn below, above;
    const char *const *names; /* of the algorithms */
    bool is_tied;
} Row;

Turns explain_turns(Arena *arena, const Contest *contest)
{
    Turns turns = {.knobs = knobs_list(arena, contest->machine, contest->network)};
    turns.by_knob = ARENA_ARRAY(arena, Turning, turns.knobs.count);
    for (size_t i = 0; i < turns.knobs.count; i++)
        turns.by_knob[i] = contest_turn_knob(contest, &turns.knobs.items[i]);
    turns.by_size = contest_turn_size(contest);
    return turns;
}

static const char *show_value(const Row *row, double value)
{
    if (!row->info)
        return quantity_show_bytes(row->arena, value);
    if (!row->info->inverse)
        return quantity_show_time(row->arena, value);
    return value > 0 ? quantity_show_bandwidth(row->arena, 1 / value) : "free";
}

/* As it is spelled. */
static double natural(const Row *row, double value)
{
    return row->info && row->info->inverse ? 1 / value : value;
}

static bool is_single(const Row *row)
{
    return row->least == row->most;
}

static double factor_of(const Row *row, const Turn *turn)
{
    if (row->is_factor)
        return natural(row, turn->at);
    return row->most > 0 ? natural(row, turn->at) / natural(row, row->most) : NAN;
}

static double value_of(const Row *row, const Turn *turn)
{
    return row->is_factor ? is_single(row) ? row->most * turn->at : NAN : turn->at;
}

/* The keys of what lies on one side of the present value. */
typedef struct {
    Key value, factor, faster;
} SideKeys;

static const SideKeys keys_below = {KEY_break_even_below, KEY_factor_below, KEY_faster_below};
static const SideKeys keys_above = {KEY_break_even_above, KEY_factor_above, KEY_faster_above};

static void put_turn(const Row *row, const Turn *turn, const SideKeys *keys, Table *table)
{
    if (!turn->is_found) {
        put_shown(table, keys->value, turn->is_open ? "not known" : "never");
        return;
    }
    double value = value_of(row, turn);
    const char *shown = isnan(value) ? arena_printf(row->arena, "x %.4g", factor_of(row, turn))
                                     : show_value(row, value);
    if (row->is_tied)
        shown = arena_printf(row->arena, "%s (%s)", shown, row->names[turn->faster]);
    put_shown(table, keys->value, shown);
    if (!isnan(value))
        put_number(table, keys->value, natural(row, value));
    put_number(table, keys->factor, factor_of(row, turn));
    put_text(table, keys->faster, row->names[turn->faster]);
}

static void put_now(const Row *row, Table *table)
{
    const char *least = show_value(row, row->least);
    const char *most = show_value(row, row->most);
    bool inverse = row->info && row->info->inverse;
    if (is_single(row)) {
        put_number(table, KEY_value, natural(row, row->most));
        put_shown(table, KEY_value, most);
    } else {
        put_shown(
            table, KEY_value,
            arena_printf(row->arena, "%s .. %s", inverse ? most : least, inverse ? least : most));
    }
}

static void write_row(const Row *row, Table *table)
{
    put_text(table, KEY_parameter, row->name);
    put_text(table, KEY_unit, row->unit);
    put_now(row, table);
    put_turn(row, &row->below, &keys_below, table);
    put_turn(row, &row->above, &keys_above, table);
    put_bool(table, KEY_complete, !row->below.is_open && !row->above.is_open);
    table_row(table);
}

static Row knob_row(const Knob *knob, const Turning *turning)
{
    bool is_size = knob_is_size(knob);
    const ParameterInfo *info = is_size ? NULL : &parameter_info[knob->parameter];
    bool inverse = info && info->inverse;
    return (Row){.name = knob->name,
                 .unit = is_size   ? "B"
                         : inverse ? "B/s"
                                   : "s",
                 .info = info,
                 .least = knob->least,
                 .most = knob->most,
                 .is_factor = !is_size && !knob->is_zero,
                 .below = inverse ? turning->above : turning->below,
                 .above = inverse ? turning->below : turning->above};
}

void explain_turns_write(const Query *query, const Turns *turns, const Contest *contest,
                         const char *const names[2], int order)
{
    Table *table =
        table_open(query->arena, query->line->out, query->format, TABLE_explain_break_even);
    for (size_t i = 0; i <= turns->knobs.count; i++) {
        Row row = {.name = "m",
                   .unit = "B",
                   .least = contest->bytes,
                   .most = contest->bytes,
                   .below = turns->by_size.below,
                   .above = turns->by_size.above};
        if (i < turns->knobs.count)
            row = knob_row(&turns->knobs.items[i], &turns->by_knob[i]);
        row.arena = query->arena;
        row.names = names;
        row.is_tied = order == 0;
        write_row(&row, table);
    }
    table_close(table);
}
