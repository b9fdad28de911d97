#include "verify/gpu_run.h"

#include "base/watch.h"
#include "verify/gpu_result.h"
#include "verify/gpu_state.h"
#include "verify/gpu_sync.h"

#include <string.h>

const char *const gpu_verdict_names[GPU_VERDICT_COUNT] = {
    "right", "runs", "wrong", "uninitialised", "race", "deadlock", "invalid",
};

/* ---- what runtimes refuse ---- */

static int32_t buffer_size(const Run *run, int32_t rank, GpuBuffer buffer)
{
    return buffer == GPU_SCRATCH ? run->program->gpus[rank].scratch : run->sizes[buffer];
}

static bool check_place(Run *run, const Runner *runner, const GpuStep *step, GpuPlace place)
{
    const int32_t size = buffer_size(run, gpu_place_rank(place, runner->rank), place.buffer);
    if (place.chunk >= 0 && place.chunk <= size - step->count)
        return true;
    return gpu_run_fail(run, GPU_INVALID, step->span,
                        arena_printf(run->arena,
                                     "chunks %c[%d..%d] are outside of the buffer, which has %d",
                                     gpu_buffer_letters[place.buffer], place.chunk,
                                     place.chunk + step->count - 1, size));
}

static bool check_step(Run *run, const Runner *runner, size_t i)
{
    const GpuStep *step = &runner->block->steps.items[i];
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const Gpu *gpu = &run->program->gpus[runner->rank];
    if (step->wait_block >= 0 &&
        ((size_t)step->wait_block >= gpu->blocks.count || step->wait_step < 0))
        return gpu_run_fail(run, GPU_INVALID, step->span,
                            arena_printf(run->arena, "rank %d has no thread block %d, step %d",
                                         runner->rank, step->wait_block, step->wait_step));
    if (i && runner->block->steps.items[i - 1].kind == GPU_STEP_NOTHING && step->wait_block < 0)
        return gpu_run_fail(run, GPU_INVALID, step->span, "the step after a nop has no dependency");
    if (step->kind == GPU_STEP_NOTHING)
        return true;
    if (gpu_step_is_sync(step->kind))
        return gpu_sync_check(run, runner, step);
    if (step->count < 1)
        return gpu_run_fail(run, GPU_INVALID, step->span, "a step moves at least one chunk");
    if ((info->sends && !runner->out) || (info->receives && !runner->in))
        return gpu_run_fail(run, GPU_INVALID, step->span,
                            info->sends && !runner->out ? "its thread block sends to nobody"
                                                        : "its thread block receives from nobody");
    return (!info->reads || check_place(run, runner, step, step->source)) &&
           (!(info->writes || info->reads_destination) ||
            check_place(run, runner, step, step->destination));
}

/* The thread block of `rank` that sends to, or receives from, `peer` on this channel, or -1. */
static int32_t find_end(const Run *run, int32_t rank, bool sends, int32_t peer, int32_t channel)
{
    for (int32_t b = run->first_of[rank]; b < run->first_of[rank + 1]; b++) {
        const ThreadBlock *block = run->runners[b].block;
        if ((sends ? block->send : block->receive) == peer && block->channel == channel)
            return b;
    }
    return -1;
}

static bool check_peer(Run *run, int32_t b, bool sends)
{
    const Runner *runner = &run->runners[b];
    const int32_t peer = sends ? runner->block->send : runner->block->receive;
    if (peer < 0)
        return true;
    if (peer >= run->program->rank_count || peer == runner->rank)
        return gpu_run_fail(
            run, GPU_INVALID, runner->block->span,
            arena_printf(run->arena,
                         peer == runner->rank ? "rank %d sends to itself" : "there is no rank %d",
                         peer));
    if (find_end(run, runner->rank, sends, peer, runner->block->channel) != b)
        return gpu_run_fail(run, GPU_INVALID, runner->block->span,
                            arena_printf(run->arena,
                                         "two thread blocks of rank %d %s rank %d on channel %d",
                                         runner->rank, sends ? "send to" : "receive from", peer,
                                         runner->block->channel));
    return true;
}

