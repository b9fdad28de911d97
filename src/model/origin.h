/* Where formulas come from: a text, and the parameters that its cost model knows. */
#ifndef COLLCOST_MODEL_ORIGIN_H
#define COLLCOST_MODEL_ORIGIN_H

#include "model/machine.h"

typedef struct {
    Head head;
    bool counts[PARAMETER_COUNT]; /* parameters that the text's model leaves out are zero in it */
} Origin;

Origin *origin_read(Arena *arena, const Node *map, Diag *diag);

#endif
