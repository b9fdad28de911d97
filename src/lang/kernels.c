#include "lang/kernels.h"

#include "base/whole.h"
#include "lang/circulant.h"
#include "lang/roots.h"

#include <math.h>
#include <string.h>

#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("O3") /* -O2 leaves most of these loops scalar */
#endif

/* One binary serves all x86-64 machines at the speed of each. Sanitizers and ifuncs do not mix; and
   of several copies of a line only the machine's own would be counted. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ &&                                \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ && !defined COUNTS_LINES
#define VECTOR_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define VECTOR_CLONES
#endif

#define INLINE static inline __attribute__((always_inline))

INLINE int64_t int_add(int64_t a, int64_t b)
{
    int64_t sum = (int64_t)((uint64_t)a + (uint64_t)b);
    bool bad = (((a ^ sum) & (b ^ sum)) < 0) | (a == POISON) | (b == POISON);
    return bad ? POISON : sum;
}

INLINE int64_t int_subtract(int64_t a, int64_t b)
{
    int64_t difference = (int64_t)((uint64_t)a - (uint64_t)b);
    bool bad = (((a ^ b) & (a ^ difference)) < 0) | (a == POISON) | (b == POISON);
    return bad ? POISON : difference;
}

INLINE int64_t int_multiply(int64_t a, int64_t b)
{
    int64_t product;
    bool bad = __builtin_mul_overflow(a, b, &product) | (a == POISON) | (b == POISON);
    return bad ? POISON : product;
}

INLINE bool any_poison(int64_t a, int64_t b)
{
    return (a == POISON) | (b == POISON);
}

/* Floored, as in mathematics. Ranks make the dividend small and positive in most cases, where a
   comparison, a subtraction or a 32-bit division is much faster than a 64-bit division. */
