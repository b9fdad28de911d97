/* Paths over links that all cost what the machine says: what their cost rises with. */
#ifndef COLLCOST_COST_PLAIN_H
#define COLLCOST_COST_PLAIN_H

#include "cost/derive_step.h"

typedef struct {
    int64_t own; /* blocks of the message */
    size_t hops;
    LinkLoad most;
} PlainCost;

ARRAY_TYPE(PlainList, PlainCost);

/* Does each path cost what its length and its largest load say? */
bool links_are_plain(const LoadContext *context);
/* Is a as much as b, or more, in every respect? */
static inline bool plain_exceeds(const PlainCost *a, const PlainCost *b)
{
    return a->own >= b->own && a->hops >= b->hops && a->most.blocks >= b->most.blocks &&
           a->most.messages >= b->most.messages;
}
/* Candidates: each is compared with those before it that are next to it. */
void plain_push(Arena *scratch, PlainList *list, const PlainCost *cost);
/* Keeps the paths that no other exceeds. */
void plain_keep_highest(PlainList *list);
/* Paths along some dimensions, each behind each along the others. */
PlainList plain_join(Arena *scratch, const PlainList *some, const PlainList *others);

/* Appends the paths that these are. False where they have no cost. */
bool plain_paths(const LoadContext *context, Arena *scratch, const PlainList *list,
                 PathList *paths);

#endif
