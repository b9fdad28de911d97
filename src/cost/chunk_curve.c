#include "cost/chunk_curve.h"

#include "cost/chunk_search.h"
#include "cost/chunk_times.h"
#include "cost/minimum.h"
#include "cost/segments.h"

#include <math.h>

/* Expanding a schedule costs time and memory in proportion to k, so where no claim gives the time,
   the best k is sought up to the first. Beyond the second, transfers for k = 1, not all are tried
   unless they follow from few, of so many transfers together. */
enum {
    MOST_TRIED_TRANSFERS = 1 << 7,
    MOST_PERIODIC_TRANSFERS = 1 << 21,
    MOST_FOLLOWED = 1 << 18, /* blocks moved, to see how many of them ranks hold */
    MOST_TIMED = 1 << 20     /* messages without barriers, which are kept, of all schedules */
};

struct ChunkCurve {
    Arena *arena;
    const Algorithm *algorithm;
    const Network *network;
    const Rules *rules;
    ClaimPoint point;
    int64_t fixed_k;  /* 0: free */
    double segment;   /* > 0: the number of chunks follows from it; fixed_k is 0 */
    int64_t most_k;   /* that is tried, where no claim gives the time */
    ChunkTimes times; /* its closed form covers all k */
    bool has_warned;
    bool is_convex;               /* the closed form of a free number of chunks, as k grows */
    double last_best, last_bytes; /* of such a form; 0: none yet */
    Minimum *minimum;             /* NULL: not used yet */
    int64_t sibling_count;        /* numbers of branches that are tried, this one included */
};

static Instance instance_of(const ChunkCurve *curve, int64_t k)
{
    const ClaimPoint *point = &curve->point;
    return (Instance){.algorithm = curve->algorithm,
                      .p = point->p,
                      .root = point->root,
                      .k = k,
                      .ports = point->ports,
                      .shape = &curve->network->shape,
                      .target = point->target,
                      .branches = point->branches,
                      .weights = curve->rules->weights};
}

ChunkCurve *chunk_curve_create(Arena *arena, const Algorithm *algorithm, const Network *network,
                               const Rules *rules, const ClaimPoint *point,
                               const FreeChoice *chosen, int64_t siblings, bool is_least)
{
    ChunkCurve *curve = ARENA_NEW(arena, ChunkCurve);
    *curve = (ChunkCurve){.arena = arena,
                          .algorithm = algorithm,
                          .network = network,
                          .rules = rules,
                          .point = *point,
                          .sibling_count = siblings,
                          .fixed_k = algorithm->free_chunks ? chosen->k : 1,
                          .segment = algorithm->free_chunks && !chosen->k ? chosen->segment : 0};
    curve->point.k = curve->fixed_k ? curve->fixed_k : 1;
    const Instance instance = instance_of(curve, curve->point.k);
    ChunkTimes *times = &curve->times;
    times->arena = arena;
    times->rules = rules;
    times->closed = closed_find(arena, &instance, network, rules, curve->fixed_k == 0, is_least);
    if (!times->closed.is_compared)
        times->closed.count = 0;
    times->profiles = profiles_create(arena, algorithm, network, rules, &curve->point,
                                      curve->fixed_k == 0 && curve->segment == 0, siblings > 1);
    const bool is_free = chunk_curve_is_free(curve);
    curve->is_convex = is_free && times->closed.count > 0 && closed_is_convex(&times->closed);
    bool is_one = !times->closed.count && profiles_want_one_chunk(times->profiles);
    curve->most_k = is_one ? 1 : MOST_DERIVED_CHUNKS;
    return curve;
}

void chunk_curve_share(ChunkCurve *curve, PortStepMemo *memo)
{
    profiles_share(curve->times.profiles, memo);
}

int64_t chunk_curve_branches(const ChunkCurve *curve)
{
    return curve->point.branches;
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
    return curve->times.closed.count ? (int64_t)1 << 53 : curve->most_k;
}

