#include "cost/gpu_time.h"

#include "base/heap.h"
#include "base/watch.h"
#include "cost/derive_memo.h"
#include "sched/gpu_stepper.h"

#include <string.h>

#define NO_LANE SIZE_MAX

typedef enum {
    PHASE_WAITING,
    PHASE_COMBINING,
    PHASE_SENDING,  /* bytes are under way */
    PHASE_ARRIVING, /* the last of them are */
    PHASE_DONE      /* with all steps */
} Phase;

/* What a thread block does, beside what the stepper knows of it. */
typedef struct {
    Phase phase;
    double due;            /* when that ends */
    int32_t flow;          /* of what it combines, or sends */
    bool has_bytes;        /* the message that it sends */
    size_t own_lane, lane; /* of the port steps' messages: of its connection; of the bytes under
                              way */
    CostParts path;        /* the longest path to where it is */
    CostParts head;        /* startup and hops of the message under way */
    CostParts landing;     /* of bytes that are put: what they take behind the end of the step */
    size_t first_span;
} Work;

typedef struct {
    const GpuProgram *program;
    const Rules *rules;
    Arena *arena;
    double chunk;
    int32_t tiles;
    GpuStepper stepper;
    Work *works;     /* of each thread block */
    size_t *lane_of; /* of one-sided programs: rank times ranks + rank to its lane; NO_LANE */
    PortStep lanes;  /* a message of each connection, and of each such pair */
    Sharing sharing;
    const FlowDemand **demands; /* of lanes, where there are no protocols */
    Filling filling;
    FlowDemand *combining; /* of ranks: their thread blocks share what one of them combines with */
    Heap due;              /* thread blocks whose phases end, the first one first */
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
            if (own.length == 0 || !text_like(own, name))
                continue;
            for (int j = first; j < first + count; j++)
                memcpy(fixed[j].parameters, rules->protocols[i].parameters,
                       sizeof fixed[j].parameters);
        }
    }
    rules->protocols = fixed;
}

static const GpuStep *step_at(const Run *run, int32_t b)
{
    return gpu_stepper_next(&run->stepper, b);
}

static int32_t rank_of(const Run *run, int32_t b)
{
    return run->stepper.runners[b].rank;
}

/* Of the first tile; NULL: another one. */
static StepSpan *span_at(const Run *run, int32_t b)
{
    const GpuRunner *runner = &run->stepper.runners[b];
    return runner->next < (int64_t)runner->block->steps.count
               ? &run->spans[run->works[b].first_span + (size_t)runner->next]
               : NULL;
}

static double bytes_of(const Run *run, const GpuStep *step)
{
    return step->count * run->chunk / run->tiles;
}

/* ---- thread blocks and their connections ---- */

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
    if (!program->is_one_sided)
        return;
    run->lane_of = ARENA_ARRAY(run->arena, size_t, pairs);
    for (size_t i = 0; i < pairs; i++)
        run->lane_of[i] = NO_LANE;
    for (size_t i = 0; i < program->semaphores.count; i++)
        open_lane(run, program->semaphores.items[i].from, program->semaphores.items[i].to);
    for (int32_t b = 0; b < run->stepper.count; b++) {
        const GpuRunner *runner = &run->stepper.runners[b];
        for (size_t i = 0; i < runner->block->steps.count; i++) {
            const GpuStep *step = &runner->block->steps.items[i];
            open_lane(run, gpu_place_rank(step->source, runner->rank), runner->rank);
            open_lane(run, runner->rank, gpu_place_rank(step->destination, runner->rank));
        }
    }
}

