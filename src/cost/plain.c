#include "cost/plain.h"

#include "base/whole.h"
#include "cost/journey.h"

bool links_are_plain(const LoadContext *context)
{
    bool plain = !context->rules->protocols && !context->node_capacities;
    for (size_t i = 0; i < context->network->class_count; i++) {
        const LinkCost *link_cost = &context->link_costs[i];
        plain &= link_cost->lanes == 1;
        for (int x = 0; x < PARAMETER_COUNT; x++)
            plain &= !link_cost->own[x] && !link_cost->varied[x];
    }
    return plain;
}

void plain_push(Arena *scratch, PlainList *list, const PlainCost *cost)
{
    if (list->count && plain_exceeds(&list->items[list->count - 1], cost))
        return;
    while (list->count && plain_exceeds(cost, &list->items[list->count - 1]))
        list->count--;
    *ARRAY_PUSH(scratch, list) = *cost;
}

void plain_keep_highest(PlainList *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        bool exceeded = false;
        for (size_t j = 0; j < list->count && !exceeded; j++)
            exceeded = j != i && plain_exceeds(&list->items[j], &list->items[i]) &&
                       (j < i || !plain_exceeds(&list->items[i], &list->items[j]));
        if (!exceeded)
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

PlainList plain_join(Arena *scratch, const PlainList *some, const PlainList *others)
{
    PlainList joined = {0};
    for (size_t i = 0; i < some->count; i++)
        for (size_t j = 0; j < others->count; j++) {
            const PlainCost *a = &some->items[i], *b = &others->items[j];
            const PlainCost cost = {a->own,
                                    a->hops + b->hops,
                                    {whole_larger(a->most.blocks, b->most.blocks),
                                     whole_larger(a->most.messages, b->most.messages)}};
            plain_push(scratch, &joined, &cost);
        }
    plain_keep_highest(&joined);
    return joined;
}

bool plain_paths(const LoadContext *context, Arena *scratch, const PlainList *list, PathList *paths)
{
    bool good = true;
    for (size_t i = 0; i < list->count && good; i++) {
        const PlainCost *cost = &list->items[i];
        Journey journey = journey_begin(context, scratch, cost->own);
        PathCost crossing;
        for (size_t l = 0; l < cost->hops && good; l++)
            good = journey_cross(&journey, 0, &cost->most, &crossing);
        if (good)
            journey_end(&journey, scratch, paths);
    }
    return good;
}
