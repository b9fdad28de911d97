/* The number of chunks k with the least time, for one size, where the time falls, then rises, with
 * k. */
#ifndef COLLCOST_COST_CHUNK_SEARCH_H
#define COLLCOST_COST_CHUNK_SEARCH_H

#include "base/diag.h"
#include "cost/minimum.h"

typedef struct {
    /* Seconds for k chunks and so many bytes; false after a report. */
    bool (*total)(void *context, double k, double bytes, double *total, Diag *diag);
    void *context;
    double bytes;
    int64_t most;    /* chunks */
    bool is_claimed; /* `total` is a closed form, cheap for any k; else derived from schedules */
    bool is_convex;  /* proven, of a closed form */
    double near;     /* where it is expected, if it is convex; 0: not known */
} ChunkSearch;

/* The best of 1 .. most, by doubling, then halving: O(log most) totals; of a convex time from where
   it is expected, which takes three or a few more. False after a report. */
bool chunk_search_whole(ChunkSearch search, double *k, Diag *diag);
/* The best real number, between the neighbours of the best whole one. */
bool chunk_search_real(ChunkSearch search, Minimum *minimum, double *k, Diag *diag);

#endif
