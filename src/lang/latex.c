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

static const char *write_function(Arena *arena, const Expr *expr)
{
    const char *first = whole(arena, expr->arguments[0]);
    switch (expr->kind) {
    case EXPR_SUM:
        return arena_printf(arena, "\\sum_{%s=%s}^{%s} %s", first, whole(arena, expr->arguments[1]),
                            whole(arena, expr->arguments[2]),
                            write(arena, expr->arguments[3], POWER_ADD));
    case EXPR_LARGEST:
        return arena_printf(
            arena, "\\max_{%s \\le %s \\le %s} %s", whole(arena, expr->arguments[1]), first,
            whole(arena, expr->arguments[2]), write(arena, expr->arguments[3], POWER_ADD));
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

static const char *write_operator(Arena *arena, const Operator *sign, const Expr *expr)
{
    static const char *const signs[EXPR_KIND_COUNT] = {
        [EXPR_UNEQUAL] = "\\ne", [EXPR_LESS_EQUAL] = "\\le", [EXPR_GREATER_EQUAL] = "\\ge",
        [EXPR_EQUAL] = "=",      [EXPR_AND] = "\\land",      [EXPR_OR] = "\\lor",
        [EXPR_XOR] = "\\oplus",  [EXPR_MODULO] = "\\bmod"};
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
        return arena_printf(arena, "%s %s %s", before,
                            signs[expr->kind] ? signs[expr->kind] : sign->word, after);
    if (*after == '-')
        after = parenthesize(arena, after);
    bool needs_dot = isdigit((unsigned char)*after);
    return arena_printf(arena, needs_dot ? "%s \\cdot %s" : "%s \\, %s", before, after);
}

static const char *write_bare(Arena *arena, const Expr *expr)
{
    /* Parameters of machines are a letter with an index, other long names stand upright. */
    static const char *const parameters[] = {"ts", "th", "tw", "tc", "tm"};
    const char *name = text_string(arena, expr->text);
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
    if (expr->kind == EXPR_VARIABLE && expr->text.length == 1)
        return name;
    if (expr->kind == EXPR_VARIABLE)
        return text_among(expr->text, parameters, COUNT_OF(parameters)) < COUNT_OF(parameters)
                   ? arena_printf(arena, "t_%c", name[1])
                   : arena_printf(arena, "\\mathit{%s}", escape_underscores(arena, name));
    if (informal_is_call(expr, "log")) {
        const bool has_base = expr->argument_count > 1;
        return write_log(
            arena, has_base ? arena_printf(arena, "_{%s}", whole(arena, expr->arguments[1])) : "",
            expr->arguments[0]);
    }
    if (expr->kind == EXPR_CALL)
        return arena_printf(arena, expr->text.length == 1 ? "%s%s" : "\\mathrm{%s}%s",
                            escape_underscores(arena, name), write_arguments(arena, expr));
    if (expr->kind == EXPR_NEGATE)
        return arena_printf(arena, "-%s", write(arena, expr->arguments[0], POWER_UNARY - 1));
    if (expr->kind == EXPR_NOT)
        return arena_printf(arena, "\\lnot %s", write(arena, expr->arguments[0], POWER_NOT - 1));
    return write_function(arena, expr);
}

/* In parentheses unless it binds tighter than `least`. */
static const char *write(Arena *arena, const Expr *expr, int least)
{
    while (operation_info[expr->kind].rule == RULE_CONVERSION)
        expr = expr->arguments[0];
    const char *text = write_bare(arena, expr);
    /* What stands in a fraction, between bars or brackets is closed. */
    const bool is_fraction = expr->kind == EXPR_DIVIDE || expr->kind == EXPR_QUOTIENT;
    const int power = is_fraction       ? POWER_RAISE
                      : is_prefix(expr) ? POWER_MULTIPLY
                                        : show_power(expr);
    return power > least ? text : parenthesize(arena, text);
}

const char *expr_latex(Arena *arena, const Expr *expr)
{
    return whole(arena, expr);
}
