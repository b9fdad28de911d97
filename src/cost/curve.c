#include "cost/curve.h"

#include <math.h>

/* A bound decides only where it is so much above a time: both are rounded. */
static const double clearly = 1e-9;

/* Bounds are held against the lines of others over ranges of sizes that grow by this factor. */
#define STEP_OF_SIZES 16

/* One number of branches, or the only one. */
typedef struct {
    ChunkCurve *curve, *bound; /* the bound is nowhere above the curve; NULL: there is none */
    bool is_tried;             /* whether it is too large */
    bool is_too_large;         /* to be derived, */
    bool has_warned;           /* of which somebody was told */
    bool is_asked;             /* for its time at the size at hand */
    double least;              /* which is not less */
    double seconds;            /* at the size at hand; infinite: not asked */
} Alternative;

struct Curve {
    Arena *arena;
    const Algorithm *algorithm;
    Alternative *items;
    size_t count; /* at least one */
};

static Curve *create(Arena *arena, const CurveSubject *asked, const FreeChoice *chosen,
                     bool is_least, Diag *diag)
{
    Curve *curve = ARENA_NEW(arena, Curve);
    const Algorithm *algorithm = asked->algorithm;
    const Network *network = asked->network;
    const Rules *rules = asked->rules;
    CurveSubject of = *asked;
    IntArray tried = {0};
    of.point = claim_point(&network->shape, asked->point.root, 1, rules_ports(rules, network));
    of.point.target = asked->point.target;
    if (algorithm->free_chunks && !chosen->k && chosen->segment > 0 && rules->weights) {
        diag_refuse(diag, NOWHERE, "segments of unequal blocks have no cost here");
        return NULL;
    }
    if (!contract_buffer_blocks(algorithm->collective, network->p, &of.point.buffer_blocks, diag))
        return NULL;
    Instance instance = curve_instance(&of, algorithm->free_chunks && chosen->k ? chosen->k : 1);
    instance.branches = chosen->branches[algorithm->branching];
    if (algorithm->branching && !instance.branches)
        branches_list(arena, &instance, &tried);
    if (!tried.count)
        *ARRAY_PUSH(arena, &tried) = branches_of(&instance);
    *curve = (Curve){arena, algorithm, ARENA_ARRAY(arena, Alternative, tried.count), tried.count};
    for (size_t i = 0; i < tried.count; i++) {
        of.point.branches = tried.items[i];
        curve->items[i].curve =
            chunk_curve_create(arena, &of, chosen, (int64_t)tried.count, is_least);
    }
    return curve;
}

Curve *curve_create(Arena *arena, const CurveSubject *of, const FreeChoice *chosen, Diag *diag)
{
    return create(arena, of, chosen, false, diag);
}

Curve *curve_create_least(Arena *arena, const CurveSubject *of, const FreeChoice *chosen,
                          Diag *diag)
{
    Curve *curve = create(arena, of, chosen, true, diag);
    return curve && curve_is_closed(curve) ? curve : NULL;
}

void curve_share(Curve *curve, PortStepMemo *memo)
{
    for (size_t i = 0; i < curve->count; i++)
        chunk_curve_share(curve->items[i].curve, memo);
}

static bool tries_the_same(const Curve *curve, const Curve *other)
{
    bool fits = curve->count == other->count;
    for (size_t i = 0; i < curve->count && fits; i++)
        fits = chunk_curve_branches(curve->items[i].curve) ==
               chunk_curve_branches(other->items[i].curve);
    return fits;
}

void curve_take_profiles(Curve *curve, const Curve *other)
{
    const size_t count = tries_the_same(curve, other) ? curve->count : 0;
    for (size_t i = 0; i < count; i++)
        chunk_curve_take_profiles(curve->items[i].curve, other->items[i].curve);
}

void curve_bound(Curve *curve, const Curve *bound)
{
    const size_t count = tries_the_same(curve, bound) ? curve->count : 0;
    for (size_t i = 0; i < count; i++)
        curve->items[i].bound = bound->items[i].curve;
}

Workspace *curve_workspace(const Curve *curve)
{
    return arena_workspace(curve->arena);
}

const Algorithm *curve_algorithm(const Curve *curve)
{
    return curve->algorithm;
}

