/* Numbers in rising order. */
#ifndef COLLCOST_BASE_SORT_H
#define COLLCOST_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* `numbers` may be NULL where there are none. */
void sort_doubles(double *numbers, size_t count);
/* Sorts, and keeps of equal numbers one; how many remain. */
size_t sort_doubles_once(double *numbers, size_t count);
void sort_whole(int64_t *numbers, size_t count);

#endif
