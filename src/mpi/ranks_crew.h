/* The ranks of MPI as a crew that runs the lines of a batch. */
#ifndef COLLCOST_MPI_RANKS_CREW_H
#define COLLCOST_MPI_RANKS_CREW_H

#include "session/crew.h"

#include <stdio.h>

typedef struct RanksCrew {
    Crew crew; /* the first member */
    struct Sent *sent;
    FILE *input; /* what all ranks read as standard input, once it is shared */
} RanksCrew;

void ranks_crew_open(RanksCrew *ranks);
/* Waits until all that was sent has arrived. */
void ranks_crew_close(RanksCrew *ranks);

#endif
