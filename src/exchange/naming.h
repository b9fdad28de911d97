/* Which model of the library an algorithm of a log is. */
#ifndef COLLCOST_EXCHANGE_NAMING_H
#define COLLCOST_EXCHANGE_NAMING_H

#include "exchange/measurement.h"
#include "model/library.h"

/* What a user says: rows of a log for this algorithm are this model. */
typedef struct {
    const Operation *operation; /* NULL: any */
    Text name;                  /* in the log; a "*" at its end stands for anything */
    Text model; /* "ring", "allreduce/ring", stages, or "open-mpi@4.1:4", as a library calls it */
} NamedModel;
ARRAY_TYPE(Naming, NamedModel);

/* Adds "[COLLECTIVE/]NAME=MODEL". False after a report. */
bool naming_add(Arena *arena, Naming *naming, Text text, Diag *diag);
/* Adds the lines of a file: one of these each, with blanks around the sign as it pleases; "#"
   begins a comment. False after reports. */
bool naming_read(Arena *arena, Naming *naming, const Source *source, Diag *diag);
/* The first that fits; NULL: none. */
const NamedModel *naming_find(const Naming *naming, const Measurement *row);

/* What a library of collectives calls by a number or name of its own. */
typedef struct {
    const Implementation *library;
    const char *version;
    const LibraryAlgorithm *algorithm;
} NamedByLibrary;

/* Is that "LIBRARY:ID" or "LIBRARY@VERSION:ID", and not stages of a collective? */
bool naming_is_by_library(Library *library, Text model);
/* The algorithm of that number or name, of a collective ("": any). False after a report: also where
   no model stands for it. */
bool naming_by_library(Arena *arena, Library *library, Text model, const char *collective,
                       NamedByLibrary *named, Diag *diag);

#endif
