/* What has no rule in a tuning file, and why: shown beside the rules, so that nothing is left to
   the library in silence. Notes and their texts live in the arena that they are appended in. */
#ifndef COLLCOST_EXCHANGE_TUNING_NOTES_H
#define COLLCOST_EXCHANGE_TUNING_NOTES_H

#include "exchange/measurement.h"
#include "exchange/tuning_ranks.h"
#include "model/shape.h"

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
