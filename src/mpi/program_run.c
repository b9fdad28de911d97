#include "cli/cmd_import.h"
#include "mpi/parts.h"
#include "sched/gpu_stepper.h"
#include "verify/gpu_run.h"

#include <mpi.h>
#include <string.h>

enum { LEAST_SLOTS = 2 };

typedef enum { WAITS, RECEIVES, SENDS } Phase;

/* The messages of a thread block while it runs. */
typedef struct {
    const ThreadBlock *block;
    Phase phase; /* of the next step */
    MPI_Request received;
    unsigned char *work; /* what is received, and sent on */
    MPI_Request *sent;   /* of each slot */
    unsigned char *slots;
    size_t messages; /* sent so far */
} Runner;

typedef struct {
    const GpuProgram *program;
    GpuMemory memory;
    bool in_place;
    int rank;
    int32_t slot_count;
    size_t chunk, largest; /* bytes: of a chunk, of a message */
    unsigned char *bytes;
    GpuStepper stepper; /* of which only the thread blocks of this rank do steps: */
    int32_t first, end; /* these */
    Runner *runners;    /* theirs, from the first of the rank on */
} ProgramRun;

/* ---- data ---- */

static void write_sum(const GpuSum *sum, size_t count, unsigned char *bytes)
{
    memset(bytes, 0, count);
    for (const GpuTerm *term = sum->terms; term < sum->terms + sum->count; term++)
        bytes_contribute((uint64_t)term->rank + 1, (uint64_t)term->chunk, (unsigned)term->times,
                         count, bytes);
}

static void fill_memory(const ProgramRun *run)
{
    for (int64_t k = 0; k < run->memory.count; k++)
        write_sum(&run->memory.before[k], run->chunk, run->bytes + (size_t)k * run->chunk);
}

/* What is wrong, or NULL. All chunks count that anything is written to. */
static const char *check_memory(Arena *arena, const ProgramRun *run, unsigned char *scratch)
{
    for (int64_t k = 0; k < run->memory.count; k++) {
        const unsigned char *found = run->bytes + (size_t)k * run->chunk;
        if (!run->memory.after[k].count)
            continue;
        write_sum(&run->memory.after[k], run->chunk, scratch);
        for (size_t i = 0; i < run->chunk; i++)
            if (found[i] != scratch[i])
                return arena_printf(arena,
                                    "rank %d ends with a wrong chunk %lld of its memory: byte %zu "
                                    "is %d, not %d",
                                    run->rank, (long long)k, i, found[i], scratch[i]);
    }
    return NULL;
}

/* ---- steps ---- */

static unsigned char *place_of(const ProgramRun *run, GpuPlace place)
{
    return run->bytes +
           (size_t)gpu_cell(run->memory.sizes, run->in_place, run->rank, place) * run->chunk;
}

/* What the step makes of what it has received and reads, in `work`. */
static void compute(const ProgramRun *run, Runner *runner, const GpuStep *step)
{
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const size_t count = (size_t)step->count * run->chunk;
    if (info->reads && info->receives)
        bytes_add(runner->work, place_of(run, step->source), count);
    else if (info->reads)
        memcpy(runner->work, place_of(run, step->source), count);
    if (info->reads_destination)
        bytes_add(runner->work, place_of(run, step->destination), count);
    if (info->writes)
        memcpy(place_of(run, step->destination), runner->work, count);
}

/* False: no slot is free yet. */
static bool send(const ProgramRun *run, Runner *runner, const GpuStep *step)
{
    const size_t slot = runner->messages % (size_t)run->slot_count;
    const size_t count = (size_t)step->count * run->chunk;
    unsigned char *bytes = runner->slots + slot * run->largest;
    int is_free = 0;
    MPI_Test(&runner->sent[slot], &is_free, MPI_STATUS_IGNORE);
    if (!is_free)
        return false;
    memcpy(bytes, runner->work, count);
    MPI_Isend(bytes, (int)count, MPI_BYTE, runner->block->send, runner->block->channel,
              MPI_COMM_WORLD, &runner->sent[slot]);
    runner->messages++;
    return true;
}

/* Goes on with the next step of a thread block as far as possible; false: not to its end. */
static bool advance(ProgramRun *run, int32_t b)
{
    Runner *runner = &run->runners[b - run->first];
    const GpuStep *step = gpu_stepper_next(&run->stepper, b);
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    int has_come = 0;
    if (runner->phase == WAITS) {
        if (step->wait_block >= 0 && gpu_stepper_waited(&run->stepper, b) < 0)
            return false;
        if (info->receives)
            MPI_Irecv(runner->work, (int)((size_t)step->count * run->chunk), MPI_BYTE,
                      runner->block->receive, runner->block->channel, MPI_COMM_WORLD,
                      &runner->received);
        runner->phase = RECEIVES;
    }
    if (runner->phase == RECEIVES) {
        MPI_Test(&runner->received, &has_come, MPI_STATUS_IGNORE);
        if (!has_come)
            return false;
        if (step->kind != GPU_STEP_NOTHING)
            compute(run, runner, step);
        runner->phase = SENDS;
    }
    if (info->sends && !send(run, runner, step))
        return false;
    runner->phase = WAITS;
    run->stepper.runners[b].next++;
    return true;
}

