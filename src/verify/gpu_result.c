#include "verify/gpu_result.h"

/* Which input chunk of which ranks output chunk k of rank r should be. */
static void find_expected(const GpuEnd *end, int32_t root, int32_t r, int32_t k, int32_t *from,
                          int32_t *to, int32_t *chunk)
{
    const int32_t share = end->program->chunks / end->program->rank_count;
    *from = 0, *to = end->program->rank_count - 1, *chunk = k;
    if (end->label == GPU_BROADCAST || end->label == GPU_SCATTER)
        *from = *to = root;
    if (end->label == GPU_ALLGATHER || end->label == GPU_GATHER || end->label == GPU_ALLTOALL)
        *from = *to = k / share, *chunk = k % share;
    if (end->label == GPU_REDUCE_SCATTER || end->label == GPU_SCATTER)
        *chunk += r * share;
    if (end->label == GPU_ALLTOALL)
        *chunk += r * share;
}

/* How many chunks are right before the first one that is not, and what is wrong there, or NULL. */
static int64_t count_right(Arena *arena, const GpuEnd *end, int32_t root, const char **wrong)
{
    const bool at_root = end->label == GPU_REDUCE || end->label == GPU_GATHER;
    int64_t right = 0;
    for (int32_t r = at_root ? root : 0; r < (at_root ? root + 1 : end->program->rank_count); r++)
        for (int32_t k = 0; k < end->sizes[GPU_OUTPUT]; k++, right++) {
            int32_t from, to, chunk;
            find_expected(end, root, r, k, &from, &to, &chunk);
            const char *differs = gpu_value_differs(
                arena, end->held_at(end->context, r, GPU_OUTPUT, k), from, to, chunk);
            if (!differs)
                continue;
            *wrong = arena_printf(arena, "rank %d ends with a wrong o[%d]: %s", r, k, differs);
            return right;
        }
    *wrong = NULL;
    return right;
}

static const char *check_contract(Arena *arena, const GpuEnd *end)
{
    const GpuContract *contract = end->program->contract;
    for (int32_t r = 0; r < end->program->rank_count; r++)
        for (int32_t k = 0; k < contract->chunks; k++) {
            const GpuSum *sum = &contract->after[(int64_t)r * contract->chunks + k];
            const GpuValue *held = end->held_at(end->context, r, GPU_SCRATCH, k);
            const char *differs = sum->count ? gpu_value_differs_from(arena, held, sum) : NULL;
            if (differs)
                return arena_printf(arena, "rank %d ends with a wrong chunk %d: %s", r, k, differs);
        }
    return NULL;
}

const char *gpu_result_fault(Arena *arena, const GpuEnd *end, int32_t *root)
{
    const GpuLabel label = end->label;
    const bool rooted = label == GPU_REDUCE || label == GPU_GATHER || label == GPU_BROADCAST ||
                        label == GPU_SCATTER;
    const bool is_fixed = rooted && end->program->has_root;
    const int32_t first = is_fixed ? end->program->root : 0;
    const int32_t last = is_fixed ? first : rooted ? end->program->rank_count - 1 : 0;
    const char *wrong = NULL, *least_wrong = NULL;
    int64_t most = -1;
    if (end->program->contract)
        return check_contract(arena, end);
    if (!gpu_label_info[label].collective)
        return NULL;
    for (int32_t r = first; r <= last; r++) {
        const int64_t right = count_right(arena, end, r, &wrong);
        if (!wrong) {
            *root = r;
            return NULL;
        }
        if (right > most)
            most = right, least_wrong = wrong;
    }
    return least_wrong;
}
