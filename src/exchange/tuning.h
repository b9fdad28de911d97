/* Tuning files: rules by which a library chooses algorithms, as the library itself reads them.

   A file becomes a list of rules, each with the numbers of ranks and the sizes to which it applies
   in the end, however the format says so, and a list of findings: what the library makes of places
   that are wrong, or not as they seem. Reading never fails. */
#ifndef COLLCOST_EXCHANGE_TUNING_H
#define COLLCOST_EXCHANGE_TUNING_H

#include "base/buffer.h"
#include "model/implementation.h"

typedef enum {
#define EFFECT(id, name, is_defect, meaning) TUNING_##id,
#include "exchange/tuning_effects.def"
#undef EFFECT
    TUNING_EFFECT_COUNT
} TuningEffect;

typedef struct {
    const char *name, *meaning;
    bool is_defect;
} TuningEffectInfo;
extern const TuningEffectInfo tuning_effect_info[TUNING_EFFECT_COUNT];

typedef struct {
    TuningEffect effect;
    Span span;
    const char *text;
    size_t order;     /* in which it was found */
    const char *kind; /* the same one for all of a kind */
    size_t before;    /* how many of that kind were found before */
} TuningFinding;
ARRAY_TYPE(TuningFindings, TuningFinding);

/* What the sizes in rules are compared with; m is the size of messages, p the number of ranks. */
typedef enum {
    MEASURE_BUFFER,              /* m */
    MEASURE_TIMES_RANKS,         /* m p */
    MEASURE_SHARE,               /* m / p */
    MEASURE_AVERAGE,             /* m, the mean over ranks */
    MEASURE_NONE,                /* 0, whatever the size */
    MEASURE_TYPE_TIMES_RANKS,    /* the bytes of an element times p, whatever the size */
    MEASURE_ELEMENTS_TIMES_RANKS /* elements in m, times p */
} TuningMeasure;

/* A collective by the library's own name. */
typedef struct {
    const char *name;
    const char *collective, *variant; /* of models/libraries; "": there is no such collective */
    TuningMeasure measure;
    int algorithms[3]; /* the largest number of an algorithm in Open MPI 4.1, 5.0 and 6.0 */
} TunedCollective;

/* No library tunes more collectives than Open MPI. */
enum { TUNED_COUNT = 22, MOST_FANOUT = 32 };
/* Open MPI's, by id. */
extern const TunedCollective tuned_collectives[TUNED_COUNT];

/* From one number to below another; below 0: all. */
typedef struct {
    int64_t from, below;
} TuningRange;

typedef struct {
    int collective;                  /* of the format's collectives */
    int64_t from_ranks, below_ranks; /* INT64_MAX: no end */
    int64_t from_size, below_size;   /* in the measure of the collective; INT64_MAX: no end */
    TuningRange nodes, devices;      /* how many nodes, and ranks on each of them */
    bool is_rest;                    /* calls for which the file has no rule of its own */
    int64_t algorithm;               /* by number; see tuning_names_algorithm */
    const LibraryAlgorithm *runs;    /* the algorithm; NULL: none that is known here */
    int64_t fanout, segment;         /* 0: not said */
    int protocol;                    /* of the format's, if it has any */
    int64_t aborts_from;             /* ranks from which on a call ends the job; 0: none */
    /* conditions of MPICH's files */
    bool needs_power;                     /* ranks are a power of two */
    bool needs_few;                       /* fewer elements than the largest power of two in p */
    int64_t below_total, below_elements;  /* bytes m p, and elements in m; 0: no end */
    bool aborts_off_power, aborts_if_few; /* where these two do not hold, or do */
    Span span;
} TuningRule;
ARRAY_TYPE(TuningRules, TuningRule);

typedef struct {
    TuningRules rules;       /* in the order of the file, those that never apply among them */
    TuningFindings findings; /* by place */
    bool is_dropped;         /* the library uses none of these rules */
    bool is_fatal;           /* MPI_Init ends the job */
} TuningFile;

