#include "verify/gpu_sync.h"

/* The next step of a thread block that has not ended. */
static const GpuStep *next_step(const Runner *runner)
{
    return &runner->block->steps.items[runner->next];
}

/* Is its next step this barrier of its rank, with all that it waits for behind it? */
static bool is_at_barrier(const Runner *runner, int32_t barrier)
{
    return runner->next < runner->block->steps.count &&
           next_step(runner)->kind == GPU_STEP_BARRIER && next_step(runner)->barrier == barrier;
}

static int32_t count_arrived(const Run *run, int32_t rank, int32_t barrier)
{
    int32_t count = 0;
    for (int32_t b = run->first_of[rank]; b < run->first_of[rank + 1]; b++)
        count += is_at_barrier(&run->runners[b], barrier);
    return count;
}

/* A thread block of its rank that still comes to the barrier, else one that has ended, else -1. */
static int32_t find_absent(const Run *run, const Runner *runner, int32_t barrier)
{
    int32_t ended = -1;
    for (int32_t b = run->first_of[runner->rank]; b < run->first_of[runner->rank + 1]; b++) {
        const Runner *other = &run->runners[b];
        const GpuSteps *steps = &other->block->steps;
        for (size_t i = other->next; i < steps->count && !is_at_barrier(other, barrier); i++)
            if (steps->items[i].kind == GPU_STEP_BARRIER && steps->items[i].barrier == barrier)
                return b;
        if (other->next == steps->count)
            ended = b;
    }
    return ended;
}

/* A thread block that still has a signal for the semaphore, or -1. */
static int32_t find_signaller(const Run *run, int32_t semaphore)
{
    const int32_t rank = run->program->semaphores.items[semaphore].from;
    for (int32_t b = run->first_of[rank]; b < run->first_of[rank + 1]; b++) {
        const GpuSteps *steps = &run->runners[b].block->steps;
        for (size_t i = run->runners[b].next; i < steps->count; i++)
            for (int32_t s = 0; s < steps->items[i].semaphore_count; s++)
                if (gpu_step_signals(steps->items[i].kind) &&
                    steps->items[i].semaphores[s] == semaphore)
                    return b;
    }
    return -1;
}

/* The first semaphore of the next step that has too few signals, or -1. */
static int32_t find_lacking(const Run *run, const Runner *runner)
{
    const GpuStep *step = next_step(runner);
    for (int32_t s = 0; s < step->semaphore_count && gpu_step_waits(step->kind); s++) {
        const Semaphore *semaphore = &run->semaphores[step->semaphores[s]];
        if (semaphore->taken + (size_t)gpu_step_taken(step, s) > semaphore->signals.count)
            return step->semaphores[s];
    }
    return -1;
}

static bool lacks_members(const Run *run, const Runner *runner)
{
    const GpuStep *step = next_step(runner);
    return step->kind == GPU_STEP_BARRIER &&
           count_arrived(run, runner->rank, step->barrier) < step->members;
}

bool gpu_sync_is_held(const Run *run, const Runner *runner)
{
    return find_lacking(run, runner) >= 0 || lacks_members(run, runner);
}

const char *gpu_sync_obstacle(const Run *run, const Runner *runner, int32_t *other)
{
    const GpuStep *step = next_step(runner);
    const int32_t lacking = find_lacking(run, runner);
    *other = -1;
    if (lacking >= 0) {
        *other = find_signaller(run, lacking);
        return *other < 0 ? arena_printf(run->arena, "a signal that rank %d does not give",
                                         run->program->semaphores.items[lacking].from)
                          : "a signal of";
    }
    if (!lacks_members(run, runner))
        return NULL;
    *other = find_absent(run, runner, step->barrier);
    return *other < 0 ? "a barrier that too few thread blocks come to" : "the same barrier in";
}

/* All that have come are as far as the last of them. */
static void pass_barrier(Run *run, int32_t rank, int32_t barrier)
{
    Runner *first = NULL;
    for (int32_t b = run->first_of[rank]; b < run->first_of[rank + 1]; b++) {
        Runner *runner = &run->runners[b];
        if (!is_at_barrier(runner, barrier))
            continue;
        runner->clocks[b] = (uint32_t)runner->next + 1;
        first = first ? first : runner;
        gpu_run_join(run, first, runner->clocks);
    }
    for (int32_t b = run->first_of[rank]; b < run->first_of[rank + 1]; b++) {
        Runner *runner = &run->runners[b];
        if (!is_at_barrier(runner, barrier))
            continue;
        gpu_run_join(run, runner, first->clocks);
        runner->next++;
    }
}

void gpu_sync_do(Run *run, int32_t b)
{
    Runner *runner = &run->runners[b];
    const GpuStep *step = next_step(runner);
    if (step->kind == GPU_STEP_BARRIER) {
        pass_barrier(run, runner->rank, step->barrier);
        return;
    }
    for (int32_t s = 0; s < step->semaphore_count; s++) {
        Semaphore *semaphore = &run->semaphores[step->semaphores[s]];
        if (gpu_step_signals(step->kind)) {
            const bool is_relaxed = step->kind == GPU_STEP_RELAXED_SIGNAL;
            *ARRAY_PUSH(run->scratch, &semaphore->signals) =
                (Message){.clocks = is_relaxed ? NULL : gpu_run_clocks(run, runner)};
            continue;
        }
        const Message *signal = &semaphore->signals.items[semaphore->taken++];
        if (signal->clocks && step->kind == GPU_STEP_WAIT)
            gpu_run_join(run, runner, signal->clocks);
    }
    if (step->signals)
        *ARRAY_PUSH(run->scratch, &runner->signals) =
            (Signal){(int32_t)runner->next, gpu_run_clocks(run, runner)};
    runner->next++;
}

bool gpu_sync_check(Run *run, const Runner *runner, const GpuStep *step)
{
    const int32_t blocks = run->first_of[runner->rank + 1] - run->first_of[runner->rank];
    if (step->kind != GPU_STEP_BARRIER || (step->members > 0 && step->members <= blocks))
        return true;
    return gpu_run_fail(run, GPU_INVALID, step->span,
                        arena_printf(run->arena,
                                     "a barrier of %d thread blocks, but rank %d has %d",
                                     step->members, runner->rank, blocks));
}
