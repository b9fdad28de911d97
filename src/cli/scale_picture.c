#include "cli/pictures.h"

#include "cli/files.h"
#include "cli/setting.h"

#include <string.h>

/* What is drawn where an efficiency is to be kept; else it is an axis. */
enum { AXIS_ORDER = AXIS_COUNT };

typedef struct {
    const Query *query;
    const collcost_product *rows;
    size_t count;
    AxisKind kind;
    size_t rank_count;
    double *ranks; /* rising */
    size_t curve_count;
    CostCurve *curves;
    size_t *wins; /* of each curve: at how many numbers of ranks it is the best */
    CostPoint *points;
} Plan;

static int read_axis(const CommandLine *line)
{
    return option_given(line, OPTION_AXIS)
               ? (int)text_among(option_value(line, OPTION_AXIS), cost_axis_names, AXIS_COUNT)
               : AXIS_SPEEDUP;
}

bool scale_axis_check(const CommandLine *line)
{
    const int kind = read_axis(line);
    return kind == AXIS_SPEEDUP || kind == AXIS_EFFICIENCY || kind == AXIS_TIME ||
           diag_error(line->diag, option_value(line, OPTION_AXIS).span,
                      "'scale' draws speedup, efficiency or time");
}

/* How many curves have no label. */
static size_t put_values(Plan *plan)
{
    Arena *arena = plan->query->study.arena;
    plan->curves = ARENA_ARRAY(arena, CostCurve, plan->count);
    plan->wins = ARENA_ARRAY(arena, size_t, plan->count);
    plan->points = ARENA_ARRAY(arena, CostPoint, plan->count);
    for (size_t i = 0; i < plan->count; i++) {
        const collcost_product *row = &plan->rows[i];
        size_t curve = 0, at = 0;
        while (curve < plan->curve_count && strcmp(plan->curves[curve].name, row->algorithm) != 0)
            curve++;
        if (curve == plan->curve_count)
            plan->curves[plan->curve_count++] =
                (CostCurve){row->algorithm, ARENA_ARRAY(arena, double, plan->rank_count), -1};
        const double value = plan->kind == AXIS_SPEEDUP      ? row->speedup
                             : plan->kind == AXIS_EFFICIENCY ? row->efficiency
                             : plan->kind == AXIS_TIME       ? row->total_s
                                                             : (double)row->n;
        while (plan->ranks[at] != (double)row->p)
            at++;
        ((double *)plan->curves[curve].values)[at] = value;
        plan->points[i] = (CostPoint){
            plan->ranks[at], value, curve,
            arena_printf(arena, "%s on %s, n = %lld: %s, speedup %.4g, efficiency %.3g",
                         row->algorithm, row->network, (long long)row->n,
                         quantity_show_time(arena, row->total_s), row->speedup, row->efficiency)};
        const collcost_product *best =
            plan->kind == (AxisKind)AXIS_ORDER
                ? NULL
                : collcost_products_fastest(plan->rows, plan->count, row->n, row->p);
        plan->wins[curve] += best && strcmp(best->algorithm, row->algorithm) == 0;
    }
    /* Those that are the fastest at most numbers of ranks are labelled first. */
    size_t labelled = 0;
    for (; labelled < CURVE_STYLES && labelled < plan->curve_count; labelled++) {
        size_t best = plan->curve_count;
        for (size_t i = 0; i < plan->curve_count; i++)
            if (plan->curves[i].style < 0 &&
                (best == plan->curve_count || plan->wins[i] > plan->wins[best]))
                best = i;
        plan->curves[best].style = (int)labelled;
    }
    return plan->curve_count - labelled;
}

/* Of p ranks: that all of them work all the time on what one rank would do. NULL: there is none. */
static const double *find_ideal(const Plan *plan)
{
    double *ideal = ARENA_ARRAY(plan->query->study.arena, double, plan->rank_count);
    double serial = plan->rows[0].speedup * plan->rows[0].total_s;
    for (size_t i = 0; i < plan->rank_count; i++)
        ideal[i] = plan->kind == AXIS_SPEEDUP ? plan->ranks[i]
                   : plan->kind == AXIS_TIME  ? serial / plan->ranks[i]
                                              : 1;
    return plan->kind == (AxisKind)AXIS_ORDER ? NULL : ideal;
}

Status scale_picture(const Query *query, const collcost_product *rows, size_t count, double wanted)
{
    Arena *arena = query->study.arena;
    Plan plan = {.query = query,
                 .rows = rows,
                 .count = count,
                 .kind = wanted > 0 ? (AxisKind)AXIS_ORDER : (AxisKind)read_axis(query->line)};
    plan.ranks = ARENA_ARRAY(arena, double, count);
    for (size_t i = 0; i < count; i++)
        plan.ranks[i] = (double)rows[i].p;
    plan.rank_count = sort_doubles_once(plan.ranks, count);
    bool several_orders = false;
    for (size_t i = 1; i < count; i++)
        several_orders |= rows[i].n != rows[0].n;
    if (several_orders && plan.kind != (AxisKind)AXIS_ORDER)
        return BAD_INPUT(query->study.diag, NOWHERE, "a picture needs one order of the matrices");
    if (plan.rank_count < 2)
        return BAD_INPUT(query->study.diag, NOWHERE,
                         "a picture needs several numbers of ranks, such as -p 4..1024");
    const size_t others = put_values(&plan);
    const CurveHeights heights = {
        .title = wanted > 0 ? "order n" : cost_axis_names[plan.kind],
        .show = plan.kind == AXIS_TIME ? quantity_show_time : axis_show_number,
        .is_linear = plan.kind == AXIS_EFFICIENCY,
        .bound_is_most = plan.kind == AXIS_SPEEDUP || plan.kind == AXIS_EFFICIENCY,
        .bound_words = "no overhead"};
    const char *what =
        plan.kind == (AxisKind)AXIS_ORDER
            ? arena_printf(arena, "%s: order n that keeps the efficiency at %.3g, by ranks",
                           query->collective->head.name, wanted)
            : arena_printf(arena, "%s, n = %lld: %s by ranks", query->collective->head.name,
                           (long long)rows[0].n, heights.title);
    const CostCurves data = {
        .heading = {what,
                    {setting_machine(query), arena_printf(arena, "rules: %s", rows[0].rules),
                     others ? arena_printf(arena, "grey: %zu more", others) : NULL}},
        .size_title = "number of ranks p",
        .size_count = plan.rank_count,
        .sizes = plan.ranks,
        .curve_count = plan.curve_count,
        .curves = plan.curves,
        .bound = find_ideal(&plan),
        .point_count = count,
        .points = plan.points,
        .heights = heights,
        .show_size = axis_show_number,
        .joins = true};
    Drawing *drawing = cost_curves_draw(arena, &data);
    if (drawing)
        return picture_write(query->line, drawing);
    return BAD_INPUT(query->study.diag, NOWHERE, "there is nothing to draw: all values are 0");
}
