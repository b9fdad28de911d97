/* Counts in chains, trees, pipelines and bounds. */
#include "refuted_counts.h"

enum { MOST_RANKS = 64, MANY_CHUNKS = 32 };

/* Who knows tells d others in each round. */
static int rounds_until_all_know(int p, int d)
{
    int rounds = 0;
    for (int knowing = 1; knowing < p; knowing += d * knowing)
        rounds++;
    return rounds;
}

/* What a rank with d ports can use at once: there are p - 1 others. */
static int links_in_use(int p, int d)
{
    return smaller(d, p - 1);
}

/* That so many rounds are as few as there can be, as is claimed. */
static Counts reaches_rounds(Arena *arena, Case at, int rounds)
{
    const char *least = show_cost(arena, (Cost){.ts = rounds_until_all_know(at.p, ports_of(at))});
    return (Counts){arena_printf(arena, "the rounds bound %s", least),
                    show_cost(arena, (Cost){.ts = rounds})};
}

/*** Neighbours and pairs ***/

/* From the far end to the root each rank adds its vector. */
Counts count_reduce_along_chain(Arena *arena, Case at)
{
    Cost claimed = {.ts = at.p - 1, .tw = at.p - 1}, found = {0};
    for (int r = at.p - 1; r > 0; r--)
        found.ts++, found.tw++, found.tc++;
    return counts_of(arena, claimed, found);
}

/* In each round every second one of those that are left hands over its blocks, to be combined or
   put beside those of the one before. `largest` has the most blocks that one hands over. */
static int pair_up(int p, int largest[MOST_RANKS])
{
    int blocks[MOST_RANKS], left = p, rounds = 0;
    for (int r = 0; r < p; r++)
        blocks[r] = 1;
    while (left > 1) {
        largest[rounds] = 0;
        for (int r = 0; r + 1 < left; r += 2) {
            int handed = blocks[r + 1];
            largest[rounds] = larger(handed, largest[rounds]);
            blocks[r] += handed;
        }
        left = (left + 1) / 2;
        for (int r = 0; r < left; r++)
            blocks[r] = blocks[2 * r];
        rounds++;
    }
    return rounds;
}

Counts count_reduce_in_pairs(Arena *arena, Case at)
{
    int largest[MOST_RANKS], rounds = pair_up(at.p, largest), doublings = count_doublings(at.p);
    return counts_of(arena, (Cost){.ts = doublings, .tw = doublings},
                     (Cost){.ts = rounds, .tw = rounds, .tc = rounds});
}

/* The first round whose message is not twice that of the one before. */
Counts count_gather_messages(Arena *arena, Case at)
{
    int largest[MOST_RANKS], rounds = pair_up(at.p, largest), round = 0, claimed = 1;
    while (round < rounds && largest[round] == claimed)
        round++, claimed *= 2;
    return messages_of(arena, round + 1, claimed, largest[round], 1);
}

/* The formula adds 1, 2, 4 .. up to the round log p, which is none if log p is no whole number. */
Counts count_gather_sum(Arena *arena, Case at)
{
    int largest[MOST_RANKS], rounds = pair_up(at.p, largest);
    Cost claimed = {0}, found = {0};
    for (int i = 0; i < rounds; i++)
        claimed.tw += 1 << i, found.tw += largest[i];
    return (Counts){1 << rounds == at.p ? show_cost(arena, claimed)
                                        : "something that has no value here",
                    show_cost(arena, found)};
}

/* A tree that doubles has one partner in each round, however many ports there are. */
Counts count_doubling_with_ports(Arena *arena, Case at)
{
    int largest[MOST_RANKS];
    return reaches_rounds(arena, at, pair_up(at.p, largest));
}

/* The root needs every byte once; each round of the tree brings the whole vector. */
Counts count_bytes_missed_in_pairs(Arena *arena, Case at)
{
    int largest[MOST_RANKS];
    Cost found = {.tw = pair_up(at.p, largest)};
    return (Counts){
        arena_printf(arena, "more than the node bound %s", show_cost(arena, (Cost){.tw = 1})),
        show_cost(arena, found)};
}

Counts count_rounds_missed_along_chain(Arena *arena, Case at)
{
    Counts reached = reaches_rounds(arena, at, at.p - 1);
    return (Counts){arena_printf(arena, "more than %s", reached.claimed), reached.found};
}

/*** Pipelines ***/

