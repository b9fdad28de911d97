/* A number for each rank, as how many blocks it holds.

   Of most contracts it is the same for all ranks, or for all but the root, or it grows by as much
   from each rank to the next:

       broadcast, root 2, p = 8     blocks before   0 0 | 1 0 | 0 0 0 0     3 pieces
       allgather                    first block     0 1 2 3 4 5 6 7         1 piece

   A few such pieces say it for any number of ranks; where there are more, each rank has an entry.
   Zeroed, it is 0 for all. */
#ifndef COLLCOST_SCHED_PER_RANK_H
#define COLLCOST_SCHED_PER_RANK_H

#include "base/arena.h"

enum { MOST_RANK_PIECES = 8 };

/* value + (r - from) slope, from rank `from` on. */
typedef struct {
    int64_t from, value, slope;
} RankPiece;

typedef struct {
    const int64_t *items; /* of each rank; NULL: pieces */
    int last;             /* piece */
    RankPiece pieces[MOST_RANK_PIECES];
} PerRank;

/* In O(1). */
static inline int64_t per_rank(const PerRank *values, int64_t rank)
{
    int i = values->last;
    if (values->items)
        return values->items[rank];
    while (rank < values->pieces[i].from)
        i--;
    const RankPiece *piece = &values->pieces[i];
    return piece->value + (rank - piece->from) * piece->slope;
}

/* Ranks from this one on have its value up to the result, or further. */
static inline int64_t per_rank_next(const PerRank *values, int64_t rank)
{
    int i = values->last;
    if (values->items)
        return rank + 1;
    while (rank < values->pieces[i].from)
        i--;
    return values->pieces[i].slope ? rank + 1
           : i < values->last      ? values->pieces[i + 1].from
                                   : INT64_MAX;
}

/* Is it the same for all? */
static inline bool per_rank_is_same(const PerRank *values)
{
    return !values->items && values->last == 0 && values->pieces[0].slope == 0;
}

/* One that is filled rank by rank, from 0 to p - 1; then it is `values`. */
typedef struct {
    Arena *arena; /* for entries, where pieces are not enough */
    int64_t p, count;
    bool goes_on;            /* the next rank belongs to the last piece if its value is */
    int64_t expected, slope; /* this; by how much that piece grows */
    int64_t *items;
    PerRank values;
} PerRankFilling;

PerRankFilling per_rank_begin(Arena *arena, int64_t p);
/* A value that the last piece does not go on with, or only its second one. */
void per_rank_push_other(PerRankFilling *filling, int64_t value);

/* The same value for some ranks: in O(1) where there are pieces. */
static inline void per_rank_push(PerRankFilling *filling, int64_t value, int64_t count)
{
    for (; count > 0; count--) {
        if (!filling->goes_on || value != filling->expected) {
            per_rank_push_other(filling, value);
            continue;
        }
        filling->count += filling->slope ? 1 : count;
        if (filling->slope == 0)
            return;
        filling->goes_on = !__builtin_add_overflow(value, filling->slope, &filling->expected);
    }
}

/* Of an array, which need not be kept. */
PerRank per_rank_of(Arena *arena, const int64_t *values, int64_t p);

#endif
