/* Counts in all-to-all: one block of m for each pair of ranks. */
#include "refuted_counts.h"

#include <math.h>

/*** Rows, rings, squares: what is not there yet travels on ***/

/* Blocks that a rank passes on in step i: all but those for the i - 1 ranks behind it. */
static int still_on_way(int n, int i)
{
    int blocks = 0;
    for (int distance = 1; distance < n; distance++)
        blocks += distance >= i;
    return blocks;
}

/* The steps on a row whose last rank sends back to the first, at `each` blocks for a block. */
static Cost stored_steps(int n, int each)
{
    Cost cost = {0};
    for (int i = 1; i < n; i++)
        cost.ts++, cost.tw += each * still_on_way(n, i) * stored_round(n);
    return cost;
}

/* The sum of ts + tw m (p - i). */
Counts count_travel_sum(Arena *arena, Case at)
{
    Cost claimed = {0};
    for (int i = 1; i < at.p; i++)
        claimed.ts++, claimed.tw += at.p - i;
    return counts_of(arena, claimed, stored_steps(at.p, 1));
}

/* (p - 1) ts and the sum of i tw m. */
Counts count_travel_turned_sum(Arena *arena, Case at)
{
    Cost claimed = {.ts = at.p - 1};
    for (int i = 1; i < at.p; i++)
        claimed.tw += i;
    return counts_of(arena, claimed, stored_steps(at.p, 1));
}

/* (ts + tw m p / 2) (p - 1) */
static Cost closed_travel(int p)
{
    return (Cost){.ts = p - 1, .tw = (p - 1) * p, .parts = 2};
}

Counts count_travel_closed(Arena *arena, Case at)
{
    Cost found = stored_steps(at.p, 1);
    return counts_of(arena, closed_travel(at.p), found);
}

/* Along a square's rows, then its columns, each block with those for the same line. */
static Cost stored_square(int p)
{
    int side = side_of(p);
    Cost line = stored_steps(side, side);
    return (Cost){.ts = 2 * line.ts, .tw = 2 * line.tw};
}

/* 2 (ts + tw (m sqrt p) (sqrt p) / 2) (sqrt p - 1) */
Counts count_travel_in_square(Arena *arena, Case at)
{
    int side = side_of(at.p);
    Cost claimed = {.ts = 2 * (side - 1), .tw = 2 * side * side * (side - 1), .parts = 2};
    return counts_of(arena, claimed, stored_square(at.p));
}

/* (2 ts + tw m p) (sqrt p - 1) */
Counts count_travel_in_square_closed(Arena *arena, Case at)
{
    int side = side_of(at.p);
    return counts_of(arena, (Cost){.ts = 2 * (side - 1), .tw = at.p * (side - 1)},
                     stored_square(at.p));
}

/* Up and down a row at once: rank 0 has everything for the way up. */
Counts count_travel_both_ways_message(Arena *arena, Case at)
{
    return messages_of(arena, 1, at.p - 1, 2 * still_on_way(at.p, 1), 2);
}

/* Who sends up and down needs a turn for each. */
Counts count_travel_both_ways(Arena *arena, Case at)
{
    Cost found = {0};
    for (int i = 1; i < at.p; i++) {
        found.ts += turns_of_step(at.p, i);
        found.tw += turns_of_step(at.p, i) * still_on_way(at.p, i);
    }
    return counts_of(arena, closed_travel(at.p), found);
}

/* Halves of blocks that go up a ring in step i, as many as go down: of the block for the rank
   opposite one half. */
static int halves_up(int p, int i)
{
    int halves = 0;
    for (int distance = i; 2 * distance <= p; distance++)
        halves += 2 * distance == p ? 1 : 2;
    return halves;
}

/* The first round that is not m (p - j) / 2. With one port, up and down are a round each. */
Counts count_travel_two_ways(Arena *arena, Case at)
{
    int j = 1, rounds_of_step = ports_of(at) == 1 ? 2 : 1, halves = halves_up(at.p, 1);
    while (at.p - j == halves) {
        j++;
        halves = halves_up(at.p, (j - 1) / rounds_of_step + 1);
    }
    return messages_of(arena, j, at.p - j, halves, 2);
}

/*** Bruck's ***/

/* Log p is claimed where the next whole number is needed. */
Counts count_bruck_rounds(Arena *arena, Case at)
{
    return (Counts){arena_printf(arena, "%g", log2(at.p)),
                    arena_printf(arena, "%d", count_doublings(at.p))};
}

/* m is claimed for each round; the first in which there are more blocks. */
Counts count_bruck_message(Arena *arena, Case at)
{
    for (int i = 0; 1 << i < at.p; i++) {
        int blocks = 0;
        for (int position = 1; position < at.p; position++)
            blocks += (position >> i) & 1;
        if (blocks != 1)
            return messages_of(arena, i + 1, 1, blocks, 1);
    }
    return (Counts){"nothing", "nothing"};
}

/*** Gathered in the rows of a square, scattered in its columns; counted in the square of four ***/

/* What a rank sends its neighbour in the row: what it has for others. */
static int gathered_blocks(int p)
{
    int blocks = 0;
    for (int destination = 1; destination < p; destination++)
        blocks++;
    return blocks;
}

/* What rank 0 then sends down its column: from all of its row, for the lower half of the column. */
static int scattered_blocks(int p)
{
    int side = side_of(p), blocks = 0;
    for (int source = 0; source < side; source++)
        for (int destination = 0; destination < p; destination++)
            blocks += destination % side == 0 && destination / side >= side / 2;
    return blocks;
}

/* (p - 1) m times 2 for each round that follows. */
Counts count_scattered_message(Arena *arena, Case at)
{
    int round = count_doublings(side_of(at.p)) + 1, after = count_doublings(at.p) - round;
    return messages_of(arena, round, (at.p - 1) << after, scattered_blocks(at.p), 1);
}

/* ts (log p)/2 + m (p - 1)^2 / 3 */
Counts count_scatter_phase(Arena *arena, Case at)
{
    Cost claimed = {.ts = count_doublings(at.p) / 2, .tw = (at.p - 1) * (at.p - 1), .parts = 3};
    return counts_of(arena, claimed, (Cost){.ts = 1, .tw = scattered_blocks(at.p)});
}

/* ts log p + m (p - 1)^2 / 3 */
Counts count_gather_and_scatter(Arena *arena, Case at)
{
    Cost claimed = {.ts = count_doublings(at.p), .tw = (at.p - 1) * (at.p - 1), .parts = 3};
    return counts_of(arena, claimed,
                     (Cost){.ts = 2, .tw = gathered_blocks(at.p) + scattered_blocks(at.p)});
}
