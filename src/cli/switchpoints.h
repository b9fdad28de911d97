/* Switch points of the candidates on one network. */
#ifndef COLLCOST_CLI_SWITCHPOINTS_H
#define COLLCOST_CLI_SWITCHPOINTS_H

#include "choose/envelope.h"
#include "cli/query.h"
#include "study/candidates.h"

typedef struct {
    Curve **curves;
    size_t count;
    PieceArray pieces;
    bool is_open; /* nothing follows the last piece */
} SwitchPoints;

/* Between the sizes of the query if it has a range or a list, else from one byte on. */
bool switchpoints_find(const Query *query, const Candidates *candidates, SwitchPoints *points);

/* Reports sizes that are no range, and an algorithm where a collective is wanted. */
bool switchpoints_check_sizes(const Query *query);
bool switchpoints_check_subject(const Query *query, const Algorithm *only);

/* One network of a question, with its switch points. */
typedef struct {
    Query query; /* sizes are m, whatever was asked for */
    Network network;
    Candidates candidates;
    SwitchPoints points;
    PieceArray shown; /* the pieces of these, merged with --tolerance */
} SwitchCase;

/* --tolerance, "5%" or "0.05"; false where it was not given. *good is false after a report. */
bool switchpoints_tolerance(const Query *query, double *tolerance, bool *good);

/* The network with number `index` of those that were given. With query->skips_refused it may have
   no candidates, and then no pieces. False after a report. */
bool switchcase_open(const Query *asked, const Collective *collective, size_t index,
                     SwitchCase *here);
/* Nobody is sent to an algorithm that is wrong: the winners are run at the sizes where they begin.
   False after a report. */
bool switchcase_audit(const SwitchCase *here);

#endif
