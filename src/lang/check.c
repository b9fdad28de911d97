#include "lang/check.h"

#include "lang/names.h"

#include <stdlib.h>
#include <string.h>

/* 0 without a unit. */
static bool is_plain_zero(const Expr *expr)
{
    return expr->kind == EXPR_NUMBER && expr->real == 0 &&
           dimension_equal(expr->dimension, DIMENSION_NONE);
}

static Expr *convert(Checker *checker, Expr *expr, ExprKind kind, Type type)
{
    Expr *conversion = ARENA_NEW(checker->arena, Expr);
    *conversion = (Expr){.kind = kind,
                         .type = type,
                         .dimension = expr->dimension,
                         .varies = expr->varies,
                         .text = expr->text,
                         .argument_count = 1,
                         .arguments = {expr}};
    return conversion;
}

static bool to_real(Checker *checker, Expr **expr)
{
    if ((*expr)->type == TYPE_INT)
        *expr = convert(checker, *expr, EXPR_TO_REAL, TYPE_REAL);
    return (*expr)->type == TYPE_REAL ||
           diag_error(checker->diag, (*expr)->text.span,
                      "expected a number, not a condition: when(condition, a, b) makes one");
}

static bool to_int(Checker *checker, Expr **expr)
{
    if ((*expr)->type == TYPE_BOOL)
        return to_real(checker, expr);
    if ((*expr)->type == TYPE_REAL && !dimension_equal((*expr)->dimension, DIMENSION_NONE))
        return diag_error(checker->diag, (*expr)->text.span, "expected an integer, not %s",
                          dimension_name(checker->arena, (*expr)->dimension));
    if ((*expr)->type == TYPE_REAL)
        *expr = convert(checker, *expr, EXPR_TO_WHOLE, TYPE_INT);
    return true;
}

static bool to_bool(Checker *checker, Expr **expr)
{
    if ((*expr)->type == TYPE_INT)
        *expr = convert(checker, *expr, EXPR_TO_BOOL, TYPE_BOOL);
    return (*expr)->type == TYPE_BOOL ||
           diag_error(checker->diag, (*expr)->text.span, "expected a condition, such as p > 1");
}

/* Both arguments get one type: whole numbers stay whole, else both are real. */
static bool unify(Checker *checker, Expr **a, Expr **b)
{
    if ((*a)->type == TYPE_INT && (*b)->type == TYPE_INT)
        return true;
    return to_real(checker, a) && to_real(checker, b);
}

/* A literal 0 may stand for zero of any dimension. */
static bool same_dimension(Checker *checker, const Expr *expr, Expr *a, Expr *b)
{
    if (is_plain_zero(a))
        a->dimension = b->dimension;
    if (is_plain_zero(b))
        b->dimension = a->dimension;
    return dimension_equal(a->dimension, b->dimension) ||
           diag_error(checker->diag, expr->text.span, "'%s' cannot combine %s and %s",
                      operation_info[expr->kind].word, dimension_name(checker->arena, a->dimension),
                      dimension_name(checker->arena, b->dimension));
}

/* + - min max, and comparisons: two numbers of one dimension. */
static bool check_arithmetic(Checker *checker, Expr *expr)
{
    Expr **a = &expr->arguments[0], **b = &expr->arguments[1];
    const bool compares = operation_info[expr->kind].rule == RULE_COMPARISON;
    if (!same_dimension(checker, expr, *a, *b) || !unify(checker, a, b))
        return false;
    expr->type = compares ? TYPE_BOOL : (*a)->type;
    expr->dimension = compares ? DIMENSION_NONE : (*a)->dimension;
    return true;
}

/* a * b and a / b: dimensions add or subtract; a quotient is always real. */
static bool check_product(Checker *checker, Expr *expr)
{
    Expr **a = &expr->arguments[0], **b = &expr->arguments[1];
    bool divides = expr->kind == EXPR_DIVIDE;
    if (divides && !(to_real(checker, a) && to_real(checker, b)))
        return false;
    if (!unify(checker, a, b))
        return false;
    expr->type = (*a)->type;
    int sign = divides ? -1 : 1;
    int time = (*a)->dimension.time + sign * (*b)->dimension.time;
    int bytes = (*a)->dimension.bytes + sign * (*b)->dimension.bytes;
    if (time < -100 || time > 100 || bytes < -100 || bytes > 100)
        return diag_error(checker->diag, expr->text.span, "no quantity has such a dimension");
    expr->dimension = (Dimension){(int8_t)time, (int8_t)bytes};
    return true;
}

