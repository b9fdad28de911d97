#include "cost/gpu_time.h"

#include "base/watch.h"
#include "cost/derive_loads.h"
#include "cost/derive_shared.h"
#include "cost/due_times.h"

#include <string.h>
#include <strings.h>

#define NO_LANE SIZE_MAX

typedef enum {
    PHASE_WAITING,
    PHASE_COMBINING,
    PHASE_SENDING,  /* bytes are under way */
    PHASE_ARRIVING, /* the last of them are */
    PHASE_DONE      /* with all steps */
} Phase;

/* From one thread block to another: its messages so far. */
typedef struct {
    int32_t sender, receiver;
    size_t lane; /* of the port step that has a message of each connection */
    int64_t sent, arrived, taken;
} Link;

/* A thread block while it runs. They are numbered through all ranks. */
typedef struct {
    const ThreadBlock *block;
    int32_t rank;
    Phase phase;
    int64_t next;   /* step, counted through all tiles */
    int32_t flow;   /* of what it combines, or sends */
    bool has_bytes; /* the message that it sends */
    Link *out, *in;
    size_t lane;       /* of the port steps' messages: of the bytes under way */
    CostParts path;    /* the longest path to where it is */
    CostParts head;    /* startup and hops of the message under way */
    CostParts landing; /* of bytes that are put: what they take behind the end of the step */
    size_t first_span;
} Runner;

typedef struct {
    const GpuProgram *program;
    const Rules *rules;
    Arena *arena;
    double chunk;
    int32_t tiles;
    int32_t *first_of; /* of each rank: its first thread block */
    Runner *runners;
    int32_t count;
    size_t *lane_of; /* of one-sided programs: rank times ranks + rank to its lane; NO_LANE */
    int64_t *signals, *taken; /* of each semaphore */
    PortStep lanes;
    Sharing sharing;
    const FlowDemand **demands; /* of lanes, where there are no protocols */
    Filling filling;
    FlowDemand *combining; /* of ranks: their thread blocks share what one of them combines with */
    FlowNumbers owner_of_flow;
    DueTimes due;
    double now;
    CostParts last;   /* the path to `now` */
    CostParts landed; /* to where the last bytes arrive that were put */
    StepSpan *spans;
} Run;

/* In each list of protocols that has one of that name, all cost what that one does. */
static void fix_protocol(Arena *arena, Rules *rules, const char *name)
{
    int listed = rules->protocol_count;
    if (!rules->protocols)
        return;
    for (int i = 0; i < rules->level_count; i++)
        listed += rules->levels[i].protocol_count;
    Protocol *fixed = ARENA_COPY(arena, Protocol, rules->protocols, (size_t)listed);
    for (int level = 0; level <= rules->level_count; level++) {
        const int first = level ? rules->levels[level - 1].first_protocol : 0;
        const int count = level ? rules->levels[level - 1].protocol_count : rules->protocol_count;
        for (int i = first; i < first + count; i++) {
            const Text own = rules->protocols[i].name;
            if (own.length == 0 || strlen(name) != own.length ||
                strncasecmp(own.chars, name, own.length) != 0)
                continue;
            for (int j = first; j < first + count; j++)
                memcpy(fixed[j].parameters, rules->protocols[i].parameters,
                       sizeof fixed[j].parameters);
        }
    }
    rules->protocols = fixed;
}

static int64_t steps_of(const Run *run, const Runner *runner)
{
    return (int64_t)runner->block->steps.count * run->tiles;
}

static const GpuStep *step_at(const Runner *runner)
{
    return &runner->block->steps.items[runner->next % (int64_t)runner->block->steps.count];
}

/* Of the first tile; NULL: another one. */
static StepSpan *span_at(const Run *run, const Runner *runner)
{
    return runner->next < (int64_t)runner->block->steps.count
               ? &run->spans[runner->first_span + (size_t)runner->next]
               : NULL;
}

static double bytes_of(const Run *run, const GpuStep *step)
{
    return step->count * run->chunk / run->tiles;
}

