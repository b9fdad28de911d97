#include "sched/chunk_repeats.h"

#include "sched/pieces.h"
#include "sched/reads.h"

/* Nothing in the step reads a variable, but the last index of its blocks, which then is just that.
 */
static bool reads_as_chunk(const ScheduleStep *step, int slot)
{
    const SetList *lists[] = {&step->transfer.blocks, &step->transfer.into};
    if (step->kind == STEP_USE || step->kind == STEP_COMPUTE || step->then.count ||
        program_uses(step->condition.program, slot) || lets_read(&step->lets, slot) ||
        program_uses(step->from, slot) || program_uses(step->to, slot) || loops_read(step, slot) ||
        program_uses(step->transfer.to.program, slot))
        return false;
    for (size_t l = 0; l < 2 && step->kind == STEP_TRANSFER; l++) {
        if (sets_name_all(lists[l]) || sets_read(lists[l], slot, true))
            return false;
        for (size_t s = 0; s < lists[l]->count; s++) {
            const CompiledSet *set = &lists[l]->items[s];
            if (set->is_range || !set->index_count ||
                !expr_is_variable(program_expr(set->indices[set->index_count - 1]), slot))
                return false;
        }
    }
    for (size_t i = 0; i < step->step_count; i++)
        if (!reads_as_chunk(&step->steps[i], slot))
            return false;
    return true;
}

/* What it uses, and steps inside, not counted. */
static bool step_reads_k(const ScheduleStep *step)
{
    const Transfer *transfer = &step->transfer;
    const Use *use = &step->use;
    return program_uses(step->condition.program, SCHEDULE_K) ||
           lets_read(&step->lets, SCHEDULE_K) || lets_read(&step->then, SCHEDULE_K) ||
           program_uses(step->from, SCHEDULE_K) || program_uses(step->to, SCHEDULE_K) ||
           loops_read(step, SCHEDULE_K) || program_uses(transfer->to.program, SCHEDULE_K) ||
           sets_read(&transfer->blocks, SCHEDULE_K, false) ||
           sets_read(&transfer->into, SCHEDULE_K, false) ||
           program_uses(use->root.program, SCHEDULE_K) ||
           program_uses(use->target.program, SCHEDULE_K);
}

/* Does nothing in these steps, or in what they use, depend on k, nor cut blocks? */
static bool are_free_of_k(const ScheduleStep *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ScheduleStep *step = &steps[i];
        if (step->kind == STEP_COMPUTE || step_reads_k(step) ||
            !are_free_of_k(step->steps, step->step_count))
            return false;
        const Algorithm *used =
            step->kind == STEP_USE ? algorithm_origin(step->use.algorithm) : NULL;
        if (used &&
            (used->chunks.program || used->trees || used->pipelined || step->use.channels.program ||
             lets_read(&used->lets, SCHEDULE_K) || !are_free_of_k(used->steps, used->step_count)))
            return false;
    }
    return true;
}

/* repeat: h in 0 .. k - 1, for nothing but the chunk h */
static bool repeats_by_chunk(const ScheduleStep *step)
{
    if (step->kind != STEP_REPEAT || step->loop.down || step->condition.program)
        return false;
    const Expr *to = expr_unconverted(program_expr(step->to));
    bool all = expr_is_integer(program_expr(step->from), 0) && to->kind == EXPR_SUBTRACT &&
               expr_is_variable(to->arguments[0], SCHEDULE_K) &&
               expr_is_integer(to->arguments[1], 1);
    if (!all || step->then.count || lets_read(&step->lets, SCHEDULE_K) ||
        lets_read(&step->lets, step->loop.slot) || !are_free_of_k(step->steps, step->step_count))
        return false;
    for (size_t i = 0; i < step->step_count; i++)
        if (!reads_as_chunk(&step->steps[i], step->loop.slot))
            return false;
    return true;
}

/* Does each outermost step either the same for one chunk after the other, or what it does for all
   chunks together? */
static bool only_repeats(const Algorithm *algorithm)
{
    algorithm = algorithm_origin(algorithm);
    bool has_own = algorithm->chunks.program != NULL;
    if (algorithm->trees || algorithm->pipelined ||
        (has_own && !expr_is_variable(program_expr(algorithm->chunks.program), SCHEDULE_K)) ||
        lets_read(&algorithm->lets, SCHEDULE_K))
        return false;
    for (size_t i = 0; i < algorithm->step_count; i++) {
        const ScheduleStep *step = &algorithm->steps[i];
        bool uses = !has_own && step->kind == STEP_USE && !step->use.channels.program;
        if (!(has_own && repeats_by_chunk(step)) && !(uses && are_free_of_k(step, 1)) &&
            !(uses && !step_reads_k(step) && only_repeats(step->use.algorithm)))
            return false;
    }
    return true;
}

bool chunks_only_repeat(const Instance *instance, int64_t most)
{
    Instance tried = *instance;
    Pieces one, pieces;
    Diag silent = diag_silent();
    tried.k = 1;
    if (!pieces_find(&tried, &one, &silent) || !only_repeats(instance->algorithm))
        return false;
    for (tried.k = 2; tried.k <= most; tried.k++)
        if (!pieces_find(&tried, &pieces, &silent) ||
            pieces.cuts * pieces.chunks != tried.k * one.cuts * one.chunks)
            return false;
    return true;
}
