/* The times of two algorithms while a knob of the machine is turned.

   For a fixed number of chunks a schedule's time is a longest way: it rises with the value, bends
   upwards only, and what it would be at zero is not negative. So between two values that were tried
   it lies below their chord, and above the chords on either side made longer. The best of a closed
   form over all numbers of chunks is the least of many lines: there it is the other way round. Of
   a best that is found without trying all numbers only the rise is known. */
#ifndef COLLCOST_CHOOSE_COMPARISON_H
#define COLLCOST_CHOOSE_COMPARISON_H

#include "cost/curve.h"
#include "choose/varied.h"

/* Both curves, under a machine that can change. */
typedef struct {
    Machine machine;
    Rules rules;
    Curve *curves[2];
} Course;

/* Two algorithms on one network. */
typedef struct {
    const Algorithm *algorithms[2];
    const Network *network;
    int64_t root, target, k; /* as curve_create takes them */
    const Machine *machine;
    const Rules *rules; /* for this machine */
    double bytes;
    Course *course; /* on the machine as it is, but while a race goes on */
} Contest;

typedef struct Race Race;

/* Makes the course of a contest, where that is missing. False after a report. */
bool contest_open(Arena *arena, Contest *contest, Diag *diag);
/* It lives in `arena`. NULL, without a report, where schedules are too large. */
Race *race_open(Arena *arena, const Contest *contest, const Knob *knob);
/* Turns the knob back. */
void race_close(Race *race);
const Knob *race_knob(const Race *race);
double race_bytes(const Race *race);
/* The value of the knob in force. */
double race_now(const Knob *knob);
/* The time of one of them with its best number of chunks. False without a report, as all. */
bool race_time(Race *race, int which, double value, double *seconds);
/* Can the other one be the faster anywhere between two values? If so, somewhere there it is worth
   another try. */
bool race_may_turn(Race *race, int faster, double low, double high, bool *may, double *somewhere);
/* For a knob that is a size, times are kept whatever its value: appends the sizes of messages of
   both; and forgets the times of numbers of chunks that have a message of one size. */
void race_messages(Race *race, Arena *arena, SizeArray *sizes);
void race_forget(Race *race, double message);

#endif