bool chunk_curve_is_too_large(ChunkCurve *curve)
{
    Diag silent = diag_silent();
    return !curve->times.closed.count &&
           !profiles_timed(curve->times.profiles, curve->point.k, &silent) &&
           silent.limit_count == silent.error_count;
}

bool chunk_curve_may_rise_and_fall(const ChunkCurve *curve)
{
    return curve->rules->protocols || curve->rules->contention == CONTENTION_SHARED;
}

int64_t curve_most_chunks(double bytes)
{
    return bytes < 1 ? 1 : bytes > 0x1p53 ? (int64_t)1 << 53 : (int64_t)bytes;
}

static bool total_for_search(void *context, double k, double bytes, double *total, Diag *diag)
{
    return chunk_times_seek(context, k, bytes, total, diag);
}

static ChunkSearch search_of(ChunkCurve *curve, double bytes, int64_t most)
{
    /* the best k of a + b k + c m / k grows with the root of m */
    const double growth = curve->last_bytes > 0 ? sqrt(bytes / curve->last_bytes) : 0;
    return (ChunkSearch){.total = total_for_search,
                         .context = &curve->times,
                         .bytes = bytes,
                         .most = most,
                         .is_claimed = curve->times.closed.count > 0,
                         .is_convex = curve->is_convex,
                         .near = growth * curve->last_best};
}

static bool is_long(ChunkCurve *curve, bool *is, Diag *diag)
{
    const Profile *profile = profiles_timed(curve->times.profiles, 1, diag);
    if (profile && curve->rules->contention == CONTENTION_SHARED) {
        *is = true; /* each number of chunks is followed message by message */
        return true;
    }
    if (profile && curve->rules->asynchronous) { /* messages of all schedules are kept */
        const double chunks = (double)curve->most_k * (double)(curve->most_k + 1) / 2;
        *is = curve->most_k > 1 &&
              chunks * (double)profile->transfers * (double)curve->sibling_count > MOST_TIMED;
        return true;
    }
    Diag silent = diag_silent();
    *is = curve->most_k > 1 && profile && profile->transfers > MOST_TRIED_TRANSFERS &&
          !profiles_follow_from_few(curve->times.profiles, MOST_PERIODIC_TRANSFERS, &silent);
    return profile != NULL;
}

/* Are schedules followed message by message, and many of them? */
static bool follows_messages(const ChunkCurve *curve)
{
    return curve->rules->contention == CONTENTION_SHARED ||
           (curve->rules->asynchronous && curve->sibling_count > 1);
}

/* Are few numbers of chunks tried where schedules are long? */
static bool tries_few(const ChunkCurve *curve)
{
    return chunk_curve_may_rise_and_fall(curve) || follows_messages(curve);
}

/* Of the numbers of chunks that are tried, the one behind k; where schedules are long, powers of
   two, and where they are followed message by message three times powers of two as well. */
static int64_t next_tried(const ChunkCurve *curve, int64_t k, bool is_long)
{
    const bool is_power = (k & (k - 1)) == 0;
    if (!is_long)
        return k + 1;
    if (k == 1 || !follows_messages(curve))
        return 2 * k;
    return is_power ? k + k / 2 : k + k / 3;
}

/* Without a claim nothing is known of how the time depends on k, so all are tried, unless that
   takes long: then a derived time is taken to fall, then rise, with k, as a claimed one, or where
   it may do otherwise, few are tried. */
static bool seek_derived_k(ChunkCurve *curve, double bytes, int64_t most, double *k, Diag *diag)
{
    double least = INFINITY, total;
    bool sample;
    if (!is_long(curve, &sample, diag))
        return false;
    if (sample && !tries_few(curve))
        return chunk_search_whole(search_of(curve, bytes, most), k, diag);
    for (int64_t tried = 1; tried <= most; tried = next_tried(curve, tried, sample)) {
        if (!chunk_times_seek(&curve->times, (double)tried, bytes, &total, diag))
            return false;
        if (total < least)
            least = total, *k = (double)tried;
    }
    return true;
}

