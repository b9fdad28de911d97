#include "cli/explain_parts.h"

#include <math.h>
#include <string.h>

/* A row, with what it says of algorithms. */
typedef struct {
    Arena *arena;
    const collcost_break_even *found;
    const char *const *names;
    bool is_tied;
} Row;

static const char *show_value(const Row *row, double value)
{
    const char *unit = row->found->unit;
    if (strcmp(unit, "B") == 0)
        return quantity_show_bytes(row->arena, value);
    if (strcmp(unit, "s") == 0)
        return quantity_show_time(row->arena, value);
    return isfinite(value) ? quantity_show_bandwidth(row->arena, value) : "free";
}

/* The keys of what lies on one side of the present value. */
typedef struct {
    Key value, factor, faster;
} SideKeys;

static const SideKeys keys_below = {KEY_break_even_below, KEY_factor_below, KEY_faster_below};
static const SideKeys keys_above = {KEY_break_even_above, KEY_factor_above, KEY_faster_above};

static void put_crossing(const Row *row, const collcost_crossing *crossing, const SideKeys *keys,
                         Table *table)
{
    if (!crossing->is_found) {
        put_shown(table, keys->value, crossing->is_open ? "not known" : "never");
        return;
    }
    const char *faster = row->names[crossing->faster];
    const char *shown = isnan(crossing->value)
                            ? arena_printf(row->arena, "x %.4g", crossing->factor)
                            : show_value(row, crossing->value);
    put_shown(table, keys->value, row->is_tied ? "%s (%s)" : "%s", shown, faster);
    if (!isnan(crossing->value))
        put_number(table, keys->value, crossing->value);
    put_number(table, keys->factor, crossing->factor);
    put_text(table, keys->faster, faster);
}

void explain_break_even_write(const Query *query, const collcost_explanation *explanation,
                              const char *const names[2])
{
    Arena *arena = query->study.arena;
    Table *table = query_table(query, TABLE_explain_break_even);
    for (size_t i = 0; i < explanation->break_even_count; i++) {
        const collcost_break_even *found = &explanation->break_evens[i];
        const Row row = {arena, found, names, explanation->order == 0};
        const char *shown = show_value(&row, found->least);
        PUT(table, found, parameter, unit);
        if (found->least == found->most)
            put_number(table, KEY_present_value, found->most);
        put_shown(table, KEY_present_value, found->least == found->most ? "%s" : "%s .. %s", shown,
                  show_value(&row, found->most));
        put_crossing(&row, &found->below, &keys_below, table);
        put_crossing(&row, &found->above, &keys_above, table);
        put_bool(table, KEY_complete, !found->below.is_open && !found->above.is_open);
        table_row(table);
    }
    table_close(table);
}
