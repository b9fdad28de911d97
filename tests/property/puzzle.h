/* Random networks of a few ranks and switches, and random contracts on them. */
#ifndef COLLCOST_TESTS_PROPERTY_PUZZLE_H
#define COLLCOST_TESTS_PROPERTY_PUZZLE_H

#include "sched/contract.h"
#include "world.h"

enum { MOST_NODES = 11, MOST_RANKS = 8, MOST_BLOCKS = 12 };

/* A connected graph of ranks and switches, and a contract on it. */
typedef struct {
    int p, nodes, blocks;
    bool alike; /* all links */
    bool linked[MOST_NODES][MOST_NODES];
    bool holds[MOST_RANKS][MOST_BLOCKS], demand[MOST_RANKS][MOST_BLOCKS];
    const char *links, *schedule; /* as YAML */
} Puzzle;

/* Links of one kind, or with lanes, levels and bandwidths; some in one direction only. Blocks with
   one holder, or now and then more, and some ranks that need them. */
void puzzle_draw(World *world, Puzzle *puzzle);
/* Adds the topology `graph`, the collective `wanted` and the algorithm `greedy`, whose schedule
   must be there, to the library. */
bool puzzle_add(World *world, Puzzle *puzzle);

/* Cases without a schedule: a collective by name ("wanted" is the puzzle's) on a puzzle's network
   or, now and then, on one of the library, under any rules. */
typedef struct {
    uint64_t seed, cases;
    const char *const *collectives;
    size_t collective_count;
    /* *compared: there was something to compare, as in a third of all cases there must be. */
    bool (*compare)(World *world, Case *drawn, const Contract *contract, bool *compared);
    const char *what; /* is then found */
} PuzzleSeries;

void puzzle_run(Results *results, const PuzzleSeries *series);

#endif
