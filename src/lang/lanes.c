#include "lang/lanes.h"

#include "base/limits.h"
#include "base/sort.h"
#include "base/watch.h"
#include "lang/check.h"

#include <string.h>

static void note_variables(const Expr *expr, uint64_t *used)
{
    if (expr->kind == EXPR_VARIABLE && expr->varies)
        *used |= (uint64_t)1 << expr->slot;
    for (int i = 0; i < expr->argument_count; i++)
        note_variables(expr->arguments[i], used);
}

static Program *compile(Arena *arena, const Expr *expr, const Scope *scope, CompiledSet *set)
{
    if (!expr)
        return NULL;
    note_variables(expr, &set->varying);
    return program_compile(arena, expr, scope);
}

static void compile_checked(Arena *arena, const BlockSet *syntax, Scope *scope, CompiledSet *set)
{
    for (int i = 0; i < syntax->loop_count; i++) {
        const Loop *loop = &syntax->loops[i];
        set->loops[set->loop_count++] =
            (SetLoop){loop->slot, compile(arena, loop->from, scope, set),
                      compile(arena, loop->to, scope, set)};
    }
    set->condition = compile(arena, syntax->condition, scope, set);
    if (syntax->range_end) {
        int slot = scope_add(arena, scope, (Variable){"", TYPE_INT, DIMENSION_NONE, true});
        set->is_range = true;
        set->loops[set->loop_count++] =
            (SetLoop){slot, compile(arena, syntax->indices[0], scope, set),
                      compile(arena, syntax->range_end, scope, set)};
    } else {
        for (int i = 0; i < syntax->index_count; i++)
            set->indices[i] = compile(arena, syntax->indices[i], scope, set);
    }
    set->index_count = syntax->index_count;
}

static bool has_room(const Scope *scope, const BlockSet *syntax, Diag *diag)
{
    if (scope->count + MOST_LOOPS + 2 <= MOST_SLOTS)
        return true;
    diag_error(diag, syntax->text.span, "too many names (at most %d)", MOST_SLOTS);
    return false;
}

bool set_compile(Arena *arena, const BlockSet *syntax, Scope *scope, CompiledSet *set, Diag *diag)
{
    size_t before = scope->count;
    BlockSet *checked = ARENA_NEW(arena, BlockSet);
    *checked = *syntax;
    *set = (CompiledSet){.syntax = checked, .outer_names = before};
    bool good = has_room(scope, syntax, diag) && check_block_set(arena, checked, scope, diag);
    if (good)
        compile_checked(arena, checked, scope, set);
    scope->count = before;
    return good;
}

void *lanes_gather(Arena *arena, const void *values, const int64_t *lanes, size_t count)
{
    const int64_t *from = values;
    int64_t *to = ARENA_ROOM(arena, int64_t, count);
    for (size_t i = 0; i < count; i++)
        to[i] = from[lanes[i]];
    return to;
}

typedef struct {
    const CompiledSet *set;
    Arena *arena;
    Frame frame;
    size_t count;
    const int64_t *lanes; /* NULL: item i belongs to lane i */
    Diag *diag;
} Expansion;

/* Keeps the items listed in `chosen`: their lanes and all variables that later steps read. */
static void select_items(Expansion *expansion, const int64_t *chosen, size_t count)
{
    for (int slot = 0; slot < MOST_SLOTS; slot++)
        if ((expansion->set->varying >> slot & 1) && expansion->frame.slots[slot])
            expansion->frame.slots[slot] =
                lanes_gather(expansion->arena, expansion->frame.slots[slot], chosen, count);
    expansion->lanes =
        expansion->lanes ? lanes_gather(expansion->arena, expansion->lanes, chosen, count) : chosen;
    expansion->count = count;
}

static int64_t *run(Expansion *expansion, Program *program)
{
    watch_poll(expansion->arena);
    int64_t *values = ARENA_ROOM(expansion->arena, int64_t, expansion->count);
    bool good =
        program_run(program, expansion->frame.slots, expansion->count, values, expansion->diag);
    return good ? values : NULL;
}

bool set_report_too_many(const CompiledSet *set, Diag *diag)
{
    diag_limit(diag, set->syntax->text.span, "this names too many %s (more than %d)",
               set->syntax->of_links ? "links" : "blocks", LIMIT_ITEMS);
    return false;
}

static bool count_items(Expansion *expansion, const int64_t *from, const int64_t *to, size_t *total)
{
    *total = 0;
    for (size_t i = 0; i < expansion->count; i++) {
        int64_t length = 0;
        if (from[i] <= to[i] && __builtin_sub_overflow(to[i], from[i] - 1, &length))
            length = INT64_MAX;
        if (length > LIMIT_ITEMS || (*total += (size_t)length) > LIMIT_ITEMS)
            return set_report_too_many(expansion->set, expansion->diag);
    }
    return true;
}

