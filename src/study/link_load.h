/* What each candidate of a case sends over the links of each level, or along each dimension. */
#ifndef COLLCOST_STUDY_LINK_LOAD_H
#define COLLCOST_STUDY_LINK_LOAD_H

#include "study/case.h"

/* A row for each candidate and group of links, the fastest candidate first. False after a report.
 */
bool link_load_list(Case *opened, double bytes, const collcost_traffic **rows, size_t *count);

#endif
