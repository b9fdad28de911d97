#include "model/trees.h"
#include "sched/expander.h"

/* Where the program at hand stands. */
typedef struct {
    Expander *expander;
    const TreeSet *set;
    int64_t shift; /* what ranks are ahead of those of the trees: other roots than theirs */
} Walk;

static int32_t rank_of(const Walk *walk, int64_t rank)
{
    return (int32_t)((rank + walk->shift) % walk->set->p);
}

/* Appends the pieces of a chunk of a tree to the last transfer. */
static void add_pieces(const Walk *walk, const Tree *tree, int64_t chunk, Draft *draft)
{
    Expander *expander = walk->expander;
    const int64_t block = walk->set->shifts_blocks ? rank_of(walk, tree->block) : tree->block;
    const int64_t share = block * walk->set->weight + tree->first;
    const int64_t first = share * expander->instance->k + chunk * tree->weight;
    draft->transfers.items[draft->transfers.count - 1].block_count += (uint32_t)tree->weight;
    draft->block_count += (size_t)tree->weight;
    if (expander->counts_only)
        return;
    if (expander->packs)
        packing_add(expander->drafts, &draft->packing, first, tree->weight, first);
    for (int64_t i = 0; i < tree->weight && !expander->packs; i++)
        *ARRAY_PUSH(expander->drafts, &draft->blocks) = first + i;
}

static void add_transfer(const Walk *walk, const TreeEdge *edge, Draft *draft)
{
    Expander *expander = walk->expander;
    *ARRAY_PUSH(expander->drafts, &draft->transfers) = (ScheduledTransfer){
        .from = rank_of(walk, edge->from),
        .to = rank_of(walk, edge->to),
        .verb = edge->combines ? VERB_REDUCE : VERB_SEND,
        .first_block = expander->packs && !expander->counts_only ? packing_start(&draft->packing)
                                                                 : draft->block_count,
        .span = &expander->algorithm->head.span,
    };
    draft->has_messages = true;
}

int64_t trees_rounds(const Expander *expander)
{
    const TreeSet *set = expander->algorithm->trees;
    const bool moves = expander->instance->p == set->p && set->rounds > 0;
    return moves ? set->rounds + expander->instance->k - 1 : 0;
}

static bool is_same_message(const TreeEdge *edge, const TreeEdge *last)
{
    return last && last->from == edge->from && last->to == edge->to &&
           last->combines == edge->combines;
}

void trees_add(Expander *expander, int64_t round, Draft *draft)
{
    const Instance *instance = expander->instance;
    const TreeSet *set = expander->algorithm->trees;
    const int64_t shift = instance->root - set->items[0].root;
    const Walk walk = {
        .expander = expander, .set = set, .shift = set->is_rooted ? (shift + set->p) % set->p : 0};
    const TreeEdge *last = NULL;
    for (size_t e = 0; e < set->edge_count; e++) {
        const TreeEdge *edge = &set->edges[e];
        const int64_t chunk = round - edge->round;
        if (chunk < 0 || chunk >= instance->k)
            continue;
        if (!is_same_message(edge, last))
            add_transfer(&walk, edge, draft);
        add_pieces(&walk, &set->items[edge->tree], chunk, draft);
        last = edge;
    }
}
