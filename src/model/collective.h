/* Collectives: which blocks exist, who holds which before, and who must hold which after.

   Blocks are numbered: a block with indices (i, j) out of extents (e, f) is block i f + j. A
   collective without indices has one block, the whole vector. m is the size of a block, M that of
   the largest buffer of a rank. */
#ifndef COLLCOST_MODEL_COLLECTIVE_H
#define COLLCOST_MODEL_COLLECTIVE_H

#include "model/claim.h"

enum { COLLECTIVE_P, COLLECTIVE_R, COLLECTIVE_ROOT, COLLECTIVE_TARGET, COLLECTIVE_SLOTS };

struct Collective {
    Head head;
    Citation citation; /* of the head's source */
    bool rooted;
    bool targeted; /* the root sends to one rank, the target; it is rooted then */
    int index_count;
    const char *index_names[MOST_INDICES]; /* for readers, and for `of` */
    Program *extents[MOST_INDICES];
    Formula buffer;     /* M / m as a function of p */
    Formula bus_factor; /* bus bandwidth / (M / time) as a function of p; may be missing */
    SetList before, after;
    bool combines;
    Program *contributors_from, *contributors_to; /* ranks that a block of rank r must combine */
    bool rank_order;  /* contributions must be combined in the order of ranks */
    bool is_empty;    /* messages carry no bytes: m counts for nothing */
    const char *dual; /* the collective that this one turns into backwards; NULL: none */
    Span dual_span;
    ModelClaims claims;
    const struct Problem *problem; /* the one that it stands for; NULL: it is a collective */
};

/* NULL after reports. */
Collective *collective_read(const Resolver *resolver, const Node *map);
/* The value of `bus_factor`, which must not be missing, for p ranks. */
bool collective_bus_factor(const Collective *collective, int64_t p, double *factor, Diag *diag);

#endif
