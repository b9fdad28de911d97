/* One function for each kind of bound but the cut (cut.h) and the flow (flow.h). */
#ifndef COLLCOST_BOUND_KINDS_H
#define COLLCOST_BOUND_KINDS_H

#include "bound/parts.h"

Bound bound_rounds(Bounder *bounder);
Bound bound_distance(Bounder *bounder);
Bound bound_node(Bounder *bounder);
Bound bound_ports(Bounder *bounder);
Bound bound_volume(Bounder *bounder);
Bound bound_compute(Bounder *bounder);

#endif
