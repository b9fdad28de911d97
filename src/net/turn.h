/* Turns of a network: ranks move on by t, switches among themselves, and every link and every path
   lands on one that is like it.

       torus:4x3, t = 4     all nodes by 4 modulo 12
       cluster:3x2, t = 2   ranks 0 .. 5 by 2, switches of nodes 6 .. 8 by 1, the core 9 stays

   Loads of messages that are alike in turns by t are then alike, too: those of ranks 0 .. t-1,
   added up on links that represent the others, are enough. */
#ifndef COLLCOST_NET_TURN_H
#define COLLCOST_NET_TURN_H

#include "net/line.h"
#include "net/network.h"

/* The turn by the fewest ranks that is known: by one on full networks and rings, by one step along
   the slowest dimension elsewhere. That paths turn is proven from the rule `next`, that links do is
   seen. By p ranks, which is none, where it is not so, and for groups of ranks. O(links) the first
   time. */
NetworkTurn network_turn(const Network *network);
/* By the fewest ranks that are turns of both: a multiple of `ranks`, which divides p. */
NetworkTurn turn_multiple(const NetworkTurn *turn, int64_t ranks);
/* The link that stands for this one. True if it is the only one: no turn moves it. */
bool turn_link(const NetworkTurn *turn, int64_t *from, int64_t *to);

/* Does every step along a dimension of its grid, round it at the end, map the links on themselves?
   Then any rank can stand for any other. False where there are switches. */
bool network_is_symmetric(const Network *network);

#endif
