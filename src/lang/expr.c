#include "lang/expr.h"

const OperationInfo operation_info[EXPR_KIND_COUNT] = {
    [EXPR_NUMBER] = {"number", 0, RULE_LEAF},
    [EXPR_VARIABLE] = {"name", 0, RULE_LEAF},
#define OPERATION(id, word, arity, rule) [EXPR_##id] = {word, arity, RULE_##rule},
#include "lang/operations.def"
#undef OPERATION
};

bool expr_is_loop(const Expr *expr)
{
    return operation_info[expr->kind].rule == RULE_SUMMATION;
}

int scope_add(Arena *arena, Scope *scope, Variable variable)
{
    *ARRAY_PUSH(arena, scope) = variable;
    return (int)scope->count - 1;
}

int scope_find(const Scope *scope, Text name)
{
    for (size_t i = scope->count; i-- > 0;)
        if (text_equals(name, scope->items[i].name))
            return (int)i;
    return -1;
}

bool expr_uses(const Expr *expr, int slot)
{
    if (expr->kind == EXPR_VARIABLE && expr->slot == slot)
        return true;
    for (int i = 0; i < expr->argument_count; i++)
        if (expr_uses(expr->arguments[i], slot))
            return true;
    return false;
}
