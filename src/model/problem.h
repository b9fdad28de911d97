/* Problems: products of matrices, cut into blocks that algorithms place, move and multiply.

       result (rows x columns)  +=  left (rows x inner)  *  right (inner x columns)

   A vector is a matrix of one column. How arrays are cut is up to each algorithm: `blocks` says
   into how many parts along each dimension. Part i of P along n begins at element i n div P, so
   parts differ by one at most. */
#ifndef COLLCOST_MODEL_PROBLEM_H
#define COLLCOST_MODEL_PROBLEM_H

#include "model/collective.h"

/* Of an array, and of n. */
enum { LARGEST_ORDER = 1 << 20 };

typedef enum { ARRAY_LEFT, ARRAY_RIGHT, ARRAY_RESULT, PROBLEM_ARRAYS } ProblemRole;

typedef struct {
    const char *name;
    int dimensions;   /* 1: a vector */
    Formula sizes[2]; /* as functions of n */
} ProblemArray;

typedef struct Problem {
    Head head;
    Collective
        collective; /* stands for it where algorithms are asked for theirs; it has no blocks */
    ProblemArray arrays[PROBLEM_ARRAYS]; /* in written order */
    int roles[PROBLEM_ARRAYS];           /* ProblemRole -> array */
} Problem;

/* How an algorithm cuts the arrays: parts along each dimension, as functions of p and d. */
typedef struct {
    Formula parts[PROBLEM_ARRAYS][2];
} ProblemBlocks;

/* NULL after reports. */
Problem *problem_read(const Resolver *resolver, const Node *map);
/* Elements of an array along its dimensions; of a vector n x 1. False after a report: one is not
   among 1 .. 2^20, so that elements and multiply-adds of a product can be counted. */
bool problem_sizes(const Problem *problem, int array, int64_t n, int64_t sizes[2], Diag *diag);
/* Multiply-adds of the whole product. */
bool problem_work(const Problem *problem, int64_t n, double *work, Diag *diag);
/* The same without a report: can they be counted? */
bool problem_try_sizes(const Problem *problem, int array, int64_t n, int64_t sizes[2]);
bool problem_try_work(const Problem *problem, int64_t n, double *work);

#endif
