/* Descriptions of networks by other programs, as text of models: nvidia-smi, NCCL, ibnetdiscover,
   Slurm, simulators. */
#ifndef COLLCOST_TOPOLOGY_TOPOLOGY_H
#define COLLCOST_TOPOLOGY_TOPOLOGY_H

#include "base/diag.h"

/* What is asked for beside what a file says. */
typedef struct {
    const struct Library *library; /* built-in models, whose names are taken; or NULL */
    int64_t nodes;                 /* so many of the node that is described, joined; 0: as it is */
    const Source *node; /* of what each host of a fabric is; NULL: nothing is known of that */
    Text hosts;         /* only these, in this order; empty: all */
    Text order;         /* "leaf", "name" or "given"; empty: given */
} NetworkWish;

/* Is it a description, not a file of models? By its contents. */
bool network_is_described(Arena *arena, const Source *source);
/* A topology and its machine as models, both of the name of the file, as text of a source of the
   same name; NULL after a report. */
const Source *network_as_models(Arena *arena, const Source *source, const NetworkWish *wish,
                                Diag *diag);

#endif
