/* Counts of distances, links and what crosses them. */
#include "refuted_counts.h"

#include <string.h>

/* Links between two of p nodes. */
typedef int Distance(int p, int from, int to);

static int row_distance(int p, int from, int to)
{
    (void)p;
    return from < to ? to - from : from - to;
}

/* In one direction only. */
static int one_way_distance(int p, int from, int to)
{
    return (to - from + p) % p;
}

static int ring_distance(int p, int from, int to)
{
    return smaller(one_way_distance(p, from, to), one_way_distance(p, to, from));
}

/* Bits that differ. */
static int cube_distance(int p, int from, int to)
{
    int distance = 0;
    for (int bit = 1; bit < p; bit *= 2)
        distance += (from & bit) != (to & bit);
    return distance;
}

static int square_distance(int p, int from, int to)
{
    int side = side_of(p);
    return row_distance(side, from % side, to % side) + row_distance(side, from / side, to / side);
}

static int torus_distance(int p, int from, int to)
{
    int side = side_of(p);
    return ring_distance(side, from % side, to % side) +
           ring_distance(side, from / side, to / side);
}

static int full_distance(int p, int from, int to)
{
    (void)p;
    return from != to;
}

int links_between(Case at, int from, int to)
{
    static const struct {
        const char *name;
        Distance *distance;
    } topologies[] = {{"full", full_distance},
                      {"linear", row_distance},
                      {"ring", ring_distance},
                      {"hypercube", cube_distance},
                      {"torus", torus_distance}};
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++)
        if (strncmp(at.on, topologies[i].name, strlen(topologies[i].name)) == 0)
            return topologies[i].distance(at.p, from, to);
    return -1;
}

/* Of all ordered pairs. */
static int total_distance(Distance *distance, int p)
{
    int total = 0;
    for (int pair = 0; pair < p * p; pair++)
        total += distance(p, pair / p, pair % p);
    return total;
}

/* Each direction by itself. */
static int count_links(Distance *distance, int p)
{
    int links = 0;
    for (int pair = 0; pair < p * p; pair++)
        links += distance(p, pair / p, pair % p) == 1;
    return links;
}

/*** Topologies ***/

/* Twice this is the sum over d of 2 d (p - d). */
Counts count_hops_of_row(Arena *arena, Case at)
{
    int p = at.p;
    return numbers_of(arena, p * ((p - 1) * p / 2) - (p - 1) * p * (2 * p - 1) / 6,
                      total_distance(row_distance, p));
}

Counts count_hops_of_row_closed(Arena *arena, Case at)
{
    return numbers_of(arena, (at.p - 1) * at.p * (at.p + 1) / 6,
                      total_distance(row_distance, at.p));
}

Counts count_links_of_ring(Arena *arena, Case at)
{
    return numbers_of(arena, 2 * at.p, count_links(ring_distance, at.p));
}

Counts count_links_one_way(Arena *arena, Case at)
{
    return numbers_of(arena, at.p, count_links(one_way_distance, at.p));
}

static Counts mean_of(Arena *arena, Distance *distance, int p, int claimed, int claimed_under)
{
    return (Counts){show_fraction(arena, claimed, claimed_under),
                    show_fraction(arena, total_distance(distance, p), p * (p - 1))};
}

Counts count_mean_of_ring(Arena *arena, Case at)
{
    int sum = 0;
    for (int d = 1; d < at.p; d++)
        sum += d;
    return mean_of(arena, ring_distance, at.p, sum, at.p - 1);
}

Counts count_mean_of_ring_closed(Arena *arena, Case at)
{
    return mean_of(arena, ring_distance, at.p, at.p, 2);
}

Counts count_mean_of_cube(Arena *arena, Case at)
{
    return mean_of(arena, cube_distance, at.p, count_doublings(at.p), 2);
}

/*** All-to-all: one block for each pair ***/

/* If all links share evenly what has to cross them. */
static Cost volume_of(Distance *distance, int p)
{
    int links = count_links(distance, p);
    return links ? (Cost){.tw = total_distance(distance, p), .parts = links} : (Cost){0};
}

/* m (p - 1) p / 2 */
Counts count_volume_of_ring(Arena *arena, Case at)
{
    return counts_of(arena, (Cost){.tw = (at.p - 1) * at.p, .parts = 2},
                     volume_of(ring_distance, at.p));
}

