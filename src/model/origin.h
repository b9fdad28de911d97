/* Where formulas come from: a text, the parameters that its cost model knows, and what it prints.

   "S3, eq. cc-gather-binomial (dual)" cites: the origin S3, the place `eq. cc-gather-binomial` of
   it, and a remark, which says that what is cited is not printed there but follows from it. */
#ifndef COLLCOST_MODEL_ORIGIN_H
#define COLLCOST_MODEL_ORIGIN_H

#include "model/machine.h"
#include "model/resolver.h"

/* Which rank owns the element in row i and column j of a matrix that is cut into blocks as a
   checkerboard. */
typedef struct {
    int64_t order, rows, columns; /* of the matrix; of ranks */
    int64_t block;                /* 0: one block each; else dealt out round and round */
    Formula owner;                /* of i and j */
} PrintedPartition;

/* Something to be judged. */
typedef struct {
    const char *place;   /* "eq. (1)" */
    const char *printed; /* the formula, in plain signs; "" where it is lost */
    const char *about;   /* what it is said of */
    bool is_lost;        /* the text at hand has a gap there */
    bool is_approximate; /* the text says so itself */
    bool is_definition;  /* it says what a word means, so there is nothing to judge */
    const PrintedPartition *partitions; /* matrices that are cut */
    size_t partition_count;
    const char *const *corrections; /* what to mend in a procedure, each by itself */
    size_t correction_count;
    Span span;
} Printed;

/* An operation, algorithm, bound or definition that the text treats, and what answers it. */
typedef struct {
    const char *number, *operation, *item; /* "I020", "broadcast" */
    const char *topology, *switching, *sources;
    const char *answer; /* a command line without the program; "": there is none */
} Covered;

typedef struct Origin {
    Head head;
    bool counts[PARAMETER_COUNT]; /* parameters that the text's model leaves out are zero in it */
    Printed *printed;             /* in the order of the text */
    size_t printed_count;
    Covered *covered;
    size_t covered_count;
} Origin;

typedef struct {
    const Origin *origin;   /* NULL: it is none of the models of this kind */
    const Printed *printed; /* NULL: the origin has no list of what it prints */
    const char *remark;     /* "" or "(dual)": behind the place */
} Citation;

Origin *origin_read(Arena *arena, const Node *map, Diag *diag);
/* Looks up what a source, as written, cites. False after a report: there is no such origin, or it
   has no such place. */
bool origin_cite(const Resolver *resolver, Text source, Citation *citation);
/* Looks up what the key `source` of a model cites; nothing where it is missing. False after a
   report, as of origin_cite. */
bool origin_cite_head(const Resolver *resolver, const Node *map, Citation *citation);

#endif
