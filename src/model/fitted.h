/* What a machine file says about the fit that it comes from: the key `fitted`. */
#ifndef COLLCOST_MODEL_FITTED_H
#define COLLCOST_MODEL_FITTED_H

#include "model/node.h"

typedef struct {
    const char *name, *hash; /* SHA-256 of the file */
} FittedLog;

typedef struct {
    Text parameter; /* "startup", "node.bandwidth": by its name in --set */
    double factor;  /* 95 % interval: the value divided and multiplied by it; more than 1 */
} FittedInterval;

typedef struct {
    size_t first, second; /* of the intervals */
    double value;
} FittedCorrelation;

/* A convention that is not the default one, by the names of options: "contention", "messages". */
typedef struct {
    Text name, value;
} FittedRule;

/* The median error of rows of a collective, up to a size, that a fit without them predicted. */
typedef struct {
    Text collective;
    double up_to, error;
} FittedHeldOut;

typedef struct Fitted {
    FittedLog *logs;
    size_t log_count;
    int64_t rows;
    double median_error;
    FittedHeldOut *held_out; /* by rising sizes for each collective */
    size_t held_out_count;
    FittedInterval *intervals;
    size_t interval_count;
    FittedCorrelation *correlations;
    size_t correlation_count;
    FittedRule *rules; /* under which it was fitted: those in force where no others are asked for */
    size_t rule_count;
} Fitted;

/* The conventions that `rules` may have. */
enum { FITTED_RULES = 8 };
extern const char *const fitted_rule_names[FITTED_RULES];

/* NULL after reports. Whether the machine has the parameters is not looked at. */
const Fitted *fitted_read(Arena *arena, const Node *map, Diag *diag);
/* What it is off for a collective at that size: held out where that is known; of a collective that
   was not measured the largest of those, or the median of all rows. */
double fitted_error(const Fitted *fitted, const char *collective, double bytes);
/* Between two intervals; 0 where none is stated. */
double fitted_correlation(const Fitted *fitted, size_t a, size_t b);
/* "34 rows of 2 logs, median error 4.2%" */
const char *fitted_describe(Arena *arena, const Fitted *fitted);
/* "startup within 5%, bandwidth within 20%": the intervals. */
const char *fitted_describe_intervals(Arena *arena, const Fitted *fitted);

/* "contention messages, asynchronous yes" */
const char *fitted_describe_rules(Arena *arena, const Fitted *fitted);

#endif
