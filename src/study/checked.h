/* Schedules that were run on data and found right, remembered as long as the library: a session
   asks for the same ones line after line. */
#ifndef COLLCOST_STUDY_CHECKED_H
#define COLLCOST_STUDY_CHECKED_H

#include "study/study.h"

/* Was this one found right before? Takes the same time however much is remembered. */
bool checked_is_known(const Study *study, const Instance *instance);
/* Remembers it, perhaps in the place of another one. */
void checked_remember(const Study *study, const Instance *instance);

#endif
