#include "verify/gpu_run.h"

#include "base/watch.h"
#include "verify/gpu_values.h"

#include <string.h>

const char *const gpu_verdict_names[GPU_VERDICT_COUNT] = {
    "right", "runs", "wrong", "uninitialised", "race", "deadlock", "invalid",
};

/* By the step `clock` - 1 of a thread block. */
typedef struct {
    int32_t block;
    uint32_t clock;
} Access;
ARRAY_TYPE(Accesses, Access);

typedef struct {
    const GpuValue *value;
    bool is_written; /* else it has held its value from the start */
    Access writer;
    Accesses readers; /* since then; one of each thread block */
} Cell;

/* A message, or a signal, which has no values. */
typedef struct {
    const GpuValue **values;
    int32_t count;
    const uint32_t *clocks; /* of the sender, behind its step; NULL: relaxed */
} Message;
ARRAY_TYPE(Messages, Message);

/* What happened before the next step of a thread block. */
typedef struct {
    uint32_t *clocks; /* of each thread block: its steps */
    Messages sent;
    const uint32_t **signalled; /* by each of its steps: its clocks behind that */
} Past;

typedef struct {
    Arena *arena; /* for texts */
    Arena *scratch;
    const GpuProgram *program;
    GpuLabel label;
    bool in_place;
    int32_t slots;
    int32_t sizes[GPU_BUFFER_COUNT - 1];
    Cell **cells; /* of each rank: input, output, scratch */
    GpuStepper stepper;
    Past *pasts;       /* of each thread block */
    Messages *signals; /* of each semaphore */
    GpuRun *found;
    GpuMemory *memory; /* NULL: nobody asks */
} Run;

/* Notes what is wrong, if nothing was before; false. */
static bool fail(Run *run, GpuVerdict verdict, Span span, const char *text)
{
    if (run->found->verdict != GPU_RIGHT)
        return false;
    run->found->verdict = verdict;
    run->found->text = run->in_place ? arena_printf(run->arena, "%s (in place)", text) : text;
    run->found->span = span;
    return false;
}

/* "rank 3, thread block 1, step 2" */
static const char *name_step(const Run *run, int32_t b, int64_t step)
{
    const GpuRunner *runner = &run->stepper.runners[b];
    const GpuSteps *steps = &runner->block->steps;
    const int32_t operation = step < (int64_t)steps->count ? steps->items[step].operation : 0;
    return arena_printf(run->arena, "rank %d, thread block %d, step %lld", runner->rank,
                        runner->number, (long long)(operation ? operation - 1 : step));
}

static const char *name_next(const Run *run, int32_t b)
{
    return name_step(run, b, run->stepper.runners[b].next);
}

static Cell *find_cell(const Run *run, int32_t rank, GpuBuffer buffer, int32_t chunk)
{
    return &run->cells[rank]
                      [gpu_cell(run->sizes, run->in_place, rank, (GpuPlace){buffer, chunk, 0})];
}

/* Chunk i of a place that a step of a thread block names. */
static Cell *cell_at(const Run *run, int32_t b, GpuPlace place, int32_t i)
{
    return find_cell(run, gpu_place_rank(place, run->stepper.runners[b].rank), place.buffer,
                     place.chunk + i);
}

static void join(const Run *run, int32_t b, const uint32_t *clocks)
{
    for (int32_t o = 0; o < run->stepper.count; o++)
        if (clocks[o] > run->pasts[b].clocks[o])
            run->pasts[b].clocks[o] = clocks[o];
}

static const uint32_t *copy_clocks(const Run *run, int32_t b)
{
    return ARENA_COPY(run->scratch, uint32_t, run->pasts[b].clocks, (size_t)run->stepper.count);
}

