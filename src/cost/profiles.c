#include "cost/profiles.h"
#include "base/whole.h"
#include "cost/bag.h"
#include "cost/derive.h"
#include "cost/derive_memo.h"
#include "sched/pieces.h"

/* The least common multiple, or the first where that is too large. */
static int64_t common_period(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a / whole_common_divisor(a, b), b, &product) ? a : product;
}

static int64_t period_of_steps(const Instance *instance, const Network *network,
                               const ScheduleStep *steps, size_t count)
{
    const Shape shape = instance_shape(instance);
    int64_t period = 1;
    for (size_t i = 0; i < count; i++) {
        int lines[MOST_DIMENSIONS];
        const Use *use = &steps[i].use;
        const int found = steps[i].kind == STEP_USE ? pieces_try_lines(use, &shape, lines) : 0;
        for (int l = 0; l < found; l++) {
            Shape line;
            const Instance inner = pieces_line_instance(instance, use, lines[l], &line);
            period = common_period(period, period_find(&inner, network));
        }
        period = common_period(
            period, period_of_steps(instance, network, steps[i].steps, steps[i].step_count));
    }
    return period;
}

int64_t period_find(const Instance *instance, const Network *network)
{
    static const ExactParameters none;
    const ClaimPoint point = claim_point(instance->shape, instance->root, 1, instance->ports);
    Instance origin = *instance;
    Exact period;
    for (;; origin.algorithm = origin.algorithm->dual) {
        const Algorithm *algorithm = origin.algorithm;
        const Claim *claim = algorithm->free_chunks
                                 ? claim_on_rounds(algorithm, network, &point, CLAIM_PERIOD)
                                 : NULL;
        if (claim && claim_exact(claim, &point, &none, exact_from_int(1), &period) &&
            period.exact && period.denominator == 1)
            return period.numerator > 1 ? period.numerator : 1;
        if (!algorithm->free_chunks)
            return 1;
        if (!algorithm->dual)
            return period_of_steps(&origin, network, algorithm->steps, algorithm->step_count);
    }
}

/* Of all schedules that are derived to fill a bag: so much effort takes about a second. */
enum { MOST_BAG_EFFORT = 1 << 24 };

/* Of one number of chunks; NULL: not known. */
typedef struct {
    const Profile *derived; /* when first timed */
    const Profile *untimed; /* derived for what is no time */
    const Profile *told;    /* by the bag */
} KnownProfiles;
ARRAY_TYPE(KnownArray, KnownProfiles);

/* One that is not kept, but for the last: in arrays that the next one fills anew. */
typedef struct {
    int64_t k;         /* 0: none, or nobody asks for it again */
    const Profile *is; /* of k chunks: the next, or one that is kept */
    Profile profile;
    PortStepCost *steps;
    PathCost *paths;
    size_t step_room, path_room;
} LastProfile;

struct ChunkProfiles {
    Arena *arena;
    CurveSubject of;
    bool is_free;
    int64_t most_messages; /* of a round; 0: no matter */
    KnownArray known;      /* by k */
    Bag *bag;              /* of some k at least, without prices; NULL: not filled yet, or none */
    bool is_filled;
    int64_t effort, effort_by_chunk; /* to fill it */
    int64_t most_k; /* with more chunks it is too long to be followed, as far as is known */
    PortStepMemo *memo;
    size_t timed_messages;
    LastProfile larger; /* of more than MOST_DERIVED_CHUNKS */
    LastProfile held;   /* derived for what is no time, while another one has the times */
};

ChunkProfiles *profiles_create(Arena *arena, const CurveSubject *of, bool is_free,
                               bool has_siblings)
{
    ChunkProfiles *profiles = ARENA_NEW(arena, ChunkProfiles);
    *profiles = (ChunkProfiles){.arena = arena,
                                .of = *of,
                                .is_free = is_free,
                                .most_k = MOST_DERIVED_CHUNKS,
                                .memo = memo_create(arena)};
    /* Messages of a round take some 200 bytes each. Of ranks that post together, what they share is
       found for all at once: 1 KB where a message crosses one link, and 3 KB on a torus of some
       thousand ranks. */
    const bool are_small = of->network->topology->direct ||
                           rules_loosest_posting(of->rules, of->algorithm) < POSTING_TOGETHER;
    if (has_siblings)
        profiles->most_messages = are_small ? MOST_ENTRIES : MOST_ENTRIES / 4;
    return profiles;
}

