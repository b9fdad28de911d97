/* `cost`, for `search` and `synthesize`. */
#ifndef COLLCOST_CLI_CMD_COST_H
#define COLLCOST_CLI_CMD_COST_H

#include "cli/composed.h"
#include "cli/synthesized.h"

/* Answers as `cost` does with the candidates that no other one beats, compositions among them; what
   these are is noted in `saved`, unless that is NULL. */
Status cost_front(const CommandLine *line, ComposedModels *saved);

/* Answers as `cost` does about these algorithms, among which the study is limited to, at the sizes
   of the query. */
Status cost_synthesized(const Query *query, const Collective *collective,
                        const SynthesizedList *made);

#endif
