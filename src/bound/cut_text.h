/* A cut in words. */
#ifndef COLLCOST_BOUND_CUT_TEXT_H
#define COLLCOST_BOUND_CUT_TEXT_H

#include "bound/parts.h"

/* "3 m leave ranks 0..2 over 2 links (2 -> 3, 0 -> 7); best of all cuts" */
const char *cut_describe(const Bounder *bounder, const Cut *cut);
/* A cut of a graph that is not laid out, which crosses the ports of so many ranks and no link; its
   capacity is in units of 1. */
const char *cut_describe_ports(const Bounder *bounder, const Cut *cut, int64_t ports);

#endif
