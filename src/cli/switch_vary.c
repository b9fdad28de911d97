#include "cli/switch_parts.h"

#include "cli/setting.h"

#include <math.h>

/* One parameter, and how much less and more it is to be. */
typedef struct {
    const char *name;
    double share;
} Variation;

/* A size, or what became of the switch point. */
static void put_point(const SwitchCase *switches, Table *table, Key key, double bytes,
                      const char *otherwise)
{
    if (isnan(bytes))
        put_shown(table, key, otherwise);
    else
        put_number(table, key, bytes * switches->query.m_count);
}

/* `after` NULL: one algorithm all along. */
static void write_row(const SwitchCase *switches, const Variation *variation,
                      const collcost_moved *moved, Table *table)
{
    const char *otherwise = isnan(moved->bytes) ? "none" : "vanishes";
    switchcase_put(switches, table);
    put_text(table, KEY_parameter, variation->name);
    put_number(table, KEY_vary_share, variation->share);
    PUT(table, moved, before, after);
    put_point(switches, table, KEY_switch_bytes, moved->bytes, otherwise);
    put_point(switches, table, KEY_less_bytes, moved->less_bytes, otherwise);
    put_point(switches, table, KEY_more_bytes, moved->more_bytes, otherwise);
    table_row(table);
}

static bool read_variation(const Query *query, Text text, Variation *variation)
{
    Text name, share;
    if (!text_split(text, '=', &name, &share))
        return diag_error(query->study.diag, text.span,
                          "expected NAME=SHARE, such as bandwidth=20%%");
    variation->name = arena_copy(query->study.arena, name.chars, name.length);
    if (!quantity_parse_share(share, &variation->share, query->study.diag))
        return false;
    if (variation->share > 0 && variation->share < 1) {
        Machine varied = query->study.machine;
        return machine_scale(&varied, name, 1, query->study.diag);
    }
    return diag_error(query->study.diag, share.span,
                      "a share must lie between 0 and 1, or 0%% and 100%%");
}

static bool is_fitted(const Query *query)
{
    return text_equals(option_value(query->line, OPTION_VARY), "fitted");
}

/* --vary fitted, which stands alone. */
static bool check_fitted(const Query *query)
{
    const TextArray *given = &query->line->values[OPTION_VARY];
    const Fitted *fitted = query->study.machine.fitted;
    if (given->count > 1)
        diag_error(query->study.diag, given->items[0].span,
                   "--vary fitted cannot be combined with another --vary");
    else if (!fitted || fitted->interval_count == 0)
        diag_error(query->study.diag, given->items[0].span,
                   "machine %s has no intervals of a fit; collcost fit --save writes them",
                   query->study.machine.head.name);
    return given->count == 1 && fitted && fitted->interval_count > 0;
}

bool switch_vary_check(const Query *query)
{
    const TextArray *given = &query->line->values[OPTION_VARY];
    bool good = true;
    if (given->count && is_fitted(query))
        return check_fitted(query);
    for (size_t i = 0; i < given->count; i++) {
        Variation variation;
        good &= read_variation(query, given->items[i], &variation);
    }
    return good;
}

Table *switch_vary_open(const Query *query)
{
    return line_table(query->line, query->format,
                      is_fitted(query) ? TABLE_switch_fitted : TABLE_switch_vary);
}

static bool write_variation(Table *table, SwitchCase *switches, const Variation *variation)
{
    const collcost_moved *moved;
    size_t count;
    collcost_status status =
        collcost_case_vary(switches->opened, variation->name, variation->share, switches->from,
                           switches->to, switches->tolerance, &moved, &count);
    if (!query_answered(&switches->query, status))
        return false;
    switches->is_wrong |= status == COLLCOST_CHECK_FAILED;
    for (size_t i = 0; i < count; i++)
        write_row(switches, variation, &moved[i], table);
    bool is_one_all_along = count == 0 && switches->count > 0;
    if (is_one_all_along && switches->query.format == FORMAT_TEXT)
        write_row(switches, variation,
                  &(collcost_moved){switches->pieces[0].algorithm, NULL, NAN, NAN, NAN}, table);
    return true;
}

bool switch_vary_write(Table *table, SwitchCase *switches)
{
    const TextArray *given = &switches->query.line->values[OPTION_VARY];
    setting_put(table, &switches->query, false, switches->rules);
    if (is_fitted(&switches->query))
        return switch_fitted_write(table, switches);
    for (size_t i = 0; i < given->count; i++) {
        Variation variation;
        if (!read_variation(&switches->query, given->items[i], &variation) ||
            !write_variation(table, switches, &variation))
            return false;
    }
    return true;
}
