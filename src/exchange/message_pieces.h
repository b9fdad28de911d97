/* Times of messages between two ranks as pieces over the size: where one protocol ends and the next
   begins, and what each costs.

   A piece takes startup + seconds_per_byte m. Relative errors count, not absolute ones, so that
   small sizes count as much as large ones. Breaks are found by dynamic programming over the sizes;
   how many there are, by the Bayesian information criterion (Schwarz, Annals of Statistics 6(2),
   1978), in which a piece has three parameters. */
#ifndef COLLCOST_EXCHANGE_MESSAGE_PIECES_H
#define COLLCOST_EXCHANGE_MESSAGE_PIECES_H

#include "base/array.h"

enum { MOST_PIECES = 8, FEWEST_POINTS = 3 };

typedef struct {
    double bytes, seconds;
} TimedSize;
ARRAY_TYPE(TimedSizeArray, TimedSize);

typedef struct {
    double from, up_to; /* the sizes in it, the last of which ends it */
    double startup, seconds_per_byte;
} MessagePiece;

typedef struct {
    MessagePiece items[MOST_PIECES];
    int count;
    double rms; /* of the logarithms of fitted / measured */
} MessagePieces;

/* `sizes` rise, some may be the same. `count` 0: as many as the criterion wants, up to `most`.
   False if there are too few sizes. Lines are fitted between every two of n places, O(n^2) in
   number; of more than 128 different sizes that many are such places, and then all near those that
   were found; of more than 1,024 rows that many are looked at, evenly spread. */
bool message_pieces_find(Arena *arena, const TimedSizeArray *sizes, int count, int most,
                         MessagePieces *pieces);

#endif
