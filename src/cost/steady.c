#include "cost/steady.h"

#include <string.h>

enum { LONGEST_PERIOD = 4, LEAST_RUN = 4 };

/* Turns that cost the same. */
typedef struct {
    TurnCost turn;
    const PathCost *paths;
} Kind;
ARRAY_TYPE(KindArray, Kind);

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
    Tally *tallies; /* by k */
    int64_t last;   /* the tallies known in a row from 1 on */
    int64_t period; /* to be confirmed, or confirmed; 0: none */
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

static bool is_same_path(const PathCost *a, const PathCost *b)
{
    return a->startups == b->startups && a->hops == b->hops && a->load == b->load &&
           a->lanes == b->lanes && a->startup == b->startup && a->hop == b->hop &&
           a->rate == b->rate;
}

static bool is_of_kind(const Kind *kind, const TurnCost *turn, const PathCost *paths)
{
    bool same = kind->turn.path_count == turn->path_count && kind->turn.combined == turn->combined;
    for (size_t i = 0; i < turn->path_count && same; i++)
        same = is_same_path(&kind->paths[i], &paths[i]);
    return same;
}

static size_t find_kind(Steady *steady, const TurnCost *turn, const PathCost *paths)
{
    for (size_t i = 0; i < steady->kinds.count; i++)
        if (is_of_kind(&steady->kinds.items[i], turn, paths))
            return i;
    const PathCost *copy = ARENA_COPY(steady->arena, PathCost, paths, turn->path_count);
    *ARRAY_PUSH(steady->arena, &steady->kinds) = (Kind){*turn, copy};
    return steady->kinds.count - 1;
}

static Tally tally_of(Steady *steady, const Profile *profile)
{
    size_t room = steady->kinds.count + profile->turn_count;
    Tally tally = {.turns = ARENA_ARRAY(steady->arena, int64_t, room + 1),
                   .startups = profile->startups,
                   .chunks = profile->chunks};
    for (size_t t = 0; t < profile->turn_count; t++) {
        const TurnCost *turn = &profile->turns[t];
        tally.turns[find_kind(steady, turn, profile->paths + turn->first_path)] += turn->repeat;
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

bool steady_add(Steady *steady, int64_t k, const Profile *profile)
{
    if (steady->is_confirmed || steady->is_barred || k != steady->last + 1)
        return false;
    steady->is_barred = !is_regular(profile, k);
    if (steady->is_barred)
        return false;
    steady->tallies[k] = tally_of(steady, profile);
    steady->last = k;
    if (k >= steady->most / 2)
        return false;
    for (int64_t period = 1; period <= LONGEST_PERIOD; period++)
        if (is_run(steady, period))
            return true;
    steady->period = 0;
    return false;
}

static Tally extend(const Steady *steady, int64_t k)
{
    int64_t base = base_of(steady, k), periods = (k - base) / steady->period;
    const Tally *from = &steady->tallies[base], *before = &steady->tallies[base - steady->period];
    Tally tally = {.turns = ARENA_ARRAY(steady->arena, int64_t, steady->kinds.count + 1),
                   .kind_count = steady->kinds.count,
                   .startups = from->startups + periods * (from->startups - before->startups),
                   .chunks = from->chunks / base * k};
    for (size_t kind = 0; kind < tally.kind_count; kind++)
        tally.turns[kind] = turns_in(from, kind) + periods * gain(steady, base, kind);
    return tally;
}

void steady_confirm(Steady *steady, const Profile *profile)
{
    size_t known = steady->kinds.count;
    Tally derived = tally_of(steady, profile), expected = extend(steady, steady->most);
    bool same = steady->kinds.count == known && is_regular(profile, steady->most) &&
                derived.chunks == expected.chunks && derived.startups == expected.startups;
    for (size_t kind = 0; kind < known && same; kind++)
        same = turns_in(&derived, kind) == turns_in(&expected, kind);
    steady->is_confirmed = same;
}

const Profile *steady_profile(Steady *steady, int64_t k)
{
    if (!steady->is_confirmed || k <= steady->last)
        return NULL;
    Tally tally = extend(steady, k);
    Profile *profile = ARENA_NEW(steady->arena, Profile);
    TurnCost *turns = ARENA_ARRAY(steady->arena, TurnCost, tally.kind_count + 1);
    size_t path_count = 0, count = 0;
    for (size_t kind = 0; kind < tally.kind_count; kind++)
        path_count += steady->kinds.items[kind].turn.path_count;
    PathCost *paths = ARENA_ARRAY(steady->arena, PathCost, path_count + 1);
    path_count = 0;
    for (size_t i = 0; i < tally.kind_count; i++) {
        const Kind *kind = &steady->kinds.items[i];
        if (tally.turns[i] == 0)
            continue;
        turns[count] = kind->turn;
        turns[count].first_path = path_count;
        turns[count++].repeat = tally.turns[i];
        memcpy(paths + path_count, kind->paths, kind->turn.path_count * sizeof *paths);
        path_count += kind->turn.path_count;
    }
    *profile = (Profile){.turns = turns,
                         .turn_count = count,
                         .paths = paths,
                         .path_count = path_count,
                         .startups = tally.startups,
                         .chunks = tally.chunks,
                         .peak_blocks = -1};
    return profile;
}
