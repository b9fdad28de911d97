/* How the value of an expression changes when the ranks turn.

   A turn by t moves rank r to (r + t) mod p, and c = p / t turns move every rank back. In each turn
   the value of an expression

       stays              p, i, r mod t
       turns by d         s + d j, where s stays and j = 0 .. c-1 goes on to (j + 1) mod c:
                          r, 2 r + 1, r div n where n divides t, (r + 1) mod p
       moves by d         by d modulo m, where it is not known where it starts again: r - i + to
       or does something else.

   That is read off the tree, for all values at once; where it says nothing, the value does
   something else. A value that stays, turns or moves exists for every rank where it does for ranks
   0 .. t-1, unless it has no bounds and comes near the limits of 64 bits. */
#ifndef COLLCOST_LANG_MOTION_H
#define COLLCOST_LANG_MOTION_H

#include "lang/interval.h"

typedef enum { MOTION_OTHER, MOTION_STAYS, MOTION_TURNS, MOTION_MOVES } MotionKind;

typedef struct {
    MotionKind kind;
    int64_t by, modulus; /* d, and m of what moves */
    /* The least and the most of the value that stays, or of s: known if they are the same, not
       bounded if they are INT64_MIN and INT64_MAX. */
    int64_t least, most;
    int origin; /* values that turn with the same origin > 0 have the same j */
} Motion;

/* What motion_find knows of the variables. */
typedef struct {
    int64_t turns; /* c */
    Motion slots[MOST_SLOTS];
} MotionScope;

Motion motion_known(int64_t value);
/* A value that stays, between `least` and `most`. */
Motion motion_stays(int64_t least, int64_t most);
/* least .. most + by j */
Motion motion_turns(int64_t least, int64_t most, int64_t by, int origin);

/* rank div stride mod size: a coordinate of a rank. */
Motion motion_coordinate(const Motion *rank, int64_t stride, int64_t size, int64_t turns);

/* Does the value stay, and is it one number for all ranks? */
static inline bool motion_is_known(const Motion *motion)
{
    return motion->kind == MOTION_STAYS && motion->least == motion->most;
}

/* Of a checked expression, in O(nodes). Slots of the indices of sums are written over. */
Motion motion_find(const Expr *expr, MotionScope *scope);

#endif
