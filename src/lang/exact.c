#include "lang/exact.h"

#include "base/residue.h"
#include "base/whole.h"
#include "lang/kernels.h"
#include "lang/roots.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>

typedef struct {
    Exact *slots;
    Diag *diag;    /* NULL: nobody asks why there is no value */
    int64_t terms; /* of all sums so far */
    bool is_over;  /* there would be more than may be */
} Evaluation;

static bool evaluate(Evaluation *evaluation, const Expr *expr, Exact *value);

/* The recursion runs through evaluate(), thousands deep in a long sum: what it calls keeps its own
   variables out of that frame. */
#define APART __attribute__((noinline)) static

Exact exact_from_int(int64_t value)
{
    return (Exact){true, value, 1, (double)value, false, 0};
}

Exact exact_from_double(double value)
{
    if (fabs(value) < 0x1p53 && value == floor(value))
        return exact_from_int((int64_t)value);
    return (Exact){false, 0, 1, value, false, 0};
}

/* A fraction in lowest terms, if it fits. The numbers that are divided may be beyond 64 bits, and
   are taken as such as long as they are. */
static bool make_fraction(__int128 numerator, __int128 denominator, Exact *value)
{
    if (denominator != 1) {
        __int128 divisor = numerator < 0 ? -numerator : numerator, left = denominator;
        while (left > INT64_MAX || (divisor > INT64_MAX && left)) {
            __int128 rest = divisor % left;
            divisor = left, left = rest;
        }
        if (left)
            divisor = whole_common_divisor((int64_t)divisor, (int64_t)left);
        if (divisor > 1)
            numerator /= divisor, denominator /= divisor;
    }
    if (numerator > INT64_MAX || numerator <= INT64_MIN || denominator > INT64_MAX)
        return false;
    double real = denominator == 1 ? (double)numerator : (double)numerator / (double)denominator;
    *value = (Exact){true, (int64_t)numerator, (int64_t)denominator, real, false, 0};
    return true;
}

/* Nearly all numbers are whole. */
static bool are_whole(const Exact *a, const Exact *b)
{
    return a->exact && b->exact && a->denominator == 1 && b->denominator == 1;
}

uint64_t exact_residue(Exact a)
{
    if (!a.exact)
        return a.residue;
    uint64_t whole = residue_of_whole(a.numerator); /* to invert takes 100 times as long */
    return a.denominator == 1
               ? whole
               : residue_multiply(whole, residue_invert(residue_of_whole(a.denominator)));
}

static bool is_fraction(Exact a)
{
    return a.exact || a.is_large;
}

/* It may have come back to a whole number. */
static Exact make_large(double real, uint64_t residue)
{
    Exact value = exact_from_double(real);
    bool is_back = value.exact && residue_multiply(residue, residue_of_whole(value.denominator)) ==
                                      residue_of_whole(value.numerator);
    return is_back ? value : (Exact){false, 0, 1, real, true, residue};
}

Exact exact_add(Exact a, Exact b)
{
    Exact value;
    int64_t whole;
    double real = a.real + b.real;
    if (are_whole(&a, &b) && !__builtin_add_overflow(a.numerator, b.numerator, &whole) &&
        whole != INT64_MIN)
        return exact_from_int(whole);
    if (!is_fraction(a) || !is_fraction(b))
        return exact_from_double(real);
    __int128 left = (__int128)a.numerator * b.denominator;
    __int128 right = (__int128)b.numerator * a.denominator;
    __int128 sum;
    if (a.exact && b.exact && !__builtin_add_overflow(left, right, &sum) &&
        make_fraction(sum, (__int128)a.denominator * b.denominator, &value))
        return value;
    return make_large(real, (exact_residue(a) + exact_residue(b)) % residue_prime);
}

static Exact negate(Exact a)
{
    return (Exact){a.exact, -a.numerator, a.denominator,
                   -a.real, a.is_large,   residue_subtract(0, a.residue)};
}

Exact exact_subtract(Exact a, Exact b)
{
    return exact_add(a, negate(b));
}

Exact exact_multiply(Exact a, Exact b)
{
    Exact value;
    int64_t whole;
    if (are_whole(&a, &b) && !__builtin_mul_overflow(a.numerator, b.numerator, &whole) &&
        whole != INT64_MIN)
        return exact_from_int(whole);
    if (!is_fraction(a) || !is_fraction(b))
        return exact_from_double(a.real * b.real);
    if (a.exact && b.exact &&
        make_fraction((__int128)a.numerator * b.numerator, (__int128)a.denominator * b.denominator,
                      &value))
        return value;
    return make_large(a.real * b.real, residue_multiply(exact_residue(a), exact_residue(b)));
}

Exact exact_times(Exact value, int64_t factor)
{
    return exact_multiply(value, exact_from_int(factor));
}

