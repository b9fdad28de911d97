#include "study/followed.h"

#include "base/watch.h"
#include "choose/winner.h"

#include <math.h>

/* A bound decides only where it is so much above a time: both are rounded. */
static const double clearly = 1e-9;

/* Sizes at which those that are likely to be the fastest are followed first are so far apart. */
#define STEP_OF_SIZES 16

const char *const followed_too_large = "its schedule is too large to expand";
const char *const followed_laborious =
    "each of its radices or fan-outs is a schedule to be derived";
const char *const followed_too_many = "too many compositions for this number of ranks";

void followed_leave_out(const Study *study, LeftOut left_out, Candidates *candidates)
{
    *ARRAY_PUSH(study->arena, &candidates->left_out) = left_out;
    if (left_out.reason != followed_laborious && left_out.reason != followed_too_many)
        diag_warning(study->diag, NOWHERE, "%s is left out: %s",
                     algorithm_full_name(study->arena, left_out.algorithm), left_out.reason);
}

/* Can the curve answer at all? Small messages are cut least, and ask for the shortest schedule.
   False where it is left out. A fault that is none of size, or of rules, is reported, and *good is
   false. */
static bool try_one(const Study *study, Curve *curve, bool named, Candidates *candidates,
                    bool *good)
{
    const Algorithm *algorithm = curve_algorithm(curve);
    FirstError reason = {study->arena, NULL};
    Diag diag = diag_keep_first(&reason);
    CurvePoint point;
    /* Of several radices or fan-outs one is enough where each fault is told anyway. */
    const bool has_several = named && curve_alternative(curve, 1);
    if (has_several && chunk_curve_at(curve_alternative(curve, 0), 1, 1, &point, &diag))
        return true;
    if (!named && curve_at(curve, 1, 1, &point, &diag))
        return true;
    if (named || diag.limit_count + diag.refusal_count < diag.error_count) {
        *good = curve_at(curve, 1, 1, &point, study->diag);
        return true;
    }
    const bool is_limit = diag.limit_count > 0;
    const char *why = is_limit ? followed_too_large : reason.message;
    followed_leave_out(study, (LeftOut){algorithm, why, is_limit}, candidates);
    return false;
}

/* ### Bounds */

/* The full network with the ranks of another, at what its cheapest link costs. */
typedef struct {
    Network network;
    Rules rules;
    bool cuts_late; /* startups are so long that the shortest messages are not cut into chunks of a
                       byte: closed forms would try more chunks than schedules do */
} BestNetwork;

/* NULL where there is none, or no closed form: where ranks differ in their ports the same messages
   need not share them alike, and several messages between two ranks may have several lanes. */
static const BestNetwork *find_best_network(const Study *study, Arena *arena,
                                            const Network *network)
{
    const Rules *rules = &study->rules;
    int64_t ports = rules_ports(rules, network);
    bool is_fit = rules_have_closed_forms(rules) && !network->grouping && !rules->all_ports &&
                  !rules->level_ports && rules_same_ports(rules, network);
    for (size_t i = 0; i < network->class_count; i++)
        is_fit &= ports == 1 || network->classes[i].lanes <= 1;
    const Topology *full =
        is_fit ? library_try(study->library, KIND_TOPOLOGY, text_plain("full")) : NULL;
    BestNetwork *best = ARENA_NEW(arena, BestNetwork);
    Shape shape = network->shape;
    shape.taper = shape.devices_per_adapter = 0;
    if (!full || !network_try(arena, full, &shape, rules->ties, &best->network))
        return NULL;
    best->rules = *rules;
    best->rules.ports = ports;
    best->rules.fixed_ports = true;
    best->rules.levels = NULL;
    best->rules.level_count = 0;
    rules_least(rules, network, best->rules.parameters);
    const double *least = best->rules.parameters;
    best->cuts_late = least[PARAMETER_TS] > (double)network->p * least[PARAMETER_TW];
    return best;
}

/* What was derived before serves again. */
static void take_former_profiles(const Candidates *former, Curve *curve)
{
    const Algorithm *algorithm = curve_algorithm(curve);
    for (size_t i = 0; former && i < former->algorithms.count; i++) {
        const Algorithm *other = former->algorithms.items[i];
        const bool is_same =
            other == algorithm || (other->composed && algorithm->composed &&
                                   strcmp(other->composed, algorithm->composed) == 0);
        if (former->curves[i] && is_same)
            curve_take_profiles(curve, former->curves[i]);
    }
}

