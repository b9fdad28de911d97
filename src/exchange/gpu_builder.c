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

/* Adds who must be done before, if a step of that thread block is not waited for already. */
static void await(GpuBuilder *builder, StepNames *awaited, StepName other, int32_t block)
{
    if (other.block < 0 || other.block == block)
        return;
    for (size_t i = 0; i < awaited->count; i++)
        if (awaited->items[i].block == other.block) {
            if (awaited->items[i].step < other.step)
                awaited->items[i].step = other.step;
            return;
        }
    *ARRAY_PUSH(builder->arena, awaited) = other;
}

static void await_place(GpuBuilder *builder, BuiltRank *rank, const GpuStep *step, GpuPlace place,
                        bool writes, int32_t block, StepNames *awaited)
{
    for (int32_t i = 0; i < step->count; i++) {
        const Chunk *chunk = chunk_at(builder, rank, place, i);
        await(builder, awaited, chunk->writer, block);
        for (size_t r = 0; r < chunk->readers.count && writes; r++)
            await(builder, awaited, chunk->readers.items[r], block);
    }
}

void gpu_add_step(GpuBuilder *builder, int32_t r, int32_t block, GpuStep step)
{
    BuiltRank *rank = &builder->ranks[r];
    ThreadBlocks *blocks = &builder->program->gpus[r].blocks;
    GpuSteps *steps = &blocks->items[block].steps;
    const GpuStepInfo *info = &gpu_step_info[step.kind];
    const bool writes = info->writes, reads_there = info->reads_destination;
    StepNames awaited = {0};
    if (info->reads)
        await_place(builder, rank, &step, step.source, false, block, &awaited);
    if (writes || reads_there)
        await_place(builder, rank, &step, step.destination, writes, block, &awaited);
    step.wait_block = step.wait_step = NONE;
    for (size_t i = 0; i < awaited.count; i++) {
        const StepName name = awaited.items[i];
        blocks->items[name.block].steps.items[name.step].signals = true;
        if (i + 1 < awaited.count)
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
