#include "exchange/gpu_builder.h"
#include "exchange/schedule_text.h"
#include "verify/gpu_run.h"

#include <string.h>

/* A schedule as a program of GPUs: which thread block does what, at which addresses.

   A block of rank r is in its input buffer until something is written to it; from then on it has a
   place of its own: in the output buffer where it is a part of the result, else in scratch. One
   thread block sends to each rank, one receives from each, and one does local work. What a step
   must wait for follows from who wrote and read the same chunks before. */

typedef struct {
    GpuProgram program;              /* for calls out of place */
    int64_t messages, chunks, depth; /* of the schedule itself, to compare with */
} GpuPlan;

enum {
    MOST_CHANNELS = 32,
    MOST_STEPS = 256, /* of a thread block */
    MOST_COUNT = 71   /* chunks of a step */
};

/* Where a block of a rank is: at a place of its own, or still in the input buffer. */
typedef struct {
    bool has_home, is_home;
    GpuPlace home;
    int64_t depth; /* messages that it came through */
} Block;

typedef struct {
    Block *blocks;
    int32_t scratch;
} Rank;

typedef struct {
    Arena *arena;
    const ListedSchedule *schedule;
    GpuProgram *program;
    const Contract *contract;
    int32_t pieces; /* chunks of a block */
    int32_t main;   /* blocks that are no scratch, with chunks */
    GpuBuilder builder;
    Rank *ranks;
} Plan;

static GpuPlace new_scratch(Rank *rank, int32_t count)
{
    const GpuPlace place = {GPU_SCRATCH, rank->scratch, 0};
    rank->scratch += count;
    return place;
}

/* Where the rank has the block in its input, if it holds it from the start. */
static GpuPlace input_place(const Plan *plan, int32_t r, int64_t block)
{
    const GpuLabel label = plan->program->label;
    const int32_t own = label == GPU_ALLGATHER || label == GPU_GATHER ? r * plan->pieces : 0;
    const int32_t row = label == GPU_ALLTOALL ? r * plan->program->chunks : 0;
    return (GpuPlace){GPU_INPUT, (int32_t)block - own - row, 0};
}

/* Is the block a part of what the rank has in the end, and where? */
static bool output_place(const Plan *plan, int32_t r, int64_t block, GpuPlace *place)
{
    const int32_t k = plan->pieces, p = plan->program->rank_count;
    const GpuLabel label = plan->program->label;
    if (block >= plan->main || !holding_has(&plan->contract->after, r, block / k))
        return false;
    *place = (GpuPlace){GPU_OUTPUT, (int32_t)block, 0};
    if (label == GPU_REDUCE_SCATTER || label == GPU_SCATTER)
        place->chunk -= r * k;
    if (label == GPU_ALLTOALL)
        place->chunk = (int32_t)(block / k / p * k + block % k);
    return true;
}

static GpuPlace place_of(const Plan *plan, int32_t r, int64_t block)
{
    const Block *at = &plan->ranks[r].blocks[block];
    return at->is_home ? at->home : input_place(plan, r, block);
}

static bool follows(GpuPlace first, GpuPlace next, size_t i)
{
    return next.buffer == first.buffer && next.chunk == first.chunk + (int32_t)i;
}

/* Gives the blocks of a message that have none places of their own, side by side where they are
   scratch. */
static void find_homes(Plan *plan, int32_t r, const int64_t *blocks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Block *block = &plan->ranks[r].blocks[blocks[i]];
        if (block->has_home)
            continue;
        block->has_home = true;
        if (!output_place(plan, r, blocks[i], &block->home))
            block->home = new_scratch(&plan->ranks[r], 1);
    }
}

/* A step on one chunk. */
static GpuStep on_chunk(GpuStepKind kind, GpuPlace source, GpuPlace destination)
{
    return (GpuStep){.kind = kind, .source = source, .destination = destination, .count = 1};
}