static void open_message(Run *run, ScheduledTransfer *transfers, size_t lane, int32_t from,
                         int32_t to)
{
    transfers[lane].from = from;
    transfers[lane].to = to;
    run->lanes.transfers[lane] = &transfers[lane];
    run->lanes.sizes[lane] = 1;
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
                                 .memo = memo_create(run->arena),
                                 .each = true};
    ScheduledTransfer *transfers = ARENA_ARRAY(run->arena, ScheduledTransfer, count);
    run->lanes.transfers = ARENA_ARRAY(run->arena, const ScheduledTransfer *, count);
    run->lanes.sizes = ARENA_ARRAY(run->arena, int64_t, count);
    run->lanes.combines = ARENA_ARRAY(run->arena, int64_t, count);
    for (int32_t b = 0; b < run->stepper.count; b++)
        if (run->works[b].own_lane != NO_LANE)
            open_message(run, transfers, run->works[b].own_lane, rank_of(run, b),
                         run->stepper.runners[b].block->send);
    for (int32_t from = 0; run->lane_of && from < run->program->rank_count; from++)
        for (int32_t to = 0; to < run->program->rank_count; to++) {
            const size_t lane = *lane_between(run, from, to);
            if (lane != NO_LANE)
                open_message(run, transfers, lane, from, to);
        }
    return count == 0 || (port_step_route(&context, run->arena, &run->lanes, diag) &&
                          sharing_note(&context, run->arena, &run->lanes, &run->sharing, diag));
}

/* ---- what happens ---- */

static bool is_due_before(void *context, int32_t a, int32_t b)
{
    const Work *works = ((const Run *)context)->works;
    return works[a].due != works[b].due ? works[a].due < works[b].due : a < b;
}

static void set_due(Run *run, int32_t b, double time)
{
    run->works[b].due = time;
    heap_set(run->arena, &run->due, b);
}

static void end_phase(Run *run, int32_t b, Phase phase, double seconds)
{
    run->works[b].phase = phase;
    set_due(run, b, run->now + seconds);
}

/* It is due when the flow gets its rate. */
static void start_flow(Run *run, int32_t b, Phase phase, const FlowDemand *demand, double bytes)
{
    Work *work = &run->works[b];
    work->phase = phase;
    work->flow =
        filling_start(&run->filling, demand, b, (Instant){bytes, 0}, (Instant){run->now, 0});
}

static void end_flow(Run *run, Work *work)
{
    if (work->flow >= 0)
        filling_end(&run->filling, work->flow);
    work->flow = -1;
}

/* The bytes of the step, or none, over the runner's lane. Who puts bytes goes on when the last has
   left; they arrive after startup and hops, as a signal behind them does. */
static void move_bytes(Run *run, int32_t b)
{
    Work *work = &run->works[b];
    const GpuStepKind kind = step_at(run, b)->kind;
    const size_t lane = work->lane;
    const double bytes = gpu_step_is_sync(kind) ? 0 : bytes_of(run, step_at(run, b));
    const PathCost *path = &run->lanes.paths[run->lanes.ranges[lane].first];
    const double *parameters = run->rules->parameters;
    const CostParts parts = path_parts(path, parameters, 0, bytes);
    const int32_t route = run->sharing.messages.items[lane].route;
    const bool is_fixed = !path->choice.rules; /* whatever the bytes */
    const FlowDemand *demand = is_fixed ? run->demands[lane] : NULL;
    if (!demand)
        demand = sharing_demand(&run->sharing, run->arena, route,
                                is_fixed ? -1 : choose_protocol(&path->choice, parameters, bytes),
                                parameters);
    if (is_fixed)
        run->demands[lane] = demand;
    const CostParts head = {.startup = parts.startup, .hop = parts.hop}, none = {.startup = 0};
    work->head = kind == GPU_STEP_PUT ? none : head;
    work->landing = kind == GPU_STEP_PUT ? head : none;
    work->has_bytes = demand->count > 0 && bytes > 0;
    if (!work->has_bytes) {
        end_phase(run, b, PHASE_ARRIVING, work->head.startup + work->head.hop);
        return;
    }
    start_flow(run, b, PHASE_SENDING, demand, bytes);
}

static void begin(Run *run, int32_t b);

/* It may have waited for what has just happened. */
static void wake(Run *run, int32_t b)
{
    if (run->works[b].phase == PHASE_WAITING)
        begin(run, b);
}

static void wake_rank(Run *run, int32_t rank)
{
    for (int32_t b = run->stepper.first_of[rank]; b < run->stepper.first_of[rank + 1]; b++)
        wake(run, b);
}

