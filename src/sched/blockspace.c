#include "sched/blockspace.h"

bool blockspace_create(const Collective *collective, int64_t p, int64_t chunks, BlockSpace *space,
                       Diag *diag)
{
    const void *slots[MOST_SLOTS] = {&p};
    *space = (BlockSpace){.index_count = collective->index_count, .count = 1};
    for (int i = 0; i < collective->index_count; i++)
        if (!program_run_int(collective->extents[i], slots, &space->extents[i], diag))
            return false;
    if (chunks || collective->index_count == 0)
        space->extents[space->index_count++] = chunks ? chunks : 1;
    for (int i = 0; i < space->index_count; i++)
        if (space->extents[i] < 0 ||
            __builtin_mul_overflow(space->count, space->extents[i], &space->count))
            return diag_error(diag, collective->head.span, "too many blocks for p = %lld",
                              (long long)p);
    space->array_blocks = space->count;
    return true;
}

bool blockspace_parts(const Algorithm *algorithm, int64_t p, int64_t ports,
                      int64_t parts[PROBLEM_ARRAYS][2], Diag *diag)
{
    const void *slots[MOST_SLOTS] = {[SCHEDULE_P] = &p, [SCHEDULE_D] = &ports};
    for (int a = 0; a < PROBLEM_ARRAYS; a++)
        for (int x = 0; x < 2; x++) {
            const Formula *formula = &algorithm->blocks.parts[a][x];
            parts[a][x] = 1;
            if (!formula->program)
                continue;
            if (!program_run_int(formula->program, slots, &parts[a][x], diag))
                return false;
            if (parts[a][x] < 1)
                return diag_error(diag, formula->text.span,
                                  "an array cannot be cut into %lld parts", (long long)parts[a][x]);
        }
    return true;
}

bool blockspace_of_problem(const Algorithm *algorithm, int64_t p, int64_t ports, BlockSpace *space,
                           Diag *diag)
{
    *space = (BlockSpace){.index_count = 2, .problem = algorithm->collective->problem};
    if (!blockspace_parts(algorithm, p, ports, space->parts, diag))
        return false;
    for (int a = 0; a < PROBLEM_ARRAYS; a++) {
        int64_t blocks = 1;
        for (int x = 0; x < 2; x++)
            if (__builtin_mul_overflow(blocks, space->parts[a][x], &blocks) ||
                blocks > MOST_ENTRIES)
                return diag_limit(diag, algorithm->blocks.parts[a][x].text.span,
                                  "too many blocks (at most %d)", MOST_ENTRIES);
        space->starts[a + 1] = space->starts[a] + blocks;
    }
    space->count = space->array_blocks = space->starts[PROBLEM_ARRAYS];
    return true;
}

int blockspace_array(const BlockSpace *space, int64_t block, int64_t place[2])
{
    int array = 0;
    while (array + 1 < PROBLEM_ARRAYS && block >= space->starts[array + 1])
        array++;
    block -= space->starts[array];
    place[0] = block / space->parts[array][1];
    place[1] = block % space->parts[array][1];
    return array;
}

/* An array without an index in front is one copy. */
static int64_t copies_of(const Arrays *arrays, size_t i)
{
    return arrays->extents[i] ? arrays->extents[i] : 1;
}

int64_t arrays_copies(const Arrays *arrays)
{
    int64_t copies = 0;
    for (size_t i = 0; i < arrays->count; i++)
        if (__builtin_add_overflow(copies, copies_of(arrays, i), &copies))
            return -1;
    return copies;
}

bool blockspace_add_arrays(BlockSpace *space, const Arrays *arrays, Span span, Diag *diag)
{
    int64_t copies = arrays_copies(arrays);
    space->arrays = *arrays;
    if (copies >= 0 && copies < INT64_MAX &&
        !__builtin_mul_overflow(space->array_blocks, copies + 1, &space->count))
        return true;
    return diag_error(diag, span, "too many blocks in its arrays");
}

