/* Programs of GPUs, step by step: one thread block sends to each rank, one receives from each, and
   one does local work. What a step must wait for follows from who wrote and read the same chunks
   before, in the order in which steps are added. */
#ifndef COLLCOST_EXCHANGE_GPU_BUILDER_H
#define COLLCOST_EXCHANGE_GPU_BUILDER_H

#include "sched/gpu_program.h"

/* Thread blocks that send on one channel, or receive. */
enum { GPU_PEERS_OF_CHANNEL = 32 };

typedef struct {
    Arena *arena;
    GpuProgram *program;
    struct BuiltRank *ranks;
} GpuBuilder;

/* Gives the program, which has its number of ranks, its `gpus`, without thread blocks. */
GpuBuilder gpu_builder(Arena *arena, GpuProgram *program);
/* The thread block of a rank with that task, created if need be. */
int32_t gpu_sender(GpuBuilder *builder, int32_t rank, int32_t to);
int32_t gpu_receiver(GpuBuilder *builder, int32_t rank, int32_t from);
int32_t gpu_local(GpuBuilder *builder, int32_t rank);
/* Appends a step to a thread block, behind nops for all that it waits for but one. */
void gpu_add_step(GpuBuilder *builder, int32_t rank, int32_t block, GpuStep step);

#endif
