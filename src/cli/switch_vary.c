#include "cli/switch_parts.h"

#include "cli/setting.h"
#include "model/parameters.h"

#include <math.h>
#include <string.h>

/* A switch point, and how far the logarithm of its size moves with each parameter at the end of its
   interval. */
typedef struct {
    const char *before, *after;
    double bytes;  /* NAN: it is there with other parameters only */
    double *moves; /* by interval */
    size_t fatal;  /* with which it comes or goes; as many as there are: none */
} Likely;
ARRAY_TYPE(LikelyArray, Likely);

static bool follow(SwitchCase *switches, size_t number, LikelyArray *points)
{
    Arena *arena = switches->query.study.arena;
    const Fitted *fitted = switches->query.study.machine.fitted;
    const FittedInterval *interval = &fitted->intervals[number];
    const collcost_moved *moved;
    size_t count;
    if (interval->factor <= 1)
        return true;
    /* Is the parameter a rate, where the fit is about a time? */
    size_t from = interval->parameter.length;
    while (from > 0 && interval->parameter.chars[from - 1] != '.')
        from--;
    const Text own = text_behind(interval->parameter, from);
    bool is_inverse = false;
    const bool is_rate = (parameter_find(OF_MACHINE, own, &is_inverse) ||
                          parameter_find(OF_LEVEL, own, &is_inverse)) &&
                         is_inverse;
    collcost_status status = collcost_case_vary_between(
        switches->opened, text_string(arena, interval->parameter), 1 / interval->factor,
        interval->factor, switches->from, switches->to, switches->tolerance, &moved, &count);
    if (!query_answered(&switches->query, status))
        return false;
    switches->is_wrong |= status == COLLCOST_CHECK_FAILED;
    for (size_t i = 0; i < count; i++) {
        /* One that is there with other parameters only is one row, whichever of them brings it. */
        size_t place = i;
        if (isnan(moved[i].bytes))
            for (place = 0; place < points->count; place++)
                if (isnan(points->items[place].bytes) &&
                    strcmp(points->items[place].before, moved[i].before) == 0 &&
                    strcmp(points->items[place].after, moved[i].after) == 0)
                    break;
        if (place >= points->count)
            *ARRAY_PUSH(arena, points) =
                (Likely){moved[i].before, moved[i].after, moved[i].bytes,
                         ARENA_ARRAY(arena, double, fitted->interval_count), number};
        Likely *point = &points->items[place < points->count ? place : points->count - 1];
        double move = (log(moved[i].more_bytes) - log(moved[i].less_bytes)) / 2;
        if (isnan(move))
            point->fatal = number;
        else
            point->moves[number] = is_rate ? -move : move;
    }
    return true;
}

/* How sure switch points are on a machine that was fitted. --vary fitted: for each switch point
   whether it is there at both ends of all intervals of the machine's fit, and between which sizes.
   False after a report. */
static bool write_fitted(Table *table, SwitchCase *switches)
{
    Arena *arena = switches->query.study.arena;
    const Fitted *fitted = switches->query.study.machine.fitted;
    LikelyArray points = {0};
    for (size_t i = 1; i < switches->count; i++)
        *ARRAY_PUSH(arena, &points) =
            (Likely){switches->pieces[i - 1].algorithm, switches->pieces[i].algorithm,
                     switches->pieces[i].from_bytes,
                     ARENA_ARRAY(arena, double, fitted->interval_count), fitted->interval_count};
    for (size_t i = 0; i < fitted->interval_count; i++)
        if (!follow(switches, i, &points))
            return false;
    const double count = switches->query.m_count;
    for (size_t i = 0; i < points.count; i++) {
        const Likely *point = &points.items[i];
        const bool is_certain = point->fatal == fitted->interval_count;
        /* How far it moves with all parameters together, by the correlations of the fit. */
        double sum = 0;
        size_t mostly = 0;
        for (size_t a = 0; a < fitted->interval_count; a++) {
            if (fabs(point->moves[a]) > fabs(point->moves[mostly]))
                mostly = a;
            for (size_t b = 0; b < fitted->interval_count; b++)
                sum += point->moves[a] * point->moves[b] * fitted_correlation(fitted, a, b);
        }
        const double move = sqrt(fmax(sum, 0));
        mostly = is_certain ? mostly : point->fatal;
        case_put(table, switches->opened);
        PUT(table, point, before, after);
        if (isnan(point->bytes))
            put_shown(table, KEY_switch_bytes, "none");
        else
            put_number(table, KEY_switch_bytes, point->bytes * count);
        put_bool(table, KEY_certain, is_certain);
        if (is_certain) {
            put_number(table, KEY_likely_from, point->bytes * exp(-move) * count);
            put_number(table, KEY_likely_to, point->bytes * exp(move) * count);
        }
        put_text(table, KEY_mostly, text_string(arena, fitted->intervals[mostly].parameter));
        table_row(table);
    }
    return true;
}

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
        put_shown(table, key, "%s", otherwise);
    else
        put_number(table, key, bytes * switches->query.m_count);
}

