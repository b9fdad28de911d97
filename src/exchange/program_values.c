#include "exchange/program_values.h"

#include <stdlib.h>

typedef struct {
    int64_t round;
    int32_t count;
    ProgramItem *items; /* the message's own; the receiver fills in what it makes of them */
} Sent;

ARRAY_TYPE(SentMessages, Sent);

typedef struct {
    int32_t step;
    int64_t round;
} Signal;

ARRAY_TYPE(Signals, Signal);

ARRAY_TYPE(Rounds, int64_t);

/* The rounds of the signals of one rank to another, and how many of them were waited for. */
typedef struct {
    Rounds rounds;
    size_t taken;
} Semaphore;

typedef struct Runner {
    const ThreadBlock *block;
    int32_t rank;
    size_t next;
    int64_t round; /* of the last that it did */
    SentMessages sent;
    size_t received; /* of what its sender has sent */
    struct Runner *sender;
    Signals signals;
} Runner;

typedef struct {
    Arena *arena, *scratch;
    const GpuProgram *program;
    ProgramFlow *flow;
    const ProgramBlocks *blocks;
    int32_t count;   /* of thread blocks */
    int64_t **cells; /* of each rank: values; -1: none */
    int32_t *first_of;
    Runner *runners;
    Semaphore *semaphores; /* as in the program */
} Follow;

static int64_t new_value(Follow *follow, int64_t chunk)
{
    *ARRAY_PUSH(follow->arena, &follow->flow->values) = (ProgramValue){.chunk = chunk};
    return (int64_t)follow->flow->values.count - 1;
}

static int64_t chunk_of(const Follow *follow, int64_t value)
{
    return follow->flow->values.items[value].chunk;
}

static int64_t new_sum(Follow *follow, int64_t a, int64_t b)
{
    return new_value(follow, chunk_of(follow, a) == chunk_of(follow, b) ? chunk_of(follow, a) : -1);
}

/* Chunk i of a place that a step of `rank` names. */
static int64_t *cell(const Follow *follow, int32_t rank, GpuPlace place, int32_t i)
{
    rank = gpu_place_rank(place, rank);
    place.chunk += i;
    return &follow->cells[rank]
                         [gpu_cell(follow->blocks->sizes, follow->blocks->in_place, rank, place)];
}

/* ---- memory ---- */

static void fill_cells(Follow *follow)
{
    const GpuProgram *program = follow->program;
    follow->cells = ARENA_ARRAY(follow->scratch, int64_t *, (size_t)program->rank_count);
    for (int32_t r = 0; r < program->rank_count; r++) {
        const int64_t count = program_cells(program, follow->blocks->sizes, r);
        follow->cells[r] = ARENA_ARRAY(follow->scratch, int64_t, (size_t)count);
        for (int64_t c = 0; c < count; c++) {
            const int64_t chunk = follow->blocks->before[r][c];
            follow->cells[r][c] = chunk == NEVER_WRITTEN ? -1 : new_value(follow, chunk);
            if (chunk >= 0)
                *ARRAY_PUSH(follow->arena, &follow->flow->before) =
                    (ProgramHeld){r, chunk, follow->cells[r][c]};
        }
    }
}

static void find_results(Follow *follow)
{
    for (int32_t r = 0; r < follow->program->rank_count; r++)
        for (int64_t c = 0; c < program_cells(follow->program, follow->blocks->sizes, r); c++)
            if (follow->blocks->after[r][c] >= 0)
                *ARRAY_PUSH(follow->arena, &follow->flow->after) =
                    (ProgramHeld){r, follow->blocks->after[r][c], follow->cells[r][c]};
}

/* ---- steps ---- */

static void connect(Follow *follow)
{
    const GpuProgram *program = follow->program;
    follow->first_of = ARENA_ARRAY(follow->scratch, int32_t, (size_t)program->rank_count + 1);
    for (int32_t r = 0; r < program->rank_count; r++)
        follow->first_of[r + 1] = follow->first_of[r] + (int32_t)program->gpus[r].blocks.count;
    follow->count = follow->first_of[program->rank_count];
    follow->runners = ARENA_ARRAY(follow->scratch, Runner, (size_t)follow->count);
    follow->semaphores = ARENA_ARRAY(follow->scratch, Semaphore, program->semaphores.count);
    for (int32_t r = 0; r < program->rank_count; r++)
        for (int32_t b = follow->first_of[r]; b < follow->first_of[r + 1]; b++) {
            follow->runners[b].block = &program->gpus[r].blocks.items[b - follow->first_of[r]];
            follow->runners[b].rank = r;
        }
    for (int32_t b = 0; b < follow->count; b++) {
        Runner *runner = &follow->runners[b];
        const int32_t from = runner->block->receive;
        for (int32_t a = from < 0 ? 0 : follow->first_of[from];
             from >= 0 && a < follow->first_of[from + 1]; a++)
            if (follow->runners[a].block->send == runner->rank &&
                follow->runners[a].block->channel == runner->block->channel)
                runner->sender = &follow->runners[a];
    }
}

