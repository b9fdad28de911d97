#include "cost/derive_products.h"

bool products_start(Arena *arena, const Instance *instance, const BlockSpace *space,
                    const Weights *weights, int64_t chunks, ProductCosts *costs, Diag *diag)
{
    const int64_t *sizes = NULL;
    *costs = (ProductCosts){0};
    if (!space->problem && !chunk_sizes_find(arena, instance, chunks, &sizes, diag))
        return false;
    if (weights || sizes) {
        /* Copies of the main array weigh what it weighs. Without sizes each chunk weighs as much as
           its block, in units of m over the number of chunks. */
        int64_t *elements = ARENA_ROOM(arena, int64_t, (size_t)space->count);
        for (int64_t b = 0; b < space->count; b++)
            elements[b] = (weights ? weights->values[b / chunks % weights->count] : 1) *
                          (sizes ? sizes[b % chunks] : 1);
        costs->elements = elements;
    }
    if (!space->problem)
        return true;
    costs->by_rank = ARENA_ARRAY(arena, int64_t, (size_t)instance->p);
    if (!extents_find(arena, space, instance->sizes.order, &costs->extents, diag))
        return false;
    costs->elements = costs->extents.elements;
    return true;
}

int64_t products_size(const ProductCosts *costs, const Round *round,
                      const ScheduledTransfer *transfer)
{
    int64_t size = 0;
    if (!costs->elements)
        return (int64_t)transfer->block_count;
    for (size_t i = 0; i < transfer->block_count; i++)
        size += costs->elements[round->blocks[transfer->first_block + i]];
    return size;
}

static bool report(Span span, Diag *diag)
{
    return diag_limit(diag, span, "too many elements move, or are multiplied, to be counted");
}

/* Ranks multiply at the same time: a round takes as long as its busiest one. */
bool products_count(ProductCosts *costs, const Round *round, Diag *diag)
{
    if (!costs->elements)
        return true;
    costs->busiest = 0;
    for (size_t i = 0; i < round->product_count; i++)
        costs->by_rank[round->products[i].rank] = 0;
    for (size_t i = 0; i < round->product_count; i++) {
        const ScheduledProduct *product = &round->products[i];
        int64_t work = extents_work(&costs->extents, product);
        int64_t *of_rank = &costs->by_rank[product->rank];
        if (__builtin_add_overflow(costs->all_work, work, &costs->all_work))
            return report(*product->span, diag);
        *of_rank += work;
        costs->busiest = *of_rank > costs->busiest ? *of_rank : costs->busiest;
    }
    costs->work += costs->busiest;
    /* A block has 2^40 elements at most and a round 2^24 blocks, so that sums need care. */
    for (size_t t = 0; t < round->count; t++)
        for (size_t i = 0; i < round->transfers[t].block_count; i++) {
            int64_t block = round->blocks[round->transfers[t].first_block + i];
            if (__builtin_add_overflow(costs->sent, costs->elements[block], &costs->sent))
                return report(*round->transfers[t].span, diag);
        }
    return true;
}
