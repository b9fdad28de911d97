/* A program of GPUs while it runs on names: for the files that run it. */
#ifndef COLLCOST_VERIFY_GPU_STATE_H
#define COLLCOST_VERIFY_GPU_STATE_H

#include "verify/gpu_values.h"
#include "verify/gpu_verdict.h"

/* By the step `clock` - 1 of a thread block. */
typedef struct {
    int32_t block;
    uint32_t clock;
} Access;

ARRAY_TYPE(Accesses, Access);

typedef struct {
    const GpuValue *value;
    bool is_written; /* else it has held its value from the start */
    Access writer;
    Accesses readers; /* since then; one of each thread block */
} Cell;

typedef struct {
    const GpuValue **values;
    int32_t count;
    const uint32_t *clocks; /* of the sender, behind its step */
} Message;

ARRAY_TYPE(Messages, Message);

typedef struct {
    int32_t sender, receiver; /* thread blocks; -1: there is none */
    Messages messages;
    size_t received;
} Connection;

typedef struct {
    int32_t step;
    const uint32_t *clocks;
} Signal;

ARRAY_TYPE(Signals, Signal);

/* A thread block while it runs. They are numbered through all ranks. */
typedef struct {
    const ThreadBlock *block;
    int32_t rank, number;
    size_t next;
    uint32_t *clocks; /* of each thread block: its steps that have happened before */
    Connection *out, *in;
    Signals signals;
} Runner;

/* Signals of one rank to another, and how many of them were waited for. */
typedef struct {
    Messages signals; /* clocks NULL: relaxed */
    size_t taken;
} Semaphore;

typedef struct {
    Arena *arena; /* for texts */
    Arena *scratch;
    const GpuProgram *program;
    GpuLabel label;
    bool in_place;
    int32_t slots;
    int32_t sizes[GPU_BUFFER_COUNT - 1];
    Cell **cells;      /* of each rank: input, output, scratch */
    int32_t *first_of; /* of each rank: its first thread block */
    Runner *runners;
    int32_t count;
    Semaphore *semaphores; /* as in the program */
    GpuRun *found;
    GpuMemory *memory; /* NULL: nobody asks */
} Run;

/* Notes what is wrong, if nothing was before; false. */
bool gpu_run_fail(Run *run, GpuVerdict verdict, Span span, const char *text);
/* "rank 3, thread block 1, step 2" */
const char *gpu_run_name(const Run *run, const Runner *runner, size_t step);
Cell *gpu_run_cell(const Run *run, int32_t rank, GpuBuffer buffer, int32_t chunk);
void gpu_run_join(const Run *run, Runner *runner, const uint32_t *clocks);
const uint32_t *gpu_run_clocks(const Run *run, const Runner *runner);

#endif
