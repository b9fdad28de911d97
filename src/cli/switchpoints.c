#include "cli/switchpoints.h"

/* "No end": beyond any message, and the last power of two to which all whole sizes are exact. */
static const double largest_size = 0x1p53;

bool switchpoints_find(const Query *query, const Candidates *candidates, SwitchPoints *points)
{
    double from = 1, to = largest_size;
    *points = (SwitchPoints){.curves = candidates->curves,
                             .count = candidates->algorithms.count,
                             .is_open = query->sizes.count == 0};
    if (!points->is_open) {
        from = query->sizes.items[0];
        to = query->sizes.items[query->sizes.count - 1];
    }
    return envelope_find(query->arena, points->curves, points->count, from, to, &points->pieces,
                         query->diag);
}
