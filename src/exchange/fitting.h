/* A fit while it runs: parameters that are fitted or fixed, over the modelled rows. */
#ifndef COLLCOST_EXCHANGE_FITTING_H
#define COLLCOST_EXCHANGE_FITTING_H

#include "exchange/fit_question.h"
#include "exchange/least_squares.h"

enum {
    USUAL_PIECES = 4, /* more protocols are seldom there, and are often the noise of a log */
    MOST_RATES = 3,   /* of combining */
    FEWEST_ROWS_FOR_BREAKS = 30,
    FEWEST_ROWS_WHERE_ASKED = 20 /* for protocols */
};

/* Smaller parts of a time do not show. */
#define LEAST_EFFECT 1e-4

/* What is fitted now, and what it is called with. */
typedef struct Fitting {
    const FitQuestion *question;
    Arena *arena;
    Predictor predictor;
    Machine start;
    bool is_seeking; /* breaks: --free is about what the machine gets by them, too */
    FitModel model;
    const Network *network; /* of the row with the most ranks */
    FittedValueArray *parameters;
    double *logs;    /* of all parameters: where a fit begins; of fitted ones, where it ended */
    double *first;   /* the same, as they were at the very beginning */
    bool *is_absent; /* a parameter that the machine does not have: it is 0 */
    size_t *leaders; /* of a parameter that has the value of another one: its place, else itself */
    size_t *places;  /* of those that are fitted */
    size_t place_count;
    double *seconds, *moved; /* of modelled rows */
    double *moved_at;        /* parameters */
    double *values;          /* the same as times, as shares of what they begin with */
    double *known_at;        /* `seconds` are the times with these */
    bool knows;
    double *weights;
    bool *counts; /* rows with a weight; and those that are evaluated again */
    bool *moves;
    /* The time of a row is a line in the fitted parameters, as times, as long as no bend lies
       between: a constant, then what each contributes by its value. */
    double *lines;
} Fitting;

/* What a machine usually has that no row shows: so many times as long as another parameter of it,
   as times. */
typedef struct {
    const char *name;
    Parameter of;
    double ratio;
    const char *words; /* "a fifth of the startup" */
} UsualPart;

/* The machine with the fitted parameters `at`; NULL: as they are kept. */
Machine fitting_machine(const Fitting *fitting, const double *at);
/* *other: the place of the one that it follows. NULL: nothing is usual, or the machine was named by
   a user, or no collective was measured. */
const UsualPart *fitting_usual(const Fitting *fitting, size_t parameter, size_t *other);
/* Need the machine not have it? Then it can be 0. */
bool fitting_is_spare(const Fitting *fitting, size_t parameter);
/* Lists the parameters of fitting->start that the question wants, all of them to be fitted, and
   derives the cases for them. False after a report. */
bool fitting_begin(Fitting *fitting);
/* Is the fitted parameter not at one of its bounds? */
bool fitting_is_inside(const Fitting *fitting, const double *at, size_t place);
/* One fit of all rows by their weights, from what is kept. */
bool fitting_run(Fitting *fitting, Arena *arena, LeastSquaresFit *found);
/* The best of several: from there, and with each level, or protocol, faster and slower. */
bool fitting_run_widely(Fitting *fitting, Arena *arena, LeastSquaresFit *found);
/* The Bayesian information criterion with so many parameters, of residuals whose sizes are
   exponentially distributed (Laplace's distribution), so that a few wild rows hardly count. */
double fitting_criterion(const Fitting *fitting, const LeastSquaresFit *found, size_t parameters);
/* By how much a row changes at most where one of the fitted parameters is e times larger, or
 * smaller. */
bool fitting_moves(Fitting *fitting, const double *at, size_t place, double *share);
/* Rows that are off by more than a factor of 20, if they are few, lose their weight: how many. */
size_t fitting_leave_wild(Fitting *fitting, const LeastSquaresFit *found);
void fitting_keep(Fitting *fitting, const LeastSquaresFit *found);
/* The logarithm that a parameter has then: of one that follows another, by that one. */
double fitting_log(const Fitting *fitting, const double *at, size_t parameter);
/* To as many digits as are told and kept; a parameter of which the quantity that is told, a
   bandwidth, has so many, as a time, and its logarithm. */
double fitting_round(double value);
double fitting_value(const Fitting *fitting, size_t parameter, double logarithm);
double fitting_round_log(const Fitting *fitting, size_t parameter, double logarithm);
/* The machine to begin with. One that a user has named stays as it is. Else: pieces of the messages
   between two ranks become its protocols, if there are such rows; without them a guess of the right
   order. Levels of the network but the innermost get costs of their own. False after a report. */
bool fit_start(const FitQuestion *question, Machine *machine, MessagePieces *pieces);
/* One of `count` protocols of that machine, up to sizes[number]; the last one has no end. */
Protocol fit_protocol(Arena *arena, const double *sizes, int count, int number, double ts,
                      double tw);
/* Gives the machine to begin with protocols, and rates of combining by what a rank holds: one break
   more after the other, each at the power of two that fits best, as long as the Bayesian
   information criterion wants it, up to `most` protocols, or exactly `count` of them where that is
   not 0. False where rows are too few. A fit of startups, bandwidths and compute for each power of
   two and break. */
bool fit_breaks_find(Fitting *fitting, int count, int most);

#endif
