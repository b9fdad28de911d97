/* What a schedule costs, for all sizes and machines: what its derivation leaves.

   A profile keeps, for each port step, what the cost depends on; the size of the message and the
   machine come in later, so that one expansion serves all sizes. Loads and sizes count blocks
   (chunks, if blocks are cut): a block is m / chunks bytes. */
#ifndef COLLCOST_COST_DERIVE_PROFILE_H
#define COLLCOST_COST_DERIVE_PROFILE_H

#include "cost/derive_timeline.h"

/* `repeat` port steps in a row that cost the same. Only messages that can be the slowest for some
   machine are kept: longer paths come with smaller loads. With store-and-forward, each hop that the
   messages of a port step take together is an entry. */
typedef struct {
    int64_t repeat;
    size_t first_path, path_count;
    int64_t combined; /* the most blocks that one rank combined */
    int64_t message;  /* blocks of the largest message */
    bool continues;   /* the port step of the entry before: it is no port step of its own */
    bool local;       /* work of ranks by themselves, which is no port step either */
    struct Overlap
        *earlier; /* what may last longer than it, and what is behind it; NULL: nothing */
} PortStepCost;

/* A port step of a round with gaps: the next one begins before all its messages have ended. */
typedef struct Overlap {
    struct Overlap *before;  /* in its round */
    PortStepCost begin, end; /* until the next one begins; until its messages have ended */
    const PathCost *paths;   /* of both */
    size_t path_count;
} Overlap;

typedef struct {
    PortStepCost *steps;
    size_t step_count; /* entries, not counting repeats */
    PathCost *paths;
    size_t path_count;
    int64_t startups;  /* port steps, counting repeats */
    int64_t transfers; /* of one group of ranks, where several run at the same time */
    int64_t chunks;
    double unit; /* bytes of what sizes count, where they hold for one size only; 0: of a chunk */
    int64_t effort;   /* to derive it: messages or runs that were looked at, and a part of the ranks
                         that   were asked in each round */
    int64_t moved;    /* blocks of all messages, of all groups; elements in a problem, as all
                         that follows */
    int64_t combined; /* by all ranks, of all groups */
    int64_t work;     /* of a problem: multiply-adds of the busiest rank, round by round */
    int64_t peak_blocks;  /* the most blocks that a rank holds at once; -1: too large to follow */
    int64_t peak_total;   /* the most blocks that each rank holds, summed over ranks */
    bool is_uneven;       /* messages of one port step differ in size */
    bool has_spare_ports; /* each round is one port step, so that more ports change nothing where
                             the rounds do not depend on them */
    bool has_link_costs;  /* some links have parameters that are not the machine's, or local work
                             counts, which has none of the four */
    bool ceil_chunks;
    int64_t averaged; /* ranks, over which the ends of all are averaged; 0: the last counts */
    LocalBytes local[LOCAL_WORK_COUNT];
    const Rules *rules;       /* that say what combining or local work takes, by what ranks hold, or
                                 NULL */
    const Timeline *timeline; /* where rules are asynchronous: then port steps have no paths */
} Profile;

/* With those before. */
Overlap *overlaps_copy(Arena *arena, Overlap *overlaps);
Profile profile_copy(Arena *arena, const Profile *profile);
/* Bytes of a block that is cut into the profile's chunks, for m bytes. */
double profile_block(const Profile *profile, double bytes);
/* The parameters for m bytes: those, with tc by what ranks hold. `settled` has room for all. */
const double *profile_parameters(const Profile *profile, const double *parameters, double bytes,
                                 double *settled);
/* With a timeline: when each message is under way, in the order in which profile_trace visits them,
   for blocks of `block` bytes. `waits` (NULL: not wanted) gets what their starts waited for where
   messages share in time, and is left as it is elsewhere. */
void profile_spans(const Profile *profile, const double *parameters, double block,
                   MessageSpan *spans, MessageWait *waits);
/* The parts for m bytes; their sum (cost_total) is the time. */
CostParts profile_cost(const Profile *profile, const double *parameters, double bytes);
/* What local work of a kind takes of it, in seconds. */
double profile_local(const Profile *profile, LocalWork work, double bytes);
/* A double where the rules are asynchronous. */
Exact profile_time_exact(const Profile *profile, const ExactParameters *parameters, Exact bytes);
/* The sizes in (from, to) at which a time bends, which are appended to what there is. */
typedef struct {
    double from, to;
    Arena *arena;
    SizeArray *sizes;
    Diag *diag;
} BendList;
/* Appends a size if it is one of these. */
void bend_add(const BendList *list, double at);
/* Appends, rising, those where the slowest path changes, so that the time, a line
   between them, bends upwards; and those up to which messages have one protocol and beyond which
   another, where it jumps. False after a report: too many of them. */
bool profile_bends(const Profile *profile, const double *parameters, const BendList *list);
/* Blocks of the largest message of port step j = 1, 2, ...; 0 behind the last. */
int64_t profile_message(const Profile *profile, int64_t j);
/* On a machine with protocols, the blocks of messages, rising, some more than once. */
IntArray profile_messages(const Profile *profile, Arena *arena);

/* One port step, repeated or not, without its repeats. */
CostParts port_step_cost(const PortStepCost *step, const PathCost *paths, const double *parameters,
                         double block);
Exact port_step_cost_exact(const PortStepCost *step, const PathCost *paths,
                           const ExactParameters *parameters, Exact block);

#endif
