/* Problems run on real matrices: in whole numbers, where every bit must be right, and in doubles,
   multiplied with BLAS and compared with a serial product under a bound on rounding.

   A block's value is never changed in place: who combines or multiplies makes a new one. So what a
   round sends is what was there before it. */
#ifndef COLLCOST_VERIFY_PRODUCT_H
#define COLLCOST_VERIFY_PRODUCT_H

#include "sched/extents.h"
#include "verify/failure.h"

typedef struct ProductRun ProductRun;

/* Random matrices, and their blocks where the contract says they are before. NULL if that would
   need over 256 MiB. */
ProductRun *product_create(Arena *arena, const Instance *instance, const Contract *contract,
                           const BlockSpace *space, const Extents *extents, bool whole_numbers);
bool product_apply(ProductRun *run, const Round *round, Failure *failure);
/* After the last round: is every block of the result where it must be, and right? */
bool product_check(const ProductRun *run, Failure *failure);

#endif
