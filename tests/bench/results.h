/* What the bench measures: both sides in turn, their medians, and a table of them. */
#ifndef COLLCOST_TESTS_BENCH_RESULTS_H
#define COLLCOST_TESTS_BENCH_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

enum { REPEATS = 9, MOST_PAIRS = 64 * REPEATS, LEAST_ROOM = 96 };

typedef struct {
    const char *name, *limit, *unit;  /* limit "": there is none */
    double value, limit_value, ratio; /* larger is better, but for times */
    bool is_time;
    long peak; /* KiB of our process; 0: it was not one of its own */
} Result;

/* Seconds of both sides, one after the other. */
typedef struct {
    double ours[MOST_PAIRS], limit[MOST_PAIRS], ratios[MOST_PAIRS];
    size_t count;
} Pairs;

typedef struct {
    Result items[2 * LEAST_ROOM];
    size_t count;
} Results;

void add_pair(Pairs *pairs, double ours, double limit);
/* `amount`: what is done in that time, where rates are shown; 0: times are. */
void add_result(Results *results, const char *name, const char *limit, const char *unit,
                double amount, Pairs *pairs, long peak);
_Noreturn void fail(const char *what);
/* What is asked of the program in processes of its own: first of all, since until it begins, a
   process counts with the memory of its parent. `lines`: a file of questions. */
void bench_questions(Results *results, char *collcost, const char *lines);
/* As JSON, behind the table of rows that add_result prints. */
void write_results(const Results *results);

#endif
