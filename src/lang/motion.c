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

static Motion motion_moves(int64_t by, int64_t modulus)
{
    return (Motion){MOTION_MOVES, by, modulus, INT64_MIN, INT64_MAX, 0};
}

static int64_t magnitude(int64_t a)
{
    return a == INT64_MIN ? INT64_MAX : a < 0 ? -a : a;
}

/* The least and the most of the whole value. False where it has no bounds. */
static bool find_range(const Motion *motion, int64_t turns, int64_t *least, int64_t *most)
{
    int64_t way;
    *least = motion->least, *most = motion->most;
    if (!is_bounded(motion) || motion->kind == MOTION_OTHER || motion->kind == MOTION_MOVES)
        return false;
    if (motion->kind == MOTION_STAYS)
        return true;
    return !__builtin_mul_overflow(motion->by, turns - 1, &way) &&
           !(way < 0 ? __builtin_add_overflow(*least, way, least)
                     : __builtin_add_overflow(*most, way, most));
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
    int64_t least, most;
    bool fits = motion.kind != MOTION_TURNS || !is_bounded(&motion) ||
                find_range(&motion, turns, &least, &most);
    return fits ? motion : other;
}

static bool have_same_turns(const Motion *a, const Motion *b)
{
    return a->origin > 0 && a->origin == b->origin && a->kind == MOTION_TURNS &&
           b->kind == MOTION_TURNS;
}

/* a + sign b */
static Motion add(const Motion *a, const Motion *b, int sign, int64_t turns)
{
    int64_t least = INT64_MIN, most = INT64_MAX, by, bys[2], moduli[2];
    if (a->kind == MOTION_OTHER || b->kind == MOTION_OTHER)
        return other;
    bool fits = is_bounded(a) && is_bounded(b) &&
                !(sign > 0 ? __builtin_add_overflow(a->least, b->least, &least) ||
                                 __builtin_add_overflow(a->most, b->most, &most)
                           : __builtin_sub_overflow(a->least, b->most, &least) ||
                                 __builtin_sub_overflow(a->most, b->least, &most));
    if (!fits)
        least = INT64_MIN, most = INT64_MAX;
    bool exact = (a->kind == MOTION_STAYS || a->kind == MOTION_TURNS) &&
                 (b->kind == MOTION_STAYS || b->kind == MOTION_TURNS) &&
                 (a->kind == MOTION_STAYS || b->kind == MOTION_STAYS || have_same_turns(a, b));
    if (!as_moving(a, turns, &bys[0], &moduli[0]) || !as_moving(b, turns, &bys[1], &moduli[1]) ||
        (sign > 0 ? __builtin_add_overflow(bys[0], bys[1], &by)
                  : __builtin_sub_overflow(bys[0], bys[1], &by)))
        return other;
    if (exact)
        return within_whole(
            motion_turns(least, most, by, a->kind == MOTION_TURNS ? a->origin : b->origin), turns);
    return motion_moves(by, whole_common_divisor(moduli[0], moduli[1]));
}

/* The bounds of the product of two values within bounds. */
static Motion multiply_bounds(const Motion *a, const Motion *b)
{
    const int64_t lefts[] = {a->least, a->most}, rights[] = {b->least, b->most};
    Motion product = motion_stays(INT64_MAX, INT64_MIN);
    for (int i = 0; i < 4; i++) {
        int64_t value;
        if (!is_bounded(a) || !is_bounded(b) ||
            __builtin_mul_overflow(lefts[i / 2], rights[i % 2], &value))
            return stays_somewhere();
        product.least = value < product.least ? value : product.least;
        product.most = value > product.most ? value : product.most;
    }
    return product;
}

static Motion multiply(const Motion *a, const Motion *b, int64_t turns)
{
    int64_t by, modulus;
    if (b->kind != MOTION_STAYS) {
        const Motion *swapped = a;
        a = b, b = swapped;
    }
    if (a->kind == MOTION_OTHER || b->kind != MOTION_STAYS)
        return other;
    Motion bounds = multiply_bounds(a, b);
    if (a->kind == MOTION_STAYS)
        return bounds;
    if (!motion_is_known(b) || __builtin_mul_overflow(a->by, b->least, &by) ||
        __builtin_mul_overflow(a->modulus, magnitude(b->least), &modulus))
        return other;
    return a->kind == MOTION_TURNS
               ? within_whole(motion_turns(bounds.least, bounds.most, by, a->origin), turns)
               : motion_moves(by, modulus);
}