INLINE int64_t int_modulo(int64_t a, int64_t b)
{
    if (any_poison(a, b) || b == 0)
        return POISON;
    if (a >= 0 && b > 0) {
        if (a < b)
            return a;
        if (a - b < b)
            return a - b;
        if ((a | b) <= UINT32_MAX)
            return (int64_t)((uint32_t)a % (uint32_t)b);
    }
    if (b == -1)
        return 0;
    int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

INLINE int64_t int_quotient(int64_t a, int64_t b)
{
    if (any_poison(a, b) || b == 0)
        return POISON;
    if (a >= 0 && b > 0 && (a | b) <= UINT32_MAX)
        return (int64_t)((uint32_t)a / (uint32_t)b);
    if (b == -1)
        return -a;
    int64_t quotient = a / b;
    return quotient - ((a % b != 0) && ((a < 0) != (b < 0)));
}

INLINE int64_t int_power(int64_t base, int64_t exponent)
{
    if (any_poison(base, exponent) || exponent < 0)
        return POISON;
    if (base == 2)
        return exponent < 62 ? (int64_t)1 << exponent : exponent == 62 ? (int64_t)1 << 62 : POISON;
    if (base == 0 || base == 1 || base == -1)
        exponent = exponent ? 2 - exponent % 2 : 0;
    int64_t result = 1;
    for (int64_t i = 0; i < exponent; i++)
        if (__builtin_mul_overflow(result, base, &result))
            return POISON;
    return result;
}

/* Operations that could turn an infinite value into a finite one give NaN instead. */
INLINE bool is_finite(double a)
{
    return fabs(a) <= 0x1.fffffffffffffp1023;
}

/* Without a branch, so that lanes are computed side by side. */
INLINE bool are_finite(double a, double b)
{
    return (int)is_finite(a) & (int)is_finite(b);
}

INLINE double real_min(double a, double b)
{
    double least = a < b ? a : b;
    return are_finite(a, b) ? least : (double)NAN;
}

INLINE double real_max(double a, double b)
{
    double greatest = a > b ? a : b;
    return are_finite(a, b) ? greatest : (double)NAN;
}

INLINE int64_t compare_real(double a, double b, bool holds)
{
    return are_finite(a, b) ? holds : POISON;
}

/* KERNEL(operation, type of arguments, of the result, expression in x and y) */
#define BINARY_INT_KERNELS(KERNEL)                                                                 \
    KERNEL(ADD, int64_t, int64_t, int_add(x, y))                                                   \
    KERNEL(SUBTRACT, int64_t, int64_t, int_subtract(x, y))                                         \
    KERNEL(MULTIPLY, int64_t, int64_t, int_multiply(x, y))                                         \
    KERNEL(POWER, int64_t, int64_t, int_power(x, y))                                               \
    KERNEL(MODULO, int64_t, int64_t, int_modulo(x, y))                                             \
    KERNEL(QUOTIENT, int64_t, int64_t, int_quotient(x, y))                                         \
    KERNEL(XOR, int64_t, int64_t, any_poison(x, y) ? POISON : x ^ y)                               \
    KERNEL(MIN, int64_t, int64_t, any_poison(x, y) ? POISON : x < y ? x : y)                       \
    KERNEL(MAX, int64_t, int64_t, any_poison(x, y) ? POISON : x > y ? x : y)                       \
    KERNEL(BIT, int64_t, int64_t,                                                                  \
           any_poison(x, y) || y < 0 ? POISON                                                      \
           : y > 62                  ? x < 0                                                       \
                                     : (x >> y) & 1)                                                                \
    KERNEL(CIRCULANT, int64_t, int64_t, any_poison(x, y) ? POISON : circulant_block(x, y))         \
    KERNEL(AND, int64_t, int64_t, x == 0 ? 0 : x == POISON ? POISON : y)                           \
    KERNEL(OR, int64_t, int64_t, x == POISON ? POISON : x != 0 ? 1 : y)                            \
    KERNEL(EQUAL, int64_t, int64_t, any_poison(x, y) ? POISON : x == y)                            \
    KERNEL(UNEQUAL, int64_t, int64_t, any_poison(x, y) ? POISON : x != y)                          \
    KERNEL(LESS, int64_t, int64_t, any_poison(x, y) ? POISON : x < y)                              \
    KERNEL(LESS_EQUAL, int64_t, int64_t, any_poison(x, y) ? POISON : x <= y)                       \
    KERNEL(GREATER, int64_t, int64_t, any_poison(x, y) ? POISON : x > y)                           \
    KERNEL(GREATER_EQUAL, int64_t, int64_t, any_poison(x, y) ? POISON : x >= y)

#define BINARY_REAL_KERNELS(KERNEL)                                                                \
    KERNEL(ADD, double, double, x + y)                                                             \
    KERNEL(SUBTRACT, double, double, x - y)                                                        \
    KERNEL(MULTIPLY, double, double, x *y)                                                         \
    KERNEL(DIVIDE, double, double, x / (is_finite(y) ? y : (double)NAN))                           \
    KERNEL(POWER, double, double, are_finite(x, y) ? pow(x, y) : (double)NAN)                      \
    KERNEL(MIN, double, double, real_min(x, y))                                                    \
    KERNEL(MAX, double, double, real_max(x, y))                                                    \
    KERNEL(EQUAL, double, int64_t, compare_real(x, y, x == y))                                     \
    KERNEL(UNEQUAL, double, int64_t, compare_real(x, y, x != y))                                   \
    KERNEL(LESS, double, int64_t, compare_real(x, y, x < y))                                       \
    KERNEL(LESS_EQUAL, double, int64_t, compare_real(x, y, x <= y))                                \
    KERNEL(GREATER, double, int64_t, compare_real(x, y, x > y))                                    \
    KERNEL(GREATER_EQUAL, double, int64_t, compare_real(x, y, x >= y))

#define UNARY_INT_KERNELS(KERNEL)                                                                  \
    KERNEL(NEGATE, int64_t, int64_t, x == POISON ? POISON : -x)                                    \
    KERNEL(ABS, int64_t, int64_t, x == POISON ? POISON : x < 0 ? -x : x)                           \
    KERNEL(NOT, int64_t, int64_t, x == POISON ? POISON : !x)                                       \
    KERNEL(CLOG2, int64_t, int64_t,                                                                \
           x < 1    ? POISON                                                                       \
           : x == 1 ? 0                                                                            \
                    : 64 - __builtin_clzll((unsigned long long)x - 1))                             \
    KERNEL(FLOG2, int64_t, int64_t, x < 1 ? POISON : 63 - __builtin_clzll((unsigned long long)x))  \
    KERNEL(POPCOUNT, int64_t, int64_t,                                                             \
           x < 0 ? POISON : __builtin_popcountll((unsigned long long)x))                           \
    KERNEL(POWER_OF_TWO, int64_t, int64_t, x == POISON ? POISON : x > 0 && (x & (x - 1)) == 0)     \
    KERNEL(IS_SQUARE, int64_t, int64_t, x == POISON ? POISON : root_is_square(x))                  \
    KERNEL(IS_CUBE, int64_t, int64_t, x == POISON ? POISON : root_is_cube(x))                      \
    KERNEL(TO_BOOL, int64_t, int64_t, x == POISON ? POISON : x != 0)                               \
    KERNEL(TO_REAL, int64_t, double, x == POISON ? (double)NAN : (double)x)

#define UNARY_REAL_KERNELS(KERNEL)                                                                 \
    KERNEL(NEGATE, double, double, -x)                                                             \
    KERNEL(ABS, double, double, fabs(x))                                                           \
    KERNEL(CEIL, double, double, whole_ceil(x))                                                    \
    KERNEL(FLOOR, double, double, whole_floor(x))                                                  \
    KERNEL(SQRT, double, double, sqrt(x))                                                          \
    KERNEL(CBRT, double, double, root_cube(x))                                                     \
    KERNEL(LOG2, double, double, log2(x))                                                          \
    KERNEL(TO_WHOLE, double, int64_t, fabs(x) < 0x1p53 && x == floor(x) ? (int64_t)x : POISON)

/* gcc is told that lanes do not touch one another; clang finds out by itself. */
#ifdef __clang__
#define LANES_APART
#else
#define LANES_APART _Pragma("GCC ivdep")
#endif

#define EACH_LANE(...)                                                                             \
    LANES_APART for (size_t i = 0; i < count; i++)                                                 \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

/* Three loops, since a uniform argument in a register is worth much. */
#define BINARY(id, in, outtype, expression)                                                        \
    case EXPR_##id: {                                                                              \
        const in *pa = a, *pb = b;                                                                 \
        outtype *po = out;                                                                         \
        if (shape == SHAPE_UNIFORM_A) {                                                            \
            const in x = *pa;                                                                      \
            EACH_LANE(const in y = pb[i]; po[i] = (expression));                                   \
        } else if (shape == SHAPE_UNIFORM_B) {                                                     \
            const in y = *pb;                                                                      \
            EACH_LANE(const in x = pa[i]; po[i] = (expression));                                   \
        } else {                                                                                   \
            EACH_LANE(const in x = pa[i]; const in y = pb[i]; po[i] = (expression));               \
        }                                                                                          \
        break;                                                                                     \
    }

