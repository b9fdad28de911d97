#include "bound/bound.h"

/* By which parameter a kind is multiplied, and whether by m too. */
static const struct {
    Parameter parameter;
    bool per_byte;
} scales[BOUND_KIND_COUNT] = {
    [BOUND_ROUNDS] = {PARAMETER_TS, false}, [BOUND_DISTANCE] = {PARAMETER_TH, false},
    [BOUND_NODE] = {PARAMETER_TW, true},    [BOUND_PORTS] = {PARAMETER_TW, true},
    [BOUND_VOLUME] = {PARAMETER_TW, true},  [BOUND_CUT] = {PARAMETER_TW, true},
    [BOUND_COMPUTE] = {PARAMETER_TC, true}, [BOUND_FLOW] = {PARAMETER_TW, true},
};

Parameter bound_parameter(BoundKind kind)
{
    return scales[kind].parameter;
}

double bound_seconds(const Bound *bound, const double *parameters, double bytes)
{
    double value = bound->coefficient.real;
    if (!bound->is_time)
        value *= parameters[scales[bound->kind].parameter];
    return scales[bound->kind].per_byte ? value * bytes : value;
}

Exact bound_exact(const Bound *bound, const ExactParameters *parameters, Exact bytes)
{
    Exact value = bound->coefficient;
    if (!bound->is_time)
        value = exact_multiply(value, parameters->parameters[scales[bound->kind].parameter]);
    return scales[bound->kind].per_byte ? exact_multiply(value, bytes) : value;
}

BoundKind bounds_binding(const BoundSet *bounds, const double *parameters, double bytes)
{
    int binding = 0;
    for (int i = 1; i < BOUND_KIND_COUNT; i++)
        if (bound_seconds(&bounds->items[i], parameters, bytes) >
            bound_seconds(&bounds->items[binding], parameters, bytes))
            binding = i;
    return (BoundKind)binding;
}

const char *bound_formula(Arena *arena, const Bound *bound, double own_tw)
{
    if (bound->coefficient.real == 0)
        return "0";
    if (bound->is_time && !scales[bound->kind].per_byte)
        return quantity_show_time(arena, bound->coefficient.real);
    if (bound->is_time)
        return arena_printf(arena, "m / (%s)",
                            quantity_show_bandwidth(arena, 1 / bound->coefficient.real));
    const Parameter parameter = scales[bound->kind].parameter;
    const char *name = parameter_info[parameter].name;
    if (parameter == PARAMETER_TW && own_tw != 0)
        name = arena_printf(arena, "/ (%s)", quantity_show_bandwidth(arena, 1 / own_tw));
    bool one = bound->coefficient.real == 1;
    return arena_printf(arena, "%s%s%s%s", one ? "" : exact_show(arena, bound->coefficient),
                        one ? "" : " ", scales[bound->kind].per_byte ? "m " : "", name);
}