/* `after` NULL: one algorithm all along. */
static void write_switch_vary_row(const SwitchCase *switches, const Variation *variation,
                                  const collcost_moved *moved, Table *table)
{
    const char *otherwise = isnan(moved->bytes) ? "none" : "vanishes";
    case_put(table, switches->opened);
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
    variation->name = text_string(query->study.arena, name);
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

bool switch_vary_check(const Query *query)
{
    const TextArray *given = &query->line->values[OPTION_VARY];
    bool good = true;
    if (given->count && is_fitted(query)) {
        /* --vary fitted, which stands alone. */
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
    for (size_t i = 0; i < given->count; i++) {
        Variation variation;
        good &= read_variation(query, given->items[i], &variation);
    }
    return good;
}

Table *switch_vary_open(const Query *query)
{
    return query_table(query, is_fitted(query) ? TABLE_switch_fitted : TABLE_switch_vary);
}

bool switch_vary_write(Table *table, SwitchCase *switches)
{
    const Query *query = &switches->query;
    const TextArray *given = &query->line->values[OPTION_VARY];
    setting_put(table, query, false, switches->rules);
    if (is_fitted(query))
        return write_fitted(table, switches);
    for (size_t i = 0; i < given->count; i++) {
        Variation variation;
        const collcost_moved *moved;
        size_t count;
        if (!read_variation(query, given->items[i], &variation))
            return false;
        const collcost_status status =
            collcost_case_vary(switches->opened, variation.name, variation.share, switches->from,
                               switches->to, switches->tolerance, &moved, &count);
        if (!query_answered(query, status))
            return false;
        switches->is_wrong |= status == COLLCOST_CHECK_FAILED;
        for (size_t j = 0; j < count; j++)
            write_switch_vary_row(switches, &variation, &moved[j], table);
        if (count == 0 && switches->count > 0 && query->format == FORMAT_TEXT) {
            /* One algorithm all along. */
            const collcost_moved none = {switches->pieces[0].algorithm, NULL, NAN, NAN, NAN};
            write_switch_vary_row(switches, &variation, &none, table);
        }
    }
    return true;
}

static const char *const change_names[] = {[COLLCOST_CHANGES_NOTHING] = "nothing",
                                           [COLLCOST_CHANGES_SIZES] = "sizes",
                                           [COLLCOST_CHANGES_FASTEST] = "fastest"};

static void put_convention(const SwitchCase *switches, const collcost_convention *with,
                           Table *table)
{
    case_put(table, switches->opened);
    PUT(table, with, rule, choice);
}

Table *switch_rules_open(const Query *query)
{
    return query_table(query, TABLE_switch_rules);
}

bool switch_rules_check(const Query *query)
{
    if (!option_given(query->line, OPTION_RULES) ||
        text_equals(option_value(query->line, OPTION_RULES), "all"))
        return true;
    return diag_error(query->study.diag, option_value(query->line, OPTION_RULES).span,
                      "invalid value; the only valid value is 'all'");
}

/* A convention under which the costs cannot be followed is a row without an algorithm. In text one
   row says it all. */
bool switch_rules_write(Table *table, SwitchCase *switches)
{
    const Query *query = &switches->query;
    const bool is_text = query->format == FORMAT_TEXT;
    const collcost_convention *conventions;
    size_t count;
    collcost_status status = collcost_case_conventions(
        switches->opened, switches->from, switches->to, switches->tolerance, &conventions, &count);
    if (!query_answered(query, status))
        return false;
    switches->is_wrong |= status == COLLCOST_CHECK_FAILED;
    for (size_t i = 0; i < count; i++) {
        const collcost_convention *with = &conventions[i];
        setting_put(table, query, false, with->rules);
        if (!with->is_followed) {
            put_convention(switches, with, table);
            put_text(table, KEY_fastest, with->reason);
            table_row(table);
            continue;
        }
        const char *fastest =
            with->change == COLLCOST_CHANGES_NOTHING
                ? "the same"
                : pieces_show(query->study.arena, with->pieces, with->piece_count, query->m_count);
        for (size_t j = 0; j < (is_text ? 1 : with->piece_count); j++) {
            const collcost_piece *piece = &with->pieces[j];
            put_convention(switches, with, table);
            put_text(table, KEY_changes, change_names[with->change]);
            put_number(table, KEY_from_bytes, piece->from_bytes * query->m_count);
            if (j + 1 < with->piece_count || !switches->is_open)
                put_number(table, KEY_to_bytes, piece->to_bytes * query->m_count);
            put_text(table, KEY_algorithm, piece->algorithm);
            if (piece->has_chunks)
                put_number(table, KEY_k, piece->from_k);
            put_number(table, KEY_total_at_from_s, piece->total_at_from_s);
            put_text(table, KEY_fastest, fastest);
            table_row(table);
        }
    }
    return true;
}
