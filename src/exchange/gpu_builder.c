#include "exchange/gpu_builder.h"

enum { NONE = -1 };

typedef struct {
    int32_t block, step; /* NONE: nobody's */
} StepName;

ARRAY_TYPE(StepNames, StepName);

/* A chunk of memory: who wrote it last, and who has read it since. */
typedef struct {
    StepName writer;
    StepNames readers;
} Chunk;

ARRAY_TYPE(Chunks, Chunk);

typedef struct BuiltRank {
    int32_t *senders, *receivers, local; /* thread blocks, by peer; NONE: not yet */
    Chunks chunks[GPU_BUFFER_COUNT];
} BuiltRank;

static Chunk *chunk_at(GpuBuilder *builder, BuiltRank *rank, GpuPlace place, int32_t i)
{
    Chunks *chunks = &rank->chunks[place.buffer];
    const size_t at = (size_t)place.chunk + (size_t)i;
    while (chunks->count <= at)
        *ARRAY_PUSH(builder->arena, chunks) = (Chunk){.writer = {NONE, NONE}};
    return &chunks->items[at];
}

/* *block, created if need be. */
static int32_t block_for(GpuBuilder *builder, int32_t r, int32_t *block, int32_t send,
                         int32_t receive)
{
    Gpu *gpu = &builder->program->gpus[r];
    const int32_t p = builder->program->rank_count, peer = send >= 0 ? send : receive;
    const int32_t distance = send >= 0 ? (send - r + p) % p : (r - receive + p) % p;
    if (*block != NONE)
        return *block;
    *ARRAY_PUSH(builder->arena, &gpu->blocks) =
        (ThreadBlock){.send = send,
                      .receive = receive,
                      .channel = peer < 0 ? 0 : (distance - 1) / GPU_PEERS_OF_CHANNEL};
    return *block = (int32_t)gpu->blocks.count - 1;
}

int32_t gpu_sender(GpuBuilder *builder, int32_t rank, int32_t to)
{
    return block_for(builder, rank, &builder->ranks[rank].senders[to], to, NONE);
}

int32_t gpu_receiver(GpuBuilder *builder, int32_t rank, int32_t from)
{
    return block_for(builder, rank, &builder->ranks[rank].receivers[from], NONE, from);
}

int32_t gpu_local(GpuBuilder *builder, int32_t rank)
{
    return block_for(builder, rank, &builder->ranks[rank].local, NONE, NONE);
}

/* A step to be: who must be done before, of each thread block the last one. */
typedef struct {
    GpuBuilder *builder;
    BuiltRank *rank;
    int32_t block, count; /* count: of its chunks */
    StepNames before;
} Awaiting;

/* Adds a step, if none that is as late of its thread block is there already. */
static void await(Awaiting *awaiting, StepName other)
{
    StepNames *before = &awaiting->before;
    if (other.block < 0 || other.block == awaiting->block)
        return;
    for (size_t i = 0; i < before->count; i++)
        if (before->items[i].block == other.block) {
            if (before->items[i].step < other.step)
                before->items[i].step = other.step;
            return;
        }
    *ARRAY_PUSH(awaiting->builder->arena, before) = other;
}

static void await_place(Awaiting *awaiting, GpuPlace place, bool writes)
{
    for (int32_t i = 0; i < awaiting->count; i++) {
        const Chunk *chunk = chunk_at(awaiting->builder, awaiting->rank, place, i);
        await(awaiting, chunk->writer);
        for (size_t r = 0; r < chunk->readers.count && writes; r++)
            await(awaiting, chunk->readers.items[r]);
    }
}

void gpu_add_step(GpuBuilder *builder, int32_t r, int32_t block, GpuStep step)
{
    BuiltRank *rank = &builder->ranks[r];
    ThreadBlocks *blocks = &builder->program->gpus[r].blocks;
    GpuSteps *steps = &blocks->items[block].steps;
    const GpuStepInfo *info = &gpu_step_info[step.kind];
    const bool writes = info->writes, reads_there = info->reads_destination;
    Awaiting awaiting = {builder, rank, block, step.count, {0}};
    if (info->reads)
        await_place(&awaiting, step.source, false);
    if (writes || reads_there)
        await_place(&awaiting, step.destination, writes);
    step.wait_block = step.wait_step = NONE;
    for (size_t i = 0; i < awaiting.before.count; i++) {
        const StepName name = awaiting.before.items[i];
        blocks->items[name.block].steps.items[name.step].signals = true;
        if (i + 1 < awaiting.before.count)
            *ARRAY_PUSH(builder->arena, steps) = (GpuStep){.kind = GPU_STEP_NOTHING,
                                                           .wait_block = name.block,
                                                           .wait_step = name.step,
                                                           .span = step.span};
        else
            step.wait_block = name.block, step.wait_step = name.step;
    }
    const StepName self = {block, (int32_t)steps->count};
    for (int32_t i = 0; i < step.count && info->reads; i++)
        *ARRAY_PUSH(builder->arena, &chunk_at(builder, rank, step.source, i)->readers) = self;
    for (int32_t i = 0; i < step.count && writes; i++) {
        Chunk *chunk = chunk_at(builder, rank, step.destination, i);
        chunk->writer = self;
        chunk->readers.count = 0;
    }
    *ARRAY_PUSH(builder->arena, steps) = step;
}

GpuBuilder gpu_builder(Arena *arena, GpuProgram *program)
{
    const size_t p = (size_t)program->rank_count;
    GpuBuilder builder = {arena, program, ARENA_ARRAY(arena, BuiltRank, p)};
    program->gpus = ARENA_ARRAY(arena, Gpu, p);
    for (size_t r = 0; r < p; r++) {
        BuiltRank *rank = &builder.ranks[r];
        rank->senders = ARENA_ARRAY(arena, int32_t, p);
        rank->receivers = ARENA_ARRAY(arena, int32_t, p);
        rank->local = NONE;
        for (size_t q = 0; q < p; q++)
            rank->senders[q] = rank->receivers[q] = NONE;
    }
    return builder;
}