static void connect(Run *run, int32_t b)
{
    Runner *runner = &run->runners[b];
    const ThreadBlock *block = runner->block;
    if (block->send >= 0) {
        runner->out = ARENA_NEW(run->scratch, Connection);
        runner->out->sender = b;
        runner->out->receiver = find_end(run, block->send, false, runner->rank, block->channel);
        if (runner->out->receiver >= 0)
            run->runners[runner->out->receiver].in = runner->out;
    }
}

static bool prepare(Run *run)
{
    const GpuProgram *program = run->program;
    const size_t p = (size_t)program->rank_count;
    int32_t count = 0;
    run->first_of = ARENA_ARRAY(run->scratch, int32_t, p + 1);
    for (size_t r = 0; r < p; r++) {
        run->first_of[r] = count;
        count += (int32_t)program->gpus[r].blocks.count;
    }
    run->first_of[p] = run->count = count;
    run->runners = ARENA_ARRAY(run->scratch, Runner, (size_t)count);
    for (size_t r = 0; r < p; r++)
        for (size_t i = 0; i < program->gpus[r].blocks.count; i++) {
            Runner *runner = &run->runners[run->first_of[r] + (int32_t)i];
            *runner = (Runner){.block = &program->gpus[r].blocks.items[i],
                               .rank = (int32_t)r,
                               .number = (int32_t)i};
            runner->clocks = ARENA_ARRAY(run->scratch, uint32_t, (size_t)count);
        }
    for (int32_t b = 0; b < count; b++)
        if (!check_peer(run, b, true) || !check_peer(run, b, false))
            return false;
    for (int32_t b = 0; b < count; b++)
        connect(run, b);
    run->semaphores = ARENA_ARRAY(run->scratch, Semaphore, program->semaphores.count);
    for (int32_t b = 0; b < count; b++) {
        Runner *runner = &run->runners[b];
        if (runner->block->receive >= 0 && !runner->in) {
            runner->in = ARENA_NEW(run->scratch, Connection);
            *runner->in = (Connection){.sender = -1, .receiver = b};
        }
        for (size_t i = 0; i < runner->block->steps.count; i++)
            if (!check_step(run, runner, i))
                return false;
    }
    return true;
}

/* ---- memory ---- */

static void hold_before(Run *run, int32_t r)
{
    const GpuContract *contract = run->program->contract;
    for (int32_t k = 0; k < contract->chunks; k++) {
        const GpuSum *sum = &contract->before[(int64_t)r * contract->chunks + k];
        if (sum->count)
            gpu_run_cell(run, r, GPU_SCRATCH, k)->value = gpu_value_held(run->scratch, sum);
    }
}

static void fill_memory(Run *run)
{
    const int32_t p = run->program->rank_count;
    run->cells = ARENA_ARRAY(run->scratch, Cell *, (size_t)p);
    for (int32_t r = 0; r < p; r++) {
        const int64_t count =
            (int64_t)run->sizes[GPU_INPUT] + run->sizes[GPU_OUTPUT] + run->program->gpus[r].scratch;
        run->cells[r] = ARENA_ARRAY(run->scratch, Cell, (size_t)count);
        if (run->program->contract) {
            hold_before(run, r);
            continue;
        }
        for (int32_t k = 0; k < run->sizes[GPU_INPUT]; k++)
            gpu_run_cell(run, r, GPU_INPUT, k)->value = gpu_value_input(run->scratch, r, k);
    }
}

/* "o[3]", "o[3] of rank 1" */
static const char *name_place(const Run *run, GpuPlace place, int32_t i)
{
    const char *own =
        arena_printf(run->arena, "%c[%d]", gpu_buffer_letters[place.buffer], place.chunk + i);
    return place.owner > 0 ? arena_printf(run->arena, "%s of rank %d", own, place.owner - 1) : own;
}

static bool race(Run *run, int32_t b, GpuPlace place, int32_t i, Access other, const char *what)
{
    const Runner *here = &run->runners[b], *there = &run->runners[other.block];
    const char *text = arena_printf(
        run->arena, "%s %s %s while %s may access it", gpu_run_name(run, here, here->next), what,
        name_place(run, place, i), gpu_run_name(run, there, other.clock - 1));
    return gpu_run_fail(run, GPU_RACE, here->block->steps.items[here->next].span, text);
}

