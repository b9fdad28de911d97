/* What is asked about, by name. */
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

#endif
