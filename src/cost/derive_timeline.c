#include "cost/derive_timeline.h"

/* The parts of the longest path to it, `transfer` and `compute` by byte of a block; and when that
 * is. */
typedef struct {
    CostParts parts;
    double time;
} Moment;

typedef struct {
    const TimelineRun *of;
    Moment *ends;                            /* of the messages of the port step at hand */
    Moment *clocks;                          /* of ranks */
    Moment *senders, *receivers, *combiners; /* of ranks: free from then on */
    Moment *readable, *written;              /* of blocks at ranks: there from then on */
    size_t round_begin;
    Moment last;
} Run;

static Moment later(Moment a, Moment b)
{
    return b.time > a.time ? b : a;
}

static Moment add(const Run *run, Moment a, CostParts b)
{
    return (Moment){cost_sum(a.parts, b),
                    a.time + b.startup + b.hop + (b.transfer + b.compute) * run->of->block};
}

/* Behind `start`, the slowest path of a message; local work has none. */
static Moment send(const Run *run, Moment start, const TimedMessage *message)
{
    if (message->path_count == 0)
        return start;
    const PathCost *paths = &run->of->paths[message->first_path];
    Moment end = add(run, start, path_parts(paths, run->of->parameters, 1, run->of->block));
    for (uint32_t i = 1; i < message->path_count; i++)
        end = later(end,
                    add(run, start, path_parts(&paths[i], run->of->parameters, 1, run->of->block)));
    return end;
}

static Moment combine(const Run *run, Moment start, const TimedMessage *message)
{
    double compute = message->combined * run->of->parameters[PARAMETER_TC];
    return add(run, start, (CostParts){.compute = compute});
}

static void note_flight(const Run *run, size_t i, Moment start, Moment end)
{
    if (run->of->spans)
        run->of->spans[i] = (MessageSpan){start.time, end.time, end.time, end.time};
}

static void note_combining(const Run *run, size_t i, Moment start, Moment end)
{
    if (run->of->spans)
        run->of->spans[i].combine_start = start.time, run->of->spans[i].combine_end = end.time;
}

static const TimedMessage *message_at(const Run *run, size_t i)
{
    return &run->of->timeline->messages.items[i];
}

/* A rank's clock after a port step: the end of its own messages, and then of its combining. */
static void advance_clocks(Run *run, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const TimedMessage *message = message_at(run, i);
        Moment start = later(run->clocks[message->from], run->clocks[message->to]);
        run->ends[i - begin] = send(run, start, message);
        note_flight(run, i, start, run->ends[i - begin]);
    }
    for (size_t i = begin; i < end; i++) {
        const TimedMessage *message = message_at(run, i);
        Moment *from = &run->clocks[message->from], *to = &run->clocks[message->to];
        *from = later(*from, run->ends[i - begin]);
        *to = later(*to, run->ends[i - begin]);
    }
    for (size_t i = begin; i < end; i++) {
        const TimedMessage *message = message_at(run, i);
        Moment *to = &run->clocks[message->to], start = *to;
        *to = combine(run, start, message);
        note_combining(run, i, start, *to);
    }
}

static size_t place_of(const Run *run, int64_t rank, int32_t block)
{
    return (size_t)(rank * run->of->timeline->block_count) + (size_t)(block < 0 ? ~block : block);
}

/* Local work occupies neither the sender nor the receiver. */
static bool is_local(const TimedMessage *message)
{
    return message->from == message->to;
}

static Moment start_of(const Run *run, const TimedMessage *message)
{
    Moment start = {0};
    if (!is_local(message))
        start = later(run->senders[message->from], run->receivers[message->to]);
    for (uint32_t b = 0; b < message->block_count; b++) {
        int32_t block = run->of->timeline->sources.items[message->first_block + b];
        start = later(start, run->readable[place_of(run, message->from, block)]);
    }
    return start;
}

/* The message has arrived: its blocks land, or wait for the combiner and the receiver's own. */
static void arrive(Run *run, size_t i, Moment arrival)
{
    const TimedMessage *message = message_at(run, i);
    const int32_t *blocks =
        message->block_count ? run->of->timeline->blocks.items + message->first_block : NULL;
    Moment *combiner = &run->combiners[message->to], done = later(arrival, *combiner);
    for (uint32_t b = 0; b < message->block_count; b++)
        if (blocks[b] < 0)
            done = later(done, run->written[place_of(run, message->to, blocks[b])]);
    if (message->combined > 0) {
        Moment start = done;
        done = combine(run, start, message);
        note_combining(run, i, start, done);
        *combiner = done;
        run->last = later(run->last, done);
    }
    for (uint32_t b = 0; b < message->block_count; b++)
        run->written[place_of(run, message->to, blocks[b])] = blocks[b] < 0 ? done : arrival;
}

