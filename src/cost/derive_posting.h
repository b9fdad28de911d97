/* Messages of one round that ranks post together.

   All start at once and share the ports of their ranks, so that a port step is as long as

       (n - 1) max(o, g)     the last of n messages that one rank posts, or takes, leaves so late;
                             o of those that it takes is the overhead of receiving
       + max ts_i + l_i th   the longest way
       + max of              link loads; what a rank sends, or receives, over its d ports

   where each message takes its bytes by the slowest link of its path: an h-relation (Valiant,
   Communications of the ACM 33(8), 1990), with o and g as LogP has them. With store-and-forward the
   first hop shares the senders' ports, by its own link, and the last the receivers'. */
#ifndef COLLCOST_COST_DERIVE_POSTING_H
#define COLLCOST_COST_DERIVE_POSTING_H

#include "cost/derive_step.h"

/* What messages that are posted together cost beside their paths. */
typedef struct {
    const LoadContext *context;
    const PortStep *step; /* whose messages they are */
    BytePrice *prices[2]; /* of each, where it leaves its sender, and where it arrives */
    double *delays;       /* of each message */
    PathCost
        waits[2];   /* the longest at any rank, all but its shortest spacing: for ports to send, */
    int wait_count; /* and to receive, where profiles keep spacings; else of both */
    bool by_level;  /* ranks have a port for each level, ... */
    size_t port_count, *ports[2]; /* ... so that each message holds one of these at either end */
    PathCost *of_ports[2];        /* what they pass; NULL: nobody asks */
} Together;

/* Has any link a gap between messages that are sent one after the other? */
bool posting_has_gaps(const LoadContext *context);
/* Cut-through, in order with gaps: behind a port step that is followed the next one begins after
   the gap in place of startup and hops, which is its entry; the one behind that is when all its
   messages have ended. gaps[i] < 0: message i has none, and both are the same; as they are with a
   protocol that waits. */
void posting_enter_in_order(Arena *arena, PortStep *step, const PathList *paths,
                            const double *gaps);
/* Do paths tell how many messages a rank posts, in place of how long that takes? */
bool posting_keeps_spacing(const LoadContext *context);
/* Weights and ports of the messages of a port step, without their delays. */
Together posting_hold(const LoadContext *context, Arena *arena, const Crossings *crossings,
                      const PortStep *step);
/* How many ports like that does the rank have? */
int64_t posting_ports(const Together *together, int64_t rank, bool receives);

/* `spacings`: the time from one message to the next, of each, at its sender and its receiver; 1
   where spacings are kept. */
Together posting_prepare(const LoadContext *context, Arena *arena, const Crossings *crossings,
                         const PortStep *step, const double *const spacings[2]);
/* Cut-through: fills the entries of the port step, and the paths of messages where they are wanted,
   from `paths` of the messages by themselves. */
void posting_enter(Together *together, Arena *arena, PortStep *step, const PathList *paths);

/* Store-and-forward: appends the ports that messages pass in slot s, in the first those of all
   senders, and those of the receivers of messages that end there. */
void posting_share_slot(const Together *together, Arena *arena, size_t s, PathList *transfers);

/* Latencies and transfers one after the other; in one entry where all have the same latency. */
void posting_enter_split(const LoadContext *context, PortStep *step, PathList *latencies,
                         PathList *transfers);

/* Adds to the paths of each message its delay, and those of the ports that it holds. */
void posting_list_messages(const Together *together, Arena *arena, PortStep *step);

/* A path without what its bytes take; without all but that. */
PathCost path_latency(const PathCost *path);
PathCost path_transfer(const PathCost *path);
void path_add_latency(PathCost *path, const PathCost *latency);

#endif
