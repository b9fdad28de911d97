/* What an algorithm costs in symbols: "7 ts + 7 m tw" for one number of ranks, and the closed form
   for any. */
#ifndef COLLCOST_STUDY_SYMBOLS_H
#define COLLCOST_STUDY_SYMBOLS_H

#include "study/case.h"

typedef struct {
    int64_t k;        /* chunks */
    int64_t branches; /* the least, unless they are given */
    int64_t rounds;
    const char *formula;     /* parameters that are zero on the machine are left out */
    bool from_closed_form;   /* the formula; else it is derived from the schedule */
    const char *closed_form; /* for any number of ranks; NULL: there is none */
    CostCheck check;
} CostSymbols;

/* Without the machine's protocols: a formula leaves open which one a message has. False after a
 * report. */
bool case_symbols(const Case *opened, size_t candidate, CostSymbols *symbols);

#endif
