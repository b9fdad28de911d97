#include "scale/scale.h"

#include "sched/extents.h"

/* Of one rank in each round. */
ARRAY_TYPE(ProductArray, ScheduledProduct);

struct LeastTime {
    Arena *arena;
    const ScaleCase *scale;
    double most;
    bool is_known;
    int64_t rounds;
    BlockSpace space;
    IntArray sent; /* blocks */
    ProductArray products;
};

/* The message of the most blocks: others may have more elements, but none is needed. */
static void keep_message(LeastTime *least, const Round *round)
{
    const ScheduledTransfer *longest = NULL;
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        if (!transfer_is_local(transfer) &&
            (!longest || transfer->block_count > longest->block_count))
            longest = transfer;
    }
    for (size_t b = 0; longest && b < longest->block_count; b++)
        *ARRAY_PUSH(least->arena, &least->sent) = round->blocks[longest->first_block + b];
}

static double startups(const LeastTime *least)
{
    return (double)least->rounds * least->scale->rules->parameters[PARAMETER_TS];
}

static bool take_round(void *context, const Round *round, Arena *arena)
{
    LeastTime *least = context;
    (void)arena;
    least->rounds = round->number + 1;
    keep_message(least, round);
    /* Of the rank that comes first. */
    for (size_t i = 0; i < round->product_count; i++)
        if (round->products[i].rank == round->products[0].rank)
            *ARRAY_PUSH(least->arena, &least->products) = round->products[i];
    return startups(least) <= least->most;
}

/* Does each message cost at least a startup and its bytes, whatever else there is? */
static bool costs_alone(const ScaleCase *scale)
{
    const Rules *rules = scale->rules;
    return rules_are_usual(rules) && !rules->protocols && rules->level_count == 0 &&
           scale->network->class_count == 1 && !rules_post_some_together(rules, scale->algorithm);
}

LeastTime *least_time_open(Arena *arena, const ScaleCase *scale, double most)
{
    LeastTime *least = ARENA_NEW(arena, LeastTime);
    const Instance instance = scale_instance(scale, scale->network->p);
    Diag silent = diag_silent();
    *least = (LeastTime){.arena = arena, .scale = scale, .most = most};
    if (!costs_alone(scale) || !schedule_blocks(&instance, &least->space, &silent))
        return least;
    const bool is_whole = store_expand(&instance, take_round, least, &silent);
    least->is_known = is_whole || startups(least) > most;
    return least;
}

double least_time_seconds(const LeastTime *least, int64_t n)
{
    const double *parameters = least->scale->rules->parameters;
    Extents extents;
    double sent = 0, work = 0;
    if (!least->is_known || !extents_try(&least->space, n, &extents))
        return 0;
    for (size_t i = 0; i < least->sent.count; i++)
        sent += (double)extents_elements(&extents, least->sent.items[i]);
    for (size_t i = 0; i < least->products.count; i++)
        work += (double)extents_work(&extents, &least->products.items[i]);
    return startups(least) + sent * least->scale->element * parameters[PARAMETER_TW] +
           work * least->scale->multiply;
}
