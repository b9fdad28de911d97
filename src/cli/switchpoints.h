/* Switch points of the candidates on one network. */
#ifndef COLLCOST_CLI_SWITCHPOINTS_H
#define COLLCOST_CLI_SWITCHPOINTS_H

#include "cli/query.h"

/* Reports sizes that are no range, and an algorithm where a collective is wanted. */
bool switchpoints_check_sizes(const Query *query);
bool switchpoints_check_subject(const Query *query, const Algorithm *only);

/* One network of a question, with its switch points. */
typedef struct {
    Query query; /* sizes are m, whatever was asked for */
    collcost_case *opened;
    const char *rules;
    double from, to;  /* bytes */
    double tolerance; /* negative: none was given */
    const collcost_piece *pieces;
    size_t count;
    bool is_open;  /* no size was given, and nothing follows the last piece */
    bool is_wrong; /* a winner failed its check */
} SwitchCase;

/* --tolerance, "5%" or "0.05"; false where it was not given. *good is false after a report. */
bool switchpoints_tolerance(const Query *query, double *tolerance, bool *good);

/* The network with number `index` of those that were given, and the pieces with what is `wanted` of
   them. With asked->study.skips_refused it may have no candidates, and then no pieces. False after
   a report. */
bool switchcase_open(const Query *asked, const Collective *collective, size_t index,
                     unsigned wanted, SwitchCase *switches);
/* Collective, network and ranks of a row. */
void switchcase_put(const SwitchCase *switches, Table *table);

#endif
