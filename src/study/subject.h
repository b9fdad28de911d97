/* What is asked about, by name. */
#ifndef COLLCOST_STUDY_SUBJECT_H
#define COLLCOST_STUDY_SUBJECT_H

#include "study/study.h"

/* "allreduce/ring", or stages, "allreduce: reduce-scatter/ring, allgather/ring". NULL after a
   report. */
const Algorithm *subject_model(const Study *study, Text text);
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
