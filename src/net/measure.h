/* What a network is like: numbers of links, longest and mean distance. */
#ifndef COLLCOST_NET_MEASURE_H
#define COLLCOST_NET_MEASURE_H

#include "net/network.h"

typedef struct {
    int64_t switches;
    int64_t links; /* directed; -1: more than 2^63 */
    int64_t least_degree, most_degree;
    bool has_distances; /* not where that would take too long */
    bool connected;     /* every rank reaches every other */
    int64_t diameter;   /* the longest of the shortest paths between ranks, where connected */
    int64_t numerator, denominator; /* the mean shortest path between two different ranks */
} Measures;

Measures network_measure(const Network *network);
/* The two ranks that are farthest apart by links; of several pairs that with the smallest *from,
   then the smallest *to. Either may be given; -1: it is sought. False where that takes too long. */
bool network_farthest(const Network *network, int64_t *from, int64_t *to);

#endif
