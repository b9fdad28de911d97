/* Curves at sizes, and the intervals on which they can be bounded.

   Between its bends (curve.h) a curve is, for a fixed k, a line, so the best over k is concave
   there: between two breakpoints it lies above its chord and below the lines of its end points.
   Where the machine has protocols, curves jump at bends; the lower side has the size itself. A scan
   goes from bend to bend; and as long as the number of chunks is held down by the bytes to cut,
   from one whole size to the next, since it can grow there. */
#ifndef COLLCOST_CHOOSE_BREAKPOINTS_H
#define COLLCOST_CHOOSE_BREAKPOINTS_H

#include "choose/enclosure.h"
#include "choose/winner.h"

/* All curves at one size; where a curve jumps there, on one side of it. The time of one that is
   left out is NAN. */
typedef struct {
    double bytes;
    CurvePoint *points;
    size_t best;     /* by the rule of winner.h */
    bool after_jump; /* some curve is elsewhere just below */
} Breakpoint;

typedef struct IntervalScan IntervalScan;
struct IntervalScan {
    const ChoiceAxis *axis; /* by size */
    const bool *left_out;   /* by curve: not followed at further sizes; NULL: all are */
    int64_t most_chunks;    /* of the interval at hand */
    double begin;           /* of the interval between bends */
    /* Called for each interval, from low to high. False after a report. */
    bool (*interval)(IntervalScan *scan, const Breakpoint *low, const Breakpoint *high);
    void *context;
};

/* All of the axis. Where a curve jumps at its first size, the range has what is after that. False
   after a report, as all that follow. */
bool scan_range(IntervalScan *scan);
/* One curve at one size. */
bool scan_point(const IntervalScan *scan, size_t curve, double bytes, CurvePoint *point);
/* One curve at the size from which on it is the fastest, where it does not jump: k is the best just
   above. */
bool scan_start(const IntervalScan *scan, size_t curve, double bytes, CurvePoint *point);
Breakpoint *scan_at(IntervalScan *scan, double bytes);
/* A curve at a size, or, where it jumps there, just after it. */
bool curve_just_above(Curve *curve, double bytes, CurvePoint *point, Diag *diag);

/* The line of a point, a tangent of its curve, and its time at a size. */
Line point_line(const CurvePoint *point);
double point_line_at(const CurvePoint *point, double bytes);
/* Where the lines of two points of one concave curve meet, within from .. to. */
double points_corner(const CurvePoint *low, const CurvePoint *high, double from, double to);

#endif
