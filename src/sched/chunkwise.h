/* Whether a schedule of few chunks is that of more, without what it does for the others.

       t = 0 .. p + 3 - 3          0 1 2 3 4 5      rank v sends chunk t - v in step t,
       with 2 chunks    v = 0      0 1 .            if 0 <= t - v < k
                        v = 1        0 1 .
                        v = 2          0 1 .        . the third chunk

   Most pipelines are of this form: k says how often an outermost step is repeated, and which chunks
   there are, CHUNK < k. Then one expansion, with the most chunks, tells what those with fewer do,
   and since blocks never meet, what ranks hold of them. */
#ifndef COLLCOST_SCHED_CHUNKWISE_H
#define COLLCOST_SCHED_CHUNKWISE_H

#include "sched/schedule.h"

/* first_chunks[i - least]: the fewest chunks with which an outermost repeat has the pass i. NULL:
   with all numbers of chunks. */
typedef struct {
    int64_t least, count;
    int64_t *first_chunks;
} ChunkPasses;

/* What is sent of chunk c in pass t of the only repeat, is sent of chunk c + chunks in pass
   t + passes: what is sent of the first `chunks` chunks, each of their transfers in one of the
   passes that there are with so many, says what is sent of all. */
typedef struct {
    int64_t passes; /* 0: that is not known */
    bool down;      /* later passes come first */
    int64_t chunks;
    int64_t transfers;   /* of the first `chunks` chunks, in passes whatever their number */
    int64_t behind;      /* the first pass behind the last one */
    int64_t most_chunks; /* with so many, all that is ever sent of a chunk is sent in `passes`
                            passes from there on, of one chunk or the other */
} ChunkShift;

typedef struct {
    int64_t chunks;      /* the most */
    bool picks;          /* by conditions, else by repeats alone */
    ChunkPasses *passes; /* of each outermost step */
    ChunkShift shift;
} Chunkwise;

/* For up to instance->k chunks. False, silently, where it is not proven: by the program, in which
   nothing else may depend on k, and by the bounds of its repeats, evaluated for each k. */
bool chunkwise_find(Arena *arena, const Instance *instance, Chunkwise *chunkwise, Diag *diag);
/* The only chunk of a transfer in the schedule of the most chunks, from 0. -1: it has several, or
   the schedule of as many chunks as there are up to this one has not got it: then nothing is
   proven. */
int64_t chunkwise_chunk(const Chunkwise *chunkwise, const Round *round,
                        const ScheduledTransfer *transfer);
/* Hands on the rounds of these passes behind the last one, with chunkwise->shift.most_chunks
   chunks: of the program, also where `instance` is a dual of it. False if the visitor said so. */
bool chunkwise_visit_steady(const Instance *instance, const Chunkwise *chunkwise,
                            RoundVisitor visit, void *context);

#endif
