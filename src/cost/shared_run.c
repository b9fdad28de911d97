#include "cost/shared_run.h"

#include "base/heap.h"
#include "base/watch.h"

#include <math.h>

/* Events that are less than this share of the time apart happen at once. */
static const double at_once = 1e-12;
/* A part of a time that may be nothing but rounding. */
static const double rounding = 1e-12;

typedef enum { EVENT_LAST_BYTE, EVENT_ARRIVAL, EVENT_READY } EventKind;

/* It has the number of what it is for: a message, whose last byte leaves and then arrives, or,
   behind all messages, a rank that is ready. */
typedef struct {
    Instant when;
    EventKind kind;
} Event;

/* What a rank waits for: the messages of a port step, listed by rank. */
typedef struct {
    size_t first, next, end; /* of its list: the port step at hand, what comes behind it */
    int64_t pending;         /* messages of the port step that have not arrived */
    double compute;          /* of its combining there, by byte of a block */
    int32_t cause;           /* the message that arrived last; -1: none */
} RankState;

/* What is known of a message from its start on. */
typedef struct {
    int32_t cause;                 /* the message that it waited for; -1: none */
    int32_t rank;                  /* of its ends the one that was ready last */
    int64_t waits;                 /* the first of its bundle: for so many ends of their messages */
    double alone;                  /* what its bytes take where nothing is shared */
    double startup, hop, combined; /* combined: seconds between `cause` and the start */
    int32_t flow;
} MessageState;

typedef struct {
    const TimelineRun *of;
    Arena *arena;
    Filling filling;
    const FlowDemand **demands; /* by route, where there are no protocols */
    int32_t *steps;             /* of messages */
    int32_t *listed;            /* messages of ranks, port step by port step */
    RankState *ranks;
    MessageState *messages;
    Event *events;
    Heap due;
    double until;
    Instant last;
    int32_t last_message;
    double last_compute;
} Run;

static Instant later_by(Instant a, double seconds, double per_byte, double block)
{
    return (Instant){a.at + seconds + per_byte * block, a.rise + per_byte};
}

static int32_t message_count(const Run *run)
{
    return (int32_t)run->of->timeline->messages.count;
}

/* The answer holds up to a size that it may lower `until` to. */
static bool is_before(void *context, int32_t a, int32_t b)
{
    Run *run = context;
    const Event *one = &run->events[a], *other = &run->events[b];
    const double ahead = other->when.at - one->when.at, gains = other->when.rise - one->when.rise;
    if (fabs(ahead) <= at_once * fabs(other->when.at))
        return one->kind != other->kind ? one->kind < other->kind : a < b;
    const double meet = run->of->block - ahead / gains;
    if (gains != 0 && meet > run->of->block && meet < run->until)
        run->until = meet;
    return ahead > 0;
}

static void set_due(Run *run, int32_t event, EventKind kind, Instant when)
{
    run->events[event] = (Event){when, kind};
    heap_set(run->arena, &run->due, event);
}

static const TimedMessage *message_at(const Run *run, int32_t i)
{
    return &run->of->timeline->messages.items[i];
}

static const SharedMessage *shared_at(const Run *run, int32_t i)
{
    return &run->of->timeline->sharing->messages.items[i];
}

/* The last byte of a bundle, or of a message that is alone, has been sent. */
static void arrive_later(Run *run, int32_t first, Instant now)
{
    for (int32_t i = first; i >= 0; i = shared_at(run, i)->next) {
        const MessageState *state = &run->messages[i];
        set_due(run, i, EVENT_ARRIVAL,
                later_by(now, state->startup + state->hop, 0, run->of->block));
    }
}

