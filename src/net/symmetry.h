/* Networks in which all ranks are alike. */
#ifndef COLLCOST_NET_SYMMETRY_H
#define COLLCOST_NET_SYMMETRY_H

#include "net/network.h"

/* Does every step along a dimension of its grid, round it at the end, map the links on themselves?
   Then any rank can stand for any other. False where there are switches. */
bool network_is_symmetric(const Network *network);

#endif
