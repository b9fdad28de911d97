#include "sched/block_rows.h"

/* A loop of the set. */
typedef struct {
    int slot;
    int64_t *start, *last, *counts; /* of each lane */
    bool is_wide;
} RowLoop;

typedef struct {
    Arena *arena;
    const BlockSpace *space;
    const CompiledSet *set;
    size_t count;
    Frame frame;
    RowLoop loops[MOST_LOOPS + 1];
    const RowLoop *wide[MOST_LOOPS];
    uint64_t loop_slots, wide_slots; /* of all loops, and of those that are wide */
    int64_t extents[MOST_INDICES];
    bool *is_empty;
} RowFinder;

/* Does the condition hold between corners where it holds at all of them? */
static bool is_convex(const RowFinder *finder, const Expr *condition)
{
    switch (condition->kind) {
    case EXPR_AND:
        return is_convex(finder, condition->arguments[0]) &&
               is_convex(finder, condition->arguments[1]);
    case EXPR_LESS:
    case EXPR_LESS_EQUAL:
    case EXPR_GREATER:
    case EXPR_GREATER_EQUAL:
        return expr_is_linear(condition->arguments[0], finder->wide_slots) &&
               expr_is_linear(condition->arguments[1], finder->wide_slots);
    default:
        return false;
    }
}

static bool run(RowFinder *finder, Program *program, int64_t **values)
{
    *values = ARENA_ROOM(finder->arena, int64_t, finder->count);
    return program_try(program, finder->frame.slots, finder->count, *values);
}

static bool find_loop(RowFinder *finder, int l)
{
    const CompiledSet *set = finder->set;
    const SetLoop *loop = &set->loops[l];
    RowLoop *found = &finder->loops[l];
    const bool is_range = set->is_range && l == set->loop_count - 1;
    const bool down = !is_range && set->syntax->loops[l].down;
    if (((program_reads(loop->from) | program_reads(loop->to)) & finder->loop_slots) ||
        !run(finder, loop->from, &found->start) || !run(finder, loop->to, &found->last))
        return false;
    found->slot = loop->slot;
    found->counts = ARENA_ROOM(finder->arena, int64_t, finder->count);
    for (size_t i = 0; i < finder->count; i++) {
        const int64_t low = down ? found->last[i] : found->start[i];
        const int64_t high = down ? found->start[i] : found->last[i];
        int64_t length = 0;
        if (low <= high && (__builtin_sub_overflow(high, low, &length) || length >= LIMIT_ITEMS))
            return false;
        found->counts[i] = low <= high ? length + 1 : 0;
        finder->is_empty[i] |= low > high;
        found->is_wide |= found->counts[i] > 1;
    }
    return true;
}

/* The loops that are not wide keep the value with which they start. */
static bool find_loops(RowFinder *finder, BlockRows *rows)
{
    for (int l = 0; l < finder->set->loop_count; l++) {
        if (!find_loop(finder, l) || (finder->loops[l].is_wide && rows->loop_count == MOST_LOOPS))
            return false;
        if (finder->loops[l].is_wide) {
            finder->wide_slots |= (uint64_t)1 << finder->loops[l].slot;
            finder->wide[rows->loop_count] = &finder->loops[l];
            rows->counts[rows->loop_count++] = finder->loops[l].counts;
        }
    }
    for (int l = 0; l < finder->set->loop_count; l++)
        finder->frame.slots[finder->loops[l].slot] = finder->loops[l].start;
    for (size_t i = 0; i < finder->count; i++) {
        int64_t blocks = 1;
        for (int l = 0; l < rows->loop_count && !finder->is_empty[i]; l++)
            if ((blocks *= rows->counts[l][i]) > LIMIT_ITEMS)
                return false;
    }
    for (int x = 0; x < finder->set->index_count && !finder->set->is_range; x++) {
        const Expr *index = program_expr(finder->set->indices[x]);
        if (index->kind == EXPR_WHEN) { /* one that is negative outside of a grid, as `rank` is */
            const Expr *outside = index->arguments[2];
            if (outside->kind != EXPR_NUMBER || outside->type == TYPE_REAL ||
                outside->integer >= 0 || !is_convex(finder, index->arguments[0]))
                return false;
            index = index->arguments[1];
        }
        if (!expr_is_linear(index, finder->wide_slots))
            return false;
    }
    return true;
}

