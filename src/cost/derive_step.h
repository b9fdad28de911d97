/* The messages of one port step, what costs them depend on, and lists of paths. */
#ifndef COLLCOST_COST_DERIVE_STEP_H
#define COLLCOST_COST_DERIVE_STEP_H

#include "cost/derive_profile.h"
#include "cost/merging.h"

/* What loads depend on. */
typedef struct {
    const Rules *rules;
    const Network *network;
    const LinkCost *link_costs; /* of classes of links */
    int64_t ports;              /* of every rank; 0: they differ */
    Arena *kept;                /* lives as long as the profile */
    bool each;                  /* what each message costs is wanted, not the port step alone */
    const NodeCapacities *node_capacities; /* NULL: all nodes are endless */
    const Merging *merging;                /* NULL: no switch multicasts or combines */
    int64_t only_protocol;                 /* as ProtocolChoice has it */
    struct PortStepMemo *memo;             /* cost/derive_memo.h */
    size_t *route_work; /* of the schedule so far (routes.h); NULL: as much as it takes */
} LoadContext;

/* Does a message cross its links one after the other, in slots? With cut-through it crosses all at
   once. */
static inline bool context_forwards(const LoadContext *context)
{
    return context->rules->switching != SWITCHING_CUT_THROUGH;
}

/* Adds what a byte takes on a link to what it takes on others. */
void link_cost_weigh(const LinkCost *link_cost, BytePrice *price);

/* That of links inside of nodes, where there are any. */
int context_lowest_level(const LoadContext *context);

/* The paths of one message: paths[first .. first + count - 1] of its port step. */
typedef struct {
    size_t first, count;
} PathRange;

/* What crosses a link. */
typedef struct {
    int64_t blocks, messages;
} LinkLoad;

/* The transfers of one port step, and what was found about them. */
typedef struct PortStep {
    size_t count;       /* messages, which come first */
    size_t local_count; /* transfers of ranks to themselves behind them */
    bool is_empty;      /* messages carry no bytes */
    bool together;      /* ranks post their messages together */
    int64_t lanes;    /* and in streams: inside of nodes a message has one of so many lanes; 0: not
                         in streams */
    bool is_followed; /* by another port step of its round */
    int64_t more;     /* so many port steps like it follow, of rounds that are not handed on */
    bool overlaps;    /* others of its round: behind its entries is one of when messages end */
    int64_t by; /* those of ranks 0 .. by - 1 stand for all, turned by `by`; 0: for themselves */
    const int64_t *from, *to;      /* of each message, once they are listed */
    const struct MessageRun *runs; /* in place of transfers: sched/runs.h; NULL: these are listed */
    size_t run_count;
    int64_t ranks; /* of which these stand for all: a rank modulo this */
    const ScheduledTransfer **transfers;
    int64_t *sizes;       /* blocks of each transfer; elements, where blocks differ in size */
    int64_t *combines;    /* what each transfer makes its receiver combine, in the same unit */
    int64_t *bundles;     /* of each message: merging_bundle; NULL: all are alone */
    size_t bundle_count;  /* messages of the round, which bundles are not more than; 0: none */
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

/* Does message i share a port at that end with all of its bundle? */
static inline bool shares_port(const PortStep *step, size_t i, bool receives)
{
    return step->bundles && step->bundles[i] >= 0 && bundle_arrives(step->bundles, i) == receives;
}

/* With one that was met before? `met` has room for a mark of each, MERGING_COUNT * bundle_count. */
static inline bool joins_port(const PortStep *step, size_t i, bool receives, bool *met)
{
    if (!shares_port(step, i, receives))
        return false;
    const bool joins = met[step->bundles[i]];
    met[step->bundles[i]] = true;
    return joins;
}

/* Is one of some? */
bool paths_exceed(const PathCost *paths, size_t count, const PathCost *path);
/* Do two port steps, or what came before them, cost the same? */
bool overlaps_same(const Overlap *a, const Overlap *b);
/* Keeps the paths that no other exceeds, in front, sorted. Returns how many these are. */
size_t paths_keep_slowest(PathCost *paths, size_t count);
/* An order of paths, for qsort. */
int paths_compare(const void *a, const void *b);
/* Appends a path, unless it is not slower than the last. */
void paths_push_slower(Arena *arena, PathList *list, const PathCost *path);
/* -1, 0, 1: a load over lanes less, equal, greater. */
int path_compare_loads(const PathCost *a, const PathCost *b);
/* Makes the slowest of these paths the next entry of the port step, and empties the list. */
void port_step_enter(PortStep *step, PathList *list);

/* What the messages of one port step cost: routes, loads of links, and the slowest paths (loads.c).
 */

/* Fills the entries of a port step, and what there is of each message where context->each says so,
   or recalls what is known of it (cost/derive_memo.h). False after a report. */
bool port_step_route(const LoadContext *context, Arena *arena, PortStep *step, Diag *diag);
/* Can port steps of runs be costed at all by these rules? */
bool runs_have_cost(const LoadContext *context);

/* What the messages of a schedule share, found port step by port step (derive_shared.c). */

/* May messages share resources by these rules? False after a report. */
bool sharing_is_possible(const Rules *rules, Diag *diag);
/* Notes the messages of a port step, in `arena`. False after a report. */
bool sharing_note(const LoadContext *context, Arena *arena, const PortStep *step, Sharing *sharing,
                  Diag *diag);

#endif