static bool prepare(Run *run)
{
    Span span;
    run->stepper = gpu_stepper_create(run->scratch, run->program, 1, run->slots);
    const char *wrong = gpu_check(run->arena, &run->stepper, run->sizes, &span);
    if (wrong)
        return fail(run, GPU_INVALID, span, wrong);
    const size_t count = (size_t)run->stepper.count;
    run->signals = ARENA_ARRAY(run->scratch, Messages, run->program->semaphores.count);
    run->pasts = ARENA_ARRAY(run->scratch, Past, count);
    for (size_t b = 0; b < count; b++) {
        run->pasts[b].clocks = ARENA_ARRAY(run->scratch, uint32_t, count);
        run->pasts[b].signalled =
            ARENA_ARRAY(run->scratch, const uint32_t *, run->stepper.runners[b].block->steps.count);
    }
    const int32_t p = run->program->rank_count;
    const GpuContract *contract = run->program->contract;
    run->cells = ARENA_ARRAY(run->scratch, Cell *, (size_t)p);
    for (int32_t r = 0; r < p; r++) {
        const int64_t cells =
            (int64_t)run->sizes[GPU_INPUT] + run->sizes[GPU_OUTPUT] + run->program->gpus[r].scratch;
        run->cells[r] = ARENA_ARRAY(run->scratch, Cell, (size_t)cells);
        for (int32_t k = 0; contract && k < contract->chunks; k++) {
            const GpuSum *sum = &contract->before[(int64_t)r * contract->chunks + k];
            if (sum->count)
                find_cell(run, r, GPU_SCRATCH, k)->value = gpu_value_held(run->scratch, sum);
        }
        for (int32_t k = 0; !contract && k < run->sizes[GPU_INPUT]; k++)
            find_cell(run, r, GPU_INPUT, k)->value = gpu_value_input(run->scratch, r, k);
    }
    return true;
}

/* "o[3]", "o[3] of rank 1" */
static const char *name_place(const Run *run, GpuPlace place, int32_t i)
{
    const char *own =
        arena_printf(run->arena, "%c[%d]", gpu_buffer_letters[place.buffer], place.chunk + i);
    return place.owner > 0 ? arena_printf(run->arena, "%s of rank %d", own, place.owner - 1) : own;
}

static const GpuStep *next_step(const Run *run, int32_t b)
{
    return gpu_stepper_next(&run->stepper, b);
}

static bool race(Run *run, int32_t b, GpuPlace place, int32_t i, Access other, const char *what)
{
    return fail(run, GPU_RACE, next_step(run, b)->span,
                arena_printf(run->arena, "%s %s %s while %s may access it", name_next(run, b), what,
                             name_place(run, place, i),
                             name_step(run, other.block, (int64_t)other.clock - 1)));
}

static bool is_before(const Run *run, Access access, int32_t b)
{
    return run->pasts[b].clocks[access.block] >= access.clock;
}

static bool read_chunk(Run *run, int32_t b, GpuPlace place, int32_t i, const GpuValue **value)
{
    Cell *cell = cell_at(run, b, place, i);
    if (cell->is_written && !is_before(run, cell->writer, b))
        return race(run, b, place, i, cell->writer, "reads");
    if (!cell->value)
        return fail(run, GPU_UNINITIALISED, next_step(run, b)->span,
                    arena_printf(run->arena, "%s reads %s, which nothing was written to",
                                 name_next(run, b), name_place(run, place, i)));
    size_t r = 0;
    while (r < cell->readers.count && cell->readers.items[r].block != b)
        r++;
    Access *reader = r < cell->readers.count ? &cell->readers.items[r]
                                             : ARRAY_PUSH(run->scratch, &cell->readers);
    *reader = (Access){b, run->pasts[b].clocks[b]};
    *value = cell->value;
    return true;
}

