/* The fastest algorithm of a collective over the number of ranks, at one size. */
#ifndef COLLCOST_STUDY_RANK_SWEEP_H
#define COLLCOST_STUDY_RANK_SWEEP_H

#include "choose/sweep.h"
#include "study/case.h"

ARRAY_TYPE(PointsArray, const CurvePoint *);

/* Its candidates are the library's algorithms for the collective, in their order, then compositions
   as they are met: on each number of ranks some of them run. */
typedef struct collcost_sweep {
    const Study *study;
    const Collective *collective;
    AlgorithmArray candidates;
    SweepPointArray points; /* numbers of ranks */
    PointsArray costs;      /* at each of these, of each candidate that runs there */
} RankSweep;

/* In the study's arena. NULL after a report. */
RankSweep *rank_sweep_open(const Study *study, const Collective *collective);
/* Adds the ranks of a case of that collective at m bytes, unless it has no candidates, and checks
   the winner. Needs the case no longer then. False after a report. */
bool rank_sweep_add(RankSweep *sweep, const Case *opened, double bytes, bool *is_wrong);
/* A row goes on past ranks where its winner does not run. */
const collcost_rank_row *rank_sweep_rows(const RankSweep *sweep, size_t *count);

#endif
