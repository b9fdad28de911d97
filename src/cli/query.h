/* What the options of a command line mean: library, machine, network, ranks, sizes, rules. */
#ifndef COLLCOST_CLI_QUERY_H
#define COLLCOST_CLI_QUERY_H

#include "cli/query_lists.h"
#include "study/case.h"
#include "study/study.h"

/* A table of the answer, in its format. */
Table *query_table(const Query *query, TableId id);
/* Reads all options of the line. False after reports. */
bool query_read(const CommandLine *line, Query *query);
/* --output alone. False after a report. */
bool query_read_format(const CommandLine *line, Format *format);
/* The number of ranks must be given; of groups of ranks, from now on ranks are those of one. False
   after reports. What the operands name is read before: a wrong name is reported first. */
bool query_settle_ranks(Query *query);
/* The ranks are those of a file with a schedule for p ranks; -p can only say the same. False after
   a report. */
bool query_settle_file_ranks(Query *query, int64_t p, Span file);
/* The algorithm an operand names, and its collective: for commands that ask as any program can.
   NULL, or false, after a report. The collective of an operand without an algorithm has NULL for
   it. */
const Algorithm *query_algorithm(const Query *query, Text operand);
bool query_subject(const Query *query, Text operand, const Collective **collective,
                   const Algorithm **algorithm);
/* Reads all options, with the number of ranks, and the first operand, the subject: "reduce" or
   "reduce/binomial". False after reports. */
bool query_read_subject(const CommandLine *line, Query *query);
/* As query_read_subject reads them; of several numbers of ranks those that the topology does not
   allow are passed over. */
bool query_read_subject_over_ranks(const CommandLine *line, Query *query);
/* As query_read_subject reads them; where no number of ranks is given, ranks are all that the
   topology allows up to `most`. */
bool query_read_subject_sweeping(const CommandLine *line, int64_t most, Query *query);
/* Reports options that the subject cannot have: -m for a problem, -n for a collective. */
bool query_check_subject(const Query *query, const Collective *collective);
/* Reports, and returns false, where the subject is a problem, for which there is no such answer. */
bool query_is_collective(const Query *query, Text operand, const Collective *collective);
/* With --for, reports and returns false where that library does not run the algorithm, if there is
   one. */
bool query_check_library(const Query *query, const Algorithm *algorithm, Span span);
/* The network with number `index` of those that were given; also checks the root. */
bool query_network(const Query *query, size_t index, Network *network);
/* The names of all that were given. */
const char *const *query_network_names(const Query *query);
/* The case of a collective, or of `only` one algorithm, on that network; the query takes over
   sender and receiver. NULL after a report. */
Case *query_case(Query *query, size_t index, const Collective *collective, const Algorithm *only);
/* A case on that network for bounds, without candidates. NULL after a report. */
Case *query_bound_case(Query *query, size_t index, const Collective *collective);
/* The contract of a case, whose bounds are asked for. False after a report. */
bool query_contract(const Case *opened, Contract *contract);
/* The subject, a problem or one of its algorithms, on all networks that were given. Not STATUS_FINE
   after a report. */
Status query_products(const Query *query, collcost_products **opened);
/* Is the answer there? False after a report. Memory that has run out and cancellation end the line.
 */
bool query_answered(const Query *query, collcost_status status);
/* --from and --to are for collectives that have both ends; --root says --from in other words. */
bool query_check_ends(const Query *query, const Collective *collective);
/* The query for p ranks with its sizes as m, in whatever convention they were asked for. False
 * after a report. */
bool query_settle_sizes(const Query *query, const Collective *collective, int64_t p,
                        Query *settled);
/* A collective without data, which has no size, need not be given one: it is 0. */
void query_fill_size(Query *query, const Collective *collective);
/* M / m, which must be at least 1. */
bool query_largest_buffer(const Query *query, const Collective *collective, int64_t p,
                          double *blocks);
/* "m = 128 KiB", under --sizes nccl "m = 128 KiB (nccl size 1 MiB = 8 m)". */
const char *query_show_size(const Query *settled, double m, double asked);

/* One schedule: an algorithm on one network, for at most one size, as commands that follow it need
   it. It is not copied: its parts point at one another. */

typedef struct {
    Query asked; /* as the options say; the rest points into it */
    Query query; /* its sizes as m; sender and receiver are settled */
    Network network;
    Instance instance; /* of `network` */
} OneSchedule;

/* Reads the options of the line, and the algorithm that is its first operand; the numbers of chunks
   and of branches are given, the best for the size, or the least. False after reports: also where
   the algorithm does not run there, or several numbers of ranks or sizes are given. */
bool one_schedule_read(const CommandLine *line, const char *command, OneSchedule *found);

#endif
