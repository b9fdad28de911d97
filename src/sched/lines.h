/* Inside of used algorithms (lines.c, lines_by_place.c, lines_alike.c, lines_counted.c,
   lines_named.c); others see expander.h. */
#ifndef COLLCOST_SCHED_LINES_H
#define COLLCOST_SCHED_LINES_H

#include "base/wide_hash.h"
#include "sched/expander.h"

/* A used algorithm runs in all lines of ranks at once. Along y in a grid of 3 x 2, stride 3:

       line 0: 0 3    line 1: 1 4    line 2: 2 5

   Its ranks are coordinates, and its blocks stand for the blocks that project on them: in a line
   along y, block (c) of an allgather stands for all blocks of ranks with the coordinate y = c. What
   a transfer of it carries is what its sender holds of these.

   With channels there are copies of it, each with ranks renumbered and on a part of each block of
   its own; round j is that of all copies. */
typedef struct {
    Expander *expander;
    const ScheduleStep *step;
    int dimension; /* or ALL_RANKS */
    Shape shape;
    int64_t length, stride, count; /* of the lines */
    int64_t channels, channel;     /* how many copies run side by side; which is looked at */
    const int64_t *played_by;      /* by channel, then rank of the used algorithm -> coordinate;
                                      NULL: the same */
    const int64_t *plays;          /* the inverse */
    const Ownership *ownership;    /* where senders find what they hold */
    Ownership *followed; /* the same, in a line, where dimensions are followed one by one: with the
                            arrays of the used algorithm */
    int64_t array_blocks, inner_array_blocks;
    int64_t inner_copies; /* of the main array, in its other arrays */
    LaneLists parts;      /* by channel, of each block of the used algorithm's main array: those it
                             stands for; where dimensions are followed one by one, by what goes with
                             coordinates here; by line where the use names blocks (lines_named.c) */
    bool parts_are_same;  /* each stands for that of the same number */
    int64_t *row_ends;    /* of each number in `parts`: where the row ends that it is in, of numbers
                             that follow one another by 1 */
    int64_t *copies;      /* then, of each line: blocks of its ranks for each of these */
    int64_t *holds; /* and of each coordinate: the most that it held in a line by itself of those
                       that got something; else 0 */
    bool is_last;   /* no stage of the program comes behind it */
    WideHash place; /* of where the lines are, and what goes with them */
} Lines;

/* A round in a line by itself, with coordinates for ranks. had[t]: what the receiver had before of
   what it gets; holds[t]: what it holds then. */
typedef struct {
    size_t count;
    const ScheduledTransfer *transfers;
    const int64_t *had, *holds;
    Posting posting;
    int64_t more; /* so many such rounds follow */
} LineRound;

/* The rank with this coordinate in a line. */
static inline int64_t lines_rank_at(const Lines *lines, int64_t line, int64_t coordinate)
{
    const int64_t stride = lines->stride;
    return line % stride + (line / stride * lines->length + coordinate) * stride;
}

static inline int64_t lines_coordinate_of(const Lines *lines, int64_t rank)
{
    return lines->dimension == ALL_RANKS ? rank
                                         : shape_coordinate(&lines->shape, rank, lines->dimension);
}

static inline int64_t lines_player_of(const Lines *lines, int64_t inner_rank)
{
    return lines->played_by ? lines->played_by[lines->channel * lines->length + inner_rank]
                            : inner_rank;
}

/* Where in `parts` the pieces of a block begin, and end, in the channel at hand. */
static inline const int64_t *lines_parts_of(const Lines *lines, int64_t inner)
{
    const int64_t own = lines->channel * lines->inner_array_blocks;
    return lines->parts.starts + own + inner % lines->inner_array_blocks;
}

static inline int64_t lines_played_at(const Lines *lines, int64_t coordinate)
{
    return lines->plays ? lines->plays[lines->channel * lines->length + coordinate] : coordinate;
}

/* Where dimensions are followed one by one (grid_ownership.h): the dimension there. */
static inline int lines_place(const Lines *lines)
{
    return lines->dimension == ALL_RANKS ? 0 : lines->dimension;
}

/* Appends to a draft what `transfer->from` holds of what a transfer of the used algorithm carries;
   `transfer` says how much that is, and where. */
void lines_note_held(const Lines *lines, const Round *round, const ScheduledTransfer *inner,
                     int64_t behind, Draft *draft, ScheduledTransfer *transfer);
/* The block of the used algorithm for which such a number stands where dimensions are followed one
   by one. */
int64_t lines_project_place(const Lines *lines, const Collective *theirs, const Pieces *inner,
                            int64_t number);
/* Runs the used algorithm where blocks are only counted (schedule_parts_fit). False, maybe without
   a report, where that does not go. */
bool lines_run_counted(const Lines *lines, const Instance *inner);
/* Does there what a stage did that is known to be the same. False: none is. */
bool lines_run_again(Lines *lines, const Instance *inner);
/* Runs the used algorithm where dimensions are followed one by one. */
bool lines_run_by_place(Lines *lines, const Instance *inner);
/* Hands on a round of the used algorithm in all lines: in each a transfer has as many blocks as in
   a line by itself, times those that go with the line. What was kept of such a round takes its
   place (grid_stages.h). False where that are too many. */
bool lines_emit_round(const Lines *lines, const LineRound *round);
/* Runs the used algorithm from what one rank does, where dimensions are followed one by one and
   that rank is proven to stand for all of a line. False, without a trace, where it is not; *good:
   whether it ran to its end. */
bool lines_run_alike(Lines *lines, const Instance *inner, bool *good);
/* Runs the used algorithm on the blocks that the use names, in a problem. */
bool lines_run_named(Lines *lines, const Instance *inner);

#endif
