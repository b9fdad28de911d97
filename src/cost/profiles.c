#include "cost/profiles.h"

#include "cost/derive_instance.h"
#include "cost/derive_memo.h"
#include "cost/derive_sequence.h"
#include "cost/derive_timeline.h"
#include "cost/periodic.h"
#include "sched/chunk_repeats.h"

/* Of the schedule of MOST_DERIVED_CHUNKS chunks: so many transfers take about a second. And of the
   largest that is derived in search of the best number of chunks, where those of many do not follow
   from those of few: some dozens are, a quarter of a second each. */
enum { MOST_GROWN_TRANSFERS = 1 << 23, MOST_SEARCHED_TRANSFERS = 1 << 21 };

/* In a round of ranks that post together: what their messages share is found for all at once. Each
   takes about 1 KB where it crosses one link, and 3 KB on a torus of some thousand ranks. */
enum { MOST_POSTED_DIRECT = 1 << 22, MOST_POSTED_ROUTED = 1 << 20 };

/* Of one number of chunks; NULL: not known. */
typedef struct {
    const Profile *derived;  /* when first timed */
    const Profile *untimed;  /* derived for what is no time */
    const Profile *extended; /* where it follows from others */
    const Profile *grown;    /* from `sequence_costs` */
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
    const Algorithm *algorithm;
    const Network *network;
    const Rules *rules;
    ClaimPoint point;
    bool is_free;
    int64_t most_messages;         /* of a round; 0: no matter */
    KnownArray known;              /* by k */
    SequenceCosts *sequence_costs; /* NULL: not known, or there are none */
    bool has_tried_costs;
    int64_t most_k; /* with more chunks it is too long to be followed, as far as is known */
    PortStepMemo *memo;
    Periodic *periodic;
    int64_t periodic_transfers; /* of the profiles that it was given */
    size_t timed_messages;
    LastProfile larger; /* of more than MOST_DERIVED_CHUNKS */
    LastProfile held;   /* derived for what is no time, while another one has the times */
};

/* From how many chunks on each further one adds the same; 0: that is not known. With as many chunks
   as stages, all stages of a pipeline run at once in some period, and one chunk more is one such
   period more. */
static int64_t known_period(const Algorithm *algorithm, const Shape *shape)
{
    int64_t stages = 0;
    for (size_t i = 0; i < algorithm->step_count && algorithm->pipelined; i++) {
        const Use *use = &algorithm->steps[i].use;
        stages += use->along == ALONG_ALL_RANKS ? 1
                  : use->along == ALONG_NAMED   ? (int64_t)use->dimension_count
                                                : shape->count;
    }
    return stages;
}

