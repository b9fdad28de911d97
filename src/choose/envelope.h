/* The fastest algorithm at every size: the lower envelope of curves, with its switch points.

   Nothing is sampled. Between two breakpoints (breakpoints.h) a curve lies above its chord and
   below the lines of its end points. An interval is halved until these bounds show that one curve
   is nowhere above the others; a switch point between two pieces is then the crossing of their
   lines, to full precision. Curves with equal lines at both ends of an octave are taken to be equal
   between.

   Within a piece its curve is the winner of winner.h at every size. At a switch point both curves
   cost the same, so there the first of the two in library order wins, and as far beside it as their
   times are equal to 12 digits. Where the change is a jump, the size itself belongs to the piece
   below. */
#ifndef COLLCOST_CHOOSE_ENVELOPE_H
#define COLLCOST_CHOOSE_ENVELOPE_H

#include "choose/winner.h"

typedef struct {
    double from, to; /* bytes; `to` is INFINITY where nothing follows */
    size_t curve;    /* by the rule of winner.h */
    CurvePoint
        start; /* at `from`, or where a curve jumps there just above it; k is that just above */
    const bool *tied; /* which other curves cost the same all along */
} Piece;

ARRAY_TYPE(PieceArray, Piece);

/* The pieces of an axis of sizes. False after a report. */
bool envelope_find(const ChoiceAxis *axis, PieceArray *pieces);

#endif
