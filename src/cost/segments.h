/* Into how many segments of a given size messages are cut. */
#ifndef COLLCOST_COST_SEGMENTS_H
#define COLLCOST_COST_SEGMENTS_H

#include "cost/derive_profile.h"

/* bytes / segment, rounded up, or to the nearest; 1 at least. */
double segments_count(Segments kind, double segment, double bytes);
/* Narrows (*from, *to) to sizes that have `count` segments. */
void segments_narrow(Segments kind, double segment, int64_t count, double *from, double *to);
/* How many bytes have as many segments as segments_bends lists. */
double segments_largest(double segment);
/* Appends the sizes in (from, to) beyond which there is one segment more. False after a report
   where these are too many. */
bool segments_bends(Segments kind, double segment, const BendList *list);

#endif