void profiles_share(ChunkProfiles *profiles, PortStepMemo *memo)
{
    profiles->memo = memo;
}

/* k: up to MOST_DERIVED_CHUNKS. Valid until a larger k is asked for: most curves need one k, if
 * any. */
static KnownProfiles *known_of(ChunkProfiles *profiles, int64_t k)
{
    while ((int64_t)profiles->known.count <= k)
        *ARRAY_PUSH(profiles->arena, &profiles->known) = (KnownProfiles){0};
    return &profiles->known.items[k];
}

Instance curve_instance(const CurveSubject *of, int64_t k)
{
    Instance instance = claim_instance(of->algorithm, &of->network->shape, &of->point);
    instance.k = k;
    instance.sizes.weights = of->rules->weights;
    return instance;
}

static bool derive_with(const ChunkProfiles *profiles, Arena *arena, int64_t k, bool wants_peaks,
                        Profile *profile, Diag *diag)
{
    const Instance instance = curve_instance(&profiles->of, k);
    const Derivation of = {.instance = &instance,
                           .network = profiles->of.network,
                           .rules = profiles->of.rules,
                           .count = 1,
                           .memos = &profiles->memo,
                           .wants_peaks = wants_peaks,
                           .most_messages = profiles->most_messages,
                           .profiles = profile};
    return profiles_derive(arena, &of, diag);
}

bool profiles_claimed_peak(const ChunkProfiles *profiles, int64_t k, Exact *share)
{
    ClaimPoint point = profiles->of.point;
    point.k = k;
    return !profiles->of.rules->weights &&
           claim_peak(profiles->of.algorithm, profiles->of.network, &point, share) && share->exact;
}

/* Timelines are kept, of which there are not many (derive_profile), paths with lists, and port
   steps with others. */
static bool may_be_replaced(const Profile *profile)
{
    bool any = profile->timeline != NULL;
    for (size_t i = 0; i < profile->path_count && !any; i++)
        any = profile->paths[i].shares != NULL;
    for (size_t t = 0; t < profile->step_count && !any; t++)
        any = profile->steps[t].earlier != NULL;
    return !any;
}

/* No room to spare at first: many curves ask for one such profile each. */
static bool needs_room(size_t *room, size_t count)
{
    if (*room >= count)
        return false;
    *room = *room && count < 2 * *room ? 2 * *room : count;
    return true;
}

static const Profile *replace(Arena *arena, LastProfile *last, const Profile *derived)
{
    if (needs_room(&last->step_room, derived->step_count))
        last->steps = ARENA_ROOM(arena, PortStepCost, last->step_room);
    if (needs_room(&last->path_room, derived->path_count))
        last->paths = ARENA_ROOM(arena, PathCost, last->path_room);
    last->profile = *derived;
    last->profile.steps = last->steps;
    last->profile.paths = last->paths;
    if (derived->step_count)
        memcpy(last->steps, derived->steps, derived->step_count * sizeof *last->steps);
    if (derived->path_count)
        memcpy(last->paths, derived->paths, derived->path_count * sizeof *last->paths);
    return &last->profile;
}

/* In place of the last one; NULL: it is kept. */
static const Profile *derive_profile(ChunkProfiles *profiles, int64_t k, bool wants_peaks,
                                     LastProfile *last, Diag *diag)
{
    Arena *scratch = arena_scratch(profiles->arena);
    Profile derived;
    const Profile *kept = NULL;
    Exact share;
    wants_peaks = wants_peaks && !profiles_claimed_peak(profiles, k, &share);
    const bool good = derive_with(profiles, scratch, k, wants_peaks, &derived, diag);
    if (good && derived.timeline) /* those that are kept; where k is free these are many */
        profiles->timed_messages += derived.timeline->messages.count;
    const bool is_too_much = profiles->timed_messages > MOST_TIMED_MESSAGES;
    if (good && is_too_much)
        diag_limit(diag, NOWHERE,
                   "too many messages for asynchronous or overlapped costs with every number of "
                   "chunks; fix the number with --set k=NUMBER");
    if (good && !is_too_much) {
        if (!last || !may_be_replaced(&derived)) {
            derived = profile_copy(profiles->arena, &derived);
            kept = ARENA_COPY(profiles->arena, Profile, &derived, 1);
        } else {
            kept = replace(profiles->arena, last, &derived);
        }
    }
    arena_destroy(scratch);
    return kept;
}