Exact exact_divide(Exact a, Exact b)
{
    Exact value;
    if (!is_fraction(a) || !is_fraction(b))
        return exact_from_double(a.real / b.real);
    __int128 numerator = (__int128)a.numerator * b.denominator;
    __int128 denominator = (__int128)a.denominator * b.numerator;
    if (denominator < 0)
        numerator = -numerator, denominator = -denominator;
    if (a.exact && b.exact && make_fraction(numerator, denominator, &value))
        return value;
    return make_large(a.real / b.real,
                      residue_multiply(exact_residue(a), residue_invert(exact_residue(b))));
}

Exact exact_from_text(Text text, double real)
{
    Quantity quantity;
    Exact value = exact_from_int(0), ten = exact_from_int(10), two = exact_from_int(2);
    if (text.length == 0 || !isdigit((unsigned char)text.chars[0]) ||
        !quantity_starts(text, &quantity) || quantity.length != text.length)
        return exact_from_double(real);
    int tens = quantity.ten, twos = quantity.two;
    bool is_behind_point = false;
    for (size_t i = 0; i < quantity.mantissa; i++) {
        char digit = text.chars[i];
        if (isdigit((unsigned char)digit))
            value = exact_add(exact_multiply(value, ten), exact_from_int(digit - '0'));
        tens -= is_behind_point;
        is_behind_point |= digit == '.';
    }
    for (; value.real != 0 && tens > 0; tens--)
        value = exact_multiply(value, ten);
    for (; value.real != 0 && tens < 0 && value.exact; tens++)
        value = exact_divide(value, ten);
    if (value.real != 0 && tens < 0) { /* at once: to divide takes 100 times as long */
        Exact divisor = ten;
        while (++tens < 0)
            divisor = exact_multiply(divisor, ten);
        value = exact_divide(value, divisor);
    }
    for (; twos > 0; twos--)
        value = exact_multiply(value, two);
    for (; twos < 0; twos++)
        value = exact_divide(value, two);
    value.real = real;
    return value;
}

int exact_compare(Exact a, Exact b)
{
    if (!a.exact || !b.exact)
        return (a.real > b.real) - (a.real < b.real);
    __int128 left = (__int128)a.numerator * b.denominator;
    __int128 right = (__int128)b.numerator * a.denominator;
    return (left > right) - (left < right);
}

bool exact_equal(Exact a, Exact b)
{
    if (a.exact && b.exact)
        return exact_compare(a, b) == 0;
    if (is_fraction(a) && is_fraction(b) && exact_residue(a) != exact_residue(b))
        return false;
    return fabs(a.real - b.real) <= 1e-12 * fmax(fabs(a.real), fabs(b.real));
}

const char *exact_show(Arena *arena, Exact value)
{
    if (!value.exact)
        return arena_printf(arena, value.is_large ? "about %.6g" : "%.6g", value.real);
    if (value.denominator == 1)
        return arena_printf(arena, "%" PRId64, value.numerator);
    return arena_printf(arena, "%" PRId64 "/%" PRId64, value.numerator, value.denominator);
}

int expr_slot_count(const Expr *expr)
{
    int count = expr->kind == EXPR_VARIABLE || expr_is_loop(expr) ? expr->slot + 1 : 0;
    for (int i = 0; i < expr->argument_count; i++) {
        int inner = expr_slot_count(expr->arguments[i]);
        if (inner > count)
            count = inner;
    }
    return count;
}

static bool fail(Evaluation *evaluation, const Expr *expr, const char *why)
{
    if (evaluation->diag)
        diag_error(evaluation->diag, expr->text.span, "%s", why);
    return false;
}

/* Nothing is wrong with it, but it cannot be followed. */
static bool refuse(Evaluation *evaluation, const Expr *expr, const char *why)
{
    if (evaluation->diag)
        diag_limit(evaluation->diag, expr->text.span, "%s", why);
    return false;
}

/* As programs do it. */
static bool evaluate_whole(Evaluation *evaluation, const Expr *expr, int64_t a, int64_t b,
                           Exact *value)
{
    /* Why an operation on whole numbers has no value. */
    static const char *const reasons[EXPR_KIND_COUNT] = {
        [EXPR_MODULO] = "division by zero",
        [EXPR_QUOTIENT] = "division by zero",
        [EXPR_CLOG2] = "the logarithm of a number below 1",
        [EXPR_FLOG2] = "the logarithm of a number below 1",
        [EXPR_BIT] = "the index of a bit is negative",
        [EXPR_POPCOUNT] = "popcount of a negative number",
        [EXPR_CIRCULANT] = "there is no such entry in the schedule",
        [EXPR_POWER] = "a negative power of an integer; write 1/x instead"};
    const int64_t operands[3] = {a, b}, result = kernel_operation(expr, operands);
    *value = exact_from_int(result);
    if (result == POISON && expr->kind == EXPR_POWER && b >= 0)
        return refuse(evaluation, expr, "this power is too large for an integer");
    return result != POISON || fail(evaluation, expr, reasons[expr->kind]);
}