#define UNARY(id, in, outtype, expression)                                                         \
    case EXPR_##id: {                                                                              \
        const in *pa = a;                                                                          \
        outtype *po = out;                                                                         \
        EACH_LANE(const in x = pa[i]; po[i] = (expression));                                       \
        break;                                                                                     \
    }

/* |x| < 2^50: a double holds it, and so does the quotient of two such numbers, but for its last
 * bit. */
enum { EXACT_BITS = 50, FACTOR_BITS = 31 };

/* Are all of them below 2^bits, or no value? */
VECTOR_CLONES
static bool are_below(const int64_t *a, size_t count, int bits)
{
    const uint64_t most = (uint64_t)1 << bits;
    uint64_t above = 0;
    EACH_LANE(above |= a[i] == POISON ? 0 : ((uint64_t)a[i] + most) & ~(2 * most - 1));
    return above == 0;
}

/* Ranks are taken mod and div powers of two all the time: a mask and a shift do it, floored, for
   negative numbers too. Processors divide whole numbers one by one and slowly, so for the others a
   product with the reciprocal is next to the quotient where this is whole, and on its side of all
   whole numbers where it is not, since a and b are below 2^50: at most one turn of b is left over.
 */
VECTOR_CLONES
static void divide_by(int64_t *out, const int64_t *a, int64_t b, size_t count, bool wants_rest)
{
    const double reciprocal = 1.0 / (double)b;
    const int shift = __builtin_ctzll((unsigned long long)b);
    if (whole_is_power_of_two(b) && wants_rest) {
        EACH_LANE(out[i] = a[i] == POISON ? POISON : a[i] & (b - 1));
    } else if (whole_is_power_of_two(b)) {
        EACH_LANE(out[i] = a[i] == POISON ? POISON : a[i] >> shift);
    } else {
        EACH_LANE(const int64_t x = a[i]; const int64_t guess = (int64_t)((double)x * reciprocal);
                  const int64_t left = (int64_t)((uint64_t)x - (uint64_t)guess * (uint64_t)b);
                  const int64_t turn = (int64_t)(left >= b) - (int64_t)(left < 0);
                  const int64_t result = wants_rest ? left - turn * b : guess + turn;
                  out[i] = x == POISON ? POISON : result);
    }
}