static bool move_chunk(Run *run, int32_t b, const GpuStep *step, int32_t i, const GpuValue **value)
{
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const GpuValue *local = NULL, *old = NULL;
    if (step->kind == GPU_STEP_COPY &&
        cell_at(run, b, step->source, i) == cell_at(run, b, step->destination, i))
        return true;
    if (info->reads && !read_chunk(run, b, step->source, i, &local))
        return false;
    if (info->reads_destination && !read_chunk(run, b, step->destination, i, &old))
        return false;
    if (local && step->source.owner > 0)
        local = gpu_value_sent(run->scratch, local);
    if (local)
        *value = *value ? gpu_value_sum(run->scratch, *value, local) : local;
    if (old)
        *value = gpu_value_sum(run->scratch, *value, old);
    if (step->destination.owner > 0)
        *value = gpu_value_sent(run->scratch, *value);
    if ((*value)->depth > run->found->depth)
        run->found->depth = (*value)->depth;
    if (!info->writes)
        return true;
    Cell *cell = cell_at(run, b, step->destination, i);
    if (cell->is_written && !is_before(run, cell->writer, b))
        return race(run, b, step->destination, i, cell->writer, "writes");
    for (size_t r = 0; r < cell->readers.count; r++)
        if (!is_before(run, cell->readers.items[r], b))
            return race(run, b, step->destination, i, cell->readers.items[r], "writes");
    cell->readers.count = 0;
    cell->is_written = true;
    cell->writer = (Access){b, run->pasts[b].clocks[b]};
    cell->value = *value;
    return true;
}

/* All that have come are as far as the last of them. */
static void pass_barrier(Run *run, int32_t rank, int32_t barrier)
{
    int32_t first = -1;
    for (int32_t b = run->stepper.first_of[rank]; b < run->stepper.first_of[rank + 1]; b++)
        if (gpu_stepper_is_at(&run->stepper, b, barrier)) {
            run->pasts[b].clocks[b] = (uint32_t)run->stepper.runners[b].next + 1;
            first = first < 0 ? b : first;
            join(run, first, run->pasts[b].clocks);
        }
    for (int32_t b = run->stepper.first_of[rank]; b < run->stepper.first_of[rank + 1]; b++)
        if (gpu_stepper_is_at(&run->stepper, b, barrier)) {
            join(run, b, run->pasts[first].clocks);
            run->stepper.runners[b].next++;
        }
}

/* Who has waited for a signal is behind it, unless one of the two is relaxed. */
static void pass_signals(Run *run, int32_t b, const GpuStep *step)
{
    const bool is_relaxed = step->kind == GPU_STEP_RELAXED_SIGNAL;
    for (int32_t s = 0; s < step->semaphore_count; s++) {
        Messages *signals = &run->signals[step->semaphores[s]];
        if (gpu_step_signals(step->kind))
            *ARRAY_PUSH(run->scratch, signals) =
                (Message){.clocks = is_relaxed ? NULL : copy_clocks(run, b)};
        else if (step->kind == GPU_STEP_WAIT) {
            const int64_t taken = run->stepper.taken[step->semaphores[s]] + gpu_step_taken(step, s);
            const uint32_t *clocks = signals->items[taken - 1].clocks;
            if (clocks)
                join(run, b, clocks);
        }
    }
    gpu_stepper_take(&run->stepper, b);
    gpu_stepper_signal(&run->stepper, b);
}

static void count_message(Run *run, const GpuStep *step)
{
    run->found->messages++;
    run->found->chunks += step->count;
}