/* Sends blocks as one message, copied side by side first where they are not. */
static void send(Plan *plan, const ListedMessage *message)
{
    Rank *rank = &plan->ranks[message->from];
    const int32_t sender = gpu_sender(&plan->builder, message->from, message->to);
    GpuPlace first = place_of(plan, message->from, message->blocks[0]);
    bool lies_together = true;
    for (size_t i = 1; i < message->block_count; i++)
        lies_together &= follows(first, place_of(plan, message->from, message->blocks[i]), i);
    if (!lies_together) {
        first = new_scratch(rank, (int32_t)message->block_count);
        for (size_t i = 0; i < message->block_count; i++)
            gpu_add_step(&plan->builder, message->from, sender,
                         on_chunk(GPU_STEP_COPY, place_of(plan, message->from, message->blocks[i]),
                                  (GpuPlace){GPU_SCRATCH, first.chunk + (int32_t)i, 0}));
    }
    gpu_add_step(&plan->builder, message->from, sender,
                 (GpuStep){.kind = GPU_STEP_SEND,
                           .source = first,
                           .destination = first,
                           .count = (int32_t)message->block_count});
}

/* What has arrived, or is local work, is at the place of its own. */
static void take(Plan *plan, const ListedMessage *message, size_t i, int64_t depth)
{
    Block *block = &plan->ranks[message->to].blocks[message->destination[i]];
    block->depth = message->combines[i] && block->depth > depth ? block->depth : depth;
    block->is_home = true;
}

/* Receives blocks as one message: to their places where these lie together and all or none of them
   are combined, else to scratch, from where they go on. */
static void receive(Plan *plan, const ListedMessage *message, const int64_t *depths)
{
    const int32_t r = message->to;
    const size_t count = message->block_count;
    Rank *rank = &plan->ranks[r];
    const int32_t receiver = gpu_receiver(&plan->builder, r, message->from);
    bool is_direct = true;
    find_homes(plan, r, message->destination, count);
    GpuPlace home = rank->blocks[message->destination[0]].home;
    GpuPlace old = place_of(plan, r, message->destination[0]);
    for (size_t i = 1; i < count; i++) {
        const int64_t block = message->destination[i];
        is_direct &= message->combines[i] == message->combines[0] &&
                     follows(home, rank->blocks[block].home, i) &&
                     (!message->combines[i] || follows(old, place_of(plan, r, block), i));
    }
    GpuStep step = {.kind = is_direct && message->combines[0] ? GPU_STEP_REDUCE : GPU_STEP_RECEIVE,
                    .count = (int32_t)count};
    step.destination = is_direct ? home : new_scratch(rank, (int32_t)count);
    step.source = step.kind == GPU_STEP_REDUCE ? old : step.destination;
    gpu_add_step(&plan->builder, r, receiver, step);
    for (size_t i = 0; i < count; i++) {
        const int64_t block = message->destination[i];
        const GpuPlace came = {step.destination.buffer, step.destination.chunk + (int32_t)i, 0};
        if (!is_direct && message->combines[i] && !rank->blocks[block].is_home)
            gpu_add_step(
                &plan->builder, r, receiver,
                on_chunk(GPU_STEP_COPY, place_of(plan, r, block), rank->blocks[block].home));
        if (!is_direct)
            gpu_add_step(&plan->builder, r, receiver,
                         on_chunk(message->combines[i] ? GPU_STEP_COMBINE : GPU_STEP_COPY, came,
                                  rank->blocks[block].home));
        take(plan, message, i, depths[i]);
    }
}

