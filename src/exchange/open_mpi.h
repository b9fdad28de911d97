/* What both formats of Open MPI's rules have in common: the collectives of coll/tuned by their ids,
   its algorithms, and what becomes of rules that name them. */
#ifndef COLLCOST_EXCHANGE_OPEN_MPI_H
#define COLLCOST_EXCHANGE_OPEN_MPI_H

#include "exchange/tuning_reader.h"

/* The largest number of an algorithm in a version; -1: coll/tuned does not choose for it. */
int open_mpi_most_algorithms(const char *version, int collective);
/* Finds the algorithm of a rule, and says what the library makes of it in the ranges to which it
   applies, at the place of the rule. */
void open_mpi_check(TuningReader *in, TuningRule *rule);
/* What the size of a rule means for a collective that is looked up with another one, or on each
   rank with its own. */
void open_mpi_check_size(TuningReader *in, const TuningRule *rule);

/* Reads the older format. */
void open_mpi_read_rules(TuningReader *in);
/* Is it a rules file of coll/han, which names levels? Linear. */
bool han_is_rules(TuningReader *in);
/* What coll/han makes of it: findings, and no rules. */
void han_read_rules(TuningReader *in);

/* How the library is told of its rules file, as comments. */
extern const char open_mpi_loading[];

#endif
