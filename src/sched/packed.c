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

/* One run along the longest loop for each value of the others. */
static void pack_loop(Arena *arena, const BlockRows *rows, size_t lane, int loop, int longest,
                      int64_t first, int64_t to, Packing *packing)
{
    if (loop == rows->loop_count) {
        const BlockRun run = {first, rows->steps[longest][lane], rows->counts[longest][lane], to,
                              rows->to_steps[longest][lane]};
        packing_add_run(arena, packing, &run);
        return;
    }
    const int64_t count = loop == longest ? 1 : rows->counts[loop][lane];
    const int64_t step = rows->steps[loop][lane], to_step = rows->to_steps[loop][lane];
    for (int64_t i = 0; i < count; i++)
        pack_loop(arena, rows, lane, loop + 1, longest, first + i * step, to + i * to_step,
                  packing);
}

size_t packing_add_rows(Arena *arena, Packing *packing, const BlockRows *rows, size_t lane)
{
    size_t blocks = 1;
    int longest = rows->loop_count - 1;
    if (rows->is_empty[lane])
        return 0;
    for (int l = rows->loop_count - 1; l >= 0; l--) {
        blocks *= (size_t)rows->counts[l][lane];
        longest = rows->counts[l][lane] > rows->counts[longest][lane] ? l : longest;
    }
    if (longest < 0)
        packing_add(arena, packing, rows->first[lane], 1, rows->to[lane]);
    else
        pack_loop(arena, rows, lane, 0, longest, rows->first[lane], rows->to[lane], packing);
    return blocks;
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
