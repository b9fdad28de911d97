#include "exchange/tuning.h"

#include <math.h>
#include <string.h>

const TuningEffectInfo tuning_effect_info[TUNING_EFFECT_COUNT] = {
#define EFFECT(id, name, is_defect, meaning) {name, meaning, is_defect},
#include "exchange/tuning_effects.def"
#undef EFFECT
};

const TunedCollective tuned_collectives[TUNED_COUNT] = {
#define TUNED(id, name, collective, variant, measure, old, new, newest)                            \
    [id] = {name, collective, variant, MEASURE_##measure, {old, new, newest}},
#include "exchange/tuned.def"
#undef TUNED
};

bool tuning_names_algorithm(const TuningRule *rule)
{
    return rule->runs || rule->algorithm != 0;
}

size_t tuning_defects(const TuningFile *file)
{
    size_t count = 0;
    for (size_t i = 0; i < file->findings.count; i++)
        count += tuning_effect_info[file->findings.items[i].effect].is_defect;
    return count;
}

double tuning_measure(const TunedCollective *collective, int64_t p, double m, double element)
{
    switch (collective->measure) {
    case MEASURE_TIMES_RANKS:
        return m * (double)p;
    case MEASURE_SHARE:
        return m / (double)p;
    case MEASURE_BUFFER:
    case MEASURE_AVERAGE:
        return m;
    case MEASURE_TYPE_TIMES_RANKS:
        return element * (double)p;
    case MEASURE_ELEMENTS_TIMES_RANKS:
        return floor(m / (element > 0 ? element : 1)) * (double)p;
    case MEASURE_NONE:
        break;
    }
    return 0;
}

/* The largest power of two that is not above a positive number. */
static int64_t power_below(int64_t number)
{
    int64_t power = 1;
    while (power <= number / 2)
        power *= 2;
    return power;
}

static int64_t whole(double number)
{
    return number < 0x1p62 ? (int64_t)number : INT64_C(1) << 62;
}

TuningCall tuning_call(const TunedCollective *collective, int64_t p, int64_t nodes, double m,
                       double element)
{
    const double one = element > 0 ? element : 1;
    return (TuningCall){.p = p,
                        .nodes = nodes,
                        .size = whole(tuning_measure(collective, p, m, element)),
                        .total = whole(m * (double)p),
                        .elements = whole(m / one)};
}

int64_t tuning_nodes(const TuningFormat *format, const Shape *shape)
{
    const int64_t nodes = shape_node_count(shape);
    return format->protocols || nodes == 1 || nodes == shape->p ? nodes : 0;
}

int64_t tuning_placement(const TuningFormat *format, const Shape *shape)
{
    bool has_devices = false;
    for (int i = 0; i < shape->count; i++)
        has_devices |= shape->names[i] && strcmp(shape->names[i], "device") == 0;
    return has_devices || format->protocols ? shape_node_count(shape) : shape->p;
}

bool tuning_is_within(TuningRange inner, TuningRange outer)
{
    return outer.below == 0 ||
           (inner.below && inner.from >= outer.from && inner.below <= outer.below);
}

size_t tuning_alike(const TuningRules *rules, size_t from, bool by_ranks)
{
    size_t count = 0;
    while (from + count < rules->count &&
           rules->items[from + count].collective == rules->items[from].collective &&
           (!by_ranks || rules->items[from + count].from_ranks == rules->items[from].from_ranks))
        count++;
    return count;
}

const TuningRule *tuning_rule(const TuningFile *file, int collective, const TuningCall *call)
{
    const bool is_power = call->p == power_below(call->p);
    const int64_t devices = call->nodes ? call->p / call->nodes : 0;
    const TuningRange on_nodes = {call->nodes, call->nodes + 1},
                      on_devices = {devices, devices + 1};
    for (size_t i = 0; i < file->rules.count && !file->is_dropped; i++) {
        const TuningRule *rule = &file->rules.items[i];
        if (rule->collective == collective && call->p >= rule->from_ranks &&
            call->p < rule->below_ranks && call->size >= rule->from_size &&
            call->size < rule->below_size &&
            (!call->nodes || (tuning_is_within(on_nodes, rule->nodes) &&
                              tuning_is_within(on_devices, rule->devices))) &&
            (!rule->needs_power || is_power) &&
            (!rule->needs_few || call->elements < power_below(call->p)) &&
            (!rule->below_total || call->total < rule->below_total) &&
            (!rule->below_elements || call->elements < rule->below_elements))
            return rule;
    }
    return NULL;
}

bool tuning_aborts(const TuningFile *file, const TuningRule *rule, const TuningCall *call)
{
    return file->is_fatal ||
           (rule && ((rule->aborts_from && call->p >= rule->aborts_from) ||
                     (rule->aborts_off_power && call->p != power_below(call->p)) ||
                     (rule->aborts_if_few && call->elements < power_below(call->p))));
}
