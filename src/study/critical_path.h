/* Who waits for whom, where messages share links in time: the messages on which the end depends. */
#ifndef COLLCOST_STUDY_CRITICAL_PATH_H
#define COLLCOST_STUDY_CRITICAL_PATH_H

#include "collcost.h"
#include "cost/derive.h"

typedef struct {
    const collcost_message *messages; /* the first one first */
    size_t count;
} CriticalPath;

/* Of a schedule for m bytes, by rules under which messages share in time. Lives in `arena`. False
   after a report. */
bool critical_path_find(Arena *arena, const Instance *instance, const Network *network,
                        const Rules *rules, double bytes, CriticalPath *path, Diag *diag);

#endif
