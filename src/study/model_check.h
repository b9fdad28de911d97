/* Is a model usable at all? What can only be said of numbers of ranks is tried for some of them. */
#ifndef COLLCOST_STUDY_MODEL_CHECK_H
#define COLLCOST_STUDY_MODEL_CHECK_H

#include "model/collective.h"
#include "model/topology.h"

/* Its links make a network for some number of ranks (or for its own), and there all messages
   arrive. False after reports. */
bool model_check_topology(Arena *arena, const Topology *topology, Diag *diag);
/* Its blocks make sense for some number of ranks. False after reports. */
bool model_check_collective(Arena *arena, const Collective *collective, Diag *diag);

#endif