static bool do_step(Run *run, int32_t b)
{
    GpuRunner *runner = &run->stepper.runners[b];
    const GpuStep *step = next_step(run, b);
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const size_t count = step->count > 0 ? (size_t)step->count : 0; /* a nop has none */
    const GpuValue **values = ARENA_ARRAY(run->scratch, const GpuValue *, count);
    run->pasts[b].clocks[b] = (uint32_t)runner->next + 1;
    if (step->wait_block >= 0)
        join(run, b,
             run->pasts[run->stepper.first_of[runner->rank] + step->wait_block]
                 .signalled[gpu_stepper_waited(&run->stepper, b)]);
    if (step->kind == GPU_STEP_BARRIER) {
        pass_barrier(run, runner->rank, step->barrier);
        return true;
    }
    if (info->receives) {
        GpuConnection *in = runner->in;
        const Message *message = &run->pasts[in->sender].sent.items[in->taken++];
        join(run, b, message->clocks);
        if (message->count != step->count)
            return fail(run, GPU_INVALID, step->span,
                        arena_printf(run->arena, "%s receives %d chunks, but %d were sent",
                                     name_next(run, b), step->count, message->count));
        for (int32_t i = 0; i < step->count; i++)
            values[i] = message->values[i];
    }
    if (gpu_step_is_sync(step->kind))
        pass_signals(run, b, step);
    for (int32_t i = 0;
         i < step->count && !gpu_step_is_sync(step->kind) && step->kind != GPU_STEP_NOTHING; i++)
        if (!move_chunk(run, b, step, i, &values[i]))
            return false;
    if (step->source.owner > 0 || step->destination.owner > 0)
        count_message(run, step);
    if (info->sends) {
        GpuConnection *out = runner->out;
        for (int32_t j = 0; j < step->count; j++)
            values[j] = gpu_value_sent(run->scratch, values[j]);
        *ARRAY_PUSH(run->scratch, &run->pasts[b].sent) =
            (Message){values, step->count, copy_clocks(run, b)};
        out->arrived = ++out->sent;
        count_message(run, step);
    }
    if (step->signals && step->kind != GPU_STEP_NOTHING)
        run->pasts[b].signalled[runner->next] = copy_clocks(run, b);
    runner->next++;
    return true;
}

/* A thread block of its rank that still comes to the barrier, else one that has ended, else -1. */
static int32_t find_absent(const Run *run, int32_t b)
{
    const GpuStepper *stepper = &run->stepper;
    const int32_t barrier = next_step(run, b)->barrier, rank = stepper->runners[b].rank;
    int32_t ended = -1;
    for (int32_t o = stepper->first_of[rank]; o < stepper->first_of[rank + 1]; o++) {
        const GpuSteps *steps = &stepper->runners[o].block->steps;
        for (size_t i = (size_t)stepper->runners[o].next;
             i < steps->count && !gpu_stepper_is_at(stepper, o, barrier); i++)
            if (steps->items[i].kind == GPU_STEP_BARRIER && steps->items[i].barrier == barrier)
                return o;
        if (gpu_stepper_is_done(stepper, o))
            ended = o;
    }
    return ended;
}

/* A thread block that still has a signal for the semaphore, or -1. */
static int32_t find_signaller(const Run *run, int32_t semaphore)
{
    const GpuStepper *stepper = &run->stepper;
    const int32_t rank = run->program->semaphores.items[semaphore].from;
    for (int32_t b = stepper->first_of[rank]; b < stepper->first_of[rank + 1]; b++) {
        const GpuSteps *steps = &stepper->runners[b].block->steps;
        for (size_t i = (size_t)stepper->runners[b].next; i < steps->count; i++)
            for (int32_t s = 0; s < steps->items[i].semaphore_count; s++)
                if (gpu_step_signals(steps->items[i].kind) &&
                    steps->items[i].semaphores[s] == semaphore)
                    return b;
    }
    return -1;
}

/* What the next step of a thread block waits for: a thread block, or none, and in words; NULL: for
   nothing. */
