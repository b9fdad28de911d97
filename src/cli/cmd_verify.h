/* `verify`, for the models of one source alone. */
#ifndef COLLCOST_CLI_CMD_VERIFY_H
#define COLLCOST_CLI_CMD_VERIFY_H

#include "cli/query.h"
#include "collcost.h"

ARRAY_TYPE(ModelEntries, const ModelEntry *);

/* *found: where the status is fine, or a check has failed. */
Status verify_source(const CommandLine *line, const Source *source, collcost_verification *found);

/* The models that the operands name, or all; false after a report. */
bool verify_entries(const Query *query, ModelEntries *entries);
/* verify --all-p */
Status verify_proofs(const CommandLine *line);

#endif
