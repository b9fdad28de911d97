/* What a plan of a tuning file is made of: rules, and for which numbers of ranks they are; and what
   has no rule, and why, which is shown beside the rules, so that nothing is left to the library in
   silence. Notes and their texts live in the arena that they are appended in. */
#ifndef COLLCOST_EXCHANGE_TUNING_PLANNED_H
#define COLLCOST_EXCHANGE_TUNING_PLANNED_H

#include "exchange/measurement.h"
#include "exchange/tuning.h"
#include "model/shape.h"

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

/* What has no rule, or is no candidate. */
typedef struct {
    const char *collective; /* the library's name */
    const char *algorithm;  /* NULL: all of them */
    int64_t p;              /* 0: everywhere */
    const char *reason;
    bool is_of_log; /* rows of a log, which were asked for and are not used */
} PlanNote;
ARRAY_TYPE(PlanNotes, PlanNote);

/* Notes the library's algorithms for a collective that no model stands for. False: there are no
   others. */
bool tuning_note_unmodelled(Arena *arena, const Implementation *library, const char *version,
                            const TunedCollective *tuned, PlanNotes *notes);
/* Notes numbers of ranks of the rows for a collective that no network has. */
void tuning_note_other_ranks(Arena *arena, const MeasurementArray *rows, const Shape *shapes,
                             size_t shape_count, const TunedCollective *tuned, PlanNotes *notes);
/* Drops notes, from number `first` on, about algorithms that have a rule all the same: by a log,
   which needs no model. O(notes x rules). */
void tuning_drop_notes(const PlannedRules *rules, size_t first, PlanNotes *notes);

#endif