static const char *find_obstacle(const Run *run, int32_t b, int32_t *other)
{
    const GpuStepper *stepper = &run->stepper;
    const GpuRunner *runner = &stepper->runners[b];
    *other = -1;
    switch (gpu_stepper_wait(stepper, b)) {
    case GPU_WAITS_FOR_STEP:
        *other = stepper->first_of[runner->rank] + next_step(run, b)->wait_block;
        return "a step of";
    case GPU_WAITS_FOR_SIGNAL: {
        const int32_t lacking = gpu_stepper_lacking(stepper, b);
        *other = find_signaller(run, lacking);
        return *other < 0 ? arena_printf(run->arena, "a signal that rank %d does not give",
                                         run->program->semaphores.items[lacking].from)
                          : "a signal of";
    }
    case GPU_WAITS_AT_BARRIER:
        *other = find_absent(run, b);
        return *other < 0 ? "a barrier that too few thread blocks come to" : "the same barrier in";
    case GPU_WAITS_FOR_MESSAGE:
        *other = runner->in->sender;
        return *other < 0 ? "a message that nobody sends" : "a message of";
    case GPU_WAITS_FOR_SLOT:
        *other = runner->out->receiver;
        return *other < 0 ? "a receive that nobody does" : "a receive of";
    case GPU_IS_FREE:
        break;
    }
    return NULL;
}

/* Follows waits from a thread block that cannot go on, to where they close, or end. */
static bool report_deadlock(Run *run, int32_t b)
{
    const GpuStepper *stepper = &run->stepper;
    bool *seen = ARENA_ARRAY(run->scratch, bool, (size_t)stepper->count);
    const char *text = NULL;
    int32_t first = b, other = b, named = 0;
    while (!seen[first] && other >= 0 && !gpu_stepper_is_done(stepper, first)) {
        seen[first] = true;
        find_obstacle(run, first, &other);
        first = other >= 0 ? other : first;
    }
    if (gpu_stepper_is_done(stepper, first) || other < 0)
        first = b;
    const Span span = gpu_stepper_is_done(stepper, first) ? stepper->runners[first].block->span
                                                          : next_step(run, first)->span;
    for (b = first; b >= 0 && (b != first || !text); b = other) {
        if (gpu_stepper_is_done(stepper, b)) {
            text = arena_printf(run->arena, "%s, which has ended", text);
            break;
        }
        if (++named > 4) {
            text = arena_printf(run->arena, "%s, ..", text);
            break;
        }
        const char *what = find_obstacle(run, b, &other);
        text = arena_printf(run->arena, "%s%s waits for %s", text ? text : "",
                            text ? ", which" : name_next(run, b), what);
        if (other >= 0)
            text = arena_printf(run->arena, "%s %s", text, name_next(run, other));
    }
    return fail(run, GPU_DEADLOCK, span, text);
}

static bool run_blocks(Run *run)
{
    const GpuStepper *stepper = &run->stepper;
    bool moves = true;
    while (moves) {
        moves = false;
        watch_poll(run->arena);
        for (int32_t b = 0; b < stepper->count; b++)
            while (!gpu_stepper_is_done(stepper, b) &&
                   gpu_stepper_wait(stepper, b) == GPU_IS_FREE) {
                if (!do_step(run, b))
                    return false;
                moves = true;
            }
    }
    for (int32_t b = 0; b < stepper->count; b++)
        if (!gpu_stepper_is_done(stepper, b))
            return report_deadlock(run, b);
    for (int32_t b = 0; b < stepper->count; b++) {
        const GpuRunner *runner = &stepper->runners[b];
        const int64_t left = runner->out ? runner->out->sent - runner->out->taken : 0;
        if (left)
            return fail(run, GPU_DEADLOCK, runner->block->span,
                        arena_printf(run->arena,
                                     "%lld messages of rank %d to rank %d on channel %d are never "
                                     "received",
                                     (long long)left, runner->rank, runner->block->send,
                                     runner->block->channel));
    }
    return true;
}

static void keep_memory(const Run *run, const GpuSum **kept)
{
    GpuMemory *memory = run->memory;
    GpuSum *sums = ARENA_ARRAY(run->arena, GpuSum, (size_t)memory->count);
    for (int64_t k = 0; k < memory->count; k++) {
        const GpuValue *value = run->cells[memory->rank][k].value;
        if (value)
            sums[k] = (GpuSum){value->count,
                               ARENA_COPY(run->arena, GpuTerm, value->terms, (size_t)value->count)};
    }
    *kept = sums;
}

