/* Compositions: algorithms of a library put together along the dimensions of a network, for every
   plan (plans.h) the best ones at all sizes.

   Stages follow one another with barriers, and their times add up, so the best choice for a stage
   does not depend on those for the others. It is found as the lower envelope of whole compositions
   that differ in that stage alone: with n algorithms a stage, s n curves take the place of n^s.
   Where several stages are cut into chunks they share their number k; and without barriers, or
   where a stage leaves its ranks with more than its collective says, times do not quite add up:
   what is found is then still costed as it is, but need not be the best.

   The Pareto front of startup against all that grows with the size is found stage by stage as well:
   sums of what is on the fronts of the stages, at a few sizes. */
#ifndef COLLCOST_STUDY_COMPOSITIONS_H
#define COLLCOST_STUDY_COMPOSITIONS_H

#include "study/followed.h"

/* Are compositions candidates on networks of this topology, if they have several dimensions? Not
   where times of stages do not add up at all. */
bool compositions_are_wanted(const Study *study, const Topology *topology);
/* Would they be, were it not for the rules? */
bool compositions_are_left_out(const Study *study, const Topology *topology);
/* Is it the name of a composition, as answers have it? */
bool compositions_is_name(Text name);
/* Appends the compositions that are, at some size, the fastest of all of them and of the `count`
   candidates whose curves are given, in the study's arena; for a study that wants the front, also
   those that may be on it, whether anything else beats them or not. What is too large to be
   followed is left out of the candidates, with a warning. False after a report. */
bool compositions_find(const Study *study, const Collective *collective, Candidates *candidates,
                       Curve *const *library, size_t count, AlgorithmArray *found);

#endif