/* ---- thread blocks and their connections ---- */

static void number_blocks(Run *run)
{
    const GpuProgram *program = run->program;
    const size_t p = (size_t)program->rank_count;
    size_t spans = 0;
    run->first_of = ARENA_ARRAY(run->arena, int32_t, p + 1);
    for (size_t r = 0; r < p; r++)
        run->first_of[r + 1] = run->first_of[r] + (int32_t)program->gpus[r].blocks.count;
    run->count = run->first_of[p];
    run->runners = ARENA_ARRAY(run->arena, Runner, (size_t)run->count);
    for (size_t r = 0; r < p; r++)
        for (size_t i = 0; i < program->gpus[r].blocks.count; i++) {
            const ThreadBlock *block = &program->gpus[r].blocks.items[i];
            run->runners[run->first_of[r] + (int32_t)i] =
                (Runner){.block = block, .rank = (int32_t)r, .flow = -1, .first_span = spans};
            spans += block->steps.count;
        }
}

/* The other end is the thread block of the peer with the same channel; one that does not send, or
   receive, may have none. */
static void connect(Run *run)
{
    for (int32_t b = 0; b < run->count; b++) {
        Runner *runner = &run->runners[b];
        const int32_t peer = runner->block->send;
        for (int32_t o = peer < 0 ? 0 : run->first_of[peer];
             peer >= 0 && o < run->first_of[peer + 1]; o++) {
            const ThreadBlock *other = run->runners[o].block;
            if (other->receive != runner->rank || other->channel != runner->block->channel)
                continue;
            Link *link = ARENA_NEW(run->arena, Link);
            *link = (Link){.sender = b, .receiver = o, .lane = run->lanes.count++};
            runner->out = run->runners[o].in = link;
        }
    }
}

static size_t *lane_between(const Run *run, int32_t from, int32_t to)
{
    return &run->lane_of[(size_t)from * (size_t)run->program->rank_count + (size_t)to];
}

static void open_lane(Run *run, int32_t from, int32_t to)
{
    size_t *lane = lane_between(run, from, to);
    if (from != to && *lane == NO_LANE)
        *lane = run->lanes.count++;
}

/* Bytes that a step puts go from its rank, those that it reads come there; signals go as semaphores
   do. */
static void open_lanes(Run *run)
{
    const GpuProgram *program = run->program;
    const size_t pairs = (size_t)program->rank_count * (size_t)program->rank_count;
    run->signals = ARENA_ARRAY(run->arena, int64_t, program->semaphores.count);
    run->taken = ARENA_ARRAY(run->arena, int64_t, program->semaphores.count);
    if (!program->is_one_sided)
        return;
    run->lane_of = ARENA_ARRAY(run->arena, size_t, pairs);
    for (size_t i = 0; i < pairs; i++)
        run->lane_of[i] = NO_LANE;
    for (size_t i = 0; i < program->semaphores.count; i++)
        open_lane(run, program->semaphores.items[i].from, program->semaphores.items[i].to);
    for (int32_t b = 0; b < run->count; b++) {
        const Runner *runner = &run->runners[b];
        for (size_t i = 0; i < runner->block->steps.count; i++) {
            const GpuStep *step = &runner->block->steps.items[i];
            open_lane(run, gpu_place_rank(step->source, runner->rank), runner->rank);
            open_lane(run, runner->rank, gpu_place_rank(step->destination, runner->rank));
        }
    }
}

