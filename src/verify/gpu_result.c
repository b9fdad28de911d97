#include "verify/gpu_result.h"

/* Which input chunk of which ranks output chunk k of rank r should be. */
static void find_expected(const Run *run, int32_t root, int32_t r, int32_t k, int32_t *from,
                          int32_t *to, int32_t *chunk)
{
    const int32_t share = run->program->chunks / run->program->rank_count;
    *from = 0, *to = run->program->rank_count - 1, *chunk = k;
    if (run->label == GPU_BROADCAST || run->label == GPU_SCATTER)
        *from = *to = root;
    if (run->label == GPU_ALLGATHER || run->label == GPU_GATHER || run->label == GPU_ALLTOALL)
        *from = *to = k / share, *chunk = k % share;
    if (run->label == GPU_REDUCE_SCATTER || run->label == GPU_SCATTER)
        *chunk += r * share;
    if (run->label == GPU_ALLTOALL)
        *chunk += r * share;
}

/* How many chunks are right before the first one that is not, and what is wrong there, or NULL. */
static int64_t count_right(const Run *run, int32_t root, const char **wrong)
{
    const bool at_root = run->label == GPU_REDUCE || run->label == GPU_GATHER;
    int64_t right = 0;
    for (int32_t r = at_root ? root : 0; r < (at_root ? root + 1 : run->program->rank_count); r++)
        for (int32_t k = 0; k < run->sizes[GPU_OUTPUT]; k++, right++) {
            int32_t from, to, chunk;
            find_expected(run, root, r, k, &from, &to, &chunk);
            const char *differs = gpu_value_differs(
                run->arena, gpu_run_cell(run, r, GPU_OUTPUT, k)->value, from, to, chunk);
            if (!differs)
                continue;
            *wrong = arena_printf(run->arena, "rank %d ends with a wrong o[%d]: %s", r, k, differs);
            return right;
        }
    *wrong = NULL;
    return right;
}

static bool check_contract(Run *run)
{
    const GpuContract *contract = run->program->contract;
    for (int32_t r = 0; r < run->program->rank_count; r++)
        for (int32_t k = 0; k < contract->chunks; k++) {
            const GpuSum *sum = &contract->after[(int64_t)r * contract->chunks + k];
            const char *differs =
                sum->count ? gpu_value_differs_from(
                                 run->arena, gpu_run_cell(run, r, GPU_SCRATCH, k)->value, sum)
                           : NULL;
            if (differs)
                return gpu_run_fail(run, GPU_WRONG, run->program->span,
                                    arena_printf(run->arena,
                                                 "rank %d ends with a wrong chunk %d: %s", r, k,
                                                 differs));
        }
    return true;
}

static bool check_result(Run *run)
{
    const bool rooted = run->label == GPU_REDUCE || run->label == GPU_GATHER ||
                        run->label == GPU_BROADCAST || run->label == GPU_SCATTER;
    const char *wrong = NULL, *least_wrong = NULL;
    int64_t most = -1;
    const bool is_fixed = rooted && run->program->has_root;
    const int32_t first = is_fixed ? run->program->root : 0;
    const int32_t end = is_fixed ? first + 1 : rooted ? run->program->rank_count : 1;
    for (int32_t root = first; root < end; root++) {
        const int64_t right = count_right(run, root, &wrong);
        if (!wrong) {
            run->found->root = root;
            return true;
        }
        if (right > most)
            most = right, least_wrong = wrong;
    }
    return gpu_run_fail(run, GPU_WRONG, run->program->span, least_wrong);
}

bool gpu_run_check(Run *run)
{
    if (run->program->contract)
        return check_contract(run);
    return !gpu_label_info[run->label].collective || check_result(run);
}