/* Of the blocks at one corner of the loops: their numbers, and those within an array. */
static bool number_corner(RowFinder *finder, int64_t *numbers, int64_t *within)
{
    const CompiledSet *set = finder->set;
    const BlockSpace *space = finder->space;
    const int first = set->index_count - space->index_count;
    const int64_t start = space->problem ? space->starts[set->syntax->array]
                                         : blockspace_start(space, set->syntax->array);
    for (size_t i = 0; i < finder->count; i++)
        numbers[i] = within[i] = 0;
    for (int x = 0; x < set->index_count; x++) {
        int64_t *index;
        if (set->is_range)
            index = (int64_t *)(uintptr_t)finder->frame.slots[set->loops[set->loop_count - 1].slot];
        else if (!run(finder, set->indices[x], &index))
            return false;
        for (size_t i = 0; i < finder->count; i++) {
            if (!finder->is_empty[i] && (index[i] < 0 || index[i] >= finder->extents[x]))
                return false;
            const int64_t at = finder->is_empty[i] ? 0 : index[i];
            numbers[i] = numbers[i] * finder->extents[x] + at;
            within[i] = x < first ? 0 : within[i] * finder->extents[x] + at;
        }
    }
    for (size_t i = 0; i < finder->count; i++)
        numbers[i] += start;
    return true;
}

/* Each value at a corner is between others, so that blocks between corners are blocks, too, and
   their indices have values. */
static bool find_corners(RowFinder *finder, int as, BlockRows *rows)
{
    const int64_t shift = as < 0 ? 0 : blockspace_start(finder->space, as);
    int64_t *numbers = ARENA_ROOM(finder->arena, int64_t, finder->count);
    int64_t *within = ARENA_ROOM(finder->arena, int64_t, finder->count);
    for (int corner = 0; corner < 1 << rows->loop_count; corner++) {
        int step = -1;
        for (int l = 0; l < rows->loop_count; l++) {
            const RowLoop *loop = finder->wide[l];
            finder->frame.slots[loop->slot] = corner >> l & 1 ? loop->last : loop->start;
            if (corner == 1 << l)
                step = l;
        }
        if (!number_corner(finder, numbers, within))
            return false;
        int64_t *at = corner == 0 ? rows->first : step >= 0 ? rows->steps[step] : NULL;
        int64_t *to = corner == 0 ? rows->to : step >= 0 ? rows->to_steps[step] : NULL;
        for (size_t i = 0; i < finder->count && at; i++) {
            const int64_t lands = as < 0 ? numbers[i] : within[i] + shift;
            const int64_t ways = step >= 0 ? rows->counts[step][i] - 1 : 0;
            at[i] = corner == 0 ? numbers[i] : ways > 0 ? (numbers[i] - rows->first[i]) / ways : 0;
            to[i] = corner == 0 ? lands : ways > 0 ? (lands - rows->to[i]) / ways : 0;
        }
    }
    return true;
}

bool block_rows_find(Arena *arena, const BlockSpace *space, const CompiledSet *set,
                     const Frame *frame, size_t count, int as, BlockRows *rows)
{
    RowFinder finder = {.arena = arena,
                        .space = space,
                        .set = set,
                        .count = count,
                        .frame = *frame,
                        .is_empty = ARENA_ARRAY(arena, bool, count)};
    *rows = (BlockRows){.first = ARENA_ROOM(arena, int64_t, count),
                        .to = ARENA_ROOM(arena, int64_t, count),
                        .is_empty = finder.is_empty};
    for (int l = 0; l < MOST_LOOPS; l++) {
        rows->steps[l] = ARENA_ROOM(arena, int64_t, count);
        rows->to_steps[l] = ARENA_ROOM(arena, int64_t, count);
    }
    for (size_t slot = set->outer_names; slot < MOST_SLOTS; slot++)
        finder.frame.slots[slot] = NULL;
    for (int x = 0; space->problem && x < set->index_count; x++)
        finder.extents[x] = space->parts[set->syntax->array][x];
    for (int l = 0; l < set->loop_count; l++)
        finder.loop_slots |= (uint64_t)1 << set->loops[l].slot;
    /* Nothing is named where the condition does not hold, which is one of the rank alone. */
    int64_t *holds = NULL;
    if (set->syntax->all || (as >= 0 && as == set->syntax->array) ||
        !(space->problem || blockspace_extents(space, set, finder.extents)) ||
        (program_reads(set->condition) & finder.loop_slots) ||
        (set->condition && !run(&finder, set->condition, &holds)))
        return false;
    for (size_t i = 0; i < count && set->condition; i++)
        finder.is_empty[i] = !holds[i];
    return find_loops(&finder, rows) && find_corners(&finder, as, rows);
}