static void work(Plan *plan, const ListedMessage *message)
{
    const int32_t r = message->to, block = gpu_local(&plan->builder, r);
    Block *blocks = plan->ranks[r].blocks;
    find_homes(plan, r, message->destination, message->block_count);
    for (size_t i = 0; i < message->block_count; i++) {
        Block *into = &blocks[message->destination[i]];
        if (message->combines[i] && !into->is_home)
            gpu_add_step(
                &plan->builder, r, block,
                on_chunk(GPU_STEP_COPY, place_of(plan, r, message->destination[i]), into->home));
        gpu_add_step(&plan->builder, r, block,
                     on_chunk(message->combines[i] ? GPU_STEP_COMBINE : GPU_STEP_COPY,
                              place_of(plan, r, message->blocks[i]), into->home));
        take(plan, message, i, blocks[message->blocks[i]].depth);
    }
}

/* Messages [first, end) read before any of them writes: sends, then local work, then receives. */
static void add_phase(Plan *plan, size_t first, size_t end, GpuPlan *found)
{
    const ListedMessage *messages = plan->schedule->messages.items;
    int64_t **depths = ARENA_ARRAY(plan->arena, int64_t *, end - first);
    for (size_t i = first; i < end; i++) {
        const ListedMessage *message = &messages[i];
        if (message->from == message->to || !message->block_count)
            continue;
        depths[i - first] = ARENA_ARRAY(plan->arena, int64_t, message->block_count);
        for (size_t b = 0; b < message->block_count; b++) {
            const int64_t depth = plan->ranks[message->from].blocks[message->blocks[b]].depth + 1;
            depths[i - first][b] = depth;
            found->depth = depth > found->depth ? depth : found->depth;
        }
        found->messages++;
        found->chunks += (int64_t)message->block_count;
        send(plan, message);
    }
    for (size_t i = first; i < end; i++)
        if (messages[i].from == messages[i].to)
            work(plan, &messages[i]);
    for (size_t i = first; i < end; i++)
        if (messages[i].from != messages[i].to && messages[i].block_count)
            receive(plan, &messages[i], depths[i - first]);
}

static bool check_limits(const Plan *plan, Diag *diag)
{
    const GpuProgram *program = plan->program;
    for (int32_t r = 0; r < program->rank_count; r++)
        for (size_t b = 0; b < program->gpus[r].blocks.count; b++) {
            const ThreadBlock *block = &program->gpus[r].blocks.items[b];
            if (block->channel >= MOST_CHANNELS || block->steps.count > MOST_STEPS)
                return diag_error(
                    diag, NOWHERE,
                    "runtimes take %d steps of a thread block and %d channels; here are %zu "
                    "and %d",
                    MOST_STEPS, MOST_CHANNELS, block->steps.count, block->channel + 1);
            for (size_t i = 0; i < block->steps.count; i++)
                if (block->steps.items[i].count > MOST_COUNT)
                    return diag_error(diag, NOWHERE,
                                      "runtimes take %d chunks in a step; here are %d", MOST_COUNT,
                                      block->steps.items[i].count);
        }
    return true;
}

/* The schedule, whose messages are all of a collective with a label. False after a report: no
   label, or more steps, ranks or chunks than runtimes take. */
