#include "cost/bent_line.h"

/* A bend belongs to the line that ends there. */
CostParts bent_line_at(const BentLine *line, double bytes)
{
    const SizeArray *bends = &line->bends;
    size_t low = 0, high = bends->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bends->items[middle] < bytes)
            low = middle + 1;
        else
            high = middle;
    }
    CostParts parts = line->parts[low];
    parts.transfer *= bytes;
    parts.compute *= bytes;
    return parts;
}

bool bent_line_find(Arena *arena, const Profile *profile, const double *parameters, BentLine *line,
                    Diag *diag)
{
    static const double largest = 0x1p70;
    const SizeArray *bends = &line->bends;
    if (!profile_bends(profile, parameters, 0, largest, arena, &line->bends, diag))
        return false;
    line->parts = ARENA_ROOM(arena, CostParts, bends->count + 1);
    for (size_t i = 0; i <= bends->count; i++) {
        double low = i > 0 ? bends->items[i - 1] : 0;
        double high = i < bends->count ? bends->items[i] : 2 * low + 1;
        double inside = low + (high - low) / 2;
        CostParts *parts = &line->parts[i];
        *parts = profile_cost(profile, parameters, inside);
        parts->transfer /= inside;
        parts->compute /= inside;
    }
    return true;
}

void bent_line_list(const BentLine *line, double from, double to, Arena *arena, SizeArray *sizes)
{
    for (size_t i = 0; i < line->bends.count; i++)
        if (line->bends.items[i] > from && line->bends.items[i] < to)
            *ARRAY_PUSH(arena, sizes) = line->bends.items[i];
}
