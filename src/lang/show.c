#include "lang/show.h"

#include "lang/grammar.h"

#include <inttypes.h>
#include <string.h>

static const char *show(Arena *arena, const Expr *expr, int least);

static const char *show_call(Arena *arena, const char *name, const Expr *expr)
{
    const char *text = "";
    for (int i = 0; i < expr->argument_count; i++)
        text = arena_printf(arena, "%s%s%s", text, *text ? ", " : "",
                            show(arena, expr->arguments[i], POWER_NONE));
    return arena_printf(arena, "%s(%s)", name, text);
}

int show_power(const Expr *expr)
{
    const Operator *sign = grammar_operator_of(expr->kind);
    return sign                        ? sign->power
           : expr->kind == EXPR_NEGATE ? POWER_UNARY
           : expr->kind == EXPR_NOT    ? POWER_NOT
                                       : POWER_RAISE + 1;
}

static const char *show_bare(Arena *arena, const Expr *expr)
{
    const Operator *sign = grammar_operator_of(expr->kind);
    if (sign) {
        /* Of two operands that bind as tightly as the operator, the one that it does not associate
           with stands in parentheses; so does any comparison in a comparison. */
        bool to_right = sign->power == POWER_RAISE;
        bool chains = sign->power != POWER_COMPARE;
        int power = sign->power;
        const char *left = show(arena, expr->arguments[0], power - (chains && !to_right));
        const char *right = show(arena, expr->arguments[1], power - to_right);
        bool tight = sign->power == POWER_RAISE;
        return arena_printf(arena, tight ? "%s%s%s" : "%s %s %s", left, sign->word, right);
    }
    if (expr->kind == EXPR_NUMBER) {
        if (expr->type == TYPE_INT)
            return arena_printf(arena, "%" PRId64, expr->integer);
        const char *unit = dimension_unit(arena, expr->dimension);
        const char *digits = arena_printf(arena, "%.17g", expr->real);
        bool looks_whole = !strpbrk(digits, ".e"); /* 1.0 is a real number */
        return arena_printf(arena, "%s%s%s%s", digits, looks_whole ? ".0" : "", *unit ? " " : "",
                            unit);
    }
    if (expr->kind == EXPR_VARIABLE)
        return text_string(arena, expr->text);
    if (expr->kind == EXPR_CALL)
        return show_call(arena, text_string(arena, expr->text), expr);
    if (expr->kind == EXPR_NEGATE)
        return arena_printf(arena, "-%s", show(arena, expr->arguments[0], POWER_UNARY - 1));
    if (expr->kind == EXPR_NOT)
        return arena_printf(arena, "not %s", show(arena, expr->arguments[0], POWER_NOT - 1));
    return show_call(arena, operation_info[expr->kind].word, expr);
}

/* In parentheses unless it binds tighter than `least`. */
static const char *show(Arena *arena, const Expr *expr, int least)
{
    while (operation_info[expr->kind].rule == RULE_CONVERSION)
        expr = expr->arguments[0];
    const char *text = show_bare(arena, expr);
    return show_power(expr) > least ? text : arena_printf(arena, "(%s)", text);
}

const char *expr_show(Arena *arena, const Expr *expr)
{
    return show(arena, expr, POWER_NONE);
}
