#include "cost/derive_step.h"

#include <stdlib.h>

int context_lowest_level(const LoadContext *context)
{
    int lowest = context->link_costs[0].level;
    for (size_t c = 1; c < context->network->class_count; c++)
        if (context->link_costs[c].level < lowest)
            lowest = context->link_costs[c].level;
    return lowest;
}

void link_cost_weigh(const LinkCost *link_cost, BytePrice *price)
{
    const double tw = link_cost->values[PARAMETER_TW];
    double *most = link_cost->varied[PARAMETER_TW] ? &price->varied_rate : &price->rate;
    if (link_cost->listed[PARAMETER_TW])
        price->listed |= (uint64_t)1 << link_cost->list;
    else if (!link_cost->own[PARAMETER_TW])
        price->listed |= 1;
    else if (tw > *most)
        *most = tw;
}

int path_compare_loads(const PathCost *a, const PathCost *b)
{
    __int128 left = (__int128)a->load * b->lanes, right = (__int128)b->load * a->lanes;
    return (left > right) - (left < right);
}

static int compare_doubles(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_whole(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* The greatest first. */
int paths_compare(const void *a, const void *b)
{
    const PathCost *left = b, *right = a;
    const double left_exchange = left->exchange ? left->exchange->seconds : -1,
                 right_exchange = right->exchange ? right->exchange->seconds : -1;
    int order = compare_whole(left->startups, right->startups);
    (void)(order || (order = compare_doubles(left->startup, right->startup)) ||
           (order = compare_whole(left->hops, right->hops)) ||
           (order = compare_doubles(left->hop, right->hop)) ||
           (order = path_compare_loads(left, right)) ||
           (order = compare_doubles(left->rate, right->rate)) ||
           (order = compare_doubles(left_exchange, right_exchange)) ||
           (order = (left->exchange > right->exchange) - (left->exchange < right->exchange)) ||
           (order = compare_doubles(left->varied, right->varied)) ||
           (order = compare_doubles(left->varied_rate, right->varied_rate)) ||
           (order = choices_compare(&left->choice, &right->choice)) ||
           (order = compare_whole(left->list_startups, right->list_startups)) ||
           (order = compare_whole(left->priced, right->priced)) ||
           (order = compare_whole(left->counts, right->counts)));
    for (int x = 0; x < COUNTED_DELAYS && !order; x++)
        order = compare_whole(left->posts[x], right->posts[x]);
    return order ? order : shares_compare(left->shares, right->shares);
}

/* Is a path as slow as another in every part? A longer message can have a faster protocol: only
   those of one size are compared. */
static bool path_exceeds(const PathCost *a, const PathCost *b)
{
    bool exceeds = a->choice.message == b->choice.message && a->priced == b->priced &&
                   (a->counts == COUNTS_ALWAYS || a->counts == b->counts) &&
                   a->list_startups == b->list_startups && a->startups >= b->startups &&
                   a->startup >= b->startup && a->hops >= b->hops && a->hop >= b->hop &&
                   a->rate >= b->rate && (a->exchange == b->exchange || !b->exchange) &&
                   a->varied >= b->varied && a->varied_rate >= b->varied_rate &&
                   path_compare_loads(a, b) >= 0;
    for (int x = 0; x < COUNTED_DELAYS && exceeds; x++)
        exceeds = a->posts[x] >= b->posts[x];
    return exceeds && choices_compare(&a->choice, &b->choice) == 0 &&
           (a->shares == b->shares || shares_compare(a->shares, b->shares) == 0);
}

bool paths_exceed(const PathCost *paths, size_t count, const PathCost *path)
{
    while (count > 0 && !path_exceeds(&paths[count - 1], path))
        count--;
    return count > 0;
}

bool overlaps_same(const Overlap *a, const Overlap *b)
{
    for (; a && b && a != b; a = a->before, b = b->before) {
        if (a->path_count != b->path_count || a->begin.path_count != b->begin.path_count ||
            a->begin.combined != b->begin.combined)
            return false;
        for (size_t i = 0; i < a->path_count; i++)
            if (paths_compare(&a->paths[i], &b->paths[i]) != 0)
                return false;
    }
    return a == b;
}

size_t paths_keep_slowest(PathCost *paths, size_t count)
{
    size_t kept = 0;
    if (count > 1)
        qsort(paths, count, sizeof *paths, paths_compare);
    for (size_t i = 0; i < count; i++)
        if (!paths_exceed(paths, kept, &paths[i]))
            paths[kept++] = paths[i];
    return kept;
}

void paths_push_slower(Arena *arena, PathList *list, const PathCost *path)
{
    if (list->count > 0 && path_exceeds(&list->items[list->count - 1], path))
        return;
    if (list->count == list->capacity) { /* before it grows: most are faster than others */
        list->count = paths_keep_slowest(list->items, list->count);
        ARRAY_RESERVE(arena, list, list->count + 1);
    }
    *ARRAY_PUSH(arena, list) = *path;
}

void port_step_enter(PortStep *step, PathList *list)
{
    PathRange *entry = &step->entries[step->entry_count++];
    list->count = paths_keep_slowest(list->items, list->count);
    *entry = (PathRange){step->path_count, list->count};
    for (size_t i = 0; i < list->count; i++)
        step->entry_paths[step->path_count++] = list->items[i];
    list->count = 0;
}
