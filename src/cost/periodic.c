#include "cost/periodic.h"

enum { LONGEST_PERIOD = 4, LEAST_RUN = 4, CONFIRMED_TIMES = 2 };

/* Turns that cost the same. Blocks that are no chunks grow with k: what can be divided by k is kept
   as minus its k-th part, which for small k may be a mistake that more chunks put right. */
typedef struct {
    TurnCost turn; /* with paths of all kinds */
    bool grows;    /* something in it is kept as a k-th part */
} Kind;
ARRAY_TYPE(KindArray, Kind);
ARRAY_TYPE(PathArray, PathCost);

/* How many turns of each kind a profile has; kinds that came later have none. */
typedef struct {
    int64_t *turns;
    size_t kind_count;
    int64_t startups, chunks;
} Tally;

struct Steady {
    Arena *arena;
    int64_t most;
    KindArray kinds;
    PathArray paths; /* of all kinds */
    Tally *tallies;  /* by k */
    int64_t last;    /* the tallies known in a row from 1 on */
    int64_t period;  /* to be confirmed, or confirmed; 0: none */
    bool is_confirmed;
    bool is_barred; /* where profiles are not of this form */
};

Steady *steady_create(Arena *arena, int64_t most)
{
    Steady *steady = ARENA_NEW(arena, Steady);
    *steady = (Steady){
        .arena = arena, .most = most, .tallies = ARENA_ARRAY(arena, Tally, (size_t)most + 1)};
    return steady;
}

static int64_t per_chunk(int64_t blocks, int64_t k)
{
    return blocks % k == 0 ? -(blocks / k) : blocks;
}

static int64_t for_chunks(int64_t kept, int64_t k)
{
    return kept < 0 ? -kept * k : kept;
}

static bool is_same_path(const PathCost *a, const PathCost *b)
{
    return a->startups == b->startups && a->hops == b->hops && a->load == b->load &&
           a->lanes == b->lanes && a->startup == b->startup && a->hop == b->hop &&
           a->rate == b->rate && a->varied == b->varied && a->varied_rate == b->varied_rate &&
           a->factor == b->factor && a->message == b->message && a->protocols == b->protocols;
}

static bool is_same_kind(const Steady *steady, const TurnCost *a, const TurnCost *b)
{
    const PathCost *paths = steady->paths.items;
    bool same = a->path_count == b->path_count && a->combined == b->combined;
    for (size_t i = 0; i < a->path_count && same; i++)
        same = is_same_path(&paths[a->first_path + i], &paths[b->first_path + i]);
    return same;
}

/* Its paths are the last ones. */
static Kind add_paths(Steady *steady, const Profile *profile, const TurnCost *turn, int64_t k)
{
    Kind kind = {*turn, false};
    kind.turn.first_path = steady->paths.count;
    kind.turn.combined = per_chunk(turn->combined, k);
    kind.grows = kind.turn.combined < 0;
    for (size_t i = 0; i < turn->path_count; i++) {
        PathCost *path = ARRAY_PUSH(steady->arena, &steady->paths);
        *path = profile->paths[turn->first_path + i];
        path->load = per_chunk(path->load, k);
        path->message = per_chunk(path->message, k);
        kind.grows |= path->load < 0 || path->message < 0;
    }
    return kind;
}

static size_t find_kind(Steady *steady, const Profile *profile, const TurnCost *turn, int64_t k)
{
    Kind kind = add_paths(steady, profile, turn, k);
    for (size_t i = 0; i < steady->kinds.count; i++)
        if (is_same_kind(steady, &steady->kinds.items[i].turn, &kind.turn)) {
            steady->paths.count = kind.turn.first_path;
            return i;
        }
    *ARRAY_PUSH(steady->arena, &steady->kinds) = kind;
    return steady->kinds.count - 1;
}

static Tally tally_of(Steady *steady, const Profile *profile, int64_t k)
{
    size_t room = steady->kinds.count + profile->turn_count;
    Tally tally = {.turns = ARENA_ARRAY(steady->arena, int64_t, room + 1),
                   .startups = profile->startups,
                   .chunks = profile->chunks};
    for (size_t t = 0; t < profile->turn_count; t++) {
        const TurnCost *turn = &profile->turns[t];
        tally.turns[find_kind(steady, profile, turn, k)] += turn->repeat;
    }
    tally.kind_count = steady->kinds.count;
    return tally;
}

static int64_t turns_in(const Tally *tally, size_t kind)
{
    return kind < tally->kind_count ? tally->turns[kind] : 0;
}

/* What a period adds up to k, of one kind. */
static int64_t gain(const Steady *steady, int64_t k, size_t kind)
{
    return turns_in(&steady->tallies[k], kind) -
           turns_in(&steady->tallies[k - steady->period], kind);
}