Counts count_volume_of_cube(Arena *arena, Case at)
{
    return counts_of(arena, (Cost){.tw = at.p - 1}, volume_of(cube_distance, at.p));
}

/* p m (p - 1) (log p)/2 over p (log p)/2 links. */
Counts count_volume_of_cube_as_quotient(Arena *arena, Case at)
{
    int links = at.p * count_doublings(at.p) / 2;
    Cost claimed = {.tw = at.p * (at.p - 1) * count_doublings(at.p), .parts = 2 * links};
    return (Counts){links ? show_cost(arena, claimed) : "something that has no value here",
                    show_cost(arena, volume_of(cube_distance, at.p))};
}

Counts count_traffic_of_cube(Arena *arena, Case at)
{
    int claimed = at.p * (at.p - 1) * count_doublings(at.p);
    return (Counts){arena_printf(arena, "%s m", show_fraction(arena, claimed, 2)),
                    arena_printf(arena, "%d m", total_distance(cube_distance, at.p))};
}

static Counts reaches_volume(Arena *arena, Distance *distance, int p, int sent)
{
    const char *volume = show_cost(arena, volume_of(distance, p));
    return (Counts){arena_printf(arena, "the volume bound %s", volume),
                    show_cost(arena, (Cost){.tw = sent})};
}

/* p - 1, p - 2 .. 1 blocks pass on the way up. */
Counts count_exchange_on_ring(Arena *arena, Case at)
{
    int sent = 0;
    for (int i = 1; i < at.p; i++)
        sent += at.p - i;
    return reaches_volume(arena, ring_distance, at.p, sent);
}

/* The same in the rows, then in the columns, for a whole row or column at a time. */
Counts count_exchange_on_square(Arena *arena, Case at)
{
    int side = side_of(at.p), sent = 0;
    for (int i = 1; i < side; i++)
        sent += 2 * side * (side - i);
    return reaches_volume(arena, square_distance, at.p, sent);
}

/* In round j each sends to the one whose number differs in the bits of j. The first round whose
   messages cross more than one link. */
static int first_far_round(int p)
{
    int j = 1;
    while (j < p && cube_distance(p, 0, j) == 1)
        j++;
    return j;
}

Counts count_far_step(Arena *arena, Case at)
{
    int links = cube_distance(at.p, 0, first_far_round(at.p));
    return counts_of(arena, (Cost){.ts = 1, .tw = 1}, (Cost){.ts = 1, .tw = links});
}

Counts count_far_hops(Arena *arena, Case at)
{
    int j = first_far_round(at.p);
    return (Counts){arena_printf(arena, "1 in round %d", j),
                    arena_printf(arena, "%d", cube_distance(at.p, 0, j))};
}

Counts count_far_steps(Arena *arena, Case at)
{
    Cost found = {0};
    for (int j = 1; j < at.p; j++)
        found.ts++, found.tw += cube_distance(at.p, 0, j);
    return counts_of(arena, (Cost){.ts = at.p - 1, .tw = at.p - 1}, found);
}

/* All blocks go directly, so each as often over a link as it is far. */
Counts count_direct_exchange(Arena *arena, Case at)
{
    Cost least = {.tw = at.p - 1}, found = {0};
    for (int j = 1; j < at.p; j++)
        found.tw += cube_distance(at.p, 0, j);
    return (Counts){arena_printf(arena, "the node bound %s", show_cost(arena, least)),
                    show_cost(arena, found)};
}

/* Alone a rank misses nothing. */
Counts count_missed_by_cube(Arena *arena, Case at)
{
    const char *node = show_cost(arena, (Cost){.tw = at.p - 1});
    Cost found = {.tw = at.p / 2 * count_doublings(at.p)};
    return (Counts){arena_printf(arena, "more than the node bound %s", node),
                    show_cost(arena, found)};
}

/* Where messages are stored, each link on a path takes a port: all bytes with the links that they
   go over, over the ports of all ranks. The procedure sends p / 2 blocks in each step. */
Counts count_reached_by_cube(Arena *arena, Case at)
{
    Cost least = {.tw = total_distance(cube_distance, at.p), .parts = at.p};
    Cost found = {.tw = at.p / 2 * count_doublings(at.p)};
    return (Counts){arena_printf(arena, "more than the ports bound %s", show_cost(arena, least)),
                    show_cost(arena, found)};
}
