/* What crosses the links of one port step, or passes its nodes: an open hash table of directed
   links, or of pairs of them where both directions share their load, or of nodes; one for each hop
   that the messages take together. */
#ifndef COLLCOST_COST_DERIVE_LOAD_TABLE_H
#define COLLCOST_COST_DERIVE_LOAD_TABLE_H

#include "cost/derive_step.h"

typedef struct {
    int64_t key; /* from * nodes + to + 1, or node + 1; 0: free */
    int64_t slot;
    LinkLoad load;
} LoadedLink;

typedef struct {
    LoadedLink *items;
    size_t mask;
} LoadTable;

/* A number for the link, or for the pair of both directions where these share their load (`joins`);
   with a turn, for all links that it stands for. *times: how often a message of those that stand
   for all is on it, turned. */
int64_t link_number(const Network *network, const NetworkTurn *turn, bool joins, int64_t from,
                    int64_t to, int64_t *times);
/* Does crossing i repeat one of a message of the same bundle (merging.h), so that it loads nothing?
   NULL: none does. O(crossings). */
const bool *load_table_repeats(const LoadContext *context, Arena *arena, const Routes *routes,
                               const PortStep *step);
/* O(crossings), in `arena`; without those that repeat others. */
LoadTable load_table_links(const LoadContext *context, Arena *arena, const Routes *routes,
                           const PortStep *step, const bool *repeats);
/* Of the nodes to which messages cross: each crossing counts weights[i] times, not at all where
   that is 0. */
LoadTable load_table_nodes(const LoadContext *context, Arena *arena, const Routes *routes,
                           const PortStep *step, const bool *repeats, const int64_t *weights);
/* The load that crossing i of the routes meets. */
LinkLoad *load_table_at_link(const LoadContext *context, LoadTable *table, const Routes *routes,
                             size_t i, int64_t *times);
/* The load of the node to which crossing i goes, in a table of nodes. */
LinkLoad *load_table_at_node(const LoadContext *context, LoadTable *table, const Routes *routes,
                             size_t i, int64_t *times);

#endif
