/* Ways down the trees of MPICH's tuning files: which calls get to a place, by the conditions on the
   way. */
#ifndef COLLCOST_EXCHANGE_MPICH_PATHS_H
#define COLLCOST_EXCHANGE_MPICH_PATHS_H

#include "exchange/mpich.h"

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
/* Does a key begin so? */
bool mpich_begins(Text key, const char *start);
/* The condition that a key is; NULL: this version has none such. */
const MpichTest *mpich_find_test(const MpichReader *reader, Text key);
/* Is it "any", behind which nothing can follow? */
bool mpich_is_any(const MpichTest *test);
/* The ways of the calls for which a condition holds, and of the others, which are all those before.
   Says what is wrong with it. */
void mpich_split(MpichReader *reader, const MpichTest *test, Text key, MpichPath *in,
                 MpichPath *others);

#endif
