#include "exchange/plan_block.h"
#include "exchange/program_readers.h"
#include "verify/gpu_run.h"

enum { MOST_RANKS = 1024 };

/* ---- ranks ---- */

static bool read_channels(const PlanReader *reader, const Node *gpu, int32_t r)
{
    PlanRank *rank = &reader->ranks[r];
    const Node *list = json_get(&reader->json, gpu, "channels", NODE_LIST);
    for (size_t i = 0; list && i < list->count; i++) {
        const bool is_old = list->values[i]->kind == NODE_MAP && node_get(list->values[i], "type");
        const ChannelKind kind =
            plan_get_kind(reader, list->values[i], is_old ? "type" : "channel_type");
        const Node *peers = kind < CHANNEL_KINDS ? json_get(&reader->json, list->values[i],
                                                            "connected_to", NODE_LIST)
                                                 : NULL;
        if (!peers)
            return false;
        for (size_t k = 0; k < peers->count; k++) {
            Channels *channels = &rank->channels[kind];
            Channel channel = {.out = -1, .in = -1};
            if (channels->count == MOST_PLAN_BLOCKS)
                return JSON_FAIL(&reader->json, peers, "a rank has too many channels");
            if (!json_whole(&reader->json, peers->values[k], 0, reader->program->rank_count - 1,
                            &channel.peer))
                return false;
            if (channel.peer == r)
                return JSON_FAIL(&reader->json, peers->values[k], "a channel to its own rank");
            for (size_t c = 0; c < channels->count; c++)
                channel.number += channels->items[c].peer == channel.peer;
            *ARRAY_PUSH(reader->json.arena, channels) = channel;
        }
    }
    return list != NULL;
}

/* The two semaphores of a channel, which its other end has too. */
static void pair_channels(const PlanReader *reader)
{
    GpuSemaphores *semaphores = &reader->program->semaphores;
    for (int32_t r = 0; r < reader->program->rank_count; r++)
        for (int kind = 0; kind < CHANNEL_KINDS; kind++)
            for (size_t c = 0; c < reader->ranks[r].channels[kind].count; c++) {
                Channel *channel = &reader->ranks[r].channels[kind].items[c];
                Channels *back = &reader->ranks[channel->peer].channels[kind];
                if (channel->out >= 0)
                    continue;
                channel->out = (int32_t)semaphores->count;
                channel->in = channel->out + 1;
                *ARRAY_PUSH(reader->json.arena, semaphores) = (GpuSemaphore){r, channel->peer};
                *ARRAY_PUSH(reader->json.arena, semaphores) = (GpuSemaphore){channel->peer, r};
                for (size_t b = 0; b < back->count; b++)
                    if (back->items[b].peer == r && back->items[b].number == channel->number) {
                        back->items[b].out = channel->in;
                        back->items[b].in = channel->out;
                    }
            }
}

static bool read_buffers(const PlanReader *reader, const Node *gpu, int32_t r)
{
    PlanRank *rank = &reader->ranks[r];
    const Node *list;
    if (!json_list(&reader->json, gpu, "remote_buffers", &list) || !list)
        return !list;
    rank->buffers = ARENA_ARRAY(reader->json.arena, RemoteBuffer, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        RemoteBuffer *buffer = &rank->buffers[rank->buffer_count++];
        if (!json_get_number(&reader->json, list->values[i], "rank", 0,
                             reader->program->rank_count - 1, &buffer->rank) ||
            !plan_get_buffer(reader, list->values[i], "type", &buffer->buffer))
            return false;
        if (buffer->rank == r)
            return JSON_FAIL(&reader->json, list->values[i], "a remote buffer of its own rank");
    }
    return true;
}

/* ---- the plan ---- */

