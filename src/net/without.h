/* What is left of a network where links or nodes fail, as a topology of its own. */
#ifndef COLLCOST_NET_WITHOUT_H
#define COLLCOST_NET_WITHOUT_H

#include "base/buffer.h"
#include "net/network.h"

typedef struct {
    const Network *network; /* with its links laid out */
    bool *nodes, *links;    /* by number: it fails */
    int64_t node_count, link_count;
} Failures;

Failures failures_of(Arena *arena, const Network *network);
/* Marks what the text names: a node by number, name or the first word of its name, or a link, A-B,
   in both directions. False: it names neither. */
bool failures_mark(Failures *failures, Text text);
bool failures_leave_ranks(const Failures *failures);
/* The topology without them, as a model. Messages take the shortest or fastest ways then. */
void failures_write(const Failures *failures, const char *name, Buffer *out);

#endif
