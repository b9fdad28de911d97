/* Counts of products of matrices: messages of blocks, and multiply-adds of one rank. */
#include "refuted_counts.h"

/* q of p = q^3. */
static int cube_side_of(int p)
{
    int q = 1;
    while (q * q * q < p)
        q++;
    return q;
}

static int square(int n)
{
    return n * n;
}

/* `rounds` messages of so many elements over one link each. */
static Cost sends(int rounds, int elements)
{
    return (Cost){.ts = rounds, .th = rounds, .tw = rounds * elements, .of_words = true};
}

/* The same without the time per hop, as printed. */
static Cost sends_without_hops(int rounds, int elements)
{
    Cost cost = sends(rounds, elements);
    cost.th = 0;
    return cost;
}

/* What each rank receives of others while all double what they know: of `ranks` blocks all but its
   own. */
static Cost gathers(int ranks, int elements)
{
    Cost cost = sends(count_doublings(ranks), 0);
    for (int other = 1; other < ranks; other++)
        cost.tw += elements;
    return cost;
}

/*** Cannon ***/

Counts count_cannon_shift(Arena *arena, Case at)
{
    int elements = square(at.n / side_of(at.p));
    return counts_of(arena, sends_without_hops(1, elements), sends(1, elements));
}

/* One alignment and q - 1 shifts of each matrix; q each are claimed, of one processor too. */
Counts count_cannon_total(Arena *arena, Case at)
{
    int q = side_of(at.p), elements = square(at.n / q);
    Cost claimed = sends_without_hops(2 * q, elements);
    Cost found = sends(q > 1 ? 2 * (1 + (q - 1)) : 0, elements);
    claimed.tm = found.tm = q * square(at.n / q) * (at.n / q);
    return counts_of(arena, claimed, found);
}

/*** DNS ***/

Counts count_dns_move(Arena *arena, Case at)
{
    int elements = square(at.n / cube_side_of(at.p));
    return counts_of(arena, sends_without_hops(1, elements), sends(1, elements));
}

/* Claimed for one matrix is what both take; hops are neglected. */
Counts count_dns_broadcast(Arena *arena, Case at)
{
    int q = cube_side_of(at.p), elements = square(at.n / q), rounds = count_doublings(q);
    return counts_of(arena, sends_without_hops(2 * rounds, elements),
                     sends_without_hops(rounds, elements));
}

Counts count_dns_reduction(Arena *arena, Case at)
{
    int q = cube_side_of(at.p), elements = square(at.n / q), rounds = count_doublings(q);
    Cost found = sends(rounds, elements);
    found.tc = rounds * elements;
    return counts_of(arena, sends_without_hops(rounds, elements), found);
}

/* Two moves, two broadcasts, a reduction. */
Counts count_dns_total(Arena *arena, Case at)
{
    int q = cube_side_of(at.p), elements = square(at.n / q), rounds = count_doublings(q);
    Cost claimed = sends_without_hops(count_doublings(at.p), elements);
    Cost found = sends(2 + 3 * rounds, elements);
    found.tc = rounds * elements;
    claimed.tm = found.tm = elements * (at.n / q);
    return counts_of(arena, claimed, found);
}

/*** The simple algorithm ***/

/* Of rows and of columns. */
static Cost gathers_twice(int q, int elements)
{
    Cost once = gathers(q, elements);
    return (Cost){.ts = 2 * once.ts, .th = 2 * once.th, .tw = 2 * once.tw, .of_words = true};
}

Counts count_simple_messages(Arena *arena, Case at)
{
    int q = side_of(at.p);
    Cost found = gathers_twice(q, square(at.n / q)), claimed = found;
    claimed.th = 0;
    return counts_of(arena, claimed, found);
}

/* Claimed is that the own block is received as well. */
Counts count_simple_total(Arena *arena, Case at)
{
    int q = side_of(at.p), elements = square(at.n / q);
    Cost found = gathers_twice(q, elements), claimed = found;
    claimed.th = 0;
    claimed.tw = 2 * q * elements;
    claimed.tm = found.tm = q * elements * (at.n / q);
    return counts_of(arena, claimed, found);
}

/*** Matrix times vector ***/

Counts count_vector_alignment(Arena *arena, Case at)
{
    int elements = at.n / side_of(at.p);
    return counts_of(arena, sends_without_hops(1, elements), sends(1, elements));
}

Counts count_vector_broadcast(Arena *arena, Case at)
{
    int q = side_of(at.p), rounds = count_doublings(q);
    return counts_of(arena, sends_without_hops(rounds, at.n / q), sends(rounds, at.n / q));
}

/* The alignment and combining are not claimed. */
Counts count_checkerboard_total(Arena *arena, Case at)
{
    int q = side_of(at.p), elements = at.n / q, rounds = count_doublings(q);
    Cost claimed = sends_without_hops(2 * rounds, elements);
    Cost found = sends(1 + 2 * rounds, elements);
    found.tc = rounds * elements;
    claimed.tm = found.tm = square(elements);
    return counts_of(arena, claimed, found);
}

Counts count_striped(Arena *arena, Case at)
{
    Cost found = gathers(at.p, at.n / at.p), claimed;
    found.tm = at.n / at.p * at.n;
    claimed = found;
    claimed.th = 0;
    return counts_of(arena, claimed, found);
}

/* The whole vector is claimed to be received, the own part too. */
Counts count_striped_whole(Arena *arena, Case at)
{
    Cost found = gathers(at.p, at.n / at.p), claimed;
    found.tm = at.n / at.p * at.n;
    claimed = found;
    claimed.th = 0;
    claimed.tw = at.n;
    return counts_of(arena, claimed, found);
}
