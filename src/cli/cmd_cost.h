/* `cost`, for `search` and `synthesize`. */
#ifndef COLLCOST_CLI_CMD_COST_H
#define COLLCOST_CLI_CMD_COST_H

#include "cli/composed.h"

/* Answers as `cost` does with the candidates that no other one beats, compositions among them; what
   these are is noted in `saved`, unless that is NULL. */
Status cost_front(const CommandLine *line, ComposedModels *saved);

/* What is told of an algorithm that is trees, beside its cost (synth/packing.h). */
typedef struct {
    size_t trees;
    int64_t shares; /* of a block, each cut into k chunks */
    int32_t height;
    double share_of_cut;
} SynthesizedTrees;

/* Answers as `cost` does about this algorithm, at the sizes of the query. */
Status cost_synthesized(const Query *query, const Collective *collective,
                        const Algorithm *algorithm, const SynthesizedTrees *trees);

#endif