static bool is_before(const Run *run, Access access, int32_t b)
{
    return run->runners[b].clocks[access.block] >= access.clock;
}

static bool read_chunk(Run *run, int32_t b, GpuPlace place, int32_t i, const GpuValue **value)
{
    const Runner *runner = &run->runners[b];
    Cell *cell =
        gpu_run_cell(run, gpu_place_rank(place, runner->rank), place.buffer, place.chunk + i);
    if (cell->is_written && !is_before(run, cell->writer, b))
        return race(run, b, place, i, cell->writer, "reads");
    if (!cell->value)
        return gpu_run_fail(run, GPU_UNINITIALISED, runner->block->steps.items[runner->next].span,
                            arena_printf(run->arena, "%s reads %s, which nothing was written to",
                                         gpu_run_name(run, runner, runner->next),
                                         name_place(run, place, i)));
    size_t r = 0;
    while (r < cell->readers.count && cell->readers.items[r].block != b)
        r++;
    Access *reader = r < cell->readers.count ? &cell->readers.items[r]
                                             : ARRAY_PUSH(run->scratch, &cell->readers);
    *reader = (Access){b, runner->clocks[b]};
    *value = cell->value;
    return true;
}

static bool write_chunk(Run *run, int32_t b, GpuPlace place, int32_t i, const GpuValue *value)
{
    const Runner *runner = &run->runners[b];
    Cell *cell =
        gpu_run_cell(run, gpu_place_rank(place, runner->rank), place.buffer, place.chunk + i);
    if (cell->is_written && !is_before(run, cell->writer, b))
        return race(run, b, place, i, cell->writer, "writes");
    for (size_t r = 0; r < cell->readers.count; r++)
        if (!is_before(run, cell->readers.items[r], b))
            return race(run, b, place, i, cell->readers.items[r], "writes");
    cell->readers.count = 0;
    cell->is_written = true;
    cell->writer = (Access){b, runner->clocks[b]};
    cell->value = value;
    return true;
}

/* ---- steps ---- */

/* The first step that ends a wait, or NULL. */
static const Signal *find_signal(const Run *run, const Runner *runner, const GpuStep *step)
{
    const Signals *signals = &run->runners[run->first_of[runner->rank] + step->wait_block].signals;
    size_t low = 0, high = signals->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (signals->items[middle].step < step->wait_step)
            low = middle + 1;
        else
            high = middle;
    }
    return low < signals->count ? &signals->items[low] : NULL;
}

/* What the next step of a thread block waits for: a thread block, or none, and in words; NULL: for
   nothing. */
static const char *find_obstacle(const Run *run, const Runner *runner, int32_t *other)
{
    const GpuStep *step = &runner->block->steps.items[runner->next];
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    *other = -1;
    if (step->wait_block >= 0 && !find_signal(run, runner, step)) {
        *other = run->first_of[runner->rank] + step->wait_block;
        return "a step of";
    }
    if (gpu_step_is_sync(step->kind))
        return gpu_sync_obstacle(run, runner, other);
    if (info->receives && runner->in->messages.count == runner->in->received) {
        *other = runner->in->sender;
        return *other < 0 ? "a message that nobody sends" : "a message of";
    }
    if (info->sends && runner->out->messages.count - runner->out->received >= (size_t)run->slots) {
        *other = runner->out->receiver;
        return *other < 0 ? "a receive that nobody does" : "a receive of";
    }
    return NULL;
}

static bool is_free(const Run *run, const Runner *runner)
{
    const GpuStep *step = &runner->block->steps.items[runner->next];
    int32_t other;
    if (gpu_step_is_sync(step->kind) && gpu_sync_is_held(run, runner))
        return false;
    return !find_obstacle(run, runner, &other);
}

