#include "cost/periodic.h"

#include "cost/derive_step.h"

/* On a circulant graph of p ranks a period is log2 p chunks, rounded up. */
enum { LONGEST_PERIOD = 12, LEAST_RUN = 4, CONFIRMED_TIMES = 2 };

/* A period that was not confirmed is looked for again with so much more chunks, a quarter: while
   schedules are short, rounds of many ranks look alike by chance. */
enum { LATER = 4 };

/* Port steps that cost the same. Blocks that are no chunks grow with k: all of them, or those of
   two halves, (k + 1) div 2 and k div 2. What a port step has of these is (a k + b) / 2, |b| <= a,
   and kept as minus a number for a and b. Whether its messages are of this form decides, and what
   one of a few chunks is for small k may be a mistake that more chunks put right. Where it is known
   from when on chunks add the same, all blocks are parts of chunks. */
typedef struct {
    PortStepCost step; /* with messages of all kinds */
    bool grows;        /* something in it is kept as a k-th part */
} Kind;
ARRAY_TYPE(KindArray, Kind);

/* How many port steps of each kind a profile has; kinds that came later have none. */
typedef struct {
    int64_t *steps;
    size_t kind_count;
    int64_t startups, chunks;
} Tally;
ARRAY_TYPE(TallyArray, Tally);

struct Periodic {
    Arena *arena;
    int64_t most, known;
    KindArray kinds;
    PathList paths;                    /* of all kinds */
    TallyArray tallies;                /* by k, from 0 on; none before the first is known */
    int64_t last;                      /* the tallies known in a row from 1 on */
    int64_t period;                    /* to be confirmed, or confirmed; 0: none */
    int64_t again[LONGEST_PERIOD + 1]; /* of each period that was not: from how many chunks on */
    bool is_even;                      /* a period adds the same up to whichever number of chunks */
    bool is_confirmed;
    bool is_barred; /* where profiles are not of this form */
};

Periodic *periodic_create(Arena *arena, int64_t most, int64_t known)
{
    Periodic *periodic = ARENA_NEW(arena, Periodic);
    *periodic = (Periodic){.arena = arena, .most = most, .known = known};
    return periodic;
}

/* b of what grows is between - MOST_OFFSET and MOST_OFFSET. */
enum { MOST_OFFSET = 1 << 15 };

/* (a k + b) / 2 with the least |b|, as a number below 0; other blocks as they are. */
static int64_t per_chunk(int64_t blocks, int64_t k)
{
    if (blocks <= 0 || blocks > INT64_MAX / 8)
        return blocks;
    const int64_t a = (4 * blocks + k) / (2 * k), b = 2 * blocks - a * k;
    const int64_t offset = b < 0 ? -b : b;
    bool grows = offset <= a && offset < MOST_OFFSET && a < INT64_MAX / (4 * MOST_OFFSET);
    return grows ? -(a * 2 * MOST_OFFSET + b + MOST_OFFSET) : blocks;
}

static int64_t as_it_is(int64_t blocks, int64_t k)
{
    (void)k;
    return blocks;
}

static int64_t for_chunks(int64_t kept, int64_t k)
{
    const int64_t a = -kept / (2 * MOST_OFFSET), b = -kept % (2 * MOST_OFFSET) - MOST_OFFSET;
    return kept < 0 ? (a * k + b) / 2 : kept;
}

/* Replaces what of a path can be divided by k by what `convert` makes of it. True where any of it
   is kept as a k-th part. */
static bool convert_path(Periodic *periodic, PathCost *path, int64_t convert(int64_t, int64_t),
                         int64_t k)
{
    const PortShare *shares = path->shares, **last = &path->shares;
    path->load = convert(path->load, k);
    path->choice.message = convert(path->choice.message, k);
    bool grows = path->load < 0 || path->choice.message < 0;
    for (; shares; shares = shares->next) {
        PortShare *share = ARENA_COPY(periodic->arena, PortShare, shares, 1);
        share->blocks = convert(share->blocks, k);
        share->choice.message = convert(share->choice.message, k);
        grows |= share->blocks < 0 || share->choice.message < 0;
        *last = share;
        last = (const PortShare **)&share->next;
    }
    return grows;
}

static bool is_same_path(const PathCost *a, const PathCost *b)
{
    return a->startups == b->startups && a->hops == b->hops && a->load == b->load &&
           a->lanes == b->lanes && a->startup == b->startup && a->hop == b->hop &&
           a->rate == b->rate && a->varied == b->varied && a->varied_rate == b->varied_rate &&
           a->factor == b->factor && choices_compare(&a->choice, &b->choice) == 0 &&
           a->priced == b->priced && a->list_startups == b->list_startups &&
           shares_compare(a->shares, b->shares) == 0;
}

