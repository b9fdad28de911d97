#include "verify/gpu_state.h"

bool gpu_run_fail(Run *run, GpuVerdict verdict, Span span, const char *text)
{
    if (run->found->verdict != GPU_RIGHT)
        return false;
    run->found->verdict = verdict;
    run->found->text = run->in_place ? arena_printf(run->arena, "%s (in place)", text) : text;
    run->found->span = span;
    return false;
}

static size_t number_of(const Runner *runner, size_t step)
{
    const GpuSteps *steps = &runner->block->steps;
    const int32_t operation = step < steps->count ? steps->items[step].operation : 0;
    return operation ? (size_t)operation - 1 : step;
}

const char *gpu_run_name(const Run *run, const Runner *runner, size_t step)
{
    return arena_printf(run->arena, "rank %d, thread block %d, step %zu", runner->rank,
                        runner->number, number_of(runner, step));
}

Cell *gpu_run_cell(const Run *run, int32_t rank, GpuBuffer buffer, int32_t chunk)
{
    return &run->cells[rank]
                      [gpu_cell(run->sizes, run->in_place, rank, (GpuPlace){buffer, chunk, 0})];
}

void gpu_run_join(const Run *run, Runner *runner, const uint32_t *clocks)
{
    for (int32_t b = 0; b < run->count; b++)
        if (clocks[b] > runner->clocks[b])
            runner->clocks[b] = clocks[b];
}

const uint32_t *gpu_run_clocks(const Run *run, const Runner *runner)
{
    return ARENA_COPY(run->scratch, uint32_t, runner->clocks, (size_t)run->count);
}
