#include "sched/extents.h"

static int64_t part_start(int64_t size, int64_t parts, int64_t part)
{
    return (int64_t)((__int128)part * size / parts);
}

bool extents_find(Arena *arena, const BlockSpace *space, int64_t n, Extents *extents, Diag *diag)
{
    int64_t sizes[PROBLEM_ARRAYS][2];
    Extent *blocks = ARENA_ARRAY(arena, Extent, (size_t)space->count);
    int64_t *elements = ARENA_ARRAY(arena, int64_t, (size_t)space->count);
    *extents = (Extents){space->problem, blocks, elements};
    for (int a = 0; a < PROBLEM_ARRAYS; a++)
        if (!problem_sizes(space->problem, a, n, sizes[a], diag))
            return false;
    for (int64_t b = 0; b < space->count; b++) {
        int64_t place[2];
        Extent *block = &blocks[b];
        block->array = blockspace_array(space, b, place);
        for (int x = 0; x < 2; x++) {
            int64_t parts = space->parts[block->array][x], size = sizes[block->array][x];
            block->first[x] = part_start(size, parts, place[x]);
            block->size[x] = part_start(size, parts, place[x] + 1) - block->first[x];
        }
        elements[b] = block->size[0] * block->size[1];
    }
    return true;
}

int64_t extents_work(const Extents *extents, const ScheduledProduct *product)
{
    const Extent *left = &extents->blocks[product->blocks[ARRAY_LEFT]];
    const Extent *right = &extents->blocks[product->blocks[ARRAY_RIGHT]];
    return left->size[0] * left->size[1] * right->size[1];
}

static bool same_range(const Extent *a, int x, const Extent *b, int y)
{
    return a->first[x] == b->first[y] && a->size[x] == b->size[y];
}

bool extents_fit(const Extents *extents, const ScheduledProduct *product)
{
    const Extent *left = &extents->blocks[product->blocks[ARRAY_LEFT]];
    const Extent *right = &extents->blocks[product->blocks[ARRAY_RIGHT]];
    const Extent *result = &extents->blocks[product->blocks[ARRAY_RESULT]];
    return same_range(left, 1, right, 0) && same_range(left, 0, result, 0) &&
           same_range(right, 1, result, 1);
}
