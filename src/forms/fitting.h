/* One coefficient of the derived cost, at some points, as a form of the family. */
#ifndef COLLCOST_FORMS_FITTING_H
#define COLLCOST_FORMS_FITTING_H

#include "forms/form.h"
#include "forms/sample.h"

/* The samples, the family in what they differ in, and its values there. */
typedef struct {
    Arena *arena;
    const SampleArray *samples;
    unsigned variables;
    Family family;
    Exact **values; /* of each term at each sample, once they were asked for */
} FitSpace;

/* Some of the samples. */
typedef struct {
    FitSpace *space;
    size_t *samples; /* their numbers, rising */
    size_t count;
    bool *determining; /* of each: has it determined a factor of a form? */
} FitPoints;

typedef struct {
    bool found;
    int weight;
    Form form;
} FittedForm;

/* Keeps `samples`. */
FitSpace *fitting_open(Arena *arena, const SampleArray *samples);
/* Those that meet the condition; NULL: all. */
FitPoints fitting_points(FitSpace *space, const FormTerm *condition);
const Sample *fitting_sample(const FitPoints *points, size_t i);
/* 2 of squares only, 3 of cubes only; else 0. */
int fitting_sides(const FitPoints *points);
/* The form with the fewest terms, and of these the lightest; one that shares its terms with one of
   the forms found `before` weighs less. Few points are for the caller to refuse. */
FittedForm fitting_form(const FitPoints *points, Parameter parameter, const FittedForm *before,
                        int before_count);

#endif
