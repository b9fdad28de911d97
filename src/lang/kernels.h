/* What one step of a program does to a block of lanes.

   A whole number without a value (overflow, division by zero) is POISON, a real one NaN or
   infinite; both spread through later steps, but `when`, `and` and `or` can leave them behind. */
#ifndef COLLCOST_LANG_KERNELS_H
#define COLLCOST_LANG_KERNELS_H

#include "lang/expr.h"

#define POISON INT64_MIN

/* Which arguments are one value for all lanes. */
typedef enum { SHAPE_VARY = 0, SHAPE_UNIFORM_A = 1, SHAPE_UNIFORM_B = 2 } LaneShape;

/* out[i] = kind(a[i], b[i]); `real`: the arguments are doubles. */
void kernel_binary(ExprKind kind, bool real, LaneShape shape, void *out, const void *a,
                   const void *b, size_t count);
void kernel_unary(ExprKind kind, bool real, void *out, const void *a, size_t count);
/* out[i] = condition[i] ? a[i] : b[i], for values of 8 bytes; `step` 0 stands for a uniform one. */
void kernel_choose(bool real, void *out, const int64_t *condition, size_t condition_step,
                   const void *a, size_t a_step, const void *b, size_t b_step, size_t count);
/* The first lane without a value, or `count`. */
size_t kernel_find_bad(bool real, const void *values, size_t count);

/* values[out] = operation(values[a], values[b], values[c]), for one lane, without loops. */
typedef struct {
    int code, out, a, b, c;
} LaneStep;
#define LANE_CODE(kind, real, binary) ((int)(kind)*4 + (real)*2 + (binary))
enum { LANE_COPY = LANE_CODE(EXPR_VARIABLE, 0, 0) };
/* A real value stands by its bits. */
void kernel_lane(const LaneStep *steps, size_t count, int64_t *values);
/* The operation of a checked expression, no loop, on such values of its arguments. */
int64_t kernel_operation(const Expr *expr, const int64_t values[3]);

#endif
