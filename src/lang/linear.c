#include "lang/linear.h"

#include "base/whole.h"

/* Bounds of what is added and multiplied here: no product of two of them overflows. */
enum { LARGEST = 1 << 30 };

/* Ranks whose values are sought, and where they are to be split. */
typedef struct {
    const LinearScope *scope;
    const Progression *ranks;
    int64_t *split;
} Search;

static const Linear zero;

static LinearAnswer find(const Search *search, const Expr *expr, Linear *value);

static Linear constant(int64_t value)
{
    return (Linear){0, 0, value};
}

static bool is_constant(const Linear *value)
{
    return value->scale == 0;
}

static bool is_small(int64_t value)
{
    return value >= -LARGEST && value <= LARGEST;
}

static int64_t value_at(const Linear *value, const Progression *ranks, int64_t i)
{
    return value->scale * ((ranks->first + i * ranks->stride) ^ value->mask) + value->offset;
}

static LinearAnswer found(Linear *value, Linear result)
{
    if (result.scale == 0)
        result.mask = 0;
    if (!is_small(result.scale) || !is_small(result.offset))
        return LINEAR_LOST;
    *value = result;
    return LINEAR_FOUND;
}

bool linear_range(const Linear *value, const LinearScope *scope, const Progression *ranks,
                  Interval *range)
{
    int64_t ends[2] = {ranks->first, progression_last(ranks)};
    /* The ranks of one rest modulo the stride, all of them below a power of two: a mask exchanges
       those of one such class for those of another. */
    const bool is_class = whole_is_power_of_two(scope->p) && whole_is_power_of_two(ranks->stride) &&
                          ranks->first < ranks->stride && ranks->count * ranks->stride == scope->p;
    if (value->mask && is_class && value->mask < scope->p) {
        ends[0] = (ranks->first ^ value->mask) & (ranks->stride - 1);
        ends[1] = scope->p - ranks->stride + ends[0];
    } else if (value->mask) {
        int64_t bits = 1;
        while (bits <= ends[1] || bits <= value->mask)
            bits *= 2;
        ends[0] = 0, ends[1] = bits - 1;
    }
    if (!is_small(ends[1]))
        return false;
    int64_t a = value->scale * ends[0] + value->offset, b = value->scale * ends[1] + value->offset;
    *range = (Interval){a < b ? a : b, a < b ? b : a};
    return true;
}