static bool is_same_place(const Run *run, const Runner *runner, const GpuStep *step, int32_t i)
{
    const GpuPlace from = step->source, to = step->destination;
    return gpu_run_cell(run, gpu_place_rank(from, runner->rank), from.buffer, from.chunk + i) ==
           gpu_run_cell(run, gpu_place_rank(to, runner->rank), to.buffer, to.chunk + i);
}

static bool move_chunk(Run *run, int32_t b, const GpuStep *step, const GpuStepInfo *info, int32_t i,
                       const GpuValue **value)
{
    const GpuValue *local = NULL, *old = NULL;
    if (step->kind == GPU_STEP_COPY && is_same_place(run, &run->runners[b], step, i))
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
    return !info->writes || write_chunk(run, b, step->destination, i, *value);
}

static bool do_step(Run *run, int32_t b)
{
    Runner *runner = &run->runners[b];
    const GpuStep *step = &runner->block->steps.items[runner->next];
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const size_t count = step->count > 0 ? (size_t)step->count : 0; /* a nop has none */
    const GpuValue **values = ARENA_ARRAY(run->scratch, const GpuValue *, count);
    runner->clocks[b] = (uint32_t)runner->next + 1;
    if (step->wait_block >= 0)
        gpu_run_join(run, runner, find_signal(run, runner, step)->clocks);
    if (gpu_step_is_sync(step->kind)) {
        gpu_sync_do(run, b);
        return true;
    }
    if (info->receives) {
        const Message *message = &runner->in->messages.items[runner->in->received++];
        gpu_run_join(run, runner, message->clocks);
        if (message->count != step->count)
            return gpu_run_fail(run, GPU_INVALID, step->span,
                                arena_printf(run->arena, "%s receives %d chunks, but %d were sent",
                                             gpu_run_name(run, runner, runner->next), step->count,
                                             message->count));
        for (int32_t i = 0; i < step->count; i++)
            values[i] = message->values[i];
    }
    for (int32_t i = 0; i < step->count && step->kind != GPU_STEP_NOTHING; i++)
        if (!move_chunk(run, b, step, info, i, &values[i]))
            return false;
    if (step->source.owner > 0 || step->destination.owner > 0) {
        run->found->messages++;
        run->found->chunks += step->count;
    }
    if (info->sends) {
        for (int32_t i = 0; i < step->count; i++)
            values[i] = gpu_value_sent(run->scratch, values[i]);
        *ARRAY_PUSH(run->scratch, &runner->out->messages) =
            (Message){values, step->count, gpu_run_clocks(run, runner)};
        run->found->messages++;
        run->found->chunks += step->count;
    }
    if (step->signals && step->kind != GPU_STEP_NOTHING)
        *ARRAY_PUSH(run->scratch, &runner->signals) =
            (Signal){(int32_t)runner->next, gpu_run_clocks(run, runner)};
    runner->next++;
    return true;
}

static bool is_done(const Runner *runner)
{
    return runner->next == runner->block->steps.count;
}

/* Follows waits from a thread block that cannot go on, to where they close, or end. */
static bool report_deadlock(Run *run, int32_t b)
{
    bool *seen = ARENA_ARRAY(run->scratch, bool, (size_t)run->count);
    const char *text = NULL;
    int32_t first = b, other = b, named = 0;
    while (!seen[first] && other >= 0 && !is_done(&run->runners[first])) {
        seen[first] = true;
        find_obstacle(run, &run->runners[first], &other);
        first = other >= 0 ? other : first;
    }
    const Runner *runner = &run->runners[first];
    if (is_done(runner) || other < 0)
        first = b;
    runner = &run->runners[first];
    const Span span =
        is_done(runner) ? runner->block->span : runner->block->steps.items[runner->next].span;
    for (b = first; b >= 0 && (b != first || !text); b = other) {
        runner = &run->runners[b];
        if (is_done(runner)) {
            text = arena_printf(run->arena, "%s, which has ended", text);
            break;
        }
        if (++named > 4) {
            text = arena_printf(run->arena, "%s, ..", text);
            break;
        }
        const char *what = find_obstacle(run, runner, &other);
        text = arena_printf(run->arena, "%s%s waits for %s", text ? text : "",
                            text ? ", which" : gpu_run_name(run, runner, runner->next), what);
        if (other >= 0)
            text = arena_printf(run->arena, "%s %s", text,
                                gpu_run_name(run, &run->runners[other], run->runners[other].next));
    }
    return gpu_run_fail(run, GPU_DEADLOCK, span, text);
}

