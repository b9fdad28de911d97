/* What a plan of a tuning file is made of: rules, and for which numbers of ranks they are; and what
   has no rule, and why, which is shown beside the rules, so that nothing is left to the library in
   silence. Notes and their texts live in the arena that they are appended in. */
#ifndef COLLCOST_EXCHANGE_TUNING_PLANNED_H
#define COLLCOST_EXCHANGE_TUNING_PLANNED_H

#include "exchange/measurement.h"
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

/* What has no rule, or is no candidate. */
typedef struct {
    const char *collective; /* the library's name */
    const char *algorithm;  /* NULL: all of them */
    int64_t p;              /* 0: everywhere */
    const char *reason;
    bool is_of_log; /* rows of a log, which were asked for and are not used */
} PlanNote;
ARRAY_TYPE(PlanNotes, PlanNote);

#endif