/* The round in which what a step waits for was done; -1: it was not. */
static int64_t waited_round(const Follow *follow, const Runner *runner, const GpuStep *step)
{
    if (step->wait_block < 0)
        return 0;
    const Signals *signals =
        &follow->runners[follow->first_of[runner->rank] + step->wait_block].signals;
    for (size_t i = 0; i < signals->count; i++)
        if (signals->items[i].step >= step->wait_step)
            return signals->items[i].round;
    return -1;
}

static const GpuStep *next_step(const Runner *runner)
{
    const GpuSteps *steps = &runner->block->steps;
    return runner->next < steps->count ? &steps->items[runner->next] : NULL;
}

static bool is_at_barrier(const Runner *runner, int32_t barrier)
{
    const GpuStep *step = next_step(runner);
    return step && step->kind == GPU_STEP_BARRIER && step->barrier == barrier;
}

/* Whether all signals, or thread blocks, that a step waits for are there. */
static bool is_in_step(const Follow *follow, int32_t rank, const GpuStep *step)
{
    int32_t arrived = 0;
    for (int32_t s = 0; s < step->semaphore_count && gpu_step_waits(step->kind); s++) {
        const Semaphore *semaphore = &follow->semaphores[step->semaphores[s]];
        if (semaphore->taken + (size_t)gpu_step_taken(step, s) > semaphore->rounds.count)
            return false;
    }
    for (int32_t b = follow->first_of[rank]; b < follow->first_of[rank + 1]; b++)
        arrived += is_at_barrier(&follow->runners[b], step->barrier);
    return step->kind != GPU_STEP_BARRIER || arrived >= step->members;
}

static bool can_go_on(const Follow *follow, const Runner *runner)
{
    const GpuStep *step = next_step(runner);
    return step && waited_round(follow, runner, step) >= 0 &&
           (!gpu_step_is_sync(step->kind) || is_in_step(follow, runner->rank, step)) &&
           (!gpu_step_info[step->kind].receives ||
            (runner->sender && runner->sender->sent.count > runner->received));
}

static ProgramWork *new_work(Follow *follow, int64_t round, int32_t from, int32_t to, int32_t count)
{
    ProgramWork *work = ARRAY_PUSH(follow->arena, &follow->flow->works);
    *work = (ProgramWork){round, from, to, count,
                          ARENA_ARRAY(follow->arena, ProgramItem, (size_t)count)};
    return work;
}

/* What a step has in hand, chunk by chunk, once it has received and combined. A message that came
   before its receiver had done what it does first is combined later, as local work. */
static void take(Follow *follow, const Runner *runner, const GpuStep *step, const Sent *message,
                 int64_t *values)
{
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const bool is_late = message && info->reads && runner->round >= message->round;
    const bool is_local = !message && info->reads_destination;
    ProgramItem *own = NULL;
    if (is_late || is_local)
        own = new_work(follow, runner->round, runner->rank, runner->rank, step->count)->items;
    for (int32_t i = 0; i < step->count; i++) {
        const int64_t source = info->reads ? *cell(follow, runner->rank, step->source, i) : -1;
        ProgramItem *item = message ? &message->items[i] : own ? &own[i] : NULL;
        if (is_local)
            *item = (ProgramItem){source, *cell(follow, runner->rank, step->destination, i), 0};
        if (message && (is_late || !info->reads))
            item->made = new_value(follow, chunk_of(follow, item->sent));
        else if (message)
            item->old = source;
        if (is_late) {
            own[i] = (ProgramItem){item->made, source, 0};
            item = &own[i];
        }
        if (item && item->old >= 0)
            item->made = new_sum(follow, item->sent, item->old);
        values[i] = item ? item->made : source;
    }
}

static void be_behind(Runner *runner, int64_t round)
{
    runner->round = round > runner->round ? round : runner->round;
}

static void pass_barrier(Follow *follow, int32_t rank, int32_t barrier)
{
    int64_t last = 0;
    for (int32_t b = follow->first_of[rank]; b < follow->first_of[rank + 1]; b++)
        if (is_at_barrier(&follow->runners[b], barrier) && follow->runners[b].round > last)
            last = follow->runners[b].round;
    for (int32_t b = follow->first_of[rank]; b < follow->first_of[rank + 1]; b++)
        if (is_at_barrier(&follow->runners[b], barrier)) {
            be_behind(&follow->runners[b], last);
            follow->runners[b].next++;
        }
}

static void synchronise(Follow *follow, Runner *runner, const GpuStep *step)
{
    for (int32_t s = 0; s < step->semaphore_count; s++) {
        Semaphore *semaphore = &follow->semaphores[step->semaphores[s]];
        if (gpu_step_signals(step->kind))
            *ARRAY_PUSH(follow->scratch, &semaphore->rounds) = runner->round;
        else
            be_behind(runner, semaphore->rounds.items[semaphore->taken++]);
    }
}