static bool has_root(const Expr *expr)
{
    bool has = expr->kind == EXPR_SQRT;
    for (int i = 0; i < expr->argument_count && !has; i++)
        has = has_root(expr->arguments[i]);
    return has;
}

/* (sqrt(a) + sqrt(b))^2: the roots may be no quantities, if their squares are some. */
static bool squares_roots(const Expr *expr)
{
    return expr->kind == EXPR_POWER && expr->arguments[1]->kind == EXPR_NUMBER &&
           expr->arguments[1]->real == 2 && has_root(expr->arguments[0]);
}

/* Of the square. What is too large for it is no dimension that any quantity has. */
static Dimension dimension_twice(Dimension one)
{
    const bool fits = abs(one.time) < 64 && abs(one.bytes) < 64;
    return fits ? (Dimension){(int8_t)(2 * one.time), (int8_t)(2 * one.bytes)}
                : (Dimension){INT8_MAX, INT8_MAX};
}

/* a ^ b: whole numbers stay whole; otherwise both are plain reals, but for the square of roots. */
static bool check_power(Checker *checker, Expr *expr)
{
    Expr **a = &expr->arguments[0], **b = &expr->arguments[1];
    const bool is_square = squares_roots(expr) && !checker->in_square;
    if (!unify(checker, a, b))
        return false;
    if (is_square)
        expr->dimension = (*a)->dimension;
    for (int i = 0; i < 2 && !is_square; i++)
        if (!dimension_equal(expr->arguments[i]->dimension, DIMENSION_NONE))
            return diag_error(checker->diag, expr->arguments[i]->text.span,
                              "'^' needs plain numbers, not %s; write a product instead",
                              dimension_name(checker->arena, expr->arguments[i]->dimension));
    expr->type = (*a)->type;
    return true;
}

/* Functions of whole numbers with a whole result, or a condition; and what connects conditions. */
static bool check_whole(Checker *checker, Expr *expr)
{
    const TypingRule rule = operation_info[expr->kind].rule;
    for (int i = 0; i < expr->argument_count; i++)
        if (!(rule == RULE_LOGIC ? to_bool : to_int)(checker, &expr->arguments[i]))
            return false;
    expr->type = rule == RULE_WHOLE ? TYPE_INT : TYPE_BOOL;
    return true;
}

static bool check_choice(Checker *checker, Expr *expr)
{
    Expr **a = &expr->arguments[1], **b = &expr->arguments[2];
    if (!to_bool(checker, &expr->arguments[0]) || !same_dimension(checker, expr, *a, *b))
        return false;
    if ((*a)->type != TYPE_BOOL || (*b)->type != TYPE_BOOL)
        if (!unify(checker, a, b))
            return false;
    expr->type = (*a)->type;
    expr->dimension = (*a)->dimension;
    return true;
}

/* Functions of one real number: ceil and floor, roots, logarithms. */
static bool check_real(Checker *checker, Expr *expr)
{
    if (!to_real(checker, &expr->arguments[0]))
        return false;
    const Expr *of = expr->arguments[0];
    const TypingRule rule = operation_info[expr->kind].rule;
    const bool is_plain = dimension_equal(of->dimension, DIMENSION_NONE);
    const Dimension inner =
        rule == RULE_ROOT && checker->in_square ? dimension_twice(of->dimension) : of->dimension;
    const int degree = rule != RULE_ROOT ? 1 : expr->kind == EXPR_CBRT ? 3 : 2;
    if (rule == RULE_LOGARITHM && !is_plain)
        return diag_error(checker->diag, of->text.span, "a logarithm needs a plain number, not %s",
                          dimension_name(checker->arena, inner));
    if (inner.time % degree || inner.bytes % degree)
        return diag_error(checker->diag, of->text.span, "the root of %s is not a quantity",
                          dimension_name(checker->arena, inner));
    expr->dimension = (Dimension){(int8_t)(inner.time / degree), (int8_t)(inner.bytes / degree)};
    /* Rounded, a plain number becomes whole; a quantity stays a quantity. */
    expr->type = rule == RULE_ROUNDING && is_plain ? TYPE_INT : TYPE_REAL;
    /* Rounding up a logarithm in floating point is wrong from 2^29 on, so ceil(log2(n)) of a whole
       number becomes clog2(n), and floor likewise. */
    if (rule == RULE_ROUNDING && of->kind == EXPR_LOG2 && of->arguments[0]->kind == EXPR_TO_REAL) {
        expr->kind = expr->kind == EXPR_CEIL ? EXPR_CLOG2 : EXPR_FLOG2;
        expr->arguments[0] = of->arguments[0]->arguments[0];
    }
    return true;
}