int64_t linear_below(const Linear *value, const Progression *ranks, int64_t end)
{
    const bool first = value_at(value, ranks, 0) < end;
    int64_t low = 0, high = ranks->count; /* the values at low - 1 and high differ in this */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if ((value_at(value, ranks, middle) < end) == first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Behind the ranks whose values are below `end` as that of the first is, or are not. */
static LinearAnswer split_at(const Search *search, const Linear *value, int64_t end)
{
    *search->split = linear_below(value, search->ranks, end);
    return *search->split > 0 && *search->split < search->ranks->count ? LINEAR_SPLIT : LINEAR_LOST;
}

/* a + sign b */
static LinearAnswer add(const Linear *a, const Linear *b, int64_t sign, Linear *value)
{
    if (!is_constant(a) && !is_constant(b) && a->mask != b->mask)
        return LINEAR_LOST;
    return found(value, (Linear){a->scale + sign * b->scale, a->mask | b->mask,
                                 a->offset + sign * b->offset});
}

static LinearAnswer multiply(const Linear *a, const Linear *b, Linear *value)
{
    if (!is_constant(b)) {
        const Linear *swapped = a;
        a = b, b = swapped;
    }
    if (!is_constant(b))
        return LINEAR_LOST;
    return found(value, (Linear){a->scale * b->offset, a->mask, a->offset * b->offset});
}

/* Behind the first multiple of n where values enter another period. */
static LinearAnswer split_period(const Search *search, const Linear *a, int64_t n)
{
    const int64_t period = whole_floor_quotient(value_at(a, search->ranks, 0), n);
    return a->mask ? LINEAR_LOST : split_at(search, a, (a->scale > 0 ? period + 1 : period) * n);
}

/* The rest of all values modulo n, if it is one. */
static bool find_rest(const Linear *a, const Progression *ranks, int64_t n, int64_t *rest)
{
    const bool meets = a->mask ? a->scale == 1 && whole_is_power_of_two(n) && ranks->stride % n == 0
                               : a->scale * ranks->stride % n == 0;
    *rest = whole_floor_rest(value_at(a, ranks, 0), n);
    return meets;
}

static LinearAnswer modulo(const Search *search, const Linear *a, int64_t n, Linear *value)
{
    Interval range;
    int64_t rest;
    if (find_rest(a, search->ranks, n, &rest))
        return found(value, constant(rest));
    if (!linear_range(a, search->scope, search->ranks, &range))
        return LINEAR_LOST;
    const int64_t period = whole_floor_quotient(range.least, n);
    if (period == whole_floor_quotient(range.most, n))
        return found(value, (Linear){a->scale, a->mask, a->offset - period * n});
    return split_period(search, a, n);
}

static LinearAnswer quotient(const Search *search, const Linear *a, int64_t n, Linear *value)
{
    Interval range;
    if (a->scale % n == 0)
        return found(value, (Linear){a->scale / n, a->mask, whole_floor_quotient(a->offset, n)});
    if (!linear_range(a, search->scope, search->ranks, &range))
        return LINEAR_LOST;
    if (whole_floor_quotient(range.least, n) == whole_floor_quotient(range.most, n))
        return found(value, constant(whole_floor_quotient(range.least, n)));
    return split_period(search, a, n);
}

static LinearAnswer exclusive_or(const Linear *a, const Linear *b, Linear *value)
{
    if (is_constant(a)) {
        const Linear *swapped = a;
        a = b, b = swapped;
    }
    if (!is_constant(b) || b->offset < 0)
        return LINEAR_LOST;
    if (is_constant(a))
        return a->offset < 0 ? LINEAR_LOST : found(value, constant(a->offset ^ b->offset));
    if (a->scale != 1 || a->offset != 0)
        return LINEAR_LOST;
    return found(value, (Linear){1, a->mask ^ b->offset, 0});
}

/* Which of two values is less, for all ranks. */
static LinearAnswer least_or_most(const Search *search, bool is_least, const Linear *a,
                                  const Linear *b, Linear *value)
{
    Linear apart;
    Interval range;
    if (add(a, b, -1, &apart) != LINEAR_FOUND ||
        !linear_range(&apart, search->scope, search->ranks, &range))
        return LINEAR_LOST;
    if (range.most <= 0)
        return found(value, is_least ? *a : *b);
    if (range.least >= 0)
        return found(value, is_least ? *b : *a);
    return apart.mask ? LINEAR_LOST : split_at(search, &apart, apart.scale > 0 ? 0 : 1);
}

/* a < 0, a <= 0, a == 0, ... */
static LinearAnswer compare(const Search *search, ExprKind kind, const Linear *a, Linear *value)
{
    const Progression *ranks = search->ranks;
    Interval sides[2] = {{0, 0}}, truth;
    if (!linear_range(a, search->scope, ranks, &sides[0]))
        return LINEAR_LOST;
    if (interval_operate(kind, sides, &truth) && truth.least == truth.most)
        return found(value, constant(truth.least));
    if (a->mask)
        return LINEAR_LOST;
    if (kind != EXPR_EQUAL && kind != EXPR_UNEQUAL)
        return split_at(search, a, kind == EXPR_LESS || kind == EXPR_GREATER_EQUAL ? 0 : 1);
    if (value_at(a, ranks, 0) == 0) { /* at the first rank alone */
        *search->split = 1;
        return LINEAR_SPLIT;
    }
    if (split_at(search, a, a->scale > 0 ? 0 : 1) == LINEAR_LOST)
        return LINEAR_LOST;
    return value_at(a, ranks, *search->split) == 0 ? LINEAR_SPLIT
                                                   : found(value, constant(kind == EXPR_UNEQUAL));
}

/* One side decides, or the other does. */
static LinearAnswer connect(const Search *search, const Expr *expr, Linear *value)
{
    Linear side;
    for (int i = 0; i < 2; i++) {
        const LinearAnswer answer = find(search, expr->arguments[i], &side);
        if (answer != LINEAR_FOUND)
            return answer;
        if (!is_constant(&side))
            return LINEAR_LOST;
        if ((side.offset != 0) == (expr->kind == EXPR_OR))
            break;
    }
    return found(value, constant(side.offset != 0));
}

static LinearAnswer find_bit(const Search *search, const Linear *a, int64_t bit, Linear *value)
{
    Linear shifted;
    int64_t rest;
    if (bit < 0 || bit > 29)
        return LINEAR_LOST;
    if (find_rest(a, search->ranks, (int64_t)2 << bit, &rest))
        return found(value, constant(rest >> bit & 1));
    const LinearAnswer answer = quotient(search, a, (int64_t)1 << bit, &shifted);
    return answer == LINEAR_FOUND ? modulo(search, &shifted, 2, value) : answer;
}

static LinearAnswer find_binary(const Search *search, const Expr *expr, const Linear *a,
                                const Linear *b, Linear *value)
{
    Linear apart;
    if (operation_info[expr->kind].rule == RULE_COMPARISON)
        return add(a, b, -1, &apart) == LINEAR_FOUND ? compare(search, expr->kind, &apart, value)
                                                     : LINEAR_LOST;
    switch (expr->kind) {
    case EXPR_ADD:
        return add(a, b, 1, value);
    case EXPR_SUBTRACT:
        return add(a, b, -1, value);
    case EXPR_NEGATE:
        return add(&zero, a, -1, value);
    case EXPR_MULTIPLY:
        return multiply(a, b, value);
    case EXPR_MODULO:
    case EXPR_QUOTIENT:
        if (!is_constant(b) || b->offset < 1)
            return LINEAR_LOST;
        return (expr->kind == EXPR_MODULO ? modulo : quotient)(search, a, b->offset, value);
    case EXPR_XOR:
        return exclusive_or(a, b, value);
    case EXPR_BIT:
        return is_constant(b) ? find_bit(search, a, b->offset, value) : LINEAR_LOST;
    case EXPR_MIN:
    case EXPR_MAX:
        return least_or_most(search, expr->kind == EXPR_MIN, a, b, value);
    case EXPR_NOT:
        return compare(search, EXPR_EQUAL, a, value);
    case EXPR_TO_BOOL:
        return compare(search, EXPR_UNEQUAL, a, value);
    default:
        return LINEAR_LOST;
    }
}

static LinearAnswer find(const Search *search, const Expr *expr, Linear *value)
{
    const LinearScope *scope = search->scope;
    Interval known;
    Linear arguments[2] = {{0}};
    if (expr->type != TYPE_INT && expr->type != TYPE_BOOL)
        return LINEAR_LOST;
    if (expr->kind == EXPR_VARIABLE && expr->slot == scope->rank)
        return found(value, (Linear){1, 0, 0});
    if (expr->kind == EXPR_VARIABLE && scope->lets >> expr->slot & 1)
        return find(search, scope->meanings[expr->slot], value);
    if (!expr->varies)
        return interval_find(expr, &scope->box, &known) && known.least == known.most
                   ? found(value, constant(known.least))
                   : LINEAR_LOST;
    if (expr->kind == EXPR_AND || expr->kind == EXPR_OR)
        return connect(search, expr, value);
    if (expr->kind == EXPR_WHEN) {
        Linear condition;
        const LinearAnswer answer = find(search, expr->arguments[0], &condition);
        if (answer != LINEAR_FOUND)
            return answer;
        return find(search, expr->arguments[condition.offset ? 1 : 2], value);
    }
    if (expr->argument_count < 1 || expr->argument_count > 2)
        return LINEAR_LOST;
    for (int i = 0; i < expr->argument_count; i++) {
        const LinearAnswer answer = find(search, expr->arguments[i], &arguments[i]);
        if (answer != LINEAR_FOUND)
            return answer;
    }
    return find_binary(search, expr, &arguments[0], &arguments[1], value);
}

LinearAnswer linear_find(const Expr *expr, const LinearScope *scope, const Progression *ranks,
                         Linear *value, int64_t *split)
{
    return find(&(Search){scope, ranks, split}, expr, value);
}

/* x mod n == c */
static LinearAnswer restrict_rest(const Expr *equality, const LinearScope *scope,
                                  Progression *ranks, int64_t *split)
{
    Linear x, n, c;
    const Expr *rest = equality->arguments[0];
    if (linear_find(rest->arguments[1], scope, ranks, &n, split) != LINEAR_FOUND ||
        linear_find(equality->arguments[1], scope, ranks, &c, split) != LINEAR_FOUND ||
        !is_constant(&n) || !is_constant(&c) || n.offset < 1)
        return LINEAR_LOST;
    const LinearAnswer answer = linear_find(rest->arguments[0], scope, ranks, &x, split);
    if (answer != LINEAR_FOUND)
        return answer;
    if (x.mask ? x.scale != 1 || !whole_is_power_of_two(n.offset) : x.scale != 1 && x.scale != -1)
        return LINEAR_LOST;
    if (c.offset < 0 || c.offset >= n.offset) {
        ranks->count = 0;
        return LINEAR_FOUND;
    }
    /* Those of the ranks are left that are `wanted` modulo n. */
    const int64_t wanted =
        whole_floor_rest((c.offset - x.offset) * x.scale, n.offset) ^ (x.mask & (n.offset - 1));
    const int64_t stride = ranks->stride, last = progression_last(ranks);
    const bool are_alike = ranks->count == 1 || stride % n.offset == 0;
    if (!are_alike && n.offset % stride != 0)
        return LINEAR_LOST;
    const int64_t ahead = whole_floor_rest(wanted - ranks->first, n.offset);
    const int64_t first = ranks->first + ahead;
    if (are_alike ? ahead != 0 : ahead % stride != 0 || first > last)
        ranks->count = 0;
    else if (!are_alike)
        *ranks = (Progression){first, n.offset, (last - first) / n.offset + 1};
    return LINEAR_FOUND;
}

LinearAnswer linear_restrict(const Expr *condition, const LinearScope *scope, Progression *ranks,
                             int64_t *split)
{
    Linear holds;
    while (condition->kind == EXPR_TO_BOOL && condition->arguments[0]->type == TYPE_BOOL)
        condition = condition->arguments[0];
    if (condition->kind == EXPR_AND) {
        for (int i = 0; i < 2 && ranks->count; i++) {
            const LinearAnswer answer =
                linear_restrict(condition->arguments[i], scope, ranks, split);
            if (answer != LINEAR_FOUND)
                return answer;
        }
        return LINEAR_FOUND;
    }
    if (condition->kind == EXPR_EQUAL && condition->arguments[0]->kind == EXPR_MODULO &&
        condition->arguments[0]->type == TYPE_INT) {
        const LinearAnswer answer = restrict_rest(condition, scope, ranks, split);
        if (answer != LINEAR_LOST)
            return answer;
    }
    const LinearAnswer answer = linear_find(condition, scope, ranks, &holds, split);
    if (answer == LINEAR_FOUND)
        ranks->count = holds.offset ? ranks->count : 0;
    return answer;
}
