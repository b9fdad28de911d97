/* How switch points depend on what was taken for granted: a parameter of the machine, a
   convention. */
#ifndef COLLCOST_STUDY_VARIATION_H
#define COLLCOST_STUDY_VARIATION_H

#include "study/switch_points.h"

ARRAY_TYPE(MovedSwitches, collcost_moved);
ARRAY_TYPE(Conventions, collcost_convention);

/* With a parameter times the factors `less` and `more`: see collcost_case_vary. *is_wrong: whether
   a winner failed its check, which was reported. False after a report. */
bool variation_find(Case *opened, const SwitchPoints *points, Text parameter, double less,
                    double more, MovedSwitches *moved, bool *is_wrong);
/* Under each convention that is not in force: see collcost_convention. Of winners that fail their
   check one is reported, unless the case has one itself. False after a report. */
bool variation_of_rules(Case *opened, const SwitchPoints *points, Conventions *conventions,
                        bool *is_wrong);

#endif