/* A sign, or a sum: a number like its last argument. */
static bool check_sign(Checker *checker, Expr *expr)
{
    Expr **last = &expr->arguments[expr->argument_count - 1];
    if ((*last)->type == TYPE_BOOL && !to_real(checker, last))
        return false;
    expr->type = (*last)->type;
    expr->dimension = (*last)->dimension;
    return true;
}

/* sum(i, from, to, body), largest(...): i is a name inside the body only. */
static bool check_sum(Checker *checker, Expr *expr)
{
    Expr *index = expr->arguments[0];
    if (!checker_node(checker, expr->arguments[1]) || !checker_node(checker, expr->arguments[2]) ||
        !to_int(checker, &expr->arguments[1]) || !to_int(checker, &expr->arguments[2]))
        return false;
    if (checker->scope->count >= MOST_SLOTS)
        return names_report_too_many(checker, index->text);
    const char *name = text_string(checker->arena, index->text);
    bool varies = expr->arguments[1]->varies || expr->arguments[2]->varies;
    expr->slot = index->slot = scope_add(checker->arena, checker->scope,
                                         (Variable){name, TYPE_INT, DIMENSION_NONE, varies});
    index->type = TYPE_INT;
    index->varies = varies;
    bool good = checker_node(checker, expr->arguments[3]);
    checker->scope->count--;
    return good && check_sign(checker, expr);
}

/* By rule; the others have nothing to check. */
static bool (*const checks[RULE_CONVERSION + 1])(Checker *,
                                                 Expr *) = {[RULE_ARITHMETIC] = check_arithmetic,
                                                            [RULE_PRODUCT] = check_product,
                                                            [RULE_QUOTIENT] = check_product,
                                                            [RULE_POWER] = check_power,
                                                            [RULE_WHOLE] = check_whole,
                                                            [RULE_PREDICATE] = check_whole,
                                                            [RULE_SIGN] = check_sign,
                                                            [RULE_COMPARISON] = check_arithmetic,
                                                            [RULE_LOGIC] = check_whole,
                                                            [RULE_CHOICE] = check_choice,
                                                            [RULE_ROUNDING] = check_real,
                                                            [RULE_ROOT] = check_real,
                                                            [RULE_LOGARITHM] = check_real};

/* Variables, and calls of functions of the model. */
static bool check_named(Checker *checker, Expr *expr)
{
    const bool in_square = checker->in_square;
    checker->in_square = false;
    const bool good = expr->kind == EXPR_CALL ? names_check_call(checker, expr)
                                              : names_check_variable(checker, expr);
    checker->in_square = in_square;
    if (good && in_square)
        expr->dimension = dimension_twice(expr->dimension);
    return good;
}

bool checker_node(Checker *checker, Expr *expr)
{
    const bool in_square = checker->in_square;
    if (expr->kind == EXPR_VARIABLE || expr->kind == EXPR_CALL)
        return check_named(checker, expr);
    if (in_square && !dimension_equal(expr->dimension, DIMENSION_NONE) && expr->kind == EXPR_NUMBER)
        return diag_error(
            checker->diag, expr->text.span,
            "the square of a sum of roots has no numbers with units beside the roots");
    if (expr_is_loop(expr)) {
        if (!check_sum(checker, expr))
            return false;
    } else {
        const TypingRule rule = operation_info[expr->kind].rule;
        checker->in_square = squares_roots(expr) || (in_square && rule != RULE_ROOT);
        for (int i = 0; i < expr->argument_count; i++)
            if (!checker_node(checker, expr->arguments[i]))
                return false;
        checker->in_square = in_square;
        if (checks[rule] && !checks[rule](checker, expr))
            return false;
    }
    for (int i = 0; i < expr->argument_count; i++)
        expr->varies |= expr->arguments[i]->varies;
    return true;
}

