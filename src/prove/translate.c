#include "prove/kernel.h"

#include "lang/show.h"

#include <math.h>

/* The value of an expression of numbers and names that stand for numbers. */
static bool is_constant(Kernel *kernel, const Env *env, const Expr *expr, double *value)
{
    double a, b;
    int64_t whole;
    if (expr->kind == EXPR_NUMBER) {
        *value = expr->type == TYPE_INT ? (double)expr->integer : expr->real;
        return true;
    }
    if (expr->kind == EXPR_VARIABLE) {
        const Term *term = env->slots[expr->slot];
        if (term && term_is_int(term, &whole)) {
            *value = (double)whole;
            return true;
        }
        return env->lets[expr->slot] && is_constant(kernel, env, env->lets[expr->slot], value);
    }
    if (expr->kind == EXPR_MIN) {
        const Term *term = kernel_translate(kernel, env, expr);
        *value = term_is_int(term, &whole) ? (double)whole : 0;
        return !kernel->why && term_is_int(term, &whole);
    }
    if (expr->argument_count < 1 || expr_is_loop(expr) ||
        !is_constant(kernel, env, expr->arguments[0], &a))
        return false;
    if (expr->kind == EXPR_TO_REAL || expr->kind == EXPR_TO_WHOLE) {
        *value = a;
        return true;
    }
    if (expr->kind == EXPR_FLOG2 || expr->kind == EXPR_CLOG2) {
        *value = expr->kind == EXPR_FLOG2 ? floor(log2(a)) : ceil(log2(a));
        return a >= 1 && a <= 1e6;
    }
    if (expr->argument_count != 2 || !is_constant(kernel, env, expr->arguments[1], &b))
        return false;
    *value = expr->kind == EXPR_ADD        ? a + b
             : expr->kind == EXPR_SUBTRACT ? a - b
             : expr->kind == EXPR_MULTIPLY ? a * b
                                           : NAN;
    return isfinite(*value) && fabs(*value) < 1e6;
}

/* Past conversions between whole and real numbers. */
const Expr *expr_bare(const Expr *expr)
{
    while (expr->kind == EXPR_TO_REAL || expr->kind == EXPR_TO_WHOLE)
        expr = expr->arguments[0];
    return expr;
}

/* base^j for the index j of a sum. */
static bool is_power_of_index(Kernel *kernel, const Env *env, const Expr *expr, int slot,
                              int64_t *base)
{
    double value;
    expr = expr_bare(expr);
    if (expr->kind != EXPR_POWER || !is_constant(kernel, env, expr->arguments[0], &value))
        return false;
    const Expr *exponent = expr_bare(expr->arguments[1]);
    *base = (int64_t)value;
    return exponent->kind == EXPR_VARIABLE && exponent->slot == slot && value >= 2 &&
           value == (double)*base;
}

/* clog2(p), or clog2(p) div flog2(base): no power of the base below p is left out up to it. */
static bool is_far_enough(Kernel *kernel, const Env *env, const Expr *expr, int64_t base)
{
    double value;
    expr = expr_bare(expr);
    if (expr->kind == EXPR_QUOTIENT) {
        if (!is_constant(kernel, env, expr->arguments[1], &value) || value < 1 ||
            value > floor(log2((double)base)))
            return false;
        expr = expr_bare(expr->arguments[0]);
    }
    if (expr->kind != EXPR_CLOG2)
        return false;
    const Expr *argument = expr_bare(expr->arguments[0]);
    return argument->kind == EXPR_VARIABLE && argument->slot == SCHEDULE_P;
}

static bool is_number(const Expr *expr, int64_t value)
{
    expr = expr_bare(expr);
    return expr->kind == EXPR_NUMBER &&
           (expr->type == TYPE_INT ? expr->integer == value : expr->real == (double)value);
}

/* j * flog2(base) < clog2(p), which follows from base^j < p. */
static bool is_implied(Kernel *kernel, const Env *env, const Expr *expr, int slot, int64_t base)
{
    double value;
    if (expr->kind != EXPR_LESS)
        return false;
    const Expr *left = expr_bare(expr->arguments[0]), *right = expr_bare(expr->arguments[1]);
    if (left->kind != EXPR_MULTIPLY || right->kind != EXPR_CLOG2 ||
        !is_far_enough(kernel, env, right, base))
        return false;
    const Expr *index = expr_bare(left->arguments[0]);
    return index->kind == EXPR_VARIABLE && index->slot == slot &&
           is_constant(kernel, env, left->arguments[1], &value) &&
           value <= floor(log2((double)base));
}