/* a mod n, for a known n > 0. What moves by d modulo c d = n, and lies between 0 and n, turns. */
static Motion rest(const Motion *a, int64_t n, int64_t turns)
{
    int64_t by, modulus, whole;
    if (is_bounded(a) && a->least >= 0 && a->most < n &&
        (a->kind == MOTION_STAYS || (a->kind == MOTION_TURNS && a->by % n == 0)))
        return motion_stays(a->least, a->most);
    if (a->kind == MOTION_STAYS && motion_is_known(a))
        return motion_known(whole_floor_rest(a->least, n));
    if (a->kind == MOTION_STAYS || (a->kind == MOTION_TURNS && a->by % n == 0))
        return motion_stays(0, n - 1);
    if (!as_moving(a, turns, &by, &modulus) || modulus % n != 0)
        return other;
    by = whole_floor_rest(by, n);
    if (by == 0)
        return motion_stays(0, n - 1);
    if (__builtin_mul_overflow(by, turns, &whole) || whole != n)
        return other;
    bool is_within = a->kind == MOTION_TURNS && a->by == by && a->least >= 0 && a->most < by;
    return is_within ? *a : motion_turns(0, by - 1, by, 0);
}

/* a div n, for a known n > 0 */
static Motion quotient(const Motion *a, int64_t n)
{
    if ((a->kind != MOTION_STAYS && a->kind != MOTION_TURNS) || a->by % n != 0)
        return other;
    if (!is_bounded(a))
        return motion_turns(INT64_MIN, INT64_MAX, a->by / n, a->origin);
    return motion_turns(whole_floor_quotient(a->least, n), whole_floor_quotient(a->most, n),
                        a->by / n, a->origin);
}

Motion motion_coordinate(const Motion *rank, int64_t stride, int64_t size, int64_t turns)
{
    const Motion above = quotient(rank, stride);
    return size == 1 ? motion_known(0) : rest(&above, size, turns);
}

/* Both lie between the same multiples of d, so that they are equal in all turns or in none. */
static bool are_level(const Motion *a, const Motion *b)
{
    int64_t least = a->least < b->least ? a->least : b->least;
    int64_t most = a->most > b->most ? a->most : b->most, span;
    return a->kind == MOTION_TURNS && b->kind == MOTION_TURNS && a->by == b->by && is_bounded(a) &&
           is_bounded(b) && !__builtin_sub_overflow(most, least, &span) && span < magnitude(a->by);
}

/* a < b, a <= b, a == b by what is known of their bounds: 1, 0, or -1 if it can be either. */
static int compare_ranges(ExprKind kind, const int64_t a[2], const int64_t b[2])
{
    switch (kind) {
    case EXPR_LESS:
        return a[1] < b[0] ? 1 : a[0] >= b[1] ? 0 : -1;
    case EXPR_LESS_EQUAL:
        return a[1] <= b[0] ? 1 : a[0] > b[1] ? 0 : -1;
    default:
        return a[0] == a[1] && b[0] == b[1] && a[0] == b[0] ? 1
               : a[1] < b[0] || b[1] < a[0]                 ? 0
                                                            : -1;
    }
}

static Motion compare(ExprKind kind, const Motion *a, const Motion *b, int64_t turns)
{
    if (kind == EXPR_GREATER || kind == EXPR_GREATER_EQUAL)
        return compare(kind == EXPR_GREATER ? EXPR_LESS : EXPR_LESS_EQUAL, b, a, turns);
    bool is_unequal = kind == EXPR_UNEQUAL;
    bool both_stay = a->kind == MOTION_STAYS && b->kind == MOTION_STAYS;
    bool together = both_stay || (have_same_turns(a, b) && a->by == b->by);
    int64_t left[2] = {a->least, a->most}, right[2] = {b->least, b->most};
    int known = -1;
    if (together ? is_bounded(a) && is_bounded(b)
                 : find_range(a, turns, &left[0], &left[1]) &&
                       find_range(b, turns, &right[0], &right[1]))
        known = compare_ranges(kind, left, right);
    if (known >= 0)
        return motion_known(is_unequal ? !known : known);
    bool is_equality = is_unequal || kind == EXPR_EQUAL;
    return together || (is_equality && are_level(a, b)) ? motion_stays(0, 1) : other;
}

