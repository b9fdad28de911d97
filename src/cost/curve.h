/* The time of one algorithm as a function of the message size, with the best number of chunks, and
   with the best radix or fan-out where that is free.

   Of radices and fan-outs all that are listed are tried (sched/branching.h): each has a curve of
   its own (cost/chunk_curve.h), and the time is the least of these, in every range between their
   bends as concave as they. One whose bound says that another is faster is not derived, and one
   whose schedule is too large is left out, with a warning, as long as there are others. */
#ifndef COLLCOST_COST_CURVE_H
#define COLLCOST_COST_CURVE_H

#include "cost/chunk_curve.h"

typedef struct Curve Curve;

/* Of the point the root counts, and the target where the collective has one. `chosen`: what is not
   to be the best; it is not kept. NULL after a report. */
Curve *curve_create(Arena *arena, const CurveSubject *of, const FreeChoice *chosen, Diag *diag);
/* A lower bound of its times, in closed form; NULL, perhaps after a report, where there is none. */
Curve *curve_create_least(Arena *arena, const CurveSubject *of, const FreeChoice *chosen,
                          Diag *diag);
/* What port steps cost is remembered in `memo` (derive_memo.h), which others on the network share.
 */
void curve_share(Curve *curve, PortStepMemo *memo);
/* As chunk_curve_take_profiles, where it tries the same numbers of branches. */
void curve_take_profiles(Curve *curve, const Curve *other);
/* From now on numbers of branches are only derived where they may be the fastest by `bound`, from
   curve_create_least, which lives as long. It is ignored if it does not try the same numbers. */
void curve_bound(Curve *curve, const Curve *bound);
const Algorithm *curve_algorithm(const Curve *curve);
/* Of the arena in which it lives. */
Workspace *curve_workspace(const Curve *curve);
/* That of the radix or fan-out that is listed at `which`, or NULL; the only one at 0 where there is
   none to choose. */
ChunkCurve *curve_alternative(Curve *curve, size_t which);
/* The closed form that gives its times with so many branches, or NULL. */
const ClosedForm *curve_closed(const Curve *curve, int64_t branches);
/* Do closed forms give all its times? */
bool curve_is_closed(const Curve *curve);
/* Appends the radices or fan-outs of which the best is taken; none where there is none to choose.
   Those that were found to be too large are not among them. */
void curve_list_branches(const Curve *curve, Arena *arena, IntArray *tried);
/* Is k free to be chosen? */
bool curve_is_free(const Curve *curve);
/* The most chunks that are tried, however long the message. */
int64_t curve_largest_chunks(const Curve *curve);
/* As chunk_curve_follows_each, with one radix or fan-out at least. */
bool curve_follows_each(Curve *curve, double bytes);
bool curve_may_rise_and_fall(const Curve *curve);
/* The best point at m bytes with at most `most_chunks` chunks. False after a report, as all that
   follow. */
bool curve_at(Curve *curve, double bytes, int64_t most_chunks, CurvePoint *point, Diag *diag);
/* As chunk_curve_line. */
bool curve_line(Curve *curve, double bytes, int64_t most_chunks, CurvePoint *point, Diag *diag);
/* The time of that point alone. */
bool curve_seconds(Curve *curve, double bytes, int64_t most_chunks, double *seconds, Diag *diag);
bool curve_cost(Curve *curve, double bytes, CurveCost *cost, Diag *diag);
/* With k chunks and so many branches, which count where there are some to choose. */
bool curve_total(Curve *curve, int64_t k, int64_t branches, double bytes, double *total,
                 Diag *diag);
/* Appends the sizes in (from, to) where the time of an alternative bends upwards, or jumps, that
   may be the best somewhere there. */
bool curve_bends(Curve *curve, const BendList *list);

#endif