static bool gpu_plan(Arena *arena, const ListedSchedule *schedule, GpuPlan *found, Diag *diag)
{
    const char *name = schedule->collective;
    const ListedMessages *messages = &schedule->messages;
    const int64_t p = schedule->network->p, blocks = schedule->space.array_blocks;
    const GpuLabel known = gpu_label_find(text_plain(name));
    const bool has_label = known < GPU_LABEL_COUNT && gpu_label_info[known].collective;
    const GpuLabel label = has_label ? known : GPU_CUSTOM;
    *found = (GpuPlan){.program = {.label = label, .rank_count = (int32_t)p}};
    Plan plan = {.arena = arena,
                 .schedule = schedule,
                 .program = &found->program,
                 .contract = schedule->contract,
                 .pieces = (int32_t)schedule->chunks,
                 .main = (int32_t)blocks};
    if (schedule->contract->is_empty)
        return diag_error(diag, NOWHERE, "MSCCL has no messages without bytes, as %s has", name);
    if (p > 1 + GPU_PEERS_OF_CHANNEL * MOST_CHANNELS || schedule->space.count > MOST_GPU_CHUNKS)
        return diag_error(diag, NOWHERE, "%lld ranks with %lld chunks are too many for MSCCL",
                          (long long)p, (long long)schedule->space.count);
    found->program.name = schedule->title;
    found->program.chunks = (int32_t)(label == GPU_ALLTOALL ? blocks / p : blocks);
    found->program.out_of_place = true;
    found->program.slots = 2;
    plan.builder = gpu_builder(arena, &found->program);
    plan.ranks = ARENA_ARRAY(arena, Rank, (size_t)p);
    for (int64_t r = 0; r < p; r++)
        plan.ranks[r].blocks = ARENA_ARRAY(arena, Block, (size_t)schedule->space.count);
    for (size_t first = 0, end; first < messages->count; first = end) {
        end = first;
        while (end < messages->count && messages->items[end].round == messages->items[first].round)
            end++;
        add_phase(&plan, first, end, found);
    }
    /* Parts of the result that never moved are copied. */
    for (int32_t r = 0; r < plan.program->rank_count; r++)
        for (int32_t b = 0; b < plan.main; b++) {
            GpuPlace place;
            if (!plan.ranks[r].blocks[b].is_home && output_place(&plan, r, b, &place))
                gpu_add_step(&plan.builder, r, gpu_local(&plan.builder, r),
                             on_chunk(GPU_STEP_COPY, input_place(&plan, r, b), place));
        }
    for (int64_t r = 0; r < p; r++)
        found->program.gpus[r].scratch = plan.ranks[r].scratch;
    return check_limits(&plan, diag);
}

static void write_place(Buffer *text, const char *end, GpuPlace place)
{
    buffer_printf(text, " %sbuf=\"%c\" %soff=\"%d\"", end, gpu_buffer_letters[place.buffer], end,
                  place.chunk);
}

/* Is it chunk `chunk`, a part of `block`, as the contract wants it at rank r? */
static bool is_asked(const Contract *contract, int64_t r, int64_t block, int64_t chunk,
                     const GpuSum *sum)
{
    if (!contract->combines)
        return sum->count == 1 && sum->terms->chunk == chunk && sum->terms->times == 1 &&
               holding_has(&contract->before, sum->terms->rank, block);
    const int64_t from = per_rank(&contract->contributors_from, r),
                  to = per_rank(&contract->contributors_to, r);
    bool is_right = sum->count == to - from + 1;
    for (int32_t i = 0; i < sum->count && is_right; i++)
        is_right = sum->terms[i].rank == from + i && sum->terms[i].chunk == chunk &&
                   sum->terms[i].times == 1;
    return is_right;
}

/* What is written is right as it stands, not only as the schedule that it is made of. */
static bool check(const ListedSchedule *schedule, const GpuProgram *program, Arena *arena,
                  Diag *diag)
{
    if (gpu_program_work(program) > MOST_GPU_CLOCKS)
        return diag_limit(diag, NOWHERE,
                          "too many steps of too many thread blocks are too many to be followed");
    const GpuRun found = gpu_run(arena, program, program->label);
    if (found.text && schedule->is_uneven)
        diag_error(diag, NOWHERE,
                   "the %lld chunks of a block differ at this size, or are empty, and those of "
                   "MSCCL are alike: give a size that all ranks share evenly",
                   (long long)schedule->chunks);
    else if (found.text)
        diag_error(diag, NOWHERE, "the file would be %s: %s", gpu_verdict_names[found.verdict],
                   found.text);
    if (found.text || gpu_label_info[program->label].collective)
        return !found.text;
    /* Of a file whose label promises nothing: chunk k of all blocks is o[k]. */
    const Contract *contract = schedule->contract;
    for (int32_t r = 0; r < program->rank_count; r++) {
        const GpuMemory memory = gpu_run_memory(arena, program, false, program->slots, r);
        const int64_t chunks = holding_count(&contract->after, r) * schedule->chunks;
        for (int64_t i = 0; i < chunks; i++) {
            const int64_t block = holding_block(&contract->after, r, i / schedule->chunks);
            const int64_t chunk = block * schedule->chunks + i % schedule->chunks;
            if (is_asked(contract, r, block, chunk, &memory.after[memory.sizes[GPU_INPUT] + chunk]))
                continue;
            return diag_error(diag, NOWHERE,
                              "the file would be wrong: rank %d ends with a wrong o[%lld]", r,
                              (long long)chunk);
        }
    }
    return true;
}

