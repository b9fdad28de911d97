/* Compositions whose stages overlap: each takes a chunk while the others have theirs. */
#ifndef COLLCOST_STUDY_PIPELINED_H
#define COLLCOST_STUDY_PIPELINED_H

#include "study/composer.h"

/* Appends the pipelines that are nearly the best for long messages. */
void pipelined_find(Composer *composer, const PlanArray *plans, AlgorithmArray *offered);

#endif
