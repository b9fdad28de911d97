/* Other algorithms in place of those that an algorithm uses for the same collectives. */
#ifndef COLLCOST_STUDY_PARTS_H
#define COLLCOST_STUDY_PARTS_H

#include "study/study.h"

/* Adds an algorithm by its name to study->parts. False after a report: no such algorithm, one that
   is wrong, a second one of its collective. */
bool parts_add(Study *study, Text name);
/* The algorithm with those parts. */
const Algorithm *parts_apply(const Study *study, const Algorithm *algorithm);
/* False after a report: none of the algorithms uses the collective of some part. */
bool parts_check(const Study *study, const AlgorithmArray *algorithms);

#endif
