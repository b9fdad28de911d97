/* One coefficient of the derived cost, at some points, as a form of the family. */
#ifndef COLLCOST_FORMS_FITTING_H
#define COLLCOST_FORMS_FITTING_H

#include "cost/derive.h"
#include "forms/family.h"
#include "sched/shapes.h"

/* Derived costs at many points, each as its coefficients of ts, th, m tw and m tc: what closed
   forms are fitted to. */

typedef struct {
    const Algorithm *algorithm;
    const Topology *topology;
    Rules rules;          /* the machine's parameters and levels do not count */
    int64_t root, target; /* -1: several, where the collective has them */
} SampleQuestion;

typedef struct {
    FormPoint point;
    const Shape *shape;
    const char *name; /* "torus:4x8" */
    Exact costs[PARAMETER_COUNT];
    bool is_sum; /* the time is the sum of the four for all parameters; else it is less */
    double work; /* about how many blocks and messages were moved over links */
} Sample;

ARRAY_TYPE(SampleArray, Sample);

/* The shapes of up to `largest` ranks: p in a line, and grids; for named dimensions grids of all
   their sizes up to eight. */
void samples_shapes(Arena *arena, const SampleQuestion *question, int64_t largest,
                    ShapeArray *shapes);
/* Derives the cost on each shape where the algorithm may run, for its roots, targets and numbers of
   chunks. `shapes` NULL: up to 64 ranks, and as long as schedules are short on larger ones: 96,
   128, 129, ..., and squares. False after a report. */
bool samples_derive(Arena *arena, const SampleQuestion *question, const ShapeArray *shapes,
                    SampleArray *samples, Diag *diag);
/* Derives the cost with other numbers of ports than the question's, up to 3, on the smallest shapes
   of `samples`. False after a report. */
bool samples_of_other_ports(Arena *arena, const SampleQuestion *question,
                            const SampleArray *samples, SampleArray *others, Diag *diag);

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
