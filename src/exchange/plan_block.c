#include "exchange/plan_block.h"

enum { MOST_LISTED = 64 }; /* sources, targets or channels of an operation */

typedef enum {
    PLAN_NOTHING,
    PLAN_BARRIER,
    PLAN_PUT,
    PLAN_PUT_SIGNAL,
    PLAN_PUT_SIGNAL_FLUSH,
    PLAN_GET,
    PLAN_COPY,
    PLAN_REDUCE,
    PLAN_SIGNAL,
    PLAN_RELAXED_SIGNAL,
    PLAN_WAIT,
    PLAN_RELAXED_WAIT,
    PLAN_FLUSH
} PlanOperation;

static const struct {
    const char *name, *refused; /* NULL: it is followed */
    PlanOperation operation;
} operations[] = {
#define PLAN_OPERATION(name, operation) {name, NULL, PLAN_##operation},
#define PLAN_REFUSED(name, what) {name, what, PLAN_NOTHING},
#include "exchange/plan_operations.def"
#undef PLAN_OPERATION
#undef PLAN_REFUSED
};
enum { OPERATIONS = COUNT_OF(operations) };

ARRAY_TYPE(Numbers, int32_t);

typedef struct {
    GpuPlace place;
    int32_t count;
} Piece;

/* A thread block of a plan, and those that do what its ports are told. */
typedef struct {
    const PlanReader *reader;
    const Node *node;
    int32_t rank, block;
    Numbers channels[CHANNEL_KINDS]; /* which ones of the rank it uses */
    Numbers buffers[CHANNEL_KINDS];
    int32_t *proxies; /* of each of its ports; -1: none yet */
    /* of the operation at hand */
    int32_t operation;
    Span span;
    ChannelKind kind;
} PlanBlock;

static const char *const channel_kind_names[CHANNEL_KINDS] = {"memory", "port"};

bool plan_get_buffer(const PlanReader *reader, const Node *map, const char *key, GpuBuffer *buffer)
{
    const Node *node = json_get(&reader->json, map, key, NODE_SCALAR);
    for (int i = 0; node && i < GPU_BUFFER_COUNT; i++)
        if (node->text.length == 1 && node->text.chars[0] == gpu_buffer_letters[i]) {
            *buffer = (GpuBuffer)i;
            return true;
        }
    return node && JSON_FAIL(&reader->json, node, "a buffer is i, o or s");
}

/* CHANNEL_KINDS: none of these, which is reported. */
ChannelKind plan_get_kind(const PlanReader *reader, const Node *map, const char *key)
{
    const Node *node = json_get(&reader->json, map, key, NODE_SCALAR);
    for (int i = 0; node && i < CHANNEL_KINDS; i++)
        if (text_equals(node->text, channel_kind_names[i]))
            return (ChannelKind)i;
    if (node)
        JSON_FAIL(&reader->json, node,
                  text_equals(node->text, "switch") ? "switch channels are not followed"
                                                    : "a channel is of memory, or of a port");
    return CHANNEL_KINDS;
}

/* A list of up to MOST_LISTED things; without the key, of none. */
static bool get_list(const PlanReader *reader, const Node *map, const char *key, const Node **list)
{
    return json_list(&reader->json, map, key, list) &&
           (!*list || (*list)->count <= MOST_LISTED ||
            JSON_FAIL(&reader->json, *list, "this list is too long"));
}

