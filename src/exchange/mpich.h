/* What MPICH's tuning files can speak of: its collectives and the algorithms of its versions. */
#ifndef COLLCOST_EXCHANGE_MPICH_H
#define COLLCOST_EXCHANGE_MPICH_H

#include "exchange/tuning_reader.h"

/* Blocking collectives, with which rules are about; then those that do not block. */
typedef enum {
#define MPICH(name, collective, variant, measure, tests) MPICH_##name,
#include "exchange/mpich.def"
    MPICH_COUNT,
    MPICH_BLOCKING = MPICH_neighbor_alltoallw + 1
} MpichCollective;

extern const TunedCollective mpich_collectives[MPICH_COUNT];

/* What an algorithm asks of calls, in letters of mpich.def. */
typedef struct {
    const char *algorithm, *needs;
    const char *otherwise; /* the algorithm of its collective for other calls; "": none */
} MpichNeeds;

/* May a condition of the kind of that letter be asked of calls of a collective? */
bool mpich_has_test(int collective, char letter);
/* 401 for "4.1", the newest one for "main". */
enum { NEWEST_MPICH = 999 };
int mpich_version(const char *version);
/* The collective of "MPIR_Bcast_intra_binomial", and "intra_binomial"; MPICH_COUNT: no version has
   such an algorithm. `from` and `to` are the first and last version that does. */
int mpich_algorithm(Text function, const char **name, int *from, int *to);
/* "MPIR_Bcast_intra_binomial" */
const char *mpich_function(Arena *arena, int collective, const char *name);
/* Reads a file. Rules are for the usual call: within one communicator with one rank on each node,
   from one thread of a process, with one of MPI's own operations, not in place, with blocks of one
   size. */
void mpich_read(TuningReader *in);
/* What an algorithm asks of calls; NULL: nothing. */
const MpichNeeds *mpich_needs(const char *function);
/* The parameters that a file has to give it, with blanks between; "": none. */
const char *mpich_parameters(const char *function);
/* The next word of such a list, which then begins behind it. False at its end. */
bool mpich_next_word(const char **list, Text *word);

/* Ways down the trees of MPICH's tuning files: which calls get to a place, by the conditions on the
   way. */

/* What a place of the tree knows of the calls that get there. */
typedef enum {
    FACT_WITHIN,      /* one group, not between two */
    FACT_PARENT,      /* on several nodes, on some of which there are several ranks */
    FACT_ON_NODE,     /* all on one node */
    FACT_CONSECUTIVE, /* ranks of a node follow one another */
    FACT_THREADED,
    FACT_COMMUTATIVE,
    FACT_BUILT_IN,
    FACT_IN_PLACE,
    FACT_REGULAR,
    FACT_POWER, /* ranks are a power of two */
    FACT_MANY,  /* as many elements as the largest power of two in p, or more */
    FACT_COUNT
} MpichFact;
typedef enum { EITHER, YES, NO } MpichKnown;

/* A way down the tree. */
typedef struct {
    int collective; /* MPICH_COUNT: not said yet */
    MpichKnown facts[FACT_COUNT];
    TuningRule rule;   /* its conditions */
    bool is_elsewhere; /* usual calls do not get here */
    bool is_nowhere;   /* no calls do */
    bool is_searched;  /* behind a condition that is no communicator's */
    bool is_unclear;   /* behind one that is not followed here */
} MpichPath;

typedef enum {
    TEST_FACT,
    TEST_HIERARCHY, /* a kind of communicator that is never usual */
    TEST_RANKS,
    TEST_PPN, /* mean ranks of a node */
    TEST_AVERAGE,
    TEST_TOTAL,
    TEST_ELEMENTS,
    TEST_ANY,
    TEST_COLLECTIVE
} MpichTestKind;

typedef struct {
    const char *text; /* a condition, or its beginning where a number follows */
    MpichTestKind kind;
    char letter; /* in mpich.def; 0: of communicators, -: of all calls */
    MpichFact fact;
    MpichKnown known;
    bool has_number, is_below; /* is_below: <, else <= */
    bool ends;                 /* with it a chain can end: it is "any", or has two values */
} MpichTest;

typedef struct {
    TuningReader *in;
    int number; /* of the version: 401 */
    bool seen[MPICH_COUNT];
} MpichReader;

/* A key without its blanks, which do not count. */
Text mpich_key(MpichReader *reader, Text key);
/* The condition that a key is; NULL: this version has none such. */
const MpichTest *mpich_find_test(const MpichReader *reader, Text key);
/* Is it "any", behind which nothing can follow? */
bool mpich_is_any(const MpichTest *test);
/* The ways of the calls for which a condition holds, and of the others, which are all those before.
   Says what is wrong with it. */
void mpich_split(MpichReader *reader, const MpichTest *test, Text key, MpichPath *in,
                 MpichPath *others);

#endif
