#include "sched/per_rank.h"

PerRankFilling per_rank_begin(Arena *arena, int64_t p)
{
    return (PerRankFilling){.arena = arena, .p = p};
}

/* The second rank of a piece says by how much it grows. */
void per_rank_push_other(PerRankFilling *filling, int64_t value)
{
    PerRank *values = &filling->values;
    RankPiece *piece = &values->pieces[values->last];
    const int64_t rank = filling->count;
    filling->goes_on = false;
    if (values->items) {
        filling->items[rank] = value;
    } else if (rank == 0) {
        piece->value = value;
    } else if (rank == piece->from + 1 &&
               !__builtin_sub_overflow(value, piece->value, &filling->slope)) {
        piece->slope = filling->slope;
        filling->goes_on = !__builtin_add_overflow(value, filling->slope, &filling->expected);
    } else if (values->last + 1 < MOST_RANK_PIECES) {
        values->pieces[++values->last] = (RankPiece){rank, value, 0};
    } else {
        filling->items = ARENA_ROOM(filling->arena, int64_t, (size_t)filling->p);
        for (int64_t r = 0; r < filling->count; r++)
            filling->items[r] = per_rank(&filling->values, r);
        filling->values.items = filling->items;
        filling->items[rank] = value;
    }
    filling->count++;
}

PerRank per_rank_of(Arena *arena, const int64_t *values, int64_t p)
{
    PerRankFilling filling = per_rank_begin(arena, p);
    for (int64_t r = 0; r < p; r++)
        per_rank_push(&filling, values[r], 1);
    return filling.values;
}
