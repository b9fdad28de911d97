/* Random networks of a few ranks and switches, and random contracts on them. */
#ifndef COLLCOST_TESTS_PROPERTY_PUZZLE_H
#define COLLCOST_TESTS_PROPERTY_PUZZLE_H

#include "world.h"

enum { MOST_NODES = 11, MOST_RANKS = 8, MOST_BLOCKS = 12 };

/* A connected graph of ranks and switches, and a contract on it. */
typedef struct {
    int p, nodes, blocks;
    bool alike; /* all links */
    bool linked[MOST_NODES][MOST_NODES];
    bool holds[MOST_RANKS][MOST_BLOCKS], needs[MOST_RANKS][MOST_BLOCKS];
    const char *links, *schedule; /* as YAML */
} Puzzle;

/* Links of one kind, or with lanes, levels and bandwidths; some in one direction only. Blocks with
   one holder, or now and then more, and some ranks that need them. */
void puzzle_draw(World *world, Puzzle *puzzle);
/* Adds the topology `graph`, the collective `wanted` and the algorithm `greedy`, whose schedule
   must be there, to the library. */
bool puzzle_add(World *world, Puzzle *puzzle);

/* Instead: without a schedule, a collective by name ("wanted" is the puzzle's) on its network or,
   now and then, on one of the library, under any rules. */
bool puzzle_case(World *world, Puzzle *puzzle, const char *collective, Case *drawn,
                 Contract *contract);

#endif
