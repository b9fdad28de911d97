#include "cost/derive_timeline.h"

/* A moment is the parts of the longest way to it. */
typedef struct {
    const Timeline *timeline;
    const PathCost *paths;
    const double *parameters;
    double block;
    CostParts *ends;                            /* of the messages of the turn at hand */
    CostParts *clocks;                          /* of ranks */
    CostParts *senders, *receivers, *combiners; /* of ranks: free from then on */
    CostParts *readable, *written;              /* of blocks at ranks: there from then on */
    size_t round_begin;
    CostParts last;
} Run;

static double moment(const Run *run, const CostParts *parts)
{
    return parts->startup + parts->hop + (parts->transfer + parts->compute) * run->block;
}

static CostParts later(const Run *run, CostParts a, CostParts b)
{
    return moment(run, &b) > moment(run, &a) ? b : a;
}

static CostParts sum(CostParts a, CostParts b)
{
    return (CostParts){a.startup + b.startup, a.hop + b.hop, a.transfer + b.transfer,
                       a.compute + b.compute};
}

/* The way of a message, by byte of a block. */
static CostParts way_of(const Run *run, const TimedMessage *message)
{
    CostParts slowest = {0};
    for (uint32_t i = 0; i < message->path_count; i++) {
        CostParts way = path_cost(&run->paths[message->first_path + i], run->parameters, 1);
        slowest = i ? later(run, slowest, way) : way;
    }
    return slowest;
}

static CostParts combining_of(const Run *run, const TimedMessage *message)
{
    return (CostParts){.compute = (double)message->combined * run->parameters[PARAMETER_TC]};
}

static const TimedMessage *message_at(const Run *run, size_t i)
{
    return &run->timeline->messages.items[i];
}

/* A rank's clock after a turn: the end of its own messages, and then of its combining. */
static void advance_clocks(Run *run, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const TimedMessage *message = message_at(run, i);
        CostParts start = later(run, run->clocks[message->from], run->clocks[message->to]);
        run->ends[i - begin] = sum(start, way_of(run, message));
    }
    for (size_t i = begin; i < end; i++) {
        const TimedMessage *message = message_at(run, i);
        CostParts *from = &run->clocks[message->from], *to = &run->clocks[message->to];
        *from = later(run, *from, run->ends[i - begin]);
        *to = later(run, *to, run->ends[i - begin]);
    }
    for (size_t i = begin; i < end; i++) {
        const TimedMessage *message = message_at(run, i);
        CostParts *to = &run->clocks[message->to];
        *to = sum(*to, combining_of(run, message));
    }
}

static size_t place_of(const Run *run, int64_t rank, int32_t block)
{
    return (size_t)(rank * run->timeline->block_count) + (size_t)(block < 0 ? ~block : block);
}

/* Local work occupies neither the sender nor the receiver. */
static bool is_local(const TimedMessage *message)
{
    return message->from == message->to;
}

static CostParts start_of(const Run *run, const TimedMessage *message)
{
    CostParts start = {0};
    if (!is_local(message))
        start = later(run, run->senders[message->from], run->receivers[message->to]);
    for (uint32_t b = 0; b < message->block_count; b++) {
        int32_t block = run->timeline->sources.items[message->first_block + b];
        start = later(run, start, run->readable[place_of(run, message->from, block)]);
    }
    return start;
}

/* The message has arrived: its blocks land, or wait for the combiner and the receiver's own. */
static void arrive(Run *run, const TimedMessage *message, CostParts arrival)
{
    const int32_t *blocks = run->timeline->blocks.items + message->first_block;
    CostParts *combiner = &run->combiners[message->to], done = later(run, arrival, *combiner);
    for (uint32_t b = 0; b < message->block_count; b++)
        if (blocks[b] < 0)
            done = later(run, done, run->written[place_of(run, message->to, blocks[b])]);
    if (message->combined) {
        done = sum(done, combining_of(run, message));
        *combiner = done;
        run->last = later(run, run->last, done);
    }
    for (uint32_t b = 0; b < message->block_count; b++)
        run->written[place_of(run, message->to, blocks[b])] = blocks[b] < 0 ? done : arrival;
}

