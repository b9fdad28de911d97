#include "lang/motion.h"

#include "base/whole.h"

static const Motion other = {.kind = MOTION_OTHER};

Motion motion_stays(int64_t least, int64_t most)
{
    return (Motion){.kind = MOTION_STAYS, .least = least, .most = most};
}

Motion motion_known(int64_t value)
{
    return motion_stays(value, value);
}

/* It stays, but that is all. */
static Motion stays_somewhere(void)
{
    return motion_stays(INT64_MIN, INT64_MAX);
}

Motion motion_turns(int64_t least, int64_t most, int64_t by, int origin)
{
    if (by == 0)
        return motion_stays(least, most);
    return (Motion){MOTION_TURNS, by, 0, least, most, origin};
}

static bool is_bounded(const Motion *motion)
{
    return motion->least > INT64_MIN && motion->most < INT64_MAX;
}

static Interval bounds(const Motion *motion)
{
    return (Interval){motion->least, motion->most};
}

/* What an operation makes of the bounds of one value or two, as if they stayed. */
static Motion operate(ExprKind kind, const Motion *a, const Motion *b)
{
    const Interval ranges[] = {bounds(a), bounds(b)};
    Interval range;
    const bool good = is_bounded(a) && is_bounded(b) && interval_operate(kind, ranges, &range);
    return good ? motion_stays(range.least, range.most) : stays_somewhere();
}

static Motion motion_moves(int64_t by, int64_t modulus)
{
    return (Motion){MOTION_MOVES, by, modulus, INT64_MIN, INT64_MAX, 0};
}

static int64_t magnitude(int64_t a)
{
    return a == INT64_MIN ? INT64_MAX : a < 0 ? -a : a;
}

/* The bounds of the whole value. */
static Motion range_of(const Motion *motion, int64_t turns)
{
    int64_t way, least = motion->least, most = motion->most;
    if (!is_bounded(motion) || motion->kind == MOTION_OTHER || motion->kind == MOTION_MOVES ||
        __builtin_mul_overflow(motion->by, turns - 1, &way) ||
        (way < 0 ? __builtin_add_overflow(least, way, &least)
                 : __builtin_add_overflow(most, way, &most)))
        return stays_somewhere();
    return motion_stays(least, most);
}

/* Any value that is known to move as one that moves: stays is by 0 modulo 0, any number. */
static bool as_moving(const Motion *motion, int64_t turns, int64_t *by, int64_t *modulus)
{
    *by = motion->kind == MOTION_STAYS ? 0 : motion->by;
    *modulus = motion->kind == MOTION_MOVES ? motion->modulus : 0;
    return motion->kind != MOTION_OTHER &&
           (motion->kind != MOTION_TURNS ||
            !__builtin_mul_overflow(magnitude(motion->by), turns, modulus));
}

/* What turns beyond 64 bits at some rank has no value there. */
static Motion within_whole(Motion motion, int64_t turns)
{
    const Motion range = range_of(&motion, turns);
    return !is_bounded(&motion) || is_bounded(&range) ? motion : other;
}

static bool have_same_turns(const Motion *a, const Motion *b)
{
    return a->origin > 0 && a->origin == b->origin && a->kind == MOTION_TURNS &&
           b->kind == MOTION_TURNS;
}

/* Is it the same, whatever the turn, how far apart they are? */
static bool go_together(const Motion *a, const Motion *b)
{
    return have_same_turns(a, b) && a->by == b->by;
}

/* a + b, or a - b. */
static Motion add(ExprKind kind, const Motion *a, const Motion *b, int64_t turns)
{
    int64_t by, bys[2], moduli[2];
    const Motion range = operate(kind, a, b);
    const bool exact =
        a->kind != MOTION_MOVES && b->kind != MOTION_MOVES &&
        (a->kind == MOTION_STAYS || b->kind == MOTION_STAYS || have_same_turns(a, b));
    if (!as_moving(a, turns, &bys[0], &moduli[0]) || !as_moving(b, turns, &bys[1], &moduli[1]) ||
        (kind == EXPR_ADD ? __builtin_add_overflow(bys[0], bys[1], &by)
                          : __builtin_sub_overflow(bys[0], bys[1], &by)))
        return other;
    if (exact)
        return within_whole(motion_turns(range.least, range.most, by,
                                         a->kind == MOTION_TURNS ? a->origin : b->origin),
                            turns);
    return motion_moves(by, whole_common_divisor(moduli[0], moduli[1]));
}

