#include "sched/packed.h"

/* Numbers of a run, and so many single blocks in a row become one. */
enum { RUN = 5 };

size_t packing_start(Packing *packing)
{
    packing->last = SIZE_MAX;
    packing->row = 0;
    return packing->numbers.count;
}

static void push_run(Arena *arena, Packing *packing, const BlockRun *run)
{
    PackedArray *numbers = &packing->numbers;
    ARRAY_RESERVE(arena, numbers, RUN);
    int32_t *at = numbers->items + numbers->count;
    at[0] = (int32_t)~run->first, at[1] = (int32_t)run->stride, at[2] = (int32_t)run->count;
    at[3] = (int32_t)run->to, at[4] = (int32_t)run->to_stride;
    packing->last = numbers->count;
    packing->row = 0;
    numbers->count += RUN;
}

/* Does the last run go on with this block? */
static bool extend(Packing *packing, int64_t block, int64_t to)
{
    if (packing->last == SIZE_MAX)
        return false;
    int32_t *at = packing->numbers.items + packing->last;
    const int64_t first = ~at[0], count = at[2];
    if (count == INT32_MAX)
        return false;
    if (count == 1)
        at[1] = (int32_t)(block - first), at[4] = (int32_t)(to - at[3]);
    else if (first + at[1] * count != block || at[3] + at[4] * count != to)
        return false;
    at[2]++;
    return true;
}

/* A block that lands as itself. */
static void push_block(Arena *arena, Packing *packing, int64_t block)
{
    PackedArray *numbers = &packing->numbers;
    const int64_t before = packing->row ? numbers->items[numbers->count - 1] : 0;
    *ARRAY_PUSH(arena, numbers) = (int32_t)block;
    packing->last = SIZE_MAX;
    if (packing->row > 1 && block - before == packing->stride)
        packing->row++;
    else
        packing->row = packing->row ? 2 : 1;
    packing->stride = block - before;
    if (packing->row < RUN)
        return;
    numbers->count -= RUN;
    const int64_t first = numbers->items[numbers->count];
    push_run(arena, packing, &(BlockRun){first, packing->stride, RUN, first, packing->stride});
}

void packing_add(Arena *arena, Packing *packing, int64_t first, int64_t count, int64_t to)
{
    if (count == 1 && first == to && packing->last == SIZE_MAX && packing->row == 0) {
        *ARRAY_PUSH(arena, &packing->numbers) = (int32_t)first;
        packing->row = 1;
        return;
    }
    while (count > 0) {
        const BlockRun run = {first, 1, count < INT32_MAX ? count : INT32_MAX, to, 1};
        int64_t done = 1;
        if (extend(packing, first, to)) {
            int32_t *at = packing->numbers.items + packing->last;
            const bool goes_on = at[1] == 1 && at[4] == 1 && at[2] <= INT32_MAX - (count - 1);
            done = goes_on ? count : 1;
            at[2] += (int32_t)(done - 1);
        } else if (first != to || count >= RUN) {
            push_run(arena, packing, &run);
            done = run.count;
        } else {
            push_block(arena, packing, first);
        }
        first += done, to += done, count -= done;
    }
}

void packing_add_run(Arena *arena, Packing *packing, const BlockRun *run)
{
    if (run->stride == 1 && run->to_stride == 1) {
        packing_add(arena, packing, run->first, run->count, run->to);
        return;
    }
    const bool lands_alike = run->first == run->to && run->stride == run->to_stride;
    if ((run->count >= RUN || !lands_alike) && run->count <= INT32_MAX) {
        push_run(arena, packing, run);
        return;
    }
    for (int64_t i = 0; i < run->count; i++)
        packing_add(arena, packing, run->first + i * run->stride, 1, run->to + i * run->to_stride);
}

int32_t *packed_turn(Arena *arena, const Round *round)
{
    int32_t *turned = ARENA_COPY(arena, int32_t, round->packed, round->packed_count);
    for (int32_t *at = turned, *end = turned + round->packed_count; at < end;) {
        if (*at >= 0) {
            at++;
            continue;
        }
        const int32_t first = ~at[0], stride = at[1];
        at[0] = ~at[3], at[1] = at[4];
        at[3] = first, at[4] = stride;
        at += RUN;
    }
    return turned;
}
