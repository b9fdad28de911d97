#include "exchange/program_blocks.h"

#include "verify/gpu_run.h"

#include <stdlib.h>
#include <string.h>

int64_t program_cells(const GpuProgram *program, const int32_t sizes[2], int32_t rank)
{
    return (int64_t)sizes[GPU_INPUT] + sizes[GPU_OUTPUT] + program->gpus[rank].scratch;
}

/* Blocks for the memory of all ranks: NEVER_WRITTEN before, NO_CHUNK after. */
static ProgramBlocks program_blocks_empty(Arena *arena, const GpuProgram *program,
                                          const int32_t sizes[2])
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

enum { MOST_CONDITIONS = 64 };

/* A contribution: input chunk `chunk` of a rank, number rank * width + chunk. */
typedef struct {
    Arena *arena;
    Diag *diag;
    const GpuProgram *program;
    ProgramBlocks *blocks;
    int64_t width, count;
    int64_t *parent; /* of each contribution, of the same block: itself, or another one */
    bool *is_used;   /* of each contribution: in something that ranks end with */
    int64_t *block;  /* of each contribution that is its own parent; NO_CHUNK: none yet */
    const GpuSum **before, **after; /* of each rank and cell */
    bool combines;
    int32_t *from, *to; /* what each rank combines; -1: it says nothing */
} Contract;

#define FAIL(from, ...) diag_error((from)->diag, (from)->program->span, __VA_ARGS__)

static int64_t cells_of(const Contract *contract, int32_t rank)
{
    return program_cells(contract->program, contract->blocks->sizes, rank);
}

static int64_t number_of(const Contract *contract, const GpuTerm *term)
{
    return term->rank * contract->width + term->chunk;
}

static int64_t first_of(const Contract *contract, int64_t contribution)
{
    while (contract->parent[contribution] != contribution)
        contribution = contract->parent[contribution] =
            contract->parent[contract->parent[contribution]];
    return contribution;
}

/* ---- what is there, and what must be ---- */

/* Of an output chunk that is written, what is there must be; of all else anything. */
static void read_run(Contract *contract)
{
    for (int32_t r = 0; r < contract->program->rank_count; r++) {
        const GpuMemory memory =
            gpu_run_memory(contract->arena, contract->program, false, contract->program->slots, r);
        const int32_t input = memory.sizes[GPU_INPUT], output = memory.sizes[GPU_OUTPUT];
        GpuSum *after = ARENA_ARRAY(contract->arena, GpuSum, (size_t)memory.count);
        if (r == 0)
            *contract->blocks =
                program_blocks_empty(contract->arena, contract->program, memory.sizes);
        for (int64_t c = input; c < input + output; c++)
            after[c] = memory.after[c];
        contract->before[r] = memory.before;
        contract->after[r] = after;
        contract->width = input;
    }
}

static bool check_before(const Contract *contract)
{
    for (int32_t r = 0; r < contract->program->rank_count; r++)
        for (int64_t c = 0; c < cells_of(contract, r); c++) {
            const GpuSum *sum = &contract->before[r][c];
            if (sum->count > 1)
                return FAIL(contract,
                            "rank %d has a sum before: no collective of "
                            "models has",
                            r);
            if (sum->count && contract->combines && sum->terms->rank != r)
                return FAIL(contract,
                            "ranks %d and %d contribute the same, which is "
                            "combined: no collective of models does",
                            sum->terms->rank, r);
        }
    return true;
}

/* ---- blocks ---- */

static bool unite(Contract *contract, int32_t rank, const GpuSum *sum)
{
    for (int32_t i = 0; i < sum->count; i++) {
        const int64_t a = first_of(contract, number_of(contract, sum->terms));
        const int64_t b = first_of(contract, number_of(contract, &sum->terms[i]));
        if (sum->terms[i].times > 1)
            return FAIL(contract,
                        "rank %d ends with input chunk %d of rank %d %d times in a "
                        "sum: no collective of models does",
                        rank, sum->terms[i].chunk, sum->terms[i].rank, sum->terms[i].times);
        contract->parent[a > b ? a : b] = a > b ? b : a;
        contract->is_used[number_of(contract, &sum->terms[i])] = true;
    }
    contract->combines |= sum->count > 1;
    return true;
}

/* What nobody ends with may still be combined on its way, as the last rank's in an exscan: it
   belongs to the block of the same chunk of other ranks. */
