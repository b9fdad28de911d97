#include "lang/circulant.h"

#include "base/limits.h" /* MOST_ENTRIES blocks are those of 200,000 ranks */

#include <string.h>

enum { MOST_ROUNDS = 62, UNKNOWN = INT8_MIN };

typedef struct {
    int rounds;                     /* q */
    int64_t skips[MOST_ROUNDS + 1]; /* that of q is p */
} Circulant;

/* The blocks that a rank receives, round after round. */
typedef struct {
    Circulant graph;
    int64_t rank;                 /* counted from p on */
    int round, last;              /* the next one, and the last that is asked for */
    int64_t limit;                /* the sum of the round before */
    int8_t found[MOST_ROUNDS];    /* the base blocks of the rounds before */
    int smaller[MOST_ROUNDS + 1]; /* the next base block that is left; -1: there is none */
    int larger[MOST_ROUNDS + 1];  /* MOST_ROUNDS: there is none */
} Schedule;

/* No skip is read back: gcc 12 at -O2 would load that of q before p is stored there. */
static void lay_out(Circulant *graph, int64_t p)
{
    int64_t skip = p;
    graph->rounds = 64 - __builtin_clzll((unsigned long long)p - 1);
    for (int i = graph->rounds; i >= 0; i--, skip = skip / 2 + skip % 2)
        graph->skips[i] = skip;
}

static void drop(Schedule *schedule, int base)
{
    const int smaller = schedule->smaller[base], larger = schedule->larger[base];
    if (smaller >= 0)
        schedule->larger[smaller] = larger;
    if (larger < MOST_ROUNDS)
        schedule->smaller[larger] = smaller;
}

/* Continues `sum` by base blocks from `base` on that are left, the greatest first. A sum in the
   range of the next round gives that round its block; one below it is continued first. Each step
   finds a block or drops a branch for good: O(q) steps for all rounds (the paper, theorem 3). */
static void receive(Schedule *schedule, int64_t sum, int base)
{
    const int64_t *skips = schedule->graph.skips;
    for (; base >= 0 && schedule->round <= schedule->last; base = schedule->smaller[base]) {
        const int64_t next = sum + skips[base];
        if (next > schedule->rank - skips[schedule->round] || next >= schedule->limit)
            continue;
        if (next <= schedule->rank - skips[schedule->round + 1])
            receive(schedule, next, base);
        if (schedule->round > schedule->last || sum > schedule->rank - skips[schedule->round + 1])
            return;
        schedule->limit = next;
        schedule->found[schedule->round++] = (int8_t)base;
        drop(schedule, base);
    }
}

/* The blocks of a rank up to round `last`. False where it has none. */
static bool find_blocks(const Circulant *graph, int64_t rank, int last, int8_t *blocks)
{
    Schedule schedule = {.graph = *graph, .last = last};
    const int rounds = graph->rounds;
    const int64_t p = graph->skips[rounds];
    if (rank >= p)
        return false;
    if (rank == 0) {
        memset(blocks, 0, (size_t)last + 1);
        return true;
    }
    /* The last of the falling skips of which the rank is the sum. */
    int own = rounds;
    int64_t left = rank;
    for (int i = rounds - 1; i >= 0; i--)
        if (left >= graph->skips[i])
            left -= graph->skips[i], own = i;
    for (int i = 0; i <= rounds; i++) {
        schedule.smaller[i] = i - 1;
        schedule.larger[i] = i < rounds ? i + 1 : MOST_ROUNDS;
    }
    drop(&schedule, own);
    schedule.rank = p + rank;
    schedule.limit = 2 * p;
    receive(&schedule, 0, rounds);
    for (int i = 0; i <= last; i++)
        blocks[i] = (int8_t)(schedule.found[i] == rounds ? own : schedule.found[i] - rounds);
    return schedule.round > last;
}

int64_t circulant_block(int64_t p, int64_t n)
{
    Circulant graph;
    int8_t blocks[MOST_ROUNDS];
    if (p < 2 || p > INT64_MAX / 128 || n < 0)
        return INT64_MIN;
    lay_out(&graph, p);
    const int last = (int)(n % graph.rounds);
    return find_blocks(&graph, n / graph.rounds, last, blocks) ? blocks[last] : INT64_MIN;
}

CirculantTable *circulant_table(Arena *arena)
{
    CirculantTable *table = ARENA_NEW(arena, CirculantTable);
    table->arena = arena;
    return table;
}

static void empty(CirculantTable *table, int64_t p)
{
    Circulant graph;
    table->p = p;
    table->places = 0;
    if (p < 2 || p > MOST_ENTRIES)
        return;
    lay_out(&graph, p);
    const size_t places = (size_t)p * (size_t)graph.rounds;
    if (places > MOST_ENTRIES)
        return;
    table->blocks.count = 0;
    ARRAY_RESERVE(table->arena, &table->blocks, places);
    memset(table->blocks.items, UNKNOWN, places);
    table->places = places;
    table->rounds = graph.rounds;
}

void circulant_blocks(CirculantTable *table, int64_t p, const int64_t *n, size_t count,
                      int64_t *out)
{
    if (p != table->p)
        empty(table, p);
    for (size_t i = 0; i < count; i++) {
        const int64_t at = n[i]; /* out may be n */
        if (at < 0 || at >= (int64_t)table->places) {
            out[i] = circulant_block(p, at);
            continue;
        }
        if (table->blocks.items[at] == UNKNOWN) {
            /* All blocks of a rank take as long to find as its last one. */
            const int64_t rank = at / table->rounds;
            Circulant graph;
            lay_out(&graph, table->p);
            find_blocks(&graph, rank, graph.rounds - 1, table->blocks.items + rank * graph.rounds);
        }
        out[i] = table->blocks.items[at];
    }
}