/* Which channels, or remote buffers, of its rank a thread block uses, by the kind of channel. */
static bool read_uses(PlanBlock *block, bool of_channels)
{
    const PlanReader *reader = block->reader;
    const PlanRank *rank = &reader->ranks[block->rank];
    const char *type = of_channels ? "channel_type" : "access_channel_type";
    const char *ids = of_channels ? "channel_ids" : "remote_buffer_ids";
    Numbers *uses = of_channels ? block->channels : block->buffers;
    const Node *list;
    if (!json_list(&reader->json, block->node, of_channels ? "channels" : "remote_buffer_refs",
                   &list))
        return false;
    for (size_t i = 0; list && i < list->count; i++) {
        const ChannelKind kind = plan_get_kind(reader, list->values[i], type);
        const Node *numbers =
            kind < CHANNEL_KINDS ? json_get(&reader->json, list->values[i], ids, NODE_LIST) : NULL;
        if (!numbers)
            return false;
        const size_t limit = of_channels ? rank->channels[kind].count : (size_t)rank->buffer_count;
        for (size_t k = 0; k < numbers->count; k++) {
            int32_t number;
            if (!json_whole(&reader->json, numbers->values[k], 0, MOST_GPU_CHUNKS, &number))
                return false;
            if ((size_t)number >= limit)
                return JSON_FAIL(&reader->json, numbers->values[k],
                                 "the rank has no more than %zu of them", limit);
            *ARRAY_PUSH(reader->json.arena, &uses[kind]) = number;
        }
    }
    return true;
}

static GpuSteps *steps_of(const PlanBlock *block, int32_t number)
{
    return &block->reader->program->gpus[block->rank].blocks.items[number].steps;
}

static void add_step(const PlanBlock *block, int32_t number, GpuStep step)
{
    step.operation = block->operation + 1;
    step.span = block->span;
    *ARRAY_PUSH(block->reader->json.arena, steps_of(block, number)) = step;
}

/* A piece of a buffer: of its own rank by "type", of another one by "buffer_id". */
static bool read_piece(const PlanBlock *block, const Node *node, Piece *piece)
{
    const PlanReader *reader = block->reader;
    const Numbers *buffers = &block->buffers[block->kind];
    int32_t id;
    *piece = (Piece){.count = 0};
    if (node->kind != NODE_MAP)
        return JSON_FAIL(&reader->json, node, "expected an object with index and size");
    if (node_get(node, "switch_channel_id"))
        return JSON_FAIL(&reader->json, node, "switch channels are not followed");
    if (!json_get_number(&reader->json, node, "index", 0, MOST_GPU_CHUNKS - 1,
                         &piece->place.chunk) ||
        !json_get_number(&reader->json, node, "size", 1, MOST_GPU_CHUNKS, &piece->count))
        return false;
    if (!node_get(node, "buffer_id"))
        return plan_get_buffer(reader, node, "type", &piece->place.buffer);
    if (!json_get_number(&reader->json, node, "buffer_id", 0, MOST_GPU_CHUNKS, &id))
        return false;
    if ((size_t)id >= buffers->count)
        return JSON_FAIL(&reader->json, node_get(node, "buffer_id"),
                         "the thread block names no more than %zu remote buffers for %s",
                         buffers->count, channel_kind_names[block->kind]);
    const RemoteBuffer *buffer = &reader->ranks[block->rank].buffers[buffers->items[id]];
    piece->place.buffer = buffer->buffer;
    piece->place.owner = buffer->rank + 1;
    return true;
}

static bool read_pieces(const PlanBlock *block, const Node *operation, const char *key,
                        Piece *pieces, size_t *count)
{
    const PlanReader *reader = block->reader;
    const Node *list;
    *count = 0;
    if (!get_list(reader, operation, key, &list))
        return false;
    for (size_t i = 0; list && i < list->count; i++)
        if (!read_piece(block, list->values[i], &pieces[(*count)++]))
            return false;
    return *count > 0 || JSON_FAIL(&reader->json, operation, "expected a list '%s'", key);
}

/* The channels of an operation, as numbers among those of its thread block. */
static bool read_operation_channels(const PlanBlock *block, const Node *operation,
                                    int32_t *channels, size_t *count)
{
    const PlanReader *reader = block->reader;
    const size_t own = block->channels[block->kind].count;
    const Node *list;
    *count = 0;
    if (!get_list(reader, operation, "channel_ids", &list))
        return false;
    for (size_t i = 0; list && i < list->count; i++) {
        if (!json_whole(&reader->json, list->values[i], 0, MOST_PLAN_BLOCKS, &channels[*count]))
            return false;
        if ((size_t)channels[(*count)++] >= own)
            return JSON_FAIL(&reader->json, list->values[i],
                             "the thread block names no more than %zu channels of kind %s", own,
                             channel_kind_names[block->kind]);
    }
    return *count > 0 || JSON_FAIL(&reader->json, operation, "expected a list 'channel_ids'");
}

