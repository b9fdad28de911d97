/* Times of cases by themselves. */
#ifndef COLLCOST_TESTS_PROPERTY_OPENED_H
#define COLLCOST_TESTS_PROPERTY_OPENED_H

#include "collcost.h"

#include <stdbool.h>

/* What the one candidate takes, as collcost_case_best has it, without a lower bound beside it.
   False after a report, and for 0. */
bool opened_seconds(const collcost_case *opened, double bytes, double *seconds);

#endif
