/* Rounds that come again. A pipeline fills, runs and drains alike for all numbers of chunks, and
   its rounds differ in which chunk a rank sends, not in who sends to whom: where each sender has
   one block for a receiver that does not depend on the pass, who the senders are tells the round.
   Of ranks that a step cannot tell apart one is asked. Names and classes of ranks are the same for
   all numbers of chunks, and kept with the rounds. */
#include "base/place_table.h"
#include "model/trees.h"
#include "sched/expander.h"
#include "sched/grid_stages.h"

/* Names of a program, or of classes of ranks. */
typedef struct {
    Frame frame;
    uint64_t slots, varying; /* of the frame; of these, with many values */
    size_t class_count;      /* 0: ranks are too different */
    const uint8_t *classes;
} KeptNames;

/* Of more ranks names are not kept: most schedules are too large there, and names take memory. */
enum { MOST_CLASSES = UINT8_MAX, MOST_NAMED = 1 << 16 };

const RoundsAgain *expander_again_in(const RoundsAgain *outer, int64_t times, Posting posting,
                                     RoundsAgain *inner)
{
    if (!outer)
        return NULL;
    *inner = *outer;
    inner->place = hash_add(outer->place, (uint64_t)times, (uint64_t)posting);
    return inner;
}

/* Of what names depend on but for k. */
static WideHash hash_names(const Expander *expander, const void *of)
{
    const Instance *instance = expander->instance;
    const Shape shape = instance_shape(instance);
    WideHash hash = hash_add((WideHash){0}, (uintptr_t)of, (uint64_t)expander->branches);
    hash = hash_add(hash, (uintptr_t)expander->algorithm, expander->lanes);
    hash = hash_add(hash, (uint64_t)instance->p, (uint64_t)instance->ports);
    hash = hash_add(hash, (uint64_t)instance->root, (uint64_t)instance->target);
    for (int d = 0; d < shape.count; d++)
        hash = hash_add(hash, (uint64_t)shape.sizes[d], (uint64_t)d);
    return hash;
}

/* Of a program's steps; all bits where they do not say what they read. */
static uint64_t reads_of_steps(const ScheduleStep *steps, size_t count)
{
    uint64_t slots = 0;
    for (size_t i = 0; i < count; i++) {
        const ScheduleStep *step = &steps[i];
        slots |= expander_reads(step) | program_reads(step->condition.program) |
                 program_reads(step->from) | program_reads(step->to) |
                 reads_of_steps(step->steps, step->step_count);
        for (size_t l = 0; l < step->lets.count; l++)
            slots |= program_reads(step->lets.items[l].program);
        if (step->then.count || step->loop_count || step->kind == STEP_USE ||
            step->kind == STEP_COMPUTE)
            return UINT64_MAX;
    }
    return slots;
}

/* NULL: none are kept. */
static const KeptNames *find_names(const Expander *expander, const void *of)
{
    const RoundsAgain *again = expander->wanted->again;
    const GridStage *known =
        again ? grid_stages_find(again->stages, hash_names(expander, of)) : NULL;
    return known ? known->kept : NULL;
}

static const KeptNames *keep_names(const Expander *expander, const void *of, KeptNames names)
{
    GridStages *stages = expander->wanted->again->stages;
    const KeptNames *kept = ARENA_COPY(grid_stages_arena(stages), KeptNames, &names, 1);
    grid_stages_put(stages, (GridStage){.key = hash_names(expander, of), .kept = kept});
    return kept;
}

static void put_names(const KeptNames *names, Frame *frame)
{
    for (int slot = 0; slot < MOST_SLOTS; slot++)
        if (names->slots >> slot & 1)
            frame->slots[slot] = names->frame.slots[slot];
}

bool expander_recall_names(Expander *expander)
{
    const KeptNames *names = find_names(expander, NULL);
    if (!names)
        return false;
    put_names(names, &expander->frame);
    expander->varying |= names->varying;
    return true;
}

void expander_keep_names(const Expander *expander)
{
    const RoundsAgain *again = expander->wanted->again;
    const Algorithm *algorithm = expander->algorithm;
    const size_t bytes = expander->lanes * sizeof(int64_t);
    KeptNames names = {.varying = expander->varying};
    if (!again || !algorithm->free_chunks || expander->lanes > MOST_NAMED ||
        expander->passing != (uint64_t)1 << SCHEDULE_K)
        return;
    names.slots = reads_of_steps(algorithm->steps, algorithm->step_count);
    if (names.slots == UINT64_MAX ||
        bytes * (size_t)__builtin_popcountll(names.slots & names.varying) > MOST_KEPT)
        return;
    names.slots &= ~(((uint64_t)1 << SCHEDULE_DIMS) - 1); /* these are of the instance */
    for (int slot = 0; slot < MOST_SLOTS; slot++)
        if (names.slots >> slot & 1 && expander->frame.slots[slot])
            names.frame.slots[slot] =
                arena_copy(grid_stages_arena(again->stages), expander->frame.slots[slot],
                           names.varying >> slot & 1 ? bytes : sizeof(int64_t));
    keep_names(expander, NULL, names);
}

/* Of all rounds, whatever k. */
static WideHash hash_program(const Expander *expander)
{
    const WideHash place = expander->wanted->again->place;
    const WideHash hash = hash_names(expander, NULL);
    return hash_add(hash_add(hash, place.high, place.low), expander->is_backwards, 1);
}

