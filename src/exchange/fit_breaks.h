/* Sizes at which messages change their protocol, and combining its rate, found in times of
   collectives. */
#ifndef COLLCOST_EXCHANGE_FIT_BREAKS_H
#define COLLCOST_EXCHANGE_FIT_BREAKS_H

#include "exchange/fitting.h"

enum { FEWEST_ROWS_FOR_BREAKS = 30, MOST_RATES = 3 };

/* Gives the machine to begin with protocols, and rates of combining by what a rank holds: one break
   more after the other, each at the power of two that fits best, as long as the Bayesian
   information criterion wants it, up to `most` protocols, or exactly `count` of them where that is
   not 0. False where rows are too few. A fit of startups, bandwidths and compute for each power of
   two and break. */
bool fit_breaks_find(Fitting *fitting, const Network *network, int count, int most);

#endif
