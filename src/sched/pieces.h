/* How an algorithm cuts the blocks of its collective.

       block    |              whole, as the contract knows it               |
       cuts     |      0      |      1      |      2      |      3      |  one for each rank of a
   line chunks   |  0   |  1   |  0   |  1   | ...                          to pipeline

   Cuts come from the algorithm's own `chunks`, or from a used algorithm whose collective has a
   block for each rank (reduce-scatter), where the algorithm's own has only whole vectors: then
   there is one cut for each coordinate in each dimension along which it is used. A stage with c
   channels asks for c times as many chunks as its algorithm: first those of channel 0. Pipelined
   stages have k times as many in all: first those of the first chunk of the pipeline. */
#ifndef COLLCOST_SCHED_PIECES_H
#define COLLCOST_SCHED_PIECES_H

#include "sched/schedule.h"

/* Steps that are run, or walked: models made from models could double endlessly. */
enum { MOST_WORK = 1 << 19 };

typedef struct {
    int64_t cuts, chunks;    /* 1: not cut */
    uint64_t cut_dimensions; /* bit i: the cuts have a coordinate in dimension i of the shape */
    Arrays arrays;           /* beside the main one: the algorithm's, or of those that it uses */
    bool has_own_chunks;     /* the cuts are the algorithm's own `chunks` */
} Pieces;

/* For the algorithm of `instance`; a dual is cut as its origin. False after a report. */
bool pieces_find(const Instance *instance, Pieces *pieces, Diag *diag);
/* The coordinate of a cut in a dimension that has one. */
int64_t pieces_coordinate(const Pieces *pieces, const Shape *shape, int64_t cut, int dimension);

/* The lines in which a use runs, in order: dimensions of the shape, or ALL_RANKS. Returns how many;
   -1 after a report: the shape lacks one. */
enum { ALL_RANKS = -1 };
int pieces_lines(const Use *use, const Shape *shape, int lines[MOST_DIMENSIONS], Diag *diag);
/* The same without a report. */
int pieces_try_lines(const Use *use, const Shape *shape, int lines[MOST_DIMENSIONS]);
/* In how many channels a use runs in a line, at least one. False after a report. */
bool pieces_channels(const Instance *instance, const Use *use, int line, int64_t *channels,
                     Diag *diag);
/* What `channels` and `renumber` can read of a line, by slot; `sizes` is room for the first sizes.
 */
void pieces_fill_slots(const Shape *line_shape, const int64_t *ports, const void **slots,
                       int64_t sizes[1 + MOST_NETWORK_GRID]);
/* Ranks of a line. */
int64_t pieces_line_length(const Shape *shape, int line);
/* What the used algorithm is run as in such a line, but for its root. Where stages are pipelined, k
   is the number of their runs, and theirs is 1. */
Instance pieces_line_instance(const Instance *instance, const Use *use, int line,
                              Shape *line_shape);
/* How the ranks lie for the algorithm: on its own grid, if it has one, else as the network says. */
Shape instance_shape(const Instance *instance);

/* The number of branches of a program that leaves it free: a radix, or a fan-out, within a range of
   p and d. */

/* The program's own range. False where it has no value, or begins below the least radix or fan-out
   that divides anything. */
bool branches_own_range(const Algorithm *algorithm, int64_t p, int64_t ports, int64_t *least,
                        int64_t *most);
/* The nearest number within a range; the least, if it is empty. */
int64_t branches_within(int64_t least, int64_t most, int64_t wanted);
/* The number that the program of `algorithm`, which runs as the instance says, takes: that of the
   instance, within its range; 0 where it has none. False after a report. */
bool branches_settle(const Algorithm *algorithm, const Instance *instance, int64_t *branches,
                     Diag *diag);

#endif