/* 0 and ..., 1 or ... are decided by one side, if the other has a value. */
static Motion connect(ExprKind kind, const Motion *a, const Motion *b)
{
    const int64_t deciding = kind == EXPR_OR;
    const Motion *sides[] = {a, b};
    if (a->kind != MOTION_STAYS || b->kind != MOTION_STAYS)
        return other;
    for (int i = 0; i < 2; i++)
        if (motion_is_known(sides[i]) && sides[i]->least == deciding)
            return motion_known(deciding);
    if (motion_is_known(a) && motion_is_known(b))
        return motion_known(!deciding);
    return motion_stays(0, 1);
}

/* One of two values, which stays the same one. */
static Motion either(const Motion *a, const Motion *b, int64_t turns)
{
    int64_t least = a->least < b->least ? a->least : b->least;
    int64_t most = a->most > b->most ? a->most : b->most, bys[2], moduli[2];
    if (a->kind == MOTION_STAYS && b->kind == MOTION_STAYS)
        return motion_stays(least, most);
    if (a->kind == MOTION_TURNS && b->kind == MOTION_TURNS && a->by == b->by)
        return motion_turns(least, most, a->by, a->origin == b->origin ? a->origin : 0);
    if (!as_moving(a, turns, &bys[0], &moduli[0]) || !as_moving(b, turns, &bys[1], &moduli[1]) ||
        bys[0] != bys[1])
        return other;
    return motion_moves(bys[0], whole_common_divisor(moduli[0], moduli[1]));
}

static Motion choose(const Expr *expr, MotionScope *scope)
{
    Motion condition = motion_find(expr->arguments[0], scope);
    if (motion_is_known(&condition))
        return motion_find(expr->arguments[condition.least ? 1 : 2], scope);
    Motion yes = motion_find(expr->arguments[1], scope);
    Motion no = motion_find(expr->arguments[2], scope);
    return condition.kind == MOTION_STAYS ? either(&yes, &no, scope->turns) : other;
}

/* Terms that stay, over bounds that stay. */
static Motion add_up(const Expr *expr, MotionScope *scope)
{
    Motion from = motion_find(expr->arguments[1], scope);
    Motion to = motion_find(expr->arguments[2], scope);
    if (from.kind != MOTION_STAYS || to.kind != MOTION_STAYS)
        return other;
    scope->slots[expr->slot] = motion_stays(from.least, to.most);
    return motion_find(expr->arguments[3], scope).kind == MOTION_STAYS ? stays_somewhere() : other;
}

/* The floor of log2 a, a > 0. */
static int64_t floor_log(int64_t a)
{
    return 63 - __builtin_clzll((uint64_t)a);
}

static Motion power(int64_t a, int64_t n)
{
    int64_t value = 1;
    for (int64_t i = 0; i < n; i++)
        if (i > 64 || __builtin_mul_overflow(value, a, &value))
            return stays_somewhere();
    return n < 0 ? stays_somewhere() : motion_known(value);
}

/* Of known numbers, where that decides what programs do; else it is known that they stay. */
static Motion compute(ExprKind kind, int64_t a, int64_t b)
{
    switch (kind) {
    case EXPR_POWER:
        return power(a, b);
    case EXPR_XOR:
        return motion_known(a ^ b);
    case EXPR_BIT:
        return b < 0 || b > 62 || a < 0 ? motion_stays(0, 1) : motion_known(a >> b & 1);
    case EXPR_FLOG2:
        return a > 0 ? motion_known(floor_log(a)) : stays_somewhere();
    case EXPR_CLOG2:
        return a > 1 ? motion_known(floor_log(a - 1) + 1) : motion_known(0);
    case EXPR_POWER_OF_TWO:
        return motion_known(a > 0 && (a & (a - 1)) == 0);
    default:
        return stays_somewhere();
    }
}