VECTOR_CLONES
static void multiply_small(bool uniform, int64_t *out, const int64_t *a, const int64_t *b,
                           size_t count)
{
    if (uniform) {
        const int64_t y = *b;
        EACH_LANE(const int64_t x = a[i];
                  out[i] = any_poison(x, y) ? POISON : (int64_t)((uint64_t)x * (uint64_t)y));
    } else {
        EACH_LANE(const int64_t x = a[i]; const int64_t y = b[i];
                  out[i] = any_poison(x, y) ? POISON : (int64_t)((uint64_t)x * (uint64_t)y));
    }
}

VECTOR_CLONES
void kernel_binary(ExprKind kind, bool real, LaneShape shape, void *out, const void *a,
                   const void *b, size_t count)
{
    const int64_t divisor = !real && shape == SHAPE_UNIFORM_B ? *(const int64_t *)b : 0;
    const bool divides = kind == EXPR_MODULO || kind == EXPR_QUOTIENT;
    if (divides && divisor > 0 &&
        (whole_is_power_of_two(divisor) ||
         (divisor >> EXACT_BITS == 0 && are_below(a, count, EXACT_BITS))))
        divide_by(out, a, divisor, count, kind == EXPR_MODULO);
    else if (!real && kind == EXPR_MULTIPLY &&
             are_below(a, shape == SHAPE_UNIFORM_A ? 1 : count, FACTOR_BITS) &&
             are_below(b, shape == SHAPE_UNIFORM_B ? 1 : count, FACTOR_BITS))
        multiply_small(shape != SHAPE_VARY, out, shape == SHAPE_UNIFORM_A ? b : a,
                       shape == SHAPE_UNIFORM_A ? a : b, count);
    else if (real)
        switch (kind) {
            BINARY_REAL_KERNELS(BINARY)
        default:
            break;
        }
    else
        switch (kind) {
            BINARY_INT_KERNELS(BINARY)
        default:
            break;
        }
}

void kernel_unary(ExprKind kind, bool real, void *out, const void *a, size_t count)
{
    if (real)
        switch (kind) {
            UNARY_REAL_KERNELS(UNARY)
        default:
            break;
        }
    else
        switch (kind) {
            UNARY_INT_KERNELS(UNARY)
        default:
            break;
        }
}

#define ONE_BINARY(id, in, outtype, expression, real)                                              \
    case LANE_CODE(EXPR_##id, real, true): {                                                       \
        in x, y;                                                                                   \
        memcpy(&x, a, sizeof x);                                                                   \
        memcpy(&y, &values[step->b], sizeof y);                                                    \
        const outtype result = (expression);                                                       \
        memcpy(out, &result, sizeof result);                                                       \
        break;                                                                                     \
    }
#define ONE_UNARY(id, in, outtype, expression, real)                                               \
    case LANE_CODE(EXPR_##id, real, false): {                                                      \
        in x;                                                                                      \
        memcpy(&x, a, sizeof x);                                                                   \
        const outtype result = (expression);                                                       \
        memcpy(out, &result, sizeof result);                                                       \
        break;                                                                                     \
    }