/* The condition base^j < p, or base^j <= p. */
static bool is_below_p(Kernel *kernel, const Env *env, const Expr *expr, int slot, int64_t *base,
                       bool *equals)
{
    const Expr *condition = expr->kind == EXPR_AND ? expr->arguments[1] : expr;
    if (condition->kind != EXPR_LESS && condition->kind != EXPR_LESS_EQUAL)
        return false;
    const Expr *right = expr_bare(condition->arguments[1]);
    *equals = condition->kind == EXPR_LESS_EQUAL;
    return right->kind == EXPR_VARIABLE && right->slot == SCHEDULE_P &&
           is_power_of_index(kernel, env, condition->arguments[0], slot, base) &&
           (condition == expr ||
            (!*equals && is_implied(kernel, env, expr->arguments[0], slot, *base)));
}

/* The sums that stand for logarithms of p, and the largest power of a base that is at most p. */
static const Term *translate_loop(Kernel *kernel, const Env *env, const Expr *expr)
{
    const int slot = expr->arguments[0]->slot;
    const Expr *body = expr_bare(expr->arguments[3]);
    int64_t base, again;
    bool equals;
    if (body->kind == EXPR_WHEN && is_number(body->arguments[2], 0) &&
        is_below_p(kernel, env, body->arguments[0], slot, &base, &equals) &&
        is_far_enough(kernel, env, expr->arguments[2], base)) {
        if (expr->kind == EXPR_SUM && is_number(body->arguments[1], 1) &&
            is_number(expr->arguments[1], equals))
            return kernel_log(kernel, base, !equals, kernel->p);
        if (expr->kind == EXPR_LARGEST && equals && is_number(expr->arguments[1], 0) &&
            is_power_of_index(kernel, env, body->arguments[1], slot, &again) && again == base)
            return kernel_power(kernel, base, kernel_log(kernel, base, false, kernel->p));
    }
    return kernel_refuse(kernel, "the sum '%s'", expr_show(kernel->arena, expr));
}

/* ((x xor (x - 1)) + 1) div 2 */
static const Term *lowest_bit(Kernel *kernel, const Env *env, const Expr *expr)
{
    const Expr *sum = expr->arguments[0];
    if (!is_number(expr->arguments[1], 2) || sum->kind != EXPR_ADD ||
        !is_number(sum->arguments[1], 1) || sum->arguments[0]->kind != EXPR_XOR)
        return NULL;
    const Expr *x = sum->arguments[0]->arguments[0], *y = sum->arguments[0]->arguments[1];
    if (y->kind != EXPR_SUBTRACT || !is_number(y->arguments[1], 1) ||
        !expr_equals(x, y->arguments[0]))
        return NULL;
    const Term *of = kernel_translate(kernel, env, x);
    return of->least >= 1 ? kernel_lowest_bit(kernel, of) : NULL;
}

static const Term *extreme(Kernel *kernel, const Term *a, const Term *b, bool least)
{
    Terms *terms = kernel->terms;
    int64_t value;
    const Term *other = a == kernel->p ? b : b == kernel->p ? a : NULL;
    if (least && other && term_is_int(other, &value) && value > kernel->p->least && value < 16) {
        kernel->least_p = value;
        return kernel_refuse(kernel, "fewer than %d ranks", (int)value);
    }
    if (term_is_true(term_le(terms, a, b)))
        return least ? a : b;
    if (term_is_true(term_le(terms, b, a)))
        return least ? b : a;
    const Term *result = term_choice(terms, term_le(terms, a, b), least ? a : b, least ? b : a);
    if (!least && result->kind == TERM_CHOICE)
        ((Term *)result)->least = a->least > b->least ? a->least : b->least;
    return result;
}

static const Term *translate_power_test(Kernel *kernel, const Term *x)
{
    if (x != kernel->p)
        return kernel_refuse(kernel, "power_of_two() of another number than p");
    if (kernel->p_base == 2 || kernel->ranks == RANKS_OTHERS)
        return term_bool(kernel->terms, kernel->p_base == 2);
    if (kernel->tests_powers)
        return term_equal(kernel->terms, x,
                          kernel_power(kernel, 2, kernel_log(kernel, 2, false, x)));
    kernel->asks_powers = true;
    return kernel_refuse(kernel, "power_of_two(p)");
}

