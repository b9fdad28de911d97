/* From costs to the rules of a tuning file: the fastest algorithms of a library on some networks,
   where they are enough faster than what the library runs by itself.

   Switch points are those of study/case.h. Between them, gains are looked at where the
   library's own choice may change: at powers of two in m, M and the measure of the collective, and
   just below the next of these. A collective whose rules cannot depend on the size gets an
   algorithm only if that is nowhere slower.

   Where a log has times of the library's algorithms, these count in place of the model's. Each
   algorithm has times at some sizes. Between two of them that are at most 16 times apart, its time
   lies on a line in the logarithms of size and time; after others it stays the same to below twice
   the size. Elsewhere it has none. */
#ifndef COLLCOST_EXCHANGE_TUNING_PLANNED_H
#define COLLCOST_EXCHANGE_TUNING_PLANNED_H

#include "exchange/naming.h"
#include "exchange/tuning.h"
#include "study/case.h"

/* A rule with what speaks for it. */
typedef struct {
    TuningRule rule;
    const LibraryAlgorithm *algorithm; /* NULL: the library's own choice */
    double from_bytes;                 /* m at which it begins */
    double seconds,
        own_seconds; /* there: of the rule, and of the library's own choice; NAN: not known */
    double gain;     /* the largest share by which the own choice is slower; 0 where that runs */
    bool is_measured, is_modelled; /* by what it was found; neither: for other ranks */
} PlannedRule;
ARRAY_TYPE(PlannedRules, PlannedRule);

/* What has no rule, or is no candidate, and why: it is shown beside the rules, so that nothing is
   left to the library in silence. Notes and their texts live in the arena that they are appended
   in. */
typedef struct {
    const char *collective; /* the library's name */
    const char *algorithm;  /* NULL: all of them */
    int64_t p;              /* 0: everywhere */
    const char *reason;
    bool is_of_log; /* rows of a log, which were asked for and are not used */
} PlanNote;
ARRAY_TYPE(PlanNotes, PlanNote);

/* An algorithm that rules can name. */
typedef struct {
    const LibraryAlgorithm *algorithm;
    const char *name; /* in logs: "ring", or with its protocol "ring_ll128" */
    int protocol;     /* the number of its case */
    size_t candidate; /* there, if it has a model */
    bool is_crowded;  /* the model lacks what its messages cost */
} PlanOption;
ARRAY_TYPE(PlanOptions, PlanOption);

typedef struct {
    double bytes, seconds; /* m */
} MeasuredTime;
ARRAY_TYPE(MeasuredSeries, MeasuredTime);

typedef struct {
    PlanOptions options;
    MeasuredSeries *series; /* of each, by rising size; the one behind them is of calls for which
                               the library chose */
    SizeArray sizes;        /* rising: where there are times, where they end, and where two of them
                               cross */
} MeasuredTimes;

/* Rows, as measurements_merge leaves them, and what their algorithms are called. */
typedef struct {
    const MeasurementArray *rows; /* NULL: none */
    Naming naming;
} MeasuredRows;

typedef struct {
    const TuningFormat *format;
    const Topology *topology;
    const Shape *shapes; /* with rising numbers of ranks */
    size_t count;
    double least_gain; /* a share; a rule that gains less leaves the choice to the library */
    double least_measured_gain; /* the same between measured times; switch points closer than it are
                                   one */
    MeasuredRows measured;
} PlanQuestion;

typedef struct {
    PlannedRules rules; /* by collective, ranks and sizes; without gaps where there are any */
    PlanNotes notes;
    bool is_measured; /* times of the logs were compared */
} TuningPlan;

/* Appends the rules of one collective of the format. The study is about a library. Rules
   are for the numbers of ranks that are asked about, and no others. False after a report. */
bool tuning_plan(const Study *study, const PlanQuestion *question, int collective,
                 TuningPlan *plan);
/* Appends the rules of one collective of the format, whose model that is, for the network with
   shapes[index] of the question, with rising sizes; and what has none. False after a report. */
bool tuning_network(const Study *study, const PlanQuestion *question, size_t index, int collective,
                    const Collective *model, TuningPlan *all);
/* The rows for one collective on so many ranks, as times of these algorithms. Of
   rows that count until different moments, those count of which there are most. Rows that are no
   such algorithm's are noted. */
MeasuredTimes measured_times(const Study *study, const MeasuredRows *measured,
                             const TunedCollective *tuned, int64_t p, const PlanOptions *options,
                             PlanNotes *notes);
/* The times at m bytes, of all and of the library's choice; NAN: none. */
void measured_at(const MeasuredTimes *times, double m, double *seconds);

#endif
