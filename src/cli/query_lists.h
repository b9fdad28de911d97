/* A question of a command line, and what its options list: networks, sizes of messages, orders of
   matrices. Lists are "a,b,c", of single ones and of ranges "LO..HI". */
#ifndef COLLCOST_CLI_QUERY_LISTS_H
#define COLLCOST_CLI_QUERY_LISTS_H

#include "cli/command.h"
#include "cost/derive_path.h"
#include "study/study.h"

ARRAY_TYPE(GivenShapes, const Shape *);

typedef struct {
    const CommandLine *line;
    Study study;
    const Collective *collective; /* its subject, if query_read_subject read it */
    const Algorithm *only;        /* NULL: all of the collective */
    const Topology *topology;
    IntArray ranks;     /* empty: not given */
    bool sweeps_ranks;  /* not given either: these are all up to a limit */
    bool is_over_ranks; /* of the numbers given, those that the topology allows count */
    GivenShapes shapes; /* of each; NULL: what topology_shape makes of the number of ranks */
    SizeArray sizes;    /* empty: not given */
    IntArray orders;    /* n of a problem; empty: not given */
    SizeArray asked;    /* the same in the convention of --sizes */
    bool nccl_sizes;    /* --sizes nccl: M is asked for, not m */
    double m_count;     /* M / m under --sizes nccl, else 1 */
    bool is_range;      /* --size was a range LO..HI */
    int64_t most_ports; /* --ports was a range up to them; else 0 */
    Format format;
} Query;

/* The topology with its ranks, from --topology and --ranks; those that are given again count once.
   False after reports, here and below. */
bool query_read_networks(Query *query);
/* In place of a network what --without leaves of it; the names of nothing in it stay in the line of
   the query, for algorithms. False after a report. */
bool query_take_away(Query *query, const Topology **topology, Shape *shape);
bool query_read_sizes(Query *query);
/* One size. */
bool query_read_size(const Query *query, Text text, double *size);
/* Is a size that `text` says not too large? False after a report. */
bool query_check_size(const Query *query, Text text, double size);
bool query_read_orders(Query *query);
/* Where no ranks were given: all numbers up to `most` that the topology allows. */
void query_sweep_ranks(Query *query, int64_t most);
/* How the ranks with number `index` of those that were given lie. */
Shape query_shape(const Query *query, size_t index);
/* All of them, by rising numbers of ranks. */
Shape *query_shapes_by_ranks(const Query *query);

#endif
