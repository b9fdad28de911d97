/* A cut as a text that another program can check without knowing anything but this:

       # ...                       a comment
       nodes 16                    of the graph
       arc 0 8 2                   from node 0 to node 8, with a capacity; as often as there are
   arcs inside 0..3 8..11           the side of the cut that blocks leave; the other nodes are
   outside block 3 at 3 to 0..7        block 3 is at these nodes, and must come to those result 0 at
   5 of 0..7       node 5 must hold block 0 combined of what these contribute blocks 4 that leave
   the inside: none of their holders is outside, and some node outside needs them; or a contributor
   is inside, a result outside capacity 2                  of the arcs that leave the inside bound
   2/1                   blocks over capacity

   With half duplex there may be `edge` in the place of `arc`, and `both`: then what enters the
   inside counts as well. */
#ifndef COLLCOST_COST_BOUND_CERTIFICATE_H
#define COLLCOST_COST_BOUND_CERTIFICATE_H

#include "cost/bound.h"

/* The best cut that can be found. False if there is none: nothing has to move, or there are too
   many links. */
bool bound_certify(FILE *out, const char *collective, const Contract *contract,
                   const Network *network, const Rules *rules);

#endif