void curve_list_branches(const Curve *curve, Arena *arena, IntArray *tried)
{
    for (size_t i = 0; i < curve->count && curve->count > 1; i++)
        if (!curve->items[i].is_too_large)
            *ARRAY_PUSH(arena, tried) = chunk_curve_branches(curve->items[i].curve);
}

ChunkCurve *curve_alternative(Curve *curve, size_t which)
{
    return which < curve->count ? curve->items[which].curve : NULL;
}

static ChunkCurve *find_alternative(const Curve *curve, int64_t branches)
{
    for (size_t i = 0; i < curve->count; i++)
        if (chunk_curve_branches(curve->items[i].curve) == branches)
            return curve->items[i].curve;
    return curve->items[0].curve;
}

const ClosedForm *curve_closed(const Curve *curve, int64_t branches)
{
    return chunk_curve_closed(find_alternative(curve, branches));
}

bool curve_is_closed(const Curve *curve)
{
    bool all = true;
    for (size_t i = 0; i < curve->count; i++)
        all &= chunk_curve_closed(curve->items[i].curve) != NULL;
    return all;
}

bool curve_is_free(const Curve *curve)
{
    return chunk_curve_is_free(curve->items[0].curve);
}

int64_t curve_largest_chunks(const Curve *curve)
{
    int64_t largest = 1;
    for (size_t i = 0; i < curve->count; i++) {
        const int64_t other = chunk_curve_largest_chunks(curve->items[i].curve);
        largest = other > largest ? other : largest;
    }
    return largest;
}

bool curve_follows_each(Curve *curve, double bytes)
{
    size_t i = 0;
    while (i < curve->count && !chunk_curve_follows_each(curve->items[i].curve, bytes))
        i++;
    return i < curve->count;
}

bool curve_may_rise_and_fall(const Curve *curve)
{
    return chunk_curve_may_rise_and_fall(curve->items[0].curve);
}

/* ### The best of several */

static bool find_least(const Alternative *item, double bytes, int64_t most_chunks, double *seconds,
                       Diag *diag)
{
    *seconds = 0;
    return !item->bound || chunk_curve_seconds(item->bound, bytes, most_chunks, seconds, diag);
}

static bool is_left_out(Alternative *item)
{
    if (!item->is_tried)
        item->is_too_large = chunk_curve_is_too_large(item->curve);
    item->is_tried = true;
    return item->is_too_large;
}

/* Each of those that are left out is told of once. */
static void tell_left_out(const Curve *curve, Diag *diag)
{
    const Algorithm *algorithm = curve->algorithm;
    for (size_t i = 0; i < curve->count && diag_hears_warnings(diag); i++) {
        Alternative *item = &curve->items[i];
        if (!item->is_too_large || item->has_warned)
            continue;
        item->has_warned = true;
        diag_warning(
            diag, NOWHERE, "%s is not tried with %s %lld: its schedule is too large to expand",
            algorithm_full_name(curve->arena, algorithm), branching_names[algorithm->branching],
            (long long)chunk_curve_branches(item->curve));
    }
}

/* The one to be asked next: that of the least bound. NULL: none may be faster than `seconds`. */
static Alternative *find_next(const Curve *curve, double seconds)
{
    Alternative *next = NULL;
    for (size_t i = 0; i < curve->count; i++) {
        Alternative *item = &curve->items[i];
        const bool may_win = !item->is_asked && item->least <= seconds * (1 + clearly);
        if (may_win && (!next || item->least < next->least))
            next = item;
    }
    return next;
}

/* The one that is the fastest at this size, or the only one, which is not asked for its time; where
   all are too large the first, which reports that. NULL after a report. */
static Alternative *find_best(Curve *curve, double bytes, int64_t most_chunks, Diag *diag)
{
    double seconds = INFINITY;
    Alternative *next, *best = curve->items;
    for (size_t i = 0; i < curve->count; i++) {
        curve->items[i].is_asked = false;
        curve->items[i].seconds = INFINITY;
        if (curve->count > 1 &&
            !find_least(&curve->items[i], bytes, most_chunks, &curve->items[i].least, diag))
            return NULL;
    }
    while (curve->count > 1 && (next = find_next(curve, seconds))) {
        next->is_asked = true;
        if (is_left_out(next))
            continue;
        if (!chunk_curve_seconds(next->curve, bytes, most_chunks, &next->seconds, diag))
            return NULL;
        seconds = fmin(seconds, next->seconds);
    }
    if (seconds == INFINITY)
        return best;
    CurvePoint lowest, point;
    size_t tied = 0;
    for (size_t i = 0; i < curve->count; i++) {
        Alternative *item = &curve->items[i];
        if (!(item->seconds <= seconds * (1 + tie_tolerance)))
            continue;
        if (tied++ > 0 && (!chunk_curve_line(best->curve, bytes, most_chunks, &lowest, diag) ||
                           !chunk_curve_line(item->curve, bytes, most_chunks, &point, diag)))
            return NULL;
        if (tied == 1 || curve_point_is_under(&point, &lowest))
            best = item;
    }
    tell_left_out(curve, diag);
    return best;
}

