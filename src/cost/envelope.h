/* The fastest algorithm at every size: the lower envelope of curves, with its switch points.

   Nothing is sampled. Between its bends (curve.h) a curve is, for a fixed k, a line, so the best
   over k is concave there: on an interval it lies above its chord and below the lines of its end
   points. Where the machine has protocols, curves jump at bends; the lower side has the size
   itself. An interval is halved until these bounds show that one curve is nowhere above the others;
   a switch point between two pieces is then the crossing of their lines, to full precision. Curves
   with equal lines at both ends of an octave are taken to be equal between. */
#ifndef COLLCOST_COST_ENVELOPE_H
#define COLLCOST_COST_ENVELOPE_H

#include "cost/curve.h"

typedef struct {
    double from, to;  /* bytes; `to` is INFINITY where nothing follows */
    size_t curve;     /* the first of equals */
    CurvePoint start; /* at `from` */
    const bool *tied; /* which other curves cost the same all along */
} Piece;

ARRAY_TYPE(PieceArray, Piece);

/* The pieces of [from, to]. False after a report. */
bool envelope_find(Arena *arena, Curve *const *curves, size_t count, double from, double to,
                   PieceArray *pieces, Diag *diag);

#endif