static const Channel *channel_at(const PlanBlock *block, int32_t channel)
{
    const Channels *all = &block->reader->ranks[block->rank].channels[block->kind];
    return &all->items[block->channels[block->kind].items[channel]];
}

/* The thread block that does what port `channel` is told, and there a step that waits until it is
   told something now. */
static int32_t tell_port(PlanBlock *block, int32_t channel)
{
    ThreadBlocks *blocks = &block->reader->program->gpus[block->rank].blocks;
    if (block->proxies[channel] < 0) {
        block->proxies[channel] = (int32_t)blocks->count;
        *ARRAY_PUSH(block->reader->json.arena, blocks) =
            (ThreadBlock){.send = -1, .receive = -1, .span = block->node->text.span};
    }
    const int32_t told = (int32_t)steps_of(block, block->block)->count;
    add_step(block, block->block,
             (GpuStep){.kind = GPU_STEP_POST, .wait_block = -1, .signals = true});
    add_step(block, block->proxies[channel],
             (GpuStep){.kind = GPU_STEP_POST, .wait_block = block->block, .wait_step = told});
    return block->proxies[channel];
}

static void add_flush(PlanBlock *block, int32_t channel)
{
    const int32_t proxy = block->proxies[channel];
    if (proxy < 0)
        return;
    GpuSteps *done = steps_of(block, proxy);
    done->items[done->count - 1].signals = true;
    add_step(block, block->block,
             (GpuStep){.kind = GPU_STEP_POST,
                       .wait_block = proxy,
                       .wait_step = (int32_t)done->count - 1});
}

static void add_signal(const PlanBlock *block, int32_t number, GpuStepKind step,
                       const int32_t *channels, size_t count)
{
    int32_t *semaphores = ARENA_ARRAY(block->reader->json.arena, int32_t, count);
    for (size_t i = 0; i < count; i++) {
        const Channel *channel = channel_at(block, channels[i]);
        semaphores[i] = gpu_step_signals(step) ? channel->out : channel->in;
    }
    add_step(block, number,
             (GpuStep){.kind = step,
                       .wait_block = -1,
                       .semaphores = semaphores,
                       .semaphore_count = (int32_t)count});
}

static bool read_synchronisation(PlanBlock *block, const Node *node, PlanOperation operation)
{
    static const GpuStepKind kinds[] = {[PLAN_SIGNAL] = GPU_STEP_SIGNAL,
                                        [PLAN_RELAXED_SIGNAL] = GPU_STEP_RELAXED_SIGNAL,
                                        [PLAN_WAIT] = GPU_STEP_WAIT,
                                        [PLAN_RELAXED_WAIT] = GPU_STEP_RELAXED_WAIT};
    int32_t channels[MOST_LISTED];
    size_t count;
    if (!read_operation_channels(block, node, channels, &count))
        return false;
    if (operation == PLAN_FLUSH) {
        for (size_t i = 0; i < count && block->kind == CHANNEL_PORT; i++)
            add_flush(block, channels[i]);
        return true;
    }
    if (block->kind == CHANNEL_MEMORY || gpu_step_waits(kinds[operation])) {
        add_signal(block, block->block, kinds[operation], channels, count);
        return true;
    }
    for (size_t i = 0; i < count; i++)
        add_signal(block, tell_port(block, channels[i]), kinds[operation], &channels[i], 1);
    return true;
}

static GpuStep moving(GpuStepKind kind, const Piece *from, const Piece *to)
{
    return (GpuStep){.kind = kind,
                     .source = from->place,
                     .destination = to->place,
                     .count = to->count,
                     .wait_block = -1};
}

