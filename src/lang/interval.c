#include "lang/interval.h"

#include "lang/kernels.h"

static bool is_point(Interval a)
{
    return a.least == a.most;
}

static bool fits(Interval a)
{
    return a.least != POISON && a.most != POISON;
}

/* What a program makes of a number, or of two; POISON where that is nothing. */
static int64_t apply(ExprKind kind, int64_t a, int64_t b)
{
    int64_t values[] = {a, b, POISON};
    const bool is_binary = operation_info[kind].arity == 2;
    kernel_lane(&(LaneStep){LANE_CODE(kind, false, is_binary), 2, 0, 1, 0}, 1, values);
    return values[2];
}

static bool multiply(Interval a, Interval b, Interval *product)
{
    const int64_t corners[] = {
        apply(EXPR_MULTIPLY, a.least, b.least), apply(EXPR_MULTIPLY, a.least, b.most),
        apply(EXPR_MULTIPLY, a.most, b.least), apply(EXPR_MULTIPLY, a.most, b.most)};
    *product = (Interval){corners[0], corners[0]};
    for (int i = 0; i < 4; i++) {
        if (corners[i] == POISON)
            return false;
        product->least = corners[i] < product->least ? corners[i] : product->least;
        product->most = corners[i] > product->most ? corners[i] : product->most;
    }
    return true;
}

/* All of them in one period keep their distances. */
static bool find_rest(Interval a, int64_t divisor, Interval *rest)
{
    if (divisor < 1)
        return false;
    if (apply(EXPR_QUOTIENT, a.least, divisor) == apply(EXPR_QUOTIENT, a.most, divisor))
        *rest =
            (Interval){apply(EXPR_MODULO, a.least, divisor), apply(EXPR_MODULO, a.most, divisor)};
    else
        *rest = (Interval){0, divisor - 1};
    return true;
}

static bool find_xor(Interval a, Interval b, Interval *result)
{
    uint64_t bits = 0;
    if (a.least < 0 || b.least < 0)
        return false;
    while ((int64_t)bits < a.most || (int64_t)bits < b.most)
        bits = bits * 2 + 1;
    *result = (Interval){0, (int64_t)bits};
    return true;
}

/* 1 where it holds at all points, 0 where at none. */
static Interval compare(ExprKind kind, Interval a, Interval b)
{
    if (kind == EXPR_EQUAL || kind == EXPR_UNEQUAL) {
        const bool are_apart = a.most < b.least || a.least > b.most, differ = kind == EXPR_UNEQUAL;
        return (Interval){are_apart && differ, !are_apart || differ};
    }
    /* of the others one corner holds first, and the one across last */
    const int64_t one = apply(kind, a.least, b.most), other = apply(kind, a.most, b.least);
    return (Interval){one < other ? one : other, one < other ? other : one};
}

/* With a negative base, either sign of the largest power. */
static bool find_power(Interval a, Interval b, Interval *power)
{
    if (!is_point(a) || a.least == 0 || b.least < 0)
        return false;
    const int64_t most = apply(EXPR_POWER, a.least < 0 ? -a.least : a.least, b.most);
    *power = (Interval){a.least < 0 ? -most : apply(EXPR_POWER, a.least, b.least), most};
    return fits(*power);
}

/* One side may decide. */
static Interval connect(ExprKind kind, Interval a, Interval b)
{
    const int64_t deciding = kind == EXPR_OR;
    if (is_point(a))
        return a.least == deciding ? a : b;
    return is_point(b) && b.least == deciding ? b : (Interval){0, 1};
}

