/* What the messages of one port step cost: routes, loads of links, and the slowest paths. */
#ifndef COLLCOST_COST_DERIVE_LOADS_H
#define COLLCOST_COST_DERIVE_LOADS_H

#include "cost/derive_profile.h"
#include "net/turn.h"
#include "sched/schedule.h"

/* What loads depend on. */
typedef struct {
    const Rules *rules;
    const Network *network;
    const LinkCost *link_costs; /* of classes of links */
    bool one_port;              /* of every rank */
    const NetworkTurn *turn;    /* loads are alike in these turns; NULL: each for itself */
    bool each;                  /* what each message costs is wanted, not the port step alone */
} LoadContext;

/* The paths of one message: paths[first .. first + count - 1] of its port step. */
typedef struct {
    size_t first, count;
} PathRange;

ARRAY_TYPE(PathList, PathCost);

/* What crosses a link. */
typedef struct {
    int64_t blocks, messages;
} LinkLoad;

/* The transfers of one port step, and what was found about them. */
typedef struct PortStep {
    size_t count;       /* messages, which come first */
    size_t local_count; /* transfers of ranks to themselves behind them */
    bool is_empty;      /* messages carry no bytes */
    int64_t by; /* those of ranks 0 .. by - 1 stand for all, turned by `by`; 0: for themselves */
    const ScheduledTransfer **transfers;
    int64_t *sizes;       /* blocks of each transfer; elements, where blocks differ in size */
    int64_t *combines;    /* what each transfer makes its receiver combine, in the same unit */
    int64_t *hops;        /* of each transfer */
    int64_t *load_blocks; /* the most on a link of its path; blocks of its own included */
    int64_t *load_messages;
    PathRange *ranges; /* of each transfer */
    PathCost *paths;
    size_t path_count;
    /* The port step as a whole, hop by hop with store-and-forward: entry e has the slowest of the
       paths entry_paths[entries[e].first ...]. */
    PathRange *entries;
    size_t entry_count;
    PathCost *entry_paths;
} PortStep;

/* What message i of the port step carries, as far as it takes time. */
static inline int64_t message_blocks(const PortStep *step, size_t i)
{
    return step->is_empty ? 0 : step->sizes[i];
}

/* Fills all but transfers and combines. False after a report. */
bool port_step_route(const LoadContext *context, Arena *arena, PortStep *step, Diag *diag);
/* Appends the paths of one message of `own` blocks over links of these classes, with these loads.
   False where their lanes have no common multiple that fits. */
bool message_paths(const LoadContext *context, Arena *arena, int64_t own, size_t count,
                   const uint8_t *classes, const LinkLoad *const *loads, PathList *paths);
/* Is a path as slow as another in every part? A longer message can have a faster protocol: only
   those of one size are compared. */
bool path_exceeds(const PathCost *a, const PathCost *b);
/* Keeps the paths that no other exceeds, in front, sorted. Returns how many these are. */
size_t paths_keep_slowest(PathCost *paths, size_t count);
/* The same for paths that are known. */
bool port_step_load(const LoadContext *context, Arena *arena, const Routes *routes, PortStep *step,
                    Diag *diag);

#endif
