#include "cli/explain_break_even.h"

#include <math.h>

/* A row: `below` and `above` are those of the quantity as it is spelled, a bandwidth where it is
   one. */
typedef struct {
    Arena *arena;
    const char *name, *unit;
    const ParameterInfo *info; /* NULL: bytes */
    double least, most;        /* now, as times or bytes */
    bool is_factor;            /* crossings are factors of that; else values */
    Crossing below, above;
    const char *const *names; /* of the algorithms */
    bool is_tied;
} Row;

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
    return row->info && row->info->inverse ? number_inverse(value) : value;
}

static bool is_single(const Row *row)
{
    return row->least == row->most;
}

static double factor_of(const Row *row, const Crossing *crossing)
{
    if (row->is_factor)
        return natural(row, crossing->at);
    return row->most > 0 ? natural(row, crossing->at) / natural(row, row->most) : NAN;
}

static double value_of(const Row *row, const Crossing *crossing)
{
    return row->is_factor ? is_single(row) ? row->most * crossing->at : NAN : crossing->at;
}

/* The keys of what lies on one side of the present value. */
typedef struct {
    Key value, factor, faster;
} SideKeys;

static const SideKeys keys_below = {KEY_break_even_below, KEY_factor_below, KEY_faster_below};
static const SideKeys keys_above = {KEY_break_even_above, KEY_factor_above, KEY_faster_above};

static void put_crossing(const Row *row, const Crossing *crossing, const SideKeys *keys,
                         Table *table)
{
    if (!crossing->is_found) {
        put_shown(table, keys->value, crossing->is_open ? "not known" : "never");
        return;
    }
    double value = value_of(row, crossing);
    const char *shown = isnan(value) ? arena_printf(row->arena, "x %.4g", factor_of(row, crossing))
                                     : show_value(row, value);
    if (row->is_tied)
        shown = arena_printf(row->arena, "%s (%s)", shown, row->names[crossing->faster]);
    put_shown(table, keys->value, shown);
    if (!isnan(value))
        put_number(table, keys->value, natural(row, value));
    put_number(table, keys->factor, factor_of(row, crossing));
    put_text(table, keys->faster, row->names[crossing->faster]);
}

static void put_now(const Row *row, Table *table)
{
    const char *least = show_value(row, row->least);
    const char *most = show_value(row, row->most);
    bool inverse = row->info && row->info->inverse;
    if (is_single(row)) {
        put_number(table, KEY_present_value, natural(row, row->most));
        put_shown(table, KEY_present_value, most);
    } else {
        put_shown(
            table, KEY_present_value,
            arena_printf(row->arena, "%s .. %s", inverse ? most : least, inverse ? least : most));
    }
}

static void write_row(const Row *row, Table *table)
{
    put_text(table, KEY_parameter, row->name);
    put_text(table, KEY_unit, row->unit);
    put_now(row, table);
    put_crossing(row, &row->below, &keys_below, table);
    put_crossing(row, &row->above, &keys_above, table);
    put_bool(table, KEY_complete, !row->below.is_open && !row->above.is_open);
    table_row(table);
}

static Row parameter_row(const VariedParameter *varied, const BreakEven *break_even)
{
    bool is_size = varied_is_size(varied);
    const ParameterInfo *info = is_size ? NULL : &parameter_info[varied->parameter];
    bool inverse = info && info->inverse;
    return (Row){.name = varied->name,
                 .unit = is_size   ? "B"
                         : inverse ? "B/s"
                                   : "s",
                 .info = info,
                 .least = varied->least,
                 .most = varied->most,
                 .is_factor = !is_size && !varied->is_zero,
                 .below = inverse ? break_even->above : break_even->below,
                 .above = inverse ? break_even->below : break_even->above};
}

void explain_break_even_write(const Query *query, const BreakEvens *break_evens,
                              const Comparison *comparison, const char *const names[2], int order)
{
    Table *table =
        table_open(query->study.arena, query->line->out, query->format, TABLE_explain_break_even);
    for (size_t i = 0; i <= break_evens->parameters.count; i++) {
        Row row = {.name = "m",
                   .unit = "B",
                   .least = comparison->bytes,
                   .most = comparison->bytes,
                   .below = break_evens->by_size.below,
                   .above = break_evens->by_size.above};
        if (i < break_evens->parameters.count)
            row = parameter_row(&break_evens->parameters.items[i], &break_evens->by_parameter[i]);
        row.arena = query->study.arena;
        row.names = names;
        row.is_tied = order == 0;
        write_row(&row, table);
    }
    table_close(table);
}
