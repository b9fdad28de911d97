/* Derived costs at many points, each as its coefficients of ts, th, m tw and m tc: what closed
   forms are fitted to. */
#ifndef COLLCOST_FORMS_SAMPLE_H
#define COLLCOST_FORMS_SAMPLE_H

#include "cost/derive.h"
#include "forms/family.h"
#include "sched/shapes.h"

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

#endif
