#include "sched/chunk_sizes.h"

#include "sched/pieces.h"

static bool run(const Cutting *cutting, const int64_t values[], int64_t *size, Diag *diag)
{
    const int64_t n = values[CUTTING_ELEMENTS], s = values[CUTTING_SEGMENT];
    const int64_t left = n - values[CUTTING_CHUNK] * s;
    const void *slots[MOST_SLOTS] = {0};
    for (int i = 0; i < CUTTING_SLOTS; i++)
        slots[i] = &values[i];
    *size = left < 0 ? 0 : left < s ? left : s;
    if (cutting->size.program && !program_run_int(cutting->size.program, slots, size, diag))
        return false;
    return *size >= 0 || diag_error(diag, cutting->size.text.span,
                                    "chunk %lld of %lld elements has a size below 0",
                                    (long long)values[CUTTING_CHUNK], (long long)n);
}

bool chunk_sizes_find(Arena *arena, const Instance *instance, int64_t chunks, const int64_t **sizes,
                      Diag *diag)
{
    const Cutting *cutting = algorithm_cutting(instance->algorithm);
    const bool is_exact = instance->sizes.elements > 0;
    const bool is_free = instance->algorithm->free_chunks;
    Pieces pieces;
    *sizes = NULL;
    if (!cutting->size.program && (!is_exact || !cutting->segments))
        return true;
    if (!pieces_find(instance, &pieces, diag))
        return false;
    /* Where other stages cut blocks, the chunks are those of each cut. */
    const int64_t cuts = pieces.has_own_chunks ? 1 : pieces.cuts, own = chunks / cuts;
    const int64_t all = is_exact ? instance->sizes.elements : chunks;
    int64_t *found = ARENA_ROOM(arena, int64_t, (size_t)chunks);
    bool alike = !is_exact;
    for (int64_t cut = 0; cut < cuts; cut++) {
        const int64_t n = all / cuts + (cut < all % cuts);
        int64_t sum = 0, segment = is_exact ? instance->sizes.segment : 0;
        if (!segment)
            segment = is_free ? (n + own - 1) / own : n;
        for (int64_t c = 0; c < own; c++) {
            const int64_t values[CUTTING_SLOTS] = {instance->p, instance->k, n, segment, c};
            int64_t *size = &found[cut * own + c];
            if (!run(cutting, values, size, diag))
                return false;
            sum += *size;
            alike &= *size == 1;
        }
        if (sum != n)
            return diag_error(diag, cutting->size.text.span,
                              "the chunks of %lld elements have %lld of them together",
                              (long long)n, (long long)sum);
    }
    *sizes = alike ? NULL : found;
    return true;
}
