/* Times over message sizes, both logarithmic: a curve for each algorithm, the lower bound, and the
   sizes at which the fastest changes. */
#ifndef COLLCOST_FORMAT_COST_CURVES_H
#define COLLCOST_FORMAT_COST_CURVES_H

#include "format/captions.h"

typedef struct {
    const char *name;
    const double *seconds; /* at each size; what is not above 0 is not drawn */
    int style;             /* 0 .. CURVE_STYLES - 1: drawn so and labelled; -1: one of the others */
} CostCurve;

/* A time that was measured, in the style of a curve. */
typedef struct {
    double size, seconds;
    size_t curve;
    const char *tip;
} CostPoint;

/* From one size to the next, `curve` is the fastest. */
typedef struct {
    double from, to;
    size_t curve;
    const char *label; /* of the lower end; NULL: it is that of the axis */
} CostPiece;

typedef struct {
    Heading heading;
    const char *size_title;
    size_t size_count;   /* at least two */
    const double *sizes; /* rising, above 0 */
    size_t curve_count;
    const CostCurve *curves;
    const double *bound; /* at each size, like a curve; NULL: none */
    size_t piece_count;
    const CostPiece *pieces;
    size_t point_count;
    const CostPoint *points; /* at sizes within those of the curves */
} CostCurves;

/* NULL where nothing takes any time. */
Drawing *cost_curves_draw(Arena *arena, const CostCurves *data);

#endif
