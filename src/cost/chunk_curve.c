#include "cost/chunk_curve.h"

#include "cost/chunk_times.h"
#include "cost/closed_chunks.h"

#include <math.h>

enum { MOST_FOLLOWED = 1 << 18 }; /* blocks moved, to see how many of them ranks hold */

/* Where not all numbers of chunks are tried, so many of the first are, and then steps of this part.
 */
enum { FIRST_TRIED = 12, STEP_OF_TRIED = 8 };

/* Behind one that takes so many times as long as the best so far, none is tried then. */
enum { MUCH_LONGER = 2 };

const double tie_tolerance = 1e-12;

bool curve_point_is_under(const CurvePoint *a, const CurvePoint *b)
{
    return fabs(a->slope - b->slope) <= tie_tolerance * b->slope &&
           a->intercept < b->intercept * (1 - tie_tolerance);
}

struct ChunkCurve {
    Arena *arena;
    CurveSubject of;
    int64_t fixed_k;      /* 0: free */
    double segment;       /* > 0: the number of chunks follows from it; fixed_k is 0 */
    Segments segments;    /* how it cuts into them */
    ChunkTimes times;     /* its closed form covers all k */
    ClosedChunks *chunks; /* of the closed form; NULL: not asked yet */
    bool has_warned;
    int64_t sibling_count; /* numbers of branches that are tried, this one included */
};

/* Up to which part of a segment the rest gets none of its own. */
static double left_over(Segments kind)
{
    return kind == SEGMENTS_NEAREST ? 0.5 : 0;
}

/* bytes / segment, rounded up, or to the nearest; 1 at least. */
static double segments_count(Segments kind, double segment, double bytes)
{
    return fmax(1, ceil(bytes / segment - left_over(kind)));
}

double segments_largest(double segment)
{
    return LIMIT_SEGMENTS * segment;
}

ChunkCurve *chunk_curve_create(Arena *arena, const CurveSubject *of, const FreeChoice *chosen,
                               int64_t siblings, bool is_least)
{
    ChunkCurve *curve = ARENA_NEW(arena, ChunkCurve);
    const bool free_chunks = of->algorithm->free_chunks;
    *curve = (ChunkCurve){.arena = arena,
                          .of = *of,
                          .sibling_count = siblings,
                          .fixed_k = free_chunks ? chosen->k : 1,
                          .segments = algorithm_cutting(of->algorithm)->segments,
                          .segment = free_chunks && !chosen->k ? chosen->segment : 0};
    curve->of.point.k = curve->fixed_k ? curve->fixed_k : 1;
    const Instance instance = curve_instance(&curve->of, curve->of.point.k);
    ChunkTimes *times = &curve->times;
    times->arena = arena;
    times->rules = of->rules;
    times->full = curve->segments == SEGMENTS_FULL ? curve->segment : 0;
    times->closed =
        closed_find(arena, &instance, of->network, of->rules, curve->fixed_k == 0, is_least);
    if (!times->closed.is_compared)
        times->closed.count = 0;
    times->profiles = profiles_create(arena, &curve->of, curve->fixed_k == 0 && curve->segment == 0,
                                      siblings > 1);
    return curve;
}

void chunk_curve_share(ChunkCurve *curve, PortStepMemo *memo)
{
    profiles_share(curve->times.profiles, memo);
}

void chunk_curve_take_profiles(ChunkCurve *curve, const ChunkCurve *other)
{
    curve->times.profiles = other->times.profiles;
}

int64_t chunk_curve_branches(const ChunkCurve *curve)
{
    return curve->of.point.branches;
}

const ClosedForm *chunk_curve_closed(const ChunkCurve *curve)
{
    return curve->times.closed.count ? &curve->times.closed : NULL;
}

bool chunk_curve_is_free(const ChunkCurve *curve)
{
    return curve->fixed_k == 0 && curve->segment == 0;
}

