/* Ranks of MPI that run the lines of one batch between them.

   Each reads the same lines in the same order. A line that changes what others run in is run by all
   of them, any other by one; process 0 shows what became of each, in the order of the lines. What
   carries answers from one to the other is not known here. */
#ifndef COLLCOST_SESSION_CREW_H
#define COLLCOST_SESSION_CREW_H

#include "base/buffer.h"

typedef struct Crew {
    int rank, count;
    int batches; /* that run now, one inside of the other */
    /* To process 0; the bytes are copied. Does not wait. */
    void (*send)(struct Crew *crew, const char *bytes, size_t length);
    /* At process 0: what `rank` has sent, in its order, added to `bytes`. False where nothing is
       there yet and it is not to wait, or where that process is gone, which has been reported. */
    bool (*receive)(struct Crew *crew, int rank, bool wait, Buffer *bytes);
    /* The largest value of any of them; waits until all have called it. */
    int64_t (*agree)(struct Crew *crew, int64_t value);
    /* What process 0 has as standard input, at all of them; called by all at the same line. */
    void (*share_input)(struct Crew *crew);
    /* Ends all processes, since this one has lost its place in the lines: `messages` say why.
       Process 0 may be left, alone, to go on with what it knows. */
    void (*abandon)(struct Crew *crew, const char *messages, size_t length);
} Crew;

#endif
