/* The fastest algorithm for a product over n, or over the number of ranks. */
#ifndef COLLCOST_STUDY_PRODUCT_SWITCH_H
#define COLLCOST_STUDY_PRODUCT_SWITCH_H

#include "study/product.h"

ARRAY_TYPE(ProductRows, collcost_product_row);

/* Over n on one network, between `first` and `last`; two changes back and forth between two n that
   are tried are not seen (choose/sweep.h). Without algorithms there are no rows. False after a
   report. */
bool product_over_orders(const ProductCase *opened, int64_t first, int64_t last, ProductRows *rows);
/* Over the numbers of ranks of the networks, for one n. A row ends where another algorithm wins;
   ranks on which none runs do not count. False after a report. */
bool product_over_ranks(const ProductCases *cases, int64_t n, ProductRows *rows);

#endif
