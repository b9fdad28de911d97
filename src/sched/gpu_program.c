#include "sched/gpu_program.h"

const GpuStepInfo gpu_step_info[GPU_STEP_COUNT] = {
#define GPU_STEP(id, name, receives, sends, reads, reads_destination, writes)                      \
    {name, receives, sends, reads, reads_destination, writes},
#include "sched/gpu_steps.def"
};

const GpuLabelInfo gpu_label_info[GPU_LABEL_COUNT] = {
#define GPU_LABEL(id, label, other, collective) {label, other, collective},
#include "sched/gpu_labels.def"
};

const char gpu_buffer_letters[GPU_BUFFER_COUNT] = {'i', 'o', 's'};

bool gpu_buffer_sizes(const GpuProgram *program, GpuLabel label, int32_t *input, int32_t *output)
{
    const int32_t chunks = program->chunks, share = chunks / program->rank_count;
    const bool few_in = label == GPU_ALLGATHER || label == GPU_GATHER;
    const bool few_out = label == GPU_REDUCE_SCATTER || label == GPU_SCATTER;
    *input = few_in ? share : chunks;
    *output = few_out ? share : chunks;
    return chunks % program->rank_count == 0 || (!few_in && !few_out && label != GPU_ALLTOALL);
}

int64_t gpu_cell(const int32_t sizes[2], bool in_place, int32_t rank, GpuPlace place)
{
    const int64_t input = sizes[GPU_INPUT], output = sizes[GPU_OUTPUT];
    if (place.buffer == GPU_SCRATCH)
        return input + output + place.chunk;
    if (in_place && place.buffer == GPU_INPUT && input < output)
        return input + rank * input + place.chunk;
    if (in_place && place.buffer == GPU_OUTPUT && output < input)
        return rank * output + place.chunk;
    if (in_place && input == output)
        return place.chunk;
    return (place.buffer == GPU_OUTPUT ? input : 0) + place.chunk;
}

bool gpu_step_signals(GpuStepKind kind)
{
    return kind == GPU_STEP_SIGNAL || kind == GPU_STEP_RELAXED_SIGNAL;
}

bool gpu_step_waits(GpuStepKind kind)
{
    return kind == GPU_STEP_WAIT || kind == GPU_STEP_RELAXED_WAIT;
}

bool gpu_step_is_sync(GpuStepKind kind)
{
    return gpu_step_signals(kind) || gpu_step_waits(kind) || kind == GPU_STEP_BARRIER ||
           kind == GPU_STEP_POST;
}

int32_t gpu_step_taken(const GpuStep *step, int32_t s)
{
    int32_t taken = 0;
    for (int32_t i = 0; i <= s; i++)
        taken += step->semaphores[i] == step->semaphores[s];
    return taken;
}

int32_t gpu_place_rank(GpuPlace place, int32_t rank)
{
    return place.owner > 0 ? place.owner - 1 : rank;
}

/* Of a program with one-sided steps: does a thread block write to, or read from, other ranks? */
static bool reaches_out(const ThreadBlock *block, int32_t rank, bool writes)
{
    for (size_t i = 0; i < block->steps.count; i++) {
        const GpuStep *step = &block->steps.items[i];
        const GpuStepInfo *info = &gpu_step_info[step->kind];
        if (writes ? info->writes && gpu_place_rank(step->destination, rank) != rank
                   : info->reads && gpu_place_rank(step->source, rank) != rank)
            return true;
    }
    return false;
}

int64_t gpu_program_ports(const GpuProgram *program)
{
    int64_t most = 1;
    for (int32_t r = 0; r < program->rank_count; r++) {
        const ThreadBlocks *blocks = &program->gpus[r].blocks;
        int64_t senders = 0, receivers = 0;
        for (size_t b = 0; b < blocks->count; b++) {
            senders += blocks->items[b].send >= 0 || reaches_out(&blocks->items[b], r, true);
            receivers += blocks->items[b].receive >= 0 || reaches_out(&blocks->items[b], r, false);
        }
        most = senders > most ? senders : most;
        most = receivers > most ? receivers : most;
    }
    return most;
}

int64_t gpu_program_work(const GpuProgram *program)
{
    int64_t blocks = 0, steps = 0;
    for (int32_t r = 0; r < program->rank_count; r++) {
        blocks += (int64_t)program->gpus[r].blocks.count;
        for (size_t b = 0; b < program->gpus[r].blocks.count; b++)
            steps += (int64_t)program->gpus[r].blocks.items[b].steps.count;
    }
    return blocks * steps;
}

GpuLabel gpu_label_find(Text name)
{
    for (int i = 0; i < GPU_LABEL_COUNT; i++) {
        const GpuLabelInfo *info = &gpu_label_info[i];
        if (text_equals(name, info->name) || text_equals(name, info->other) ||
            (info->collective && text_equals(name, info->collective)))
            return (GpuLabel)i;
    }
    return GPU_LABEL_COUNT;
}