bool followed_add(const Study *study, const AlgorithmArray *all, bool named, bool defers,
                  Candidates *candidates)
{
    Arena *arena = study->curves ? study->curves : study->arena;
    const Network *network = candidates->network;
    bool wants_bounds = defers, good = true;
    for (size_t i = 0; i < all->count; i++)
        wants_bounds |= all->items[i]->branching != BRANCHING_NONE;
    const BestNetwork *best = wants_bounds ? find_best_network(study, arena, network) : NULL;
    const size_t before = candidates->algorithms.count;
    Curve **curves = ARENA_ARRAY(study->arena, Curve *, before + all->count);
    Curve **bounds = ARENA_ARRAY(study->arena, Curve *, before + all->count);
    bool *put_off = ARENA_ARRAY(study->arena, bool, before + all->count);
    for (size_t i = 0; i < before; i++) {
        curves[i] = candidates->curves[i];
        bounds[i] = candidates->bounds[i];
        put_off[i] = candidates->is_put_off[i];
    }
    candidates->curves = curves;
    candidates->bounds = bounds;
    candidates->is_put_off = put_off;
    for (size_t i = 0; i < all->count && good; i++) {
        const Algorithm *algorithm = all->items[i];
        watch_step(study->arena, algorithm_full_name(study->arena, algorithm), (int64_t)i,
                   (int64_t)all->count);
        const FreeChoice chosen = study_choice(study, algorithm, network);
        CurveSubject of = study_subject(study, algorithm, network);
        Curve *curve = curve_create(arena, &of, &chosen, study->diag);
        if (!curve)
            return false;
        curve_share(curve, candidates->memo);
        take_former_profiles(candidates->former, curve);
        Curve *bound = NULL;
        /* Many schedules to derive, on many ranks, have to be asked for by name. */
        IntArray tried = {0};
        if (!named && network->p > MOST_BRANCHED_RANKS && !curve_is_closed(curve))
            curve_list_branches(curve, study->arena, &tried);
        if (tried.count > 1) {
            followed_leave_out(study, (LeftOut){algorithm, followed_laborious, true}, candidates);
            continue;
        }
        if (best && (defers || algorithm->branching) && !curve_is_closed(curve) &&
            !algorithm->posts_together && (!algorithm->free_chunks || best->cuts_late)) {
            Diag silent = diag_silent();
            of.network = &best->network;
            of.rules = &best->rules;
            bound = curve_create_least(arena, &of, &chosen, &silent);
        }
        if (bound && algorithm->branching)
            curve_bound(curve, bound);
        bound = defers ? bound : NULL;
        if (!bound && !try_one(study, curve, named, candidates, &good))
            continue;
        size_t place = candidates->algorithms.count;
        candidates->put_off += bound != NULL;
        candidates->is_put_off[place] = bound != NULL;
        candidates->curves[place] = curve;
        candidates->bounds[place] = bound;
        *ARRAY_PUSH(study->arena, &candidates->algorithms) = algorithm;
    }
    return good;
}

/* Over all sizes of an envelope one that is cut into segments may be too many schedules. */
static void leave_out_segmented(const Study *study, Candidates *candidates, size_t which)
{
    const Algorithm *algorithm = candidates->algorithms.items[which];
    Curve **curve = &candidates->curves[which];
    if (!*curve || !(candidates->largest > 0) || !curve_follows_each(*curve, candidates->largest))
        return;
    *curve = NULL;
    followed_leave_out(
        study, (LeftOut){algorithm, "each number of segments is a schedule to be derived", true},
        candidates);
}

static bool follow(const Study *study, Candidates *candidates, size_t which)
{
    const Algorithm *algorithm = candidates->algorithms.items[which];
    bool good = true;
    if (!candidates->is_put_off[which])
        return true;
    watch_step(study->arena, algorithm_full_name(study->arena, algorithm), (int64_t)which,
               (int64_t)candidates->algorithms.count);
    candidates->is_put_off[which] = false;
    candidates->put_off--;
    if (!try_one(study, candidates->curves[which], false, candidates, &good))
        candidates->curves[which] = NULL;
    leave_out_segmented(study, candidates, which);
    return good;
}

bool followed_finish(const Study *study, Candidates *candidates)
{
    bool good = true;
    for (size_t i = 0; i < candidates->algorithms.count && good; i++)
        good = follow(study, candidates, i);
    return good;
}

