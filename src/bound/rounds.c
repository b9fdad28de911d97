#include "bound/kinds.h"

static void reach(Spread *spread, double time)
{
    double *next = spread->next;
    int64_t at = spread->reached;
    spread->arrivals[spread->reached++] = time;
    for (; at > 0 && next[(at - 1) / 2] > time; at = (at - 1) / 2)
        next[at] = next[(at - 1) / 2];
    next[at] = time;
}

Spread spread_start(Arena *arena, int64_t most, int64_t ports, double spacing, double startup)
{
    return (Spread){.ports = ports,
                    .most = most,
                    .spacing = spacing,
                    .startup = startup,
                    .arrivals = ARENA_ROOM(arena, double, (size_t)most),
                    .next = ARENA_ROOM(arena, double, (size_t)most)};
}

double spread_seconds(Spread *spread, int64_t start, int64_t wanted)
{
    if (spread->start != start)
        spread->reached = 0;
    spread->start = start;
    while (spread->reached < start)
        reach(spread, 0);
    while (spread->reached < wanted) {
        double *next = spread->next;
        const double arrival = next[0] + spread->startup, again = next[0] + spread->spacing;
        int64_t at = 0; /* where that one goes in the heap */
        for (int64_t child = 1; child < spread->reached; child = 2 * at + 1) {
            if (child + 1 < spread->reached && next[child + 1] < next[child])
                child++;
            if (next[child] >= again)
                break;
            next[at] = next[child];
            at = child;
        }
        next[at] = again;
        for (int64_t i = 0; i < spread->ports && spread->reached < spread->most; i++)
            reach(spread, arrival);
    }
    return spread->arrivals[wanted - 1];
}

typedef struct {
    int64_t ports; /* the most of a rank */
    int64_t rounds, ranks;
    bool gathers;  /* from so many ranks, not to them */
    bool overlaps; /* messages of a rank leave `spacing` after one another, not a startup */
    double spacing, seconds;
    Spread spread;
    int64_t fewest; /* of which `seconds` are known, to reach `ranks` */
    int64_t last_start, last_wanted;
} Growth;

/* What a rank has must reach others; or, backwards in time, what others have must reach a rank. */
static void grow(Growth *growth, int64_t start, int64_t wanted, bool gathers)
{
    const int64_t ranks = growth->ranks;
    if (start == growth->last_start && wanted == growth->last_wanted)
        return;
    growth->last_start = start, growth->last_wanted = wanted;
    if (growth->overlaps && wanted <= start)
        return;
    if (growth->overlaps && growth->spacing > 0) {
        /* Ranks do not wait for their messages to arrive. */
        const bool is_known = wanted <= ranks && start >= growth->fewest;
        const double seconds = is_known ? 0 : spread_seconds(&growth->spread, start, wanted);
        if (seconds > growth->seconds)
            growth->seconds = seconds, growth->ranks = wanted, growth->fewest = start;
    } else if (growth->overlaps) {
        growth->rounds = 1;
        growth->ranks = wanted > ranks ? wanted : ranks;
    } else {
        /* The least R with start (d+1)^R >= wanted. */
        int64_t rounds = 0;
        for (__int128 reached = start; reached < wanted; reached *= growth->ports + 1)
            rounds++;
        if (rounds > growth->rounds)
            growth->rounds = rounds, growth->ranks = wanted;
    }
    if (growth->ranks != ranks)
        growth->gathers = gathers;
}

/* To all that need data of a rank, and then from all whose data it needs, of blocks that are only
   moved; where all that hold anything afterwards hold the same. */
static void grow_shared(Growth *growth, const Demand *demand)
{
    const Holding *after = &demand->contract->after;
    int64_t sources = 0;
    for (int64_t r = 0; r < after->p; r = demand_next(demand, r))
        sources += per_rank(&demand->leaving, r) > 0;
    for (int64_t r = 0; r < after->p; r = demand_next(demand, r))
        if (per_rank(&demand->leaving, r) > 0)
            grow(growth, 1, after->holders - (holding_count(after, r) > 0) + 1, false);
    for (int64_t r = 0; r < after->p; r = demand_next(demand, r))
        if (holding_count(after, r) > 0)
            grow(growth, 1, sources - (per_rank(&demand->leaving, r) > 0) + 1, true);
}

