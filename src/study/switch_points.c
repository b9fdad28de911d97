#include "study/switch_points.h"

#include "choose/margin.h"

bool switch_points_find(const Case *opened, double from, double to, double tolerance,
                        SwitchPoints *points)
{
    const Study *study = &opened->study;
    Curve *const *curves = opened->candidates.curves;
    size_t count = opened->candidates.algorithms.count;
    *points = (SwitchPoints){0};
    if (!envelope_find(study->arena, curves, count, from, to, &points->pieces, study->diag))
        return false;
    points->shown = points->pieces;
    if (tolerance < 0)
        return true;
    points->shown = (PieceArray){0};
    return margin_merge(study->arena, curves, count, &points->pieces, tolerance, &points->shown,
                        study->diag);
}

bool switch_points_check(const Case *opened, const SwitchPoints *points)
{
    bool right = true;
    for (size_t i = 0; i < points->shown.count; i++) {
        const Piece *piece = &points->shown.items[i];
        right &= case_check(opened, piece->curve, piece->start.k, piece->from) != COST_WRONG;
    }
    return right;
}
