/* Schedules for other programs: the messages of one schedule as a list, and who writes it.

   The list has what an expansion gives for one network and size: port steps with the bytes of their
   messages. What waits for what is left to each format:

       csv    nothing: rounds and port steps are numbers
       dot    a rank's own messages, one port step after the other
       goal   the same, with what is combined between two port steps as calculation

   so that `goal` means what the cost without barriers means. */
#ifndef COLLCOST_EXCHANGE_SCHEDULE_TEXT_H
#define COLLCOST_EXCHANGE_SCHEDULE_TEXT_H

#include "base/buffer.h"
#include "cost/rules.h"
#include "sched/schedule.h"

typedef struct {
    int64_t round;     /* from 0: what reads before any writes; local work has rounds too */
    int64_t port_step; /* from 0, as in a profile; neither falls */
    int32_t from, to;  /* the same: local work, which is no message */
    Verb verb;
    const int64_t *blocks, *destination; /* as they are at the sender, and as they land */
    const bool *combines;                /* of each block: the receiver has it, and combines */
    size_t block_count;
    double bytes, combined_bytes; /* as costs have them, the latter by the receiver */
} ListedMessage;

ARRAY_TYPE(ListedMessages, ListedMessage);

typedef struct {
    const char *title; /* one line: algorithm, network, size */
    const char *rules; /* in words */
    const char *collective;
    const Contract *contract;
    int64_t chunks; /* of a block */
    bool is_uneven; /* the algorithm cuts blocks into chunks that need not be alike */
    const Network *network;
    BlockSpace space;
    const double *parameters; /* of the machine */
    double combine_s;         /* per combined byte */
    bool overlaps;            /* combining, with the messages of its rank */
    int64_t ports;
    ListedMessages messages;
} ListedSchedule;

/* Lists the messages for m = `size` bytes, in `arena`. Title, rules and parameters are the
   caller's. False after a report. */
bool schedule_list(Arena *arena, const Instance *instance, const Network *network,
                   const Rules *rules, double size, ListedSchedule *schedule, Diag *diag);

/* Each appends a file to `text`. False after a report. */
bool write_csv(const ListedSchedule *schedule, Buffer *text, Diag *diag);
bool write_dot(const ListedSchedule *schedule, Buffer *text, Diag *diag);
bool write_msccl(const ListedSchedule *schedule, Buffer *text, Diag *diag);
bool write_goal(const ListedSchedule *schedule, Buffer *text, Diag *diag);

#endif
