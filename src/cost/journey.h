/* What a message costs by the links that it crosses, one after the other, with their loads. */
#ifndef COLLCOST_COST_JOURNEY_H
#define COLLCOST_COST_JOURNEY_H

#include "cost/derive_step.h"

/* What a message pays by the list of a level. */
typedef struct {
    int64_t load, lanes;
} ListedLoad;

/* A whole path while its links are added up. */
typedef struct {
    const LoadContext *context;
    int64_t own;        /* blocks of its message */
    PathCost path;      /* with the largest load by the machine's tw */
    double rate;        /* and by links' own */
    double varied_rate; /* and by that which varies */
    const LinkCost *highest;
    int64_t lanes;      /* inside of nodes it has one of so many; 0: all */
    int64_t merged;     /* switches copy or combine it for so many ranks; 0: they do not */
    bool is_exchanged;  /* another one comes the other way */
    ListedLoad *listed; /* and by the list of each level, from 1; NULL: there is none */
} Journey;

/* Of a message of so many blocks. */
Journey journey_begin(const LoadContext *context, Arena *arena, int64_t blocks);
/* Crosses a link of this class, or passes a node (node_class), with this load. *crossing: what the
   link costs alone; a node adds to that of the link before it. False where lanes have no common
   multiple that fits. */
bool journey_cross(Journey *journey, size_t class, const LinkLoad *load, PathCost *crossing);
/* Appends its paths. A path over links of several kinds, the machine's, their own and such as vary,
   is as slow as any of them says; there is one where all cost nothing. */
PathRange journey_end(const Journey *journey, Arena *arena, PathList *paths);
/* The load that counts of a link, for a message of `own` blocks. */
static inline int64_t load_counted(const Rules *rules, const LinkLoad *link, int64_t own)
{
    return rules->contention == CONTENTION_BYTES      ? link->blocks
           : rules->contention == CONTENTION_MESSAGES ? own * link->messages
                                                      : own;
}
/* The protocol of a path depends on the size of its message. */
void path_set_message(const LoadContext *context, PathCost *path, int64_t blocks);
void path_add_startup(PathCost *path, const LinkCost *link_cost);

#endif
