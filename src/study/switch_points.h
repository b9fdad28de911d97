/* The fastest candidates of a case over the message size, with exact switch points. */
#ifndef COLLCOST_STUDY_SWITCH_POINTS_H
#define COLLCOST_STUDY_SWITCH_POINTS_H

#include "study/case.h"

/* Bytes: beyond any message, and the last power of two up to which all whole sizes are exact. */
#define LARGEST_SIZE 0x1p53

typedef struct {
    PieceArray pieces; /* one winner each; `curve` is the number of a candidate */
    PieceArray shown;  /* the same, merged as far as the tolerance allows */
} SwitchPoints;

/* Between two sizes. `tolerance`: the share of time that merged pieces may lose; negative: pieces
   are not merged. Without candidates there are no pieces. False after a report. */
bool switch_points_find(const Case *opened, double from, double to, double tolerance,
                        SwitchPoints *points);
/* Nobody is sent to an algorithm that is wrong: runs the winners at the sizes where they begin.
   False after a report. */
bool switch_points_check(const Case *opened, const SwitchPoints *points);

#endif