static bool is_same_kind(const Periodic *periodic, const PortStepCost *a, const PortStepCost *b)
{
    const PathCost *paths = periodic->paths.items;
    bool same = a->path_count == b->path_count && a->combined == b->combined &&
                overlaps_same(a->earlier, b->earlier);
    for (size_t i = 0; i < a->path_count && same; i++)
        same = is_same_path(&paths[a->first_path + i], &paths[b->first_path + i]);
    return same;
}

/* Does what the port step sends, or where it sends nothing, combines, grow with k? Of several
   entries the first one says so. */
static bool is_growing(const Profile *profile, const PortStepCost *step, int64_t k)
{
    while (step->continues && step > profile->steps)
        step--;
    return per_chunk(step->message ? step->message : step->combined, k) < 0;
}

/* Its paths are the last ones. */
static Kind add_paths(Periodic *periodic, const Profile *profile, const PortStepCost *step,
                      int64_t k)
{
    const bool may_grow = !periodic->known && is_growing(profile, step, k);
    int64_t (*convert)(int64_t, int64_t) = may_grow ? per_chunk : as_it_is;
    Kind kind = {*step, false};
    kind.step.first_path = periodic->paths.count;
    kind.step.combined = convert(step->combined, k);
    kind.grows = kind.step.combined < 0;
    for (size_t i = 0; i < step->path_count; i++) {
        PathCost *path = ARRAY_PUSH(periodic->arena, &periodic->paths);
        *path = profile->paths[step->first_path + i];
        kind.grows |= convert_path(periodic, path, convert, k);
    }
    return kind;
}

static size_t find_kind(Periodic *periodic, const Profile *profile, const PortStepCost *step,
                        int64_t k)
{
    Kind kind = add_paths(periodic, profile, step, k);
    for (size_t i = 0; i < periodic->kinds.count; i++)
        if (is_same_kind(periodic, &periodic->kinds.items[i].step, &kind.step)) {
            periodic->paths.count = kind.step.first_path;
            return i;
        }
    *ARRAY_PUSH(periodic->arena, &periodic->kinds) = kind;
    return periodic->kinds.count - 1;
}

static Tally tally_of(Periodic *periodic, const Profile *profile, int64_t k)
{
    size_t room = periodic->kinds.count + profile->step_count;
    Tally tally = {.steps = ARENA_ARRAY(periodic->arena, int64_t, room + 1),
                   .startups = profile->startups,
                   .chunks = profile->chunks};
    for (size_t t = 0; t < profile->step_count; t++) {
        const PortStepCost *step = &profile->steps[t];
        tally.steps[find_kind(periodic, profile, step, k)] += step->repeat;
    }
    tally.kind_count = periodic->kinds.count;
    return tally;
}

static int64_t steps_in(const Tally *tally, size_t kind)
{
    return kind < tally->kind_count ? tally->steps[kind] : 0;
}

/* What a period adds up to k, of one kind. */
static int64_t gain(const Periodic *periodic, int64_t k, size_t kind)
{
    return steps_in(&periodic->tallies.items[k], kind) -
           steps_in(&periodic->tallies.items[k - periodic->period], kind);
}

/* What a period adds from the numbers of chunks that are derived on, to those behind k. */
static int64_t lasting_gain(const Periodic *periodic, int64_t k, size_t kind)
{
    return gain(periodic, periodic->is_even ? periodic->last : k, kind);
}

/* The last number of chunks that is derived and a number of periods before k. */
static int64_t base_of(const Periodic *periodic, int64_t k)
{
    return periodic->last -
           (periodic->last - k % periodic->period + periodic->period) % periodic->period;
}

/* Does each of the last numbers of chunks, of a whole period at least, add the same as the one a
   period before? */
static bool is_run(Periodic *periodic, int64_t period)
{
    const int64_t run = period > LEAST_RUN ? period : LEAST_RUN;
    periodic->period = period;
    if (periodic->last < 2 * period + run)
        return false;
    for (int64_t k = periodic->last; k > periodic->last - period - run; k--)
        for (size_t kind = 0; kind < periodic->kinds.count; kind++) {
            int64_t more = gain(periodic, k, kind);
            if (more < 0 || (k > periodic->last - run && more != gain(periodic, k - period, kind)))
                return false;
        }
    return true;
}

/* Where periods are long: does each number of chunks of the last period add the same to the one a
   period before? Then what a period adds need not be seen twice. */
static bool is_even_run(Periodic *periodic, int64_t period)
{
    periodic->period = period;
    if (period <= LEAST_RUN || periodic->last <= 2 * period)
        return false;
    for (int64_t k = periodic->last; k > periodic->last - period; k--)
        for (size_t kind = 0; kind < periodic->kinds.count; kind++) {
            int64_t more = gain(periodic, k, kind);
            if (more < 0 || more != gain(periodic, periodic->last, kind))
                return false;
        }
    return true;
}

static bool is_regular(const Profile *profile, int64_t k)
{
    return !profile->timeline && !profile->averaged && !profile->ceil_chunks && !profile->rules &&
           profile->chunks % k == 0;
}

