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
    for (int64_t r = 0, next; r < holding->p; r = next) {
        int64_t count = holding_count(holding, r);
        next = holding_next(holding, r);
        if (count == 0)
            continue;
        first = holding->holders ? first : r;
        holding->holders += next - r;
        holding->is_shared &= hold_the_same(holding, first, r);
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

/* Those of `count` ranks from `first` on; where only the condition depends on the rank they are
   alike, and found once. False where they are no runs of one step, or something is wrong, which
   lists then report. */
static bool add_runs(Arena *scratch, const CompiledSet *set, const BlockSpace *space,
                     const Frame *frame, int64_t first, int64_t count, Runs *runs)
{
    const SetLoop *loop = set->loop_count ? set->loops : NULL;
    const uint64_t read = program_reads(set->indices[0]) | program_reads(loop ? loop->from : NULL) |
                          program_reads(loop ? loop->to : NULL);
    const bool alike = set->loop_count <= 1 && set->index_count == 1 && !(read & set->varying);
    int64_t *holds = ARENA_ARRAY(scratch, int64_t, (size_t)count);
    CompiledSet each = *set;
    Frame lanes = *frame;
    BlockRows rows;
    each.condition = alike ? NULL : set->condition;
    for (int slot = 0; slot < MOST_SLOTS; slot++)
        if ((set->varying >> slot & 1) && lanes.slots[slot])
            lanes.slots[slot] = (const int64_t *)lanes.slots[slot] + first;
    if ((alike && set->condition &&
         !program_try(set->condition, lanes.slots, (size_t)count, holds)) ||
        !block_rows_find(scratch, space, &each, &lanes, alike ? 1 : (size_t)count, -1, &rows) ||
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

/* Rows take a hundred bytes a rank while they are found, so they are found for some ranks at a
 * time. */
static bool lay_out_runs(Arena *arena, Arena *scratch, const CompiledSet *set,
                         const BlockSpace *space, const Frame *frame, Holding *holding)
{
    const int64_t p = holding->p;
    Runs runs = {.firsts = per_rank_begin(arena, p), .counts = per_rank_begin(arena, p)};
    for (int64_t first = 0; first < p; first += RANKS_AT_ONCE) {
        Arena *some = arena_scratch(scratch);
        const int64_t count = p - first < RANKS_AT_ONCE ? p - first : RANKS_AT_ONCE;
        const bool good = add_runs(some, set, space, frame, first, count, &runs);
        arena_destroy(some);
        if (!good)
            return false;
    }
    holding->stride = runs.step == 0 ? 1 : runs.step < 0 ? -runs.step : runs.step;
    holding->firsts = runs.firsts.values;
    holding->counts = runs.counts.values;
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

bool holding_lay_out(Arena *arena, const Collective *collective, const SetList *sets,
                     const BlockSpace *space, const Frame *frame, int64_t p, Holding *holding,
                     Diag *diag)
{
    const Holding none = {.p = p, .stride = 1};
    Arena *scratch = arena_scratch(arena);
    *holding = none;
    bool good =
        sets->count == 1 && lay_out_runs(arena, scratch, &sets->items[0], space, frame, holding);
    if (!good) {
        *holding = none;
        good = lay_out_lists(arena, scratch, collective, sets, space, frame, holding, diag);
    }
    arena_destroy(scratch);
    return good;
}