Curve **followed_curves(const Study *study, const Candidates *candidates, bool bounds,
                        IntArray *numbers)
{
    Arena *arena = study->arena;
    size_t count = candidates->algorithms.count;
    Curve **curves = ARENA_ARRAY(arena, Curve *, count + 1);
    for (size_t i = 0; i < count; i++) {
        bool is_put_off = candidates->is_put_off[i];
        if (!candidates->curves[i] || (is_put_off && !bounds))
            continue;
        curves[numbers->count] = is_put_off ? candidates->bounds[i] : candidates->curves[i];
        *ARRAY_PUSH(arena, numbers) = (int64_t)i;
    }
    return curves;
}

/* ### Those that may be the fastest */

/* Follows the one that is put off and has the least bound at a size, if that is not clearly above a
   time; the number of candidates: none. False after a report. */
static bool follow_nearest(const Study *study, Candidates *candidates, double bytes, double time,
                           size_t *which)
{
    double least = time * (1 + clearly), seconds;
    *which = candidates->algorithms.count;
    for (size_t i = 0; i < candidates->algorithms.count; i++) {
        if (!candidates->is_put_off[i])
            continue;
        if (!curve_seconds(candidates->bounds[i], bytes, curve_most_chunks(bytes), &seconds,
                           study->diag))
            return false;
        if (seconds <= least) {
            least = seconds;
            *which = i;
        }
    }
    return *which == candidates->algorithms.count || follow(study, candidates, *which);
}

/* Takes over the time of a candidate at a size if it is less. That of the best of many numbers of
   chunks, each of which is derived, is asked for only if its bound is less. */
static bool lower_to(const Study *study, const Candidates *candidates, size_t which, double bytes,
                     double *least)
{
    Curve *curve = candidates->curves[which], *bound = candidates->bounds[which];
    int64_t most = curve_most_chunks(bytes);
    double seconds = INFINITY;
    if (!curve || (!bound && curve_is_free(curve) && !curve_is_closed(curve)))
        return true;
    if (bound && !curve_seconds(bound, bytes, most, &seconds, study->diag))
        return false;
    if ((!bound || seconds < *least) && !curve_seconds(curve, bytes, most, &seconds, study->diag))
        return false;
    *least = fmin(*least, seconds);
    return true;
}

/* Follows those that may be the fastest at a size, the most promising one first. */
static bool follow_at(const Study *study, Candidates *candidates, double bytes)
{
    double least = INFINITY;
    size_t next;
    /* those without bounds first, whose times may spare those of the others */
    for (int is_bounded = 0; is_bounded < 2; is_bounded++)
        for (size_t i = 0; i < candidates->algorithms.count; i++)
            if (!candidates->is_put_off[i] && (candidates->bounds[i] != NULL) == is_bounded &&
                !lower_to(study, candidates, i, bytes, &least))
                return false;
    while (candidates->put_off) {
        if (!follow_nearest(study, candidates, bytes, least, &next))
            return false;
        if (next == candidates->algorithms.count)
            return true;
        if (!lower_to(study, candidates, next, bytes, &least))
            return false;
    }
    return true;
}

bool followed_two(const Study *study, Candidates *candidates, double bytes)
{
    const size_t count = candidates->algorithms.count;
    double *times = ARENA_ARRAY(study->arena, double, count + 1);
    for (size_t i = 0; i < count; i++)
        times[i] = NAN;
    while (candidates->put_off) {
        double second = INFINITY;
        size_t next;
        /* The times of those that are followed, but were not asked yet; NAN: of none of these. */
        const int64_t most = curve_most_chunks(bytes);
        for (size_t i = 0; i < candidates->algorithms.count; i++)
            if (isnan(times[i]) && candidates->curves[i] && !candidates->is_put_off[i] &&
                !curve_seconds(candidates->curves[i], bytes, most, &times[i], study->diag))
                return false;
        const size_t winner = winner_find(times, count);
        for (size_t i = 0; i < count && winner < count; i++)
            if (times[i] > times[winner] * (1 + tie_tolerance))
                second = fmin(second, times[i]);
        if (!follow_nearest(study, candidates, bytes, second, &next))
            return false;
        if (next == count)
            return true;
    }
    return true;
}

bool followed_fits(const Study *study, Candidates *candidates, size_t which, double bytes)
{
    double seconds;
    Diag silent = diag_silent();
    if (!(study->chosen.segment > 0) || candidates->algorithms.count == 1 ||
        curve_seconds(candidates->curves[which], bytes, curve_most_chunks(bytes), &seconds,
                      &silent) ||
        silent.limit_count < silent.error_count)
        return true;
    followed_leave_out(study,
                       (LeftOut){candidates->algorithms.items[which], followed_too_large, true},
                       candidates);
    for (size_t i = which + 1; i < candidates->algorithms.count; i++) {
        candidates->algorithms.items[i - 1] = candidates->algorithms.items[i];
        candidates->curves[i - 1] = candidates->curves[i];
        candidates->bounds[i - 1] = candidates->bounds[i];
        candidates->is_put_off[i - 1] = candidates->is_put_off[i];
    }
    candidates->algorithms.count--;
    return false;
}

