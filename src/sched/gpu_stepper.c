#include "sched/gpu_stepper.h"

static void connect(GpuStepper *stepper, Arena *arena)
{
    for (int32_t b = 0; b < stepper->count; b++) {
        GpuRunner *runner = &stepper->runners[b];
        if (runner->block->send < 0)
            continue;
        /* The thread block that receives what this one sends. */
        const int32_t rank = runner->block->send, p = stepper->program->rank_count;
        int32_t receiver = -1;
        for (int32_t o = rank < p ? stepper->first_of[rank] : 0;
             rank < p && o < stepper->first_of[rank + 1] && receiver < 0; o++) {
            const ThreadBlock *block = stepper->runners[o].block;
            if (block->receive == runner->rank && block->channel == runner->block->channel)
                receiver = o;
        }
        runner->out = ARENA_NEW(arena, GpuConnection);
        *runner->out = (GpuConnection){.sender = b, .receiver = receiver};
        if (receiver >= 0)
            stepper->runners[receiver].in = runner->out;
    }
    for (int32_t b = 0; b < stepper->count; b++) {
        GpuRunner *runner = &stepper->runners[b];
        if (runner->block->receive < 0 || runner->in)
            continue;
        runner->in = ARENA_NEW(arena, GpuConnection);
        *runner->in = (GpuConnection){.sender = -1, .receiver = b};
    }
}

GpuStepper gpu_stepper_create(Arena *arena, const GpuProgram *program, int64_t tiles, int64_t slots)
{
    const size_t p = (size_t)program->rank_count;
    GpuStepper stepper = {.program = program, .tiles = tiles, .slots = slots};
    stepper.first_of = ARENA_ARRAY(arena, int32_t, p + 1);
    for (size_t r = 0; r < p; r++)
        stepper.first_of[r + 1] = stepper.first_of[r] + (int32_t)program->gpus[r].blocks.count;
    stepper.count = stepper.first_of[p];
    stepper.runners = ARENA_ARRAY(arena, GpuRunner, (size_t)stepper.count);
    for (size_t r = 0; r < p; r++)
        for (int32_t i = 0; i < (int32_t)program->gpus[r].blocks.count; i++)
            stepper.runners[stepper.first_of[r] + i] = (GpuRunner){
                .block = &program->gpus[r].blocks.items[i], .rank = (int32_t)r, .number = i};
    stepper.signals = ARENA_ARRAY(arena, int64_t, program->semaphores.count);
    stepper.taken = ARENA_ARRAY(arena, int64_t, program->semaphores.count);
    connect(&stepper, arena);
    return stepper;
}

bool gpu_stepper_is_done(const GpuStepper *stepper, int32_t b)
{
    const GpuRunner *runner = &stepper->runners[b];
    return runner->next == (int64_t)runner->block->steps.count * stepper->tiles;
}

const GpuStep *gpu_stepper_next(const GpuStepper *stepper, int32_t b)
{
    const GpuRunner *runner = &stepper->runners[b];
    return &runner->block->steps.items[runner->next % (int64_t)runner->block->steps.count];
}

int64_t gpu_stepper_waited(const GpuStepper *stepper, int32_t b)
{
    const GpuRunner *runner = &stepper->runners[b];
    const GpuStep *step = gpu_stepper_next(stepper, b);
    const GpuRunner *other = &stepper->runners[stepper->first_of[runner->rank] + step->wait_block];
    const int64_t count = (int64_t)other->block->steps.count;
    const int64_t tile = runner->next / (int64_t)runner->block->steps.count;
    for (int64_t s = tile * count + step->wait_step; s < other->next; s++)
        if (other->block->steps.items[s % count].signals &&
            other->block->steps.items[s % count].kind != GPU_STEP_NOTHING)
            return s;
    return -1;
}

bool gpu_stepper_is_at(const GpuStepper *stepper, int32_t b, int32_t barrier)
{
    const GpuRunner *runner = &stepper->runners[b];
    if (runner->has_begun || gpu_stepper_is_done(stepper, b))
        return false;
    const GpuStep *step = gpu_stepper_next(stepper, b);
    return step->kind == GPU_STEP_BARRIER && step->barrier == barrier;
}

int32_t gpu_stepper_lacking(const GpuStepper *stepper, int32_t b)
{
    const GpuStep *step = gpu_stepper_next(stepper, b);
    for (int32_t s = 0; s < step->semaphore_count && gpu_step_waits(step->kind); s++) {
        const int32_t semaphore = step->semaphores[s];
        if (stepper->taken[semaphore] + gpu_step_taken(step, s) > stepper->signals[semaphore])
            return semaphore;
    }
    return -1;
}

GpuWait gpu_stepper_wait(const GpuStepper *stepper, int32_t b)
{
    const GpuRunner *runner = &stepper->runners[b];
    const GpuStep *step = gpu_stepper_next(stepper, b);
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    int32_t arrived = 0;
    if (step->wait_block >= 0 && gpu_stepper_waited(stepper, b) < 0)
        return GPU_WAITS_FOR_STEP;
    if (gpu_stepper_lacking(stepper, b) >= 0)
        return GPU_WAITS_FOR_SIGNAL;
    for (int32_t o = stepper->first_of[runner->rank];
         step->kind == GPU_STEP_BARRIER && o < stepper->first_of[runner->rank + 1]; o++)
        arrived += gpu_stepper_is_at(stepper, o, step->barrier);
    if (step->kind == GPU_STEP_BARRIER && arrived < step->members)
        return GPU_WAITS_AT_BARRIER;
    if (info->receives && runner->in->taken == runner->in->arrived)
        return GPU_WAITS_FOR_MESSAGE;
    return info->sends && runner->out->sent - runner->out->taken >= stepper->slots
               ? GPU_WAITS_FOR_SLOT
               : GPU_IS_FREE;
}

static void count(const GpuStep *step, bool counts, int64_t *of_semaphores)
{
    for (int32_t s = 0; s < step->semaphore_count && counts; s++)
        of_semaphores[step->semaphores[s]]++;
}

void gpu_stepper_take(GpuStepper *stepper, int32_t b)
{
    const GpuStep *step = gpu_stepper_next(stepper, b);
    count(step, gpu_step_waits(step->kind), stepper->taken);
}

void gpu_stepper_signal(GpuStepper *stepper, int32_t b)
{
    const GpuStep *step = gpu_stepper_next(stepper, b);
    count(step, gpu_step_signals(step->kind), stepper->signals);
}
