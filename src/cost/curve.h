/* The time of one algorithm as a function of the message size, with the best number of chunks, and
   with the best radix or fan-out where that is free. What
   a call of a collective costs belongs to the startups.

   For a fixed k the time is a + b m, bent upwards where the slowest message of a port step (or,
   without barriers, the longest path) changes, with a jump where messages change their protocol;
   the best over k is the lower envelope of such lines. A claim that is recorded to hold and is a
   sum of terms gives the time where one covers the case, and is taken to fall, then rise, with k
   beyond 8; elsewhere the derived profile does, with k up to 256. All of these are tried, unless
   the schedules are long: then the best is searched for, as of a claim, or where the time may rise
   and fall several times, powers of two are tried, and three times these where schedules are
   followed message by message. With a segment size the number of chunks is m / segment, rounded up,
   and the time jumps where that grows.

   Of radices and fan-outs all that are listed are tried (sched/branching.h): each has a curve of
   its own, and the time is the least of these, in every range between their bends as concave as
   they. */
#ifndef COLLCOST_COST_CURVE_H
#define COLLCOST_COST_CURVE_H

#include "cost/closed.h"
#include "cost/derive.h"
#include "sched/branching.h"

typedef struct Curve Curve;

typedef struct {
    double k;
    int64_t branches; /* 0: there is none to choose */
    double total;
    double intercept, slope; /* the line of this k, a + b m: it is nowhere below the curve */
} CurvePoint;

/* `target`: where the collective has one. `chosen`: what is not to be the best; it is not kept.
   NULL after a report. */
Curve *curve_create(Arena *arena, const Algorithm *algorithm, const Network *network, int64_t root,
                    int64_t target, const Rules *rules, const FreeChoice *chosen, Diag *diag);
/* A lower bound of its times, in closed form; NULL, perhaps after a report, where there is none. */
Curve *curve_create_least(Arena *arena, const Algorithm *algorithm, const Network *network,
                          int64_t root, int64_t target, const Rules *rules,
                          const FreeChoice *chosen, Diag *diag);
/* What port steps cost is remembered in `memo` (derive_memo.h), which others on the network share.
 */
void curve_share(Curve *curve, PortStepMemo *memo);
const Algorithm *curve_algorithm(const Curve *curve);
/* Of the arena in which it lives. */
Workspace *curve_workspace(const Curve *curve);
/* The curve of the radix or fan-out that is listed at `which`, or NULL; itself at 0 where there is
   none to choose. */
Curve *curve_alternative(Curve *curve, size_t which);
/* The closed form that gives its times with so many branches, or NULL. */
const ClosedForm *curve_closed(const Curve *curve, int64_t branches);
/* Do closed forms give all its times? */
bool curve_is_closed(const Curve *curve);
/* Appends the radices or fan-outs of which the best is taken; none where there is none to choose.
 */
void curve_list_branches(const Curve *curve, Arena *arena, IntArray *tried);
/* Is k free to be chosen? */
bool curve_is_free(const Curve *curve);
/* The most chunks that are tried, however long the message. */
int64_t curve_largest_chunks(const Curve *curve);
/* Can the best k fall as the message grows: since its chunks change their protocol, or messages
   that share in time their order? */
bool curve_may_rise_and_fall(const Curve *curve);
/* The best point at m bytes with at most `most_chunks` chunks. False after a report. */
bool curve_at(Curve *curve, double bytes, int64_t most_chunks, CurvePoint *point, Diag *diag);
/* The time of that point alone. */
bool curve_seconds(Curve *curve, double bytes, int64_t most_chunks, double *seconds, Diag *diag);
/* With k chunks, of an alternative. */
bool curve_total(Curve *curve, int64_t k, double bytes, double *total, Diag *diag);
/* Appends the numbers of chunks of which an alternative takes the best at m bytes; none where it is
   sought without trying all of some. */
bool curve_list_tried(Curve *curve, double bytes, Arena *arena, IntArray *tried, Diag *diag);
/* Appends how long the messages of an alternative are with k chunks, on a machine with protocols.
 */
bool curve_messages(Curve *curve, int64_t k, double bytes, Arena *arena, SizeArray *messages,
                    Diag *diag);
/* The number of chunks allowed for m bytes: max(1, floor(m)). */
int64_t curve_most_chunks(double bytes);
/* Appends the sizes in (from, to) where, for some number of chunks, the slowest message of a port
   step changes, so that the time bends upwards, or a message its protocol. */
bool curve_bends(Curve *curve, double from, double to, Arena *arena, SizeArray *sizes, Diag *diag);

/* All that `cost` shows of one size. */
typedef struct {
    double k;
    int64_t branches;
    int64_t rounds;
    CostParts parts;
    double total;
    const ClosedForm *closed; /* NULL: derived from the schedule */
    int64_t peak_blocks;      /* in chunks; -1: not known */
    int64_t chunks;
} CurveCost;
bool curve_cost(Curve *curve, double bytes, CurveCost *cost, Diag *diag);

#endif
