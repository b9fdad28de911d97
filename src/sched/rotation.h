/* Schedules in which all ranks behave alike.

   A schedule is alike in turns by t, where t divides p, if in every round rank (r + t) mod p does
   what rank r does, turned by t: it sends to the rank that is t after, and blocks whose indices
   are ranks are t after, too. Then the messages of ranks 0 .. t-1 represent those of all:

       allgather/ring, t = 1     round i    0 -> 1 [(1 - i) mod p]
       allgather/swing, t = 2    round i    0 -> s [...]    1 -> 1 - s [...]

   So with a grid of ranks: with a step along its last dimension, t is the ranks of a layer, and
   each layer does what the first one does.

   That is proven from the program: `to` turns with r, conditions and numbers of blocks stay, each
   index of a block turns or stays (lang/motion.h). */
#ifndef COLLCOST_SCHED_ROTATION_H
#define COLLCOST_SCHED_ROTATION_H

#include "sched/schedule.h"

typedef struct Rotation {
    int64_t p, by;    /* t */
    BlockSpace space; /* of the blocks */
    uint64_t turning; /* indices of all arrays that turn; bit x: extents[x], which is p then */
    uint64_t fronts;  /* bit a: so does the index in front of array a */
} Rotation;

/* Is the schedule alike in turns by fewer than p ranks? By the fewest of 1, 2, and the ranks of a
   layer of a grid that the program, or one that it uses, has. Where it is not proven, or the
   program has errors, false. O(size of the program); steps with a grid for each of few passes. */
bool rotation_find(const Instance *instance, Rotation *rotation);
/* Is it in turns by so many? */
bool rotation_find_by(const Instance *instance, int64_t by, Rotation *rotation);
/* The block that is `ranks` behind: by as much as turns move it; `ranks` may be negative. */
int64_t rotation_turn(const Rotation *rotation, int64_t block, int64_t ranks);
/* The rank that stands for this one; *ranks: by how much less it is. */
static inline int64_t rotation_stand_in(const Rotation *rotation, int64_t rank, int64_t *ranks)
{
    *ranks = rank - rank % rotation->by;
    return rank - *ranks;
}
/* Turns a transfer so that its sender stands for all; returns by how much less it is then. */
static inline int64_t rotation_turn_sender(const Rotation *rotation, ScheduledTransfer *transfer)
{
    int64_t behind, to = transfer->to;
    transfer->from = (int32_t)rotation_stand_in(rotation, transfer->from, &behind);
    transfer->to = (int32_t)(to >= behind ? to - behind : to - behind + rotation->p);
    return behind;
}
/* Do these whole blocks of the schedule's collective lie alike, too? In O(p); false for lists. */
bool rotation_fits(const Rotation *rotation, const Collective *collective, const Holding *holding);

#endif
