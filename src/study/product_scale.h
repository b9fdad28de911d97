/* How products scale: speedup and efficiency over n and p, up to how many ranks they are
   cost-optimal, and how the work must grow with p. */
#ifndef COLLCOST_STUDY_PRODUCT_SCALE_H
#define COLLCOST_STUDY_PRODUCT_SCALE_H

#include "study/product.h"

/* Each appends rows to `points`, network by network; false after a report. */

/* Each algorithm at each n on each network. */
bool product_scaling(const ProductCases *cases, const IntArray *orders, ProductPoints *points);
/* Each algorithm on each network at the smallest n up to LARGEST_ORDER with this efficiency, if
   there is one. */
bool product_orders(const ProductCases *cases, double efficiency, ProductPoints *points);
/* For each algorithm and n the largest number of ranks with this efficiency, if there is one, on
   networks that grow. All of them are tried, since it need not fall with p. */
bool product_largest_ranks(const ProductCases *cases, const IntArray *orders, double efficiency,
                           ProductPoints *points);

/* The fastest for this n, and on p ranks if that is not 0; NULL: there is none. */
const ProductPoint *product_fastest(Arena *arena, const ProductPoints *points, int64_t n,
                                    int64_t p);
/* The fastest on the most ranks on which any has this efficiency; NULL: there is none. */
const ProductPoint *product_cost_optimal(Arena *arena, const ProductPoints *points, int64_t n,
                                         double efficiency);

/* The isoefficiency function: how the work of one algorithm must grow with p to keep an
   efficiency. */
typedef struct {
    double power;      /* of p, fitted; NAN where there are fewer than three rows */
    double from, to;   /* the numbers of ranks to which it is fitted */
    const char *order; /* by its closed form, "p^1.5, by tw"; NULL: it has none */
} Isoefficiency;

/* Of the algorithm of one row, from all of its rows, as product_orders finds them. */
Isoefficiency product_isoefficiency(const ProductPoints *points, const ProductPoint *row);

#endif