/* put, pws, pwsf, get and copy: source i to target i. */
static bool read_move(PlanBlock *block, const Node *node, PlanOperation operation)
{
    const PlanReader *reader = block->reader;
    Piece from[MOST_LISTED], to[MOST_LISTED];
    size_t sources, targets, count = 0;
    int32_t channels[MOST_LISTED];
    const bool to_port = block->kind == CHANNEL_PORT && operation != PLAN_COPY;
    const bool reads_there = operation == PLAN_GET;
    const bool writes_there = operation != PLAN_GET && operation != PLAN_COPY;
    if (!read_pieces(block, node, "src_buff", from, &sources) ||
        !read_pieces(block, node, "dst_buff", to, &targets))
        return false;
    if (sources != targets)
        return JSON_FAIL(&reader->json, node, "there are as many sources as targets");
    if (operation != PLAN_COPY && operation != PLAN_PUT && operation != PLAN_GET && !to_port)
        return JSON_FAIL(&reader->json, node, "this operation is for ports");
    if (reads_there && to_port)
        return JSON_FAIL(&reader->json, node, "a port gets nothing");
    if (to_port && !read_operation_channels(block, node, channels, &count))
        return false;
    if (to_port && count != targets)
        return JSON_FAIL(&reader->json, node, "there are as many channels as targets");
    for (size_t i = 0; i < targets; i++) {
        if (from[i].count != to[i].count)
            return JSON_FAIL(&reader->json, node, "source and target have the same size");
        if ((from[i].place.owner > 0) != reads_there || (to[i].place.owner > 0) != writes_there)
            return JSON_FAIL(&reader->json, node,
                             writes_there  ? "a put takes what is here to another rank"
                             : reads_there ? "a get takes what another rank has to here"
                                           : "a copy takes what is here to another place here");
        const GpuStepKind step = writes_there  ? GPU_STEP_PUT
                                 : reads_there ? GPU_STEP_GET
                                               : GPU_STEP_COPY;
        if (to_port && channel_at(block, channels[i])->peer != to[i].place.owner - 1)
            return JSON_FAIL(&reader->json, node,
                             "the buffer is not of the rank at the end of its channel");
        const int32_t number = to_port ? tell_port(block, channels[i]) : block->block;
        add_step(block, number, moving(step, &from[i], &to[i]));
        if (operation == PLAN_PUT_SIGNAL || operation == PLAN_PUT_SIGNAL_FLUSH)
            add_signal(block, number, GPU_STEP_SIGNAL, &channels[i], 1);
        if (operation == PLAN_PUT_SIGNAL_FLUSH)
            add_flush(block, channels[i]);
    }
    return true;
}

static bool is_same(const Piece *a, const Piece *b)
{
    return a->place.buffer == b->place.buffer && a->place.chunk == b->place.chunk &&
           a->place.owner == b->place.owner;
}

/* re, res, rre and rres: the first target is here, and becomes the sum of the sources; it is then
   put to the others. A source that is the target comes first, since the sum is made there. */
static bool read_reduce(PlanBlock *block, const Node *node)
{
    const JsonReader *json = &block->reader->json;
    Piece from[MOST_LISTED], to[MOST_LISTED];
    size_t sources, targets, first = 0;
    if (!read_pieces(block, node, "src_buff", from, &sources) ||
        !read_pieces(block, node, "dst_buff", to, &targets))
        return false;
    if (to[0].place.owner)
        return JSON_FAIL(json, node, "the first target is here");
    for (size_t i = 0; i < sources; i++) {
        if (from[i].count != to[0].count)
            return JSON_FAIL(json, node, "all sources have the size of the target");
        if (is_same(&from[i], &to[0]))
            first = i;
    }
    if (from[first].place.owner || !is_same(&from[first], &to[0]))
        add_step(
            block, block->block,
            moving(from[first].place.owner ? GPU_STEP_GET : GPU_STEP_COPY, &from[first], &to[0]));
    for (size_t i = 0; i < sources; i++)
        if (i != first)
            add_step(block, block->block,
                     moving(from[i].place.owner ? GPU_STEP_READ_COMBINE : GPU_STEP_COMBINE,
                            &from[i], &to[0]));
    for (size_t i = 1; i < targets; i++) {
        if (!to[i].place.owner || to[i].count != to[0].count)
            return JSON_FAIL(json, node,
                             "targets after the first are of other ranks, and as large");
        add_step(block, block->block, moving(GPU_STEP_PUT, &to[0], &to[i]));
    }
    return true;
}