/* Where the number of chunks is free, too many are not tried again. */
static const Profile *derive_within(ChunkProfiles *profiles, int64_t k, bool wants_peaks,
                                    Diag *diag)
{
    size_t limits = diag->limit_count;
    const Profile *profile = derive_profile(profiles, k, wants_peaks, NULL, diag);
    if (!profile && diag->limit_count > limits && k > 1 && k <= profiles->most_k)
        profiles->most_k = k - 1;
    return profile;
}

/* Does it take far longer to follow what ranks hold than what they send? Then times do without. */
static bool overlaps(const ChunkProfiles *profiles, int64_t k)
{
    return profiles->of.algorithm->pipelined && k > 1;
}

static const Profile *find_profile(ChunkProfiles *profiles, int64_t k, Diag *diag)
{
    const bool wants_peaks = !overlaps(profiles, k);
    if (k <= MOST_DERIVED_CHUNKS) {
        KnownProfiles *known = known_of(profiles, k);
        if (!known->derived)
            known->derived = derive_within(profiles, k, wants_peaks, diag);
        return known->derived;
    }
    LastProfile *larger = &profiles->larger;
    if (larger->k != k) {
        larger->k = 0;
        larger->is = derive_profile(profiles, k, wants_peaks, larger, diag);
    }
    larger->k = larger->is ? k : 0;
    return larger->is;
}

static bool may_have_bag(const ChunkProfiles *profiles)
{
    const Rules *rules = profiles->of.rules;
    const Algorithm *algorithm = profiles->of.algorithm;
    Exact share;
    /* Without barriers, and for means over ranks, times are no sums over port steps. */
    if (!algorithm->free_chunks || rules->asynchronous || rules->averages ||
        rules->contention == CONTENTION_SHARED)
        return false;
    /* Can prices that depend on what ranks hold be told without following blocks? */
    return !rules_price_local(rules, algorithm) &&
           (!rules_price_by_peak(rules, algorithm) ||
            (profiles_claimed_peak(profiles, 1, &share) &&
             profiles_claimed_peak(profiles, MOST_DERIVED_CHUNKS, &share)));
}

typedef struct {
    ChunkProfiles *profiles;
    Diag *diag; /* nobody hears why there is no bag */
} BagFilling;

/* False where it cannot be derived, or all take too much effort. */
static bool derive_for_bag(void *context, int64_t k, Arena *arena, Profile *profile)
{
    const BagFilling *filling = context;
    ChunkProfiles *profiles = filling->profiles;
    const Profile *one = known_of(profiles, 1)->derived;
    /* the second one that is derived tells what a chunk more takes */
    const int64_t by_chunk = profiles->effort_by_chunk ? profiles->effort_by_chunk : one->effort;
    const int64_t wanted = profiles->effort + one->effort + (k - 1) * by_chunk;
    if (k > 1 && wanted > MOST_BAG_EFFORT)
        return false;
    if (k > 1 && !derive_with(profiles, arena, k, false, profile, filling->diag))
        return false;
    if (k == 1)
        *profile = *one;
    profile->rules = NULL;
    if (k > 1 && !profiles->effort_by_chunk)
        profiles->effort_by_chunk = 1 + (profile->effort - one->effort) / (k - 1);
    profiles->effort += profile->effort;
    return true;
}

/* Of what each number of chunks takes; NULL: it would take too long to know. */
static Bag *find_bag(ChunkProfiles *profiles)
{
    Diag silent = diag_silent();
    if (!profiles->is_filled && may_have_bag(profiles) && find_profile(profiles, 1, &silent)) {
        const Instance instance = curve_instance(&profiles->of, 1);
        BagFilling filling = {profiles, &silent};
        profiles->bag = bag_fill(profiles->arena, period_find(&instance, profiles->of.network),
                                 MOST_DERIVED_CHUNKS, derive_for_bag, &filling);
    }
    profiles->is_filled = true;
    return profiles->bag;
}

