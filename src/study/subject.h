/* The subject of a question, by name. */
#ifndef COLLCOST_STUDY_SUBJECT_H
#define COLLCOST_STUDY_SUBJECT_H

#include "study/study.h"

/* m by which a library chooses its parts where a question has no size, or several. */
enum { SIZE_OF_PARTS = 1024 };

/* The model of what a library runs in this call, for which there is one: in stages whose algorithm
   is `chosen`, what it chooses for them by their own size. NULL after a report. */
const Algorithm *subject_of_library(const Study *study, const LibraryAlgorithm *one,
                                    const LibraryCall *call);
/* subject_model with the parts of the study in place of what the algorithm uses. NULL after a
   report. */
const Algorithm *subject_algorithm(const Study *study, Text text);
/* "allreduce"; or "allreduce/ring", or stages, and then *only is that algorithm, else NULL. False
   after a report. */
bool subject_read(const Study *study, Text text, const Collective **collective,
                  const Algorithm **only);
/* "torus:4x4"; a topology of a user may have a number of ranks of its own. NULL after a report. */
const Topology *subject_topology(const Study *study, Text text, Shape *shape);

/* Other algorithms in place of those that an algorithm uses for the same collectives. */

/* Adds an algorithm by its name to study->parts. False after a report: no such algorithm, one that
   is wrong, a second one of its collective. */
bool parts_add(Study *study, Text name);
/* The algorithm with those parts. */
const Algorithm *parts_apply(const Study *study, const Algorithm *algorithm);
/* False after a report: none of the algorithms uses the collective of some part. */
bool parts_check(const Study *study, const AlgorithmArray *algorithms);

#endif