static bool best_derived_k(ChunkCurve *curve, double bytes, int64_t most, double *k, Diag *diag)
{
    most = most < curve->most_k ? most : curve->most_k;
    if (!seek_derived_k(curve, bytes, most, k, diag))
        return false;
    int64_t followed = profiles_most(curve->times.profiles);
    bool is_cut = followed < most;
    if (is_cut && !curve->has_warned)
        diag_warning(
            diag, NOWHERE,
            "%s is not tried with more than %lld chunks: its schedule is too large to expand then",
            algorithm_full_name(curve->arena, curve->algorithm), (long long)followed);
    curve->has_warned |= is_cut;
    return true;
}

static bool best_k(ChunkCurve *curve, double bytes, int64_t most, double *k, Diag *diag)
{
    *k = (double)curve->fixed_k;
    if (curve->segment > 0)
        *k = fmin(segments_count(curve->segment, bytes), (double)most);
    if (*k > 0)
        return true;
    chunk_times_begin_search(&curve->times);
    if (!curve->times.closed.count)
        return best_derived_k(curve, bytes, most, k, diag);
    const ChunkSearch search = search_of(curve, bytes, most);
    if (!curve->rules->real_chunks || !closed_has_real_k(&curve->times.closed)) {
        bool good = chunk_search_whole(search, k, diag);
        curve->last_best = good && curve->is_convex ? *k : 0;
        curve->last_bytes = bytes;
        return good;
    }
    if (!curve->minimum)
        curve->minimum = minimum_create(curve->arena);
    return chunk_search_real(search, curve->minimum, k, diag);
}

/* The line of this k, between the bends beside the size: at m = 0 only startups and hops are left.
 */
static bool find_line(ChunkCurve *curve, double bytes, CurvePoint *point, Diag *diag)
{
    CostParts parts;
    if (!chunk_times_parts_on_line(&curve->times, point->k, bytes, &parts, diag))
        return false;
    point->intercept = parts.startup + parts.hop;
    point->slope = bytes > 0 ? (parts.transfer + parts.compute) / bytes : 0;
    return true;
}

bool chunk_curve_at(ChunkCurve *curve, double bytes, int64_t most_chunks, CurvePoint *point,
                    Diag *diag)
{
    point->branches = curve->point.branches;
    return best_k(curve, bytes, most_chunks, &point->k, diag) &&
           chunk_times_total(&curve->times, point->k, bytes, &point->total, diag) &&
           find_line(curve, bytes, point, diag);
}

bool chunk_curve_seconds(ChunkCurve *curve, double bytes, int64_t most_chunks, double *seconds,
                         Diag *diag)
{
    double k;
    return best_k(curve, bytes, most_chunks, &k, diag) &&
           chunk_times_total(&curve->times, k, bytes, seconds, diag);
}

/* Blocks that the schedule moves, and rounds of its ranks, are at most so many: a closed form says
   how much the slowest messages carry one after the other. */
static bool is_short(ChunkCurve *curve, const CurveCost *cost)
{
    double unit[PARAMETER_COUNT] = {[PARAMETER_TW] = 1}, carried;
    Diag silent = diag_silent();
    int64_t chunks;
    Instance instance = instance_of(curve, (int64_t)cost->k);
    return schedule_chunks(&instance, &chunks, &silent) &&
           closed_seconds(&curve->times.closed, cost->k, unit, 1, &carried, &silent) &&
           (double)instance.p * ((double)cost->rounds + carried * (double)chunks) <= MOST_FOLLOWED;
}

/* Rounds, and the most that a rank holds: as it is claimed, or from the schedule where that is
   known or short. */
static void count_by_schedule(ChunkCurve *curve, CurveCost *cost)
{
    Exact share;
    Diag silent = diag_silent();
    bool is_claimed = profiles_claimed_peak(curve->times.profiles, (int64_t)cost->k, &share);
    bool looks = !curve->times.closed.count || (!is_claimed && is_short(curve, cost));
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
                        .branches = curve->point.branches,
                        .peak_blocks = -1,
                        .chunks = 1};
    if (!best_k(curve, bytes, curve_most_chunks(bytes), &cost->k, diag) ||
        !chunk_times_parts(&curve->times, cost->k, bytes, &cost->parts, diag) ||
        !chunk_times_total(&curve->times, cost->k, bytes, &cost->total, diag))
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
    return chunk_times_seek(&curve->times, k, bytes * (1 - beside), &times[0], diag) &&
           chunk_times_seek(&curve->times, k, bytes * (1 + beside), &times[1], diag);
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

