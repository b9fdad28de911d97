#include "lang/fold.h"

#include "lang/kernels.h"

#include <math.h>
#include <string.h>

typedef struct {
    Arena *arena;
    const Scope *scope;
    uint64_t known;
    const void *const *slots;
} Folder;

/* Are all variables that it reads known? Indices of its own sums are not looked for, so a term is
   known only together with its sum. */
static bool is_known(const Folder *folder, const Expr *expr, uint64_t indices)
{
    uint64_t known = folder->known | indices;
    if (expr->kind == EXPR_VARIABLE)
        return known >> expr->slot & 1;
    if (expr_is_loop(expr))
        indices |= (uint64_t)1 << expr->slot;
    for (int i = expr_is_loop(expr); i < expr->argument_count; i++)
        if (!is_known(folder, expr->arguments[i], indices))
            return false;
    return true;
}

/* NULL: the value is none. */
static Expr *number_of(Folder *folder, const Expr *expr, int64_t bits)
{
    const bool is_real = expr->type == TYPE_REAL;
    double real;
    memcpy(&real, &bits, sizeof real);
    if (is_real ? !isfinite(real) : bits == POISON)
        return NULL;
    Expr *number = ARENA_ROOM(folder->arena, Expr, 1);
    *number = (Expr){.kind = EXPR_NUMBER,
                     .type = is_real ? TYPE_REAL : TYPE_INT,
                     .dimension = expr->dimension,
                     .text = expr->text};
    if (is_real)
        number->real = real;
    else
        number->integer = bits;
    return number;
}

/* An operation on numbers. */
static Expr *fold_operation(Folder *folder, const Expr *expr)
{
    int64_t values[4] = {0};
    for (int i = 0; i < expr->argument_count; i++) {
        const Expr *argument = expr->arguments[i];
        if (argument->kind != EXPR_NUMBER)
            return NULL;
        if (argument->type == TYPE_REAL)
            memcpy(&values[i], &argument->real, sizeof argument->real);
        else
            values[i] = argument->integer;
    }
    return number_of(folder, expr, kernel_operation(expr, values));
}

/* What is left where the first argument alone decides, or says which of the others does; NULL: all.
 */
static Expr *fold_choice(const Expr *expr)
{
    const Expr *first = expr->arguments[0];
    bool decides = expr->kind == EXPR_WHEN || expr->kind == EXPR_AND || expr->kind == EXPR_OR;
    if (!decides || first->kind != EXPR_NUMBER)
        return NULL;
    if (expr->kind == EXPR_WHEN)
        return expr->arguments[first->integer ? 1 : 2];
    return expr->arguments[(first->integer != 0) == (expr->kind == EXPR_AND) ? 1 : 0];
}

/* From the leaves up. In a loop, what varies with its index goes on to do so. */
static Expr *fold(Folder *folder, const Expr *expr, bool in_loop)
{
    const bool is_loop = expr_is_loop(expr), is_name = expr->kind == EXPR_VARIABLE;
    Expr *number = NULL;
    if ((is_name || is_loop) && !expr->varies && is_known(folder, expr, 0)) {
        int64_t bits;
        bool has_value = true;
        if (is_name) {
            memcpy(&bits, folder->slots[expr->slot], sizeof bits);
        } else { /* a sum whose terms are known, and the like */
            Arena *scratch = arena_scratch(folder->arena);
            Program *program = program_compile(scratch, expr, folder->scope);
            has_value = program_try(program, folder->slots, 1, &bits);
            arena_destroy(scratch);
        }
        number = has_value ? number_of(folder, expr, bits) : NULL;
    }
    if (number)
        return number;
    Expr *copy = ARENA_COPY(folder->arena, Expr, expr, 1);
    if (expr->argument_count == 0)
        return copy;
    bool varies = false;
    for (int i = is_loop; i < expr->argument_count; i++) {
        copy->arguments[i] = fold(folder, expr->arguments[i], in_loop || is_loop);
        varies |= copy->arguments[i]->varies;
    }
    if (is_loop)
        return copy;
    number = fold_operation(folder, copy);
    if (number || in_loop)
        return number ? number : copy;
    copy->varies = varies;
    number = fold_choice(copy);
    return number ? number : copy;
}

Program *program_fold(Arena *arena, const Program *program, uint64_t known,
                      const void *const *slots)
{
    const Scope *scope = program_scope(program);
    Folder folder = {arena, scope, known, slots};
    return program_compile(arena, fold(&folder, program_expr(program), false), scope);
}
