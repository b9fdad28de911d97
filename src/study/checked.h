/* Schedules that were run on data and found right, remembered as long as the library: a session
   asks for the same ones line after line. */
#ifndef COLLCOST_STUDY_CHECKED_H
#define COLLCOST_STUDY_CHECKED_H

#include "study/study.h"

/* What was found right: a schedule; or, with `form`, its closed form under these conventions. */
typedef struct {
    Instance instance;
    const Topology *topology; /* NULL: a schedule does not depend on it */
    uint64_t form;            /* 0: none */
} Checked;

/* Was this found right before? Takes the same time however much is remembered. */
bool checked_is_known(const Study *study, const Checked *checked);
/* Remembers it, perhaps in the place of another one. */
void checked_remember(const Study *study, const Checked *checked);

#endif
