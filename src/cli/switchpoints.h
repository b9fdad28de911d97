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
    Case *opened;
    SwitchPoints points;
    bool is_right; /* no winner was found wrong, which would be reported */
    bool is_open; /* no size was given, and nothing follows the last piece */
} SwitchCase;

/* --tolerance, "5%" or "0.05"; false where it was not given. *good is false after a report. */
bool switchpoints_tolerance(const Query *query, double *tolerance, bool *good);

/* The network with number `index` of those that were given. With query->skips_refused it may have
   no candidates, and then no pieces. False after a report. */
bool switchcase_open(const Query *asked, const Collective *collective, size_t index,
                     SwitchCase *here);
/* The algorithm of a piece. */
const Algorithm *switchcase_algorithm(const SwitchCase *here, const Piece *piece);

#endif