/* Where the messages of connections go, as the messages of one port step. */
static bool route(Run *run, const Network *network, Diag *diag)
{
    const size_t count = run->lanes.count;
    const LoadContext context = {.rules = run->rules,
                                 .network = network,
                                 .link_costs = rules_link_costs(run->arena, run->rules, network),
                                 .node_capacities =
                                     node_capacities_find(run->arena, run->rules, network),
                                 .kept = run->arena,
                                 .each = true};
    ScheduledTransfer *transfers = ARENA_ARRAY(run->arena, ScheduledTransfer, count);
    run->lanes.transfers = ARENA_ARRAY(run->arena, const ScheduledTransfer *, count);
    run->lanes.sizes = ARENA_ARRAY(run->arena, int64_t, count);
    run->lanes.combines = ARENA_ARRAY(run->arena, int64_t, count);
    for (int32_t b = 0; b < run->count; b++) {
        const Link *link = run->runners[b].out;
        if (!link)
            continue;
        transfers[link->lane].from = run->runners[b].rank;
        transfers[link->lane].to = run->runners[b].block->send;
        run->lanes.transfers[link->lane] = &transfers[link->lane];
        run->lanes.sizes[link->lane] = 1;
    }
    for (int32_t from = 0; run->lane_of && from < run->program->rank_count; from++)
        for (int32_t to = 0; to < run->program->rank_count; to++) {
            const size_t lane = *lane_between(run, from, to);
            if (lane == NO_LANE)
                continue;
            transfers[lane].from = from;
            transfers[lane].to = to;
            run->lanes.transfers[lane] = &transfers[lane];
            run->lanes.sizes[lane] = 1;
        }
    return count == 0 || (port_step_route(&context, run->arena, &run->lanes, diag) &&
                          sharing_note(&context, run->arena, &run->lanes, &run->sharing, diag));
}

/* ---- what happens ---- */

static void end_phase(Run *run, int32_t b, Phase phase, double seconds)
{
    run->runners[b].phase = phase;
    due_times_set(&run->due, b, run->now + seconds);
}

/* It is due when the flow gets its rate. */
static void start_flow(Run *run, int32_t b, Phase phase, const FlowDemand *demand, double bytes)
{
    Runner *runner = &run->runners[b];
    runner->phase = phase;
    runner->flow =
        filling_start(&run->filling, demand, (Instant){bytes, 0}, (Instant){run->now, 0});
    while (run->owner_of_flow.count <= (size_t)runner->flow)
        *ARRAY_PUSH(run->arena, &run->owner_of_flow) = -1;
    run->owner_of_flow.items[runner->flow] = b;
}

static void end_flow(Run *run, Runner *runner)
{
    if (runner->flow >= 0)
        filling_end(&run->filling, runner->flow);
    runner->flow = -1;
}

/* Is what the next step waits for done? A flag is set by the first step from there on that
   signals; where none of this tile does, one of the next is. */
static bool is_signalled(const Run *run, const Runner *runner, const GpuStep *step)
{
    const Runner *other = &run->runners[run->first_of[runner->rank] + step->wait_block];
    const int64_t count = (int64_t)other->block->steps.count;
    const int64_t tile = runner->next / (int64_t)runner->block->steps.count;
    for (int64_t s = other->next - 1; s >= tile * count + step->wait_step; s--)
        if (other->block->steps.items[s % count].signals &&
            other->block->steps.items[s % count].kind != GPU_STEP_NOTHING)
            return true;
    return false;
}

static bool is_at_barrier(const Runner *runner, int32_t barrier)
{
    return runner->phase == PHASE_WAITING && step_at(runner)->kind == GPU_STEP_BARRIER &&
           step_at(runner)->barrier == barrier;
}

/* Have all come to the barrier, and all signals that it waits for? */
static bool is_met(const Run *run, const Runner *runner, const GpuStep *step)
{
    int32_t arrived = 0;
    for (int32_t s = 0; s < step->semaphore_count && gpu_step_waits(step->kind); s++)
        if (run->taken[step->semaphores[s]] + gpu_step_taken(step, s) >
            run->signals[step->semaphores[s]])
            return false;
    if (step->kind != GPU_STEP_BARRIER)
        return true;
    for (int32_t b = run->first_of[runner->rank]; b < run->first_of[runner->rank + 1]; b++)
        arrived += is_at_barrier(&run->runners[b], step->barrier);
    return arrived >= step->members;
}