static bool evaluate_power(Evaluation *evaluation, const Expr *expr, Exact a, Exact b, Exact *value)
{
    if (expr->type == TYPE_INT)
        return evaluate_whole(evaluation, expr, a.numerator, b.numerator, value);
    if (a.exact && b.exact && b.denominator == 1 && b.numerator >= 0 && b.numerator <= 64) {
        *value = exact_from_int(1);
        for (int64_t left = b.numerator; left > 0; left /= 2) {
            if (left % 2)
                *value = exact_multiply(*value, a);
            if (left > 1)
                a = exact_multiply(a, a);
        }
        return true;
    }
    *value = exact_from_double(pow(a.real, b.real));
    return true;
}

static bool evaluate_arithmetic(Evaluation *evaluation, const Expr *expr, Exact a, Exact b,
                                Exact *value)
{
    switch (expr->kind) {
    case EXPR_ADD:
        *value = exact_add(a, b);
        break;
    case EXPR_SUBTRACT:
        *value = exact_subtract(a, b);
        break;
    case EXPR_MULTIPLY:
        *value = exact_multiply(a, b);
        break;
    case EXPR_MIN:
        *value = exact_compare(a, b) <= 0 ? a : b;
        break;
    case EXPR_MAX:
        *value = exact_compare(a, b) >= 0 ? a : b;
        break;
    case EXPR_NEGATE:
        *value = negate(a);
        break;
    case EXPR_ABS:
        *value = a.real < 0 ? negate(a) : a;
        break;
    default:
        if (b.real == 0)
            return fail(evaluation, expr, "division by zero");
        *value = exact_divide(a, b);
    }
    if (expr->type == TYPE_INT && !value->exact)
        return refuse(evaluation, expr, "this is too large for an integer");
    return true;
}

static bool evaluate_root(Evaluation *evaluation, const Expr *expr, Exact a, Exact *value)
{
    bool cubic = expr->kind == EXPR_CBRT;
    double (*root)(double) = cubic ? root_cube : sqrt;
    double most = cubic ? 0x1p17 : 0x1p26; /* up to where its power is exact */
    if (!cubic && a.real < 0)
        return fail(evaluation, expr, "the root of a negative number");
    double top = root((double)a.numerator), bottom = root((double)a.denominator);
    if (!(a.exact && top == floor(top) && bottom == floor(bottom) && fabs(top) < most &&
          bottom < most && make_fraction((__int128)top, (__int128)bottom, value)))
        *value = exact_from_double(root(a.real));
    return true;
}

static bool evaluate_rounding(Evaluation *evaluation, const Expr *expr, Exact a, Exact *value)
{
    if (a.exact) {
        int64_t down = whole_floor_quotient(a.numerator, a.denominator);
        *value = exact_from_int(expr->kind == EXPR_CEIL && a.denominator > 1 ? down + 1 : down);
        return true;
    }
    double rounded = expr->kind == EXPR_CEIL ? whole_ceil(a.real) : whole_floor(a.real);
    if (expr->type == TYPE_INT && !(fabs(rounded) < 0x1p53))
        return refuse(evaluation, expr, "this is too large for an integer");
    *value = exact_from_double(rounded);
    return true;
}

static bool evaluate_sum(Evaluation *evaluation, const Expr *expr, Exact *value)
{
    Exact from, to, term;
    if (!evaluate(evaluation, expr->arguments[1], &from) ||
        !evaluate(evaluation, expr->arguments[2], &to))
        return false;
    *value = exact_from_int(0);
    bool more = from.numerator <= to.numerator;
    const int64_t weight = expr_term_weight(expr);
    int64_t distance, left = (LIMIT_TERMS - evaluation->terms) / weight;
    if (more &&
        (__builtin_sub_overflow(to.numerator, from.numerator, &distance) || distance >= left)) {
        evaluation->is_over = true;
        return refuse(evaluation, expr, "this has too many terms");
    }
    evaluation->terms += more ? (distance + 1) * weight : 0;
    for (int64_t i = from.numerator; more; i += more) {
        more = i != to.numerator;
        evaluation->slots[expr->slot] = exact_from_int(i);
        if (!evaluate(evaluation, expr->arguments[3], &term))
            return false;
        if (expr->kind == EXPR_SUM)
            *value = exact_add(*value, term);
        else if (exact_compare(term, *value) > 0)
            *value = term;
    }
    if (expr->type == TYPE_INT && !value->exact)
        return refuse(evaluation, expr, "this sum is too large for an integer");
    return true;
}

