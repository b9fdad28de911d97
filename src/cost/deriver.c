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
