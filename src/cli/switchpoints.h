/* Switch points of the candidates on one network. */
#ifndef COLLCOST_CLI_SWITCHPOINTS_H
#define COLLCOST_CLI_SWITCHPOINTS_H

#include "cli/candidates.h"
#include "cost/envelope.h"

typedef struct {
    Curve **curves;
    size_t count;
    PieceArray pieces;
    bool is_open; /* nothing follows the last piece */
} SwitchPoints;

/* Between the sizes of the query if it has a range or a list, else from one byte on. */
bool switchpoints_find(const Query *query, const Candidates *candidates, SwitchPoints *points);

#endif
