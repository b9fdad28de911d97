/* Times over message sizes, or what follows from times: a curve for each algorithm, the bound, and
   the sizes at which the fastest changes. What lies beyond the bound is hatched, so that no curve
   can be taken for it. */
#ifndef COLLCOST_FORMAT_COST_CURVES_H
#define COLLCOST_FORMAT_COST_CURVES_H

#include "format/axis.h"
#include "format/captions.h"

typedef struct {
    const char *name;
    const double *values; /* at each size; what is not above 0 is not drawn */
    int style;            /* 0 .. CURVE_STYLES - 1: drawn so and labelled; -1: one of the others */
} CostCurve;

/* What the heights are. All 0 and NULL: times, logarithmic. */
typedef struct {
    const char *title;
    ShowValue show;
    bool is_linear;          /* from 0 on */
    bool bound_is_most;      /* nothing is above the bound; else below it */
    const char *bound_words; /* NULL: those of lower bounds */
    double most;             /* curves are cut above it; 0: nothing is */
} CurveHeights;

/* A value that was measured, in the style of a curve. */
typedef struct {
    double size, value;
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
    CurveHeights heights;
    ShowValue show_size; /* NULL: as bytes */
    bool joins;          /* curves go on across sizes at which they have no value */
} CostCurves;

/* "grey: 2 more algorithms", a note on so many curves without a style; NULL of none. */
const char *cost_curves_note_others(Arena *arena, size_t count);
/* NULL where nothing has a height. */
Drawing *cost_curves_draw(Arena *arena, const CostCurves *data);

#endif
