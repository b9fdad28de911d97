#include "verify/gpu_values.h"

static const GpuValue *create(Arena *arena, int32_t depth, int32_t count, const GpuTerm *terms)
{
    GpuValue *value = ARENA_NEW(arena, GpuValue);
    *value = (GpuValue){depth, count, terms};
    return value;
}

const GpuValue *gpu_value_input(Arena *arena, int32_t rank, int32_t chunk)
{
    GpuTerm *term = ARENA_NEW(arena, GpuTerm);
    *term = (GpuTerm){rank, chunk, 1};
    return create(arena, 0, 1, term);
}

const GpuValue *gpu_value_held(Arena *arena, const GpuSum *sum)
{
    return create(arena, 0, sum->count, sum->terms);
}

static int64_t key_of(const GpuTerm *term)
{
    return (int64_t)term->rank * MOST_GPU_CHUNKS + term->chunk;
}

const GpuValue *gpu_value_sum(Arena *arena, const GpuValue *a, const GpuValue *b)
{
    GpuTerm *terms = ARENA_ROOM(arena, GpuTerm, (size_t)a->count + (size_t)b->count);
    int32_t count = 0, i = 0, j = 0;
    while (i < a->count || j < b->count) {
        const bool takes_a =
            j == b->count || (i < a->count && key_of(&a->terms[i]) <= key_of(&b->terms[j]));
        const bool takes_b =
            i == a->count || (j < b->count && key_of(&b->terms[j]) <= key_of(&a->terms[i]));
        GpuTerm term = takes_a ? a->terms[i] : b->terms[j];
        if (takes_a && takes_b && term.times < INT32_MAX - b->terms[j].times)
            term.times += b->terms[j].times;
        terms[count++] = term;
        i += takes_a, j += takes_b;
    }
    return create(arena, a->depth > b->depth ? a->depth : b->depth, count, terms);
}

const GpuValue *gpu_value_sent(Arena *arena, const GpuValue *value)
{
    return create(arena, value->depth + 1, value->count, value->terms);
}

const char *gpu_value_differs(Arena *arena, const GpuValue *value, int32_t from, int32_t to,
                              int32_t chunk)
{
    int32_t rank = from;
    if (!value)
        return "nothing was written there";
    for (int32_t i = 0; i < value->count; i++) {
        const GpuTerm *term = &value->terms[i];
        if (term->chunk != chunk || term->rank < from || term->rank > to)
            return arena_printf(arena, "it has input chunk %d of rank %d", term->chunk, term->rank);
        if (term->rank > rank)
            break;
        if (term->times > 1)
            return arena_printf(arena, "input chunk %d of rank %d is in it %d times", chunk, rank,
                                term->times);
        rank++;
    }
    return rank > to ? NULL
                     : arena_printf(arena, "input chunk %d of rank %d is missing", chunk, rank);
}

const char *gpu_value_differs_from(Arena *arena, const GpuValue *value, const GpuSum *sum)
{
    if (!value)
        return "nothing was written there";
    for (int32_t i = 0, j = 0; i < value->count || j < sum->count; i++, j++) {
        const GpuTerm *found = i < value->count ? &value->terms[i] : NULL;
        const GpuTerm *asked = j < sum->count ? &sum->terms[j] : NULL;
        if (!found || (asked && key_of(asked) < key_of(found)))
            return arena_printf(arena, "input chunk %d of rank %d is missing", asked->chunk,
                                asked->rank);
        if (!asked || key_of(found) < key_of(asked))
            return arena_printf(arena, "it has input chunk %d of rank %d", found->chunk,
                                found->rank);
        if (found->times != asked->times)
            return arena_printf(arena, "input chunk %d of rank %d is in it %d times", found->chunk,
                                found->rank, found->times);
    }
    return NULL;
}