/* A step that writes or reads the memory of another rank is a message to, or from, that rank. */
static void move_over(Follow *follow, Runner *runner, const GpuStep *step)
{
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    ProgramItem *items =
        new_work(follow, ++runner->round, gpu_place_rank(step->source, runner->rank),
                 gpu_place_rank(step->destination, runner->rank), step->count)
            ->items;
    for (int32_t i = 0; i < step->count; i++) {
        int64_t *target = cell(follow, runner->rank, step->destination, i);
        const int64_t sent = *cell(follow, runner->rank, step->source, i);
        const int64_t old = info->reads_destination ? *target : -1;
        const int64_t made =
            old >= 0 ? new_sum(follow, sent, old) : new_value(follow, chunk_of(follow, sent));
        items[i] = (ProgramItem){sent, old, made};
        *target = made;
    }
}

/* Within a rank, or by messages of connections. */
static void move_chunks(Follow *follow, Runner *runner, const GpuStep *step)
{
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const Sent *message = info->receives ? &runner->sender->sent.items[runner->received++] : NULL;
    int64_t *values = ARENA_ARRAY(follow->scratch, int64_t, (size_t)step->count);
    take(follow, runner, step, message, values);
    if (message)
        be_behind(runner, message->round);
    for (int32_t i = 0; i < step->count && info->writes; i++)
        *cell(follow, runner->rank, step->destination, i) = values[i];
    if (!info->sends)
        return;
    ProgramWork *work =
        new_work(follow, ++runner->round, runner->rank, runner->block->send, step->count);
    for (int32_t i = 0; i < step->count; i++)
        work->items[i] = (ProgramItem){values[i], -1, -1};
    *ARRAY_PUSH(follow->scratch, &runner->sent) = (Sent){work->round, work->count, work->items};
}

static void do_step(Follow *follow, Runner *runner)
{
    const GpuStep *step = next_step(runner);
    be_behind(runner, waited_round(follow, runner, step));
    if (step->kind == GPU_STEP_BARRIER) {
        pass_barrier(follow, runner->rank, step->barrier);
        return;
    }
    if (gpu_step_is_sync(step->kind))
        synchronise(follow, runner, step);
    else if (step->source.owner || step->destination.owner)
        move_over(follow, runner, step);
    else if (step->kind != GPU_STEP_NOTHING)
        move_chunks(follow, runner, step);
    if (step->signals && step->kind != GPU_STEP_NOTHING)
        *ARRAY_PUSH(follow->scratch, &runner->signals) =
            (Signal){(int32_t)runner->next, runner->round};
    runner->next++;
}

/* ---- what counts ---- */

typedef struct {
    ProgramWork work;
    size_t number;
} Ordered;

static int compare(const void *a, const void *b)
{
    const Ordered *x = a, *y = b;
    const int64_t one = 2 * x->work.round + (x->work.from == x->work.to);
    const int64_t other = 2 * y->work.round + (y->work.from == y->work.to);
    if (one != other)
        return one < other ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

static void order(Follow *follow)
{
    ProgramWorks *works = &follow->flow->works;
    Ordered *ordered = ARENA_ARRAY(follow->scratch, Ordered, works->count + 1);
    for (size_t w = 0; w < works->count; w++)
        ordered[w] = (Ordered){works->items[w], w};
    qsort(ordered, works->count, sizeof *ordered, compare);
    for (size_t w = 0; w < works->count; w++)
        works->items[w] = ordered[w].work;
}

/* From the result back: local work of which nothing is used is left out, and messages of which
   nothing is used are just taken. */
static void count_uses(ProgramFlow *flow)
{
    ProgramValue *values = flow->values.items;
    size_t works = 0;
    for (size_t i = 0; i < flow->after.count; i++)
        values[flow->after.items[i].value].uses++;
    for (size_t w = flow->works.count; w-- > 0;) {
        ProgramWork *work = &flow->works.items[w];
        int32_t kept = 0;
        for (int32_t i = 0; i < work->count; i++) {
            ProgramItem item = work->items[i];
            if (!values[item.made].uses) {
                if (work->from == work->to)
                    continue;
                item.old = -1;
            }
            values[item.sent].uses++;
            if (item.old >= 0)
                values[item.old].uses++;
            work->items[kept++] = item;
        }
        work->count = kept;
    }
    for (size_t w = 0; w < flow->works.count; w++)
        if (flow->works.items[w].count)
            flow->works.items[works++] = flow->works.items[w];
    flow->works.count = works;
}

ProgramFlow program_flow(Arena *arena, const GpuProgram *program, const ProgramBlocks *blocks)
{
    ProgramFlow flow = {0};
    Follow follow = {.arena = arena,
                     .scratch = arena_scratch(arena),
                     .program = program,
                     .flow = &flow,
                     .blocks = blocks};
    fill_cells(&follow);
    connect(&follow);
    for (bool moves = true; moves;) {
        moves = false;
        for (int32_t b = 0; b < follow.count; b++)
            while (can_go_on(&follow, &follow.runners[b])) {
                do_step(&follow, &follow.runners[b]);
                moves = true;
            }
    }
    find_results(&follow);
    order(&follow);
    count_uses(&flow);
    arena_destroy(follow.scratch);
    return flow;
}
