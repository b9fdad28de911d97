/* Claims about networks: links, distances, next hops. */
#ifndef COLLCOST_CLAIMS_TOPOLOGY_H
#define COLLCOST_CLAIMS_TOPOLOGY_H

#include "claims/compare.h"

/* Judges the claims of a topology on all its shapes. */
void judge_topology(Judge *judge);

#endif
