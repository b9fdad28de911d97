/* The time of an algorithm for any number of chunks k and any size: by its closed form where it has
   one that covers the case, else by the profile for k. What a call of a collective costs belongs to
   the startups.

   Seconds and bytes. What it keeps lives in `arena`, as long as which the rules must live; their
   parameters may change until bends are wanted. A closed form takes O(its size), a profile O(its
   port steps), or O(log bends) on a line between bends that are known. */
#ifndef COLLCOST_COST_CHUNK_TIMES_H
#define COLLCOST_COST_CHUNK_TIMES_H

#include "cost/closed.h"
#include "cost/profiles.h"

/* The time of a profile over the size as a line that bends upwards. Many sizes are looked at, and
   the time of each sums up all port steps, or takes a run of a timeline: so all bends are found
   once. */

typedef struct {
    SizeArray bends;  /* rising */
    CostParts *parts; /* of the line before each bend, and behind the last: transfer and compute by
                         byte. NULL: not found yet */
} BentLine;

typedef struct {
    Arena *arena;
    const Rules *rules;
    double full; /* bytes of a segment, of which all but the last are full; 0: all are alike */
    ClosedForm closed; /* or none */
    ChunkProfiles *profiles;
    BentLine *lines; /* by k up to MOST_DERIVED_CHUNKS, where they are known; NULL: none is */
    const PathCost *shared; /* paths of the profiles of many k, in which port steps of one kind have
                               the same */
    BentLine *kinds; /* of these, by the first path, over bytes of a block, where they are known */
} ChunkTimes;

/* Exactly: this does not depend on what is known of other sizes. A total is infinite where the
   schedule with k chunks is beyond reach. False after a report. */
bool chunk_times_parts(ChunkTimes *times, double k, double bytes, CostParts *parts, Diag *diag);
/* `on_line`: from the lines between bends, where these are known: faster, and the same but for
   rounding. */
bool chunk_times_total(ChunkTimes *times, double k, double bytes, bool on_line, double *total,
                       Diag *diag);
/* The line, intercept + slope m, of this k between the bends beside the size. */
bool chunk_times_line(ChunkTimes *times, double k, double bytes, double *intercept, double *slope,
                      Diag *diag);
/* Appends the bends of the profile for k in (from, to); from now on its lines are known, up to
   MOST_DERIVED_CHUNKS. */
bool chunk_times_bends(ChunkTimes *times, int64_t k, const BendList *list);
#endif