static Motion least_or_most(bool is_least, const Motion *a, const Motion *b)
{
    bool together = (a->kind == MOTION_STAYS && b->kind == MOTION_STAYS) ||
                    (have_same_turns(a, b) && a->by == b->by);
    if (!together)
        return other;
    bool left_least = a->least < b->least, left_most = a->most < b->most;
    return motion_turns(left_least == is_least ? a->least : b->least,
                        left_most == is_least ? a->most : b->most, a->by, a->origin);
}

/* Operations of what stays stay. */
static Motion find_any(const Expr *expr, const Motion *arguments)
{
    bool is_whole = expr->type != TYPE_REAL, is_known = is_whole;
    for (int i = 0; i < expr->argument_count; i++) {
        if (arguments[i].kind != MOTION_STAYS)
            return other;
        is_known &= motion_is_known(&arguments[i]) && expr->arguments[i]->type != TYPE_REAL;
    }
    if (!is_known)
        return expr->type == TYPE_BOOL || expr->kind == EXPR_BIT ? motion_stays(0, 1)
                                                                 : stays_somewhere();
    return compute(expr->kind, arguments[0].least,
                   expr->argument_count > 1 ? arguments[1].least : 0);
}

static Motion find_binary(const Expr *expr, MotionScope *scope)
{
    Motion zero = motion_known(0);
    const Motion arguments[] = {motion_find(expr->arguments[0], scope),
                                expr->argument_count > 1 ? motion_find(expr->arguments[1], scope)
                                                         : zero};
    const Motion *a = &arguments[0], *b = &arguments[1];
    const bool is_real = expr->type == TYPE_REAL || expr->arguments[0]->type == TYPE_REAL ||
                         (expr->argument_count > 1 && expr->arguments[1]->type == TYPE_REAL);
    if (is_real)
        return find_any(expr, arguments);
    switch (expr->kind) {
    case EXPR_ADD:
        return add(a, b, 1, scope->turns);
    case EXPR_SUBTRACT:
        return add(a, b, -1, scope->turns);
    case EXPR_NEGATE:
        return add(&zero, a, -1, scope->turns);
    case EXPR_MULTIPLY:
        return multiply(a, b, scope->turns);
    case EXPR_MODULO:
        return motion_is_known(b) && b->least > 0 ? rest(a, b->least, scope->turns)
                                                  : find_any(expr, arguments);
    case EXPR_QUOTIENT:
        return motion_is_known(b) && b->least > 0 ? quotient(a, b->least)
                                                  : find_any(expr, arguments);
    case EXPR_EQUAL:
    case EXPR_UNEQUAL:
    case EXPR_LESS:
    case EXPR_LESS_EQUAL:
    case EXPR_GREATER:
    case EXPR_GREATER_EQUAL:
        return compare(expr->kind, a, b, scope->turns);
    case EXPR_AND:
    case EXPR_OR:
        return connect(expr->kind, a, b);
    case EXPR_NOT:
        return compare(EXPR_EQUAL, a, &zero, scope->turns);
    case EXPR_MIN:
    case EXPR_MAX:
        return least_or_most(expr->kind == EXPR_MIN, a, b);
    case EXPR_TO_BOOL:
        return compare(EXPR_UNEQUAL, a, &zero, scope->turns);
    default:
        return find_any(expr, arguments);
    }
}

Motion motion_find(const Expr *expr, MotionScope *scope)
{
    switch (expr->kind) {
    case EXPR_NUMBER:
        return expr->type == TYPE_REAL ? stays_somewhere() : motion_known(expr->integer);
    case EXPR_VARIABLE:
        return scope->slots[expr->slot];
    case EXPR_WHEN:
        return choose(expr, scope);
    case EXPR_SUM:
    case EXPR_LARGEST:
        return add_up(expr, scope);
    default:
        return expr->argument_count > 0 && expr->argument_count < 3 ? find_binary(expr, scope)
                                                                    : other;
    }
}
