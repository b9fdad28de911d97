/* Which block a rank receives when a broadcast goes round a circulant graph (J. L. Träff, Optimal
   broadcast schedules in logarithmic time, ACM TOPC 12(3), 2025, doi 10.1145/3735139).

   Of p ranks each sends in round i to the one skip(i) above, skip(i) = ceil(p / 2^(q - i)),
   q = ceil(log2 p), round after round from i = 0 to q - 1 and again. Every x below p is a sum of
   falling skips, the largest first; the last of them is the base block of x, and q that of p. Rank
   r receives in round i the greatest base block of the ranks from above r - skip(i + 1) to r -
   skip(i), counted from p on, that is neither its own nor was one of an earlier round; p stands for
   its own, which is the only one of these q rounds, the others are of those before. */
#ifndef COLLCOST_LANG_CIRCULANT_H
#define COLLCOST_LANG_CIRCULANT_H

#include "base/array.h"

/* The block of rank n div q in round n mod q, below zero where it is of earlier rounds: so many
   blocks before the first of these q rounds. INT64_MIN where there is no such rank, or p is below
   2. The root, rank 0, receives none: 0. Time: O(q). */
int64_t circulant_block(int64_t p, int64_t n);

ARRAY_TYPE(CirculantBlocks, int8_t);

/* Blocks of one p by n, remembered: schedules ask for all ranks, round after round, number of
   chunks after number of chunks. */
typedef struct {
    Arena *arena; /* for them: it must keep what is added to it as long as the table is used */
    int64_t p;
    int rounds;
    size_t places; /* p q; 0: too many to be remembered */
    CirculantBlocks blocks;
} CirculantTable;

/* A table without blocks. */
CirculantTable *circulant_table(Arena *arena);
/* out[i] = circulant_block(p, n[i]); `out` may be `n`. */
void circulant_blocks(CirculantTable *table, int64_t p, const int64_t *n, size_t count,
                      int64_t *out);

#endif