/* A call, as rules see it. */
typedef struct {
    int64_t p, nodes;        /* nodes 0: it is not said on how many */
    int64_t size;            /* in the measure of the collective */
    int64_t total, elements; /* bytes m p; elements in m */
} TuningCall;

struct TuningReader;

/* How one library's files are read and written. */
typedef struct {
    const char *library;  /* of models/libraries */
    const char *versions; /* how those begin that have such files; NULL: all others */
    const TunedCollective *collectives;
    int count;             /* of them */
    const char *what;      /* what such a file is */
    const char *otherwise; /* how rules leave the choice to the library */
    /* With each algorithm rules name one of these, by their names for machines; a call to which no
       rule applies is worse off than without a file. NULL: none, and the library chooses then. */
    const char *const *protocols; /* without them rules are for calls in one communicator, which
                                     knows of no nodes */
    /* Why no rule names an algorithm with a protocol on a network: NULL: rules may. NULL for all.
     */
    const char *(*refuses)(const LibraryAlgorithm *algorithm, int protocol, const Shape *shape);
    const char *comment; /* what begins one; NULL: # */
    bool is_json; /* without comments: what they would say is a list of texts; `write` begins in the
                     object behind it */
    const char *loading; /* comments that say how the library is told of it, with # */
    void (*read)(struct TuningReader *in);
    /* NULL: such files are only read */
    void (*write)(Buffer *text, const TuningRules *rules, const char *version);
} TuningFormat;

#define TUNING_FORMAT(name) extern const TuningFormat tuning_format_##name;
#include "exchange/tuning_libraries.def"
#undef TUNING_FORMAT

/* The format of the files of a library, by its name, in a version. NULL: none is known. */
const TuningFormat *tuning_format(const char *library, const char *version);
/* The library that a file seems to be for, as --for has it: what the file says of itself where tune
   wrote it, else what its lines look like; Open MPI where they are numbers. NULL: for none. */
const char *tuning_recognise(Arena *arena, const Source *source);
/* The file as a version of the library reads it. Linear in the file. */
TuningFile tuning_read(const TuningFormat *format, Arena *arena, const Source *source,
                       const Implementation *library, const char *version);
/* Does the rule name an algorithm? Else the library chooses by itself. */
bool tuning_names_algorithm(const TuningRule *rule);
/* How many findings are defects. */
size_t tuning_defects(const TuningFile *file);
/* m bytes, in elements of so many, in the measure of a collective; 0 for one that is always looked
   up with size 0. */
double tuning_measure(const TunedCollective *collective, int64_t p, double m, double element);
/* A call with m bytes, in elements of so many (tuning_measure), on p ranks. */
TuningCall tuning_call(const TunedCollective *collective, int64_t p, int64_t nodes, double m,
                       double element);
/* The nodes that conditions of rules ask about. Where the network has none, ranks of MPI are on one
   each, and GPUs all on one. */
int64_t tuning_placement(const TuningFormat *format, const Shape *shape);
/* The nodes of a call (LibraryCall): rules without protocols are not for compositions, and what the
   library chooses beside them is none either. */
int64_t tuning_nodes(const TuningFormat *format, const Shape *shape);
/* How many rules from this one on are of the same collective; and, `by_ranks`, for the same numbers
   of ranks. */
size_t tuning_alike(const TuningRules *rules, size_t from, bool by_ranks);
/* Are all numbers of one range in another? */
bool tuning_is_within(TuningRange inner, TuningRange outer);
/* The first rule that applies to a call. NULL: none, and the library chooses by itself. */
const TuningRule *tuning_rule(const TuningFile *file, int collective, const TuningCall *call);
/* Does the call end the job? The rule is the one that applies to it; NULL: none. */
bool tuning_aborts(const TuningFile *file, const TuningRule *rule, const TuningCall *call);

#endif
