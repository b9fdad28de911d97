/* A bound as a text that another program can check without knowing anything but this:

       # ...                   a comment
       nodes 16                of the graph
       arc 0 8 2               from node 0 to node 8, capacity 2; as often as there are arcs
       inside 0..3 8..11       a cut: the nodes on the side that blocks leave
       block 3 at 3 to 0..7    block 3 is at node 3, and must come to nodes 0 to 7
       result 0 at 5 of 0..7   node 5 must hold block 0 combined of what these contribute
       blocks 4                that must leave the inside: none of their holders is outside, and
                               some node outside needs them; or a contributor is inside, and the
                               result outside
       capacity 2              of the arcs that leave the inside
       bound 2/1               blocks over capacity

   With half duplex there may be `edge` in the place of `arc`, and `both`: then what enters the
   inside counts as well.

   Instead of a cut, arcs may have weights, after their capacities and 0 if absent (`arc 8 9 2 3`).
   An `edge` can then be crossed in both directions, and the end is

       crossed 40              the sum over blocks of the weight of the lightest path that each must
                               go, to the farthest node that needs it
       passed 20               the sum over arcs of capacity times weight
       bound 2/1               crossed over passed */
#ifndef COLLCOST_BOUND_CERTIFICATE_H
#define COLLCOST_BOUND_CERTIFICATE_H

#include "base/buffer.h"
#include "cost/rules.h"

/* The best cut that can be found, or, where `flow` is asked for and proves more, weights. False if
   there is nothing: no block has to move, or there are too many links. */
bool bound_certify(Buffer *out, const char *collective, const Contract *contract,
                   const Network *network, const Rules *rules, bool flow);

#endif
