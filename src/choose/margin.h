/* How much a choice of algorithms matters: what the second best would lose, and the fewest switch
   points that lose no more than a tolerance.

   A loss is a share: 0.1 is a time that is a tenth longer. The largest loss on an interval is found
   by bounds, not by samples: where both curves are concave, the ratio of two times is no larger
   than that of the lines of the one to the chord of the other, whose largest value lies at an end
   or where the lines meet. The interval is cut there until the bound is reached. */
#ifndef COLLCOST_CHOOSE_MARGIN_H
#define COLLCOST_CHOOSE_MARGIN_H

#include "choose/envelope.h"

typedef struct {
    double loss;  /* the largest of the interval */
    double at;    /* bytes */
    size_t curve; /* which loses it */
} Margin;

/* What the best of the other curves, those that are not tied, loses on a piece, at most; its
   `curve` is the one there. Where there is no other, its loss is negative and infinite; it is
   infinite where the piece costs nothing. */
bool margin_of_second(const ChoiceAxis *axis, const Piece *piece, Margin *margin);
/* What a table says of a piece. */
typedef struct {
    CurvePoint end;          /* at its last size */
    const char *const *tied; /* the names of the other algorithms that cost the same all along */
    size_t tied_count;
    Margin second;           /* see margin_of_second */
    const char *second_name; /* NULL: there is no other algorithm */
} PieceDetails;
bool piece_details(const ChoiceAxis *axis, const Piece *piece, PieceDetails *details);
/* What a curve loses to the pieces of an envelope on the axis, which may be a part of them. */
bool margin_to_pieces(const ChoiceAxis *axis, const PieceArray *pieces, size_t curve,
                      Margin *margin);
/* The fewest pieces that cover those of an envelope such that none loses more than the tolerance
   anywhere. Of those that reach equally far, the one that is the fastest there is taken. Two
   neighbours change where the second becomes the faster one, as far as the tolerance allows. */
bool margin_merge(const ChoiceAxis *axis, const PieceArray *pieces, double tolerance,
                  PieceArray *merged);

#endif