Expr *check_any(Arena *arena, Expr *expr, Scope *scope, Diag *diag)
{
    Checker checker = checker_start(arena, scope, diag);
    return checker_node(&checker, expr) ? expr : NULL;
}

Expr *check_expression(Arena *arena, Expr *expr, Scope *scope, Type type, Dimension dimension,
                       Diag *diag)
{
    Checker checker = checker_start(arena, scope, diag);
    if (!checker_node(&checker, expr))
        return NULL;
    if (type == TYPE_BOOL)
        return to_bool(&checker, &expr) ? expr : NULL;
    if (type == TYPE_INT)
        return to_int(&checker, &expr) ? expr : NULL;
    if (is_plain_zero(expr))
        expr->dimension = dimension;
    if (!dimension_equal(expr->dimension, dimension))
        return DIAG_NULL(diag, expr->text.span, "this is %s, but %s is needed",
                         dimension_name(arena, expr->dimension), dimension_name(arena, dimension));
    return to_real(&checker, &expr) ? expr : NULL;
}

bool check_loop(Arena *arena, Loop *loop, Scope *scope, bool varies, Diag *diag)
{
    loop->from = check_expression(arena, loop->from, scope, TYPE_INT, DIMENSION_NONE, diag);
    loop->to = check_expression(arena, loop->to, scope, TYPE_INT, DIMENSION_NONE, diag);
    if (!loop->from || !loop->to)
        return false;
    const Expr *varying = loop->from->varies ? loop->from : loop->to;
    if (!varies && varying->varies)
        return diag_error(diag, varying->text.span,
                          "this differs from rank to rank, but all ranks repeat together; use 'if' "
                          "on a step instead");
    if (scope_find(scope, loop->name) >= 0)
        return diag_error(diag, loop->name.span, "'%.*s' is already defined",
                          TEXT_ARGS(loop->name));
    const char *name = text_string(arena, loop->name);
    loop->slot = scope_add(arena, scope, (Variable){name, TYPE_INT, DIMENSION_NONE, varies});
    return true;
}

/* The array that a product names; else what looks like a call, total(0), may name a block of one.
   False after a report. */
static bool find_array(BlockSet *set, const Scope *scope, Diag *diag)
{
    const bool is_named = set->name.length > 0;
    const Expr *first = set->index_count == 1 && !set->range_end ? set->indices[0] : NULL;
    const Expr *call = !is_named && first && first->kind == EXPR_CALL ? first : NULL;
    const int slot = is_named ? scope_find(scope, set->name)
                     : call   ? scope_find(scope, call->text)
                              : -1;
    if (slot < 0 || scope->items[slot].type != TYPE_ARRAY)
        return !is_named ||
               diag_error(diag, set->name.span, "unknown array '%.*s'", TEXT_ARGS(set->name));
    set->array = scope_array_number(scope, slot);
    if (call)
        set->index_count = call->argument_count;
    for (int i = 0; call && i < call->argument_count; i++)
        set->indices[i] = call->arguments[i];
    return true;
}

bool check_block_set(Arena *arena, BlockSet *set, Scope *scope, Diag *diag)
{
    for (int i = 0; i < set->loop_count; i++)
        if (!check_loop(arena, &set->loops[i], scope, true, diag))
            return false;
    if (!find_array(set, scope, diag))
        return false;
    Expr **whole[MOST_INDICES + 1];
    int count = 0;
    for (int i = 0; i < set->index_count; i++)
        whole[count++] = &set->indices[i];
    if (set->range_end)
        whole[count++] = &set->range_end;
    for (int i = 0; i < count; i++) {
        *whole[i] = check_expression(arena, *whole[i], scope, TYPE_INT, DIMENSION_NONE, diag);
        if (!*whole[i])
            return false;
    }
    if (!set->condition)
        return true;
    set->condition =
        check_expression(arena, set->condition, scope, TYPE_BOOL, DIMENSION_NONE, diag);
    return set->condition != NULL;
}