/* Drops from sizes[first] on those where another number of chunks is better than k: the best time
   is that of other lines there. Between the sizes that are left it is the least of lines around
   each size, so it is concave. *best: a number of chunks that may be better, or 0. */
static bool drop_hidden_bends(ChunkCurve *curve, int64_t k, int64_t most, SizeArray *sizes,
                              size_t first, double *best, Diag *diag)
{
    size_t kept = first;
    for (size_t i = first; i < sizes->count; i++) {
        double bytes = sizes->items[i];
        bool hidden = false;
        if (*best > 0 && !is_slower(curve, (double)k, *best, bytes, &hidden, diag))
            return false;
        if (!hidden && (!best_derived_k(curve, bytes, most, best, diag) ||
                        !is_slower(curve, (double)k, *best, bytes, &hidden, diag)))
            return false;
        if (!hidden)
            sizes->items[kept++] = bytes;
    }
    sizes->count = kept;
    return true;
}

bool chunk_curve_bends(ChunkCurve *curve, double from, double to, Arena *arena, SizeArray *sizes,
                       Diag *diag)
{
    if (curve->segment > 0 && !segments_bends(curve->segment, from, to, arena, sizes, diag))
        return false;
    if (curve->times.closed.count)
        return true;
    int64_t first = curve->fixed_k ? curve->fixed_k : 1;
    int64_t last = curve->fixed_k ? curve->fixed_k : curve->most_k;
    if (curve->segment > 0) {
        first = (int64_t)segments_count(curve->segment, from);
        last = (int64_t)segments_count(curve->segment, to);
    }
    bool sample = false;
    double best = 0;
    if (chunk_curve_is_free(curve) && !is_long(curve, &sample, diag))
        return false;
    for (int64_t k = first; k <= last && !profiles_are_beyond_reach(curve->times.profiles, k);
         k = next_tried(curve, k, sample)) {
        size_t found = sizes->count;
        double above = from, below = to;
        if (curve->segment > 1) /* a chunk of less is one of a byte */
            segments_narrow(curve->segment, k, &above, &below);
        if (!chunk_times_bends(&curve->times, k, above, below, arena, sizes, diag))
            return false;
        if (last > first && chunk_curve_is_free(curve) &&
            !drop_hidden_bends(curve, k, curve_most_chunks(from), sizes, found, &best, diag))
            return false;
    }
    return true;
}

bool chunk_curve_total(ChunkCurve *curve, int64_t k, double bytes, double *total, Diag *diag)
{
    return chunk_times_total_on_line(&curve->times, (double)k, bytes, total, diag);
}

bool chunk_curve_list_tried(ChunkCurve *curve, double bytes, Arena *arena, IntArray *tried,
                            Diag *diag)
{
    int64_t most = curve_most_chunks(bytes);
    most = most < curve->most_k ? most : curve->most_k;
    bool sample = false;
    if (curve->fixed_k || curve->segment > 0) {
        double k;
        bool good = best_k(curve, bytes, curve_most_chunks(bytes), &k, diag);
        *ARRAY_PUSH(arena, tried) = (int64_t)k;
        return good;
    }
    if (curve->times.closed.count)
        return true;
    if (!is_long(curve, &sample, diag))
        return false;
    if (sample && !tries_few(curve))
        return true;
    for (int64_t k = 1; k <= most && !profiles_are_beyond_reach(curve->times.profiles, k);
         k = next_tried(curve, k, sample))
        *ARRAY_PUSH(arena, tried) = k;
    return true;
}

bool chunk_curve_messages(ChunkCurve *curve, int64_t k, double bytes, Arena *arena,
                          SizeArray *messages, Diag *diag)
{
    return chunk_times_messages(&curve->times, k, bytes, arena, messages, diag);
}
