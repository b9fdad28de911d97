#include "study/switch_points.h"

/* How far a candidate is within a tolerance is known of those alone that are followed. */
static bool find(Case *opened, SwitchPoints *points)
{
    const Study *study = &opened->study;
    Candidates *candidates = &opened->candidates;
    if (!followed_drop_losers(study, candidates) ||
        (points->tolerance >= 0 && !followed_finish(study, candidates)) ||
        !followed_envelope(study, candidates, points->from, points->to, &points->pieces))
        return false;
    points->shown = points->pieces;
    if (points->tolerance < 0)
        return true;
    points->shown = (PieceArray){0};
    return margin_merge(study->arena, candidates->curves, candidates->algorithms.count,
                        &points->pieces, points->tolerance, &points->shown, study->diag);
}

const SwitchPoints *switch_points_find(Case *opened, double from, double to, double tolerance)
{
    const SwitchPoints *last = opened->found_points;
    if (last && last->from == from && last->to == to && last->tolerance == tolerance)
        return last;
    SwitchPoints *points = ARENA_NEW(opened->study.arena, SwitchPoints);
    *points = (SwitchPoints){.from = from, .to = to, .tolerance = tolerance};
    if (!find(opened, points))
        return NULL;
    opened->found_points = points;
    return points;
}

bool switch_points_check(const Case *opened, const SwitchPoints *points)
{
    bool right = true;
    for (size_t i = 0; i < points->shown.count; i++) {
        const Piece *piece = &points->shown.items[i];
        right &= case_check(opened, piece->curve, piece->start.k, piece->start.branches,
                            piece->from, CHECK_EACH) != COST_WRONG;
    }
    return right;
}

static collcost_piece begin_piece(const Case *opened, const Piece *piece)
{
    const Algorithm *algorithm = case_algorithm(opened, piece->curve);
    return (collcost_piece){
        .from_bytes = piece->from,
        .to_bytes = piece->to,
        .algorithm = algorithm->head.name,
        .has_chunks = algorithm->free_chunks,
        .from_k = piece->start.k,
        .branches = study_branches(algorithm, piece->start.branches),
        .total_at_from_s = piece->start.total,
        .stages = algorithm->composed,
    };
}

static bool add_details(Case *opened, const SwitchPoints *points, const Piece *piece,
                        collcost_piece *filled)
{
    const Study *study = &opened->study;
    Curve *const *curves = opened->candidates.curves;
    PieceDetails details;
    Margin excess = {0};
    if (!followed_details(study, &opened->candidates, piece, &details) ||
        (points->tolerance >= 0 && !margin_to_pieces(curves, &points->pieces, piece->curve,
                                                     piece->from, piece->to, &excess, study->diag)))
        return false;
    filled->to_k = details.end.k;
    filled->to_branches = details.end.branches;
    filled->total_at_to_s = details.end.total;
    filled->tied = details.tied;
    filled->tied_count = details.tied_count;
    filled->slower_by = excess.loss;
    if (details.second_name) {
        filled->second = details.second_name;
        filled->second_slower_by = details.second.loss;
        filled->second_slower_at_bytes = details.second.at;
    }
    return true;
}

const collcost_piece *switch_points_list(Case *opened, const SwitchPoints *points,
                                         bool wants_details)
{
    size_t count = points->shown.count;
    collcost_piece *list = ARENA_ARRAY(opened->study.arena, collcost_piece, count + 1);
    for (size_t i = 0; i < count; i++) {
        const Piece *piece = &points->shown.items[i];
        list[i] = begin_piece(opened, piece);
        if (wants_details && !add_details(opened, points, piece, &list[i]))
            return NULL;
    }
    return list;
}
