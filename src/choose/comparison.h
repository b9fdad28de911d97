/* The times of two algorithms while one parameter of the machine varies.

   For a fixed number of chunks a schedule's time is a longest path: it rises with the value, bends
   upwards only, and what it would be at zero is not negative. So between two values that were tried
   it lies below their chord, and above the chords on either side made longer. The best of a closed
   form over all numbers of chunks is the least of many lines: there it is the other way round. Of
   a best that is found without trying all numbers only the rise is known. */
#ifndef COLLCOST_CHOOSE_COMPARISON_H
#define COLLCOST_CHOOSE_COMPARISON_H

#include "choose/varied.h"
#include "cost/curve.h"

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
    int64_t root, target, k; /* as curve_create takes them */
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
const VariedParameter *varied_parameter(const VariedComparison *varying);
double varied_bytes(const VariedComparison *varying);
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