int64_t blockspace_start(const BlockSpace *space, int array)
{
    int64_t copies = array > 0;
    for (int i = 0; i + 1 < array; i++)
        copies += copies_of(&space->arrays, (size_t)i);
    return copies * space->array_blocks;
}

static bool is_in_range(const CompiledSet *set, const SetItems *items, size_t i, int x,
                        int64_t extent, Diag *diag)
{
    int64_t index = items->indices[x][i];
    if (index >= 0 && index < extent)
        return true;
    return diag_error(diag, set->syntax->text.span,
                      "rank %lld names a block with index %lld, but indices go from 0 to %lld",
                      (long long)items->lanes[i], (long long)index, (long long)extent - 1);
}

bool blockspace_extents(const BlockSpace *space, const CompiledSet *set,
                        int64_t extents[MOST_INDICES])
{
    int array = set->syntax->array, count = 0;
    if (array && !space->problem && space->arrays.extents[array - 1] > 0)
        extents[count++] = space->arrays.extents[array - 1];
    for (int x = 0; x < space->index_count && count < MOST_INDICES; x++)
        extents[count++] = space->extents[x];
    return !space->problem && count == set->index_count;
}

bool blockspace_number(const BlockSpace *space, const CompiledSet *set, const SetItems *items,
                       int64_t *numbers, Diag *diag)
{
    int array = set->syntax->array;
    for (size_t i = 0; i < items->count && space->problem; i++) {
        numbers[i] = 0;
        for (int x = 0; x < set->index_count; x++) {
            if (!is_in_range(set, items, i, x, space->parts[array][x], diag))
                return false;
            numbers[i] = numbers[i] * space->parts[array][x] + items->indices[x][i];
        }
        numbers[i] += space->starts[array];
    }
    if (space->problem)
        return true;
    int64_t start = blockspace_start(space, array);
    int64_t copies = array ? space->arrays.extents[array - 1] : 0;
    int front = copies > 0; /* indices that come before those of the main array */
    for (size_t i = 0; i < items->count; i++) {
        if (front && !is_in_range(set, items, i, 0, copies, diag))
            return false;
        numbers[i] = front ? items->indices[0][i] : 0;
    }
    for (int x = 0; x < space->index_count; x++) {
        int64_t extent = space->extents[x];
        for (size_t i = 0; i < items->count; i++) {
            if (!is_in_range(set, items, i, front + x, extent, diag))
                return false;
            numbers[i] = numbers[i] * extent + items->indices[front + x][i];
        }
    }
    for (size_t i = 0; array && i < items->count; i++)
        numbers[i] += start;
    return true;
}

const char *blockspace_name(Arena *arena, const BlockSpace *space, int64_t block)
{
    if (space->problem) {
        int64_t place[2];
        const ProblemArray *array = &space->problem->arrays[blockspace_array(space, block, place)];
        return array->dimensions == 1
                   ? arena_printf(arena, "%s(%lld)", array->name, (long long)place[0])
                   : arena_printf(arena, "%s(%lld, %lld)", array->name, (long long)place[0],
                                  (long long)place[1]);
    }
    int64_t blocks = space->array_blocks ? space->array_blocks : 1; /* 0: none has a name */
    int64_t copy = block / blocks;
    const char *prefix = "(", *name = ")";
    if (space->index_count == 1 && !copy)
        return arena_printf(arena, "%lld", (long long)block);
    if (copy > 0) { /* of which array, as "total(" or "from(3, " */
        const Arrays *arrays = &space->arrays;
        size_t i = 0;
        for (copy--; i + 1 < arrays->count && copy >= copies_of(arrays, i); i++)
            copy -= copies_of(arrays, i);
        prefix = arrays->extents[i]
                     ? arena_printf(arena, "%s(%lld, ", arrays->names[i], (long long)copy)
                     : arena_printf(arena, "%s(", arrays->names[i]);
    }
    block %= blocks;
    for (int x = space->index_count - 1; x >= 0; x--) {
        name = arena_printf(arena, "%s%lld%s", x ? ", " : "",
                            (long long)(block % space->extents[x]), name);
        block /= space->extents[x];
    }
    return arena_printf(arena, "%s%s", prefix, name);
}
