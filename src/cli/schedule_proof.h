/* A schedule behind a certificate of a bound: where an algorithm of the library takes no longer
   than the bound, if only bytes count, the bound cannot be improved. */
#ifndef COLLCOST_CLI_SCHEDULE_PROOF_H
#define COLLCOST_CLI_SCHEDULE_PROOF_H

#include "base/buffer.h"
#include "bound/bound.h"
#include "cli/query.h"

/* Writes these lines, or nothing where no algorithm reaches the bound with one chunk, or the rules
   are others than cut-through, full duplex and rounds one after another:

       pieces 4                    of each block: block b is pieces 4 b .. 4 b + 3
       round                       what is sent in it was there before it
       turn                        a port step: the transfers that follow are at the same time
       send 0 1 via 8 9 of 0 3 5   from node 0 through nodes 8 and 9 to node 1: these pieces

   A verb as in schedules: with `move` and `reduce` the sender keeps nothing, with `reduce` and
   `exchange` the receiver combines. A port step takes as long as its busiest arc: pieces over their
   number in a block, over the capacity; all port steps together take the bound. */
void schedule_proof_write(Buffer *out, const Query *query, const Collective *collective,
                          const Network *network, const Bound *bound);

#endif
