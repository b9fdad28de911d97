/* What both formats of Open MPI's rules have in common: the collectives of coll/tuned by their ids,
   its algorithms, and what becomes of rules that name them. */
#ifndef COLLCOST_EXCHANGE_OPEN_MPI_H
#define COLLCOST_EXCHANGE_OPEN_MPI_H

#include "exchange/tuning.h"

/* The largest number of an algorithm in a version; -1: coll/tuned does not choose for it. */
int open_mpi_most_algorithms(const char *version, int collective);
/* The algorithm of that number; NULL: it is not in models/libraries, or 0, the library's choice. */
const LibraryAlgorithm *open_mpi_algorithm(const Implementation *library, const char *version,
                                           int collective, int64_t number);
/* Says what the library makes of the algorithm of a rule, in the ranges to which it applies, at the
   place of the rule. */
void open_mpi_check(Arena *arena, TuningFile *file, const char *version, TuningRule *rule);
/* How many rules from this one on are of the same collective; and, `by_ranks`, for the same numbers
   of ranks. */
size_t open_mpi_alike(const TuningRules *rules, size_t from, bool by_ranks);

/* Is it a rules file of coll/han, which names levels? Linear. */
bool han_is_rules(const Source *source);
/* What coll/han of a version makes of it: findings, and no rules. */
TuningFile han_read_rules(Arena *arena, const Source *source, const char *version);

/* What the size of a rule means for a collective that is looked up with another one, or on each
   rank with its own. */
void open_mpi_check_size(Arena *arena, TuningFile *file, const TuningRule *rule);

/* How the library is told of its rules file, as comments. */
extern const char open_mpi_loading[];

#endif