bool interval_operate(ExprKind kind, const Interval *arguments, Interval *result)
{
    const Interval a = arguments[0], b = arguments[operation_info[kind].arity - 1];
    if (is_point(a) && is_point(b)) {
        result->least = result->most = apply(kind, a.least, b.least);
        return fits(*result);
    }
    if (operation_info[kind].rule == RULE_COMPARISON) {
        *result = compare(kind, a, b);
        return true;
    }
    switch (kind) {
    case EXPR_ADD:
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_CLOG2:
    case EXPR_FLOG2:
        *result = (Interval){apply(kind, a.least, b.least), apply(kind, a.most, b.most)};
        return fits(*result);
    case EXPR_SUBTRACT:
        *result = (Interval){apply(kind, a.least, b.most), apply(kind, a.most, b.least)};
        return fits(*result);
    case EXPR_MULTIPLY:
        return multiply(a, b, result);
    case EXPR_MODULO:
        return is_point(b) && find_rest(a, b.least, result);
    case EXPR_QUOTIENT:
        *result = (Interval){apply(kind, a.least, b.least), apply(kind, a.most, b.least)};
        return is_point(b) && b.least > 0;
    case EXPR_POWER:
        return find_power(a, b, result);
    case EXPR_XOR:
        return find_xor(a, b, result);
    case EXPR_BIT:
        *result = (Interval){0, 1};
        return b.least >= 0;
    case EXPR_AND:
    case EXPR_OR:
        *result = connect(kind, a, b);
        return true;
    case EXPR_NEGATE:
        *result = (Interval){-a.most, -a.least};
        return true;
    case EXPR_NOT:
        *result = (Interval){1 - a.most, 1 - a.least};
        return true;
    case EXPR_TO_BOOL:
        *result = compare(EXPR_UNEQUAL, a, (Interval){0, 0});
        return true;
    case EXPR_POPCOUNT:
        *result = (Interval){0, 63};
        return a.least >= 0;
    default:
        return false;
    }
}

/* Of `and`, `or` and `when` only that part counts that decides. */
static bool find_logic(const Expr *expr, const Box *box, Interval *result)
{
    Interval first, second, third;
    const Expr *const *arguments = (const Expr *const *)expr->arguments;
    if (!interval_find(arguments[0], box, &first))
        return false;
    if (expr->kind == EXPR_WHEN && is_point(first))
        return interval_find(arguments[first.least ? 1 : 2], box, result);
    if (expr->kind != EXPR_WHEN && is_point(first) &&
        (first.least != 0) == (expr->kind == EXPR_OR)) {
        *result = first;
        return true;
    }
    if (!interval_find(arguments[1], box, &second))
        return false;
    if (expr->kind != EXPR_WHEN) {
        *result = connect(expr->kind, first, second);
        return true;
    }
    if (!interval_find(arguments[2], box, &third))
        return false;
    *result = interval_union(second, third);
    return true;
}

/* Term by term, if there are few for each point of the box. */
static bool find_sum(const Expr *sum, const Box *box, Interval *total)
{
    enum { MOST_TERMS = 64 };
    const ExprKind kind = sum->kind == EXPR_SUM ? EXPR_ADD : EXPR_MAX;
    Interval from, to, term;
    Box inner = *box;
    inner.is_in_sum = true;
    *total = (Interval){0, 0};
    if (box->is_in_sum || !interval_find(sum->arguments[1], box, &from) || !is_point(from) ||
        !interval_find(sum->arguments[2], box, &to) || !is_point(to))
        return false;
    for (int64_t i = from.least; i <= to.least; i++) {
        box_set(&inner, sum->slot, i, i);
        if (i - from.least == MOST_TERMS || !interval_find(sum->arguments[3], &inner, &term) ||
            !interval_operate(kind, (Interval[]){*total, term}, total))
            return false;
    }
    return true;
}

bool interval_find(const Expr *expr, const Box *box, Interval *interval)
{
    Interval arguments[2];
    if (expr->type != TYPE_INT && expr->type != TYPE_BOOL)
        return false;
    switch (expr->kind) {
    case EXPR_NUMBER:
        *interval = (Interval){expr->integer, expr->integer};
        return true;
    case EXPR_VARIABLE:
        *interval = box->slots[expr->slot];
        return box->known >> expr->slot & 1;
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_WHEN:
        return find_logic(expr, box, interval);
    case EXPR_SUM:
    case EXPR_LARGEST:
        return find_sum(expr, box, interval);
    default:
        break;
    }
    if (expr->argument_count < 1 || expr->argument_count > 2)
        return false;
    for (int i = 0; i < expr->argument_count; i++)
        if (expr->arguments[i]->type == TYPE_REAL ||
            !interval_find(expr->arguments[i], box, &arguments[i]))
            return false;
    return interval_operate(expr->kind, arguments, interval);
}