static void end_step(Run *run, int32_t b)
{
    GpuRunner *runner = &run->stepper.runners[b];
    const bool signals = step_at(run, b)->signals;
    if (span_at(run, b))
        span_at(run, b)->end = run->now;
    runner->next++;
    runner->has_begun = false;
    run->works[b].phase = gpu_stepper_is_done(&run->stepper, b) ? PHASE_DONE : PHASE_WAITING;
    if (signals)
        wake_rank(run, runner->rank);
    else
        wake(run, b);
}

/* What was received has been combined: its slot is free. */
static void end_combining(Run *run, int32_t b)
{
    const GpuRunner *runner = &run->stepper.runners[b];
    const GpuStep *step = step_at(run, b);
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    Work *work = &run->works[b];
    if (info->receives)
        runner->in->taken++;
    if (info->sends) {
        runner->out->sent++;
        work->lane = work->own_lane;
        move_bytes(run, b);
    } else if (gpu_step_signals(step->kind)) {
        /* All at once: they are there when the last one is. */
        double longest = -1;
        for (int32_t s = 0; s < step->semaphore_count; s++) {
            const GpuSemaphore *semaphore = &run->program->semaphores.items[step->semaphores[s]];
            const size_t lane = *lane_between(run, semaphore->from, semaphore->to);
            const PathCost *path = &run->lanes.paths[run->lanes.ranges[lane].first];
            const CostParts parts = path_parts(path, run->rules->parameters, 0, 0);
            if (parts.startup + parts.hop > longest) {
                longest = parts.startup + parts.hop;
                work->lane = lane;
            }
        }
        move_bytes(run, b);
    } else if (work->lane != NO_LANE && !info->receives) {
        move_bytes(run, b);
    } else {
        end_step(run, b);
    }
    if (info->receives)
        wake(run, runner->in->sender);
}

/* The step begins now, with what it combines, so many bytes. */
static void combine(Run *run, int32_t b, size_t lane, double bytes)
{
    const FlowDemand *demand = &run->combining[rank_of(run, b)];
    if (span_at(run, b))
        span_at(run, b)->start = run->now;
    run->stepper.runners[b].has_begun = true;
    run->works[b].path = run->last;
    run->works[b].lane = lane;
    if (demand->count && bytes > 0)
        start_flow(run, b, PHASE_COMBINING, demand, bytes);
    else
        end_phase(run, b, PHASE_COMBINING, 0);
}

/* Begins the next step, if it may: what has just happened is what it waited for, if it waited. */
static void begin(Run *run, int32_t b)
{
    const GpuStep *step = step_at(run, b);
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const int32_t rank = rank_of(run, b);
    if (gpu_stepper_wait(&run->stepper, b) != GPU_IS_FREE)
        return;
    if (step->kind == GPU_STEP_BARRIER) { /* those that have come go on */
        for (int32_t o = run->stepper.first_of[rank]; o < run->stepper.first_of[rank + 1]; o++)
            if (gpu_stepper_is_at(&run->stepper, o, step->barrier))
                combine(run, o, NO_LANE, 0);
        return;
    }
    gpu_stepper_take(&run->stepper, b);
    const int32_t from = gpu_place_rank(step->source, rank);
    const int32_t to = gpu_place_rank(step->destination, rank);
    const bool combines = info->reads && (info->receives || info->reads_destination);
    combine(run, b, from != to ? *lane_between(run, from, to) : NO_LANE,
            combines ? bytes_of(run, step) : 0);
}

/* A message, a signal, or bytes that were put or read. */
static void end_arriving(Run *run, int32_t b)
{
    const GpuStep *step = step_at(run, b);
    GpuConnection *out = gpu_step_info[step->kind].sends ? run->stepper.runners[b].out : NULL;
    const CostParts landed = cost_sum(run->works[b].path, run->works[b].landing);
    if (step->kind == GPU_STEP_PUT && cost_total(landed) > cost_total(run->landed))
        run->landed = landed;
    if (out)
        out->arrived++;
    gpu_stepper_signal(&run->stepper, b);
    end_step(run, b);
    if (out)
        wake(run, out->receiver);
    for (int32_t s = 0; s < step->semaphore_count && gpu_step_signals(step->kind); s++)
        wake_rank(run, run->program->semaphores.items[step->semaphores[s]].to);
}

