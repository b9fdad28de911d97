#include "base/sort.h"
#include "cli/compared.h"
#include "cli/files.h"
#include "cli/logs.h"
#include "cli/setting.h"
#include "format/charts.h"

#include <math.h>
#include <string.h>

enum { SIZES_PER_OCTAVE = 4 };

static const double gap = 40; /* between plots */

/* The rows of one collective on so many ranks of one system, with the sizes of its curves. */
typedef struct {
    const Query *query;
    const ComparedRow *rows;
    size_t count;
    SizeArray sizes;
    CostCurve *curves;
    size_t curve_count;
    CostPoint *points;
    size_t point_count;
} Plan;

/* Both axes are logarithmic. */
static bool is_drawn(const ComparedRow *row)
{
    return !row->reason && row->row->bytes > 0;
}

/* Those of measurements, and many between them. */
static bool choose_sizes(Plan *plan)
{
    double from = INFINITY, to = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (is_drawn(&plan->rows[i])) {
            from = fmin(from, plan->rows[i].row->bytes);
            to = fmax(to, plan->rows[i].row->bytes);
        }
    if (!(from < to))
        return false;
    Arena *arena = plan->query->study.arena;
    SizeArray sizes = {0};
    int steps = (int)ceil(log2(to / from) * SIZES_PER_OCTAVE) + 1;
    for (int i = 1; i < steps; i++)
        *ARRAY_PUSH(arena, &sizes) = from * pow(to / from, (double)i / steps);
    for (size_t i = 0; i < plan->count; i++)
        if (is_drawn(&plan->rows[i]))
            *ARRAY_PUSH(arena, &sizes) = plan->rows[i].row->bytes;
    sort_doubles(sizes.items, sizes.count);
    for (size_t i = 0; i < sizes.count; i++)
        if (i == 0 || sizes.items[i] > sizes.items[i - 1])
            *ARRAY_PUSH(arena, &plan->sizes) = sizes.items[i];
    return true;
}

/* The time of the algorithm. */
static double predict(const Plan *plan, const ComparedRow *first, double bytes)
{
    double seconds;
    const Case *opened = first->prediction.of;
    Diag silent = diag_silent();
    if (!opened->only) {
        /* Of the many among which the library may have chosen, the least, as in the table. */
        const size_t count = opened->candidates.algorithms.count;
        CurvePoint *points = ARENA_ARRAY(plan->query->study.arena, CurvePoint, count + 1);
        double least = NAN;
        if (!case_points(opened, bytes, points))
            return NAN;
        for (size_t i = 0; i < count; i++)
            least = fmin(least, points[i].total);
        return least;
    }
    return curve_seconds(opened->candidates.curves[0], bytes, curve_most_chunks(bytes), &seconds,
                         &silent)
               ? seconds
               : NAN;
}

/* "ring, median error 4.1%" */
static const char *describe_curve(const Plan *plan, const ComparedRow *first)
{
    Arena *arena = plan->query->study.arena;
    const ComparedRow *end = plan->rows + plan->count;
    double *errors = ARENA_ARRAY(arena, double, plan->count);
    size_t count = 0;
    for (const ComparedRow *row = first; row < end && compared_same_algorithm(first, row); row++)
        if (!row->reason)
            errors[count++] = row->error;
    sort_doubles(errors, count);
    return arena_printf(arena, "%s, median error %s", first->row->algorithm,
                        quantity_show_share(arena, logs_quantile(errors, count, 0.5)));
}

static void add_point(Plan *plan, const ComparedRow *row)
{
    Arena *arena = plan->query->study.arena;
    plan->points[plan->point_count++] = (CostPoint){
        .size = row->row->bytes,
        .value = row->row->seconds,
        .curve = plan->curve_count - 1,
        .tip = arena_printf(arena, "%s, %s: %s measured, %s predicted (x %.2f)",
                            row->row->algorithm, quantity_show_bytes(arena, row->row->bytes),
                            quantity_show_time(arena, row->row->seconds),
                            quantity_show_time(arena, row->prediction.cost.total), row->ratio)};
}

static const char *title_of(const Plan *plan)
{
    const ComparedRow *first = plan->rows;
    for (size_t i = 0; i < plan->count && !is_drawn(first); i++)
        first = &plan->rows[i];
    return arena_printf(plan->query->study.arena,
                        "%s on %s%s%s: predicted (lines), measured (circles)",
                        first->row->collective, first->prediction.of->network.name,
                        *first->row->system ? ", " : "", first->row->system);
}

/* NULL where fewer than two sizes can be drawn. */
static Drawing *draw_plot(Plan *plan)
{
    const Query *query = plan->query;
    Arena *arena = query->study.arena;
    const ComparedRow *last = NULL;
    if (!choose_sizes(plan))
        return NULL;
    plan->curves = ARENA_ARRAY(arena, CostCurve, plan->count + 1);
    plan->points = ARENA_ARRAY(arena, CostPoint, plan->count + 1);
    for (size_t i = 0; i < plan->count; i++) {
        const ComparedRow *row = &plan->rows[i];
        if (!is_drawn(row))
            continue;
        if (!last || !compared_same_algorithm(last, row)) {
            double *seconds = ARENA_ARRAY(plan->query->study.arena, double, plan->sizes.count);
            for (size_t j = 0; j < plan->sizes.count; j++)
                seconds[j] = predict(plan, row, plan->sizes.items[j]);
            int style = plan->curve_count < CURVE_STYLES ? (int)plan->curve_count : -1;
            plan->curves[plan->curve_count++] =
                (CostCurve){.name = describe_curve(plan, row), .values = seconds, .style = style};
        }
        last = row;
        add_point(plan, row);
    }
    const size_t others = plan->curve_count > CURVE_STYLES ? plan->curve_count - CURVE_STYLES : 0;
    const CostCurves data = {
        .heading = {title_of(plan),
                    {setting_machine(query), arena_printf(arena, "rules: %s", setting_rules(query)),
                     cost_curves_note_others(arena, others)}},
        .size_title = "message size m",
        .size_count = plan->sizes.count,
        .sizes = plan->sizes.items,
        .curve_count = plan->curve_count,
        .curves = plan->curves,
        .point_count = plan->point_count,
        .points = plan->points,
    };
    return cost_curves_draw(arena, &data);
}

Status compared_draw(const Query *query, const ComparedRows *rows)
{
    Drawing *all = NULL;
    for (size_t from = 0, to; from < rows->count; from = to) {
        for (to = from + 1; to < rows->count; to++)
            if (!compared_alike(&rows->items[from], &rows->items[to]))
                break;
        Plan plan = {.query = query, .rows = &rows->items[from], .count = to - from};
        const Drawing *plot = draw_plot(&plan);
        if (!plot)
            continue;
        if (!all)
            all = drawing_create(query->study.arena, plot->title);
        double below = all->marks.count ? drawing_box(all).most.y + gap : 0;
        drawing_append(all, plot,
                       (Point){0, all->marks.count ? below - drawing_box(plot).least.y : 0});
    }
    if (all)
        return picture_write(query->line, all);
    return BAD_INPUT(query->study.diag, rows->items[0].row->place,
                     "there is nothing to draw: a picture needs two sizes above 0");
}