static void advance_parts(Run *run, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const TimedMessage *message = message_at(run, i);
        Moment start = start_of(run, message);
        run->ends[i - begin] = send(run, start, message);
        note_flight(run, i, start, run->ends[i - begin]);
    }
    for (size_t i = begin; i < end; i++) {
        const TimedMessage *message = message_at(run, i);
        Moment arrival = run->ends[i - begin];
        Moment *sender = &run->senders[message->from];
        Moment *receiver = &run->receivers[message->to];
        if (!is_local(message)) {
            *sender = later(*sender, arrival);
            *receiver = later(*receiver, arrival);
        }
        run->last = later(run->last, arrival);
        arrive(run, i, arrival);
    }
}

/* In a round all reads come before all writes. */
static void end_round(Run *run, size_t end)
{
    for (size_t i = run->round_begin; i < end; i++) {
        const TimedMessage *message = message_at(run, i);
        for (uint32_t b = 0; b < message->block_count; b++) {
            size_t place = place_of(run, message->to,
                                    run->of->timeline->blocks.items[message->first_block + b]);
            run->readable[place] = run->written[place];
        }
    }
    run->round_begin = end;
}

CostParts timeline_run(const TimelineRun *of)
{
    const Timeline *timeline = of->timeline;
    Arena *arena = arena_create(timeline->workspace);
    Run run = {.of = of};
    const size_t p = (size_t)timeline->p, places = p * (size_t)timeline->block_count;
    size_t begin = 0, most = 0;
    for (size_t t = 0; t < timeline->steps.count; t++) {
        const size_t count =
            timeline->steps.items[t].end - (t ? timeline->steps.items[t - 1].end : 0);
        most = count > most ? count : most;
    }
    run.ends = ARENA_ROOM(arena, Moment, most);
    if (timeline->overlaps) {
        run.senders = ARENA_ARRAY(arena, Moment, p);
        run.receivers = ARENA_ARRAY(arena, Moment, p);
        run.combiners = ARENA_ARRAY(arena, Moment, p);
        run.readable = ARENA_ARRAY(arena, Moment, places);
        run.written = ARENA_ARRAY(arena, Moment, places);
    } else {
        run.clocks = ARENA_ARRAY(arena, Moment, p);
    }
    for (size_t t = 0; t < timeline->steps.count; t++) {
        const size_t end = timeline->steps.items[t].end;
        if (timeline->overlaps)
            advance_parts(&run, begin, end);
        else
            advance_clocks(&run, begin, end);
        if (timeline->overlaps && timeline->steps.items[t].ends_round)
            end_round(&run, end);
        begin = end;
    }
    for (size_t r = 0; r < p && !timeline->overlaps; r++)
        run.last = later(run.last, run.clocks[r]);
    CostParts sum = {0};
    for (int64_t r = 0; r < timeline->p && (timeline->averages || of->ends); r++) {
        const Moment end = timeline->overlaps
                               ? later(later(run.senders[r], run.receivers[r]), run.combiners[r])
                               : run.clocks[r];
        sum = cost_sum(sum, end.parts);
        if (of->ends)
            of->ends[r] = end.time;
    }
    arena_destroy(arena);
    return timeline->averages ? cost_share(sum, (double)timeline->p) : run.last.parts;
}

Timeline *timeline_copy(Arena *arena, const Timeline *timeline)
{
    Timeline *copy = ARENA_NEW(arena, Timeline);
    *copy = *timeline;
    copy->workspace = arena_workspace(arena);
    ARRAY_COPY(arena, &copy->messages, &timeline->messages);
    ARRAY_COPY(arena, &copy->steps, &timeline->steps);
    ARRAY_COPY(arena, &copy->blocks, &timeline->blocks);
    ARRAY_COPY(arena, &copy->sources, &timeline->sources);
    if (timeline->sharing)
        copy->sharing = sharing_copy(arena, timeline->sharing);
    return copy;
}