static void advance_parts(Run *run, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        run->ends[i - begin] =
            sum(start_of(run, message_at(run, i)), way_of(run, message_at(run, i)));
    for (size_t i = begin; i < end; i++) {
        const TimedMessage *message = message_at(run, i);
        CostParts arrival = run->ends[i - begin];
        CostParts *sender = &run->senders[message->from];
        CostParts *receiver = &run->receivers[message->to];
        if (!is_local(message)) {
            *sender = later(run, *sender, arrival);
            *receiver = later(run, *receiver, arrival);
        }
        run->last = later(run, run->last, arrival);
        arrive(run, message, arrival);
    }
}

/* In a round all reads come before all writes. */
static void end_round(Run *run, size_t end)
{
    for (size_t i = run->round_begin; i < end; i++) {
        const TimedMessage *message = message_at(run, i);
        for (uint32_t b = 0; b < message->block_count; b++) {
            size_t place =
                place_of(run, message->to, run->timeline->blocks.items[message->first_block + b]);
            run->readable[place] = run->written[place];
        }
    }
    run->round_begin = end;
}

static void run_overlapped(Run *run, Arena *arena)
{
    const Timeline *timeline = run->timeline;
    size_t p = (size_t)timeline->p, places = p * (size_t)timeline->block_count, begin = 0;
    run->senders = ARENA_ARRAY(arena, CostParts, p);
    run->receivers = ARENA_ARRAY(arena, CostParts, p);
    run->combiners = ARENA_ARRAY(arena, CostParts, p);
    run->readable = ARENA_ARRAY(arena, CostParts, places);
    run->written = ARENA_ARRAY(arena, CostParts, places);
    for (size_t t = 0; t < timeline->turns.count; t++) {
        size_t end = timeline->turns.items[t].end;
        advance_parts(run, begin, end);
        if (timeline->turns.items[t].ends_round)
            end_round(run, end);
        begin = end;
    }
}

static void run_clocks(Run *run, Arena *arena)
{
    const Timeline *timeline = run->timeline;
    size_t begin = 0;
    run->clocks = ARENA_ARRAY(arena, CostParts, (size_t)timeline->p);
    for (size_t t = 0; t < timeline->turns.count; t++) {
        advance_clocks(run, begin, timeline->turns.items[t].end);
        begin = timeline->turns.items[t].end;
    }
    for (int64_t r = 0; r < timeline->p; r++)
        run->last = later(run, run->last, run->clocks[r]);
}

CostParts timeline_run(const Timeline *timeline, const PathCost *paths, const double *parameters,
                       double block)
{
    Arena *arena = arena_create();
    Run run = {.timeline = timeline, .paths = paths, .parameters = parameters, .block = block};
    size_t begin = 0, most = 0;
    for (size_t t = 0; t < timeline->turns.count; t++) {
        size_t end = timeline->turns.items[t].end;
        most = end - begin > most ? end - begin : most;
        begin = end;
    }
    run.ends = ARENA_ROOM(arena, CostParts, most);
    if (timeline->overlaps)
        run_overlapped(&run, arena);
    else
        run_clocks(&run, arena);
    arena_destroy(arena);
    return run.last;
}

size_t timeline_size(const Timeline *timeline)
{
    return timeline->messages.count;
}

Timeline *timeline_copy(Arena *arena, const Timeline *timeline)
{
    Timeline *copy = ARENA_NEW(arena, Timeline);
    *copy = *timeline;
    copy->messages.items =
        ARENA_COPY(arena, TimedMessage, timeline->messages.items, timeline->messages.count);
    copy->turns.items = ARENA_COPY(arena, TimedTurn, timeline->turns.items, timeline->turns.count);
    copy->blocks.items = ARENA_COPY(arena, int32_t, timeline->blocks.items, timeline->blocks.count);
    copy->sources.items =
        ARENA_COPY(arena, int32_t, timeline->sources.items, timeline->sources.count);
    copy->messages.capacity = timeline->messages.count;
    copy->turns.capacity = timeline->turns.count;
    copy->blocks.capacity = timeline->blocks.count;
    copy->sources.capacity = timeline->sources.count;
    return copy;
}
