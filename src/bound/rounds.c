#include "bound/kinds.h"

/* The least R with start (d+1)^R >= wanted. */
static int64_t rounds_to_grow(int64_t start, int64_t wanted, int64_t ports)
{
    int64_t rounds = 0;
    for (__int128 reached = start; reached < wanted; reached *= ports + 1)
        rounds++;
    return rounds;
}

typedef struct {
    int64_t ports; /* the most of a rank */
    int64_t rounds, ranks;
} Growth;

static void grow(Growth *growth, int64_t start, int64_t wanted)
{
    int64_t rounds = rounds_to_grow(start, wanted, growth->ports);
    if (rounds > growth->rounds)
        growth->rounds = rounds, growth->ranks = wanted;
}

/* Distinct ranks whose data rank r must receive, r among them. Each of the others is told, in
   `wanted`, that one rank more wants its data. */
static int64_t count_sources(const Demand *demand, int64_t rank, int64_t *seen_by, int64_t *wanted)
{
    const Contract *contract = demand->contract;
    const Holding *after = &contract->after;
    int64_t sources = 1;
    if (after->starts[rank] == after->starts[rank + 1])
        return 1;
    if (contract->combines)
        return 1 + demand_contributors(demand, rank);
    for (int64_t i = after->starts[rank]; i < after->starts[rank + 1]; i++) {
        int64_t block = after->blocks[i], holder = demand->holder[block];
        if (demand->holders[block] != 1 || holder == rank || seen_by[holder] == rank + 1)
            continue;
        seen_by[holder] = rank + 1;
        wanted[holder]++;
        sources++;
    }
    return sources;
}

/* Where each hop starts a message of its own, a path over many links takes as many startups. */
static void count_startups(const Bounder *bounder, Bound *bound)
{
    const RequiredPaths *paths = &bounder->paths;
    if (bounder->rules->switching != SWITCHING_STARTUPS ||
        exact_compare(exact_from_int(paths->longest), bound->coefficient) <= 0)
        return;
    bound->coefficient = exact_from_int(paths->longest);
    bound->reason =
        arena_printf(bounder->arena, "a startup at each link from rank %lld to rank %lld",
                     (long long)paths->from, (long long)paths->to);
}

Bound bound_rounds(Bounder *bounder)
{
    const Demand *demand = &bounder->demand;
    const Contract *contract = bounder->contract;
    Growth growth = {rules_ports(bounder->rules, bounder->network), 0, 1};
    for (int64_t b = 0; b < contract->block_count && !contract->combines; b++) {
        int64_t start = demand->holders[b] ? demand->holders[b] : 1;
        grow(&growth, start, start + demand->needed[b]);
    }
    int64_t *seen_by = ARENA_ARRAY(bounder->arena, int64_t, (size_t)contract->p);
    int64_t *wanted = ARENA_ARRAY(bounder->arena, int64_t, (size_t)contract->p);
    for (int64_t r = 0; r < contract->p; r++)
        grow(&growth, 1, count_sources(demand, r, seen_by, wanted));
    for (int64_t s = 0; s < contract->p; s++)
        grow(&growth, 1, (contract->combines ? demand->wanted[s] : wanted[s]) + 1);
    Bound bound = {BOUND_ROUNDS, exact_from_int(growth.rounds), false,
                   arena_printf(bounder->arena,
                                "data from or for %lld rank%s, at most %lld-fold per round",
                                (long long)growth.ranks, growth.ranks == 1 ? "" : "s",
                                (long long)growth.ports + 1)};
    count_startups(bounder, &bound);
    return bound;
}