int64_t chunk_curve_largest_chunks(const ChunkCurve *curve)
{
    return curve->times.closed.count ? (int64_t)1 << 53 : MOST_DERIVED_CHUNKS;
}

bool chunk_curve_is_too_large(ChunkCurve *curve)
{
    Diag silent = diag_silent();
    return !curve->times.closed.count &&
           !profiles_timed(curve->times.profiles, curve->of.point.k, &silent) &&
           silent.limit_count == silent.error_count;
}

bool chunk_curve_follows_each(ChunkCurve *curve, double bytes)
{
    if (!(curve->segment > 0) || curve->times.closed.count)
        return false;
    const int64_t most = (int64_t)segments_count(curve->segments, curve->segment, bytes);
    return !profiles_are_all_known(curve->times.profiles, most) && most > MOST_DERIVED_CHUNKS;
}

bool chunk_curve_may_rise_and_fall(const ChunkCurve *curve)
{
    return curve->of.rules->protocols || curve->of.rules->contention == CONTENTION_SHARED;
}

int64_t curve_most_chunks(double bytes)
{
    return bytes < 1 ? 1 : bytes > 0x1p53 ? (int64_t)1 << 53 : (int64_t)bytes;
}

/* Are not all numbers of chunks tried? */
static bool is_sampled(ChunkCurve *curve, bool *is, Diag *diag)
{
    const Profile *profile = profiles_timed(curve->times.profiles, 1, diag);
    if (!profile)
        return false;
    *is = !profiles_are_all_known(curve->times.profiles, MOST_DERIVED_CHUNKS);
    if (*is && curve->of.rules->contention != CONTENTION_SHARED) {
        const double chunks = MOST_DERIVED_CHUNKS * (MOST_DERIVED_CHUNKS + 1) / 2;
        *is = chunks * (double)profile->transfers * (double)curve->sibling_count >
              MOST_TIMED_MESSAGES / 2;
    }
    return true;
}

/* Of the numbers of chunks that are tried, the one behind k; of schedules that are followed message
   by message powers of two, and three times these. */
static int64_t next_tried(const ChunkCurve *curve, int64_t k, bool is_sampled)
{
    if (!is_sampled)
        return k + 1;
    /* schedules that are followed message by message are kept */
    if (curve->of.rules->contention == CONTENTION_SHARED || curve->of.rules->asynchronous)
        return k == 1 ? 2 : (k & (k - 1)) == 0 ? k + k / 2 : k + k / 3;
    return k < FIRST_TRIED ? k + 1 : k + k / STEP_OF_TRIED;
}

/* Nearer and nearer to the best of those that are tried, as far as it has no better neighbours: at
   half the distance to the next one, a quarter, and so on. */
static bool look_near(ChunkCurve *curve, double bytes, int64_t most, double least, double *k,
                      Diag *diag)
{
    for (int64_t apart = (int64_t)*k / 4; apart > 0; apart /= 2) {
        const double at = *k;
        for (int side = -1; side <= 1; side += 2) {
            const double tried = at + (double)(side * apart);
            double total;
            if (tried < 1 || tried > (double)most)
                continue;
            if (!chunk_times_total(&curve->times, tried, bytes, true, &total, diag))
                return false;
            if (total < least * (1 - tie_tolerance))
                least = total, *k = tried;
        }
    }
    return true;
}

