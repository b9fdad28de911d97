/* Port steps seen before. Rings and pipelines send the same messages port step after port step, and
   a schedule begins and ends alike for all numbers of chunks: what is known of a port step need not
   be found again. Messages are not kept, but their hash, of 128 bits. */
#ifndef COLLCOST_COST_DERIVE_MEMO_H
#define COLLCOST_COST_DERIVE_MEMO_H

#include "base/wide_hash.h"
#include "cost/derive_step.h"

typedef struct PortStepMemo PortStepMemo;

/* For port steps of one network with the same rules and ports; it lives in `arena`. */
PortStepMemo *memo_create(Arena *arena);
/* Fills the entries of a port step whose messages have been seen; false where they have not. */
bool memo_recall(PortStepMemo *memo, PortStep *step);
/* Where the list of what is known of its network's links is kept (link_loads.h). */
struct LinkLoads **memo_loads(PortStepMemo *memo, Arena **arena);
/* From now on, stages of algorithms that are made of stages are remembered, too: worth while where
   many algorithms share them. */
void memo_keep_stages(PortStepMemo *memo);
/* What is remembered of stages; NULL: they are not. */
struct GridStages *memo_stages(PortStepMemo *memo);
/* Keeps the entries of a port step that memo_recall has just not found. */
void memo_keep(PortStepMemo *memo, const PortStep *step);

#endif
