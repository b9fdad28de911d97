#include "sched/holding.h"

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

/* Is the expression, at each rank, a constant plus a constant times the variable in this slot? */
static bool is_affine(const Expr *expr, int slot)
{
    const Expr *const *arguments = (const Expr *const *)expr->arguments;
    if (!expr_uses(expr, slot))
        return true;
    switch (expr->kind) {
    case EXPR_VARIABLE:
        return true;
    case EXPR_NEGATE:
        return is_affine(arguments[0], slot);
    case EXPR_ADD:
    case EXPR_SUBTRACT:
        return is_affine(arguments[0], slot) && is_affine(arguments[1], slot);
    case EXPR_MULTIPLY:
        return is_affine(arguments[0], slot) && is_affine(arguments[1], slot) &&
               !(expr_uses(arguments[0], slot) && expr_uses(arguments[1], slot));
    default:
        return false;
    }
}

static bool is_run(const CompiledSet *set)
{
    if (set->syntax->all || set->loop_count > 1)
        return false;
    if (set->loop_count == 0 || set->is_range)
        return true;
    int slot = set->loops[0].slot;
    for (int x = 0; x < set->index_count; x++)
        if (program_expr(set->indices[x])->type != TYPE_INT ||
            !is_affine(program_expr(set->indices[x]), slot))
            return false;
    return !set->condition || !expr_uses(program_expr(set->condition), slot);
}

typedef struct {
    Arena *arena;
    const CompiledSet *set;
    const BlockSpace *space;
    Frame frame;
    size_t p;
    Diag silent;
} RunLayout;

/* Its value at each rank; NULL where one has none. */
static int64_t *evaluate(RunLayout *layout, Program *program)
{
    int64_t *values = ARENA_ROOM(layout->arena, int64_t, layout->p);
    return program_run(program, layout->frame.slots, layout->p, values, &layout->silent) ? values
                                                                                         : NULL;
}

/* Does every rank that holds a block hold the same one? */
static bool names_one_block(const CompiledSet *set)
{
    bool varies = set->loop_count > 0;
    for (int x = 0; x < set->index_count; x++)
        varies |= program_varies(set->indices[x]);
    return !varies;
}

/* The number of that block for each rank that holds it. */
static int64_t *number_one_block(RunLayout *layout, const int64_t *counts)
{
    const CompiledSet *set = layout->set;
    int64_t lane = 0, number = 0, indices[MOST_INDICES];
    SetItems item = {.count = 1, .lanes = &lane};
    size_t first = 0;
    while (first < layout->p && counts[first] == 0)
        first++;
    if (first == layout->p)
        return ARENA_ARRAY(layout->arena, int64_t, layout->p);
    for (int x = 0; x < set->index_count; x++) {
        item.indices[x] = &indices[x];
        if (!program_run_int(set->indices[x], layout->frame.slots, &indices[x], &layout->silent))
            return NULL;
    }
    if (!blockspace_number(layout->space, set, &item, &number, &layout->silent))
        return NULL;
    int64_t *numbers = ARENA_ROOM(layout->arena, int64_t, layout->p);
    for (size_t r = 0; r < layout->p; r++)
        numbers[r] = counts[r] ? number : 0;
    return numbers;
}

/* Numbers of the blocks at one value of the variable for each rank; of ranks that hold none, 0. */
static int64_t *number_at(RunLayout *layout, const int64_t *variable, const int64_t *counts)
{
    const CompiledSet *set = layout->set;
    int64_t *lanes = ARENA_ROOM(layout->arena, int64_t, layout->p);
    int64_t *numbers = ARENA_ARRAY(layout->arena, int64_t, layout->p);
    int64_t *listed = ARENA_ROOM(layout->arena, int64_t, layout->p);
    SetItems items = {.lanes = lanes};
    for (size_t r = 0; r < layout->p; r++)
        if (counts[r] > 0)
            lanes[items.count++] = (int64_t)r;
    if (set->loop_count > 0)
        layout->frame.slots[set->loops[0].slot] = variable;
    for (int x = 0; x < set->index_count; x++) {
        const int64_t *values = set->is_range ? variable : evaluate(layout, set->indices[x]);
        if (!values)
            return NULL;
        items.indices[x] = lanes_gather(layout->arena, values, lanes, items.count);
    }
    if (!blockspace_number(layout->space, set, &items, listed, &layout->silent))
        return NULL;
    for (size_t i = 0; i < items.count; i++)
        numbers[lanes[i]] = listed[i];
    return numbers;
}