/* Within the quotes of an attribute. */
static void write_escaped(Buffer *text, const char *words)
{
    for (; *words; words++) {
        const char *entity = *words == '&'   ? "&amp;"
                             : *words == '<' ? "&lt;"
                             : *words == '"' ? "&quot;"
                                             : NULL;
        buffer_add(text, entity ? entity : words, entity ? strlen(entity) : 1);
    }
}

bool write_msccl(const ListedSchedule *schedule, Buffer *text, Diag *diag)
{
    GpuPlan plan;
    if (!gpu_plan(text->arena, schedule, &plan, diag))
        return false;
    const GpuProgram *program = &plan.program;
    if (!check(schedule, program, text->arena, diag))
        return false;
    int32_t input, output, channels = 1;
    gpu_buffer_sizes(program, program->label, &input, &output);
    for (int32_t r = 0; r < program->rank_count; r++)
        for (size_t b = 0; b < program->gpus[r].blocks.count; b++)
            if (program->gpus[r].blocks.items[b].channel >= channels)
                channels = program->gpus[r].blocks.items[b].channel + 1;
    buffer_printf(text, "<algo name=\"");
    write_escaped(text, program->name);
    buffer_printf(text,
                  "\" proto=\"Simple\" nchannels=\"%d\" nchunksperloop=\"%d\" "
                  "ngpus=\"%d\" coll=\"%s\" inplace=\"0\" outofplace=\"1\" minBytes=\"0\" "
                  "maxBytes=\"0\">\n",
                  channels, program->chunks, program->rank_count,
                  gpu_label_info[program->label].name);
    buffer_printf(text, "  <!-- messages: %lld, chunks: %lld, depth: %lld -->\n",
                  (long long)plan.messages, (long long)plan.chunks, (long long)plan.depth);
    for (int32_t r = 0; r < program->rank_count; r++) {
        const Gpu *gpu = &program->gpus[r];
        buffer_printf(text, "  <gpu id=\"%d\" i_chunks=\"%d\" o_chunks=\"%d\" s_chunks=\"%d\">\n",
                      r, input, output, gpu->scratch);
        for (size_t b = 0; b < gpu->blocks.count; b++) {
            const ThreadBlock *block = &gpu->blocks.items[b];
            buffer_printf(text, "    <tb id=\"%zu\" send=\"%d\" recv=\"%d\" chan=\"%d\">\n", b,
                          block->send, block->receive, block->channel);
            for (size_t i = 0; i < block->steps.count; i++) {
                buffer_printf(text, "      <step s=\"%zu\" type=\"%s\"", i,
                              gpu_step_info[block->steps.items[i].kind].name);
                write_place(text, "src", block->steps.items[i].source);
                write_place(text, "dst", block->steps.items[i].destination);
                buffer_printf(text, " cnt=\"%d\" depid=\"%d\" deps=\"%d\" hasdep=\"%d\"/>\n",
                              block->steps.items[i].count, block->steps.items[i].wait_block,
                              block->steps.items[i].wait_step, block->steps.items[i].signals);
            }
            buffer_printf(text, "    </tb>\n");
        }
        buffer_printf(text, "  </gpu>\n");
    }
    buffer_printf(text, "</algo>\n");
    return true;
}
