#include "lang/expr.h"

const OperationInfo operation_info[EXPR_KIND_COUNT] = {
    [EXPR_NUMBER] = {"number", 0, RULE_LEAF},
    [EXPR_VARIABLE] = {"name", 0, RULE_LEAF},
    [EXPR_CALL] = {"call", 0, RULE_LEAF},
#define OPERATION(id, word, arity, rule) [EXPR_##id] = {word, arity, RULE_##rule},
#include "lang/operations.def"
};

bool expr_is_loop(const Expr *expr)
{
    return operation_info[expr->kind].rule == RULE_SUMMATION;
}

size_t expr_size(const Expr *expr)
{
    size_t size = 1;
    for (int i = 0; i < expr->argument_count; i++)
        size += expr_size(expr->arguments[i]);
    return size;
}

static int64_t count_operators(const Expr *expr)
{
    int64_t count = expr->argument_count > 0;
    for (int i = 0; i < expr->argument_count; i++)
        count += count_operators(expr->arguments[i]);
    return count;
}

int64_t expr_term_weight(const Expr *loop)
{
    return 1 + count_operators(loop->arguments[3]) / 16;
}

int scope_add(Arena *arena, Scope *scope, Variable variable)
{
    *ARRAY_PUSH(arena, scope) = variable;
    return (int)scope->count - 1;
}

Scope scope_of_whole(Arena *arena, const char *const *names, int count, int varying)
{
    Scope scope = {0};
    for (int i = 0; i < count; i++)
        scope_add(arena, &scope,
                  (Variable){names[i] ? names[i] : "", TYPE_INT, DIMENSION_NONE, i == varying});
    return scope;
}

int scope_find(const Scope *scope, Text name)
{
    for (size_t i = scope->count; i-- > 0;)
        if (text_equals(name, scope->items[i].name))
            return (int)i;
    return -1;
}

void scope_add_function(Arena *arena, Scope *scope, const Signature *signature, Expr *body)
{
    const char *name = text_string(arena, signature->name);
    Function *function = ARENA_NEW(arena, Function);
    *function = (Function){*signature, body, scope->count};
    scope_add(arena, scope, (Variable){name, TYPE_FUNCTION, DIMENSION_NONE, false});
    *ARRAY_PUSH(arena, &scope->functions) = function;
}

const Function *scope_function(const Scope *scope, int slot)
{
    if (scope->items[slot].type != TYPE_FUNCTION)
        return NULL;
    size_t i = scope->functions.count;
    while (i > 0 && scope->functions.items[i - 1]->names != (size_t)slot)
        i--;
    return i > 0 ? scope->functions.items[i - 1] : NULL;
}

int scope_array_number(const Scope *scope, int slot)
{
    int number = 0;
    for (int i = 0; i < slot; i++)
        number += scope->items[i].type == TYPE_ARRAY;
    return number;
}

Expr *expr_copy(Arena *arena, const Expr *expr, int slot, int shift, size_t *room)
{
    if (*room == 0)
        return NULL;
    --*room;
    Expr *copy = ARENA_COPY(arena, Expr, expr, 1);
    bool has_slot = expr->kind == EXPR_VARIABLE || expr_is_loop(expr);
    if (has_slot && expr->slot >= slot)
        copy->slot += shift;
    for (int i = 0; i < expr->argument_count; i++) {
        copy->arguments[i] = expr_copy(arena, expr->arguments[i], slot, shift, room);
        if (!copy->arguments[i])
            return NULL;
    }
    return copy;
}

bool expr_equals(const Expr *a, const Expr *b)
{
    if (a->kind != b->kind || a->type != b->type || a->argument_count != b->argument_count ||
        (a->kind == EXPR_VARIABLE && a->slot != b->slot) ||
        (a->kind == EXPR_NUMBER &&
         (a->exact || b->exact || a->integer != b->integer || a->real != b->real)) ||
        (expr_is_loop(a) && a->slot != b->slot))
        return false;
    for (int i = expr_is_loop(a); i < a->argument_count; i++)
        if (!expr_equals(a->arguments[i], b->arguments[i]))
            return false;
    return true;
}

bool expr_names(const Expr *expr, const char *name)
{
    bool found =
        (expr->kind == EXPR_VARIABLE || expr->kind == EXPR_CALL) && text_equals(expr->text, name);
    bool binds = expr_is_loop(expr) && text_equals(expr->arguments[0]->text, name);
    for (int i = binds ? 1 : 0; i < expr->argument_count; i++)
        found |= !(binds && i == 3) && expr_names(expr->arguments[i], name);
    return found;
}

Expr *expr_make(Arena *arena, ExprKind kind, Text text, Expr *a, Expr *b)
{
    Expr *node = ARENA_NEW(arena, Expr);
    *node = (Expr){.kind = kind, .text = text, .arguments = {a, b}};
    node->argument_count = (a != NULL) + (b != NULL);
    return node;
}

Expr *expr_variable(Arena *arena, const char *name, Text text)
{
    return expr_make(arena, EXPR_VARIABLE, (Text){name, strlen(name), text.span, false}, NULL,
                     NULL);
}

Expr *expr_number(Arena *arena, int64_t value, Text text)
{
    Expr *number = expr_make(arena, EXPR_NUMBER, text, NULL, NULL);
    number->type = TYPE_INT;
    number->integer = value;
    number->real = (double)value;
    return number;
}

Expr *expr_replace(Arena *arena, Expr *expr, const char *name, Expr *other)
{
    if (expr->kind == EXPR_VARIABLE && text_equals(expr->text, name))
        return other;
    if (!expr_names(expr, name))
        return expr;
    Expr *copy = ARENA_COPY(arena, Expr, expr, 1);
    for (int i = 0; i < expr->argument_count; i++)
        copy->arguments[i] = expr_replace(arena, expr->arguments[i], name, other);
    return copy;
}

bool expr_uses(const Expr *expr, int slot)
{
    return expr_slots(expr) >> slot & 1;
}

uint64_t expr_slots(const Expr *expr)
{
    uint64_t slots = expr->kind == EXPR_VARIABLE ? (uint64_t)1 << expr->slot : 0;
    for (int i = 0; i < expr->argument_count; i++)
        slots |= expr_slots(expr->arguments[i]);
    return slots;
}

bool expr_is_linear(const Expr *expr, uint64_t slots)
{
    Expr *const *arguments = expr->arguments;
    if (!(expr_slots(expr) & slots))
        return true;
    switch (expr->kind) {
    case EXPR_VARIABLE:
        return true;
    case EXPR_NEGATE:
        return expr_is_linear(arguments[0], slots);
    case EXPR_ADD:
    case EXPR_SUBTRACT:
        return expr_is_linear(arguments[0], slots) && expr_is_linear(arguments[1], slots);
    case EXPR_MULTIPLY:
        return expr_is_linear(arguments[0], slots) && expr_is_linear(arguments[1], slots) &&
               !((expr_slots(arguments[0]) & slots) && (expr_slots(arguments[1]) & slots));
    default:
        return false;
    }
}
