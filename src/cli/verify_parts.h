/* What `verify` runs, and what it proves. */
#ifndef COLLCOST_CLI_VERIFY_PARTS_H
#define COLLCOST_CLI_VERIFY_PARTS_H

#include "cli/query.h"

/* The models that `verify` is about. */
ARRAY_TYPE(ModelEntries, const ModelEntry *);

/* Those that the operands name, else all, or all of one source. False after a report. */
bool verify_entries(const Query *query, const Source *source, ModelEntries *entries);

/* `verify --all-p`. */
Status verify_proofs(const CommandLine *line);

#endif
