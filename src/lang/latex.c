#include "lang/show.h"

#include "lang/grammar.h"
#include "lang/informal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *write(Arena *arena, const Expr *expr, int least);

static const char *whole(Arena *arena, const Expr *expr)
{
    return write(arena, expr, POWER_NONE);
}

/* Around what is tall they grow. */
static const char *parenthesize(Arena *arena, const char *text)
{
    bool is_tall = strstr(text, "\\frac") || strstr(text, "\\sum") || strstr(text, "\\begin");
    return arena_printf(arena, is_tall ? "\\left(%s\\right)" : "(%s)", text);
}

static const char *escape_underscores(Arena *arena, const char *chars)
{
    const char *escaped = "";
    for (; *chars; chars++)
        escaped = arena_printf(arena, "%s%s%c", escaped, *chars == '_' ? "\\" : "", *chars);
    return escaped;
}

/* Parameters of machines are a letter with an index, other long names stand upright. */
static const char *write_name(Arena *arena, Text name)
{
    static const char *const parameters[] = {"ts", "th", "tw", "tc", "tm"};
    const char *chars = text_string(arena, name);
    if (text_among(name, parameters, COUNT_OF(parameters)) < COUNT_OF(parameters))
        return arena_printf(arena, "t_%c", chars[1]);
    if (name.length == 1)
        return chars;
    return arena_printf(arena, "\\mathit{%s}", escape_underscores(arena, chars));
}