/* The same where they hold this or that. */
static void grow_others(Growth *growth, Arena *arena, const Demand *demand)
{
    const Holding *after = &demand->contract->after;
    const size_t p = (size_t)after->p;
    int64_t *sources = ARENA_ARRAY(arena, int64_t, p), *wanted = ARENA_ARRAY(arena, int64_t, p);
    int64_t *seen_by = ARENA_ARRAY(arena, int64_t, p);
    for (int64_t r = 0; r < after->p; r++)
        for (int64_t i = 0, count = holding_count(after, r); i < count; i++) {
            int64_t block = holding_block(after, r, i), holder = demand->holder[block];
            if (demand->holders[block] != 1 || seen_by[holder] == r + 1)
                continue;
            seen_by[holder] = r + 1;
            sources[r] += holder != r;
            wanted[holder] += holder != r;
        }
    for (size_t s = 0; s < p; s++)
        grow(growth, 1, wanted[s] + 1, false);
    for (size_t r = 0; r < p; r++)
        grow(growth, 1, sources[r] + 1, true);
}

/* "information must reach 8 ranks and can at most double each round" */
static const char *explain_growth(const Bounder *bounder, const Growth *growth)
{
    static const char *const words[] = {"double", "triple", "quadruple"};
    enum { WORD_COUNT = COUNT_OF(words) };
    Arena *arena = bounder->arena;
    const long long ranks = (long long)growth->ranks, ports = (long long)growth->ports;
    const char *must =
        arena_printf(arena,
                     growth->gathers ? "information of %lld rank%s must come together"
                                     : "information must reach %lld rank%s",
                     ranks, PLURAL_END(ranks));
    if (growth->overlaps && growth->spacing > 0)
        return arena_printf(arena, "%s; each sends again after %s", must,
                            quantity_show_time(arena, growth->spacing));
    if (growth->overlaps)
        return arena_printf(arena, "%s; all messages may be posted together", must);
    if (ports <= WORD_COUNT)
        return arena_printf(arena, "%s and can at most %s each round", must, words[ports - 1]);
    return arena_printf(arena, "%s and can grow at most %lld-fold each round", must, ports + 1);
}

Bound bound_rounds(Bounder *bounder)
{
    const Demand *demand = &bounder->demand;
    const Contract *contract = bounder->contract;
    const Rules *rules = bounder->rules;
    double least[PARAMETER_COUNT];
    /* With spacing, seconds; without it, in the end one startup for all messages together. */
    Growth growth = {.ports = rules_ports(rules, bounder->network), .ranks = 1};
    growth.overlaps = rules_least_spacing(rules, bounder->network, &growth.spacing);
    rules_least(rules, bounder->network, least);
    if (growth.overlaps && rules->posting >= POSTING_TOGETHER)
        growth.ports = 1;
    if (growth.overlaps)
        growth.spread = spread_start(bounder->arena, bounder->network->p, growth.ports,
                                     growth.spacing, least[PARAMETER_TS]);
    for (int64_t k = 0; k < demand->kinds && !contract->combines; k++) {
        int64_t start = demand->holders[k] ? demand->holders[k] : 1;
        grow(&growth, start, start + demand->needed[k], false);
    }
    if (demand->is_exchange)
        grow(&growth, 1, contract->p, false);
    else if (!contract->combines && contract->after.is_shared)
        grow_shared(&growth, demand);
    else if (!contract->combines)
        grow_others(&growth, bounder->arena, demand);
    for (int64_t s = 0; s < contract->p && contract->combines; s++)
        grow(&growth, 1, per_rank(&demand->wanted, s) + 1, false);
    for (int64_t r = 0; r < contract->p && contract->combines; r++)
        if (holding_count(&contract->after, r) > 0)
            grow(&growth, 1, demand_contributors(demand, r) + 1, true);
    Bound bound = {BOUND_ROUNDS,
                   growth.seconds > 0 ? exact_from_double(growth.seconds)
                                      : exact_from_int(growth.rounds),
                   growth.seconds > 0, explain_growth(bounder, &growth)};
    /* Where each hop starts a message of its own, a path over many links takes as many startups. */
    const RequiredPaths *paths = &bounder->paths;
    const Exact longest = exact_from_int(paths->longest);
    if (rules->switching != SWITCHING_STARTUPS || bound.is_time ||
        exact_compare(longest, bound.coefficient) <= 0)
        return bound;
    bound.coefficient = longest;
    bound.reason =
        arena_printf(bounder->arena, "a startup at each link from rank %lld to rank %lld",
                     (long long)network_rank(bounder->network, paths->from),
                     (long long)network_rank(bounder->network, paths->to));
    return bound;
}

Bound bound_distance(Bounder *bounder)
{
    const RequiredPaths *paths = &bounder->paths;
    const char *reason =
        paths->longest
            ? arena_printf(bounder->arena, "from rank %s to rank %s",
                           network_name_node(bounder->arena, bounder->network, paths->from),
                           network_name_node(bounder->arena, bounder->network, paths->to))
        : paths->known ? "nothing has to move"
                       : "not computed for this many ranks";
    return (Bound){BOUND_DISTANCE, exact_from_int(paths->longest), false, reason};
}
