/* Rules as a tuning file of MPICH: a tree with all collectives, since it takes the place of all
   that MPICH knows. Where rules leave the choice to the library stands what that version chooses by
   itself (mpich_default.def). */
#ifndef COLLCOST_EXCHANGE_MPICH_WRITE_H
#define COLLCOST_EXCHANGE_MPICH_WRITE_H

#include "base/buffer.h"
#include "exchange/tuning.h"

/* Why no file names this algorithm; NULL: files may. */
const char *mpich_refuses(const LibraryAlgorithm *algorithm, int protocol, const Shape *shape);
/* Rules are by collective, by ranks and by size, without gaps; `version` has all their algorithms.
   Sizes that do not fit in an int are left out: the rule before goes on. */
void mpich_write(Buffer *text, const TuningRules *rules, const char *version);

#endif