static bool report_operation(const PlanReader *reader, const Node *name, const char *refused)
{
    const char *names[OPERATIONS];
    for (size_t i = 0; i < OPERATIONS; i++)
        names[i] = operations[i].name;
    if (refused)
        return diag_error(reader->json.diag, name->text.span,
                          "operation '%.*s' (%s) is not followed", TEXT_ARGS(name->text), refused);
    diag_error(reader->json.diag, name->text.span, "unknown operation");
    return diag_suggest(reader->json.diag, name->text, names, OPERATIONS);
}

static bool read_operation(PlanBlock *block, const Node *node)
{
    const PlanReader *reader = block->reader;
    const Node *name = json_get(&reader->json, node, "name", NODE_SCALAR);
    size_t i = 0;
    if (!name)
        return false;
    while (i < OPERATIONS && !text_equals(name->text, operations[i].name))
        i++;
    if (i == OPERATIONS || operations[i].refused)
        return report_operation(reader, name, i < OPERATIONS ? operations[i].refused : NULL);
    if (node_get(node, "tbg_info"))
        return JSON_FAIL(&reader->json, node,
                         "chunks shared by thread blocks (tbg_info) are not followed");
    const Node *type = node_get(node, "channel_type");
    block->kind = type && !text_equals(type->text, "none")
                      ? plan_get_kind(reader, node, "channel_type")
                      : CHANNEL_MEMORY;
    if (block->kind == CHANNEL_KINDS)
        return false;
    block->span = node->text.span;
    switch (operations[i].operation) {
    case PLAN_NOTHING:
        return true;
    case PLAN_BARRIER: {
        GpuStep step = {.kind = GPU_STEP_BARRIER, .wait_block = -1};
        if (!json_get_number(&reader->json, node, "barrier_id", 0, MOST_GPU_CHUNKS,
                             &step.barrier) ||
            !json_get_number(&reader->json, node, "num_threadblocks", 1, MOST_PLAN_BLOCKS,
                             &step.members))
            return false;
        add_step(block, block->block, step);
        return true;
    }
    case PLAN_REDUCE:
        return block->kind == CHANNEL_MEMORY
                   ? read_reduce(block, node)
                   : JSON_FAIL(&reader->json, node, "a port combines nothing");
    case PLAN_SIGNAL:
    case PLAN_RELAXED_SIGNAL:
    case PLAN_WAIT:
    case PLAN_RELAXED_WAIT:
    case PLAN_FLUSH:
        return read_synchronisation(block, node, operations[i].operation);
    default:
        return read_move(block, node, operations[i].operation);
    }
}

bool plan_block_read(const PlanReader *reader, const Node *node, int32_t rank, int32_t number)
{
    PlanBlock block = {.reader = reader, .node = node, .rank = rank, .block = number};
    const Node *list = json_get(&reader->json, node, "ops", NODE_LIST);
    if (!list || !read_uses(&block, true) || !read_uses(&block, false))
        return false;
    block.proxies =
        ARENA_ARRAY(reader->json.arena, int32_t, block.channels[CHANNEL_PORT].count + 1);
    for (size_t i = 0; i <= block.channels[CHANNEL_PORT].count; i++)
        block.proxies[i] = -1;
    for (size_t i = 0; i < list->count; i++) {
        block.operation = (int32_t)i;
        if (!read_operation(&block, list->values[i]))
            return false;
    }
    return true;
}
