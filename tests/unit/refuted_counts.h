/* What refuted formulas say and what is true, counted for one case: loops and whole numbers, with
   nothing of the tool but memory, so that the verdicts are found in a second way. */
#ifndef REFUTED_COUNTS_H
#define REFUTED_COUNTS_H

#include "base/arena.h"

#include <stdbool.h>

/* Where a counterexample is; 0 stands for what it does not name: root 0, k = 1, d = 1. */
typedef struct {
    const char *on;
    int p, root, k, d;
    bool stored; /* store-and-forward */
} Case;

/* Both sides of a counterexample. */
typedef struct {
    const char *claimed, *found;
} Counts;

typedef Counts Count(Arena *arena, Case at);

/* So many startups, links, and `parts`-ths of m that are sent and that are combined; 0 parts: 1. */
typedef struct {
    int ts, th, tw, tc, parts;
} Cost;

/* "2 ts + 7/8 m tw" */
const char *show_cost(Arena *arena, Cost cost);
Counts counts_of(Arena *arena, Cost claimed, Cost found);

/* Combining that was left out. */
Count count_reduce_along_chain;
Count count_reduce_in_pairs;
/* What a rank alone has to do. */
Count count_pipelined_broadcast;
Count count_pipelined_reduce;
Count count_pipelined_reduce_limit;
/* A binary tree, in which a rank has two children to serve. */
Count count_tree_startups;
Count count_tree_broadcast_limit;
Count count_tree_reduce_limit;
/* Trees that double. */
Count count_doubling_with_ports;
Count count_gather_messages;
Count count_gather_sum;
/* Bounds. */
Count count_rounds_bound;
Count count_vector_bound;
Count count_blocks_bound;
Count count_combining_bound;

/* Rows, rings and squares: ports, ways back to the first node, nodes of a side. */
Count count_both_ways;
Count count_stored_round;
Count count_stored_rounds;
Count count_rounds_to_know_all;
Count count_rows_of_square;
Count count_columns_of_square;
Count count_stored_square;
Count count_hypercube_step_on_ring;

#endif
