#include "cost/step_list.h"

#include <string.h>

static bool is_like(const StepList *list, const PortStepCost *last, const PortStepCost *cost,
                    const PathCost *paths)
{
    return last->path_count == cost->path_count && last->combined == cost->combined &&
           last->message == cost->message && last->continues == cost->continues &&
           last->local == cost->local && last->earlier == cost->earlier &&
           (cost->path_count == 0 || memcmp(list->paths.items + last->first_path, paths,
                                            cost->path_count * sizeof *paths) == 0);
}

/* An entry that counts `cost.repeat` times. */
static void add(Arena *arena, StepList *list, PortStepCost cost, const PathCost *paths,
                bool may_merge)
{
    PortStepCost *last = list->steps.count ? &list->steps.items[list->steps.count - 1] : NULL;
    if (!last)
        list->may_merge = may_merge;
    if (last && may_merge && is_like(list, last, &cost, paths)) {
        last->repeat += cost.repeat;
        return;
    }
    cost.first_path = list->paths.count;
    for (size_t i = 0; i < cost.path_count; i++)
        *ARRAY_PUSH(arena, &list->paths) = paths[i];
    *ARRAY_PUSH(arena, &list->steps) = cost;
}

void step_list_add(Arena *arena, StepList *list, PortStepCost cost, const PathCost *paths,
                   bool may_merge)
{
    cost.repeat = 1;
    add(arena, list, cost, paths, may_merge);
}

void step_list_join(Arena *arena, StepList *list, const StepList *other)
{
    for (size_t i = 0; i < other->steps.count; i++) {
        const PortStepCost *cost = &other->steps.items[i];
        const PathCost *paths = cost->path_count ? other->paths.items + cost->first_path : NULL;
        add(arena, list, *cost, paths, i == 0 && other->may_merge);
    }
}

StepList step_list_copy(Arena *arena, const StepList *list)
{
    StepList copy = {.may_merge = list->may_merge};
    copy.steps.items = ARENA_COPY(arena, PortStepCost, list->steps.items, list->steps.count);
    copy.steps.count = list->steps.count;
    copy.paths.items = paths_copy(arena, list->paths.items, list->paths.count);
    copy.paths.count = list->paths.count;
    return copy;
}