bool curve_at(Curve *curve, double bytes, int64_t most_chunks, CurvePoint *point, Diag *diag)
{
    const Alternative *best = find_best(curve, bytes, most_chunks, diag);
    return best && chunk_curve_at(best->curve, bytes, most_chunks, point, diag);
}

bool curve_line(Curve *curve, double bytes, int64_t most_chunks, CurvePoint *point, Diag *diag)
{
    const Alternative *best = find_best(curve, bytes, most_chunks, diag);
    return best && chunk_curve_line(best->curve, bytes, most_chunks, point, diag);
}

bool curve_seconds(Curve *curve, double bytes, int64_t most_chunks, double *seconds, Diag *diag)
{
    const Alternative *best = find_best(curve, bytes, most_chunks, diag);
    if (best && best->seconds < INFINITY)
        *seconds = best->seconds;
    return best && (best->seconds < INFINITY ||
                    chunk_curve_seconds(best->curve, bytes, most_chunks, seconds, diag));
}

bool curve_cost(Curve *curve, double bytes, CurveCost *cost, Diag *diag)
{
    const Alternative *best = find_best(curve, bytes, curve_most_chunks(bytes), diag);
    return best && chunk_curve_cost(best->curve, bytes, cost, diag);
}

bool curve_total(Curve *curve, int64_t k, int64_t branches, double bytes, double *total, Diag *diag)
{
    return chunk_curve_total(find_alternative(curve, branches), k, bytes, total, diag);
}

/* ### Bends */

/* Between which sizes an alternative may be the best. */
typedef struct {
    double from, to;
} Shown;

/* Whether one may be the best between two sizes: with a fixed number of chunks a time is bent
   upwards, and a bound downwards, so that what is below a bound at both ends is so between them. */
static bool show_between(Curve *curve, double from, double to, Shown *shown, Diag *diag)
{
    const int64_t most = curve_most_chunks(from);
    const Alternative *best = find_best(curve, from, most, diag);
    CurvePoint point;
    double start, end, at_start, at_end;
    if (!best || !chunk_curve_seconds(best->curve, from, most, &start, diag) ||
        !chunk_curve_at(best->curve, from, most, &point, diag) ||
        !chunk_curve_total(best->curve, (int64_t)point.k, to, &end, diag))
        return false;
    for (size_t i = 0; i < curve->count; i++) {
        if (!find_least(&curve->items[i], from, most, &at_start, diag) ||
            !find_least(&curve->items[i], to, curve_most_chunks(to), &at_end, diag))
            return false;
        if (at_start > start * (1 + clearly) && at_end > end * (1 + clearly))
            continue;
        shown[i].from = fmin(shown[i].from, from);
        shown[i].to = fmax(shown[i].to, to);
    }
    return true;
}

bool curve_bends(Curve *curve, const BendList *list)
{
    double to = list->to;
    Shown *shown = ARENA_ARRAY(list->arena, Shown, curve->count);
    for (size_t i = 0; i < curve->count; i++)
        shown[i] = curve->items[i].bound ? (Shown){to, list->from} : (Shown){list->from, to};
    for (double low = list->from, high; curve->items[0].bound && low < to; low = high) {
        high = fmin(to, fmax(1, STEP_OF_SIZES * low));
        if (!show_between(curve, low, high, shown, list->diag))
            return false;
    }
    for (size_t i = 0; i < curve->count; i++) {
        const BendList within = {shown[i].from, shown[i].to, list->arena, list->sizes, list->diag};
        const bool is_shown =
            shown[i].from < shown[i].to && (curve->count == 1 || !is_left_out(&curve->items[i]));
        if (is_shown && !chunk_curve_bends(curve->items[i].curve, &within))
            return false;
    }
    return true;
}
