#include "cost/bag.h"

#include "cost/derive_step.h"

#include <string.h>

/* Port steps that cost the same. Where messages carry blocks that are no chunks, these grow with k:
   all of them, or those of two halves, (k + 1) div 2 and k div 2. What a port step has of these is
   (a k + b) / 2, |b| <= a, and kept as minus a number for a and b. Whether its messages are of this
   form decides, and what one of a few chunks is for small k may be a mistake that more chunks put
   right. */
typedef struct {
    PortStepCost step;
    bool grows;        /* something in it is kept as a k-th part */
    int32_t same_hash; /* the kind before it with its hash; -1: none */
} Kind;
ARRAY_TYPE(KindArray, Kind);

/* While schedules are short, all up to K0 are derived: a program may make an exception of some. So
   much effort (derive_profile.h) is worth a check in any case, and so much is spent to derive each
   k, before some are passed over; of so few each is derived. */
enum { CHECKED_EFFORT = 1 << 14, MOST_DENSE_EFFORT = 1 << 20, LEAST_DENSE = 8 };

/* Chunks that one meets, at most, where the next one starts in the second half of its time. */
enum { FEW_MET = 6 };

/* Kinds that came later have none. */
typedef struct {
    int64_t *counts; /* of each kind; NULL: not known */
    size_t kind_count;
    int64_t startups, effort;
} Tally;

struct Bag {
    Arena *arena;
    ChunkDeriver derive;
    void *context;
    int64_t period, most;
    int64_t chunks; /* of one chunk */
    bool is_ceiled;
    bool may_grow; /* messages carry blocks that grow with k */
    KindArray kinds;
    PathList paths; /* of all kinds */
    PlaceTable places;
    Tally *tallies; /* by k */
    int64_t *bases; /* by k: where the line begins on which it lies; 0: on none that is known */
    int64_t last;   /* the base of all behind the most; 0: not known */
};

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
static bool convert_path(Arena *arena, PathCost *path, int64_t convert(int64_t, int64_t), int64_t k)
{
    const PortShare *shares = path->shares, **last = &path->shares;
    path->load = convert(path->load, k);
    path->choice.message = convert(path->choice.message, k);
    bool grows = path->load < 0 || path->choice.message < 0;
    for (; shares; shares = shares->next) {
        PortShare *share = ARENA_COPY(arena, PortShare, shares, 1);
        share->blocks = convert(share->blocks, k);
        share->choice.message = convert(share->choice.message, k);
        grows |= share->blocks < 0 || share->choice.message < 0;
        *last = share;
        last = (const PortShare **)&share->next;
    }
    return grows;
}

static bool is_same_kind(const Bag *bag, const PortStepCost *a, const PortStepCost *b)
{
    const PathCost *one = bag->paths.items + a->first_path;
    const PathCost *other = bag->paths.items + b->first_path;
    bool same = a->path_count == b->path_count && a->combined == b->combined &&
                overlaps_same(a->earlier, b->earlier);
    for (size_t i = 0; i < a->path_count && same; i++) /* k-th parts have no order */
        same = one[i].load == other[i].load && one[i].lanes == other[i].lanes &&
               paths_compare(&one[i], &other[i]) == 0;
    return same;
}

/* Does what the port step sends, or where it sends nothing, combines, grow with k? */
static bool is_growing(const PortStepCost *step, int64_t k)
{
    return per_chunk(step->message ? step->message : step->combined, k) < 0;
}

/* Its paths are the last ones. */
static Kind add_paths(Bag *bag, const Profile *profile, const PortStepCost *step, int64_t k)
{
    const PortStepCost *first = step; /* of several entries that one says whether they grow */
    while (first->continues && first > profile->steps)
        first--;
    const bool grows = bag->may_grow && is_growing(first, k);
    int64_t (*convert)(int64_t, int64_t) = grows ? per_chunk : as_it_is;
    Kind kind = {*step, false, -1};
    kind.step.first_path = bag->paths.count;
    kind.step.combined = convert(step->combined, k);
    kind.grows = kind.step.combined < 0;
    for (size_t i = 0; i < step->path_count; i++) {
        PathCost *path = ARRAY_PUSH(bag->arena, &bag->paths);
        *path = profile->paths[step->first_path + i];
        kind.grows |= convert_path(bag->arena, path, convert, k);
    }
    return kind;
}

