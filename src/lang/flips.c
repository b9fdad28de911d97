#include "lang/flips.h"

#include "base/whole.h"

static const Flip other;

/* No number is larger, so that no sum or product of two overflows. */
static bool is_small(int64_t value)
{
    return value >= -((int64_t)1 << 30) && value <= (int64_t)1 << 30;
}

static Flip stays(int64_t least, int64_t most)
{
    return is_small(least) && is_small(most) && least <= most
               ? (Flip){FLIPS_STAYS, 0, 0, 0, least, most}
               : other;
}

Flip flip_bits(int64_t base, int64_t mask, int64_t flips)
{
    return is_small(base) && is_small(mask)
               ? (Flip){FLIPS_BITS, base, mask, flips, base, base + mask}
               : other;
}

Flip flip_known(int64_t value)
{
    return flip_bits(value, 0, 0);
}

bool flip_rests(const Flip *value)
{
    return value->kind == FLIPS_STAYS || (value->kind == FLIPS_BITS && value->flips == 0);
}

static bool is_known(const Flip *value)
{
    return value->kind != FLIPS_OTHER && value->least == value->most;
}

static Flip add(const Flip *a, const Flip *b)
{
    if (a->kind == FLIPS_BITS && b->kind == FLIPS_BITS && (a->mask & b->mask) == 0)
        return flip_bits(a->base + b->base, a->mask | b->mask, a->flips | b->flips);
    if (flip_rests(a) && flip_rests(b))
        return stays(a->least + b->least, a->most + b->most);
    return other;
}

static Flip subtract(const Flip *a, const Flip *b)
{
    if (a->kind == FLIPS_BITS && is_known(b))
        return flip_bits(a->base - b->least, a->mask, a->flips);
    if (flip_rests(a) && flip_rests(b))
        return stays(a->least - b->most, a->most - b->least);
    return other;
}

static Flip multiply(const Flip *a, const Flip *b)
{
    if (!is_known(b)) {
        const Flip *swapped = a;
        a = b, b = swapped;
    }
    if (!is_known(b) || b->least < 0)
        return other;
    const int64_t n = b->least;
    if (a->kind == FLIPS_BITS && whole_is_power_of_two(n))
        return flip_bits(a->base * n, a->mask * n, a->flips * n);
    return flip_rests(a) ? stays(a->least * n, a->most * n) : other;
}

static bool has_low_bits(const Flip *a, int64_t n)
{
    return a->kind == FLIPS_BITS && whole_is_power_of_two(n) && a->base % n == 0;
}

static Flip quotient(const Flip *a, int64_t n)
{
    if (has_low_bits(a, n))
        return flip_bits(a->base / n, a->mask / n, a->flips / n);
    return flip_rests(a)
               ? stays(whole_floor_quotient(a->least, n), whole_floor_quotient(a->most, n))
               : other;
}

static Flip rest(const Flip *a, int64_t n)
{
    if (has_low_bits(a, n))
        return flip_bits(0, a->mask & (n - 1), a->flips & (n - 1));
    if (!flip_rests(a))
        return other;
    const int64_t period = whole_floor_quotient(a->least, n);
    return period == whole_floor_quotient(a->most, n)
               ? stays(a->least - period * n, a->most - period * n)
               : stays(0, n - 1);
}

/* 1 or 0 where the bounds decide. */
static int decide(ExprKind kind, const Flip *a, const Flip *b)
{
    switch (kind) {
    case EXPR_LESS:
        return a->most < b->least ? 1 : a->least >= b->most ? 0 : -1;
    case EXPR_LESS_EQUAL:
        return a->most <= b->least ? 1 : a->least > b->most ? 0 : -1;
    case EXPR_GREATER:
        return decide(EXPR_LESS, b, a);
    case EXPR_GREATER_EQUAL:
        return decide(EXPR_LESS_EQUAL, b, a);
    default:
        if (a->most < b->least || b->most < a->least)
            return kind == EXPR_UNEQUAL;
        return is_known(a) && is_known(b) ? kind == EXPR_EQUAL : -1;
    }
}

static Flip compare(ExprKind kind, const Flip *a, const Flip *b)
{
    const int known = decide(kind, a, b);
    if (known >= 0)
        return flip_known(known);
    const bool is_equality = kind == EXPR_EQUAL || kind == EXPR_UNEQUAL;
    const bool flip_alike = a->kind == FLIPS_BITS && b->kind == FLIPS_BITS && a->base == b->base &&
                            a->flips == b->flips;
    return (is_equality && flip_alike) || (flip_rests(a) && flip_rests(b)) ? stays(0, 1) : other;
}

static Flip choose(const Expr *expr, const FlipScope *scope)
{
    const Flip condition = flip_find(expr->arguments[0], scope);
    if (is_known(&condition))
        return flip_find(expr->arguments[condition.least ? 1 : 2], scope);
    if (!flip_rests(&condition))
        return other;
    const Flip yes = flip_find(expr->arguments[1], scope),
               no = flip_find(expr->arguments[2], scope);
    if (yes.kind == FLIPS_BITS && no.kind == FLIPS_BITS && yes.base == no.base &&
        yes.flips == no.flips)
        return flip_bits(yes.base, yes.mask | no.mask, yes.flips);
    return flip_rests(&yes) && flip_rests(&no) ? stays(yes.least < no.least ? yes.least : no.least,
                                                       yes.most > no.most ? yes.most : no.most)
                                               : other;
}

static Flip find_binary(ExprKind kind, const Flip *a, const Flip *b)
{
    switch (kind) {
    case EXPR_ADD:
        return add(a, b);
    case EXPR_SUBTRACT:
        return subtract(a, b);
    case EXPR_MULTIPLY:
        return multiply(a, b);
    case EXPR_QUOTIENT:
        return is_known(b) && b->least > 0 ? quotient(a, b->least) : other;
    case EXPR_MODULO:
        return is_known(b) && b->least > 0 ? rest(a, b->least) : other;
    case EXPR_EQUAL:
    case EXPR_UNEQUAL:
    case EXPR_LESS:
    case EXPR_LESS_EQUAL:
    case EXPR_GREATER:
    case EXPR_GREATER_EQUAL:
        return compare(kind, a, b);
    case EXPR_AND:
    case EXPR_OR:
        return flip_rests(a) && flip_rests(b) ? stays(0, 1) : other;
    default:
        return other;
    }
}

Flip flip_find(const Expr *expr, const FlipScope *scope)
{
    if (expr->type != TYPE_INT && expr->type != TYPE_BOOL)
        return other;
    if (expr->kind == EXPR_NUMBER)
        return flip_known(expr->integer);
    if (expr->kind == EXPR_VARIABLE)
        return scope->slots[expr->slot];
    if (expr->kind == EXPR_WHEN)
        return choose(expr, scope);
    if (expr->argument_count != 2)
        return other;
    const Flip a = flip_find(expr->arguments[0], scope), b = flip_find(expr->arguments[1], scope);
    return a.kind && b.kind ? find_binary(expr->kind, &a, &b) : other;
}
