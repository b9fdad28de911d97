#include "cost/fewest_combines.h"

static bool all_contribute(const Contract *contract)
{
    const Holding *before = &contract->before;
    bool all = before->holders == contract->p && before->is_shared &&
               holding_count(before, 0) == contract->block_count;
    for (int64_t r = 0; r < contract->p && all; r++)
        all = holding_count(&contract->after, r) == 0 ||
              (per_rank(&contract->contributors_from, r) == 0 &&
               per_rank(&contract->contributors_to, r) == contract->p - 1);
    return all;
}

static bool all_are_wanted(Arena *arena, const Contract *contract)
{
    const Holding *after = &contract->after;
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
    Diag silent = diag_silent();
    Contract contract;
    int64_t chunks;
    if (!collective->combines || collective->problem ||
        !schedule_chunks(instance, &chunks, &silent))
        return false;
    Arena *scratch = arena_scratch(arena);
    const bool good = contract_create(scratch, collective, instance->p, instance->root,
                                      instance->target, &contract, &silent) &&
                      all_contribute(&contract) && all_are_wanted(scratch, &contract);
    arena_destroy(scratch);
    return good && !__builtin_mul_overflow(instance->p - 1, contract.block_count, fewest) &&
           !__builtin_mul_overflow(*fewest, chunks, fewest);
}