/* The operations that do not need all of their arguments. */
APART bool evaluate_lazily(Evaluation *evaluation, const Expr *expr, Exact *value)
{
    if (expr_is_loop(expr))
        return evaluate_sum(evaluation, expr, value);
    if (!evaluate(evaluation, expr->arguments[0], value))
        return false;
    bool first = value->numerator != 0;
    if (expr->kind == EXPR_WHEN)
        return evaluate(evaluation, expr->arguments[first ? 1 : 2], value);
    if (expr->kind == EXPR_NOT)
        *value = exact_from_int(!first);
    if ((expr->kind == EXPR_AND && first) || (expr->kind == EXPR_OR && !first))
        return evaluate(evaluation, expr->arguments[1], value);
    return true;
}

APART bool evaluate_operation(Evaluation *evaluation, const Expr *expr, const Exact *operands,
                              Exact *value)
{
    const ExprKind kind = expr->kind;
    const Exact a = operands[0], b = operands[1];
    const bool is_whole = a.exact && a.denominator == 1;
    int order;
    switch (operation_info[kind].rule) {
    case RULE_POWER:
        return evaluate_power(evaluation, expr, a, b, value);
    case RULE_WHOLE:
    case RULE_PREDICATE:
        return evaluate_whole(evaluation, expr, a.numerator, b.numerator, value);
    case RULE_COMPARISON:
        order = exact_compare(a, b);
        *value = exact_from_int(kind == EXPR_EQUAL        ? order == 0
                                : kind == EXPR_UNEQUAL    ? order != 0
                                : kind == EXPR_LESS       ? order < 0
                                : kind == EXPR_LESS_EQUAL ? order <= 0
                                : kind == EXPR_GREATER    ? order > 0
                                                          : order >= 0);
        return true;
    case RULE_ROUNDING:
        return evaluate_rounding(evaluation, expr, a, value);
    case RULE_ROOT:
        return evaluate_root(evaluation, expr, a, value);
    case RULE_LOGARITHM:
        if (!(a.real > 0))
            return fail(evaluation, expr, "the logarithm of a number that is not positive");
        *value = is_whole && whole_is_power_of_two(a.numerator)
                     ? exact_from_int(__builtin_ctzll((unsigned long long)a.numerator))
                     : (Exact){false, 0, 1, log2(a.real), false, 0};
        return true;
    case RULE_CONVERSION:
        *value = kind == EXPR_TO_BOOL ? exact_from_int(a.numerator != 0) : a;
        if (kind == EXPR_TO_WHOLE && !is_whole && evaluation->diag)
            diag_error(evaluation->diag, expr->text.span, "expected an integer, but this is %.6g",
                       a.real);
        return kind != EXPR_TO_WHOLE || is_whole;
    default:
        return evaluate_arithmetic(evaluation, expr, a, b, value);
    }
}

static bool evaluate(Evaluation *evaluation, const Expr *expr, Exact *value)
{
    TypingRule rule = operation_info[expr->kind].rule;
    Exact operands[2] = {0};
    if (expr->kind == EXPR_VARIABLE) {
        *value = evaluation->slots[expr->slot];
        return true;
    }
    if (expr->kind == EXPR_NUMBER) {
        *value = expr->exact              ? *expr->exact
                 : expr->type == TYPE_INT ? exact_from_int(expr->integer)
                                          : exact_from_double(expr->real);
        return true;
    }
    if (rule == RULE_LOGIC || rule == RULE_CHOICE || rule == RULE_SUMMATION)
        return evaluate_lazily(evaluation, expr, value);
    if (!evaluate(evaluation, expr->arguments[0], &operands[0]))
        return false;
    if (expr->argument_count > 1 && !evaluate(evaluation, expr->arguments[1], &operands[1]))
        return false;
    if (!evaluate_operation(evaluation, expr, operands, value))
        return false;
    if (value->exact && value->numerator == INT64_MIN)
        return refuse(evaluation, expr, "this is too large for an integer");
    if (!isfinite(value->real))
        return isnan(value->real) ? fail(evaluation, expr, "this has no real value")
                                  : refuse(evaluation, expr, "this is too large for a number");
    return true;
}

bool exact_evaluate_within(const Expr *expr, Exact *slots, int64_t *terms, Exact *value)
{
    const int64_t spent = *terms < LIMIT_TERMS ? LIMIT_TERMS - *terms : 0;
    Evaluation evaluation = {.slots = slots, .terms = spent};
    const bool valued = evaluate(&evaluation, expr, value);
    *terms = evaluation.is_over && spent ? -1 : *terms - (evaluation.terms - spent);
    return valued;
}

bool exact_evaluate(const Expr *expr, Exact *slots, Exact *value, Diag *diag)
{
    Evaluation evaluation = {.slots = slots, .diag = diag};
    return evaluate(&evaluation, expr, value);
}
