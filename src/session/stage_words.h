/* How a stage of an algorithm that is typed in one line goes on (model/use.h), and another
   collective of --with: which words may follow those before.

       allreduce: ring along node channels 2     after "ring along": "every", or a dimension
       alltoall/pairwise along device of 1MiB    after "device": "along", "members", "of"

   Told from the words alone, in one pass over them; what is wrong in them has nothing to follow. */
#ifndef COLLCOST_SESSION_STAGE_WORDS_H
#define COLLCOST_SESSION_STAGE_WORDS_H

#include "base/source.h"

/* Names that may follow beside the words. */
typedef enum { NAMES_NONE, NAMES_ALGORITHMS, NAMES_DIMENSIONS } StageNames;

enum { MOST_STAGE_WORDS = 3 };

typedef struct {
    const char *words[MOST_STAGE_WORDS];
    int count;
    StageNames names;
} StageWords;

/* Behind these stages, the last of which has begun: "ring along x, ring along". */
StageWords stage_words(Text stages);
/* Behind this beginning of a value of --with: "alltoall along". */
StageWords stage_words_of_part(Text part);

#endif
