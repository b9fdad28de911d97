/* Winners along a discrete axis: numbers of ranks p, or orders n of matrices.

   What is known of a point of the axis is the time of each candidate. Neighbouring points with one
   winner make a row. Over p some candidates run on some points only, such as powers of two: see
   SweepJoin. */
#ifndef COLLCOST_CHOOSE_SWEEP_H
#define COLLCOST_CHOOSE_SWEEP_H

#include "choose/winner.h"

typedef struct {
    int64_t at;
    const double *seconds; /* of each candidate; NAN where it does not run */
} SweepPoint;
ARRAY_TYPE(SweepPointArray, SweepPoint);

typedef enum {
    /* Any other winner ends a row. */
    SWEEP_JOIN_NEIGHBOURS,
    /* A row goes on past points where its winner does not run, and past those won by a candidate
       that does not run on all points. */
    SWEEP_JOIN_RESTRICTED,
} SweepJoin;

/* The best candidate that neither wins a row nor is tied with it, where it is slower by the largest
   share: 0.1 is a tenth longer. */
typedef struct {
    double loss; /* negative and infinite where there is no other */
    int64_t at;
    size_t candidate;
} SweepSecond;

typedef struct {
    size_t winner;
    size_t first, last; /* numbers of points, both won by it */
    const bool *tied;   /* the other candidates that are equal at all its points */
    IntArray covers;    /* where the points lie that it wins */
    SweepSecond second;
} SweepRow;
ARRAY_TYPE(SweepRowArray, SweepRow);

/* The rows of `points`, each with a candidate that runs, in the order of their first points. */
SweepRowArray sweep_rows(Arena *arena, const SweepPointArray *points, size_t candidates,
                         SweepJoin join);

/* Of an axis of whole numbers, appends the first and the points where the winner changes; two
   changes back and forth between two points that are tried are not seen. Tried are 8 points of each
   octave, and those of a binary search where their winners differ. False after a report. */
bool sweep_find_changes(const ChoiceAxis *axis, SweepPointArray *changes);

#endif
