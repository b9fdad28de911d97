#include "exchange/program_blocks.h"

int64_t program_cells(const GpuProgram *program, const int32_t sizes[2], int32_t rank)
{
    return (int64_t)sizes[GPU_INPUT] + sizes[GPU_OUTPUT] + program->gpus[rank].scratch;
}

ProgramBlocks program_blocks_empty(Arena *arena, const GpuProgram *program, const int32_t sizes[2])
{
    const size_t ranks = (size_t)program->rank_count;
    ProgramBlocks blocks = {.sizes = {sizes[0], sizes[1]},
                            .before = ARENA_ARRAY(arena, int64_t *, ranks),
                            .after = ARENA_ARRAY(arena, int64_t *, ranks)};
    for (int32_t r = 0; r < program->rank_count; r++) {
        const int64_t count = program_cells(program, sizes, r);
        blocks.before[r] = ARENA_ARRAY(arena, int64_t, (size_t)count);
        blocks.after[r] = ARENA_ARRAY(arena, int64_t, (size_t)count);
        for (int64_t c = 0; c < count; c++) {
            blocks.before[r][c] = NEVER_WRITTEN;
            blocks.after[r][c] = NO_CHUNK;
        }
    }
    return blocks;
}

/* Which chunk input chunk k of a rank is. */
static int64_t input_chunk(const GpuProgram *program, int32_t root, int32_t rank, int32_t k)
{
    const GpuLabel label = program->label;
    if (label == GPU_BROADCAST || label == GPU_SCATTER)
        return rank == root ? k : NO_CHUNK;
    if (label == GPU_ALLTOALL)
        return rank * (int64_t)program->chunks + k;
    const bool is_share = label == GPU_ALLGATHER || label == GPU_GATHER;
    return is_share ? rank * (program->chunks / program->rank_count) + k : k;
}

/* Which chunk output chunk k of a rank must be. */
static int64_t output_chunk(const GpuProgram *program, int32_t root, int32_t rank, int32_t k)
{
    const int64_t share = program->chunks / program->rank_count;
    const GpuLabel label = program->label;
    if (label == GPU_ALLTOALL)
        return k / share * program->chunks + rank * share + k % share;
    if (label == GPU_REDUCE_SCATTER || label == GPU_SCATTER)
        return rank * share + k;
    const bool is_at_root = label == GPU_REDUCE || label == GPU_GATHER;
    return !is_at_root || rank == root ? k : NO_CHUNK;
}

ProgramBlocks program_blocks_of_label(Arena *arena, const GpuProgram *program, int32_t root)
{
    const GpuLabel label = program->label;
    const bool whole = label == GPU_ALLREDUCE || label == GPU_REDUCE || label == GPU_BROADCAST;
    int32_t sizes[2];
    gpu_buffer_sizes(program, label, &sizes[GPU_INPUT], &sizes[GPU_OUTPUT]);
    ProgramBlocks blocks = program_blocks_empty(arena, program, sizes);
    blocks.in_place = !program->out_of_place;
    blocks.pieces = whole ? program->chunks : program->chunks / program->rank_count;
    blocks.chunks = (int64_t)program->chunks * (label == GPU_ALLTOALL ? program->rank_count : 1);
    for (int32_t r = 0; r < program->rank_count; r++) {
        for (int32_t k = 0; k < sizes[GPU_INPUT]; k++)
            blocks.before[r][gpu_cell(sizes, blocks.in_place, r, (GpuPlace){GPU_INPUT, k, 0})] =
                input_chunk(program, root, r, k);
        for (int32_t k = 0; k < sizes[GPU_OUTPUT]; k++)
            blocks.after[r][gpu_cell(sizes, blocks.in_place, r, (GpuPlace){GPU_OUTPUT, k, 0})] =
                output_chunk(program, root, r, k);
    }
    return blocks;
}
