#include "cli/switch_vary.h"

#include "cli/setting.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *before, *after;
    double bytes;
    bool is_matched;
} SwitchPoint;
ARRAY_TYPE(SwitchPointArray, SwitchPoint);

/* One parameter, and how much less and more it is to be. */
typedef struct {
    Text name;
    double share;
} Variation;

typedef struct {
    Arena *arena;
    const Query *asked;
    const Collective *collective;
    size_t index; /* of the network */
    const SwitchCase *here;
    bool is_right; /* all winners that were moved */
    Variation variation;
    SwitchPointArray points;   /* as asked for */
    SwitchPointArray moved[2]; /* with less, with more */
    Table *table;
} Comparison;

static void list_points(const SwitchCase *here, SwitchPointArray *list)
{
    const PieceArray *pieces = &here->points.shown;
    for (size_t i = 1; i < pieces->count; i++)
        *ARRAY_PUSH(here->query.study.arena, list) =
            (SwitchPoint){switchcase_algorithm(here, &pieces->items[i - 1])->head.name,
                          switchcase_algorithm(here, &pieces->items[i])->head.name,
                          pieces->items[i].from * here->query.m_count, false};
}

static bool is_same_switch(const SwitchPoint *a, const SwitchPoint *b)
{
    return strcmp(a->before, b->before) == 0 && strcmp(a->after, b->after) == 0;
}

/* Where a switch point has gone: the nearest between the same two algorithms that no other has
   taken; NULL if it vanishes. */
static const SwitchPoint *match_point(const SwitchPoint *point, SwitchPointArray *moved)
{
    SwitchPoint *nearest = NULL;
    for (size_t i = 0; i < moved->count; i++) {
        SwitchPoint *other = &moved->items[i];
        if (other->is_matched || !is_same_switch(point, other))
            continue;
        if (!nearest ||
            fabs(log(other->bytes / point->bytes)) < fabs(log(nearest->bytes / point->bytes)))
            nearest = other;
    }
    if (nearest)
        nearest->is_matched = true;
    return nearest;
}

/* `point` may be NULL: there is none, and `otherwise` says so. */
static void put_point(Table *table, Key key, const SwitchPoint *point, const char *otherwise)
{
    if (point)
        put_number(table, key, point->bytes);
    else
        put_shown(table, key, otherwise);
}

/* Where it is now, with less and with more; NULL: nowhere, and `otherwise` says what became of it.
 */
static void write_point(const Comparison *comparison, const SwitchPoint *names,
                        const SwitchPoint *now, const SwitchPoint *less, const SwitchPoint *more,
                        const char *otherwise)
{
    const Variation *variation = &comparison->variation;
    const Network *network = &comparison->here->opened->network;
    Table *table = comparison->table;
    put_text(table, KEY_collective, comparison->collective->head.name);
    put_text(table, KEY_topology, network->name);
    put_number(table, KEY_p, (double)network->p);
    put_text(table, KEY_parameter,
             arena_printf(comparison->arena, "%.*s", (int)variation->name.length,
                          variation->name.chars));
    put_number(table, KEY_vary_share, variation->share);
    put_text(table, KEY_before, names->before);
    put_text(table, KEY_after, names->after);
    put_point(table, KEY_switch_bytes, now, otherwise);
    put_point(table, KEY_less_bytes, less, otherwise);
    put_point(table, KEY_more_bytes, more, otherwise);
    table_row(table);
}

static void write_points(Comparison *comparison)
{
    for (size_t i = 0; i < comparison->points.count; i++) {
        const SwitchPoint *point = &comparison->points.items[i];
        const SwitchPoint *less = match_point(point, &comparison->moved[0]);
        const SwitchPoint *more = match_point(point, &comparison->moved[1]);
        write_point(comparison, point, point, less, more, "vanishes");
    }
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < comparison->moved[side].count; i++) {
            const SwitchPoint *point = &comparison->moved[side].items[i];
            if (!point->is_matched)
                write_point(comparison, point, NULL, side == 0 ? point : NULL,
                            side == 1 ? point : NULL, "none");
        }
}

/* With one algorithm all along, a row for people says so. */
static void write_none(const Comparison *comparison)
{
    const SwitchCase *here = comparison->here;
    bool is_none =
        comparison->points.count + comparison->moved[0].count + comparison->moved[1].count == 0;
    if (!is_none || comparison->asked->format != FORMAT_TEXT || here->points.shown.count == 0)
        return;
    SwitchPoint only = {switchcase_algorithm(here, &here->points.shown.items[0])->head.name, NULL,
                        0, false};
    write_point(comparison, &only, NULL, NULL, NULL, "none");
}

static bool read_variation(const Query *query, Text text, Variation *variation)
{
    Text share;
    if (!text_split(text, '=', &variation->name, &share)) {
        diag_error(query->study.diag, text.span, "expected NAME=SHARE, such as bandwidth=20%%");
        return false;
    }
    if (!quantity_parse_share(share, &variation->share, query->study.diag))
        return false;
    if (variation->share > 0 && variation->share < 1)
        return true;
    diag_error(query->study.diag, share.span, "a share must lie between 0 and 1, or 0%% and 100%%");
    return false;
}

/* The query with a parameter multiplied. */
static bool vary_query(const Query *asked, const Variation *variation, double factor, Query *varied)
{
    *varied = *asked;
    if (!machine_scale(&varied->study.machine, variation->name, factor, varied->study.diag))
        return false;
    rules_follow_machine(&varied->study.rules, &varied->study.machine);
    return true;
}

bool switch_vary_check(const Query *query)
{
    const TextArray *given = &query->line->values[OPTION_VARY];
    bool good = true;
    for (size_t i = 0; i < given->count; i++) {
        Variation variation;
        Query *varied = ARENA_NEW(query->study.arena, Query);
        good &= read_variation(query, given->items[i], &variation) &&
                vary_query(query, &variation, 1, varied);
    }
    return good;
}

static bool find_moved(Comparison *comparison, int side)
{
    const Variation *variation = &comparison->variation;
    double factor = side == 0 ? 1 - variation->share : 1 + variation->share;
    Query *varied = ARENA_NEW(comparison->arena, Query);
    SwitchCase *moved = ARENA_NEW(comparison->arena, SwitchCase);
    if (!vary_query(comparison->asked, variation, factor, varied) ||
        !switchcase_open(varied, comparison->collective, comparison->index, moved))
        return false;
    comparison->is_right &= moved->is_right;
    list_points(moved, &comparison->moved[side]);
    return true;
}

Table *switch_vary_open(const Query *query)
{
    return table_open(query->study.arena, query->line->out, query->format, TABLE_switch_vary);
}

bool switch_vary_write(Table *table, const Query *asked, const Collective *collective, size_t index,
                       SwitchCase *here)
{
    const TextArray *given = &asked->line->values[OPTION_VARY];
    setting_put(table, asked, collective->problem, setting_rules(asked, &here->opened->network));
    for (size_t i = 0; i < given->count; i++) {
        Comparison comparison = {.arena = asked->study.arena,
                                 .asked = asked,
                                 .collective = collective,
                                 .index = index,
                                 .here = here,
                                 .is_right = true,
                                 .table = table};
        list_points(here, &comparison.points);
        if (!read_variation(asked, given->items[i], &comparison.variation) ||
            !find_moved(&comparison, 0) || !find_moved(&comparison, 1))
            return false;
        here->is_right &= comparison.is_right;
        write_points(&comparison);
        write_none(&comparison);
    }
    return true;
}
