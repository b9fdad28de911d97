/* What proves a bound, as a file for a checker that knows nothing of collcost. It is made of the
   graph and the flows behind the bound, not of an answer of the library. */
#ifndef COLLCOST_CLI_CERTIFICATE_H
#define COLLCOST_CLI_CERTIFICATE_H

#include "cli/query.h"

/* Writes the file of --certificate, or nothing where there is no cut. Not STATUS_FINE after a
   report. */
Status certificate_write(const Query *query, Case *opened);

#endif
