#include "sched/per_rank.h"

bool per_rank_add(const PerRank *values, int64_t p, int64_t *sum)
{
    for (int64_t r = 0, next; r < p; r = next) {
        int64_t many;
        next = per_rank_next(values, r) < p ? per_rank_next(values, r) : p;
        if (__builtin_mul_overflow(per_rank(values, r), next - r, &many) ||
            __builtin_add_overflow(*sum, many, sum))
            return false;
    }
    return true;
}

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

void per_rank_push_many(PerRankFilling *filling, int64_t value, int64_t count)
{
    for (; count > 0; count--) {
        if (filling->goes_on && filling->slope == 0 && value == filling->expected) {
            filling->count += count;
            return;
        }
        per_rank_push(filling, value);
    }
}

PerRank per_rank_of(Arena *arena, const int64_t *values, int64_t p)
{
    PerRankFilling filling = per_rank_begin(arena, p);
    for (int64_t r = 0; r < p; r++)
        per_rank_push(&filling, values[r]);
    return filling.values;
}
