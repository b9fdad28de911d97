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

/* `count` ranks hold what this lane does. False where that is no run of the step of the others. */
static bool add_run(const BlockRows *rows, size_t lane, bool holds, int64_t count, Runs *runs)
{
    const int64_t blocks = !holds || rows->is_empty[lane] ? 0
                           : rows->loop_count             ? rows->counts[0][lane]
                                                          : 1;
    const int64_t step = blocks > 1 ? rows->steps[0][lane] : runs->step;
    runs->step = runs->step ? runs->step : step;
    if (blocks > 1 && (step == 0 || runs->step != step))
        return false;
    const int64_t back = blocks > 1 && step < 0 ? (blocks - 1) * step : 0;
    per_rank_push_many(&runs->firsts, blocks ? rows->first[lane] + back : 0, count);
    per_rank_push_many(&runs->counts, blocks, count);
    return true;
}

/* Does nothing but the condition depend on the rank? */
static bool only_condition_varies(const CompiledSet *set)
{
    uint64_t reads = 0;
    for (int l = 0; l < set->loop_count; l++)
        reads |= program_reads(set->loops[l].from) | program_reads(set->loops[l].to);
    for (int x = 0; x < set->index_count; x++)
        reads |= program_reads(set->indices[x]);
    return !(reads & set->varying);
}

/* Those of `count` ranks from `first` on; `all`: what each rank holds for which the condition does,
   NULL where that differs. False where they are not runs of one step, or something is wrong, which
   lists then report. */
static bool add_runs(Arena *scratch, const CompiledSet *set, const BlockSpace *space,
                     const Frame *frame, int64_t first, int64_t count, const BlockRows *all,
                     Runs *runs)
{
    Frame lanes = *frame;
    BlockRows rows;
    int64_t *holds = ARENA_ROOM(scratch, int64_t, all ? (size_t)count : 0);
    bool good = true;
    for (int slot = 0; slot < MOST_SLOTS; slot++)
        if ((set->varying >> slot & 1) && lanes.slots[slot])
            lanes.slots[slot] = (const int64_t *)lanes.slots[slot] + first;
    if (all ? !program_try(set->condition, lanes.slots, (size_t)count, holds)
            : !block_rows_find(scratch, space, set, &lanes, (size_t)count, -1, &rows) ||
                  rows.loop_count > 1)
        return false;
    for (int64_t r = 0, next; r < count && good; r = next) {
        next = r + 1;
        while (all && next < count && holds[next] == holds[r])
            next++;
        good = all ? add_run(all, 0, holds[r], next - r, runs)
                   : add_run(&rows, (size_t)r, true, 1, runs);
    }
    return good;
}

/* Rows take a hundred bytes a rank while they are found, so they are found for some ranks at a
 * time. */
static bool lay_out_runs(Arena *arena, Arena *scratch, const CompiledSet *set,
                         const BlockSpace *space, const Frame *frame, Holding *holding)
{
    const int64_t p = holding->p;
    const bool alike = only_condition_varies(set);
    Runs runs = {.firsts = per_rank_begin(arena, p), .counts = per_rank_begin(arena, p)};
    CompiledSet each = *set;
    BlockRows rows;
    bool good = true;
    each.condition = NULL;
    if (alike &&
        (!block_rows_find(scratch, space, &each, frame, 1, -1, &rows) || rows.loop_count > 1))
        return false;
    if (alike && !set->condition)
        good = add_run(&rows, 0, true, p, &runs);
    for (int64_t first = 0; first < p && good && (set->condition || !alike);
         first += RANKS_AT_ONCE) {
        Arena *some = arena_scratch(scratch);
        const int64_t count = p - first < RANKS_AT_ONCE ? p - first : RANKS_AT_ONCE;
        good = add_runs(some, set, space, frame, first, count, alike ? &rows : NULL, &runs);
        arena_destroy(some);
    }
    holding->stride = runs.step == 0 ? 1 : runs.step < 0 ? -runs.step : runs.step;
    holding->firsts = runs.firsts.values;
    holding->counts = runs.counts.values;
    return good && summarize(holding);
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