static bool best_derived_k(ChunkCurve *curve, double bytes, int64_t most, double *k, Diag *diag)
{
    double least = INFINITY, totals[MOST_DERIVED_CHUNKS + 1] = {0};
    bool sampled = false;
    most = most < MOST_DERIVED_CHUNKS ? most : MOST_DERIVED_CHUNKS;
    if (most > 1 && !is_sampled(curve, &sampled, diag))
        return false;
    for (int64_t tried = 1; tried <= most; tried = next_tried(curve, tried, sampled)) {
        if (!chunk_times_total(&curve->times, (double)tried, bytes, true, &totals[tried], diag))
            return false;
        least = fmin(least, totals[tried]);
        if (sampled && totals[tried] > MUCH_LONGER * least)
            break;
    }
    int64_t best = 1;
    while (totals[best] > least * (1 + tie_tolerance))
        best = next_tried(curve, best, sampled);
    *k = (double)best;
    if (sampled && curve->of.rules->asynchronous && curve->sibling_count == 1 &&
        !look_near(curve, bytes, most, least, k, diag))
        return false;
    const int64_t reached = profiles_most(curve->times.profiles);
    const int64_t followed = reached < (int64_t)*k ? (int64_t)*k : reached;
    bool is_cut = followed < most;
    if (is_cut && !curve->has_warned)
        diag_warning(
            diag, NOWHERE,
            "%s is not tried with more than %lld chunk%s: its schedule is too large to expand then",
            algorithm_full_name(curve->arena, curve->of.algorithm), (long long)followed,
            PLURAL_END(followed));
    curve->has_warned |= is_cut;
    return true;
}

static bool best_k(ChunkCurve *curve, double bytes, int64_t most, double *k, Diag *diag)
{
    *k = (double)curve->fixed_k;
    if (curve->segment > 0)
        *k = fmin(segments_count(curve->segments, curve->segment, bytes), (double)most);
    if (*k > 0)
        return true;
    if (!curve->times.closed.count)
        return best_derived_k(curve, bytes, most, k, diag);
    const Instance instance = curve_instance(&curve->of, 1);
    if (!curve->chunks)
        curve->chunks = closed_chunks_create(curve->arena, &curve->times.closed, curve->of.rules,
                                             period_find(&instance, curve->of.network));
    return closed_chunks_best(curve->chunks, bytes, most, MOST_DERIVED_CHUNKS, k, diag);
}

bool chunk_curve_line(ChunkCurve *curve, double bytes, int64_t most_chunks, CurvePoint *point,
                      Diag *diag)
{
    point->branches = curve->of.point.branches;
    if (!best_k(curve, bytes, most_chunks, &point->k, diag) ||
        !chunk_times_line(&curve->times, point->k, bytes, &point->intercept, &point->slope, diag))
        return false;
    point->total = point->intercept + point->slope * bytes;
    return true;
}

bool chunk_curve_at(ChunkCurve *curve, double bytes, int64_t most_chunks, CurvePoint *point,
                    Diag *diag)
{
    const bool is_shared =
        curve->of.rules->contention == CONTENTION_SHARED; /* a run for each size */
    return chunk_curve_line(curve, bytes, most_chunks, point, diag) &&
           chunk_times_total(&curve->times, point->k, bytes, is_shared, &point->total, diag);
}

bool chunk_curve_seconds(ChunkCurve *curve, double bytes, int64_t most_chunks, double *seconds,
                         Diag *diag)
{
    double k;
    return best_k(curve, bytes, most_chunks, &k, diag) &&
           chunk_times_total(&curve->times, k, bytes, true, seconds, diag);
}

/* Rounds, and the most that a rank holds: as it is claimed, or from the schedule where that is
   known or short. */
