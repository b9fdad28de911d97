/* The port steps of a schedule for all numbers of chunks: of which kind each is, by how many chunks
   there are.

       chunks           1   2   3   4   5
       port step 0      a   b   b   b   b      points: 1 a, 2 b
       port step 1      .   .   c   c   .      points: 3 c, 5 none
       tallies          a   b  bc  bc   b                                                        */
#ifndef COLLCOST_COST_CHUNK_KINDS_H
#define COLLCOST_COST_CHUNK_KINDS_H

#include "base/place_table.h"
#include "cost/derive_profile.h"
#include "cost/derive_step.h"

enum { NO_KIND = -1 };

/* From so many chunks on, the port step is of this kind. */
typedef struct {
    int32_t chunks, kind;
} KindChange;

ARRAY_TYPE(KindNumberArray, int32_t);
ARRAY_TYPE(KindChangeArray, KindChange);
ARRAY_TYPE(StepKindArray, PortStepCost);
ARRAY_TYPE(StepStartArray, size_t);

/* So many port steps are of this kind. */
typedef struct {
    int32_t kind;
    int64_t times;
} KindRepeat;

ARRAY_TYPE(KindTally, KindRepeat);

typedef struct {
    Arena *arena;
    PlaceTable places;
    StepKindArray kinds;
    KindNumberArray same_hash; /* of each kind: the one before it with its hash; -1: none */
    PathList paths;            /* of kinds */
    StepStartArray starts;     /* of each port step: its first point */
    KindChangeArray points;    /* of port steps, each with more chunks than the one before */
    KindTally *tallies; /* by the number of chunks, where port steps come in any order; or NULL */
} ChunkKinds;

/* The kind that costs so much, over these paths, whichever port steps are of it. */
int32_t chunk_kinds_find(ChunkKinds *kinds, const PortStepCost *cost, const PathCost *paths,
                         size_t path_count);
/* From now on points are of the next port step. */
void chunk_kinds_begin(ChunkKinds *kinds);
/* The port step is of this kind with so many chunks, and more. */
void chunk_kinds_change(ChunkKinds *kinds, int64_t chunks, int32_t kind);
/* The profile of k chunks, as far as times depend on it; each kind once where there are tallies. */
const Profile *chunk_kinds_profile(const ChunkKinds *kinds, const Rules *rules, int64_t k);

#endif