static void handle(Run *run, int32_t b)
{
    Work *work = &run->works[b];
    switch (work->phase) {
    case PHASE_COMBINING:
        if (work->flow >= 0)
            work->path.compute += run->now - cost_total(work->path);
        end_flow(run, work);
        run->last = work->path;
        end_combining(run, b);
        break;
    case PHASE_SENDING:
        end_flow(run, work);
        end_phase(run, b, PHASE_ARRIVING, work->head.startup + work->head.hop);
        break;
    case PHASE_ARRIVING:
        run->last = cost_sum(work->path, work->head);
        if (work->has_bytes)
            run->last.transfer += run->now - cost_total(run->last);
        work->path = run->last;
        end_arriving(run, b);
        break;
    case PHASE_WAITING:
    case PHASE_DONE:
        break;
    }
}

static void follow(Run *run)
{
    for (int32_t b = 0; b < run->stepper.count; b++)
        run->works[b].phase = gpu_stepper_is_done(&run->stepper, b) ? PHASE_DONE : PHASE_WAITING;
    for (int32_t b = 0; b < run->stepper.count; b++)
        wake(run, b);
    for (int32_t b; (b = heap_take(&run->due)) >= 0;) {
        watch_poll(run->arena);
        run->now = run->works[b].due;
        handle(run, b);
        if (run->due.count == 0 || run->works[run->due.items[0]].due > run->now) {
            /* Where rates changed, last bytes come at other times. */
            filling_settle(&run->filling, (Instant){run->now, 0});
            for (size_t c = 0; c < run->filling.changed.count; c++) {
                const SharedFlow *flow = &run->filling.flows.items[run->filling.changed.items[c]];
                set_due(run, flow->owner, flow->finish.at);
            }
        }
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

bool gpu_time(Arena *arena, const GpuProgram *program, const Network *network, const Rules *rules,
              double chunk, int32_t tiles, GpuTime *time, Diag *diag)
{
    Arena *scratch = arena_scratch(arena);
    Rules fixed = *rules;
    fix_protocol(scratch, &fixed, program->protocol);
    Run run = {.program = program,
               .rules = &fixed,
               .arena = scratch,
               .chunk = chunk,
               .tiles = tiles,
               .stepper = gpu_stepper_create(scratch, program, tiles, program->slots),
               .sharing = {.rules = &fixed}};
    size_t steps = 0; /* of a tile */
    run.works = ARENA_ARRAY(scratch, Work, (size_t)run.stepper.count);
    for (int32_t b = 0; b < run.stepper.count; b++) {
        const GpuRunner *runner = &run.stepper.runners[b];
        const bool sends = runner->out && runner->out->receiver >= 0;
        run.works[b] = (Work){
            .flow = -1, .first_span = steps, .own_lane = sends ? run.lanes.count++ : NO_LANE};
        steps += runner->block->steps.count;
    }
    open_lanes(&run);
    const bool good = (steps * (size_t)tiles <= MOST_ENTRIES ||
                       diag_limit(diag, program->span,
                                  "%zu steps in %d tiles are more than %d, too many to be followed",
                                  steps, tiles, MOST_ENTRIES)) &&
                      route(&run, network, diag);
    if (good) {
        open_resources(&run);
        run.due = (Heap){.is_before = is_due_before,
                         .context = &run,
                         .places = heap_places(scratch, (size_t)run.stepper.count)};
        run.spans = ARENA_ARRAY(arena, StepSpan, steps);
        follow(&run);
        const bool is_behind = cost_total(run.landed) > cost_total(run.last);
        *time = (GpuTime){.parts = is_behind ? run.landed : run.last, .spans = run.spans};
    }
    arena_destroy(scratch);
    return good;
}
