/* The models that `verify` is about. */
#ifndef COLLCOST_CLI_VERIFY_ENTRIES_H
#define COLLCOST_CLI_VERIFY_ENTRIES_H

#include "cli/query.h"

ARRAY_TYPE(ModelEntries, const ModelEntry *);

/* Those that the operands name, else all, or all of one source. False after a report. */
bool verify_entries(const Query *query, const Source *source, ModelEntries *entries);

#endif