/* The last number of chunks that is derived and a number of periods before k. */
static int64_t base_of(const Steady *steady, int64_t k)
{
    return steady->last - (steady->last - k % steady->period + steady->period) % steady->period;
}

/* Does each of the last numbers of chunks add the same as the one a period before? */
static bool is_run(Steady *steady, int64_t period)
{
    steady->period = period;
    if (steady->last < 2 * period + LEAST_RUN)
        return false;
    for (int64_t k = steady->last; k > steady->last - period - LEAST_RUN; k--)
        for (size_t kind = 0; kind < steady->kinds.count; kind++) {
            int64_t more = gain(steady, k, kind);
            if (more < 0 ||
                (k > steady->last - LEAST_RUN && more != gain(steady, k - period, kind)))
                return false;
        }
    return true;
}

static bool is_regular(const Profile *profile, int64_t k)
{
    return !profile->timeline && !profile->ceil_chunks && profile->chunks % k == 0;
}

bool steady_is_open(const Steady *steady)
{
    return !steady->is_confirmed && !steady->is_barred &&
           CONFIRMED_TIMES * (steady->last + 1) <= steady->most;
}

bool steady_is_confirmed(const Steady *steady)
{
    return steady->is_confirmed;
}

int64_t steady_next(const Steady *steady)
{
    return steady->last + 1;
}

int64_t steady_add(Steady *steady, int64_t k, const Profile *profile)
{
    if (!steady_is_open(steady) || k != steady_next(steady))
        return 0;
    steady->is_barred = !is_regular(profile, k);
    if (steady->is_barred)
        return 0;
    steady->tallies[k] = tally_of(steady, profile, k);
    steady->last = k;
    for (int64_t period = 1; period <= LONGEST_PERIOD; period++)
        if (is_run(steady, period))
            return CONFIRMED_TIMES * k;
    steady->period = 0;
    return 0;
}

/* Of a kind in a profile of k chunks, behind those that are derived. */
static int64_t extend_turns(const Steady *steady, int64_t k, size_t kind)
{
    int64_t base = base_of(steady, k), periods = (k - base) / steady->period;
    return turns_in(&steady->tallies[base], kind) + periods * gain(steady, base, kind);
}

static int64_t extend_startups(const Steady *steady, int64_t k)
{
    int64_t base = base_of(steady, k), periods = (k - base) / steady->period;
    int64_t startups = steady->tallies[base].startups;
    return startups + periods * (startups - steady->tallies[base - steady->period].startups);
}

static int64_t extend_chunks(const Steady *steady, int64_t k)
{
    return steady->tallies[steady->last].chunks / steady->last * k;
}

bool steady_confirm(Steady *steady, int64_t k, const Profile *profile)
{
    size_t known = steady->kinds.count;
    Tally derived = tally_of(steady, profile, k);
    bool same = steady->kinds.count == known && is_regular(profile, k) &&
                derived.chunks == extend_chunks(steady, k) &&
                derived.startups == extend_startups(steady, k);
    for (size_t kind = 0; kind < known && same; kind++)
        same = turns_in(&derived, kind) == extend_turns(steady, k, kind);
    steady->is_confirmed = same;
    return same;
}

/* The paths of all kinds; where those of a kind grow with k, a copy for k chunks. */
static PathCost *paths_for(Steady *steady, int64_t k, bool grow)
{
    if (!grow)
        return steady->paths.items;
    PathCost *paths = ARENA_COPY(steady->arena, PathCost, steady->paths.items, steady->paths.count);
    for (size_t i = 0; i < steady->paths.count; i++) {
        paths[i].load = for_chunks(paths[i].load, k);
        paths[i].message = for_chunks(paths[i].message, k);
    }
    return paths;
}

static size_t count_used(const Steady *steady, int64_t k)
{
    size_t used = 0;
    for (size_t i = 0; i < steady->kinds.count; i++)
        used += extend_turns(steady, k, i) != 0;
    return used;
}

const Profile *steady_profile(Steady *steady, int64_t k)
{
    if (!steady->is_confirmed || k <= steady->last)
        return NULL;
    Profile *profile = ARENA_NEW(steady->arena, Profile);
    *profile = (Profile){.turns = ARENA_ROOM(steady->arena, TurnCost, count_used(steady, k)),
                         .path_count = steady->paths.count,
                         .startups = extend_startups(steady, k),
                         .chunks = extend_chunks(steady, k),
                         .peak_blocks = -1};
    bool grow = false;
    for (size_t i = 0; i < steady->kinds.count; i++) {
        const Kind *kind = &steady->kinds.items[i];
        TurnCost turn = kind->turn;
        turn.repeat = extend_turns(steady, k, i);
        turn.combined = for_chunks(turn.combined, k);
        if (!turn.repeat)
            continue;
        grow |= kind->grows;
        profile->turns[profile->turn_count++] = turn;
    }
    profile->paths = paths_for(steady, k, grow);
    return profile;
}