static void run_program(void *context)
{
    ProgramRun *run = context;
    int32_t left = 0;
    for (int32_t b = run->first; b < run->end; b++) {
        run->runners[b - run->first].messages = 0;
        run->stepper.runners[b].next = 0;
        left += !gpu_stepper_is_done(&run->stepper, b);
    }
    while (left)
        for (int32_t b = run->first; b < run->end; b++) {
            const bool was_done = gpu_stepper_is_done(&run->stepper, b);
            while (!gpu_stepper_is_done(&run->stepper, b) && advance(run, b))
                continue;
            left -= !was_done && gpu_stepper_is_done(&run->stepper, b);
        }
    for (int32_t b = run->first; b < run->end; b++)
        MPI_Waitall(run->slot_count, run->runners[b - run->first].sent, MPI_STATUSES_IGNORE);
}

/* ---- all of it ---- */

static void create_runners(Arena *arena, ProgramRun *run)
{
    const Gpu *gpu = &run->program->gpus[run->rank];
    run->stepper = gpu_stepper_create(arena, run->program, 1, run->slot_count);
    run->first = run->stepper.first_of[run->rank];
    run->end = run->stepper.first_of[run->rank + 1];
    run->runners = ARENA_ARRAY(arena, Runner, gpu->blocks.count);
    run->largest = 1;
    for (size_t b = 0; b < gpu->blocks.count; b++)
        for (size_t i = 0; i < gpu->blocks.items[b].steps.count; i++) {
            const size_t count = (size_t)gpu->blocks.items[b].steps.items[i].count * run->chunk;
            run->largest = count > run->largest ? count : run->largest;
        }
    for (size_t b = 0; b < gpu->blocks.count; b++) {
        Runner *runner = &run->runners[b];
        const size_t slots = (size_t)run->slot_count;
        runner->block = &gpu->blocks.items[b];
        runner->received = MPI_REQUEST_NULL;
        runner->work = ARENA_ARRAY(arena, unsigned char, run->largest);
        runner->sent = ARENA_ARRAY(arena, MPI_Request, slots);
        runner->slots =
            ARENA_ARRAY(arena, unsigned char, runner->block->send < 0 ? 1 : slots * run->largest);
        for (size_t i = 0; i < slots; i++)
            runner->sent[i] = MPI_REQUEST_NULL;
    }
}

static Status run_mode(const CommandLine *line, ProgramRun run, size_t m, const char *name,
                       int64_t iterations)
{
    Arena *arena = arena_scratch(line->arena);
    const GpuProgram *program = run.program;
    const char *collective = gpu_label_info[program->label].collective;
    MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
    run.memory = gpu_run_memory(arena, program, run.in_place, run.slot_count, run.rank);
    run.in_place &= collective != NULL; /* as names have it */
    run.slot_count = run.slot_count < LEAST_SLOTS ? LEAST_SLOTS : run.slot_count;
    run.bytes = ARENA_ARRAY(arena, unsigned char, (size_t)run.memory.count *run.chunk + 1);
    unsigned char *scratch = ARENA_ARRAY(arena, unsigned char, run.chunk + 1);
    create_runners(arena, &run);
    fill_memory(&run);
    run_program(&run);
    Status status = timing_agree(line, check_memory(line->arena, &run, scratch), name);
    if (status == STATUS_FINE && iterations) {
        const double *times = timing_measure(arena, run_program, &run, iterations);
        const char *what = arena_printf(
            arena, "%s,%s,%d", collective ? collective : gpu_label_info[program->label].name, name,
            program->rank_count);
        timing_write(line, what, m, iterations, times);
        fill_memory(&run);
        run_program(&run);
        status = timing_agree(line, check_memory(line->arena, &run, scratch), name);
    }
    arena_destroy(arena);
    return status;
}

Status gpu_program_run(const CommandLine *line, const Query *query, Text path, int64_t iterations)
{
    GpuProgram program;
    const Collective *collective;
    Query settled;
    double blocks;
    const Source *source = import_source(line, path);
    if (!source)
        return STATUS_BAD_INPUT;
    Status status = import_program(line, source, &program);
    if (status != STATUS_FINE)
        return status;
    if (program.is_one_sided)
        return BAD_INPUT(
            line->diag, program.span,
            "execution plans write to memory of other ranks, which is not done here; collcost "
            "import --save makes a model of one, whose messages run");
    if (program.rank_count != query->ranks.items[0])
        return BAD_INPUT(line->diag, program.span, "this schedule is for p = %d",
                         program.rank_count);
    const int32_t slots = (int32_t)gpu_run(line->arena, &program, program.label).slots;
    if (!import_settle_sizes(query, &program, &collective, &settled, &blocks))
        return STATUS_BAD_INPUT;
    for (size_t s = 0; s < settled.sizes.count; s++) {
        const double all = settled.sizes.items[s] * blocks, chunk = all / program.chunks;
        if (chunk * program.chunks != all || (double)(size_t)chunk != chunk || all > MOST_BYTES)
            return BAD_INPUT(line->diag, program.span,
                             "a buffer of %s is not a whole number of bytes for each of its %d "
                             "chunks, or too large",
                             quantity_show_bytes(line->arena, all), program.chunks);
        for (int in_place = 0; in_place < 2; in_place++) {
            if (in_place ? !program.in_place : !program.out_of_place)
                continue;
            const ProgramRun run = {.program = &program,
                                    .in_place = in_place,
                                    .slot_count = slots,
                                    .chunk = (size_t)chunk};
            const Status next =
                run_mode(line, run, (size_t)settled.sizes.items[s], path.chars, iterations);
            status = next > status ? next : status;
        }
    }
    return status;
}