static bool read_gpu(const PlanReader *reader, const Node *node, int32_t r)
{
    Gpu *gpu = &reader->program->gpus[r];
    const Node *list = json_get(&reader->json, node, "threadblocks", NODE_LIST);
    if (!list)
        return false;
    if (list->count > MOST_PLAN_BLOCKS)
        return JSON_FAIL(&reader->json, list, "a rank has too many thread blocks");
    for (size_t b = 0; b < list->count; b++) {
        int32_t id;
        if (!json_get_number(&reader->json, list->values[b], "id", 0, MOST_PLAN_BLOCKS, &id))
            return false;
        if ((size_t)id != b)
            return JSON_FAIL(&reader->json, list->values[b],
                             "thread blocks are numbered from 0, in order");
        *ARRAY_PUSH(reader->json.arena, &gpu->blocks) =
            (ThreadBlock){.send = -1, .receive = -1, .span = list->values[b]->text.span};
    }
    for (size_t b = 0; b < list->count; b++)
        if (!plan_block_read(reader, list->values[b], r, (int32_t)b))
            return false;
    return true;
}

/* Ids, and how many chunks there are: those of the larger one of input and output. */
static bool read_sizes(const PlanReader *reader, const Node *node, int32_t r)
{
    int32_t id, input, output;
    GpuProgram *program = reader->program;
    if (node->kind == NODE_MAP && node_get(node, "inputChunks"))
        return JSON_FAIL(&reader->json, node,
                         "plans of this older form (inputChunks) are not read");
    if (!json_get_number(&reader->json, node, "id", 0, MOST_RANKS, &id) ||
        !json_get_number(&reader->json, node, "input_chunks", 0, MOST_GPU_CHUNKS, &input) ||
        !json_get_number(&reader->json, node, "output_chunks", 0, MOST_GPU_CHUNKS, &output) ||
        !json_get_number(&reader->json, node, "scratch_chunks", 0, MOST_GPU_CHUNKS,
                         &program->gpus[r].scratch))
        return false;
    program->gpus[r].span = node->text.span;
    program->chunks = input > program->chunks ? input : program->chunks;
    program->chunks = output > program->chunks ? output : program->chunks;
    return id == r || JSON_FAIL(&reader->json, node, "ranks are numbered from 0, in order");
}

bool read_execution_plan(Arena *arena, const Node *root, GpuProgram *program, Diag *diag)
{
    PlanReader reader = {.json = {arena, diag}, .program = program};
    *program =
        (GpuProgram){.slots = MOST_GPU_CHUNKS, .is_one_sided = true, .span = root->text.span};
    const Node *name = json_get(&reader.json, root, "name", NODE_SCALAR);
    const Node *protocol = name ? json_get(&reader.json, root, "protocol", NODE_SCALAR) : NULL;
    const Node *list = protocol ? json_get(&reader.json, root, "gpus", NODE_LIST) : NULL;
    const Node *label = list ? json_get(&reader.json, root, "collective", NODE_SCALAR) : NULL;
    const Node *place = label ? json_get(&reader.json, root, "inplace", NODE_SCALAR) : NULL;
    if (!place)
        return false;
    program->label = gpu_label_find(label->text);
    if (program->label == GPU_LABEL_COUNT)
        program->label = GPU_CUSTOM;
    program->in_place = text_equals(place->text, "true");
    program->out_of_place = !program->in_place;
    if (!program->in_place && !text_equals(place->text, "false"))
        return JSON_FAIL(&reader.json, place, "expected true or false");
    if (list->count < 1 || list->count > MOST_RANKS)
        return JSON_FAIL(&reader.json, list, "a plan is for 1 to 1024 ranks");
    program->name = node_string(arena, name);
    program->protocol = node_string(arena, protocol);
    program->rank_count = (int32_t)list->count;
    program->gpus = ARENA_ARRAY(arena, Gpu, list->count);
    reader.ranks = ARENA_ARRAY(arena, PlanRank, list->count);
    for (int32_t r = 0; r < program->rank_count; r++)
        if (!read_sizes(&reader, list->values[r], r) ||
            !read_channels(&reader, list->values[r], r) ||
            !read_buffers(&reader, list->values[r], r))
            return false;
    if (program->chunks < 1)
        return JSON_FAIL(&reader.json, list, "there are no chunks");
    pair_channels(&reader);
    for (int32_t r = 0; r < program->rank_count; r++)
        if (!read_gpu(&reader, list->values[r], r))
            return false;
    if (gpu_program_work(program) <= MOST_GPU_CLOCKS)
        return true;
    return JSON_FAIL(&reader.json, list,
                     "too many steps of too many thread blocks are too many to be followed");
}
