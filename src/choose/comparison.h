/* The times of two algorithms while one parameter of the machine varies.

   Each algorithm has a candidate for each number of chunks that is tried, and each of these is
   timed only where the lines that enclose its time (enclosure.h) leave open whether it matters.
   Only values are known, no tangents: the parts of a cost are shared by the machine's parameter and
   what links, levels and protocols have of their own, so a part divided by the parameter is a slope
   on plain machines only. */
#ifndef COLLCOST_CHOOSE_COMPARISON_H
#define COLLCOST_CHOOSE_COMPARISON_H

#include "cost/curve.h"
#include "model/varied.h"

/* Both curves, and the machine that gives their times. */
typedef struct {
    Machine machine;
    Rules rules;
    Curve *curves[2];
} VariedCurves;

/* Two algorithms on one network. */
typedef struct {
    const Algorithm *algorithms[2];
    const Network *network;
    int64_t root, target; /* as curve_create takes them */
    FreeChoice chosen[2];
    const Machine *machine;
    const Rules *rules; /* for this machine */
    double bytes;
    VariedCurves *current; /* on the machine as it is, but while a parameter varies */
} Comparison;

typedef struct VariedComparison VariedComparison;

/* Makes the curves of a comparison. False after a report. */
bool comparison_open(Arena *arena, Comparison *comparison, Diag *diag);
/* It lives in `arena`. NULL, without a report, where schedules are too large. */
VariedComparison *varied_open(Arena *arena, const Comparison *comparison,
                              const VariedParameter *varied);
/* Gives the parameter its present value again. */
void varied_close(VariedComparison *varying);

/* The present value of a parameter. */
double varied_now(const VariedParameter *varied);
/* The time of one of them with its best number of chunks. False without a report, as all. */
bool varied_time(VariedComparison *varying, int which, double value, double *seconds);
/* Can the other one be the faster anywhere between two values? If so, somewhere there it is worth
   another try. */
bool varied_may_cross(VariedComparison *varying, int faster, double low, double high, bool *may,
                      double *somewhere);
/* For a varied that is a size, times are kept whatever its value: appends the sizes of messages of
   both; and forgets the times of numbers of chunks that have a message of one size. */
void varied_messages(VariedComparison *varying, Arena *arena, SizeArray *sizes);
void varied_forget(VariedComparison *varying, double message);

#endif