static const char *write_arguments(Arena *arena, const Expr *expr)
{
    const char *text = "";
    for (int i = 0; i < expr->argument_count; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", whole(arena, expr->arguments[i]));
    return parenthesize(arena, text);
}

/* "\log_2 p", of what binds tighter than a product. */
static const char *write_log(Arena *arena, const char *base, const Expr *of)
{
    return arena_printf(arena, "\\log%s %s", base, write(arena, of, POWER_UNARY));
}

static const char *write_call(Arena *arena, const Expr *expr)
{
    if (informal_is_call(expr, "log")) {
        const char *base = "";
        if (expr->argument_count > 1)
            base = arena_printf(arena, "_{%s}", whole(arena, expr->arguments[1]));
        return write_log(arena, base, expr->arguments[0]);
    }
    const char *name = text_string(arena, expr->text);
    return arena_printf(arena, expr->text.length == 1 ? "%s%s" : "\\mathrm{%s}%s",
                        escape_underscores(arena, name), write_arguments(arena, expr));
}

static const char *write_loop(Arena *arena, const Expr *expr)
{
    const char *index = whole(arena, expr->arguments[0]);
    const char *from = whole(arena, expr->arguments[1]), *to = whole(arena, expr->arguments[2]);
    const char *body = write(arena, expr->arguments[3], POWER_ADD);
    return expr->kind == EXPR_SUM
               ? arena_printf(arena, "\\sum_{%s=%s}^{%s} %s", index, from, to, body)
               : arena_printf(arena, "\\max_{%s \\le %s \\le %s} %s", from, index, to, body);
}

static const char *write_function(Arena *arena, const Expr *expr)
{
    const char *first = whole(arena, expr->arguments[0]);
    switch (expr->kind) {
    case EXPR_WHEN:
        return arena_printf(arena,
                            "\\begin{cases} %s & \\text{if } %s \\\\ %s & \\text{otherwise} "
                            "\\end{cases}",
                            whole(arena, expr->arguments[1]), first,
                            whole(arena, expr->arguments[2]));
    case EXPR_MIN:
    case EXPR_MAX:
        return arena_printf(arena, "\\%s%s", operation_info[expr->kind].word,
                            write_arguments(arena, expr));
    case EXPR_ABS:
        return arena_printf(arena, "\\left|%s\\right|", first);
    case EXPR_CEIL:
        return arena_printf(arena, "\\left\\lceil %s\\right\\rceil", first);
    case EXPR_FLOOR:
        return arena_printf(arena, "\\left\\lfloor %s\\right\\rfloor", first);
    case EXPR_SQRT:
        return arena_printf(arena, "\\sqrt{%s}", first);
    case EXPR_CBRT:
        return arena_printf(arena, "\\sqrt[3]{%s}", first);
    case EXPR_LOG2:
        return write_log(arena, "_2", expr->arguments[0]);
    case EXPR_CLOG2:
        return arena_printf(arena, "\\lceil %s\\rceil", write_log(arena, "_2", expr->arguments[0]));
    case EXPR_FLOG2:
        return arena_printf(arena, "\\lfloor %s\\rfloor",
                            write_log(arena, "_2", expr->arguments[0]));
    case EXPR_POWER_OF_TWO:
        return arena_printf(arena, "%s \\text{ is a power of two}", first);
    case EXPR_IS_SQUARE:
        return arena_printf(arena, "%s \\text{ is a square}", first);
    case EXPR_IS_CUBE:
        return arena_printf(arena, "%s \\text{ is a cube}", first);
    default:
        return arena_printf(arena, "\\mathrm{%s}%s", operation_info[expr->kind].word,
                            write_arguments(arena, expr));
    }
}

/* A sum or a logarithm takes all factors that follow it. */
static bool is_prefix(const Expr *expr)
{
    return expr_is_loop(expr) || expr->kind == EXPR_LOG2 || informal_is_call(expr, "log");
}

/* What stands in a fraction, between bars or brackets is closed. */
static int power_of(const Expr *expr)
{
    if (expr->kind == EXPR_DIVIDE || expr->kind == EXPR_QUOTIENT)
        return POWER_RAISE;
    return is_prefix(expr) ? POWER_MULTIPLY : show_power(expr);
}

static const char *sign_of(const Operator *sign)
{
    static const char *const signs[EXPR_KIND_COUNT] = {
        [EXPR_UNEQUAL] = "\\ne", [EXPR_LESS_EQUAL] = "\\le", [EXPR_GREATER_EQUAL] = "\\ge",
        [EXPR_EQUAL] = "=",      [EXPR_AND] = "\\land",      [EXPR_OR] = "\\lor",
        [EXPR_XOR] = "\\oplus",  [EXPR_MODULO] = "\\bmod"};
    return signs[sign->kind] ? signs[sign->kind] : sign->word;
}

static const char *write_operator(Arena *arena, const Operator *sign, const Expr *expr)
{
    const Expr *left = expr->arguments[0], *right = expr->arguments[1];
    if (expr->kind == EXPR_DIVIDE)
        return arena_printf(arena, "\\frac{%s}{%s}", whole(arena, left), whole(arena, right));
    if (expr->kind == EXPR_QUOTIENT)
        return arena_printf(arena, "\\left\\lfloor \\frac{%s}{%s}\\right\\rfloor",
                            whole(arena, left), whole(arena, right));
    if (expr->kind == EXPR_POWER)
        return arena_printf(arena, "%s^{%s}", write(arena, left, POWER_RAISE), whole(arena, right));
    const bool chains = sign->power != POWER_COMPARE && !is_prefix(left);
    const char *before = write(arena, left, sign->power - chains);
    const char *after = write(arena, right, sign->power);
    if (expr->kind != EXPR_MULTIPLY)
        return arena_printf(arena, "%s %s %s", before, sign_of(sign), after);
    if (*after == '-')
        after = parenthesize(arena, after);
    bool needs_dot = isdigit((unsigned char)*after);
    return arena_printf(arena, needs_dot ? "%s \\cdot %s" : "%s \\, %s", before, after);
}

static const char *write_bare(Arena *arena, const Expr *expr)
{
    const Operator *sign = grammar_operator_of(expr->kind);
    if (sign)
        return write_operator(arena, sign, expr);
    if (expr->kind == EXPR_NUMBER) {
        if (expr->type == TYPE_INT)
            return arena_printf(arena, "%" PRId64, expr->integer);
        const char *digits = arena_printf(arena, "%.15g", expr->real);
        const char *exponent = strchr(digits, 'e');
        if (!exponent)
            return digits;
        return arena_printf(arena, "%.*s \\cdot 10^{%ld}", (int)(exponent - digits), digits,
                            strtol(exponent + 1, NULL, 10));
    }
    if (expr->kind == EXPR_VARIABLE)
        return write_name(arena, expr->text);
    if (expr->kind == EXPR_CALL)
        return write_call(arena, expr);
    if (expr->kind == EXPR_NEGATE)
        return arena_printf(arena, "-%s", write(arena, expr->arguments[0], POWER_UNARY - 1));
    if (expr->kind == EXPR_NOT)
        return arena_printf(arena, "\\lnot %s", write(arena, expr->arguments[0], POWER_NOT - 1));
    return expr_is_loop(expr) ? write_loop(arena, expr) : write_function(arena, expr);
}

/* In parentheses unless it binds tighter than `least`. */
static const char *write(Arena *arena, const Expr *expr, int least)
{
    while (operation_info[expr->kind].rule == RULE_CONVERSION)
        expr = expr->arguments[0];
    const char *text = write_bare(arena, expr);
    return power_of(expr) > least ? text : parenthesize(arena, text);
}

const char *expr_latex(Arena *arena, const Expr *expr)
{
    return whole(arena, expr);
}
