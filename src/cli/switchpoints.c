#include "cli/switchpoints.h"

/* "No end": beyond any message, and the last power of two to which all whole sizes are exact. */
static const double largest_size = 0x1p53;

bool switchpoints_find(const Query *query, const AlgorithmArray *algorithms, const Network *network,
                       Curve **curves, SwitchPoints *points)
{
    double from = 1, to = largest_size;
    *points = (SwitchPoints){.count = algorithms->count, .is_open = query->sizes.count == 0};
    points->curves = curves ? curves : ARENA_ARRAY(query->arena, Curve *, algorithms->count);
    for (size_t i = 0; i < algorithms->count && !curves; i++) {
        points->curves[i] = curve_create(query->arena, algorithms->items[i], network, query->root,
                                         query->target, &query->rules, query->k, query->diag);
        if (!points->curves[i])
            return false;
    }
    if (!points->is_open) {
        from = query->sizes.items[0];
        to = query->sizes.items[query->sizes.count - 1];
    }
    return envelope_find(query->arena, points->curves, points->count, from, to, &points->pieces,
                         query->diag);
}
