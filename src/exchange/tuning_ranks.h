/* The rules of a plan, and for which numbers of ranks they are. */
#ifndef COLLCOST_EXCHANGE_TUNING_RANKS_H
#define COLLCOST_EXCHANGE_TUNING_RANKS_H

#include "exchange/tuning.h"

/* A rule with what speaks for it. */
typedef struct {
    TuningRule rule;
    const LibraryAlgorithm *algorithm; /* NULL: the library's own choice */
    double from_bytes;                 /* m at which it begins */
    double seconds,
        own_seconds; /* there: of the rule, and of the library's own choice; NAN: not known */
    double gain;     /* the largest share by which the own choice is slower; 0 where that runs */
    bool is_measured, is_modelled; /* by what it was found; neither: for other ranks */
} PlannedRule;
ARRAY_TYPE(PlannedRules, PlannedRule);

/* Appends the rules of one collective; neighbouring numbers of ranks with the same rules are one.
 */
void tuning_join_ranks(Arena *arena, const PlannedRules *found, PlannedRules *rules);
/* Appends those that name an algorithm, each for one number of ranks, then those of the largest for
   all others. */
void tuning_single_ranks(Arena *arena, int64_t largest, const PlannedRules *found,
                         PlannedRules *rules);

#endif
