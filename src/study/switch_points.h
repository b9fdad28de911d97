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

#endif
