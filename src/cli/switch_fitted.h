/* How sure switch points are on a machine that was fitted. */
#ifndef COLLCOST_CLI_SWITCH_FITTED_H
#define COLLCOST_CLI_SWITCH_FITTED_H

#include "cli/switchpoints.h"

/* --vary fitted: for each switch point whether it is there at both ends of all intervals of the
   machine's fit, and between which sizes. False after a report. */
bool switch_fitted_write(Table *table, SwitchCase *switches);

#endif
