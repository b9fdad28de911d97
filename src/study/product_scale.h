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

/* The isoefficiency function of the algorithm of one row, from all of its rows, as product_orders
   finds them. */
collcost_growth product_growth(const ProductPoints *points, const ProductPoint *row);

#endif