static const Term *translate_call(Kernel *kernel, const Env *env, const Expr *expr)
{
    Terms *terms = kernel->terms;
    const Term *a[3];
    for (int i = 0; i < expr->argument_count && i < 3; i++)
        a[i] = kernel_translate(kernel, env, expr->arguments[i]);
    const Term *zero = term_int(terms, 0);
    switch (expr->kind) {
    case EXPR_ADD:
    case EXPR_SUBTRACT:
        return term_sum(terms, a[0], expr->kind == EXPR_ADD ? 1 : -1, a[1]);
    case EXPR_MULTIPLY:
        return kernel_product(kernel, a[0], a[1]);
    case EXPR_MODULO:
        return kernel_modulo(kernel, a[0], a[1]);
    case EXPR_QUOTIENT:
        return kernel_quotient(kernel, a[0], a[1]);
    case EXPR_XOR:
        return kernel_xor(kernel, a[0], a[1]);
    case EXPR_NEGATE:
        return term_times(terms, a[0], -1);
    case EXPR_EQUAL:
    case EXPR_UNEQUAL: {
        const Term *equal = a[0]->kind >= TERM_AT_LEAST_ZERO && a[0]->kind <= TERM_NOT
                                ? term_same(terms, a[0], a[1])
                                : term_equal(terms, a[0], a[1]);
        return expr->kind == EXPR_EQUAL ? equal : term_not(terms, equal);
    }
    case EXPR_LESS:
        return term_less(terms, a[0], a[1]);
    case EXPR_LESS_EQUAL:
        return term_le(terms, a[0], a[1]);
    case EXPR_GREATER:
        return term_less(terms, a[1], a[0]);
    case EXPR_GREATER_EQUAL:
        return term_le(terms, a[1], a[0]);
    case EXPR_AND:
        return term_and(terms, a[0], a[1]);
    case EXPR_OR:
        return term_or(terms, a[0], a[1]);
    case EXPR_NOT:
        return term_not(terms, a[0]);
    case EXPR_MIN:
    case EXPR_MAX:
        return extreme(kernel, a[0], a[1], expr->kind == EXPR_MIN);
    case EXPR_ABS:
        return extreme(kernel, a[0], term_times(terms, a[0], -1), false);
    case EXPR_CLOG2:
    case EXPR_FLOG2:
        return kernel_log(kernel, 2, expr->kind == EXPR_CLOG2, a[0]);
    case EXPR_LOG2:
        return a[0] == kernel->p && kernel->p_base == 2
                   ? kernel_log(kernel, 2, false, a[0])
                   : kernel_refuse(kernel, "log2 of what is no power");
    case EXPR_BIT:
        return kernel_digit(kernel, a[0], kernel_power(kernel, 2, a[1]));
    case EXPR_POWER_OF_TWO:
        return translate_power_test(kernel, a[0]);
    case EXPR_TO_REAL:
    case EXPR_TO_WHOLE:
        return a[0];
    case EXPR_TO_BOOL:
        return term_not(terms, term_equal(terms, a[0], zero));
    default:
        return kernel_refuse(kernel, "'%s'", operation_info[expr->kind].word);
    }
}

const Term *kernel_translate(Kernel *kernel, const Env *env, const Expr *expr)
{
    double value;
    if (kernel->why)
        return term_int(kernel->terms, 0);
    if (expr->kind != EXPR_MIN && is_constant(kernel, env, expr, &value) && value == floor(value))
        return term_int(kernel->terms, (int64_t)value);
    if (expr->kind == EXPR_VARIABLE) {
        if (env->slots[expr->slot])
            return env->slots[expr->slot];
        if (env->lets[expr->slot])
            return kernel_translate(kernel, env, env->lets[expr->slot]);
        return kernel_refuse(kernel, "the name '%.*s'", TEXT_ARGS(expr->text));
    }
    if (expr_is_loop(expr))
        return translate_loop(kernel, env, expr);
    if (expr->kind == EXPR_WHEN) {
        const Term *condition = kernel_translate(kernel, env, expr->arguments[0]);
        if (term_is_true(condition) || term_is_false(condition))
            return kernel_translate(kernel, env, expr->arguments[term_is_true(condition) ? 1 : 2]);
        const Term *otherwise = kernel_translate(kernel, env, expr->arguments[2]);
        const Term *then = kernel_translate(kernel, env, expr->arguments[1]);
        return term_choice(kernel->terms, condition, then, otherwise);
    }
    if (expr->kind == EXPR_POWER) {
        if (!is_constant(kernel, env, expr->arguments[0], &value) || value != floor(value))
            return kernel_refuse(kernel, "a power of what is no number");
        return kernel_power(kernel, (int64_t)value,
                            kernel_translate(kernel, env, expr->arguments[1]));
    }
    const Term *low = expr->kind == EXPR_QUOTIENT ? lowest_bit(kernel, env, expr) : NULL;
    return low ? low : translate_call(kernel, env, expr);
}

const Term *kernel_program(Kernel *kernel, const Env *env, const Program *program)
{
    const Expr *expr = program ? program_expr(program) : NULL;
    return expr ? kernel_translate(kernel, env, expr) : term_bool(kernel->terms, true);
}
