/* Which model of the library an algorithm of a log is. */
#ifndef COLLCOST_EXCHANGE_NAMING_H
#define COLLCOST_EXCHANGE_NAMING_H

#include "base/diag.h"
#include "exchange/measurement.h"

/* What a user says: rows of a log for this algorithm are this model. */
typedef struct {
    const Operation *operation; /* NULL: any */
    Text name;                  /* in the log; a "*" at its end stands for anything */
    Text model;                 /* "ring", or "allreduce/ring", or stages */
} NamedModel;
ARRAY_TYPE(Naming, NamedModel);

/* Adds "[COLLECTIVE/]NAME=MODEL". False after a report. */
bool naming_add(Arena *arena, Naming *naming, Text text, Diag *diag);
/* Adds the lines of a file: one of these each, with blanks around the sign as it pleases; "#"
   begins a comment. False after reports. */
bool naming_read(Arena *arena, Naming *naming, const Source *source, Diag *diag);
/* The first that fits; NULL: none. */
const NamedModel *naming_find(const Naming *naming, const Measurement *row);

#endif
