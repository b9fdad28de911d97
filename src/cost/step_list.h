/* The entries of a profile while they are collected, and those of a part of a schedule that comes
   again. */
#ifndef COLLCOST_COST_STEP_LIST_H
#define COLLCOST_COST_STEP_LIST_H

#include "cost/derive_step.h"

ARRAY_TYPE(PortStepArray, PortStepCost);

typedef struct {
    PortStepArray steps;
    PathList paths;
    bool may_merge; /* the first entry, with one that comes before the list */
} StepList;

/* Appends an entry with its paths; one that is like the last one, if it may, counts there. */
void step_list_add(Arena *arena, StepList *list, PortStepCost cost, const PathCost *paths,
                   bool may_merge);
/* Appends the entries of another list: the same as if they had been added one by one. */
void step_list_join(Arena *arena, StepList *list, const StepList *other);
StepList step_list_copy(Arena *arena, const StepList *list);

#endif