/* By their values in these slots. */
static KeptNames sort_ranks(const Expander *expander, uint64_t slots, Arena *arena)
{
    Arena *scratch = arena_scratch(arena);
    uint8_t *classes = ARENA_ROOM(scratch, uint8_t, expander->lanes);
    int64_t first[MOST_CLASSES];
    PlaceTable places = {0};
    KeptNames names = {.slots = slots};
    size_t count = 0, r = 0;
    for (; r < expander->lanes && count < MOST_CLASSES; r++) {
        WideHash hash = {0};
        for (uint64_t left = slots; left; left &= left - 1) {
            const int64_t *values = expander->frame.slots[__builtin_ctzll(left)];
            hash = hash_add(hash, (uint64_t)values[r], left);
        }
        int32_t *place = place_table_find(scratch, &places, hash.low >> 1);
        if (*place < 0)
            *place = (int32_t)count, first[count++] = (int64_t)r;
        classes[r] = (uint8_t)*place;
    }
    if (r == expander->lanes) {
        names.class_count = count;
        names.classes = ARENA_COPY(arena, uint8_t, classes, r);
        for (uint64_t left = slots; left; left &= left - 1) {
            const int slot = __builtin_ctzll(left);
            names.frame.slots[slot] =
                lanes_gather(arena, expander->frame.slots[slot], first, count);
        }
    }
    arena_destroy(scratch);
    return names;
}

AskedRanks expander_ask(const Expander *expander, const ScheduleStep *step)
{
    const RoundsAgain *again = expander->wanted->again;
    AskedRanks asked = {expander->lanes, expander->frame, NULL};
    uint64_t slots = program_reads(step->condition.program);
    for (size_t s = 0; s < step->transfer.blocks.count; s++)
        slots |= step->transfer.blocks.items[s].varying | step->transfer.blocks.items[s].whole;
    slots &= expander->varying;
    if (!again || slots & (expander->passing | (uint64_t)1 << SCHEDULE_R))
        return asked;
    const KeptNames *names = find_names(expander, step);
    if (!names)
        names = keep_names(expander, step,
                           sort_ranks(expander, slots, grid_stages_arena(again->stages)));
    if (!names->class_count)
        return asked;
    asked.count = names->class_count;
    asked.classes = names->classes;
    put_names(names, &asked.frame);
    return asked;
}

static bool add_step(const Expander *expander, const ScheduleStep *step, WideHash *key)
{
    int64_t extents[MOST_INDICES];
    const Transfer *transfer = &step->transfer;
    bool alike = step->kind == STEP_TRANSFER && !step->loop_count && !transfer->into.count &&
                 transfer->as < 0 && !(program_reads(transfer->to.program) & expander->passing);
    for (size_t s = 0; s < transfer->blocks.count && alike; s++) {
        const CompiledSet *set = &transfer->blocks.items[s];
        alike = !set->syntax->all && !set->loop_count && !set->condition;
    }
    if (!alike) /* in all passes */
        return false;
    const AskedRanks asked = expander_ask(expander, step);
    const size_t count = asked.count;
    int64_t *holds = ARENA_ROOM(expander->arena, int64_t, count);
    int64_t *values = ARENA_ROOM(expander->arena, int64_t, count);
    Program *condition = step->condition.program;
    for (size_t r = 0; r < count && !condition; r++)
        holds[r] = 1;
    if (condition && !program_try(condition, asked.frame.slots, count, holds))
        return false;
    for (size_t s = 0; s < step->transfer.blocks.count; s++) {
        const CompiledSet *set = &step->transfer.blocks.items[s];
        if (!blockspace_extents(&expander->space, set, extents))
            return false;
        for (int i = 0; i < set->index_count; i++) {
            if (!program_try(set->indices[i], asked.frame.slots, count, values))
                return false;
            for (size_t r = 0; r < count; r++)
                if (holds[r] && (values[r] < 0 || values[r] >= extents[i]))
                    return false; /* there is no such block */
        }
    }
    *key = hash_add(*key, (uintptr_t)step, count);
    for (size_t begin = 0; begin < count; begin += 64) {
        uint64_t senders = 0;
        for (size_t r = begin; r < count && r < begin + 64; r++)
            senders |= (uint64_t)(holds[r] != 0) << (r - begin);
        *key = hash_add(*key, senders, begin);
    }
    return true;
}

bool expander_key(const Expander *expander, const ScheduleStep *step, int64_t round, WideHash *key)
{
    if (!step) { /* which edges of trees send, and each its next chunk, follows from two rounds */
        const int64_t k = expander->instance->k, rounds = expander->algorithm->trees->rounds;
        *key = hash_add(hash_program(expander), (uint64_t)(round < k ? -1 : round - k),
                        (uint64_t)(round < rounds ? round : rounds - 1));
        return true;
    }
    const ScheduleStep *steps = step->kind == STEP_TRANSFER ? step : step->steps;
    const size_t count = step->kind == STEP_TRANSFER ? 1 : step->step_count;
    bool good = expander->counts_only && expander->passing;
    const ArenaMark mark = arena_mark(expander->arena);
    if (good)
        *key = hash_program(expander);
    for (size_t i = 0; i < count && good; i++)
        good = add_step(expander, &steps[i], key);
    arena_release(expander->arena, mark);
    return good;
}
