/* What `verify` runs, and what it proves. */
#ifndef COLLCOST_CLI_VERIFY_PARTS_H
#define COLLCOST_CLI_VERIFY_PARTS_H

#include "cli/command.h"
#include "cli/query.h"
#include "collcost.h"

/* The models that `verify` is about: those that the operands name, else all, or all of one source.
 * False after a report. */
bool verify_entries(const Query *query, const Source *source, ModelEntries *entries);

/* `verify --all-p`. */
Status verify_proofs(const CommandLine *line);

/* `verify`, for the models of one source alone. */

/* *found: where the status is fine, or a check has failed. */
Status verify_source(const CommandLine *line, const Source *source, collcost_verification *found);

#endif