#define ONE_BINARY_INT(...) ONE_BINARY(__VA_ARGS__, false)
#define ONE_BINARY_REAL(...) ONE_BINARY(__VA_ARGS__, true)
#define ONE_UNARY_INT(...) ONE_UNARY(__VA_ARGS__, false)
#define ONE_UNARY_REAL(...) ONE_UNARY(__VA_ARGS__, true)

void kernel_lane(const LaneStep *steps, size_t count, int64_t *values)
{
    for (const LaneStep *step = steps; step < steps + count; step++) {
        const int64_t *a = &values[step->a];
        int64_t *out = &values[step->out];
        switch (step->code) {
            BINARY_INT_KERNELS(ONE_BINARY_INT)
            BINARY_REAL_KERNELS(ONE_BINARY_REAL)
            UNARY_INT_KERNELS(ONE_UNARY_INT)
            UNARY_REAL_KERNELS(ONE_UNARY_REAL)
        case LANE_CODE(EXPR_WHEN, false, false):
        case LANE_CODE(EXPR_WHEN, true, false):
            kernel_choose(step->code == LANE_CODE(EXPR_WHEN, true, false), out, a, 0,
                          &values[step->b], 0, &values[step->c], 0, 1);
            break;
        case LANE_COPY:
            *out = *a;
            break;
        default:
            break;
        }
    }
}

int64_t kernel_operation(const Expr *expr, const int64_t values[3])
{
    const bool chooses = expr->kind == EXPR_WHEN;
    const bool real = (chooses ? expr : expr->arguments[0])->type == TYPE_REAL;
    const bool rounds =
        (expr->kind == EXPR_CEIL || expr->kind == EXPR_FLOOR) && expr->type == TYPE_INT;
    const bool binary = expr->argument_count == 2;
    int64_t cells[4] = {values[0], values[1], values[2], POISON};
    const LaneStep steps[2] = {{LANE_CODE(expr->kind, real, binary), 3, 0, 1, 2},
                               {LANE_CODE(EXPR_TO_WHOLE, true, false), 3, 3, 0, 0}};
    kernel_lane(steps, rounds ? 2 : 1, cells);
    return cells[3];
}

typedef int64_t AnyValue __attribute__((may_alias)); /* the bits of a whole number or a real one */

#define CHOOSE(chosen, one, other)                                                                 \
    EACH_LANE(const int64_t is = (chosen); const int64_t x = (one); const int64_t y = (other);     \
              to[i] = is == POISON ? none                                                          \
                      : is         ? x                                                             \
                                   : y)

VECTOR_CLONES
void kernel_choose(bool real, void *out, const int64_t *condition, size_t condition_step,
                   const void *a, size_t a_step, const void *b, size_t b_step, size_t count)
{
    const double no_real = NAN;
    const AnyValue none = real ? *(const AnyValue *)&no_real : POISON;
    const AnyValue *from = a, *from_other = b;
    const AnyValue uniform = a_step ? none : *from, other_uniform = b_step ? none : *from_other;
    AnyValue *to = out;
    if (!condition_step)
        CHOOSE(*condition, from[i * a_step], from_other[i * b_step])
    else if (a_step && b_step)
        CHOOSE(condition[i], from[i], from_other[i])
    else if (a_step)
        CHOOSE(condition[i], from[i], other_uniform)
    else if (b_step)
        CHOOSE(condition[i], uniform, from_other[i])
    else
        CHOOSE(condition[i], uniform, other_uniform)
}

VECTOR_CLONES
size_t kernel_find_bad(bool real, const void *values, size_t count)
{
    const double *reals = values;
    const int64_t *ints = values;
    int64_t bad = 0;
    if (real) {
        EACH_LANE(bad |= !(fabs(reals[i]) <= 0x1.fffffffffffffp1023));
    } else {
        EACH_LANE(bad |= ints[i] == POISON);
    }
    if (!bad)
        return count;
    size_t i = 0;
    while (real ? fabs(reals[i]) <= 0x1.fffffffffffffp1023 : ints[i] != POISON)
        i++;
    return i;
}