static size_t find_kind(Bag *bag, const Profile *profile, const PortStepCost *step, int64_t k)
{
    Kind kind = add_paths(bag, profile, step, k);
    uint64_t hash = (uint64_t)kind.step.combined;
    for (size_t i = kind.step.first_path; i < bag->paths.count; i++) {
        const PathCost *path = &bag->paths.items[i];
        hash = (hash ^ (uint64_t)path->load ^ (uint64_t)path->hops << 32) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    int32_t *first = place_table_find(bag->arena, &bag->places, hash >> 1);
    for (int32_t i = *first; i >= 0; i = bag->kinds.items[i].same_hash)
        if (is_same_kind(bag, &bag->kinds.items[i].step, &kind.step)) {
            bag->paths.count = kind.step.first_path;
            return (size_t)i;
        }
    kind.step.earlier = overlaps_copy(bag->arena, kind.step.earlier);
    kind.same_hash = *first;
    *first = (int32_t)bag->kinds.count;
    *ARRAY_PUSH(bag->arena, &bag->kinds) = kind;
    return bag->kinds.count - 1;
}

static int64_t count_in(const Tally *tally, size_t kind)
{
    return kind < tally->kind_count ? tally->counts[kind] : 0;
}

/* The number of a tally of k chunks, on the line through a period of tallies from `base` on. */
static int64_t startups_on(const Bag *bag, int64_t base, int64_t k)
{
    const Tally *low = &bag->tallies[base], *high = low + bag->period;
    const int64_t periods = (k - base) / bag->period;
    return low[(k - base) % bag->period].startups + periods * (high->startups - low->startups);
}

static int64_t count_on(const Bag *bag, int64_t base, int64_t k, size_t kind)
{
    const Tally *low = &bag->tallies[base], *high = low + bag->period;
    const int64_t periods = (k - base) / bag->period;
    return count_in(&low[(k - base) % bag->period], kind) +
           periods * (count_in(high, kind) - count_in(low, kind));
}

/* Do the counts of k chunks, which are known, lie on the line from `base`? */
static bool is_on(const Bag *bag, int64_t base, int64_t k)
{
    const Tally *derived = &bag->tallies[k];
    bool same = derived->startups == startups_on(bag, base, k);
    for (size_t kind = 0; kind < bag->kinds.count && same; kind++)
        same = count_in(derived, kind) == count_on(bag, base, k, kind);
    return same;
}

static bool need(Bag *bag, int64_t k)
{
    Profile profile;
    if (bag->tallies[k].counts)
        return true;
    Arena *scratch = arena_scratch(bag->arena);
    bool good = bag->derive(bag->context, k, scratch, &profile) && !profile.timeline &&
                !profile.averaged && !profile.rules;
    if (good && !bag->chunks)
        bag->chunks = profile.chunks / k;
    good = good && profile.chunks == bag->chunks * k;
    if (good) {
        const size_t room = bag->kinds.count + profile.step_count + 1;
        int64_t *counts = ARENA_ARRAY(scratch, int64_t, room);
        for (size_t t = 0; t < profile.step_count; t++)
            counts[find_kind(bag, &profile, &profile.steps[t], k)] += profile.steps[t].repeat;
        bag->tallies[k] = (Tally){ARENA_COPY(bag->arena, int64_t, counts, bag->kinds.count + 1),
                                  bag->kinds.count, profile.startups, profile.effort};
        bag->is_ceiled = profile.ceil_chunks;
    }
    arena_destroy(scratch);
    return good;
}

static void lie_on(Bag *bag, int64_t base, int64_t end)
{
    for (int64_t k = base; k < end; k++)
        bag->bases[k] = base;
}

/* Where the lines of two pairs of neighbours meet: a pair between them. */
static int64_t find_bend(const Bag *bag, int64_t low, int64_t high)
{
    int64_t at = low + (high - low) / 2;
    for (size_t kind = 0; kind < bag->kinds.count; kind++) {
        const int64_t from = count_in(&bag->tallies[low], kind);
        const int64_t to = count_in(&bag->tallies[high], kind);
        const int64_t rise = count_in(&bag->tallies[low + 1], kind) - from;
        const int64_t later = count_in(&bag->tallies[high + 1], kind) - to;
        if (rise != later) {
            at = low + (from - to + later * (high - low)) / (later - rise);
            break;
        }
    }
    return at < low + 2 ? low + 2 : at > high - 1 ? high - 1 : at;
}

/* What lies between two pairs of neighbours, low and low + 1, high and high + 1. */
static bool draw_lines(Bag *bag, int64_t low, int64_t high)
{
    while (high - low > 2) {
        int64_t bend = find_bend(bag, low, high);
        if (is_on(bag, low, high) && is_on(bag, low, high + 1)) {
            bend = low + (high - low) / 2;
            if (!need(bag, bend) || !need(bag, bend + 1))
                return false;
            if (is_on(bag, low, bend) && is_on(bag, low, bend + 1))
                break;
        }
        if (!need(bag, bend) || !need(bag, bend + 1) || !draw_lines(bag, low, bend))
            return false;
        low = bend;
    }
    lie_on(bag, low, high);
    return true;
}

/* Does the line from `base` tell the counts of all k behind it? Where that is soon seen, the most
   chunks are asked, too: something in a program may begin late. */
static bool tell_all(Bag *bag, int64_t base, int64_t far, bool *tells)
{
    const Tally *low = &bag->tallies[far], *high = low + bag->period;
    const int64_t effort =
        low->effort + (bag->most - far) / bag->period * (high->effort - low->effort);
    bool good = base > 0 && base + 2 * bag->period - 1 < far;
    /* Of the two periods from `base` on, does the second one lie on the line of the first, where
       nothing gets less? */
    const Tally *first = good ? &bag->tallies[base] : NULL;
    for (size_t kind = 0; kind < bag->kinds.count && good; kind++)
        good = count_in(first + bag->period, kind) >= count_in(first, kind);
    for (int64_t k = base + bag->period; k < base + 2 * bag->period && good; k++)
        good = is_on(bag, base, k);
    *tells = good && is_on(bag, base, far) && is_on(bag, base, far + 1) &&
             is_on(bag, base, far + bag->period);
    if (!*tells || effort > CHECKED_EFFORT)
        return true;
    good = need(bag, bag->most);
    *tells = good && is_on(bag, base, bag->most);
    return good;
}

/* Those by which all is told. Where more chunks bring kinds that grow, all is looked at anew. */
static bool need_far(Bag *bag, int64_t far)
{
    if (!need(bag, far))
        return false;
    const size_t kinds = bag->kinds.count;
    if (!need(bag, far + bag->period))
        return false;
    bool some_grow = false;
    for (size_t i = kinds; i < bag->kinds.count && !some_grow; i++)
        some_grow = is_growing(&bag->kinds.items[i].step, far + bag->period);
    if (!bag->may_grow && some_grow) {
        bag->may_grow = true;
        bag->kinds = (KindArray){0};
        place_table_clear(&bag->places);
        memset(bag->tallies, 0, ((size_t)bag->most + 1) * sizeof *bag->tallies);
        return need_far(bag, far);
    }
    return need(bag, far + 1);
}

/* Derives one k after the other, until a line tells the rest, or it takes too long. */
static bool fill(Bag *bag)
{
    if (!need(bag, 1) || !need(bag, 1 + bag->period))
        return false;
    /* behind two periods from q times the rounds on that a chunk is under way, unless the next one
       hardly starts before its end */
    const int64_t period = bag->period, rounds = bag->tallies[1].startups;
    const int64_t more = bag->tallies[1 + period].startups - rounds;
    const int64_t met = 2 * more >= rounds ? FEW_MET : rounds;
    int64_t far = bag->most - period;
    if (met < far / period - 2)
        far = period * (met + 2);
    if (!need_far(bag, far))
        return false;
    int64_t spent = 0;
    for (int64_t k = 1; k <= bag->most && !bag->last; k++) {
        const int64_t base = k - 2 * period + 1;
        if (k == far && far < bag->most - period) {
            far = 2 * far < bag->most - period ? 2 * far : bag->most - period;
            if (!need_far(bag, far))
                return false;
        }
        bool tells;
        if (!need(bag, k) || !tell_all(bag, base, far, &tells))
            return false;
        spent += bag->tallies[k].effort;
        tells = tells && (spent > CHECKED_EFFORT || k + period >= far);
        bag->last = tells ? base : 0;
        if (tells || period > 1 || k < LEAST_DENSE || k >= far || spent <= MOST_DENSE_EFFORT)
            continue;
        if (!draw_lines(bag, k - 1, far))
            return false;
        bag->last = far;
    }
    if (bag->last)
        lie_on(bag, bag->last, bag->most + 1);
    return true;
}

Bag *bag_fill(Arena *arena, int64_t period, int64_t most, ChunkDeriver derive, void *context)
{
    const int64_t longest = (most - 1) / 2;
    Bag *bag = ARENA_NEW(arena, Bag);
    *bag = (Bag){.arena = arena,
                 .derive = derive,
                 .context = context,
                 .period = period < longest ? period : longest,
                 .most = most,
                 .tallies = ARENA_ARRAY(arena, Tally, (size_t)(most + longest) + 1),
                 .bases = ARENA_ARRAY(arena, int64_t, (size_t)most + 1)};
    return fill(bag) ? bag : NULL;
}

/* The base of the line on which k lies, k itself where it was derived; 0: it is not known. */
static int64_t base_of(const Bag *bag, int64_t k)
{
    return k > bag->most ? bag->last : bag->tallies[k].counts ? k : bag->bases[k];
}

bool bag_repeats(const Bag *bag)
{
    return bag->last > 0;
}

bool bag_derived(const Bag *bag, int64_t k)
{
    return bag->tallies[k].counts != NULL;
}

bool bag_knows(const Bag *bag, int64_t k)
{
    return base_of(bag, k) > 0;
}

const Profile *bag_profile(const Bag *bag, Arena *arena, int64_t k)
{
    const int64_t base = base_of(bag, k);
    Profile *profile = ARENA_NEW(arena, Profile);
    *profile = (Profile){.steps = ARENA_ROOM(arena, PortStepCost, bag->kinds.count),
                         .path_count = bag->paths.count,
                         .startups = startups_on(bag, base, k),
                         .chunks = bag->chunks * k,
                         .ceil_chunks = bag->is_ceiled,
                         .peak_total = -1,
                         .peak_blocks = -1};
    bool grow = false;
    for (size_t i = 0; i < bag->kinds.count; i++) {
        const Kind *kind = &bag->kinds.items[i];
        PortStepCost step = kind->step;
        step.repeat = count_on(bag, base, k, i);
        step.combined = for_chunks(step.combined, k);
        if (!step.repeat)
            continue;
        grow |= kind->grows;
        profile->steps[profile->step_count++] = step;
    }
    /* The paths of all kinds; where those of a kind grow with k, a copy for k chunks. */
    PathCost *paths = bag->paths.items;
    if (grow)
        paths = ARENA_COPY(arena, PathCost, paths, bag->paths.count);
    for (size_t i = 0; i < bag->paths.count && grow; i++)
        convert_path(arena, &paths[i], for_chunks, k);
    profile->paths = paths;
    return profile;
}
