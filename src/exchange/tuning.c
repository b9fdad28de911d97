#include "exchange/tuning.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const TuningEffectInfo tuning_effect_info[TUNING_EFFECT_COUNT] = {
#define EFFECT(id, name, is_defect, meaning) {name, meaning, is_defect},
#include "exchange/tuning_effects.def"
#undef EFFECT
};

const TunedCollective tuned_collectives[TUNED_COUNT] = {
#define TUNED(id, name, collective, variant, measure, old, new)                                    \
    [id] = {name, collective, variant, MEASURE_##measure, {old, new}},
#include "exchange/tuned.def"
#undef TUNED
};

void tuning_find_fault(Arena *arena, TuningFile *file, TuningEffect effect, Span span,
                       const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    *ARRAY_PUSH(arena, &file->findings) =
        (TuningFinding){effect, span, arena_printf(arena, "%s", text), file->findings.count};
    file->is_dropped |= effect == TUNING_DROPPED;
}

bool tuning_names_algorithm(const TuningRule *rule)
{
    return rule->runs || rule->algorithm != 0;
}

static int compare_findings(const void *first, const void *second)
{
    const TuningFinding *a = first, *b = second;
    return a->span.offset != b->span.offset ? (a->span.offset > b->span.offset) * 2 - 1
                                            : (a->order > b->order) - (a->order < b->order);
}

void tuning_sort(TuningFile *file)
{
    if (file->findings.count)
        qsort(file->findings.items, file->findings.count, sizeof *file->findings.items,
              compare_findings);
}

size_t tuning_defects(const TuningFile *file)
{
    size_t count = 0;
    for (size_t i = 0; i < file->findings.count; i++)
        count += tuning_effect_info[file->findings.items[i].effect].is_defect;
    return count;
}

const TuningRule *tuning_rule(const TuningFile *file, int collective, int64_t p, int64_t size)
{
    for (size_t i = 0; i < file->rules.count && !file->is_dropped; i++) {
        const TuningRule *rule = &file->rules.items[i];
        if (rule->collective == collective && p >= rule->from_ranks && p < rule->below_ranks &&
            size >= rule->from_size && size < rule->below_size)
            return rule;
    }
    return NULL;
}

double tuning_measure(const TunedCollective *collective, int64_t p, double m, double element)
{
    switch (collective->measure) {
    case MEASURE_TIMES_RANKS:
        return m * (double)p;
    case MEASURE_BUFFER:
    case MEASURE_AVERAGE:
        return m;
    case MEASURE_TYPE_TIMES_RANKS:
        return element * (double)p;
    case MEASURE_NONE:
        break;
    }
    return 0;
}