/* Starts a bundle, or a message that is alone, as `start` says. */
static void start_messages(Run *run, int32_t first, const MessageState *start, Instant now)
{
    const double blocks = shared_at(run, first)->blocks;
    const bool has_bytes = message_at(run, first)->path_count && blocks > 0;
    const FlowDemand *demand = NULL;
    if (has_bytes) {
        const int32_t route = shared_at(run, first)->route;
        const ProtocolChoice *choice = &run->of->paths[message_at(run, first)->first_path].choice;
        const int protocol =
            choice->rules ? choose_protocol(choice, run->of->parameters, run->of->block) : -1;
        demand = choice->rules ? NULL : run->demands[route];
        if (!demand)
            demand = sharing_demand(run->of->timeline->sharing, run->arena, route, protocol,
                                    run->of->parameters);
        if (!choice->rules)
            run->demands[route] = demand;
    }
    const Instant bytes = {blocks * run->of->block, blocks};
    for (int32_t i = first; i >= 0; i = shared_at(run, i)->next) {
        const TimedMessage *message = message_at(run, i);
        MessageState *state = &run->messages[i];
        *state = *start;
        state->alone = demand && demand->count ? bytes.at / demand->alone : 0;
        if (run->of->spans)
            run->of->spans[i].start = now.at;
        if (message->path_count) {
            CostParts parts = path_parts(&run->of->paths[message->first_path], run->of->parameters,
                                         0, run->of->block);
            state->startup = parts.startup, state->hop = parts.hop;
        }
    }
    if (!demand || demand->count == 0) {
        arrive_later(run, first, now);
        return;
    }
    /* Its last byte is due when it gets a rate. */
    run->messages[first].flow = filling_start(&run->filling, demand, first, bytes, now);
}

/* The port step of a rank at which its list stands. */
static int32_t step_of(const Run *run, const RankState *rank)
{
    return run->steps[run->listed[rank->next]];
}

/* A rank is ready for its next port step: messages start whose other end is, too, and bundles of
   which all ends are. */
static void begin_port_step(Run *run, int32_t r, Instant now)
{
    RankState *rank = &run->ranks[r];
    if (rank->next == rank->end)
        return;
    const int32_t step = step_of(run, rank);
    const double combined = rank->compute * run->of->block;
    rank->pending = 0, rank->compute = 0, rank->first = rank->next;
    for (; rank->next < rank->end && step_of(run, rank) == step; rank->next++) {
        const int32_t i = run->listed[rank->next];
        const int32_t first = shared_at(run, i)->first;
        rank->pending++;
        if (message_at(run, i)->to == r)
            rank->compute += message_at(run, i)->combined * run->of->parameters[PARAMETER_TC];
        if (--run->messages[first].waits > 0)
            continue;
        start_messages(run, first,
                       &(MessageState){.cause = rank->cause, .rank = r, .combined = combined}, now);
    }
}

static void arrive_at(Run *run, int32_t r, int32_t message, Instant now)
{
    RankState *rank = &run->ranks[r];
    rank->cause = message;
    if (--rank->pending > 0)
        return;
    double clock = now.at; /* combining goes one after the other, in written order */
    for (size_t at = rank->first; at < rank->next && run->of->spans; at++) {
        const TimedMessage *own = message_at(run, run->listed[at]);
        MessageSpan *span = &run->of->spans[run->listed[at]];
        if (own->to != r)
            continue;
        span->combine_start = clock;
        clock += own->combined * run->of->parameters[PARAMETER_TC] * run->of->block;
        span->combine_end = clock;
    }
    set_due(run, message_count(run) + r, EVENT_READY,
            later_by(now, 0, rank->compute, run->of->block));
}

static void handle(Run *run, int32_t event, Instant now)
{
    const Instant when = run->events[event].when;
    const int32_t r = event - message_count(run);
    switch (run->events[event].kind) {
    case EVENT_LAST_BYTE:
        filling_end(&run->filling, run->messages[event].flow);
        arrive_later(run, event, when);
        break;
    case EVENT_ARRIVAL:
        if (run->of->spans)
            run->of->spans[event].end = when.at;
        arrive_at(run, message_at(run, event)->from, event, when);
        if (message_at(run, event)->to != message_at(run, event)->from)
            arrive_at(run, message_at(run, event)->to, event, when);
        break;
    case EVENT_READY:
        run->last = when;
        run->last_message = run->ranks[r].cause;
        run->last_compute = run->ranks[r].compute * run->of->block;
        begin_port_step(run, r, now);
        break;
    }
}

/* Where rates changed, last bytes come at other times. */
static void settle(Run *run, Instant now)
{
    filling_settle(&run->filling, now);
    for (size_t c = 0; c < run->filling.changed.count; c++) {
        const SharedFlow *flow = &run->filling.flows.items[run->filling.changed.items[c]];
        set_due(run, flow->owner, EVENT_LAST_BYTE, flow->finish);
    }
}

