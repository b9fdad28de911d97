/* What MPICH's tuning files can speak of: its collectives and the algorithms of its versions. */
#ifndef COLLCOST_EXCHANGE_MPICH_H
#define COLLCOST_EXCHANGE_MPICH_H

#include "exchange/tuning_reader.h"

/* Blocking collectives, with which rules are about; then those that do not block. */
typedef enum {
#define MPICH(name, collective, variant, measure, tests) MPICH_##name,
#include "exchange/mpich.def"
    MPICH_COUNT,
    MPICH_BLOCKING = MPICH_neighbor_alltoallw + 1
} MpichCollective;

extern const TunedCollective mpich_collectives[MPICH_COUNT];

/* What an algorithm asks of calls, in letters of mpich.def. */
typedef struct {
    const char *algorithm, *needs;
    const char *otherwise; /* the algorithm of its collective for other calls; "": none */
} MpichNeeds;

/* The collective of that name; MPICH_COUNT: there is none. */
int mpich_collective(Text name);
/* May a condition of the kind of that letter be asked of calls of a collective? */
bool mpich_has_test(int collective, char letter);
/* 401 for "4.1", the newest one for "main". */
enum { NEWEST_MPICH = 999 };
int mpich_version(const char *version);
/* The collective of "MPIR_Bcast_intra_binomial", and "intra_binomial"; MPICH_COUNT: no version has
   such an algorithm. `from` and `to` are the first and last version that does. */
int mpich_algorithm(Text function, const char **name, int *from, int *to);
/* "MPIR_Bcast_intra_binomial" */
const char *mpich_function(Arena *arena, int collective, const char *name);
/* Reads a file. Rules are for the usual call: within one communicator with one rank on each node,
   from one thread of a process, with one of MPI's own operations, not in place, with blocks of one
   size. */
void mpich_read(TuningReader *in);
/* What an algorithm asks of calls; NULL: nothing. */
const MpichNeeds *mpich_needs(const char *function);
/* The parameters that a file has to give it, with blanks between; "": none. */
const char *mpich_parameters(const char *function);
/* The next word of such a list, which then begins behind it. False at its end. */
bool mpich_next_word(const char **list, Text *word);

#endif