/* Rounds until the last of a row has all k chunks, which go from each rank to the next. */
static int rounds_of_row(int p, int k)
{
    int has[MOST_RANKS] = {k}, rounds = 0;
    while (has[p - 1] < k) {
        for (int r = p - 1; r > 0; r--)
            has[r] += has[r - 1] > has[r];
        rounds++;
    }
    return rounds;
}

/* Rounds until each rank of a tree (the children of r are 2 r + 1 and 2 r + 2) has all k chunks. A
   rank sends chunk after chunk, each to one child after the other, one in each round. */
static int rounds_of_tree(int p, int k)
{
    struct {
        int has[MOST_RANKS], sent[MOST_RANKS];
    } now = {.has = {k}}, before;
    int rounds = 0;
    for (int missing = (p - 1) * k; missing > 0; rounds++) {
        before = now;
        for (int r = 0; 2 * r + 1 < p; r++) {
            int children = smaller(2, p - 1 - 2 * r), sent = before.sent[r];
            if (sent == children * before.has[r])
                continue;
            now.has[2 * r + 1 + sent % children]++;
            now.sent[r]++;
            missing--;
        }
    }
    return rounds;
}

/* `combines`: 1 where what is received in a round is combined, as much as was received. */
static Cost cost_of_rounds(int rounds, int k, int combines)
{
    return (Cost){.ts = rounds, .tw = rounds, .tc = combines * rounds, .parts = k};
}

/* What each of very many chunks adds, startups aside. */
static Cost cost_of_next_chunk(int (*rounds_of)(int, int), int p, int combines)
{
    int more = rounds_of(p, 2 * MANY_CHUNKS) - rounds_of(p, MANY_CHUNKS);
    Cost cost = cost_of_rounds(more, MANY_CHUNKS, combines);
    cost.ts = 0;
    return cost;
}

/* p + k - 2 rounds are claimed. */
static Counts count_row(Arena *arena, Case at, int combines)
{
    int k = chunks_of(at);
    return counts_of(arena, cost_of_rounds(at.p + k - 2, k, combines),
                     cost_of_rounds(rounds_of_row(at.p, k), k, combines));
}

Counts count_pipelined_broadcast(Arena *arena, Case at)
{
    return count_row(arena, at, 0);
}

Counts count_pipelined_reduce(Arena *arena, Case at)
{
    return count_row(arena, at, 1);
}

Counts count_pipelined_reduce_limit(Arena *arena, Case at)
{
    return counts_of(arena, (Cost){.tw = 1, .tc = 1}, cost_of_next_chunk(rounds_of_row, at.p, 1));
}

Counts count_tree_broadcast_limit(Arena *arena, Case at)
{
    return counts_of(arena, (Cost){.tw = 1}, cost_of_next_chunk(rounds_of_tree, at.p, 0));
}

Counts count_tree_reduce_limit(Arena *arena, Case at)
{
    return counts_of(arena, (Cost){.tw = 1}, cost_of_next_chunk(rounds_of_tree, at.p, 1));
}

Counts count_tree_startups(Arena *arena, Case at)
{
    return reaches_rounds(arena, at, rounds_of_tree(at.p, chunks_of(at)));
}

/*** Bounds ***/

/* ceil(log p) rounds are claimed for any number of ports. */
Counts count_rounds_bound(Arena *arena, Case at)
{
    return counts_of(arena, (Cost){.ts = count_doublings(at.p)},
                     (Cost){.ts = rounds_until_all_know(at.p, ports_of(at))});
}

/* m has to pass the d links of a rank: that is claimed; it has at most p - 1. */
Counts count_vector_bound(Arena *arena, Case at)
{
    int links = links_in_use(at.p, ports_of(at));
    return counts_of(arena, (Cost){.tw = 1, .parts = ports_of(at)},
                     links ? (Cost){.tw = 1, .parts = links} : (Cost){0});
}

/* The blocks of p - 1 others have to pass the root's links. */
Counts count_blocks_bound(Arena *arena, Case at)
{
    int d = ports_of(at);
    return counts_of(arena, (Cost){.ts = count_doublings(at.p), .tw = at.p - 1, .parts = d},
                     (Cost){.ts = rounds_until_all_know(at.p, d),
                            .tw = at.p - 1,
                            .parts = links_in_use(at.p, d)});
}

/* Each further vector is combined once: by one rank, as is claimed, or a p-th of it by each. */
Counts count_combining_bound(Arena *arena, Case at)
{
    return counts_of(arena, (Cost){.tc = at.p - 1}, (Cost){.tc = at.p - 1, .parts = at.p});
}
