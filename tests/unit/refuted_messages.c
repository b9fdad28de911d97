/* Counts of single messages over several links, and of one-to-all broadcasts made of them. */
#include "refuted_counts.h"

#include <math.h>
#include <string.h>

enum { MOST_RANKS = 64 };

/*** One message ***/

/* ts + m tw is claimed for it, or with `links` where m is sent again on each link. */
static Counts count_message(Arena *arena, Case at, int claimed_links)
{
    int links = links_between(at, at.root, at.target);
    return counts_of(arena, (Cost){.ts = 1, .tw = at.stored ? claimed_links : 1},
                     (Cost){.ts = 1, .th = links, .tw = at.stored ? links : 1});
}

Counts count_message_cut_through(Arena *arena, Case at)
{
    return count_message(arena, at, 1);
}

Counts count_message_along_row(Arena *arena, Case at)
{
    return count_message(arena, at, larger(at.target - at.root, at.root - at.target));
}

/* To the other side. */
Counts count_message_across_ring(Arena *arena, Case at)
{
    return count_message(arena, at, at.p / 2);
}

Counts count_message_across_torus(Arena *arena, Case at)
{
    return count_message(arena, at, 2 * (side_of(at.p) / 2));
}

Counts count_message_across_cube(Arena *arena, Case at)
{
    return count_message(arena, at, count_doublings(at.p));
}

/*** Along the dimensions of a hypercube ***/

/* (ts + m tw) log p; each message has one link. */
Counts count_broadcast_on_cube(Arena *arena, Case at)
{
    int knowing = 1;
    Cost found = {0};
    for (; knowing < at.p; knowing *= 2)
        found.ts++, found.th++, found.tw++;
    return counts_of(arena, (Cost){.ts = count_doublings(at.p), .tw = count_doublings(at.p)},
                     found);
}

/*** To the middle, then to the middles of both halves ***/

/* Of the ring, or of a row of the square. */
static int line_of(Case at)
{
    return strchr(at.on, ':') ? side_of(at.p) : at.p;
}

/* Rounds; hops[i] has the links of the longest way in round i. Who has n ranks to tell hands over
   those from n / 2 on to the first of them. */
static int halve(int n, int hops[MOST_RANKS])
{
    int owned[MOST_RANKS] = {n}, rounds = 0;
    for (int owners = 1; owners < n; rounds++) {
        hops[rounds] = 0;
        for (int r = 0, before = owners; r < before; r++) {
            int half = owned[r] / 2;
            if (half == 0)
                continue;
            hops[rounds] = larger(hops[rounds], half);
            owned[owners++] = owned[r] - half;
            owned[r] = half;
        }
    }
    return rounds;
}

static Cost cost_of_halving(int n)
{
    int hops[MOST_RANKS], rounds = halve(n, hops);
    Cost cost = {.ts = rounds, .tw = rounds};
    for (int i = 0; i < rounds; i++)
        cost.th += hops[i];
    return cost;
}

/* "1.58496 ts + 2 th + 1.58496 m tw": a logarithm that is not rounded. */
static Counts count_halving_by_logarithm(Arena *arena, int n, double hops)
{
    return (Counts){
        arena_printf(arena, "%g ts + %g th + %g m tw", log2(n), hops, log2(n)),
        show_cost(arena, cost_of_halving(n)),
    };
}

/* (ts + m tw) log n + (n - 1) th */
Counts count_halving(Arena *arena, Case at)
{
    int n = line_of(at);
    return count_halving_by_logarithm(arena, n, n - 1);
}

/* (n - 1)^(-3) th is printed. */
Counts count_halving_with_exponent(Arena *arena, Case at)
{
    int n = line_of(at);
    return count_halving_by_logarithm(arena, n, 1.0 / ((n - 1) * (n - 1) * (n - 1)));
}

/* (ts + m tw) log n */
Counts count_halving_without_hops(Arena *arena, Case at)
{
    int rounds = count_doublings(at.p);
    return counts_of(arena, (Cost){.ts = rounds, .tw = rounds}, cost_of_halving(at.p));
}

/* The sum of ts + m tw + p th / 2^i, for as many i as there are rounds. */
Counts count_halving_sum(Arena *arena, Case at)
{
    int rounds = count_doublings(at.p);
    Cost claimed = {.ts = rounds, .tw = rounds, .hop_parts = 1 << rounds};
    for (int i = 1; i <= rounds; i++)
        claimed.th += at.p << (rounds - i);
    return counts_of(arena, claimed, cost_of_halving(at.p));
}

/* p / 2^j links in round j; the first that has not. */
Counts count_halving_hops(Arena *arena, Case at)
{
    int hops[MOST_RANKS], rounds = halve(at.p, hops), i = 0;
    while (i < rounds && hops[i] << (i + 1) == at.p)
        i++;
    return (Counts){
        arena_printf(arena, "%s in round %d", show_fraction(arena, at.p, 1 << (i + 1)), i + 1),
        arena_printf(arena, "%d", hops[i])};
}

/*** From neighbour to neighbour ***/

/* Rounds until all of a ring of n know: one more on the right of those that do, and, a round later
   with one port, one more on their left. */
static int rounds_both_ways(int n)
{
    int rounds = 0;
    for (int knowing = 1; knowing < n; rounds++)
        knowing += rounds == 0 ? 1 : 2;
    return rounds;
}

/* Each round has one link; (ts + m tw) ceil(p / 2) is claimed. */
Counts count_neighbours_on_ring(Arena *arena, Case at)
{
    int claimed = (at.p + 1) / 2, rounds = rounds_both_ways(at.p);
    return counts_of(arena, (Cost){.ts = claimed, .tw = claimed},
                     (Cost){.ts = rounds, .th = rounds, .tw = rounds});
}

/* In a row, then in all columns. */
Counts count_neighbours_on_torus(Arena *arena, Case at)
{
    int claimed = 2 * ((side_of(at.p) + 1) / 2), rounds = 2 * rounds_both_ways(side_of(at.p));
    return counts_of(arena, (Cost){.ts = claimed, .tw = claimed},
                     (Cost){.ts = rounds, .th = rounds, .tw = rounds});
}