ChunkProfiles *profiles_create(Arena *arena, const Algorithm *algorithm, const Network *network,
                               const Rules *rules, const ClaimPoint *point, bool is_free,
                               bool has_siblings)
{
    ChunkProfiles *profiles = ARENA_NEW(arena, ChunkProfiles);
    *profiles =
        (ChunkProfiles){.arena = arena,
                        .algorithm = algorithm,
                        .network = network,
                        .rules = rules,
                        .point = *point,
                        .is_free = is_free,
                        .most_k = MOST_DERIVED_CHUNKS,
                        .memo = memo_create(arena),
                        .periodic = periodic_create(arena, MOST_DERIVED_CHUNKS,
                                                    known_period(algorithm, &network->shape))};
    if (has_siblings && rules_post_some_together(rules, algorithm))
        profiles->most_messages =
            network->topology->direct ? MOST_POSTED_DIRECT : MOST_POSTED_ROUTED;
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

static Instance instance_with(const ChunkProfiles *profiles, int64_t k)
{
    return (Instance){.algorithm = profiles->algorithm,
                      .p = profiles->point.p,
                      .root = profiles->point.root,
                      .k = k,
                      .ports = profiles->point.ports,
                      .shape = &profiles->network->shape,
                      .target = profiles->point.target,
                      .branches = profiles->point.branches,
                      .weights = profiles->rules->weights,
                      .most_messages = profiles->most_messages};
}

/* The most chunks that are tried, where those of many do not follow from those of few: they send as
   often as one does, at least. */
static int64_t most_searched(const ChunkProfiles *profiles)
{
    const Profile *one = profiles->known.count > 1 ? profiles->known.items[1].derived : NULL;
    int64_t most =
        one && one->transfers ? MOST_SEARCHED_TRANSFERS / one->transfers : MOST_DERIVED_CHUNKS;
    most = most < 1 ? 1 : most;
    return most < profiles->most_k ? most : profiles->most_k;
}

int64_t profiles_most(const ChunkProfiles *profiles)
{
    return profiles->sequence_costs || periodic_is_confirmed(profiles->periodic)
               ? MOST_DERIVED_CHUNKS
               : most_searched(profiles);
}

bool profiles_want_one_chunk(const ChunkProfiles *profiles)
{
    Instance instance = instance_with(profiles, 1);
    return profiles->is_free && !profiles->rules->asynchronous && !profiles->rules->averages &&
           !profiles->rules->protocols &&
           !rules_price_by_peak(profiles->rules, profiles->algorithm) &&
           chunks_only_repeat(&instance, MOST_DERIVED_CHUNKS);
}

/* The messages of all profiles that are kept; where k is free these are many. */
static bool count_timed(ChunkProfiles *profiles, const Profile *profile, Diag *diag)
{
    profiles->timed_messages += profile->timeline ? timeline_size(profile->timeline) : 0;
    if (profiles->timed_messages <= MOST_TIMED_MESSAGES)
        return true;
    diag_limit(diag, NOWHERE,
               "too many messages for asynchronous or overlapped costs with every number of "
               "chunks; fix the number with --set k=NUMBER");
    return false;
}

bool profiles_claimed_peak(const ChunkProfiles *profiles, int64_t k, Exact *share)
{
    ClaimPoint point = profiles->point;
    point.k = k;
    return !profiles->rules->weights &&
           claim_peak(profiles->algorithm, profiles->network, &point, share) && share->exact;
}

/* Timelines are kept, of which there are not many (count_timed), and paths with lists. */
static bool may_be_replaced(const Profile *profile)
{
    bool any = profile->timeline != NULL;
    for (size_t i = 0; i < profile->path_count && !any; i++)
        any = profile->paths[i].shares != NULL;
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
    Instance instance = instance_with(profiles, k);
    Arena *scratch = arena_scratch(profiles->arena);
    Profile derived;
    const Profile *kept = NULL;
    Exact share;
    wants_peaks = wants_peaks && !profiles_claimed_peak(profiles, k, &share);
    if (profile_derive_with(scratch, profiles->memo, &instance, profiles->network, profiles->rules,
                            wants_peaks, &derived, diag) &&
        count_timed(profiles, &derived, diag)) {
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
    return profiles->algorithm->pipelined && k > 1;
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

/* Can prices that depend on what ranks hold be told without following blocks? */
static bool has_known_prices(const ChunkProfiles *profiles)
{
    Exact share;
    return !rules_price_by_peak(profiles->rules, profiles->algorithm) ||
           (!rules_price_local(profiles->rules, profiles->algorithm) &&
            profiles_claimed_peak(profiles, 1, &share) &&
            profiles_claimed_peak(profiles, MOST_DERIVED_CHUNKS, &share));
}

/* A profile of k chunks that follows from others: with what is priced by what ranks hold. */
static const Profile *price(const ChunkProfiles *profiles, const Profile *plain, int64_t k)
{
    Exact share;
    if (!plain || !rules_price_by_peak(profiles->rules, profiles->algorithm) ||
        !profiles_claimed_peak(profiles, k, &share))
        return plain;
    Profile *priced = ARENA_COPY(profiles->arena, Profile, plain, 1);
    priced->rules = profiles->rules;
    priced->peak_blocks =
        (share.numerator * plain->chunks + share.denominator - 1) / share.denominator;
    return priced;
}

/* A profile from which others may follow. */
static const Profile *without_prices(const ChunkProfiles *profiles, const Profile *profile)
{
    if (!profile->rules || !has_known_prices(profiles))
        return profile;
    Profile *plain = ARENA_COPY(profiles->arena, Profile, profile, 1);
    plain->rules = NULL;
    return plain;
}

static SequenceCosts *find_sequence_costs(ChunkProfiles *profiles, const Profile *one)
{
    Diag silent = diag_silent();
    const Instance instance = instance_with(profiles, MOST_DERIVED_CHUNKS);
    const bool grows = one->transfers <= MOST_GROWN_TRANSFERS / MOST_DERIVED_CHUNKS;
    SequenceCosts *costs = sequence_costs_find(profiles->arena, profiles->memo, &instance,
                                               profiles->network, profiles->rules, grows);
    const int64_t asked = costs ? sequence_costs_asked(costs) : 0;
    if (!asked)
        return costs;
    const Profile *derived = asked * one->transfers <= MOST_SEARCHED_TRANSFERS
                                 ? find_profile(profiles, asked, &silent)
                                 : NULL;
    return derived && sequence_costs_confirm(costs, derived) ? costs : NULL;
}

/* Where the number of chunks is free, that of the most chunks may tell those of all. */
static bool follow_from_most(ChunkProfiles *profiles)
{
    Diag silent = diag_silent();
    if (!profiles->is_free || profiles->has_tried_costs)
        return profiles->sequence_costs != NULL;
    profiles->has_tried_costs = true;
    const Profile *one = find_profile(profiles, 1, &silent);
    if (one && has_known_prices(profiles))
        profiles->sequence_costs = find_sequence_costs(profiles, one);
    return profiles->sequence_costs != NULL;
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
    if (k > MOST_DERIVED_CHUNKS || known_of(profiles, k)->derived)
        return find_profile(profiles, k, diag);
    KnownProfiles *known = known_of(profiles, k);
    if (!known->untimed)
        known->untimed = derive_within(profiles, k, true, diag);
    return known->untimed;
}

/* Without chunks there is nothing to add. */
static bool may_be_periodic(const ChunkProfiles *profiles)
{
    return profiles->algorithm->free_chunks && periodic_is_open(profiles->periodic);
}

/* Where chunks have come to add the same again and again, the profile of many more of them tells
   whether that goes on. */
static void watch_periodic(ChunkProfiles *profiles, int64_t k, const Profile *profile)
{
    Diag silent = diag_silent();
    if (!may_be_periodic(profiles) || k != periodic_next(profiles->periodic))
        return;
    int64_t wanted = periodic_add(profiles->periodic, k, without_prices(profiles, profile));
    bool is_reached = wanted && wanted <= profiles->most_k;
    const Profile *more = is_reached ? find_profile(profiles, wanted, &silent) : NULL;
    profiles->periodic_transfers += profile->transfers + (more ? more->transfers : 0);
    if (more)
        periodic_confirm(profiles->periodic, wanted, without_prices(profiles, more));
}

bool profiles_follow_from_few(ChunkProfiles *profiles, int64_t most_transfers, Diag *diag)
{
    Periodic *periodic = profiles->periodic;
    if (follow_from_most(profiles))
        return true;
    while (may_be_periodic(profiles) && profiles->periodic_transfers <= most_transfers) {
        int64_t k = periodic_next(periodic);
        if (k > profiles->most_k)
            return false;
        const Profile *profile = find_profile(profiles, k, diag);
        if (!profile)
            return false;
        watch_periodic(profiles, k, profile);
    }
    return periodic_is_confirmed(periodic);
}

/* Of k chunks, those of fewer being passed over: if it takes no longer, it is first tried whether
   all follow from few. */
static void try_periodic(ChunkProfiles *profiles, int64_t k)
{
    Diag silent = diag_silent();
    const Profile *first = known_of(profiles, 1)->derived;
    if (first && k > periodic_next(profiles->periodic))
        profiles_follow_from_few(profiles, k * first->transfers, &silent);
}

const Profile *profiles_timed(ChunkProfiles *profiles, int64_t k, Diag *diag)
{
    if (k > MOST_DERIVED_CHUNKS || known_of(profiles, k)->derived)
        return find_profile(profiles, k, diag);
    if (k > 1 && follow_from_most(profiles)) {
        KnownProfiles *known = known_of(profiles, k);
        if (known->derived) /* to confirm what follows */
            return known->derived;
        if (!known->grown)
            known->grown = price(profiles, sequence_costs_profile(profiles->sequence_costs, k), k);
        return known->grown;
    }
    try_periodic(profiles, k);
    KnownProfiles *known = known_of(profiles, k);
    if (!known->extended)
        known->extended = price(profiles, periodic_profile(profiles->periodic, k), k);
    if (known->extended)
        return known->extended;
    const Profile *profile = find_profile(profiles, k, diag);
    if (profile)
        watch_periodic(profiles, k, profile);
    return profile;
}

bool profiles_are_beyond_reach(ChunkProfiles *profiles, int64_t k)
{
    Diag silent = diag_silent();
    if (!profiles->is_free || k == 1 || k > MOST_DERIVED_CHUNKS ||
        periodic_is_confirmed(profiles->periodic) || follow_from_most(profiles))
        return false;
    return k > most_searched(profiles) ||
           (!profiles_timed(profiles, k, &silent) && k > profiles->most_k);
}
