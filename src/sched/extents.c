#include "sched/extents.h"

#include "sched/partition.h"

/* Where part i of a dimension begins. */
static int64_t start_of(const Extents *extents, int array, int x, int64_t i)
{
    const int64_t *starts = extents->starts[array][x];
    return starts ? starts[i]
                  : partition_start(extents->sizes[array][x], extents->space.parts[array][x], i);
}

/* Made of values in registers: the processor cannot forward stores of single fields to the loads
   of a copy of the whole. */
Extent extents_block(const Extents *extents, int64_t block)
{
    int64_t place[2];
    const int array = blockspace_array(&extents->space, block, place);
    const int64_t row = start_of(extents, array, 0, place[0]);
    const int64_t column = start_of(extents, array, 1, place[1]);
    const int64_t rows = start_of(extents, array, 0, place[0] + 1) - row;
    const int64_t columns = start_of(extents, array, 1, place[1] + 1) - column;
    return (Extent){array, {row, column}, {rows, columns}};
}

bool extents_try(const BlockSpace *space, int64_t n, Extents *extents)
{
    *extents = (Extents){.space = *space};
    for (int a = 0; a < PROBLEM_ARRAYS; a++)
        if (!problem_try_sizes(space->problem, a, n, extents->sizes[a]))
            return false;
    return true;
}

int64_t extents_elements(const Extents *extents, int64_t block)
{
    if (extents->elements)
        return extents->elements[block];
    const Extent extent = extents_block(extents, block);
    return extent.size[0] * extent.size[1];
}

bool extents_find(Arena *arena, const BlockSpace *space, int64_t n, Extents *extents, Diag *diag)
{
    int64_t *elements = ARENA_ROOM(arena, int64_t, (size_t)space->count);
    *extents = (Extents){.space = *space};
    for (int a = 0; a < PROBLEM_ARRAYS; a++)
        if (!problem_sizes(space->problem, a, n, extents->sizes[a], diag))
            return false;
    for (int a = 0; a < PROBLEM_ARRAYS; a++)
        for (int x = 0; x < 2; x++) {
            int64_t *starts = ARENA_ROOM(arena, int64_t, (size_t)space->parts[a][x] + 1);
            for (int64_t part = 0; part <= space->parts[a][x]; part++)
                starts[part] = partition_start(extents->sizes[a][x], space->parts[a][x], part);
            extents->starts[a][x] = starts;
        }
    for (int64_t b = 0; b < space->count; b++)
        elements[b] = extents_elements(extents, b);
    extents->elements = elements;
    return true;
}

bool extents_are_even(const Problem *problem, const int64_t parts[PROBLEM_ARRAYS][2], int64_t n)
{
    int64_t sizes[2];
    bool even = true;
    for (int a = 0; even && a < PROBLEM_ARRAYS; a++)
        even = problem_try_sizes(problem, a, n, sizes) && sizes[0] % parts[a][0] == 0 &&
               sizes[1] % parts[a][1] == 0;
    return even;
}

int64_t extents_work(const Extents *extents, const ScheduledProduct *product)
{
    Extent right = extents_block(extents, product->blocks[ARRAY_RIGHT]);
    return extents_elements(extents, product->blocks[ARRAY_LEFT]) * right.size[1];
}

static bool same_range(const Extent *a, int x, const Extent *b, int y)
{
    return a->first[x] == b->first[y] && a->size[x] == b->size[y];
}

bool extents_fit(const Extents *extents, const ScheduledProduct *product)
{
    Extent left = extents_block(extents, product->blocks[ARRAY_LEFT]);
    Extent right = extents_block(extents, product->blocks[ARRAY_RIGHT]);
    Extent result = extents_block(extents, product->blocks[ARRAY_RESULT]);
    return same_range(&left, 1, &right, 0) && same_range(&left, 0, &result, 0) &&
           same_range(&right, 1, &result, 1);
}