bool followed_envelope(const Study *study, Candidates *candidates, double from, double to,
                       PieceArray *pieces)
{
    bool any = true;
    candidates->largest = study->defers ? to : 0;
    for (size_t i = 0; i < candidates->algorithms.count; i++)
        if (!candidates->is_put_off[i])
            leave_out_segmented(study, candidates, i);
    for (double bytes = from; bytes <= to && candidates->put_off; bytes *= STEP_OF_SIZES)
        if (!follow_at(study, candidates, bytes))
            return false;
    while (any) {
        IntArray numbers = {0};
        Curve **curves = followed_curves(study, candidates, true, &numbers);
        *pieces = (PieceArray){0};
        if (numbers.count == 0 && candidates->algorithms.count > 0)
            return diag_error(study->diag, NOWHERE, "there is no algorithm left");
        Diag silent = diag_silent();
        const ChoiceAxis sizes = {
            study->arena,    numbers.count, from, to, candidates->put_off ? &silent : study->diag,
            .curves = curves};
        bool found = envelope_find(&sizes, pieces);
        if (!found && (!candidates->put_off || !followed_finish(study, candidates)))
            return false;
        if (!found) /* closed forms try more chunks than schedules do: that may be too many */
            continue;
        /* Gives pieces the numbers of candidates, and follows those whose bounds win, or tie. */
        const size_t before = candidates->put_off, count = candidates->algorithms.count;
        for (size_t i = 0; i < pieces->count; i++) {
            Piece *piece = &pieces->items[i];
            bool *tied = ARENA_ARRAY(study->arena, bool, count);
            for (size_t n = 0; n < numbers.count; n++)
                tied[numbers.items[n]] = piece->tied[n];
            piece->curve = (size_t)numbers.items[piece->curve];
            piece->tied = tied;
            for (size_t n = 0; n < count; n++)
                if ((n == piece->curve || tied[n]) && !follow(study, candidates, n))
                    return false;
        }
        any = candidates->put_off < before;
    }
    return true;
}

bool followed_drop_losers(const Study *study, Candidates *candidates)
{
    PieceArray pieces = {0};
    const size_t first = candidates->algorithms.count - candidates->unproven;
    size_t kept = first;
    if (candidates->unproven == 0)
        return true;
    candidates->unproven = 0;
    if (!followed_envelope(study, candidates, 1, LARGEST_SIZE, &pieces))
        return false;
    for (size_t i = first; i < candidates->algorithms.count; i++) {
        bool wins = false;
        for (size_t n = 0; n < pieces.count; n++)
            wins |= pieces.items[n].curve == i;
        if (!wins)
            continue;
        candidates->algorithms.items[kept] = candidates->algorithms.items[i];
        candidates->curves[kept++] = candidates->curves[i];
    }
    candidates->algorithms.count = kept;
    return true;
}

/* More candidates make the second best nowhere slower: where none of those that are put off may be
   faster at the size where it loses most, that is what it loses. */
bool followed_details(const Study *study, Candidates *candidates, const Piece *piece,
                      PieceDetails *details)
{
    for (;;) {
        double winner, bytes = piece->from, second = INFINITY;
        size_t next;
        IntArray numbers = {0};
        Curve **curves = followed_curves(study, candidates, false, &numbers);
        bool *tied = ARENA_ARRAY(study->arena, bool, numbers.count);
        Piece among = *piece; /* those that are followed */
        among.tied = tied;
        for (size_t n = 0; n < numbers.count; n++) {
            tied[n] = piece->tied[numbers.items[n]];
            if ((size_t)numbers.items[n] == piece->curve)
                among.curve = n;
        }
        const ChoiceAxis sizes = {study->arena, numbers.count, piece->from,
                                  piece->to,    study->diag,   .curves = curves};
        if (!piece_details(&sizes, &among, details))
            return false;
        if (!candidates->put_off)
            return true;
        if (details->second_name) {
            bytes = details->second.at;
            if (!curve_seconds(candidates->curves[piece->curve], bytes, curve_most_chunks(bytes),
                               &winner, study->diag))
                return false;
            second = winner * (1 + details->second.loss);
        }
        if (!follow_nearest(study, candidates, bytes, second, &next))
            return false;
        if (next == candidates->algorithms.count)
            return true;
    }
}
