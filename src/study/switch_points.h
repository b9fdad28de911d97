/* The fastest candidates of a case over the message size, with exact switch points. */
#ifndef COLLCOST_STUDY_SWITCH_POINTS_H
#define COLLCOST_STUDY_SWITCH_POINTS_H

#include "study/case.h"

typedef struct SwitchPoints {
    double from, to;  /* bytes: between these sizes */
    double tolerance; /* the share of time that merged pieces may lose; negative: none are merged */
    PieceArray pieces; /* one winner each; `curve` is the number of a candidate */
    PieceArray shown;  /* merged as far as the tolerance allows */
} SwitchPoints;

/* Found when they are first asked for, the last ones being kept. Without candidates there are no
   pieces. NULL after a report. */
const SwitchPoints *switch_points_find(Case *opened, double from, double to, double tolerance);
/* Nobody is sent to an algorithm that is wrong: runs the winners at the sizes where they begin.
   False after a report. */
bool switch_points_check(const Case *opened, const SwitchPoints *points);
/* The pieces that are shown, in the study's arena. NULL after a report. */
const collcost_piece *switch_points_list(Case *opened, const SwitchPoints *points,
                                         bool wants_details);

/* How switch points depend on what was taken for granted: a parameter of the machine, a
   convention. */

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