const Profile *profiles_untimed(ChunkProfiles *profiles, int64_t k, Diag *diag)
{
    if (overlaps(profiles, k)) {
        const Profile *timed = k <= MOST_DERIVED_CHUNKS ? known_of(profiles, k)->derived : NULL;
        const bool is_told = timed && timed->peak_blocks >= 0;
        const Profile *held =
            is_told ? timed : derive_profile(profiles, k, true, &profiles->held, diag);
        return held ? held : timed;
    }
    if (k > MOST_DERIVED_CHUNKS)
        return derive_profile(profiles, k, true, &profiles->held, diag);
    KnownProfiles *known = known_of(profiles, k);
    if (known->derived)
        return known->derived;
    if (!known->untimed)
        known->untimed = derive_within(profiles, k, true, diag);
    return known->untimed;
}

/* With what is priced by what ranks hold. NULL: the bag does not know. */
static const Profile *ask_bag(ChunkProfiles *profiles, Arena *arena, int64_t k)
{
    const Bag *bag = find_bag(profiles);
    Exact share;
    if (!bag || !bag_knows(bag, k))
        return NULL;
    const Profile *plain = bag_profile(bag, arena, k);
    if (!rules_price_by_peak(profiles->of.rules, profiles->of.algorithm) ||
        !profiles_claimed_peak(profiles, k, &share))
        return plain;
    Profile *priced = ARENA_COPY(arena, Profile, plain, 1);
    priced->rules = profiles->of.rules;
    priced->peak_blocks =
        (share.numerator * plain->chunks + share.denominator - 1) / share.denominator;
    return priced;
}

const Profile *profiles_timed(ChunkProfiles *profiles, int64_t k, Diag *diag)
{
    const bool is_large = k > MOST_DERIVED_CHUNKS;
    if (k == 1 || (!is_large && !profiles->is_free && !profiles->bag))
        return find_profile(profiles, k, diag);
    if (is_large) {
        LastProfile *larger = &profiles->larger;
        Arena *scratch = arena_scratch(profiles->arena);
        const Profile *told = larger->k == k ? NULL : ask_bag(profiles, scratch, k);
        if (told)
            larger->is = replace(profiles->arena, larger, told), larger->k = k;
        arena_destroy(scratch);
        return larger->k == k ? larger->is : find_profile(profiles, k, diag);
    }
    if (known_of(profiles, k)->derived)
        return known_of(profiles, k)->derived;
    if (!known_of(profiles, k)->told) {
        const Profile *told = ask_bag(profiles, profiles->arena, k);
        known_of(profiles, k)->told = told;
    }
    return known_of(profiles, k)->told ? known_of(profiles, k)->told
                                       : find_profile(profiles, k, diag);
}

bool profiles_are_all_known(ChunkProfiles *profiles, int64_t most)
{
    const Bag *bag = find_bag(profiles);
    return bag && bag_knows(bag, most);
}

/* The most chunks that are tried: they send as often as one does, at least. Without a bag some
   dozens are derived, most of them message by message. */
static int64_t most_tried(const ChunkProfiles *profiles)
{
    const Profile *one = profiles->known.count > 1 ? profiles->known.items[1].derived : NULL;
    int64_t most =
        one && one->transfers ? MOST_TIMED_MESSAGES / one->transfers : MOST_DERIVED_CHUNKS;
    most = most < 1 ? 1 : most;
    return most < profiles->most_k ? most : profiles->most_k;
}

int64_t profiles_most(const ChunkProfiles *profiles)
{
    return profiles->bag ? MOST_DERIVED_CHUNKS : most_tried(profiles);
}

bool profiles_are_beyond_reach(ChunkProfiles *profiles, int64_t k)
{
    Diag silent = diag_silent();
    if (!profiles->is_free || k == 1 || k > MOST_DERIVED_CHUNKS || known_of(profiles, k)->derived ||
        find_bag(profiles))
        return false;
    return k > most_tried(profiles) ||
           (!profiles_timed(profiles, k, &silent) && k > profiles->most_k);
}