static bool may_begin(const Run *run, const Runner *runner)
{
    const GpuStep *step = step_at(runner);
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    return is_met(run, runner, step) && (step->wait_block < 0 || is_signalled(run, runner, step)) &&
           (!info->receives || runner->in->taken < runner->in->arrived) &&
           (!info->sends || runner->out->sent - runner->out->taken < run->program->slots);
}

static const FlowDemand *find_demand(Run *run, size_t lane, const ProtocolChoice *choice,
                                     double bytes)
{
    const double *parameters = run->rules->parameters;
    const int32_t route = run->sharing.messages.items[lane].route;
    if (choice->rules)
        return sharing_demand(&run->sharing, run->arena, route,
                              choose_protocol(choice, parameters, bytes), parameters);
    if (!run->demands[lane])
        run->demands[lane] = sharing_demand(&run->sharing, run->arena, route, -1, parameters);
    return run->demands[lane];
}

/* The bytes of the step, or none, over the runner's lane. Who puts bytes goes on when the last has
   left; they arrive after startup and hops, as a signal behind them does. */
static void move_bytes(Run *run, int32_t b)
{
    Runner *runner = &run->runners[b];
    const GpuStepKind kind = step_at(runner)->kind;
    const size_t lane = runner->lane;
    const double bytes = gpu_step_is_sync(kind) ? 0 : bytes_of(run, step_at(runner));
    const PathCost *path = &run->lanes.paths[run->lanes.ranges[lane].first];
    const CostParts parts = path_parts(path, run->rules->parameters, 0, bytes);
    const FlowDemand *demand = find_demand(run, lane, &path->choice, bytes);
    const CostParts head = {.startup = parts.startup, .hop = parts.hop}, none = {.startup = 0};
    runner->head = kind == GPU_STEP_PUT ? none : head;
    runner->landing = kind == GPU_STEP_PUT ? head : none;
    runner->has_bytes = demand->count > 0 && bytes > 0;
    if (!runner->has_bytes) {
        end_phase(run, b, PHASE_ARRIVING, runner->head.startup + runner->head.hop);
        return;
    }
    start_flow(run, b, PHASE_SENDING, demand, bytes);
}

static void advance(Run *run, int32_t b);

/* The thread blocks of a rank that may have waited. */
static void wake_rank(Run *run, int32_t rank)
{
    for (int32_t b = run->first_of[rank]; b < run->first_of[rank + 1]; b++)
        if (run->runners[b].phase == PHASE_WAITING)
            advance(run, b);
}

static void end_step(Run *run, int32_t b)
{
    Runner *runner = &run->runners[b];
    const bool signals = step_at(runner)->signals;
    if (span_at(run, runner))
        span_at(run, runner)->end = run->now;
    runner->next++;
    runner->phase = runner->next < steps_of(run, runner) ? PHASE_WAITING : PHASE_DONE;
    if (signals)
        wake_rank(run, runner->rank);
    else if (runner->phase == PHASE_WAITING)
        advance(run, b);
}

/* All at once: they are there when the last one is. */
static void give_signals(Run *run, int32_t b)
{
    Runner *runner = &run->runners[b];
    const GpuStep *step = step_at(runner);
    double longest = -1;
    for (int32_t s = 0; s < step->semaphore_count; s++) {
        const GpuSemaphore *semaphore = &run->program->semaphores.items[step->semaphores[s]];
        const size_t lane = *lane_between(run, semaphore->from, semaphore->to);
        const PathCost *path = &run->lanes.paths[run->lanes.ranges[lane].first];
        const CostParts parts = path_parts(path, run->rules->parameters, 0, 0);
        if (parts.startup + parts.hop > longest) {
            longest = parts.startup + parts.hop;
            runner->lane = lane;
        }
    }
    move_bytes(run, b);
}

