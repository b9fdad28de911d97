/* Rounds that come again. A pipeline fills, runs and drains alike for all numbers of chunks, and
   its rounds differ in which chunk a rank sends, not in who sends to whom: where each sender has
   one block for a receiver that does not depend on the pass, who the senders are tells the round.
 */
#include "sched/expander.h"
#include "sched/grid_stages.h"

const RoundsAgain *expander_again_in(const RoundsAgain *outer, int64_t times, Posting posting,
                                     RoundsAgain *inner)
{
    if (!outer)
        return NULL;
    *inner = *outer;
    inner->place = hash_add(outer->place, (uint64_t)times, (uint64_t)posting);
    return inner;
}

/* Of what is the same for all rounds, whatever k. */
static WideHash hash_program(const Expander *expander)
{
    const Instance *instance = expander->instance;
    const Shape shape = instance_shape(instance);
    WideHash hash = expander->wanted->again->place;
    hash = hash_add(hash, (uintptr_t)expander->algorithm, expander->lanes);
    hash = hash_add(hash, (uint64_t)instance->p, (uint64_t)instance->ports);
    hash = hash_add(hash, (uint64_t)instance->root, (uint64_t)instance->target);
    hash = hash_add(hash, (uint64_t)expander->branches, (uint64_t)expander->is_backwards);
    for (int d = 0; d < shape.count; d++)
        hash = hash_add(hash, (uint64_t)shape.sizes[d], (uint64_t)d);
    return hash;
}

static bool names_one_block(const CompiledSet *set)
{
    return !set->syntax->all && !set->loop_count && !set->condition;
}

static bool is_alike_in_passes(const Expander *expander, const ScheduleStep *step)
{
    const Transfer *transfer = &step->transfer;
    bool alike = step->kind == STEP_TRANSFER && !step->loop_count && !transfer->into.count &&
                 transfer->as < 0 && !(program_reads(transfer->to.program) & expander->passing);
    for (size_t s = 0; s < transfer->blocks.count && alike; s++)
        alike = names_one_block(&transfer->blocks.items[s]);
    return alike;
}

/* Is there a block with each of these names? */
static bool are_blocks(const Expander *expander, const CompiledSet *set, const int64_t *holds,
                       int64_t *values)
{
    int64_t extents[MOST_INDICES];
    bool good = blockspace_extents(&expander->space, set, extents);
    for (int i = 0; i < set->index_count && good; i++) {
        good = program_try(set->indices[i], expander->frame.slots, expander->lanes, values);
        for (size_t r = 0; r < expander->lanes && good; r++)
            good = !holds[r] || (values[r] >= 0 && values[r] < extents[i]);
    }
    return good;
}

static bool add_step(const Expander *expander, const ScheduleStep *step, WideHash *key)
{
    const size_t p = expander->lanes;
    int64_t *holds = ARENA_ROOM(expander->arena, int64_t, p);
    int64_t *values = ARENA_ROOM(expander->arena, int64_t, p);
    Program *condition = step->condition.program;
    if (!is_alike_in_passes(expander, step))
        return false;
    for (size_t r = 0; r < p && !condition; r++)
        holds[r] = 1;
    if (condition && !program_try(condition, expander->frame.slots, p, holds))
        return false;
    for (size_t s = 0; s < step->transfer.blocks.count; s++)
        if (!are_blocks(expander, &step->transfer.blocks.items[s], holds, values))
            return false;
    *key = hash_add(*key, (uintptr_t)step, p);
    for (size_t begin = 0; begin < p; begin += 64) {
        uint64_t senders = 0;
        for (size_t r = begin; r < p && r < begin + 64; r++)
            senders |= (uint64_t)(holds[r] != 0) << (r - begin);
        *key = hash_add(*key, senders, begin);
    }
    return true;
}

bool expander_key(const Expander *expander, const ScheduleStep *step, WideHash *key)
{
    const RoundsAgain *again = expander->wanted->again;
    const ScheduleStep *steps = step->kind == STEP_TRANSFER ? step : step->steps;
    const size_t count = step->kind == STEP_TRANSFER ? 1 : step->step_count;
    bool good = again && expander->counts_only && expander->passing;
    const ArenaMark mark = arena_mark(expander->arena);
    if (good)
        *key = hash_program(expander);
    for (size_t i = 0; i < count && good; i++)
        good = add_step(expander, &steps[i], key);
    arena_release(expander->arena, mark);
    return good;
}
