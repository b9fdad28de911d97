/* Which thread blocks of a program of GPUs may go on: what a step waits for is the same whether
   values, bytes or times are followed.

   A thread block does its steps in order. A step waits for a step of another thread block of its
   rank that signals, for signals of semaphores, for the others of a barrier, for a message, or for
   a slot of its connection. With several tiles all steps are done for one tile after the other.
   Whoever runs a program counts here what has happened. */
#ifndef COLLCOST_SCHED_GPU_STEPPER_H
#define COLLCOST_SCHED_GPU_STEPPER_H

#include "sched/gpu_program.h"

/* From one thread block to another: its messages so far. */
typedef struct {
    int32_t sender, receiver; /* thread blocks; -1: there is none */
    int64_t sent, arrived, taken;
} GpuConnection;

/* A thread block while it runs. They are numbered through all ranks. */
typedef struct {
    const ThreadBlock *block;
    int32_t rank, number;    /* in its rank */
    int64_t next;            /* step, counted through all tiles */
    bool has_begun;          /* with the next step */
    GpuConnection *out, *in; /* NULL: its block has no such peer */
} GpuRunner;

typedef struct {
    const GpuProgram *program;
    int64_t tiles, slots;
    int32_t *first_of; /* of each rank: its first thread block */
    GpuRunner *runners;
    int32_t count;
    int64_t *signals, *taken; /* of each semaphore */
} GpuStepper;

typedef enum {
    GPU_IS_FREE,
    GPU_WAITS_FOR_STEP,
    GPU_WAITS_FOR_SIGNAL,
    GPU_WAITS_AT_BARRIER,
    GPU_WAITS_FOR_MESSAGE,
    GPU_WAITS_FOR_SLOT
} GpuWait;

/* Of two thread blocks with one peer and channel the first is the end of a connection. O(thread
   blocks times those of a rank). */
GpuStepper gpu_stepper_create(Arena *arena, const GpuProgram *program, int64_t tiles,
                              int64_t slots);
bool gpu_stepper_is_done(const GpuStepper *stepper, int32_t b);
/* The next step of a thread block that has not ended. */
const GpuStep *gpu_stepper_next(const GpuStepper *stepper, int32_t b);
/* What a thread block that has not ended waits for. */
GpuWait gpu_stepper_wait(const GpuStepper *stepper, int32_t b);
/* The step of its thread block that has ended the wait of a next step, counted through all tiles;
   -1: none has. It is the first from the awaited one on that signals, of this tile or the next. */
int64_t gpu_stepper_waited(const GpuStepper *stepper, int32_t b);
/* Is its next step, which it has not begun, this barrier of its rank? */
bool gpu_stepper_is_at(const GpuStepper *stepper, int32_t b, int32_t barrier);
/* The first semaphore of the next step that has too few signals, or -1. */
int32_t gpu_stepper_lacking(const GpuStepper *stepper, int32_t b);
/* Takes the signals that the next step waits for, or gives those that it gives. */
void gpu_stepper_take(GpuStepper *stepper, int32_t b);
void gpu_stepper_signal(GpuStepper *stepper, int32_t b);

#endif
