#include "exchange/tuning_planned.h"

#include <math.h>
#include <string.h>

bool tuning_note_unmodelled(Arena *arena, const Implementation *library, const char *version,
                            const TunedCollective *tuned, PlanNotes *notes)
{
    const LibraryAlgorithm *one;
    size_t at = 0;
    bool any = false;
    while ((one = implementation_next(library, version, tuned->collective, &at))) {
        if (strcmp(one->variant, tuned->variant) != 0)
            continue;
        any |= one->model.length > 0;
        if (!one->model.length)
            *ARRAY_PUSH(arena, notes) = (PlanNote){tuned->name, one->name, 0, one->note, false};
    }
    return any;
}

void tuning_note_other_ranks(Arena *arena, const MeasurementArray *rows, const Shape *shapes,
                             size_t shape_count, const TunedCollective *tuned, PlanNotes *notes)
{
    int64_t noted = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const Measurement *row = &rows->items[i];
        bool is_asked = strcmp(row->collective, tuned->collective) != 0 || row->p == noted;
        for (size_t s = 0; s < shape_count; s++)
            is_asked |= shapes[s].p == row->p;
        if (is_asked)
            continue;
        noted = row->p;
        *ARRAY_PUSH(arena, notes) =
            (PlanNote){tuned->name, NULL, row->p,
                       "measured, but the question is about other numbers of ranks", false};
    }
}

void tuning_drop_notes(const PlannedRules *rules, size_t first, PlanNotes *notes)
{
    size_t kept = first;
    for (size_t i = first; i < notes->count; i++) {
        const PlanNote *note = &notes->items[i];
        bool is_named = false;
        for (size_t r = 0; r < rules->count && note->p == 0 && note->algorithm; r++)
            is_named |= rules->items[r].algorithm &&
                        strcmp(rules->items[r].algorithm->name, note->algorithm) == 0;
        if (!is_named)
            notes->items[kept++] = *note;
    }
    notes->count = kept;
}

/* How many rules from this one on are for the same numbers of ranks. */
static size_t count_alike(const PlannedRules *rules, size_t from)
{
    size_t count = 0;
    while (from + count < rules->count &&
           rules->items[from + count].rule.from_ranks == rules->items[from].rule.from_ranks)
        count++;
    return count;
}

static bool are_same(const TuningRule *a, const TuningRule *b)
{
    return a->from_size == b->from_size && a->algorithm == b->algorithm && a->runs == b->runs &&
           a->fanout == b->fanout && a->segment == b->segment && a->protocol == b->protocol;
}

void tuning_join_ranks(Arena *arena, const PlannedRules *found, PlannedRules *rules)
{
    size_t last = 0, last_count = 0; /* the rules of the numbers before, among `rules` */
    for (size_t from = 0, count; from < found->count; from += count) {
        count = count_alike(found, from);
        bool same = count == last_count;
        for (size_t i = 0; i < count && same; i++)
            same = are_same(&rules->items[last + i].rule, &found->items[from + i].rule);
        for (size_t i = 0; i < last_count && same; i++) {
            PlannedRule *kept = &rules->items[last + i];
            kept->rule.below_ranks = found->items[from].rule.below_ranks;
            kept->gain = fmax(kept->gain, found->items[from + i].gain);
            kept->is_measured |= found->items[from + i].is_measured;
            kept->is_modelled |= found->items[from + i].is_modelled;
        }
        if (same)
            continue;
        last = rules->count;
        last_count = count;
        for (size_t i = 0; i < count; i++)
            *ARRAY_PUSH(arena, rules) = found->items[from + i];
    }
}

void tuning_single_ranks(Arena *arena, int64_t largest, const PlannedRules *found,
                         PlannedRules *rules)
{
    for (size_t i = 0; i < found->count; i++) {
        const PlannedRule *one = &found->items[i];
        if (!one->algorithm)
            continue;
        PlannedRule *rule = ARRAY_PUSH(arena, rules);
        *rule = *one;
        rule->rule.below_ranks = one->rule.from_ranks + 1;
    }
    for (size_t i = 0; i < found->count; i++)
        if (found->items[i].algorithm && found->items[i].rule.from_ranks == largest) {
            PlannedRule *rule = ARRAY_PUSH(arena, rules);
            *rule = found->items[i];
            rule->rule.from_ranks = 0;
            rule->rule.below_ranks = INT64_MAX;
            rule->is_measured = rule->is_modelled = false;
        }
}
