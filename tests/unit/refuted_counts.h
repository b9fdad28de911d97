/* What refuted formulas say and what is true, counted for one case: loops and whole numbers, with
   nothing of the tool but memory, so that verdicts are found in a second way. */
#ifndef REFUTED_COUNTS_H
#define REFUTED_COUNTS_H

#include "base/arena.h"

#include <stdbool.h>

/* Where a counterexample is; 0 stands for what it does not name: root 0, k = 1, d = 1. */
typedef struct {
    const char *on; /* "ring", "torus:3x3" */
    int p, root, target, k, d, n;
    bool stored; /* store-and-forward */
} Case;

/* Both sides of a counterexample. */
typedef struct {
    const char *claimed, *found;
} Counts;

typedef Counts Count(Arena *arena, Case at);

/* Declares count_X for each X of the list. */
#define REFUTED(found_by, counted, ...) Count count_##counted;
#include "refuted.def"
#undef REFUTED

/* So many startups, `hop_parts`-ths of links, and `parts`-ths of m that are sent and that are
   combined; 0 parts: 1. */
typedef struct {
    int ts, th, tw, tc, parts, hop_parts;
    int tm;        /* multiply-adds */
    bool of_words; /* of elements of matrices, not of m */
} Cost;

/* "2 ts + 7/8 m tw" */
const char *show_cost(Arena *arena, Cost cost);
Counts counts_of(Arena *arena, Cost claimed, Cost found);
/* "7/8", "2" */
const char *show_fraction(Arena *arena, int over, int under);
/* Two numbers; two messages of a round, in `parts`-ths of m. */
Counts numbers_of(Arena *arena, int claimed, int found);
Counts messages_of(Arena *arena, int round, int claimed, int found, int parts);

int chunks_of(Case at);
int ports_of(Case at);
int smaller(int a, int b);
int larger(int a, int b);
/* Log p, rounded up. */
int count_doublings(int p);
/* Of a square of p. */
int side_of(int p);

/* Links between two ranks of a full network, row, ring, hypercube or square torus. */
int links_between(Case at, int from, int to);
/* How often m is sent, link after link, if each rank of a row sends m to the next, the last one
   back to the first, and messages are stored at each node. */
int stored_round(int n);
/* Turns that step i of a procedure that passes everything on up and down a row takes with one port:
   2 where a node sends both ways. */
int turns_of_step(int n, int i);

#endif