static void unite_unused(const Contract *contract)
{
    int64_t *used = ARENA_ARRAY(contract->arena, int64_t, (size_t)contract->width);
    int64_t *latest = ARENA_ARRAY(contract->arena, int64_t, (size_t)contract->count);
    for (int64_t i = contract->count; i-- > 0;)
        if (contract->is_used[i])
            used[i % contract->width] = i + 1;
    for (int64_t begin = 0; begin < contract->count; begin += contract->width) {
        for (int64_t i = begin; i < begin + contract->width; i++)
            if (contract->is_used[i])
                latest[first_of(contract, i)] = begin + 1;
        for (int64_t i = begin; i < begin + contract->width; i++) {
            const int64_t other = used[i - begin] - 1;
            const int64_t first = other < 0 ? i : first_of(contract, other);
            if (contract->is_used[i] || latest[first] == begin + 1)
                continue;
            contract->parent[i] = first;
            latest[first] = begin + 1;
        }
    }
}

/* By chunk and then by rank where blocks are combined, else the other way round: what ranks hold
   are runs of numbers. */
static bool number_blocks(Contract *contract)
{
    const int64_t ranks = contract->program->rank_count;
    int64_t *latest = ARENA_ARRAY(contract->arena, int64_t, (size_t)contract->count);
    for (int64_t i = 0; i < contract->count; i++) {
        const int64_t own = contract->combines ? i % ranks * contract->width + i / ranks : i;
        const int64_t first = first_of(contract, own);
        if (contract->block[first] == NO_CHUNK)
            contract->block[first] = contract->blocks->chunks++;
    }
    for (int64_t own = 0; own < contract->count; own++) {
        const int64_t first = first_of(contract, own), rank = own / contract->width;
        if (latest[first] == rank + 1)
            return FAIL(contract,
                        "two input chunks of rank %lld are combined: no collective of "
                        "models does",
                        (long long)rank);
        latest[first] = rank + 1;
    }
    return true;
}

static int64_t block_of(const Contract *contract, const GpuSum *sum)
{
    return contract->block[first_of(contract, number_of(contract, sum->terms))];
}

/* Notes whose contributions a rank combines: the same ones, side by side, of all of its blocks. */
static bool note_range(Contract *contract, int32_t rank, const GpuSum *sum)
{
    const int32_t from = sum->terms->rank, to = sum->terms[sum->count - 1].rank;
    if (to - from + 1 != sum->count)
        return FAIL(contract,
                    "rank %d ends with a sum of ranks that are not side by "
                    "side: no collective of models does",
                    rank);
    if (contract->from[rank] >= 0 && (contract->from[rank] != from || contract->to[rank] != to))
        return FAIL(contract,
                    "rank %d combines one chunk of ranks %d .. %d and "
                    "another one of ranks %d .. %d: no collective of models "
                    "does",
                    rank, contract->from[rank], contract->to[rank], from, to);
    contract->from[rank] = from;
    contract->to[rank] = to;
    return true;
}

/* A block that a rank ends with in several places counts in the first. */
static bool place_blocks(Contract *contract)
{
    int64_t *latest = ARENA_ARRAY(contract->arena, int64_t, (size_t)contract->blocks->chunks);
    for (int32_t r = 0; r < contract->program->rank_count; r++)
        for (int64_t c = 0; c < cells_of(contract, r); c++) {
            const GpuSum *before = &contract->before[r][c], *after = &contract->after[r][c];
            if (before->count)
                contract->blocks->before[r][c] = block_of(contract, before);
            if (!after->count)
                continue;
            const int64_t block = block_of(contract, after);
            if (contract->combines && !note_range(contract, r, after))
                return false;
            if (latest[block] != r + 1)
                contract->blocks->after[r][c] = block;
            latest[block] = r + 1;
        }
    return true;
}

/* ---- its text ---- */

/* Of which blocks a rank holds one. */
static const bool *find_held(const Contract *contract, Arena *arena, int64_t **held, int32_t rank)
{
    bool *holds = ARENA_ARRAY(arena, bool, (size_t)contract->blocks->chunks + 1);
    for (int64_t c = 0; c < cells_of(contract, rank); c++)
        if (held[rank][c] >= 0)
            holds[held[rank][c]] = true;
    return holds;
}

static void write_runs(Buffer *text, const bool *holds, int64_t count, const char *condition)
{
    for (int64_t first = 0, end; first < count; first = end) {
        end = first + 1;
        if (!holds[first])
            continue;
        while (holds[end])
            end++;
        buffer_printf(text, "  - %lld", (long long)first);
        if (end - first > 1)
            buffer_printf(text, " .. %lld", (long long)end - 1);
        buffer_printf(text, "%s\n", condition);
    }
}

static void write_holding(const Contract *contract, Buffer *text, const char *key, int64_t **held)
{
    Arena *scratch = arena_scratch(contract->arena);
    const int64_t count = contract->blocks->chunks;
    const bool *first = find_held(contract, scratch, held, 0);
    bool is_same = true;
    for (int32_t r = 1; r < contract->program->rank_count && is_same; r++)
        is_same = memcmp(find_held(contract, scratch, held, r), first, (size_t)count) == 0;
    buffer_printf(text, "%s:\n", key);
    for (int32_t r = 0; r < (is_same ? 1 : contract->program->rank_count); r++)
        write_runs(text, find_held(contract, scratch, held, r), count,
                   is_same ? "" : arena_printf(scratch, " if r == %d", r));
    arena_destroy(scratch);
}

