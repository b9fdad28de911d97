#include "bound/cut.h"
#include "bound/flow.h"
#include "bound/linear_program.h"

#include "base/quantity.h"

/* Arcs looked at: some milliseconds, and about a second, at most. */
static const int64_t most_work[] = {
    [BOUND_SEARCH_NONE] = 0,
    [BOUND_SEARCH_QUICK] = 1 << 20,
    [BOUND_SEARCH_WHOLE] = (int64_t)1 << 27,
    [BOUND_SEARCH_FLOW] = (int64_t)1 << 27,
};

int64_t bound_search_work(BoundSearch search)
{
    return most_work[search];
}

Bound bound_over(const Bounder *bounder, BoundKind kind, __int128 blocks, __int128 capacity)
{
    double real = (double)blocks / (double)capacity;
    __int128 a = blocks, b = capacity;
    while (b) {
        __int128 rest = a % b;
        a = b, b = rest;
    }
    blocks /= a, capacity /= a;
    bool fits = blocks <= INT64_MAX && capacity <= INT64_MAX;
    Exact coefficient =
        fits ? exact_divide(exact_from_int((int64_t)blocks), exact_from_int((int64_t)capacity))
             : exact_from_double(real);
    return (Bound){kind, coefficient, bounder->capacity_graph.per_link_costs, NULL};
}

const char *bound_show_capacity(const Bounder *bounder, __int128 capacity, const char *thing)
{
    if (bounder->capacity_graph.per_link_costs)
        return quantity_show_bandwidth(bounder->arena, (double)capacity);
    return arena_printf(bounder->arena, "%lld %s%s", (long long)capacity, thing,
                        capacity == 1 ? "" : "s");
}

Bounder bounder_open(Arena *arena, const Contract *contract, const Network *network,
                     const Rules *rules)
{
    Bounder bounder = {.arena = arena,
                       .contract = contract,
                       .network = network,
                       .rules = rules,
                       .demand = demand_count(arena, contract),
                       .capacity_graph = capacity_graph_open(arena, network, rules)};
    bounder.paths = required_paths_measure(arena, &bounder.demand, network, NULL);
    return bounder;
}

void bounds_compute(Arena *arena, const Contract *contract, const Network *network,
                    const Rules *rules, BoundSearch search, BoundSet *bounds)
{
    Arena *scratch = arena_create();
    Bounder bounder = bounder_open(scratch, contract, network, rules);
    Cut cut;
    Weighing weighing;
    bounds->items[BOUND_ROUNDS] = bound_rounds(&bounder);
    bounds->items[BOUND_DISTANCE] = bound_distance(&bounder);
    bounds->items[BOUND_NODE] = bound_node(&bounder);
    bounds->items[BOUND_PORTS] = bound_ports(&bounder);
    bounds->items[BOUND_VOLUME] = bound_volume(&bounder);
    bounds->items[BOUND_CUT] =
        bound_cut(&bounder, &bounds->items[BOUND_NODE], bound_search_work(search), &cut);
    bounds->items[BOUND_COMPUTE] = bound_compute(&bounder);
    bounds->items[BOUND_FLOW] = search == BOUND_SEARCH_FLOW ? bound_flow(&bounder, &cut, &weighing)
                                                            : (Bound){BOUND_FLOW, exact_from_int(0),
                                                                      false, "not asked for"};
    for (int i = 0; i < BOUND_KIND_COUNT; i++)
        bounds->items[i].reason = arena_printf(arena, "%s", bounds->items[i].reason);
    arena_destroy(scratch);
}

bool bounds_have_flow(void)
{
    return route_mix_exists;
}

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

const char *bound_formula(Arena *arena, const Bound *bound)
{
    if (bound->coefficient.real == 0)
        return "0";
    if (bound->is_time)
        return arena_printf(arena, "m / (%s)",
                            quantity_show_bandwidth(arena, 1 / bound->coefficient.real));
    const char *name = parameter_info[scales[bound->kind].parameter].name;
    bool one = bound->coefficient.real == 1;
    return arena_printf(arena, "%s%s%s%s", one ? "" : exact_show(arena, bound->coefficient),
                        one ? "" : " ", scales[bound->kind].per_byte ? "m " : "", name);
}
