/* What the messages of one turn cost: routes, loads of links, and the slowest ways. */
#ifndef COLLCOST_COST_DERIVE_LOADS_H
#define COLLCOST_COST_DERIVE_LOADS_H

#include "cost/derive_profile.h"
#include "net/network.h"
#include "sched/schedule.h"

/* What loads depend on. */
typedef struct {
    const Rules *rules;
    const Network *network;
    const LinkPrice *prices; /* of classes of links */
    bool one_port;           /* of every rank */
    bool each;               /* what each message costs is wanted, not the turn alone */
} Tariff;

/* The ways of one message: paths[first .. first + count - 1] of its turn. */
typedef struct {
    size_t first, count;
} Ways;

/* The transfers of one turn, and what was found about them. */
typedef struct {
    size_t count;       /* messages, which come first */
    size_t local_count; /* transfers of ranks to themselves behind them */
    bool is_empty;      /* messages carry no bytes */
    const ScheduledTransfer **transfers;
    int64_t *sizes;       /* blocks of each transfer; elements, where blocks differ in size */
    int64_t *combines;    /* what each transfer makes its receiver combine, in the same unit */
    int64_t *hops;        /* of each transfer */
    int64_t *load_blocks; /* the most on a link of its way; blocks of its own included */
    int64_t *load_messages;
    Ways *ways; /* of each transfer */
    PathCost *paths;
    size_t path_count;
    /* The turn as a whole, hop by hop with store-and-forward: entry e has the slowest of the paths
       entry_paths[entries[e].first ...]. */
    Ways *entries;
    size_t entry_count;
    PathCost *entry_paths;
} Turn;

/* What message i of the turn carries, as far as it takes time. */
static inline int64_t message_blocks(const Turn *turn, size_t i)
{
    return turn->is_empty ? 0 : turn->sizes[i];
}

/* Fills all but transfers and combines. False after a report. */
bool turn_route(const Tariff *tariff, Arena *arena, Turn *turn, Diag *diag);
/* The same for ways that are known. */
bool turn_load(const Tariff *tariff, Arena *arena, const Routes *routes, Turn *turn, Diag *diag);

#endif
