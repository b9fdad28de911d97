#include "sched/holding.h"

#include "sched/block_rows.h"

#include <string.h>

enum { MOST_LISTED = 1 << 26, RANKS_AT_ONCE = 1 << 13 };

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

static bool summarize(Holding *holding)
{
    int64_t first = 0;
    holding->is_shared = true;
    for (int64_t r = 0, next; r < holding->p; r = next) {
        int64_t count = holding_count(holding, r);
        next = holding_next(holding, r);
        if (count == 0)
            continue;
        first = holding->holders ? first : r;
        holding->holders += next - r;
        if (count != holding_count(holding, first))
            holding->is_shared = false;
        else if (!holding->blocks)
            holding->is_shared &=
                per_rank(&holding->firsts, first) == per_rank(&holding->firsts, r);
        else
            holding->is_shared &= memcmp(holding->blocks + holding->starts[first],
                                         holding->blocks + holding->starts[r],
                                         (size_t)count * sizeof *holding->blocks) == 0;
        if (__builtin_mul_overflow(count, next - r, &count) ||
            __builtin_add_overflow(holding->total, count, &holding->total))
            return false;
    }
    holding->from = holding->is_shared ? first : 0;
    holding->to = holding->is_shared ? first + 1 : holding->p;
    return true;
}

typedef struct {
    PerRankFilling firsts, counts;
    int64_t step; /* 0 until a rank has two blocks */
} Runs;

/* Those of some ranks from `first` on: rows take a hundred bytes a rank while they are found. Where
   only the condition depends on the rank they are alike, and found once. False where they are no
   runs of one step, or something is wrong, which lists then report. */
static bool add_runs(Arena *scratch, const HoldingLayout *layout, const CompiledSet *set,
                     int64_t first, Runs *runs)
{
    const int64_t left = layout->p - first, count = left < RANKS_AT_ONCE ? left : RANKS_AT_ONCE;
    const SetLoop *loop = set->loop_count ? set->loops : NULL;
    const uint64_t read = program_reads(set->indices[0]) | program_reads(loop ? loop->from : NULL) |
                          program_reads(loop ? loop->to : NULL);
    const bool alike = set->loop_count <= 1 && set->index_count == 1 && !(read & set->varying);
    int64_t *holds = ARENA_ARRAY(scratch, int64_t, (size_t)count);
    CompiledSet each = *set;
    Frame lanes = *layout->frame;
    BlockRows rows;
    each.condition = alike ? NULL : set->condition;
    for (int slot = 0; slot < MOST_SLOTS; slot++)
        if ((set->varying >> slot & 1) && lanes.slots[slot])
            lanes.slots[slot] = (const int64_t *)lanes.slots[slot] + first;
    if ((alike && set->condition &&
         !program_try(set->condition, lanes.slots, (size_t)count, holds)) ||
        !block_rows_find(scratch, layout->space, &each, &lanes, alike ? 1 : (size_t)count, -1,
                         &rows) ||
        rows.loop_count > 1)
        return false;
    for (int64_t r = 0, next = 1; r < count; r = next++) {
        const int64_t lane = alike ? 0 : r;
        while (alike && next < count && holds[next] == holds[r])
            next++;
        const int64_t blocks = (alike && set->condition && !holds[r]) || rows.is_empty[lane] ? 0
                               : rows.loop_count ? rows.counts[0][lane]
                                                 : 1;
        const int64_t step = blocks > 1 ? rows.steps[0][lane] : runs->step;
        runs->step = runs->step ? runs->step : step;
        if (blocks > 1 && (step == 0 || runs->step != step))
            return false;
        const int64_t back = blocks > 1 && step < 0 ? (blocks - 1) * step : 0;
        per_rank_push(&runs->firsts, blocks ? rows.first[lane] + back : 0, next - r);
        per_rank_push(&runs->counts, blocks, next - r);
    }
    return true;
}

static bool lay_out_lists(const HoldingLayout *layout, Arena *scratch, const SetList *sets,
                          Holding *holding)
{
    const char *name = layout->collective->head.name;
    const BlockSpace *space = layout->space;
    SetItems *items = ARENA_ARRAY(scratch, SetItems, sets->count);
    int64_t **numbers = ARENA_ARRAY(scratch, int64_t *, sets->count);
    size_t total = 0, p = (size_t)layout->p;
    if (space->count > MOST_LISTED)
        return diag_limit(layout->diag, layout->collective->head.span,
                          "%s for %lld ranks has too many blocks (%lld)", name, (long long)p,
                          (long long)space->count);
    for (size_t s = 0; s < sets->count; s++) {
        if (!set_expand(&sets->items[s], scratch, layout->frame, p, &items[s], layout->diag))
            return false;
        total += items[s].count;
        numbers[s] = ARENA_ROOM(scratch, int64_t, items[s].count);
        if (!blockspace_number(space, &sets->items[s], &items[s], numbers[s], layout->diag))
            return false;
    }
    if (total > MOST_LISTED)
        return diag_limit(layout->diag, NOWHERE, "%s for %lld ranks is too large to lay out", name,
                          (long long)p);
    LaneLists lists = lanes_lists(scratch, items, numbers, sets->count, p);
    holding->starts = ARENA_COPY(layout->arena, int64_t, lists.starts, p + 1);
    holding->blocks = ARENA_COPY(layout->arena, int64_t, lists.numbers, (size_t)lists.starts[p]);
    return summarize(holding);
}

bool holding_lay_out(const HoldingLayout *layout, const SetList *sets, Holding *holding)
{
    const Holding none = {.p = layout->p, .stride = 1};
    *holding = none;
    Runs runs = {.firsts = per_rank_begin(layout->arena, layout->p),
                 .counts = per_rank_begin(layout->arena, layout->p)};
    bool are_runs = sets->count == 1;
    for (int64_t first = 0; first < layout->p && are_runs; first += RANKS_AT_ONCE) {
        Arena *some = arena_scratch(layout->arena);
        are_runs = add_runs(some, layout, &sets->items[0], first, &runs);
        arena_destroy(some);
    }
    holding->stride = runs.step == 0 ? 1 : runs.step < 0 ? -runs.step : runs.step;
    holding->firsts = runs.firsts.values;
    holding->counts = runs.counts.values;
    if (are_runs && summarize(holding))
        return true;
    Arena *scratch = arena_scratch(layout->arena);
    *holding = none;
    const bool good = lay_out_lists(layout, scratch, sets, holding);
    arena_destroy(scratch);
    return good;
}