/* The messages of each rank, port step by port step. */
static void list_messages(Run *run)
{
    const Timeline *timeline = run->of->timeline;
    const size_t count = timeline->messages.count, p = (size_t)timeline->p;
    size_t begin = 0, place = 0;
    run->steps = ARENA_ROOM(run->arena, int32_t, count);
    run->messages = ARENA_ARRAY(run->arena, MessageState, count);
    run->listed = ARENA_ROOM(run->arena, int32_t, 2 * count);
    run->ranks = ARENA_ARRAY(run->arena, RankState, p);
    run->events = ARENA_ROOM(run->arena, Event, count + p);
    run->due = (Heap){
        .is_before = is_before, .context = run, .places = heap_places(run->arena, count + p)};
    for (size_t t = 0; t < timeline->steps.count; t++)
        for (; begin < timeline->steps.items[t].end; begin++)
            run->steps[begin] = (int32_t)t;
    for (size_t i = 0; i < count; i++) {
        const TimedMessage *message = &timeline->messages.items[i];
        run->messages[shared_at(run, (int32_t)i)->first].waits +=
            message->from == message->to ? 1 : 2;
        run->ranks[message->from].end++;
        run->ranks[message->to].end += message->from != message->to;
    }
    for (size_t r = 0; r < p; r++) {
        const size_t own = run->ranks[r].end;
        run->ranks[r] = (RankState){.next = place, .end = place, .cause = -1};
        place += own;
    }
    for (size_t i = 0; i < count; i++) {
        const TimedMessage *message = &timeline->messages.items[i];
        run->listed[run->ranks[message->from].end++] = (int32_t)i;
        if (message->from != message->to)
            run->listed[run->ranks[message->to].end++] = (int32_t)i;
    }
}

/* Back from the end, message by message. Where many events change places near this size, small
   delays can grow from message to message, until the line says nothing of the time: then what
   startups, hops and combining on the path leave over is transfer. Where longer
   blocks make a message start later, so that it shares its links for less time, the time can rise
   less than the combining on the path does: then what is left over is waiting, a startup. Where
   delays of others let messages on the path share for less time, bytes are under way for less than
   what the time rises by: only that is transfer. */
static SharedTime critical_path(const Run *run)
{
    const double grows = run->last.rise * run->of->block;
    CostParts parts = {.compute = run->last_compute};
    for (int32_t i = run->last_message; i >= 0; i = run->messages[i].cause) {
        const MessageState *state = &run->messages[i];
        parts.startup += state->startup;
        parts.hop += state->hop;
        parts.compute += state->combined;
        if (run->of->waits)
            run->of->waits[i].critical = true;
    }
    const bool is_line = grows >= 0 && grows <= run->last.at * (1 + rounding);
    const double sum = is_line ? grows : run->last.at - parts.startup - parts.hop;
    parts.transfer = fmax(0, sum - parts.compute);
    const double slope =
        is_line ? run->last.rise : (parts.transfer + parts.compute) / run->of->block;
    const double intercept = run->last.at - slope * run->of->block;
    const double others = run->last.at - parts.transfer - parts.compute - parts.startup - parts.hop;
    if (others > rounding * run->last.at)
        parts.startup += others;
    else if (others < -rounding * run->last.at)
        parts.transfer = fmax(0, parts.transfer + others);
    return (SharedTime){parts, intercept, slope, run->until};
}

SharedTime shared_run(const TimelineRun *of)
{
    Arena *arena = arena_create(of->timeline->workspace);
    const Sharing *sharing = of->timeline->sharing;
    MessageWait *waits = of->waits;
    Run run = {.of = of,
               .arena = arena,
               .filling = filling_create(arena, sharing->lanes.count, sharing->lanes.items),
               .demands = ARENA_ARRAY(arena, const FlowDemand *, sharing->routes.count),
               .until = INFINITY,
               .last_message = -1};
    list_messages(&run);
    Instant now = {0, 0};
    for (int64_t r = 0; r < of->timeline->p; r++)
        begin_port_step(&run, (int32_t)r, now);
    settle(&run, now);
    for (int32_t event; (event = heap_take(&run.due)) >= 0;) {
        watch_poll(arena);
        now = run.events[event].when;
        handle(&run, event, now);
        while (run.due.count && run.events[run.due.items[0]].when.at <= now.at * (1 + at_once))
            handle(&run, heap_take(&run.due), now);
        settle(&run, now);
    }
    for (size_t i = 0; waits && i < of->timeline->messages.count; i++) {
        const MessageState *state = &run.messages[i];
        waits[i] = (MessageWait){state->cause, state->rank, false,
                                 state->startup + state->hop + state->alone};
    }
    const SharedTime time = critical_path(&run);
    arena_destroy(arena);
    return time;
}
