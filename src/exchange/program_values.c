#include "exchange/program_blocks.h"

#include "sched/gpu_stepper.h"

#include <stdlib.h>

typedef struct {
    int64_t round;
    ProgramItem *items; /* the message's own; the receiver fills in what it makes of them */
} Sent;

ARRAY_TYPE(SentMessages, Sent);

ARRAY_TYPE(Rounds, int64_t);

/* What a thread block has done. */
typedef struct {
    int64_t round; /* of the last that it did */
    SentMessages sent;
    int64_t *signalled; /* the round of each of its steps that signals */
} Past;

typedef struct {
    Arena *arena, *scratch;
    const GpuProgram *program;
    ProgramFlow *flow;
    const ProgramBlocks *blocks;
    int64_t **cells; /* of each rank: values; -1: none */
    GpuStepper stepper;
    Past *pasts;     /* of each thread block */
    Rounds *signals; /* of each semaphore */
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

/* ---- steps ---- */

static ProgramWork *new_work(Follow *follow, int64_t round, int32_t from, int32_t to, int32_t count)
{
    ProgramWork *work = ARRAY_PUSH(follow->arena, &follow->flow->works);
    *work = (ProgramWork){round, from, to, count,
                          ARENA_ARRAY(follow->arena, ProgramItem, (size_t)count)};
    return work;
}

/* What a step has in hand, chunk by chunk, once it has received and combined. A message that came
   before its receiver had done what it does first is combined later, as local work. */
static void take(Follow *follow, int32_t b, const GpuStep *step, const Sent *message,
                 int64_t *values)
{
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const int32_t rank = follow->stepper.runners[b].rank;
    const int64_t round = follow->pasts[b].round;
    const bool is_late = message && info->reads && round >= message->round;
    const bool is_local = !message && info->reads_destination;
    ProgramItem *own = NULL;
    if (is_late || is_local)
        own = new_work(follow, round, rank, rank, step->count)->items;
    for (int32_t i = 0; i < step->count; i++) {
        const int64_t source = info->reads ? *cell(follow, rank, step->source, i) : -1;
        ProgramItem *item = message ? &message->items[i] : own ? &own[i] : NULL;
        if (is_local)
            *item = (ProgramItem){source, *cell(follow, rank, step->destination, i), 0};
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

static void be_behind(Past *past, int64_t round)
{
    past->round = round > past->round ? round : past->round;
}

static void pass_barrier(Follow *follow, int32_t rank, int32_t barrier)
{
    GpuStepper *stepper = &follow->stepper;
    int64_t last = 0;
    for (int32_t b = stepper->first_of[rank]; b < stepper->first_of[rank + 1]; b++)
        if (gpu_stepper_is_at(stepper, b, barrier) && follow->pasts[b].round > last)
            last = follow->pasts[b].round;
    for (int32_t b = stepper->first_of[rank]; b < stepper->first_of[rank + 1]; b++)
        if (gpu_stepper_is_at(stepper, b, barrier)) {
            be_behind(&follow->pasts[b], last);
            stepper->runners[b].next++;
        }
}

static void pass_signals(Follow *follow, int32_t b, const GpuStep *step)
{
    for (int32_t s = 0; s < step->semaphore_count; s++) {
        Rounds *rounds = &follow->signals[step->semaphores[s]];
        const int64_t taken = follow->stepper.taken[step->semaphores[s]] + gpu_step_taken(step, s);
        if (gpu_step_signals(step->kind))
            *ARRAY_PUSH(follow->scratch, rounds) = follow->pasts[b].round;
        else if (gpu_step_waits(step->kind))
            be_behind(&follow->pasts[b], rounds->items[taken - 1]);
    }
    gpu_stepper_take(&follow->stepper, b);
    gpu_stepper_signal(&follow->stepper, b);
}

/* A step that writes or reads the memory of another rank is a message to, or from, that rank. */
static void move_over(Follow *follow, int32_t b, const GpuStep *step)
{
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const int32_t rank = follow->stepper.runners[b].rank;
    ProgramItem *items =
        new_work(follow, ++follow->pasts[b].round, gpu_place_rank(step->source, rank),
                 gpu_place_rank(step->destination, rank), step->count)
            ->items;
    for (int32_t i = 0; i < step->count; i++) {
        int64_t *target = cell(follow, rank, step->destination, i);
        const int64_t sent = *cell(follow, rank, step->source, i);
        const int64_t old = info->reads_destination ? *target : -1;
        const int64_t made =
            old >= 0 ? new_sum(follow, sent, old) : new_value(follow, chunk_of(follow, sent));
        items[i] = (ProgramItem){sent, old, made};
        *target = made;
    }
}

/* Within a rank, or by messages of connections. */
static void move_chunks(Follow *follow, int32_t b, const GpuStep *step)
{
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const GpuRunner *runner = &follow->stepper.runners[b];
    GpuConnection *in = runner->in, *out = runner->out;
    const Sent *message =
        info->receives ? &follow->pasts[in->sender].sent.items[in->taken++] : NULL;
    int64_t *values = ARENA_ARRAY(follow->scratch, int64_t, (size_t)step->count);
    take(follow, b, step, message, values);
    if (message)
        be_behind(&follow->pasts[b], message->round);
    for (int32_t i = 0; i < step->count && info->writes; i++)
        *cell(follow, runner->rank, step->destination, i) = values[i];
    if (!info->sends)
        return;
    ProgramWork *work =
        new_work(follow, ++follow->pasts[b].round, runner->rank, runner->block->send, step->count);
    for (int32_t i = 0; i < step->count; i++)
        work->items[i] = (ProgramItem){values[i], -1, -1};
    *ARRAY_PUSH(follow->scratch, &follow->pasts[b].sent) = (Sent){work->round, work->items};
    out->arrived = ++out->sent;
}

static void do_step(Follow *follow, int32_t b)
{
    GpuRunner *runner = &follow->stepper.runners[b];
    Past *past = &follow->pasts[b];
    const GpuStep *step = gpu_stepper_next(&follow->stepper, b);
    if (step->wait_block >= 0)
        be_behind(past, follow->pasts[follow->stepper.first_of[runner->rank] + step->wait_block]
                            .signalled[gpu_stepper_waited(&follow->stepper, b)]);
    if (step->kind == GPU_STEP_BARRIER) {
        pass_barrier(follow, runner->rank, step->barrier);
        return;
    }
    if (gpu_step_is_sync(step->kind))
        pass_signals(follow, b, step);
    else if (step->source.owner || step->destination.owner)
        move_over(follow, b, step);
    else if (step->kind != GPU_STEP_NOTHING)
        move_chunks(follow, b, step);
    past->signalled[runner->next++] = past->round;
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
    follow.stepper = gpu_stepper_create(follow.scratch, follow.program, 1, INT64_MAX);
    follow.pasts = ARENA_ARRAY(follow.scratch, Past, (size_t)follow.stepper.count);
    follow.signals = ARENA_ARRAY(follow.scratch, Rounds, follow.program->semaphores.count);
    for (int32_t b = 0; b < follow.stepper.count; b++)
        follow.pasts[b].signalled =
            ARENA_ARRAY(follow.scratch, int64_t, follow.stepper.runners[b].block->steps.count);
    for (bool moves = true; moves;) {
        moves = false;
        for (int32_t b = 0; b < follow.stepper.count; b++)
            while (!gpu_stepper_is_done(&follow.stepper, b) &&
                   gpu_stepper_wait(&follow.stepper, b) == GPU_IS_FREE) {
                do_step(&follow, b);
                moves = true;
            }
    }
    for (int32_t r = 0; r < follow.program->rank_count; r++)
        for (int64_t c = 0; c < program_cells(follow.program, follow.blocks->sizes, r); c++)
            if (follow.blocks->after[r][c] >= 0)
                *ARRAY_PUSH(follow.arena, &follow.flow->after) =
                    (ProgramHeld){r, follow.blocks->after[r][c], follow.cells[r][c]};
    ProgramWorks *works = &follow.flow->works;
    Ordered *ordered = ARENA_ARRAY(follow.scratch, Ordered, works->count + 1);
    for (size_t w = 0; w < works->count; w++)
        ordered[w] = (Ordered){works->items[w], w};
    qsort(ordered, works->count, sizeof *ordered, compare);
    for (size_t w = 0; w < works->count; w++)
        works->items[w] = ordered[w].work;
    count_uses(&flow);
    arena_destroy(follow.scratch);
    return flow;
}
