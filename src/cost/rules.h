/* How a schedule is costed: the machine's parameters and the conventions.

   Stated rules of this version: rounds one after another, each as long as its slowest transfer and
   then tc times the most bytes that one rank combined; cut-through switching, ts + hops th + tw
   times the largest load on the way; the load of a directed link is the bytes of all messages that
   cross it in the round; full duplex; `ports` messages sent and received at a time by a rank. */
#ifndef COLLCOST_COST_RULES_H
#define COLLCOST_COST_RULES_H

#include "lang/exact.h"
#include "model/machine.h"
#include "net/network.h"

typedef struct {
    double parameters[PARAMETER_COUNT];
    int64_t ports;
    bool real_chunks; /* k may be any number >= 1; otherwise a whole one */
    Ties ties;
} Rules;

/* The same parameters as exact numbers, for comparisons without tolerance. */
typedef struct {
    Exact parameters[PARAMETER_COUNT];
} ExactParameters;

/* "cut-through, 1 port, ..." */
const char *rules_describe(Arena *arena, const Rules *rules);

#endif
