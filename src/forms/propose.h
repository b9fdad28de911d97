/* Closed forms for the time of an algorithm, fitted exactly to its derived cost over small p and
   checked on larger p. They are unproven beyond.

   For each of ts, th, m tw and m tc the form with the fewest terms of the family (forms/family.h)
   is sought that gives its coefficient at every point. Where there is none for all points, or one
   with a condition is much simpler, conditions are tried, which leave some points out or share them
   between two forms. A time that is the largest of several ways is no sum of such forms, and then
   none is proposed. */
#ifndef COLLCOST_FORMS_PROPOSE_H
#define COLLCOST_FORMS_PROPOSE_H

#include "forms/fitting.h"

typedef struct {
    const char *when;    /* NULL: at all points */
    bool found;          /* a form for each coefficient, and their sum is the time */
    const char *formula; /* NULL unless found */
    FittedForm coefficients[PARAMETER_COUNT];
    FitPoints points; /* that meet the condition */
} Proposal;

typedef struct {
    Proposal *items; /* one, or two with conditions that share the points; none is found where
                        `found` is false, and the only one is about all points */
    size_t count;
    bool found, complete; /* complete: for all points, or but for the smallest */
    int weight;
    const SampleArray *samples; /* for the ports of the question, small ones first */
} Proposals;

/* Points of fewer different numbers of ranks or grids are no ground for a formula. */
enum { PROPOSE_LEAST_SHAPES = SPARSE_ROWS_EACH };

/* `shapes`: where costs are derived; NULL: up to 64 ranks, and further where schedules are short.
   False after a report: also where there are too few shapes on which the algorithm runs. */
bool propose_forms(Arena *arena, const SampleQuestion *question, const ShapeArray *shapes,
                   Proposals *proposals, Diag *diag);

#endif