static const GpuValue *held_at(const void *context, int32_t rank, GpuBuffer buffer, int32_t chunk)
{
    return find_cell(context, rank, buffer, chunk)->value;
}

/* `asked`: which program with which label and slots, and where what is found goes. */
static void run_mode(const Run *asked, bool in_place)
{
    Run run = *asked;
    const GpuProgram *program = run.program;
    GpuMemory *memory = run.memory;
    run.scratch = arena_scratch(run.arena);
    run.in_place = in_place && gpu_label_info[run.label].collective;
    run.found->messages = run.found->chunks = run.found->depth = 0;
    if (!program->contract &&
        !gpu_buffer_sizes(program, run.label, &run.sizes[GPU_INPUT], &run.sizes[GPU_OUTPUT])) {
        fail(&run, GPU_INVALID, program->span,
             arena_printf(run.arena, "the number of chunks, %d, cannot be divided among %d ranks",
                          program->chunks, program->rank_count));
    } else if (prepare(&run)) {
        if (memory) {
            memcpy(memory->sizes, run.sizes, sizeof run.sizes);
            memory->count = (int64_t)run.sizes[GPU_INPUT] + run.sizes[GPU_OUTPUT] +
                            program->gpus[memory->rank].scratch;
            keep_memory(&run, &memory->before);
        }
        if (run_blocks(&run)) {
            const GpuEnd end = {program, run.label, run.sizes, held_at, &run};
            Span span;
            const char *wrong = gpu_result_fault(run.arena, &end, &run.found->root, &span);
            if (wrong)
                fail(&run, GPU_WRONG, span, wrong);
            if (memory)
                keep_memory(&run, &memory->after);
        }
    }
    arena_destroy(run.scratch);
}

GpuRun gpu_run(Arena *arena, const GpuProgram *program, GpuLabel label)
{
    GpuRun found = {.verdict = GPU_RIGHT};
    Run run = {.arena = arena, .program = program, .label = label, .found = &found};
    for (int32_t r = 0; r < program->rank_count; r++)
        for (size_t b = 0; b < program->gpus[r].blocks.count; b++) {
            const ThreadBlock *block = &program->gpus[r].blocks.items[b];
            found.thread_blocks++;
            found.steps += (int64_t)block->steps.count;
            if (block->channel >= found.channels)
                found.channels = (int64_t)block->channel + 1;
            for (size_t i = 0; i < block->steps.count; i++)
                found.waits += block->steps.items[i].wait_block >= 0;
        }
    for (int32_t slots = 1;; slots = 2 * slots < program->slots ? 2 * slots : program->slots) {
        found.verdict = GPU_RIGHT, found.text = NULL, found.span = program->span;
        run.slots = slots;
        if (program->out_of_place)
            run_mode(&run, false);
        if (program->in_place && found.verdict == GPU_RIGHT)
            run_mode(&run, true);
        found.slots = found.verdict == GPU_DEADLOCK || found.verdict == GPU_INVALID ? 0 : slots;
        if (found.verdict != GPU_DEADLOCK || slots >= program->slots)
            break;
    }
    if (found.verdict == GPU_RIGHT && !program->contract && !gpu_label_info[label].collective)
        found.verdict = GPU_RUNS;
    return found;
}

GpuMemory gpu_run_memory(Arena *arena, const GpuProgram *program, bool in_place, int32_t slots,
                         int32_t rank)
{
    GpuRun found = {.verdict = GPU_RIGHT};
    GpuMemory memory = {.rank = rank};
    const Run run = {.arena = arena,
                     .program = program,
                     .label = program->label,
                     .slots = slots,
                     .found = &found,
                     .memory = &memory};
    run_mode(&run, in_place);
    return memory;
}
