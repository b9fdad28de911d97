#include "lang/fold.h"

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

/* The value of a known expression as a number; NULL: it has none. */
static Expr *fold_value(Folder *folder, const Expr *expr)
{
    Diag silent = diag_silent();
    Expr *number = ARENA_NEW(folder->arena, Expr);
    *number = (Expr){.kind = EXPR_NUMBER,
                     .type = expr->type == TYPE_REAL ? TYPE_REAL : TYPE_INT,
                     .dimension = expr->dimension,
                     .text = expr->text};
    Arena *scratch = arena_scratch(folder->arena);
    Program *program = program_compile(scratch, expr, folder->scope);
    bool good =
        program_run(program, folder->slots, 1,
                    expr->type == TYPE_REAL ? (void *)&number->real : &number->integer, &silent);
    arena_destroy(scratch);
    return good ? number : NULL;
}

/* In a loop, what varies with its index goes on to do so. */
static Expr *fold(Folder *folder, const Expr *expr, bool in_loop)
{
    bool is_leaf = expr->argument_count == 0 && expr->kind != EXPR_VARIABLE;
    Expr *number =
        !is_leaf && !expr->varies && is_known(folder, expr, 0) ? fold_value(folder, expr) : NULL;
    if (number)
        return number;
    Expr *copy = ARENA_COPY(folder->arena, Expr, expr, 1);
    bool is_loop = expr_is_loop(expr), varies = false;
    for (int i = is_loop; i < expr->argument_count; i++) {
        copy->arguments[i] = fold(folder, expr->arguments[i], in_loop || is_loop);
        varies |= copy->arguments[i]->varies;
    }
    if (in_loop || is_loop || expr->argument_count == 0)
        return copy;
    copy->varies = varies;
    bool chooses = copy->kind == EXPR_WHEN && copy->arguments[0]->kind == EXPR_NUMBER;
    return chooses ? copy->arguments[copy->arguments[0]->integer ? 1 : 2] : copy;
}

Program *program_fold(Arena *arena, const Program *program, uint64_t known,
                      const void *const *slots)
{
    const Scope *scope = program_scope(program);
    Folder folder = {arena, scope, known, slots};
    return program_compile(arena, fold(&folder, program_expr(program), false), scope);
}