static void count_by_schedule(ChunkCurve *curve, CurveCost *cost)
{
    Exact share;
    Diag silent = diag_silent();
    bool is_claimed = profiles_claimed_peak(curve->times.profiles, (int64_t)cost->k, &share);
    bool looks = !curve->times.closed.count;
    if (!looks && !is_claimed) {
        /* Blocks that the schedule moves, and rounds of its ranks, are at most so many: a closed
           form says how much the slowest messages carry one after the other. */
        const double unit[PARAMETER_COUNT] = {[PARAMETER_TW] = 1};
        const Instance instance = curve_instance(&curve->of, (int64_t)cost->k);
        double carried;
        int64_t chunks;
        looks =
            schedule_chunks(&instance, &chunks, &silent) &&
            closed_seconds(&curve->times.closed, cost->k, unit, 1, &carried, &silent) &&
            (double)instance.p * ((double)cost->rounds + carried * (double)chunks) <= MOST_FOLLOWED;
    }
    const Profile *profile = NULL;
    if (looks && is_claimed)
        profile = profiles_timed(curve->times.profiles, (int64_t)cost->k, &silent);
    else if (looks)
        profile = profiles_untimed(curve->times.profiles, (int64_t)cost->k, &silent);
    if (profile) {
        cost->rounds = curve->times.closed.count ? cost->rounds : profile->startups;
        cost->peak_blocks = profile->peak_blocks;
        cost->chunks = profile->chunks;
    }
    if (is_claimed) {
        cost->peak_blocks = share.numerator;
        cost->chunks = share.denominator;
    }
}

bool chunk_curve_cost(ChunkCurve *curve, double bytes, CurveCost *cost, Diag *diag)
{
    *cost = (CurveCost){.closed = chunk_curve_closed(curve),
                        .branches = curve->of.point.branches,
                        .peak_blocks = -1,
                        .chunks = 1};
    if (!best_k(curve, bytes, curve_most_chunks(bytes), &cost->k, diag) ||
        !chunk_times_parts(&curve->times, cost->k, bytes, &cost->parts, diag) ||
        !chunk_times_total(&curve->times, cost->k, bytes, false, &cost->total, diag))
        return false;
    double unit[PARAMETER_COUNT] = {[PARAMETER_TS] = 1}, rounds = 0;
    if (curve->times.closed.count) {
        if (!closed_seconds(&curve->times.closed, cost->k, unit, bytes, &rounds, diag))
            return false;
        cost->rounds = (int64_t)llround(rounds);
    }
    count_by_schedule(curve, cost);
    return true;
}

/* The sides of a bend, and by how much a time is above another there that hides the bend. */
static const double beside = 1e-9, clearly = 1e-6;

/* The times just below and just above a size. */
static bool times_beside(ChunkCurve *curve, double k, double bytes, double times[2], Diag *diag)
{
    return chunk_times_total(&curve->times, k, bytes * (1 - beside), true, &times[0], diag) &&
           chunk_times_total(&curve->times, k, bytes * (1 + beside), true, &times[1], diag);
}

/* Is a number of chunks slower than another one on both sides of a size? */
static bool is_slower(ChunkCurve *curve, double k, double other, double bytes, bool *is, Diag *diag)
{
    double own[2], others[2];
    if (!times_beside(curve, k, bytes, own, diag) ||
        !times_beside(curve, other, bytes, others, diag))
        return false;
    *is = fmin(own[0], own[1]) > fmax(others[0], others[1]) * (1 + clearly);
    return true;
}

/* Drops from item `first` on sizes where another number of chunks is better than k: the best time
   is that of other lines there. Between the sizes that are left it is the least of lines around
   each size, so it is concave. *best: a number of chunks that may be better, or 0. */
static bool drop_hidden_bends(ChunkCurve *curve, int64_t k, const BendList *list, size_t first,
                              double *best)
{
    const int64_t most = curve_most_chunks(list->from);
    SizeArray *sizes = list->sizes;
    size_t kept = first;
    for (size_t i = first; i < sizes->count; i++) {
        double bytes = sizes->items[i];
        bool hidden = false;
        if (*best > 0 && !is_slower(curve, (double)k, *best, bytes, &hidden, list->diag))
            return false;
        if (!hidden && (!best_derived_k(curve, bytes, most, best, list->diag) ||
                        !is_slower(curve, (double)k, *best, bytes, &hidden, list->diag)))
            return false;
        if (!hidden)
            sizes->items[kept++] = bytes;
    }
    sizes->count = kept;
    return true;
}

