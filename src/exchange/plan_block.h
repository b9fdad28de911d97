/* A thread block of an execution plan of MSCCL++, and what its rank has that its operations name by
   number. */
#ifndef COLLCOST_EXCHANGE_PLAN_BLOCK_H
#define COLLCOST_EXCHANGE_PLAN_BLOCK_H

#include "exchange/json_fields.h"
#include "sched/gpu_program.h"

enum { MOST_PLAN_BLOCKS = 1024 }; /* of a rank, and its channels of each kind */

typedef enum { CHANNEL_MEMORY, CHANNEL_PORT, CHANNEL_KINDS } ChannelKind;

typedef struct {
    int32_t peer;
    int32_t out, in; /* semaphores: to the peer, and from it */
    int32_t number;  /* among those of the kind to this peer */
} Channel;

ARRAY_TYPE(Channels, Channel);

typedef struct {
    int32_t rank;
    GpuBuffer buffer;
} RemoteBuffer;

typedef struct {
    Channels channels[CHANNEL_KINDS];
    RemoteBuffer *buffers;
    int32_t buffer_count;
} PlanRank;

typedef struct {
    JsonReader json;
    GpuProgram *program;
    PlanRank *ranks;
} PlanReader;

/* A value of a key: false, or CHANNEL_KINDS, after a report. */
bool plan_get_buffer(const PlanReader *reader, const Node *map, const char *key, GpuBuffer *buffer);
ChannelKind plan_get_kind(const PlanReader *reader, const Node *map, const char *key);

/* The steps of thread block `number` of a rank, whose channels are paired; false after a report. */
bool plan_block_read(const PlanReader *reader, const Node *node, int32_t rank, int32_t number);

#endif
