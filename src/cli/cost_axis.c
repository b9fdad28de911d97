#include "cli/pictures.h"

#include <math.h>

/* Losses above this need no curve: nobody would take such an algorithm. */
static const double most_slowdown = 4;

const char *const cost_axis_names[AXIS_COUNT] = {
#define AXIS(id, name, words) #name,
#include "cli/axes.def"
#undef AXIS
};

static const char *const axis_words[AXIS_COUNT] = {
#define AXIS(id, name, words) words,
#include "cli/axes.def"
#undef AXIS
};

bool cost_axis_read(const CommandLine *line, AxisKind usual, CostAxis *axis)
{
    Text name, reference = {0};
    *axis = (CostAxis){.kind = usual};
    if (!option_given(line, OPTION_AXIS))
        return true;
    Text value = option_value(line, OPTION_AXIS);
    bool has_reference = text_split(value, '=', &name, &reference);
    if (!has_reference)
        name = value;
    for (int i = 0; i < AXIS_EFFICIENCY; i++)
        if (text_equals(name, cost_axis_names[i]) && (!has_reference || i == AXIS_SPEEDUP)) {
            *axis = (CostAxis){(AxisKind)i, reference};
            return true;
        }
    diag_error(line->diag, value.span,
               "unknown axis '%s'; valid are time, ratio, busbw, slowdown, speedup and "
               "speedup=ALGORITHM",
               value.chars);
    return diag_suggest(line->diag, name, cost_axis_names, AXIS_EFFICIENCY);
}

typedef struct {
    const Query *query;
    CostCurves *data;
    const CostCurve *reference;
    double factor;         /* bus bandwidth of a byte a second */
    const double *fastest; /* at each size */
} Heights;

/* What heights are of so many seconds; of the bound too. */
static const double *convert(const Heights *heights, AxisKind kind, const double *seconds)
{
    const CostCurves *data = heights->data;
    double *values = ARENA_ARRAY(heights->query->study.arena, double, data->size_count);
    for (size_t i = 0; i < data->size_count; i++)
        values[i] = kind == AXIS_RATIO      ? seconds[i] / data->bound[i]
                    : kind == AXIS_BUSBW    ? data->sizes[i] * heights->factor / seconds[i]
                    : kind == AXIS_SPEEDUP  ? heights->reference->values[i] / seconds[i]
                    : kind == AXIS_SLOWDOWN ? seconds[i] / heights->fastest[i]
                                            : seconds[i];
    return values;
}

static Span axis_span(const Query *query)
{
    return option_given(query->line, OPTION_AXIS) ? option_value(query->line, OPTION_AXIS).span
                                                  : NOWHERE;
}

static bool prepare(Heights *heights, const CostAxis *axis, size_t best)
{
    switch (axis->kind) {
    case AXIS_RATIO: {
        const CostCurves *data = heights->data;
        for (size_t i = 0; data->bound && i < data->size_count; i++)
            if (data->bound[i] > 0)
                return true;
        return diag_error(heights->query->study.diag, axis_span(heights->query),
                          "there is no lower bound above 0 to divide by");
    }
    case AXIS_BUSBW: {
        /* M / time, times what nccl-tests multiplies it with. Sizes are drawn as m, or with
           --sizes nccl as M. */
        const Query *query = heights->query;
        const Collective *collective = heights->query->collective;
        const int64_t p = query->ranks.items[0];
        double buffer = 1;
        if (!collective->bus_factor.program)
            return diag_error(query->study.diag, axis_span(query), "%s has no bus bandwidth",
                              collective->head.name);
        if (!collective_bus_factor(collective, p, &heights->factor, query->study.diag) ||
            !query_largest_buffer(query, collective, p, &buffer))
            return false;
        heights->factor *= buffer / query->m_count;
        return true;
    }
    case AXIS_SPEEDUP: {
        const CostCurves *data = heights->data;
        const Text name = axis->reference;
        const char **names =
            ARENA_ARRAY(heights->query->study.arena, const char *, data->curve_count);
        for (size_t i = 0; i < data->curve_count; i++)
            names[i] = data->curves[i].name;
        const size_t found = name.length ? text_among(name, names, data->curve_count) : best;
        heights->reference = &data->curves[found];
        if (found < data->curve_count)
            return true;
        diag_error(heights->query->study.diag, name.span, "'%.*s' is none of the algorithms here",
                   TEXT_ARGS(name));
        return diag_suggest(heights->query->study.diag, name, names, data->curve_count);
    }
    default:
        return true;
    }
}

bool cost_axis_apply(const CostAxis *axis, const Query *query, size_t best, CostCurves *data,
                     const char **words, const char **note)
{
    Arena *arena = query->study.arena;
    Heights heights = {.query = query, .data = data};
    *words = axis_words[axis->kind];
    *note = NULL;
    if (!prepare(&heights, axis, best))
        return false;
    if (axis->kind == AXIS_TIME)
        return true;
    if (axis->kind == AXIS_SPEEDUP) {
        *words = arena_printf(arena, "speedup over %s", heights.reference->name);
        *note = axis->reference.length ? NULL
                                       : arena_printf(arena, "%s has the least time on the average",
                                                      heights.reference->name);
    }
    if (axis->kind == AXIS_BUSBW)
        *note = "bus bandwidth as nccl-tests has it";
    double *fastest = ARENA_ARRAY(arena, double, data->size_count);
    for (size_t i = 0; i < data->size_count; i++) {
        fastest[i] = INFINITY;
        for (size_t c = 0; c < data->curve_count; c++)
            fastest[i] = fmin(fastest[i], data->curves[c].values[i]);
    }
    heights.fastest = fastest;
    CostCurve *curves = ARENA_COPY(arena, CostCurve, data->curves, data->curve_count);
    for (size_t i = 0; i < data->curve_count; i++)
        curves[i].values = convert(&heights, axis->kind, data->curves[i].values);
    if (data->bound)
        data->bound = convert(&heights, axis->kind, data->bound);
    if (axis->kind == AXIS_SLOWDOWN)
        data->bound = NULL; /* what is drawn is among algorithms */
    data->curves = curves;
    data->heights = (CurveHeights){
        .title = cost_axis_names[axis->kind],
        .show = axis->kind == AXIS_BUSBW ? quantity_show_bandwidth : axis_show_number,
        .is_linear = axis->kind == AXIS_BUSBW || axis->kind == AXIS_SPEEDUP,
        .bound_is_most = axis->kind == AXIS_BUSBW || axis->kind == AXIS_SPEEDUP,
        .most = axis->kind == AXIS_SLOWDOWN ? most_slowdown : 0};
    return true;
}