bool chunk_curve_bends(ChunkCurve *curve, const BendList *list)
{
    double to = list->to;
    Diag *diag = list->diag;
    const double segment = curve->segment, rest = left_over(curve->segments);
    const double least = segment > 0 ? fmax(1, floor(list->from / segment)) : 0;
    if (segment > 0 && to / segment - least > LIMIT_SEGMENTS)
        return diag_error(
            diag, NOWHERE,
            "messages of %s have more than %d segments, at each of which the time jumps: give a "
            "larger segment, or smaller sizes",
            quantity_show_bytes(list->arena, to), LIMIT_SEGMENTS);
    for (double s = least; segment > 0 && (s + rest) * segment < to; s++)
        bend_add(list, (s + rest) * segment); /* beyond it there is one segment more */
    if (curve->times.closed.count)
        return true;
    int64_t first = curve->fixed_k ? curve->fixed_k : 1;
    int64_t last = curve->fixed_k ? curve->fixed_k : MOST_DERIVED_CHUNKS;
    if (curve->segment > 0) {
        first = (int64_t)segments_count(curve->segments, curve->segment, list->from);
        last = (int64_t)segments_count(curve->segments, curve->segment, to);
        if (chunk_curve_follows_each(curve, to))
            return diag_limit(diag, NOWHERE,
                              "each number of segments of %s is a schedule to be derived",
                              algorithm_full_name(list->arena, curve->of.algorithm));
    }
    bool sampled = false;
    double best = 0;
    if (chunk_curve_is_free(curve) && !is_sampled(curve, &sampled, diag))
        return false;
    for (int64_t k = first; k <= last && !profiles_are_beyond_reach(curve->times.profiles, k);
         k = next_tried(curve, k, sampled)) {
        size_t found = list->sizes->count;
        BendList narrow = *list;
        if (curve->segment > 1) { /* a chunk of less is one of a byte */
            const double largest = ((double)k + rest) * segment;
            narrow.from = k > 1 ? fmax(narrow.from, largest - segment) : narrow.from;
            narrow.to = fmin(narrow.to, largest);
        }
        if (!chunk_times_bends(&curve->times, k, &narrow))
            return false;
        if (last > first && chunk_curve_is_free(curve) &&
            !drop_hidden_bends(curve, k, list, found, &best))
            return false;
    }
    return true;
}

bool chunk_curve_total(ChunkCurve *curve, int64_t k, double bytes, double *total, Diag *diag)
{
    return chunk_times_total(&curve->times, (double)k, bytes, true, total, diag);
}

bool chunk_curve_list_tried(ChunkCurve *curve, double bytes, Arena *arena, IntArray *tried,
                            Diag *diag)
{
    int64_t most = curve_most_chunks(bytes);
    most = most < MOST_DERIVED_CHUNKS ? most : MOST_DERIVED_CHUNKS;
    bool sampled;
    if (curve->fixed_k || curve->segment > 0) {
        double k;
        bool good = best_k(curve, bytes, curve_most_chunks(bytes), &k, diag);
        *ARRAY_PUSH(arena, tried) = (int64_t)k;
        return good;
    }
    if (curve->times.closed.count)
        return true;
    if (!is_sampled(curve, &sampled, diag))
        return false;
    for (int64_t k = 1; k <= most && !profiles_are_beyond_reach(curve->times.profiles, k);
         k = next_tried(curve, k, sampled))
        *ARRAY_PUSH(arena, tried) = k;
    return true;
}

bool chunk_curve_messages(ChunkCurve *curve, int64_t k, double bytes, Arena *arena,
                          SizeArray *messages, Diag *diag)
{
    const Profile *profile = profiles_timed(curve->times.profiles, k, diag);
    if (!profile)
        return false;
    IntArray blocks = profile_messages(profile, arena);
    for (size_t i = 0; i < blocks.count; i++)
        if (i == 0 || blocks.items[i] != blocks.items[i - 1])
            *ARRAY_PUSH(arena, messages) = (double)blocks.items[i] * profile_block(profile, bytes);
    return true;
}
