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
            __builtin_mul_overflow(space->count, space->extents[i], &space->count)) {
            diag_error(diag, collective->head.span, "too many blocks for p = %lld", (long long)p);
            return false;
        }
    space->array_blocks = space->count;
    return true;
}

bool blockspace_add_arrays(BlockSpace *space, const char *const *names, size_t count, Span span,
                           Diag *diag)
{
    space->arrays = names;
    if (!__builtin_mul_overflow(space->array_blocks, (int64_t)count + 1, &space->count))
        return true;
    diag_error(diag, span, "too many blocks in its arrays");
    return false;
}

bool blockspace_number(const BlockSpace *space, const CompiledSet *set, const SetItems *items,
                       int64_t *numbers, Diag *diag)
{
    for (size_t i = 0; i < items->count; i++)
        numbers[i] = 0;
    for (int x = 0; x < space->index_count; x++) {
        int64_t extent = space->extents[x];
        for (size_t i = 0; i < items->count; i++) {
            int64_t index = items->indices[x][i];
            if (index < 0 || index >= extent) {
                diag_error(diag, set->syntax->text.span,
                           "rank %lld names a block with index %lld, but indices go from 0 to %lld",
                           (long long)items->lanes[i], (long long)index, (long long)extent - 1);
                return false;
            }
            numbers[i] = numbers[i] * extent + index;
        }
    }
    for (size_t i = 0; set->syntax->array && i < items->count; i++)
        numbers[i] += set->syntax->array * space->array_blocks;
    return true;
}

bool blockspace_cut(BlockSpace *space, int64_t pieces)
{
    if (space->index_count == MOST_INDICES ||
        __builtin_mul_overflow(space->count, pieces, &space->count))
        return false;
    space->extents[space->index_count++] = pieces;
    space->array_blocks = space->count;
    return true;
}

const char *blockspace_name(Arena *arena, const BlockSpace *space, int64_t block)
{
    int64_t array = space->array_blocks ? block / space->array_blocks : 0;
    const char *prefix = array ? space->arrays[array - 1] : "", *name = ")";
    if (space->index_count == 1 && !array)
        return arena_printf(arena, "%lld", (long long)block);
    block %= space->array_blocks;
    for (int x = space->index_count - 1; x >= 0; x--) {
        name = arena_printf(arena, "%s%lld%s", x ? ", " : "(",
                            (long long)(block % space->extents[x]), name);
        block /= space->extents[x];
    }
    return arena_printf(arena, "%s%s", prefix, name);
}