/* What was received has been combined: its slot is free. */
static void end_combining(Run *run, int32_t b)
{
    Runner *runner = &run->runners[b];
    const GpuStepInfo *info = &gpu_step_info[step_at(runner)->kind];
    if (info->receives)
        runner->in->taken++;
    if (info->sends) {
        runner->out->sent++;
        runner->lane = runner->out->lane;
        move_bytes(run, b);
    } else if (gpu_step_signals(step_at(runner)->kind)) {
        give_signals(run, b);
    } else if (runner->lane != NO_LANE && !info->receives) {
        move_bytes(run, b);
    } else {
        end_step(run, b);
    }
    if (info->receives && run->runners[runner->in->sender].phase == PHASE_WAITING)
        advance(run, runner->in->sender);
}

/* Those that have come go on. */
static void pass_barrier(Run *run, int32_t rank, int32_t barrier)
{
    for (int32_t b = run->first_of[rank]; b < run->first_of[rank + 1]; b++) {
        Runner *runner = &run->runners[b];
        if (!is_at_barrier(runner, barrier))
            continue;
        if (span_at(run, runner))
            span_at(run, runner)->start = run->now;
        runner->path = run->last;
        runner->lane = NO_LANE;
        end_phase(run, b, PHASE_COMBINING, 0);
    }
}

/* Begins the next step, if it may: what has just happened is what it waited for, if it waited. */
static void advance(Run *run, int32_t b)
{
    Runner *runner = &run->runners[b];
    const GpuStep *step = step_at(runner);
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    if (!may_begin(run, runner))
        return;
    if (step->kind == GPU_STEP_BARRIER) {
        pass_barrier(run, runner->rank, step->barrier);
        return;
    }
    for (int32_t s = 0; s < step->semaphore_count && gpu_step_waits(step->kind); s++)
        run->taken[step->semaphores[s]]++;
    const int32_t from = gpu_place_rank(step->source, runner->rank);
    const int32_t to = gpu_place_rank(step->destination, runner->rank);
    runner->lane = from != to ? *lane_between(run, from, to) : NO_LANE;
    const bool combines = info->reads && (info->receives || info->reads_destination);
    const FlowDemand *demand = &run->combining[runner->rank];
    if (span_at(run, runner))
        span_at(run, runner)->start = run->now;
    runner->path = run->last;
    if (combines && demand->count && bytes_of(run, step) > 0)
        start_flow(run, b, PHASE_COMBINING, demand, bytes_of(run, step));
    else
        end_phase(run, b, PHASE_COMBINING, 0);
}

/* A message, a signal, or bytes that were put or read. */
static void end_arriving(Run *run, int32_t b)
{
    Runner *runner = &run->runners[b];
    const GpuStep *step = step_at(runner);
    const bool signals = gpu_step_signals(step->kind);
    Link *out = gpu_step_info[step->kind].sends ? runner->out : NULL;
    const CostParts landed = cost_sum(runner->path, runner->landing);
    if (step->kind == GPU_STEP_PUT && cost_total(landed) > cost_total(run->landed))
        run->landed = landed;
    if (out)
        out->arrived++;
    for (int32_t s = 0; s < step->semaphore_count && signals; s++)
        run->signals[step->semaphores[s]]++;
    end_step(run, b);
    if (out && run->runners[out->receiver].phase == PHASE_WAITING)
        advance(run, out->receiver);
    for (int32_t s = 0; s < step->semaphore_count && signals; s++)
        wake_rank(run, run->program->semaphores.items[step->semaphores[s]].to);
}

static void handle(Run *run, int32_t b)
{
    Runner *runner = &run->runners[b];
    switch (runner->phase) {
    case PHASE_COMBINING:
        if (runner->flow >= 0)
            runner->path.compute += run->now - cost_total(runner->path);
        end_flow(run, runner);
        run->last = runner->path;
        end_combining(run, b);
        break;
    case PHASE_SENDING:
        end_flow(run, runner);
        end_phase(run, b, PHASE_ARRIVING, runner->head.startup + runner->head.hop);
        break;
    case PHASE_ARRIVING:
        run->last = cost_sum(runner->path, runner->head);
        if (runner->has_bytes)
            run->last.transfer += run->now - cost_total(run->last);
        runner->path = run->last;
        end_arriving(run, b);
        break;
    case PHASE_WAITING:
    case PHASE_DONE:
        break;
    }
}

