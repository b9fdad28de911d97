/* Candidates with their curves, and which of them are followed: an algorithm that no closed form
   covers is derived from its schedule, which takes long.

   To know who is the fastest most need not be. On the full network with the same ranks, dimensions
   and ports, at what the cheapest link costs, the same messages cross one link each and share none:
   no other network is faster, with any number of chunks. Where a closed form covers that, it is a
   lower bound of the time at every size, and as concave as a time. Such a candidate is put off. It
   takes part in the search for the fastest with its bound, and is followed once the bound wins, or
   ties, somewhere: where none is left that does, the answer is that of all times. */
#ifndef COLLCOST_STUDY_FOLLOWED_H
#define COLLCOST_STUDY_FOLLOWED_H

#include "choose/margin.h"
#include "study/study.h"

/* Up to which every radix or fan-out that no closed form covers is derived unasked. */
enum { MOST_BRANCHED_RANKS = 128 };

/* An algorithm that is no candidate, and why. */
typedef struct {
    const Algorithm *algorithm;
    const char *reason;
    bool is_limit; /* of work or memory, which may hide the best */
} LeftOut;
extern const char *const followed_too_large, *const followed_laborious,
                                                 *const followed_too_many; /* reasons */
ARRAY_TYPE(LeftOutArray, LeftOut);

typedef struct Candidates {
    AlgorithmArray algorithms;
    Curve **curves;   /* of each; NULL: it was put off, then left out */
    Curve **bounds;   /* of each: their times are nowhere above those of the curve; NULL: none */
    bool *is_put_off; /* each, */
    size_t put_off;   /* and how many are */
    size_t
        unproven; /* so many at the end may be nowhere the fastest: then they are no candidates */
    LeftOutArray left_out;
    double largest; /* size for which those that are followed have schedules; 0: no matter */
    const Network *network;
    PortStepMemo *memo;
    const struct Candidates *former; /* whose profiles serve; NULL: none */
} Candidates;

/* Gives each algorithm its curve, and follows it, or, where it `defers` and there is a bound, puts
   it off. One that cannot be followed is left out, with a warning, or reported if it is `named`.
   False after a report, as all that follow. */
bool followed_add(const Study *study, const AlgorithmArray *all, bool named, bool defers,
                  Candidates *candidates);
/* Leaves one out of an answer, with a warning unless it is laborious. */
void followed_leave_out(const Study *study, LeftOut left_out, Candidates *candidates);
/* Follows all that may be the fastest at some size, and finds the pieces of the envelope. */
bool followed_envelope(const Study *study, Candidates *candidates, double from, double to,
                       PieceArray *pieces);
/* Follows all that may be the fastest at a size, or the next one that is slower. */
bool followed_two(const Study *study, Candidates *candidates, double bytes);
/* Can one that is followed be followed at a size that is cut into segments? Else it is left out,
   and the next one has its number; the last one is not, and reports it. */
bool followed_fits(const Study *study, Candidates *candidates, size_t which, double bytes);
/* Follows all. */
bool followed_finish(const Study *study, Candidates *candidates);
/* The curves of those that are followed, and with `bounds` the bounds of the ones that are put off;
   `numbers`: which candidates these are. */
Curve **followed_curves(const Study *study, const Candidates *candidates, bool bounds,
                        IntArray *numbers);
/* Drops those that are unproven, all of which are followed, and nowhere the fastest. */
bool followed_drop_losers(const Study *study, Candidates *candidates);
/* What a table says of a piece of the envelope; follows those that may be the second best where it
   loses most. */
bool followed_details(const Study *study, Candidates *candidates, const Piece *piece,
                      PieceDetails *details);

/* The algorithms that can answer a question on one network, with their curves. */

/* The algorithms to compare on a network: `only`, or those that
   study->among and study->without leave of all that may run. Appends the others to `left_out`,
   unless that is NULL. */
bool candidates_list(const Study *study, const Collective *collective, const Algorithm *only,
                     const Network *network, AlgorithmArray *algorithms, LeftOutArray *left_out);
/* The algorithms to compare, with their curves. One that is too large to be followed, or that
   the rules give no cost, is left out with a warning, unless it was asked for by name. False after
   a report, also if none is left; with study->skips_refused there may be none to begin with.
   `candidates` is zero, or has those of the same question on a machine for which the same profiles
   are derived (case_may_reopen). */
bool candidates_open(const Study *study, const Collective *collective, const Algorithm *only,
                     const Network *network, Candidates *candidates);

#endif
