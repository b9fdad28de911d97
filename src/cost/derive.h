/* The cost of a schedule on a network, derived from its transfers and nothing else.

   A profile keeps, for each turn, what the cost depends on; the size of the message and the machine
   come in later, so that one expansion serves all sizes. Loads and sizes count blocks (chunks, if
   blocks are cut): a block is m / chunks bytes. */
#ifndef COLLCOST_COST_DERIVE_H
#define COLLCOST_COST_DERIVE_H

#include "cost/rules.h"
#include "net/network.h"
#include "sched/schedule.h"

/* A message over `hops` links, the busiest of which carries `load` blocks. */
typedef struct {
    int64_t hops, load;
} PathCost;

/* `repeat` turns in a row that cost the same. A turn without paths is local work, which has no
   startup and does not count as a turn. Only messages that can be the slowest for some
   machine are kept: longer ways come with smaller loads. */
typedef struct {
    int64_t repeat;
    size_t first_path, path_count;
    int64_t combined; /* the most blocks that one rank combined */
    int64_t message;  /* blocks of the largest message */
} TurnCost;

typedef struct {
    TurnCost *turns;
    size_t turn_count; /* entries, not counting repeats */
    PathCost *paths;
    int64_t startups; /* turns, counting repeats */
    int64_t chunks;
    int64_t peak_blocks; /* the most blocks that a rank holds at once; -1: too large to follow */
} Profile;

/* Costs apart, in seconds. */
typedef struct {
    double startup, hop, transfer, compute;
} CostParts;

double cost_total(CostParts parts);

/* False after a report. The profile lives in `arena`. */
bool profile_derive(Arena *arena, const Instance *instance, const Network *network,
                    Profile *profile, Diag *diag);
Profile profile_copy(Arena *arena, const Profile *profile);
/* The parts for m bytes; their sum (cost_total) is the time. */
CostParts profile_cost(const Profile *profile, const double *parameters, double bytes);
Exact profile_time_exact(const Profile *profile, const ExactParameters *parameters, Exact bytes);
/* Blocks of the largest message of turn j = 1, 2, ...; 0 behind the last. */
int64_t profile_message(const Profile *profile, int64_t j);

/* One transfer as it was costed. */
typedef struct {
    int64_t turn; /* from 0 */
    const ScheduledTransfer *transfer;
    int64_t hops, load_blocks, load_messages; /* 0 for local work */
    int64_t combined;                         /* blocks */
} CostedTransfer;

/* Called for all transfers, turn by turn, for `trace`. */
typedef void (*TransferVisitor)(void *context, const CostedTransfer *costed, const Round *round);
bool profile_trace(Arena *arena, const Instance *instance, const Network *network,
                   TransferVisitor visit, void *context, Profile *profile, Diag *diag);

#endif
