/* Pictures of partitions: which rank owns which elements of a matrix. */
#ifndef COLLCOST_FORMAT_OWNERSHIP_MAP_H
#define COLLCOST_FORMAT_OWNERSHIP_MAP_H

#include "format/captions.h"

/* Rows, or columns, from .. to - 1 belong to one part. */
typedef struct {
    int64_t from, to, part;
} PartRun;
ARRAY_TYPE(PartRuns, PartRun);

/* The owner of part i of the rows and j of the columns is rank i * across + j. */
typedef struct {
    Heading heading;
    int64_t order, across;
    PartRuns rows, columns; /* all of them, from 0 to `order` */
} OwnershipMap;

/* Runs of one kind, beyond which blocks would be too small to be seen. */
enum { OWNERSHIP_MAP_MOST_RUNS = 96 };

Drawing *ownership_map_draw(Arena *arena, const OwnershipMap *map);

#endif