/* Every item becomes one item for each value of the loop variable. */
static bool run_loop(Expansion *expansion, const SetLoop *loop, bool down)
{
    int64_t *from = run(expansion, loop->from), *to = from ? run(expansion, loop->to) : NULL;
    size_t total, at = 0;
    if (!to)
        return false;
    if (down) {
        int64_t *swap = from;
        from = to, to = swap;
    }
    if (!count_items(expansion, from, to, &total))
        return false;
    int64_t *chosen = ARENA_ROOM(expansion->arena, int64_t, total);
    int64_t *values = ARENA_ROOM(expansion->arena, int64_t, total);
    for (size_t i = 0; i < expansion->count; i++)
        for (int64_t count = from[i] <= to[i] ? to[i] - from[i] + 1 : 0, n = 0; n < count; n++) {
            chosen[at] = (int64_t)i;
            values[at++] = down ? to[i] - n : from[i] + n;
        }
    select_items(expansion, chosen, total);
    expansion->frame.slots[loop->slot] = values;
    return true;
}

static bool run_condition(Expansion *expansion)
{
    int64_t *holds = run(expansion, expansion->set->condition);
    if (!holds)
        return false;
    int64_t *chosen = ARENA_ROOM(expansion->arena, int64_t, expansion->count);
    size_t kept = 0;
    for (size_t i = 0; i < expansion->count; i++)
        if (holds[i])
            chosen[kept++] = (int64_t)i;
    if (kept < expansion->count)
        select_items(expansion, chosen, kept);
    return true;
}

const int64_t *lanes_identity(Arena *arena, size_t count)
{
    int64_t *lanes = ARENA_ROOM(arena, int64_t, count);
    for (size_t i = 0; i < count; i++)
        lanes[i] = (int64_t)i;
    return lanes;
}

static bool read_indices(Expansion *expansion, SetItems *items)
{
    const CompiledSet *set = expansion->set;
    items->count = expansion->count;
    items->lanes =
        expansion->lanes ? expansion->lanes : lanes_identity(expansion->arena, expansion->count);
    if (set->is_range)
        items->indices[0] = expansion->frame.slots[set->loops[set->loop_count - 1].slot];
    for (int i = 0; !set->is_range && i < set->index_count; i++) {
        items->indices[i] = run(expansion, set->indices[i]);
        if (!items->indices[i])
            return false;
    }
    return true;
}

bool set_expand(const CompiledSet *set, Arena *arena, const Frame *frame, size_t count,
                SetItems *items, Diag *diag)
{
    Expansion expansion = {set, arena, *frame, count, NULL, diag};
    int loops = set->loop_count - set->is_range;
    for (size_t slot = set->outer_names; slot < MOST_SLOTS; slot++)
        expansion.frame.slots[slot] = NULL; /* left by a name that has ended */
    for (int i = 0; i < loops; i++)
        if (!run_loop(&expansion, &set->loops[i], set->syntax->loops[i].down))
            return false;
    size_t tried = expansion.count;
    if (set->condition && !run_condition(&expansion))
        return false;
    if (set->is_range && !run_loop(&expansion, &set->loops[loops], false))
        return false;
    *items = (SetItems){.tried = tried > expansion.count ? tried : expansion.count};
    return read_indices(&expansion, items);
}

/* Sorts each lane's numbers and drops what stands in them twice. */
static void sort_lists(const Arena *arena, int64_t *starts, int64_t *numbers, size_t lanes)
{
    int64_t kept = 0;
    for (size_t r = 0; r < lanes; r++) {
        int64_t first = starts[r], end = starts[r + 1], own = kept;
        watch_poll(arena);
        sort_whole(numbers + first, (size_t)(end - first));
        for (int64_t i = first; i < end; i++)
            if (kept == own || numbers[kept - 1] != numbers[i])
                numbers[kept++] = numbers[i];
        starts[r] = own;
    }
    starts[lanes] = kept;
}

LaneLists lanes_lists(Arena *arena, const SetItems *items, int64_t *const *numbers, size_t count,
                      size_t lanes)
{
    int64_t *starts = ARENA_ARRAY(arena, int64_t, lanes + 1);
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < items[s].count; i++)
            starts[items[s].lanes[i] + 1]++;
    for (size_t r = 0; r < lanes; r++)
        starts[r + 1] += starts[r];
    int64_t *listed = ARENA_ROOM(arena, int64_t, (size_t)starts[lanes]);
    int64_t *ends = ARENA_COPY(arena, int64_t, starts, lanes);
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < items[s].count; i++)
            listed[ends[items[s].lanes[i]]++] = numbers[s][i];
    sort_lists(arena, starts, listed, lanes);
    return (LaneLists){starts, listed};
}
