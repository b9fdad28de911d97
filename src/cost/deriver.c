#include "cost/deriver.h"

void deriver_append(const Deriver *deriver, Costing *costing, const PortStep *step,
                    const PortStepCost *entries)
{
    for (size_t e = 0; e < step->entry_count; e++) {
        const PathCost *paths =
            entries[e].path_count ? step->entry_paths + entries[e].first_path : NULL;
        step_list_add(deriver->arena, &costing->list, entries[e], paths,
                      step->entry_count == 1 || e > 0);
    }
}

void deriver_overlap(const Deriver *deriver, Arena *arena, Costing *costing, const PortStep *step,
                     PortStepCost *entry)
{
    Overlap *overlap = costing->earlier, *oldest = NULL;
    if (step->is_followed) {
        overlap = ARENA_NEW(arena, Overlap);
        *overlap = (Overlap){costing->earlier, *entry, *entry, step->entry_paths, step->path_count};
        overlap->end.first_path = step->entries[1].first;
        overlap->end.path_count = step->entries[1].count;
        costing->earlier = overlap;
        return;
    }
    for (; overlap; overlap = overlap->before)
        for (size_t i = overlap->end.first_path; i < overlap->path_count; i++)
            if (!paths_exceed(step->entry_paths, entry->path_count, &overlap->paths[i]))
                oldest = overlap;
    if (oldest)
        oldest->before = NULL, entry->earlier = overlaps_copy(deriver->arena, costing->earlier);
}
