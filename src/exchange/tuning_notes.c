#include "exchange/tuning_notes.h"

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
        *ARRAY_PUSH(arena, notes) = (PlanNote){
            tuned->name, NULL, row->p, "measured, but these ranks were not asked about", false};
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