bool periodic_is_open(const Periodic *periodic)
{
    return !periodic->is_confirmed && !periodic->is_barred &&
           CONFIRMED_TIMES * (periodic->last + 1) <= periodic->most;
}

bool periodic_is_confirmed(const Periodic *periodic)
{
    return periodic->is_confirmed;
}

int64_t periodic_next(const Periodic *periodic)
{
    return periodic->last + 1;
}

int64_t periodic_add(Periodic *periodic, int64_t k, const Profile *profile)
{
    if (!periodic_is_open(periodic) || k != periodic_next(periodic))
        return 0;
    periodic->is_barred = !is_regular(profile, k);
    if (periodic->is_barred)
        return 0;
    if (!periodic->tallies.count)
        *ARRAY_PUSH(periodic->arena, &periodic->tallies) = (Tally){0};
    *ARRAY_PUSH(periodic->arena, &periodic->tallies) = tally_of(periodic, profile, k);
    periodic->last = k;
    periodic->is_confirmed = periodic->known && k > periodic->known;
    if (periodic->is_confirmed)
        periodic->period = 1;
    if (periodic->known)
        return 0;
    for (int64_t period = 1; period <= LONGEST_PERIOD; period++) {
        if (k < periodic->again[period])
            continue;
        periodic->is_even = !is_run(periodic, period);
        if (!periodic->is_even || is_even_run(periodic, period))
            return CONFIRMED_TIMES * k;
    }
    periodic->period = 0;
    return 0;
}

/* Of a kind in a profile of k chunks, behind those that are derived. */
static int64_t extend_port_steps(const Periodic *periodic, int64_t k, size_t kind)
{
    int64_t base = base_of(periodic, k), periods = (k - base) / periodic->period;
    return steps_in(&periodic->tallies.items[base], kind) +
           periods * lasting_gain(periodic, base, kind);
}

static int64_t extend_startups(const Periodic *periodic, int64_t k)
{
    int64_t base = base_of(periodic, k), periods = (k - base) / periodic->period;
    int64_t more = periodic->is_even ? periodic->last : base;
    return periodic->tallies.items[base].startups +
           periods * (periodic->tallies.items[more].startups -
                      periodic->tallies.items[more - periodic->period].startups);
}

static int64_t extend_chunks(const Periodic *periodic, int64_t k)
{
    return periodic->tallies.items[periodic->last].chunks / periodic->last * k;
}

bool periodic_confirm(Periodic *periodic, int64_t k, const Profile *profile)
{
    size_t known = periodic->kinds.count;
    Tally derived = tally_of(periodic, profile, k);
    bool same = periodic->kinds.count == known && is_regular(profile, k) &&
                derived.chunks == extend_chunks(periodic, k) &&
                derived.startups == extend_startups(periodic, k);
    for (size_t kind = 0; kind < known && same; kind++)
        same = steps_in(&derived, kind) == extend_port_steps(periodic, k, kind);
    periodic->is_confirmed = same;
    if (!same)
        periodic->again[periodic->period] = periodic->last + periodic->last / LATER + 1;
    return same;
}

/* The paths of all kinds; where those of a kind grow with k, a copy for k chunks. */
static PathCost *paths_for(Periodic *periodic, int64_t k, bool grow)
{
    if (!grow)
        return periodic->paths.items;
    PathCost *paths =
        ARENA_COPY(periodic->arena, PathCost, periodic->paths.items, periodic->paths.count);
    for (size_t i = 0; i < periodic->paths.count; i++)
        convert_path(periodic, &paths[i], for_chunks, k);
    return paths;
}

static size_t count_used(const Periodic *periodic, int64_t k)
{
    size_t used = 0;
    for (size_t i = 0; i < periodic->kinds.count; i++)
        used += extend_port_steps(periodic, k, i) != 0;
    return used;
}

const Profile *periodic_profile(Periodic *periodic, int64_t k)
{
    if (!periodic->is_confirmed || k <= periodic->last)
        return NULL;
    Profile *profile = ARENA_NEW(periodic->arena, Profile);
    *profile =
        (Profile){.steps = ARENA_ROOM(periodic->arena, PortStepCost, count_used(periodic, k)),
                  .path_count = periodic->paths.count,
                  .startups = extend_startups(periodic, k),
                  .chunks = extend_chunks(periodic, k),
                  .peak_blocks = -1};
    bool grow = false;
    for (size_t i = 0; i < periodic->kinds.count; i++) {
        const Kind *kind = &periodic->kinds.items[i];
        PortStepCost step = kind->step;
        step.repeat = extend_port_steps(periodic, k, i);
        step.combined = for_chunks(step.combined, k);
        if (!step.repeat)
            continue;
        grow |= kind->grows;
        profile->steps[profile->step_count++] = step;
    }
    profile->paths = paths_for(periodic, k, grow);
    return profile;
}
