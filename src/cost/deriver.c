#include "cost/deriver.h"

#include <string.h>

/* Does each rank contribute to each block, and is each block wanted by some rank? */
static bool is_all_of_all(Arena *arena, const Contract *contract)
{
    const Holding *before = &contract->before, *after = &contract->after;
    if (before->holders != contract->p || !before->is_shared ||
        holding_count(before, 0) != contract->block_count)
        return false;
    for (int64_t r = 0; r < contract->p; r++)
        if (holding_count(after, r) > 0 &&
            (per_rank(&contract->contributors_from, r) != 0 ||
             per_rank(&contract->contributors_to, r) != contract->p - 1))
            return false;
    if (after->total > contract->p + contract->block_count && !after->is_shared)
        return false;
    bool *wanted = ARENA_ARRAY(arena, bool, (size_t)contract->block_count);
    int64_t count = 0;
    for (int64_t r = after->from; r < after->to; r++)
        for (int64_t i = 0; i < holding_count(after, r); i++) {
            bool *is_wanted = &wanted[holding_block(after, r, i)];
            count += !*is_wanted;
            *is_wanted = true;
        }
    return count == contract->block_count;
}

bool fewest_combines(const Arena *arena, const Instance *instance, int64_t *fewest)
{
    const Collective *collective = instance->algorithm->collective;
    Contract contract;
    int64_t chunks;
    if (!collective->combines || collective->problem || !schedule_try_chunks(instance, &chunks))
        return false;
    Arena *scratch = arena_scratch(arena);
    const bool good = contract_try(scratch, collective, instance->p, instance->root,
                                   instance->target, &contract) &&
                      is_all_of_all(scratch, &contract);
    arena_destroy(scratch);
    return good && !__builtin_mul_overflow(instance->p - 1, contract.block_count, fewest) &&
           !__builtin_mul_overflow(*fewest, chunks, fewest);
}

void step_list_add(Arena *arena, StepList *list, PortStepCost cost, const PathCost *paths,
                   bool may_merge)
{
    PortStepCost *last = list->steps.count ? &list->steps.items[list->steps.count - 1] : NULL;
    if (!last)
        list->may_merge = may_merge;
    const bool is_like =
        last && may_merge && last->path_count == cost.path_count &&
        last->combined == cost.combined && last->message == cost.message &&
        last->continues == cost.continues && last->local == cost.local &&
        last->earlier == cost.earlier &&
        (cost.path_count == 0 ||
         memcmp(list->paths.items + last->first_path, paths, cost.path_count * sizeof *paths) == 0);
    if (is_like) {
        last->repeat += cost.repeat;
        return;
    }
    cost.first_path = list->paths.count;
    for (size_t i = 0; i < cost.path_count; i++)
        *ARRAY_PUSH(arena, &list->paths) = paths[i];
    *ARRAY_PUSH(arena, &list->steps) = cost;
}

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
