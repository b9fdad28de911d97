#include "sched/holding.h"

#include "sched/block_rows.h"

#include <string.h>

enum { MOST_LISTED = 1 << 26 };

bool holding_has(const Holding *holding, int64_t rank, int64_t block)
{
    int64_t low = 0, high = holding_count(holding, rank);
    if (!holding->blocks) {
        int64_t from_first = block - per_rank(&holding->firsts, rank);
        return high > 0 && from_first >= 0 && from_first % holding->stride == 0 &&
               from_first / holding->stride < high;
    }
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (holding_block(holding, rank, middle) < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low < holding_count(holding, rank) && holding_block(holding, rank, low) == block;
}

static bool hold_the_same(const Holding *holding, int64_t a, int64_t b)
{
    int64_t count = holding_count(holding, a);
    if (count != holding_count(holding, b))
        return false;
    return holding->blocks
               ? memcmp(holding->blocks + holding->starts[a], holding->blocks + holding->starts[b],
                        (size_t)count * sizeof *holding->blocks) == 0
               : per_rank(&holding->firsts, a) == per_rank(&holding->firsts, b);
}

static bool summarize(Holding *holding)
{
    int64_t first = 0;
    holding->is_shared = true;
    if (!holding->blocks && per_rank_is_same(&holding->counts) &&
        per_rank_is_same(&holding->firsts) && holding->p > 0) {
        const int64_t count = holding_count(holding, 0);
        holding->holders = count ? holding->p : 0;
        holding->to = 1;
        return !__builtin_mul_overflow(count, holding->p, &holding->total);
    }
    for (int64_t r = 0; r < holding->p; r++) {
        if (__builtin_add_overflow(holding->total, holding_count(holding, r), &holding->total))
            return false;
        if (holding_count(holding, r) == 0)
            continue;
        if (holding->holders++ == 0)
            first = r;
        holding->is_shared &= hold_the_same(holding, first, r);
    }
    holding->from = holding->is_shared ? first : 0;
    holding->to = holding->is_shared ? first + 1 : holding->p;
    return true;
}

/* False where they are not runs, or something is wrong, which lists then report. */
static bool lay_out_runs(Arena *arena, Arena *scratch, const CompiledSet *set,
                         const BlockSpace *space, const Frame *frame, Holding *holding)
{
    const size_t p = (size_t)holding->p;
    int64_t *counts = ARENA_ROOM(scratch, int64_t, p), step = 0;
    BlockRows rows;
    if (!block_rows_find(scratch, space, set, frame, p, -1, &rows) || rows.loop_count > 1)
        return false;
    for (size_t r = 0; r < p; r++) {
        counts[r] = rows.is_empty[r] ? 0 : rows.loop_count ? rows.counts[0][r] : 1;
        rows.first[r] = counts[r] ? rows.first[r] : 0;
        if (counts[r] < 2)
            continue;
        step = step ? step : rows.steps[0][r];
        if (step == 0 || rows.steps[0][r] != step)
            return false;
        rows.first[r] += step < 0 ? (counts[r] - 1) * step : 0;
    }
    holding->stride = step == 0 ? 1 : step < 0 ? -step : step;
    holding->firsts = per_rank_of(arena, rows.first, holding->p);
    holding->counts = per_rank_of(arena, counts, holding->p);
    return summarize(holding);
}

static bool lay_out_lists(Arena *arena, Arena *scratch, const Collective *collective,
                          const SetList *sets, const BlockSpace *space, const Frame *frame,
                          Holding *holding, Diag *diag)
{
    SetItems *items = ARENA_ARRAY(scratch, SetItems, sets->count);
    int64_t **numbers = ARENA_ARRAY(scratch, int64_t *, sets->count);
    size_t total = 0, p = (size_t)holding->p;
    if (space->count > MOST_LISTED)
        return diag_limit(diag, collective->head.span,
                          "%s for %lld ranks has too many blocks (%lld)", collective->head.name,
                          (long long)p, (long long)space->count);
    for (size_t s = 0; s < sets->count; s++) {
        if (!set_expand(&sets->items[s], scratch, frame, p, &items[s], diag))
            return false;
        total += items[s].count;
        numbers[s] = ARENA_ROOM(scratch, int64_t, items[s].count);
        if (!blockspace_number(space, &sets->items[s], &items[s], numbers[s], diag))
            return false;
    }
    if (total > MOST_LISTED)
        return diag_limit(diag, NOWHERE, "%s for %lld ranks is too large to lay out",
                          collective->head.name, (long long)p);
    LaneLists lists = lanes_lists(scratch, items, numbers, sets->count, p);
    holding->starts = ARENA_COPY(arena, int64_t, lists.starts, p + 1);
    holding->blocks = ARENA_COPY(arena, int64_t, lists.numbers, (size_t)lists.starts[p]);
    return summarize(holding);
}

bool holding_lay_out_lists(Arena *arena, const Collective *collective, const SetList *sets,
                           const BlockSpace *space, const Frame *frame, int64_t p, Holding *holding,
                           Diag *diag)
{
    Arena *scratch = arena_scratch(arena);
    *holding = (Holding){.p = p, .stride = 1};
    bool good = lay_out_lists(arena, scratch, collective, sets, space, frame, holding, diag);
    arena_destroy(scratch);
    return good;
}

bool holding_lay_out(Arena *arena, const Collective *collective, const SetList *sets,
                     const BlockSpace *space, const Frame *frame, int64_t p, Holding *holding,
                     Diag *diag)
{
    bool good = false;
    *holding = (Holding){.p = p, .stride = 1};
    if (sets->count == 1) {
        Arena *scratch = arena_scratch(arena);
        good = lay_out_runs(arena, scratch, &sets->items[0], space, frame, holding);
        arena_destroy(scratch);
    }
    return good || holding_lay_out_lists(arena, collective, sets, space, frame, p, holding, diag);
}
