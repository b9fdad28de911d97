#include "cli/candidates.h"

/* Can the curve answer at all? Small messages are cut least, and ask for the shortest schedule. */
static bool probe(Curve *curve, Diag *diag)
{
    CurvePoint point;
    return curve_at(curve, 1, 1, &point, diag);
}

static bool is_named(const Query *query, const Algorithm *only)
{
    return only || option_given(query->line, OPTION_AMONG);
}

/* Is it kept? A fault that is none of size is reported, and *good is false. */
static bool try_one(const Query *query, const Algorithm *algorithm, bool named, Curve *curve,
                    bool *good)
{
    Diag silent = diag_silent();
    if (probe(curve, &silent))
        return true;
    if (!named && silent.limit_count == silent.error_count) {
        diag_warning(query->diag, NOWHERE, "%s is left out: it is too large to be followed here",
                     algorithm_full_name(query->arena, algorithm));
        return false;
    }
    *good = probe(curve, query->diag);
    return *good;
}

bool candidates_open(const Query *query, const Collective *collective, const Algorithm *only,
                     const Network *network, Candidates *candidates)
{
    AlgorithmArray all = {0};
    bool good = true;
    *candidates = (Candidates){0};
    if (!query_algorithms(query, collective, only, network, &all))
        return false;
    candidates->curves = ARENA_ARRAY(query->arena, Curve *, all.count);
    for (size_t i = 0; i < all.count && good; i++) {
        const Algorithm *algorithm = all.items[i];
        Curve *curve = curve_create(query->arena, algorithm, network, query->root, query->target,
                                    &query->rules, query->k, query->diag);
        if (!curve)
            return false;
        if (!try_one(query, algorithm, is_named(query, only), curve, &good))
            continue;
        candidates->curves[candidates->algorithms.count] = curve;
        *ARRAY_PUSH(query->arena, &candidates->algorithms) = algorithm;
    }
    if (good && candidates->algorithms.count == 0)
        diag_error(query->diag, NOWHERE, "all algorithms are too large to be followed here");
    return good && candidates->algorithms.count > 0;
}
