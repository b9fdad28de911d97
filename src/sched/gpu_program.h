/* What thread blocks of GPUs do, as MSCCL's files say it: schedules as plain data that move what is
   at addresses, not blocks with names.

       rank 0   thread block 0  -> 1   send i[0..1]          each does its steps in order, and sends
                thread block 1  <- 3   receive o[2..3]       to, and receives from, one rank at most
                                       combine o[2] += i[2]  waits for step 0 of thread block 0

   Memory is counted in chunks. A rank has an input, an output and a scratch buffer; where a program
   runs in place, input and output overlap. Messages from one rank to another on one channel are
   taken in the order in which they are sent.

   Programs with one-sided steps have no such messages. A step reads or writes the memory of another
   rank, and semaphores, each from one rank to another, count signals: a wait takes one, and waits
   for it. What was done before a signal has happened for who has waited for it, unless one of the
   two is relaxed. A barrier is passed by its number of thread blocks at once. */
#ifndef COLLCOST_SCHED_GPU_PROGRAM_H
#define COLLCOST_SCHED_GPU_PROGRAM_H

#include "base/source.h"

typedef enum {
#define GPU_STEP(id, name, receives, sends, reads, reads_destination, writes) GPU_STEP_##id,
#include "sched/gpu_steps.def"
#undef GPU_STEP
    GPU_STEP_COUNT
} GpuStepKind;

typedef struct {
    const char *name;
    bool receives, sends;
    bool reads, reads_destination, writes; /* its source; its destination */
} GpuStepInfo;
extern const GpuStepInfo gpu_step_info[GPU_STEP_COUNT];

typedef enum {
#define GPU_LABEL(id, label, other, collective) GPU_##id,
#include "sched/gpu_labels.def"
#undef GPU_LABEL
    GPU_LABEL_COUNT
} GpuLabel;

typedef struct {
    const char *name, *other; /* both spellings */
    const char *collective;   /* NULL: nothing is known of the result */
} GpuLabelInfo;
extern const GpuLabelInfo gpu_label_info[GPU_LABEL_COUNT];

typedef enum { GPU_INPUT, GPU_OUTPUT, GPU_SCRATCH, GPU_BUFFER_COUNT } GpuBuffer;
extern const char gpu_buffer_letters[GPU_BUFFER_COUNT]; /* i, o, s */

typedef struct {
    GpuBuffer buffer;
    int32_t chunk; /* the first */
    int32_t owner; /* 0: the rank of the step; else 1 + the rank whose memory it is */
} GpuPlace;

/* From one rank to another. */
typedef struct {
    int32_t from, to;
} GpuSemaphore;

ARRAY_TYPE(GpuSemaphores, GpuSemaphore);

typedef struct {
    GpuStepKind kind;
    GpuPlace source, destination; /* as far as it reads or writes them */
    int32_t count;                /* chunks, one behind the other */
    const int32_t *semaphores;    /* of a signal, or a wait: so many */
    int32_t semaphore_count;
    int32_t barrier, members;      /* of a barrier: its number in the rank, and thread blocks */
    int32_t operation;             /* 1 + the operation of the file that it is a part of; 0: the
                                      step has the number of its own */
    int32_t wait_block, wait_step; /* first waits until this thread block of its rank has done a
                                      step with at least this number that signals; -1: for none */
    bool signals;
    Span span;
} GpuStep;

ARRAY_TYPE(GpuSteps, GpuStep);

typedef struct {
    int32_t send, receive; /* ranks; -1: none */
    int32_t channel;
    GpuSteps steps;
    Span span;
} ThreadBlock;

ARRAY_TYPE(ThreadBlocks, ThreadBlock);

typedef struct {
    ThreadBlocks blocks;
    int32_t scratch; /* chunks */
    Span span;
} Gpu;

enum { MOST_GPU_CHUNKS = 1 << 20 };

/* Input chunk `chunk` of a rank, so many times. */
typedef struct {
    int32_t rank, chunk, times;
} GpuTerm;

/* Terms rise by rank, then chunk. */
typedef struct {
    int32_t count;
    const GpuTerm *terms;
} GpuSum;

/* What scratch chunk k of rank r holds: sums[r * chunks + k]. Without terms: nothing before, and
   anything after. */
typedef struct {
    int32_t chunks; /* of the scratch buffer of each rank */
    const GpuSum *before, *after;
} GpuContract;

typedef struct {
    const char *name, *protocol;
    GpuLabel label;
    int32_t rank_count;
    int32_t chunks;              /* of the larger one of input and output */
    bool in_place, out_of_place; /* which it is for */
    bool has_root;               /* only this root is right; else any is */
    int32_t root;
    int32_t slots; /* messages of a connection that are sent and not received yet */
    Gpu *gpus;     /* of each rank */
    bool is_one_sided;
    GpuSemaphores semaphores;    /* of one-sided steps */
    const GpuContract *contract; /* NULL: what the label promises, from input to output */
    Span span;
} GpuProgram;

/* How many chunks input and output have, for a label other than that of the program if need be.
   False where `chunks` is no multiple of the ranks and should be. */
bool gpu_buffer_sizes(const GpuProgram *program, GpuLabel label, int32_t *input, int32_t *output);
/* The number of a chunk in the memory of a rank, whose input, output and scratch buffer lie one
   behind the other; in place, what one of input and output holds is the rank's part of the other.
 */
int64_t gpu_cell(const int32_t sizes[2], bool in_place, int32_t rank, GpuPlace place);
bool gpu_step_is_sync(GpuStepKind kind); /* it moves nothing: a signal, a wait, a barrier, a post */
bool gpu_step_signals(GpuStepKind kind);
bool gpu_step_waits(GpuStepKind kind);
/* How many signals a wait takes of its semaphore `s`, if it names it more than once: up to there.
 */
int32_t gpu_step_taken(const GpuStep *step, int32_t s);
/* The rank whose memory it is, for a step of `rank`. */
int32_t gpu_place_rank(GpuPlace place, int32_t rank);
/* The most thread blocks of a rank that send, or that receive; at least 1. */
int64_t gpu_program_ports(const GpuProgram *program);
/* Thread blocks times steps. */
int64_t gpu_program_work(const GpuProgram *program);
/* The label with that name, in either spelling, or with that collective; GPU_LABEL_COUNT: none. */
GpuLabel gpu_label_find(Text name);

#endif