static bool run_blocks(Run *run)
{
    bool moves = true;
    while (moves) {
        moves = false;
        watch_poll(run->arena);
        for (int32_t b = 0; b < run->count; b++)
            while (!is_done(&run->runners[b]) && is_free(run, &run->runners[b])) {
                if (!do_step(run, b))
                    return false;
                moves = true;
            }
    }
    for (int32_t b = 0; b < run->count; b++)
        if (!is_done(&run->runners[b]))
            return report_deadlock(run, b);
    for (int32_t b = 0; b < run->count; b++) {
        const Connection *out = run->runners[b].out;
        if (out && out->messages.count != out->received)
            return gpu_run_fail(
                run, GPU_DEADLOCK, run->runners[b].block->span,
                arena_printf(run->arena,
                             "%zu messages of rank %d to rank %d on channel %d are never "
                             "received",
                             out->messages.count - out->received, run->runners[b].rank,
                             run->runners[b].block->send, run->runners[b].block->channel));
    }
    return true;
}

/* ---- all of it ---- */

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

static void run_mode(Arena *arena, const GpuProgram *program, GpuLabel label, bool in_place,
                     int32_t slots, GpuMemory *memory, GpuRun *found)
{
    Run run = {.arena = arena,
               .scratch = arena_scratch(arena),
               .program = program,
               .label = label,
               .in_place = in_place && gpu_label_info[label].collective,
               .slots = slots,
               .found = found,
               .memory = memory};
    found->messages = found->chunks = found->depth = 0;
    if (!program->contract &&
        !gpu_buffer_sizes(program, label, &run.sizes[GPU_INPUT], &run.sizes[GPU_OUTPUT])) {
        gpu_run_fail(&run, GPU_INVALID, program->span,
                     arena_printf(arena,
                                  "the number of chunks, %d, cannot be divided among %d ranks",
                                  program->chunks, program->rank_count));
    } else if (prepare(&run)) {
        fill_memory(&run);
        if (memory) {
            memcpy(memory->sizes, run.sizes, sizeof run.sizes);
            memory->count = (int64_t)run.sizes[GPU_INPUT] + run.sizes[GPU_OUTPUT] +
                            program->gpus[memory->rank].scratch;
            keep_memory(&run, &memory->before);
        }
        if (run_blocks(&run)) {
            gpu_run_check(&run);
            if (memory)
                keep_memory(&run, &memory->after);
        }
    }
    arena_destroy(run.scratch);
}

static void count_parts(const GpuProgram *program, GpuRun *found)
{
    for (int32_t r = 0; r < program->rank_count; r++)
        for (size_t b = 0; b < program->gpus[r].blocks.count; b++) {
            const ThreadBlock *block = &program->gpus[r].blocks.items[b];
            found->thread_blocks++;
            found->steps += (int64_t)block->steps.count;
            if (block->channel >= found->channels)
                found->channels = (int64_t)block->channel + 1;
            for (size_t i = 0; i < block->steps.count; i++)
                found->waits += block->steps.items[i].wait_block >= 0;
        }
}

GpuRun gpu_run(Arena *arena, const GpuProgram *program, GpuLabel label)
{
    GpuRun found = {.verdict = GPU_RIGHT};
    count_parts(program, &found);
    for (int32_t slots = 1;; slots = 2 * slots < program->slots ? 2 * slots : program->slots) {
        found.verdict = GPU_RIGHT, found.text = NULL, found.span = program->span;
        if (program->out_of_place)
            run_mode(arena, program, label, false, slots, NULL, &found);
        if (program->in_place && found.verdict == GPU_RIGHT)
            run_mode(arena, program, label, true, slots, NULL, &found);
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
    run_mode(arena, program, program->label, in_place, slots, &memory, &found);
    return memory;
}
