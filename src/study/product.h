/* Products of matrices (matmul, matvec): questions whose size is n, the order of the matrices.

   A question about one problem on one network is a ProductCase; questions over numbers of ranks
   have one for each. */
#ifndef COLLCOST_STUDY_PRODUCT_H
#define COLLCOST_STUDY_PRODUCT_H

#include "scale/scale.h"
#include "sched/shapes.h"
#include "study/study.h"

/* The network that is laid out: one at a time, since those of thousands of numbers of ranks
   together would take gigabytes. */
typedef struct {
    Arena *arena;       /* NULL: none */
    const Shape *shape; /* of the case whose network it is */
    Network network;
} ProductNetwork;

/* Lives in the study's arena. */
typedef struct {
    const Study *study;
    const Collective *problem;
    const Topology *topology;
    Shape shape;
    const char *network, *rules; /* its name in full; the conventions on it, in words */
    ProductNetwork *laid_out;    /* of one case of the question at a time */
    bool is_named;               /* one algorithm was named, so that there are no others */
    AlgorithmArray algorithms;
} ProductCase;
ARRAY_TYPE(ProductCases, const ProductCase *);

typedef struct {
    const Topology *topology;
    Shape shape;
} ProductPlace;
ARRAY_TYPE(ProductPlaces, ProductPlace);

/* One problem on several networks. */
typedef struct collcost_products {
    const Study *study; /* of the cases, too */
    const Collective *problem;
    ProductCases cases;
    ProductNetwork *laid_out; /* of the cases */
} Products;

/* An algorithm at one n on one network. */
typedef struct {
    const ProductCase *on;
    const Algorithm *algorithm;
    collcost_product point;
    int64_t even_order; /* without n: the smallest one that p cuts evenly; 0: none is known */
} ProductPoint;
ARRAY_TYPE(ProductPoints, ProductPoint);

typedef enum {
    PRODUCT_OPENED,
    PRODUCT_REFUSED, /* after a report */
    PRODUCT_WRONG    /* after a report: an algorithm does not compute the product */
} ProductOpening;

/* The algorithms of a problem, or `only` one, on each of the networks, in their order. Each has
   multiplied small matrices, where there are no more than 128 ranks. Of several networks, some may
   have no algorithms. */
ProductOpening products_open(const Study *study, const Collective *problem, const Algorithm *only,
                             const ProductPlaces *places, Products *products);
/* Frees the network that is laid out, as is to be done when a question has been answered. */
void products_put_away(const Products *products);
/* `*scale` holds until that of another case is asked for. False after a report: the machine does
   not say what a multiply-add takes. */
bool product_scale_case(const ProductCase *opened, const Algorithm *algorithm, ScaleCase *scale);

typedef enum { PRODUCT_FAILED, PRODUCT_LEFT_OUT, PRODUCT_FOUND } ProductOutcome;
/* Something to be found about an algorithm. False after a report. */
typedef bool (*ProductTask)(void *context, const ScaleCase *scale, Diag *diag);
/* Does it. Where that is too large to be followed and there are other answers, the algorithm is
   left out with a warning. */
ProductOutcome product_try(const ProductCase *opened, const Algorithm *algorithm, bool has_others,
                           ProductTask task, void *context);
/* Finds what the algorithm of a row costs for row->point.n, by product_try. */
ProductOutcome product_find_point(ProductPoint *row, bool has_others);

/* Appends what the algorithms cost for one n: the winner first, then the winner of the rest, and so
   on. False after a report. */
bool product_costs(const ProductCase *opened, int64_t n, ProductPoints *points);
/* Is it the same algorithm on another network? Parts are exchanged for each network anew. */
bool product_is_same(const Algorithm *a, const Algorithm *b);
/* The place of the same algorithm among these; their number: there is none. */
size_t product_place(const AlgorithmArray *algorithms, const Algorithm *algorithm);

/* How products scale: speedup and efficiency over n and p, up to how many ranks they are
   cost-optimal, and how the work must grow with p. */

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

/* The fastest algorithm for a product over n, or over the number of ranks. */

ARRAY_TYPE(ProductRows, collcost_product_row);

/* Over n on one network, between `first` and `last`; two changes back and forth between two n that
   are tried are not seen (choose/sweep.h). Without algorithms there are no rows. False after a
   report. */
bool product_over_orders(const ProductCase *opened, int64_t first, int64_t last, ProductRows *rows);
/* Over the numbers of ranks of the networks, for one n. A row ends where another algorithm wins;
   ranks on which none runs do not count. False after a report. */
bool product_over_ranks(const ProductCases *cases, int64_t n, ProductRows *rows);

#endif