/* Where rates changed, last bytes come at other times. */
static void settle(Run *run)
{
    filling_settle(&run->filling, (Instant){run->now, 0});
    for (size_t c = 0; c < run->filling.changed.count; c++) {
        const int32_t flow = run->filling.changed.items[c];
        due_times_set(&run->due, run->owner_of_flow.items[flow],
                      run->filling.flows.items[flow].finish.at);
    }
}

static void follow(Run *run)
{
    for (int32_t b = 0; b < run->count; b++)
        run->runners[b].phase = run->runners[b].block->steps.count ? PHASE_WAITING : PHASE_DONE;
    for (int32_t b = 0; b < run->count; b++)
        if (run->runners[b].phase == PHASE_WAITING)
            advance(run, b);
    for (int32_t b; (b = due_times_take(&run->due)) >= 0;) {
        watch_poll(run->arena);
        run->now = run->due.times[b];
        handle(run, b);
        if (run->due.count == 0 || run->due.times[run->due.heap[0]] > run->now)
            settle(run);
    }
}

/* Behind the resources of the network, one of each rank for what it combines. */
static void open_resources(Run *run)
{
    const size_t own = run->sharing.lanes.count, p = (size_t)run->program->rank_count;
    const double price =
        run->rules->combining == COMBINING_NONE ? 0 : run->rules->parameters[PARAMETER_TC];
    double *lanes = ARENA_ARRAY(run->arena, double, own + p);
    ResourceUse *uses = ARENA_ARRAY(run->arena, ResourceUse, p);
    run->combining = ARENA_ARRAY(run->arena, FlowDemand, p);
    for (size_t i = 0; i < own; i++)
        lanes[i] = run->sharing.lanes.items[i];
    for (size_t r = 0; r < p; r++) {
        lanes[own + r] = 1;
        uses[r] = (ResourceUse){(int32_t)(own + r), price};
        if (price > 0)
            run->combining[r] = (FlowDemand){&uses[r], 1, 1 / price};
    }
    run->demands = ARENA_ARRAY(run->arena, const FlowDemand *, run->lanes.count);
    run->filling = filling_create(run->arena, own + p, lanes);
}

static bool is_followed(const Run *run, size_t *steps, Diag *diag)
{
    *steps = 0;
    for (int32_t b = 0; b < run->count; b++)
        *steps += run->runners[b].block->steps.count;
    if (*steps * (size_t)run->tiles <= MOST_TIMED_STEPS)
        return true;
    diag_limit(diag, run->program->span,
               "%zu steps in %d tiles are more than %d, too many to be followed", *steps,
               run->tiles, MOST_TIMED_STEPS);
    return false;
}

bool gpu_time(Arena *arena, const GpuProgram *program, const Network *network, const Rules *rules,
              double chunk, int32_t tiles, GpuTime *time, Diag *diag)
{
    Arena *scratch = arena_scratch(arena);
    Rules fixed = *rules;
    size_t steps;
    fix_protocol(scratch, &fixed, program->protocol);
    Run run = {.program = program,
               .rules = &fixed,
               .arena = scratch,
               .chunk = chunk,
               .tiles = tiles,
               .sharing = {.rules = &fixed}};
    number_blocks(&run);
    connect(&run);
    open_lanes(&run);
    const bool good = is_followed(&run, &steps, diag) && route(&run, network, diag);
    if (good) {
        open_resources(&run);
        run.due = due_times_create(scratch, run.count);
        run.spans = ARENA_ARRAY(arena, StepSpan, steps);
        follow(&run);
        const bool is_behind = cost_total(run.landed) > cost_total(run.last);
        *time = (GpuTime){.parts = is_behind ? run.landed : run.last, .spans = run.spans};
    }
    arena_destroy(scratch);
    return good;
}