/* Are all of them `value`, and `by_rank` times the rank? */
static bool are_all(const Contract *contract, const int32_t *values, int32_t value, int32_t by_rank)
{
    for (int32_t r = 0; r < contract->program->rank_count; r++)
        if (values[r] >= 0 && values[r] != value + by_rank * r)
            return false;
    return true;
}

/* "r", "0", "r - 1", "when(r < 2, 0, 3)"; NULL after a report. */
static const char *range_end(const Contract *contract, const int32_t *values)
{
    Arena *arena = contract->arena;
    const char *text = "", *closing = "";
    int32_t first = 0, value = -1, conditions = 0;
    while (values[first] < 0)
        first++;
    const int32_t beside = values[first] - first;
    if (are_all(contract, values, 0, 1))
        return "r";
    if (are_all(contract, values, values[first], 0))
        return arena_printf(arena, "%d", values[first]);
    if (are_all(contract, values, beside, 1))
        return arena_printf(arena, beside < 0 ? "max(r - %d, 0)" : "min(r + %d, p - 1)",
                            abs(beside));
    for (int32_t r = first; r < contract->program->rank_count; r++) {
        if (values[r] < 0 || values[r] == value)
            continue;
        if (value >= 0) {
            text = arena_printf(arena, "%swhen(r < %d, %d, ", text, r, value);
            closing = arena_printf(arena, "%s)", closing);
            conditions++;
        }
        value = values[r];
    }
    if (conditions <= MOST_CONDITIONS)
        return arena_printf(arena, "%s%d%s", text, value, closing);
    FAIL(contract, "what ranks combine changes too often from rank to rank for a model");
    return NULL;
}

static bool write_text(const Contract *contract, Buffer *text)
{
    buffer_printf(text, "blocks: {b: %lld}\nbuffer: %d\n", (long long)contract->blocks->chunks,
                  contract->program->contract ? contract->program->contract->chunks
                                              : contract->program->chunks);
    write_holding(contract, text, "before", contract->blocks->before);
    write_holding(contract, text, "after", contract->blocks->after);
    if (!contract->combines)
        return true;
    const char *from = range_end(contract, contract->from);
    const char *to = from ? range_end(contract, contract->to) : NULL;
    if (to)
        buffer_printf(text, "combine: %s .. %s\n", from, to);
    return to != NULL;
}

bool program_contract(Arena *arena, const GpuProgram *program, ProgramBlocks *blocks, Buffer *text,
                      Diag *diag)
{
    const size_t ranks = (size_t)program->rank_count;
    Contract contract = {.arena = arena,
                         .diag = diag,
                         .program = program,
                         .blocks = blocks,
                         .before = ARENA_ARRAY(arena, const GpuSum *, ranks),
                         .after = ARENA_ARRAY(arena, const GpuSum *, ranks),
                         .from = ARENA_ARRAY(arena, int32_t, ranks),
                         .to = ARENA_ARRAY(arena, int32_t, ranks)};
    bool is_empty = true;
    if (program->contract) {
        const GpuContract *said = contract.program->contract;
        const int32_t sizes[2] = {0};
        *contract.blocks = program_blocks_empty(contract.arena, contract.program, sizes);
        contract.width = said->chunks;
        for (int32_t r = 0; r < contract.program->rank_count; r++) {
            contract.before[r] = said->before + (int64_t)r * said->chunks;
            contract.after[r] = said->after + (int64_t)r * said->chunks;
        }
    } else
        read_run(&contract);
    contract.count = contract.width * program->rank_count;
    contract.parent = ARENA_ARRAY(arena, int64_t, (size_t)contract.count);
    contract.block = ARENA_ARRAY(arena, int64_t, (size_t)contract.count);
    contract.is_used = ARENA_ARRAY(arena, bool, (size_t)contract.count);
    blocks->pieces = 1;
    for (int64_t i = 0; i < contract.count; i++) {
        contract.parent[i] = i;
        contract.block[i] = NO_CHUNK;
    }
    for (int32_t r = 0; r < program->rank_count; r++) {
        contract.from[r] = contract.to[r] = -1;
        for (int64_t c = 0; c < cells_of(&contract, r); c++) {
            if (!unite(&contract, r, &contract.after[r][c]))
                return false;
            is_empty &= !contract.after[r][c].count;
        }
    }
    if (is_empty)
        return FAIL(&contract, "no rank ends with anything: there is nothing for a model to do");
    if (contract.combines)
        unite_unused(&contract);
    return check_before(&contract) && number_blocks(&contract) && place_blocks(&contract) &&
           write_text(&contract, text);
}
