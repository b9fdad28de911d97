#include "model/trees.h"
#include "sched/expander.h"

int64_t trees_rounds(const Expander *expander)
{
    const TreeSet *set = expander->algorithm->trees;
    const bool moves = expander->instance->p == set->p && set->rounds > 0;
    return moves ? set->rounds + expander->instance->k - 1 : 0;
}

void trees_add(Expander *expander, int64_t round, Draft *draft)
{
    const Instance *instance = expander->instance;
    const TreeSet *set = expander->algorithm->trees;
    const bool packs = expander->packs && !expander->counts_only;
    /* By how much ranks are ahead of those of the trees, which have other roots. */
    const int64_t shift = set->is_rooted ? instance->root - set->items[0].root + set->p : 0;
    const TreeEdge *last = NULL;
    for (size_t e = 0; e < set->edge_count; e++) {
        const TreeEdge *edge = &set->edges[e];
        const Tree *tree = &set->items[edge->tree];
        const int64_t chunk = round - edge->round;
        if (chunk < 0 || chunk >= instance->k)
            continue;
        if (!last || last->from != edge->from || last->to != edge->to ||
            last->combines != edge->combines) {
            *ARRAY_PUSH(expander->drafts, &draft->transfers) = (ScheduledTransfer){
                .from = (int32_t)((edge->from + shift) % set->p),
                .to = (int32_t)((edge->to + shift) % set->p),
                .verb = edge->combines ? VERB_REDUCE : VERB_SEND,
                .first_block = packs ? packing_start(&draft->packing) : draft->block_count,
                .span = &expander->algorithm->head.span,
            };
            draft->has_messages = true;
        }
        last = edge;
        const int64_t block =
            set->shifts_blocks ? (tree->block + shift) % set->p : (int64_t)tree->block;
        const int64_t first =
            (block * set->weight + tree->first) * instance->k + chunk * tree->weight;
        draft->transfers.items[draft->transfers.count - 1].block_count += (uint32_t)tree->weight;
        draft->block_count += (size_t)tree->weight;
        if (packs)
            packing_add(expander->drafts, &draft->packing, first, tree->weight, first);
        for (int64_t i = 0; i < tree->weight && !packs && !expander->counts_only; i++)
            *ARRAY_PUSH(expander->drafts, &draft->blocks) = first + i;
    }
}
