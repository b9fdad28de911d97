/* Sparse exact fits: a few of many given columns, each times a fraction, that add up to a target in
   every row.

       1    p    p^2   clog2(p)     target
       1    1     1       0            0         the fit p^2 - p: two columns, determined by the
       1    2     4       1            2         rows 2 and 3, and checked on the others
       1    3     9       2            6
       ...

   All sets of up to that many columns are tried modulo a prime, where each column is a few random
   sums of its values. What passes is solved in fractions from the first rows that determine it, and
   must give every row. Too few rows that differ would let some set pass by chance, so a fit needs
   four rows for each of its columns, and three that differ in them for each that takes more than
   two values. */
#ifndef COLLCOST_FORMS_SPARSE_H
#define COLLCOST_FORMS_SPARSE_H

#include "lang/exact.h"

/* Columns of one fit at most, and rows that a fit needs for each of them. */
enum { SPARSE_MOST_COLUMNS = 4, SPARSE_ROWS_EACH = 4 };

typedef struct {
    const Exact *values; /* one for each row, all exact */
    int weight;          /* light ones are preferred */
} SparseColumn;

typedef struct SparseBasis SparseBasis;

typedef struct {
    int count;
    size_t columns[SPARSE_MOST_COLUMNS];
    Exact factors[SPARSE_MOST_COLUMNS]; /* not zero */
    size_t rows[SPARSE_MOST_COLUMNS];   /* that have determined the factors */
    int weight, size;                   /* of the columns; of the fractions, in bits */
} SparseFit;

/* Keeps `columns`; the first of equal ones counts. */
SparseBasis *sparse_basis(Arena *arena, const SparseColumn *columns, size_t count, size_t rows);
/* The best fit of exactly `count` columns of together `most_weight` at most: the lightest, then
   that with the smallest fractions. False if there is none. */
bool sparse_find(const SparseBasis *basis, const Exact *target, int count, int most_weight,
                 SparseFit *fit);

#endif
