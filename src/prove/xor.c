#include "prove/prove.h"

/* Lemma X: p a power of two. If the rank r and the root count only as v = r xor root, the receiver
   is r xor X or X xor root, and blocks are X xor root, X free of both, then the schedule of a root
   is that of root 0 with all ranks and blocks xor root. */

/* What an expression is where p is a power of two, past names. */
static const Expr *meant(const Algorithm *algorithm, const Expr *expr)
{
    for (;;) {
        const Expr *next = NULL;
        if (expr->kind == EXPR_WHEN && expr->arguments[0]->kind == EXPR_POWER_OF_TWO)
            next = expr->arguments[1];
        if (expr->kind == EXPR_WHEN && expr->arguments[0]->kind == EXPR_NOT &&
            expr->arguments[0]->arguments[0]->kind == EXPR_POWER_OF_TWO)
            next = expr->arguments[2];
        for (size_t i = 0; expr->kind == EXPR_VARIABLE && i < algorithm->lets.count; i++)
            if (algorithm->lets.items[i].slot == expr->slot)
                next = program_expr(algorithm->lets.items[i].program);
        if (!next)
            return expr;
        expr = next;
    }
}

static bool is_name(const Algorithm *algorithm, const Expr *expr, int slot)
{
    expr = meant(algorithm, expr);
    return expr->kind == EXPR_VARIABLE && expr->slot == slot;
}

/* Is it free of r and root, but for v? */
static bool is_free(const Algorithm *algorithm, const Expr *expr)
{
    expr = meant(algorithm, expr);
    if (expr->kind == EXPR_XOR && ((is_name(algorithm, expr->arguments[0], SCHEDULE_R) &&
                                    is_name(algorithm, expr->arguments[1], SCHEDULE_ROOT)) ||
                                   (is_name(algorithm, expr->arguments[0], SCHEDULE_ROOT) &&
                                    is_name(algorithm, expr->arguments[1], SCHEDULE_R))))
        return true;
    if (expr_is_loop(expr)) { /* its index has the slot of the name that it is the value of */
        bool free = !expr_uses(expr, SCHEDULE_R) && !expr_uses(expr, SCHEDULE_ROOT);
        for (size_t i = 0; i < algorithm->lets.count; i++)
            free &= algorithm->lets.items[i].slot == expr->arguments[0]->slot ||
                    !expr_uses(expr, algorithm->lets.items[i].slot) ||
                    is_free(algorithm, program_expr(algorithm->lets.items[i].program));
        return free;
    }
    if (expr->kind == EXPR_VARIABLE)
        return expr->slot != SCHEDULE_R && expr->slot != SCHEDULE_ROOT;
    for (int i = 0; i < expr->argument_count; i++)
        if (!is_free(algorithm, expr->arguments[i]))
            return false;
    return true;
}

static bool is_program_free(const Algorithm *algorithm, const Program *program)
{
    return !program || is_free(algorithm, program_expr(program));
}

/* X xor root; or r xor X, for a receiver. */
static bool turns(const Algorithm *algorithm, const Program *program, bool is_receiver)
{
    const Expr *expr = program ? meant(algorithm, program_expr(program)) : NULL;
    for (int i = 0; expr && expr->kind == EXPR_XOR && i < 2; i++)
        if (is_free(algorithm, expr->arguments[1 - i]) &&
            (is_name(algorithm, expr->arguments[i], SCHEDULE_ROOT) ||
             (is_receiver && is_name(algorithm, expr->arguments[i], SCHEDULE_R))))
            return true;
    return false;
}

static bool step_turns(const Algorithm *algorithm, const ScheduleStep *step)
{
    const int indices = algorithm->collective->index_count;
    if (!is_program_free(algorithm, step->condition.program) || step->then.count)
        return false;
    for (size_t i = 0; i < step->lets.count; i++)
        if (!is_program_free(algorithm, step->lets.items[i].program))
            return false;
    if (step->kind == STEP_REPEAT || step->kind == STEP_ROUND) {
        for (size_t i = 0; i < step->step_count; i++)
            if (!step_turns(algorithm, &step->steps[i]))
                return false;
        return step->kind == STEP_ROUND ||
               (is_program_free(algorithm, step->from) && is_program_free(algorithm, step->to));
    }
    if (step->kind != STEP_TRANSFER || !turns(algorithm, step->transfer.to.program, true))
        return false;
    for (size_t i = 0; i < step->loop_count; i++)
        if (!is_program_free(algorithm, step->loops[i].from) ||
            !is_program_free(algorithm, step->loops[i].to))
            return false;
    for (size_t i = 0; i < step->transfer.blocks.count; i++) {
        const CompiledSet *set = &step->transfer.blocks.items[i];
        bool good = is_program_free(algorithm, set->condition) && (!set->is_range || !indices);
        for (int j = 0; j < set->loop_count; j++)
            good &= is_program_free(algorithm, set->loops[j].from) &&
                    is_program_free(algorithm, set->loops[j].to);
        for (int j = 0; good && !set->syntax->all && !set->is_range && j < set->index_count; j++)
            good &= j < indices ? turns(algorithm, set->indices[j], false)
                                : is_program_free(algorithm, set->indices[j]);
        if (!good)
            return false;
    }
    return true;
}

bool lemma_xor(const Algorithm *algorithm)
{
    for (size_t i = 0; i < algorithm->step_count; i++)
        if (!step_turns(algorithm, &algorithm->steps[i]))
            return false;
    return !algorithm->array_count && is_program_free(algorithm, algorithm->chunks.program);
}
