/* The time of one algorithm with one radix or fan-out, if it has any, as a function of the message
   size, with the best number of chunks. What a call of a collective costs belongs to the startups.

   For a fixed k the time is a + b m, bent upwards where the slowest message of a port step (or,
   without barriers, the longest path) changes, with a jump where messages change their protocol;
   the best over k is the lower envelope of such lines. A claim that is recorded to hold and is a
   sum of terms gives the time where one covers the case, for any k (closed_chunks.h); elsewhere the
   derived profile does, with k up to 256, of which all are compared. Only where what all cost would
   take too long to find out are some left out: then 1 to 12 are tried, and steps of an eighth, or
   where schedules are followed message by message, powers of two and three times these. With a
   segment size the number of chunks is m / segment, rounded up, and the time jumps where that
   grows. */
#ifndef COLLCOST_COST_CHUNK_CURVE_H
#define COLLCOST_COST_CHUNK_CURVE_H

#include "cost/closed.h"
#include "cost/profiles.h"
#include "sched/branching.h"

typedef struct ChunkCurve ChunkCurve;

typedef struct {
    double k;
    int64_t branches; /* 0: there is none to choose */
    double total;
    double intercept, slope; /* the line of this k, a + b m: it is nowhere below the curve */
} CurvePoint;

/* Times that are so close, relatively, are the same: of these the first, or that of the fewest
   chunks or branches, is taken. */
extern const double tie_tolerance; /* 1e-12 */
/* Do lines differ by a startup only, and `a` has less? Large sizes drown it. */
bool curve_point_is_under(const CurvePoint *a, const CurvePoint *b);

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

/* `chosen`: what is not to be the best; it is not kept. `siblings`: so many
   numbers of branches are tried, this one included. is_least: a lower bound of its times will do.
 */
ChunkCurve *chunk_curve_create(Arena *arena, const CurveSubject *of, const FreeChoice *chosen,
                               int64_t siblings, bool is_least);
/* What port steps cost is remembered in `memo` (derive_memo.h), which others on the network share.
 */
void chunk_curve_share(ChunkCurve *curve, PortStepMemo *memo);
/* From now on it has the profiles of another curve of the same schedules with other prices. */
void chunk_curve_take_profiles(ChunkCurve *curve, const ChunkCurve *other);
/* 0: it has none. */
int64_t chunk_curve_branches(const ChunkCurve *curve);
/* The closed form that gives its times, or NULL. */
const ClosedForm *chunk_curve_closed(const ChunkCurve *curve);
/* Is k free to be chosen? */
bool chunk_curve_is_free(const ChunkCurve *curve);
/* The most chunks that are tried, however long the message. */
int64_t chunk_curve_largest_chunks(const ChunkCurve *curve);
/* Is each number of segments up to that of a size a schedule to be derived, and are these many? */
bool chunk_curve_follows_each(ChunkCurve *curve, double bytes);
/* Can the best k fall as the message grows: since its chunks change their protocol, or messages
   that share in time their order? */
bool chunk_curve_may_rise_and_fall(const ChunkCurve *curve);
/* Is the shortest schedule too large to be derived? Says nothing. */
bool chunk_curve_is_too_large(ChunkCurve *curve);
/* The best point at m bytes with at most `most_chunks` chunks. False after a report, as all that
   follow. */
bool chunk_curve_at(ChunkCurve *curve, double bytes, int64_t most_chunks, CurvePoint *point,
                    Diag *diag);
/* The same, with the total of its line, which rounding may make another one. */
bool chunk_curve_line(ChunkCurve *curve, double bytes, int64_t most_chunks, CurvePoint *point,
                      Diag *diag);
/* The time of that point alone. */
bool chunk_curve_seconds(ChunkCurve *curve, double bytes, int64_t most_chunks, double *seconds,
                         Diag *diag);
bool chunk_curve_cost(ChunkCurve *curve, double bytes, CurveCost *cost, Diag *diag);
/* With k chunks. */
bool chunk_curve_total(ChunkCurve *curve, int64_t k, double bytes, double *total, Diag *diag);
/* Appends the numbers of chunks of which the best is taken at m bytes; none where a closed form
   tells it. */
bool chunk_curve_list_tried(ChunkCurve *curve, double bytes, Arena *arena, IntArray *tried,
                            Diag *diag);
/* Appends how long messages are with k chunks, on a machine with protocols. */
bool chunk_curve_messages(ChunkCurve *curve, int64_t k, double bytes, Arena *arena,
                          SizeArray *messages, Diag *diag);
/* The number of chunks allowed for m bytes: max(1, floor(m)). */
int64_t curve_most_chunks(double bytes);
/* Appends the sizes in (from, to) where, for some number of chunks, the slowest message of a port
   step changes, so that the time bends upwards, or a message its protocol. */
bool chunk_curve_bends(ChunkCurve *curve, const BendList *list);
/* How many bytes have as many segments as chunk_curve_bends lists. */
double segments_largest(double segment);

#endif