/* How many values the variable takes at each rank; *from and *to get the first and the last. */
static int64_t *count_values(RunLayout *layout, const int64_t **from, const int64_t **to)
{
    const CompiledSet *set = layout->set;
    int64_t *holds = set->condition ? evaluate(layout, set->condition) : NULL;
    if (set->condition && !holds)
        return NULL;
    if (holds && set->loop_count == 0)
        return holds;
    int64_t *counts = ARENA_ARRAY(layout->arena, int64_t, layout->p);
    for (size_t r = 0; set->loop_count == 0 && r < layout->p; r++)
        counts[r] = 1;
    if (set->loop_count == 0)
        return counts;
    if (set->loop_count > 0) {
        bool down = !set->is_range && set->syntax->loops[0].down;
        int64_t *first = evaluate(layout, set->loops[0].from),
                *last = first ? evaluate(layout, set->loops[0].to) : NULL;
        if (!last)
            return NULL;
        *from = down ? last : first, *to = down ? first : last;
    }
    for (size_t r = 0; r < layout->p; r++) {
        bool any = (!holds || holds[r]) && (*from)[r] <= (*to)[r];
        if (any && (__builtin_sub_overflow((*to)[r], (*from)[r], &counts[r]) ||
                    __builtin_add_overflow(counts[r], 1, &counts[r])))
            return NULL;
    }
    return counts;
}

/* The first block of each run; *stride is the difference that all have. NULL where they differ. */
static const int64_t *find_firsts(RunLayout *layout, const int64_t *counts, const int64_t *from,
                                  const int64_t *to, int64_t *stride)
{
    *stride = 1;
    if (layout->set->loop_count == 0)
        return names_one_block(layout->set) ? number_one_block(layout, counts)
                                            : number_at(layout, NULL, counts);
    int64_t *second = ARENA_COPY(layout->arena, int64_t, from, layout->p);
    for (size_t r = 0; r < layout->p; r++)
        second[r] += counts[r] > 1;
    int64_t *at_first = number_at(layout, from, counts),
            *at_second = at_first ? number_at(layout, second, counts) : NULL,
            *at_last = at_second ? number_at(layout, to, counts) : NULL;
    int64_t step = 0;
    if (!at_last)
        return NULL;
    for (size_t r = 0; r < layout->p; r++) {
        if (counts[r] < 2)
            continue;
        step = step ? step : at_second[r] - at_first[r];
        if (step == 0 || at_second[r] - at_first[r] != step)
            return NULL;
    }
    *stride = step == 0 ? 1 : step < 0 ? -step : step;
    return step < 0 ? at_last : at_first;
}

/* False where they are not runs, or something is wrong, which lists then report. */
static bool lay_out_runs(Arena *arena, RunLayout *layout, Holding *holding)
{
    const int64_t *from = NULL, *to = NULL, *counts, *firsts;
    if (!is_run(layout->set))
        return false;
    for (size_t slot = layout->set->outer_names; slot < MOST_SLOTS; slot++)
        layout->frame.slots[slot] = NULL; /* left by a name that has ended */
    counts = count_values(layout, &from, &to);
    firsts = counts ? find_firsts(layout, counts, from, to, &holding->stride) : NULL;
    if (!firsts)
        return false;
    holding->firsts = per_rank_of(arena, firsts, holding->p);
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
        RunLayout layout = {.arena = arena_scratch(arena),
                            .set = &sets->items[0],
                            .space = space,
                            .frame = *frame,
                            .p = (size_t)p,
                            .silent = diag_silent()};
        good = lay_out_runs(arena, &layout, holding);
        arena_destroy(layout.arena);
    }
    return good || holding_lay_out_lists(arena, collective, sets, space, frame, p, holding, diag);
}
