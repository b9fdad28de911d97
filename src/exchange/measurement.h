/* What benchmarks measured, as plain data: one row is one operation at one size. */
#ifndef COLLCOST_EXCHANGE_MEASUREMENT_H
#define COLLCOST_EXCHANGE_MEASUREMENT_H

#include "base/diag.h"

/* FINISH_MEAN, ...: until when the time counts. */
typedef enum {
#define FINISH(id, name, words) FINISH_##id,
#include "exchange/finish.def"
    FINISH_COUNT
} Finish;

typedef struct {
    const char *name, *words;
} FinishInfo;
extern const FinishInfo finish_info[FINISH_COUNT];

/* An operation as benchmarks know it. */
typedef struct {
    const char *spelling;
    const char *name;    /* of the library's collective, or its own */
    bool is_per_rank;    /* the largest buffer of a rank has a block for every rank: M = p m */
    bool counts_buffers; /* OSU and IMB print M, not m */
    bool is_block;       /* MPI_Reduce_scatter_block, of which IMB prints m */
} Operation;

/* By any spelling, also behind MPI_ or nccl; case and other signs than letters and digits do not
   matter. NULL: unknown. */
const Operation *operation_find(Text name);
/* The one whose name, without the signs between its letters, stands in the name of a file: the
   longest. NULL where two stand there, or the same letters can be read in two ways. */
const Operation *operation_in_name(Arena *arena, Text name);

/* Does the operation of that name take time without any bytes? */
bool operation_can_be_empty(const char *name);

/* The algorithm of rows for which the library chose one. */
#define DEFAULT_ALGORITHM "default"

typedef struct {
    const char *collective; /* Operation.name */
    const char *algorithm;  /* as the log calls it, with what else makes the row another one: "ring
                               (channels 4)" */
    const char *ran;     /* what the library says that it ran, "ring_ll128"; "" where it does not */
    const char *library; /* as the log calls it, "OMPI4.1.6"; "" where it does not */
    const char *system;  /* as the log calls it; "" where it does not */
    int64_t p;
    int64_t ranks_per_node; /* 0: not known */
    double bytes;           /* m; need not be whole, where a log has M */
    double logged_bytes;    /* what the log has */
    double seconds;         /* the median of the repeats */
    Finish finish;
    int64_t repeats;
    Text above; /* the line before the title of its table, of which nothing was read */
    Span place; /* of the time; of the first of the repeats */
} Measurement;
ARRAY_TYPE(MeasurementArray, Measurement);

/* What is known about a log beside what it says. */
typedef struct {
    int64_t p; /* 0: not known */
    Span p_place;
    const Operation *operation; /* of a log that names none; NULL: not known */
    double unit_s;              /* of times whose unit is not named; 0: not known */
} LogFacts;

/* How long the name of the algorithm is without what stands behind it. */
size_t measurement_name_length(const Measurement *row);
/* Did the library choose the algorithm? That is what names such as default_ompi say, too. */
bool measurement_is_default(const Measurement *row);
/* Of the same collective on the same ranks of the same system: 0. The order of that. */
int measurement_compare_places(const Measurement *a, const Measurement *b);
/* Of which one can be run instead of the other, at one size: 0. */
int measurement_compare_alternatives(const Measurement *a, const Measurement *b);
/* Of the same algorithm on the same ranks of the same system? */
bool measurement_is_same_subject(const Measurement *a, const Measurement *b);
/* Makes one row of all rows for the same operation at the same size, and sorts them by collective,
   system, p, algorithm, finish and size. False after a report, where one of them took a thousand
   times as long as another: then they cannot be the same. O(n log n). */
bool measurements_merge(Arena *arena, MeasurementArray *rows, Diag *diag);
/* Appends the rows of a log; the repeats of a row are rows of their own. A log may hold tables of
   several benchmarks, and anything between them; a reader knows its tables by what is printed above
   them. A log is refused, at file:line:column, where it has no rows, where something failed while
   it was written, where it may be cut off, and where it contradicts itself. False after a report.
   Time and memory grow with the length of the log. */
bool log_read(Arena *arena, const Source *source, const LogFacts *facts, MeasurementArray *rows,
              Diag *diag);

#endif