/* By a known number. */
static Motion multiply(const Motion *a, const Motion *b, int64_t turns)
{
    int64_t by, modulus;
    if (b->kind != MOTION_STAYS) {
        const Motion *swapped = a;
        a = b, b = swapped;
    }
    if (a->kind == MOTION_OTHER || !motion_is_known(b) ||
        __builtin_mul_overflow(a->by, b->least, &by) ||
        __builtin_mul_overflow(a->modulus, magnitude(b->least), &modulus))
        return other;
    if (a->kind == MOTION_MOVES)
        return motion_moves(by, modulus);
    const Motion range = operate(EXPR_MULTIPLY, a, b);
    return within_whole(motion_turns(range.least, range.most, by, a->origin), turns);
}

/* a mod n, for a known n > 0. What moves by d modulo c d = n, and lies between 0 and n, turns. */
static Motion rest(const Motion *a, int64_t n, int64_t turns)
{
    int64_t by, modulus, whole;
    const Motion divisor = motion_known(n), range = operate(EXPR_MODULO, a, &divisor);
    const Motion any = motion_stays(0, n - 1);
    if (a->kind == MOTION_STAYS || (a->kind == MOTION_TURNS && a->by % n == 0))
        return is_bounded(&range) ? range : any;
    if (!as_moving(a, turns, &by, &modulus) || modulus % n != 0)
        return other;
    by = whole_floor_rest(by, n);
    if (by == 0)
        return any;
    if (__builtin_mul_overflow(by, turns, &whole) || whole != n)
        return other;
    bool is_within = a->kind == MOTION_TURNS && a->by == by && a->least >= 0 && a->most < by;
    return is_within ? *a : motion_turns(0, by - 1, by, 0);
}

/* a div n, for a known n > 0 */
static Motion quotient(const Motion *a, int64_t n)
{
    const Motion divisor = motion_known(n), range = operate(EXPR_QUOTIENT, a, &divisor);
    if ((a->kind != MOTION_STAYS && a->kind != MOTION_TURNS) || a->by % n != 0)
        return other;
    return motion_turns(range.least, range.most, a->by / n, a->origin);
}

Motion motion_coordinate(const Motion *rank, int64_t stride, int64_t size, int64_t turns)
{
    const Motion above = quotient(rank, stride);
    return size == 1 ? motion_known(0) : rest(&above, size, turns);
}

static Motion compare(ExprKind kind, const Motion *a, const Motion *b, int64_t turns)
{
    const bool together = go_together(a, b);
    const bool is_equality = kind == EXPR_EQUAL || kind == EXPR_UNEQUAL;
    const Motion ranges[] = {together ? *a : range_of(a, turns),
                             together ? *b : range_of(b, turns)};
    const Motion truth = operate(kind, &ranges[0], &ranges[1]);
    if (motion_is_known(&truth))
        return truth;
    /* Both lie between the same multiples of d, so that they are equal in all turns or in none. */
    const Interval both = interval_union(bounds(a), bounds(b));
    int64_t span;
    const bool are_level = is_equality && a->kind == MOTION_TURNS && b->kind == MOTION_TURNS &&
                           a->by == b->by && is_bounded(a) && is_bounded(b) &&
                           !__builtin_sub_overflow(both.most, both.least, &span) &&
                           span < magnitude(a->by);
    return together || are_level ? motion_stays(0, 1) : other;
}

/* One of two values, which stays the same one. */
static Motion either(const Motion *a, const Motion *b, int64_t turns)
{
    const Interval both = interval_union(bounds(a), bounds(b));
    int64_t bys[2], moduli[2];
    if (a->kind == b->kind && a->by == b->by && a->modulus == 0 && b->modulus == 0)
        return a->kind == MOTION_OTHER ? other
                                       : motion_turns(both.least, both.most, a->by,
                                                      a->origin == b->origin ? a->origin : 0);
    if (!as_moving(a, turns, &bys[0], &moduli[0]) || !as_moving(b, turns, &bys[1], &moduli[1]) ||
        bys[0] != bys[1])
        return other;
    return motion_moves(bys[0], whole_common_divisor(moduli[0], moduli[1]));
}

static Motion find_operation(const Expr *expr, MotionScope *scope)
{
    const Motion zero = motion_known(0);
    Motion arguments[] = {zero, zero};
    bool is_real = expr->type == TYPE_REAL;
    for (int i = 0; i < expr->argument_count; i++) {
        arguments[i] = motion_find(expr->arguments[i], scope);
        is_real |= expr->arguments[i]->type == TYPE_REAL;
    }
    const Motion *a = &arguments[0], *b = &arguments[1];
    Motion range;
    const bool divides = motion_is_known(b) && b->least > 0;
    if (expr->kind == EXPR_MODULO && divides && !is_real)
        return rest(a, b->least, scope->turns);
    if (a->kind == MOTION_STAYS && b->kind == MOTION_STAYS) { /* and so does what is made of them */
        range = is_real ? stays_somewhere() : operate(expr->kind, a, b);
        const bool is_digit = expr->type == TYPE_BOOL || expr->kind == EXPR_BIT;
        return is_digit && !is_bounded(&range) ? motion_stays(0, 1) : range;
    }
    if (is_real)
        return other;
    if (operation_info[expr->kind].rule == RULE_COMPARISON)
        return compare(expr->kind, a, b, scope->turns);
    switch (expr->kind) {
    case EXPR_ADD:
    case EXPR_SUBTRACT:
        return add(expr->kind, a, b, scope->turns);
    case EXPR_NEGATE:
        return add(EXPR_SUBTRACT, &zero, a, scope->turns);
    case EXPR_MULTIPLY:
        return multiply(a, b, scope->turns);
    case EXPR_QUOTIENT:
        return divides ? quotient(a, b->least) : other;
    case EXPR_MIN:
    case EXPR_MAX:
        range = operate(expr->kind, a, b);
        return go_together(a, b) ? motion_turns(range.least, range.most, a->by, a->origin) : other;
    case EXPR_TO_BOOL:
        return compare(EXPR_UNEQUAL, a, &zero, scope->turns);
    default:
        return other;
    }
}

Motion motion_find(const Expr *expr, MotionScope *scope)
{
    Motion first, second, third;
    switch (expr->kind) {
    case EXPR_NUMBER:
        return expr->type == TYPE_REAL ? stays_somewhere() : motion_known(expr->integer);
    case EXPR_VARIABLE:
        return scope->slots[expr->slot];
    case EXPR_WHEN:
        first = motion_find(expr->arguments[0], scope);
        if (motion_is_known(&first))
            return motion_find(expr->arguments[first.least ? 1 : 2], scope);
        second = motion_find(expr->arguments[1], scope);
        third = motion_find(expr->arguments[2], scope);
        return first.kind == MOTION_STAYS ? either(&second, &third, scope->turns) : other;
    case EXPR_SUM:
    case EXPR_LARGEST:
        first = motion_find(expr->arguments[1], scope);
        second = motion_find(expr->arguments[2], scope);
        if (first.kind != MOTION_STAYS || second.kind != MOTION_STAYS)
            return other;
        scope->slots[expr->slot] = motion_stays(first.least, second.most);
        third = motion_find(expr->arguments[3], scope);
        return third.kind == MOTION_STAYS ? stays_somewhere() : other;
    default:
        return expr->argument_count > 0 && expr->argument_count < 3 ? find_operation(expr, scope)
                                                                    : other;
    }
}
