#include "cost/goal_time.h"

#include "base/heap.h"
#include "base/watch.h"
#include "cost/derive_memo.h"

#include <math.h>

/* A processor or an adapter: until when it is held, and the path to then. */
typedef struct {
    double free;
    CostParts path;
} Unit;

typedef enum { WAITS, BEGINS, COMES, DONE } Phase;

/* An operation while the program runs. */
typedef struct {
    Phase phase;
    int32_t waits;   /* requirements that are open */
    int32_t next;    /* in the list of its rank that it is in; -1: none */
    int32_t line;    /* of Run.lines: where it waits; -1: it does not */
    bool is_matched; /* of a send: a receive has taken it */
    int64_t number;  /* the order in which operations and messages came, kept while they wait: of
                        several that wait for one unit, the one that came first has it next */
    double time;     /* when it begins, comes, or is there */
    CostParts path;  /* to then */
} State;

/* Operations that wait for the same units: only the first one is due, since the others get these
   after it. */
ARRAY_TYPE(Lines, Heap);

/* What has come and not been taken, and what is posted, of one rank: in order. */
typedef struct {
    int32_t first, last;
} List;

typedef struct {
    const GoalProgram *program;
    const Rules *rules;
    Arena *arena;
    PortStep pairs; /* a message of one block between each two ranks that send */
    int32_t *pair_of;
    State *states;
    Unit *cpus, *senders, *receivers;
    List *unexpected, *posted;
    Heap due;
    PlaceTable line_of; /* by the units */
    Lines lines;
    int32_t *places_in_lines;
    int64_t added;
    double last;
    CostParts path; /* to `last` */
} Run;

static const GoalOperation *operation(const Run *run, int32_t i)
{
    return &run->program->operations.items[i];
}

/* ---- routes ---- */

static bool route(Run *run, const Network *network, Diag *diag)
{
    const GoalOperations *operations = &run->program->operations;
    PlaceTable table = {0};
    PortStep *pairs = &run->pairs;
    const LoadContext context = {.rules = run->rules,
                                 .network = network,
                                 .link_costs = rules_link_costs(run->arena, run->rules, network),
                                 .kept = run->arena,
                                 .memo = memo_create(run->arena),
                                 .each = true};
    ScheduledTransfer *transfers = ARENA_ARRAY(run->arena, ScheduledTransfer, operations->count);
    run->pair_of = ARENA_ARRAY(run->arena, int32_t, operations->count);
    for (size_t i = 0; i < operations->count; i++) {
        const GoalOperation *at = &operations->items[i];
        if (at->kind != GOAL_SEND)
            continue;
        int32_t *place =
            place_table_find(run->arena, &table, (uint64_t)at->rank << 32 | (uint32_t)at->peer);
        if (*place < 0) {
            *place = (int32_t)pairs->count;
            transfers[pairs->count].from = at->rank;
            transfers[pairs->count++].to = at->peer;
        }
        run->pair_of[i] = *place;
    }
    pairs->transfers = ARENA_ARRAY(run->arena, const ScheduledTransfer *, pairs->count);
    pairs->sizes = ARENA_ARRAY(run->arena, int64_t, pairs->count);
    pairs->combines = ARENA_ARRAY(run->arena, int64_t, pairs->count);
    for (size_t i = 0; i < pairs->count; i++) {
        pairs->transfers[i] = &transfers[i];
        pairs->sizes[i] = 1;
    }
    return !pairs->count || port_step_route(&context, run->arena, pairs, diag);
}

/* What a message costs: startup and hops are those of its first byte, transfer is of the others. It
   is as slow as the slowest of its paths: these are one for each kind of link that it crosses. */
static CostParts message_parts(const Run *run, int32_t i)
{
    CostParts slowest = {0};
    if (!run->pairs.count)
        return slowest;
    const PathRange range = run->pairs.ranges[run->pair_of[i]];
    const double bytes = (double)operation(run, i)->size;
    for (size_t j = range.first; j < range.first + range.count; j++) {
        const CostParts parts = path_parts(&run->pairs.paths[j], run->rules->parameters,
                                           bytes > 1 ? bytes - 1 : 0, bytes);
        if (j == range.first || cost_total(parts) > cost_total(slowest))
            slowest = parts;
    }
    return slowest;
}

/* ---- what happens ---- */

static bool came_before(void *context, int32_t a, int32_t b)
{
    const State *states = ((const Run *)context)->states;
    return states[a].number < states[b].number;
}

static bool is_due_before(void *context, int32_t a, int32_t b)
{
    const State *states = ((const Run *)context)->states;
    return states[a].time != states[b].time ? states[a].time < states[b].time
                                            : came_before(context, a, b);
}

static void set_due(Run *run, int32_t i, double time, CostParts path)
{
    State *state = &run->states[i];
    state->time = time;
    state->path = path;
    heap_set(run->arena, &run->due, i);
}

static void due(Run *run, int32_t i, Phase phase, double time, CostParts path)
{
    run->states[i].phase = phase;
    run->states[i].number = run->added++;
    set_due(run, i, time, path);
}

static void follow_edges(Run *run, int32_t i, bool at_start, double time, CostParts path)
{
    for (int32_t e = operation(run, i)->first_edge; e >= 0; e = run->program->edges.items[e].next)
        if (run->program->edges.items[e].at_start == at_start) {
            /* One thing less to wait for, at this time. */
            State *state = &run->states[run->program->edges.items[e].to];
            if (time >= state->time) {
                state->time = time;
                state->path = path;
            }
            if (--state->waits == 0)
                due(run, run->program->edges.items[e].to, BEGINS, state->time, state->path);
        }
}

static void finish(Run *run, int32_t i, double time, CostParts path)
{
    run->states[i].phase = DONE;
    if (time >= run->last) {
        run->last = time;
        run->path = path;
    }
    follow_edges(run, i, false, time, path);
}

/* ---- units ---- */

static double overhead(const Run *run)
{
    return run->rules->delays[DELAY_OVERHEAD].seconds;
}

/* What an operation, or a message at its receiver, holds; NULL: nothing. */
typedef struct {
    Unit *cpu, *nic;
} Units;

static Units units_of(const Run *run, int32_t i)
{
    const GoalOperation *at = operation(run, i);
    const bool comes = run->states[i].phase == COMES;
    const int32_t rank = comes ? at->peer : at->rank;
    Unit *cpu = &run->cpus[rank * run->program->cpus + at->cpu];
    Unit *nics = &(comes ? run->receivers : run->senders)[rank * run->program->nics];
    return (Units){.cpu = !comes || overhead(run) > 0 ? cpu : NULL,
                   .nic = at->kind == GOAL_SEND ? &nics[at->nic] : NULL};
}

/* The one that is free last. */
static const Unit *last_unit(Units units)
{
    return !units.nic || (units.cpu && units.cpu->free > units.nic->free) ? units.cpu : units.nic;
}

/* All must be free; otherwise the operation comes again when they are. */
static bool are_free(Run *run, int32_t i, Units units)
{
    State *state = &run->states[i];
    const Unit *last = last_unit(units);
    if (last->free <= state->time)
        return true;
    if (state->line < 0) { /* the line of those that wait for the same */
        const bool comes = state->phase == COMES;
        const Unit *nics = comes ? run->receivers : run->senders;
        const uint64_t cpu = units.cpu ? (uint64_t)(units.cpu - run->cpus) + 1 : 0;
        const uint64_t nic = units.nic ? (uint64_t)(units.nic - nics) + 1 : 0;
        int32_t *place =
            place_table_find(run->arena, &run->line_of, (cpu << 31 | nic) << 1 | comes);
        if (*place < 0) {
            *place = (int32_t)run->lines.count;
            *ARRAY_PUSH(run->arena, &run->lines) =
                (Heap){.is_before = came_before, .context = run, .places = run->places_in_lines};
        }
        state->line = *place;
        heap_set(run->arena, &run->lines.items[*place], i);
    }
    if (run->lines.items[state->line].items[0] == i)
        set_due(run, i, last->free, last->path);
    return false;
}

static void hold(Unit *unit, double time, CostParts path)
{
    unit->free = time;
    unit->path = path;
}

/* The gap and the rest of the bytes, for which an adapter is held. */
static CostParts adapter_parts(const Run *run, CostParts message)
{
    const Delay *gap = &run->rules->delays[DELAY_GAP];
    if (gap->is_given) {
        message.startup = gap->seconds;
        message.hop = 0;
    }
    return message;
}

static void begin_send(Run *run, int32_t i)
{
    const State now = run->states[i];
    const Units units = units_of(run, i);
    if (!are_free(run, i, units))
        return;
    const CostParts message = message_parts(run, i), held = adapter_parts(run, message);
    const double own = overhead(run);
    CostParts path = cost_sum(now.path, (CostParts){.startup = own});
    hold(units.cpu, now.time + own, path);
    hold(units.nic, now.time + cost_total(held), cost_sum(now.path, held));
    follow_edges(run, i, true, now.time, now.path);
    const double sent = now.time + own;
    if (sent >= run->last) {
        run->last = sent;
        run->path = path;
    }
    follow_edges(run, i, false, sent, path);
    const double startup = fmax(message.startup - own, own);
    path = cost_sum(now.path, (CostParts){.startup = startup, .hop = message.hop});
    due(run, i, COMES, now.time + startup + message.hop, path);
}

static bool takes(const Run *run, int32_t receive, int32_t send)
{
    const GoalOperation *one = operation(run, receive), *other = operation(run, send);
    return (one->peer < 0 || one->peer == other->rank) && (one->tag < 0 || one->tag == other->tag);
}

static void append(Run *run, List *list, int32_t i)
{
    run->states[i].next = -1;
    if (list->first < 0)
        list->first = i;
    else
        run->states[list->last].next = i;
    list->last = i;
}

static void unlink_from(Run *run, List *list, int32_t before, int32_t i)
{
    if (before < 0)
        list->first = run->states[i].next;
    else
        run->states[before].next = run->states[i].next;
    if (list->last == i)
        list->last = before;
}

static void begin_receive(Run *run, int32_t i)
{
    List *list = &run->unexpected[operation(run, i)->rank];
    const State now = run->states[i];
    follow_edges(run, i, true, now.time, now.path);
    for (int32_t before = -1, s = list->first; s >= 0; before = s, s = run->states[s].next) {
        const State *send = &run->states[s];
        if (!takes(run, i, s))
            continue;
        unlink_from(run, list, before, s);
        run->states[s].is_matched = true;
        finish(run, i, fmax(send->time, now.time), send->time > now.time ? send->path : now.path);
        return;
    }
    append(run, &run->posted[operation(run, i)->rank], i);
}

/* A message at its receiver. */
static void arrive(Run *run, int32_t i)
{
    const GoalOperation *at = operation(run, i);
    const State now = run->states[i];
    const Units units = units_of(run, i);
    if (!are_free(run, i, units))
        return;
    const CostParts message = message_parts(run, i), held = adapter_parts(run, message);
    const CostParts own = {.startup = overhead(run)};
    CostParts path = cost_sum(now.path, own);
    if (units.cpu)
        hold(units.cpu, now.time + own.startup, path);
    hold(units.nic, now.time + cost_total(held), cost_sum(now.path, held));
    path.transfer += message.transfer;
    run->states[i].phase = DONE;
    run->states[i].time = now.time + own.startup + message.transfer;
    run->states[i].path = path;
    List *list = &run->posted[at->peer];
    for (int32_t before = -1, r = list->first; r >= 0; before = r, r = run->states[r].next) {
        if (!takes(run, r, i))
            continue;
        unlink_from(run, list, before, r);
        run->states[i].is_matched = true;
        finish(run, r, run->states[i].time, path);
        return;
    }
    append(run, &run->unexpected[at->peer], i);
}

static void begin_calculation(Run *run, int32_t i)
{
    const GoalOperation *at = operation(run, i);
    const State now = run->states[i];
    const Units units = units_of(run, i);
    if (!are_free(run, i, units))
        return;
    const double seconds = (double)at->size * 1e-9;
    const CostParts path = cost_sum(now.path, (CostParts){.compute = seconds});
    hold(units.cpu, now.time + seconds, path);
    follow_edges(run, i, true, now.time, now.path);
    finish(run, i, now.time + seconds, path);
}

static void handle(Run *run, int32_t i)
{
    State *state = &run->states[i];
    const int32_t line = state->line;
    const Phase phase = state->phase;
    const double now = state->time;
    if (phase == COMES)
        arrive(run, i);
    else if (operation(run, i)->kind == GOAL_SEND)
        begin_send(run, i);
    else if (operation(run, i)->kind == GOAL_RECEIVE)
        begin_receive(run, i);
    else
        begin_calculation(run, i);
    if (line < 0 || state->phase == phase)
        return;
    /* The first one in the line has left it: the next one moves up. */
    Heap *waiting = &run->lines.items[line];
    run->states[heap_take(waiting)].line = -1;
    const int32_t next = waiting->count ? waiting->items[0] : -1;
    const Unit *last = next >= 0 ? last_unit(units_of(run, next)) : NULL;
    if (last && run->due.places[next] < 0)
        set_due(run, next, fmax(last->free, now), last->path);
}

/* ---- all of it ---- */

static void open_run(Run *run)
{
    const GoalProgram *program = run->program;
    const size_t p = (size_t)program->rank_count, count = program->operations.count;
    run->states = ARENA_ARRAY(run->arena, State, count);
    run->cpus = ARENA_ARRAY(run->arena, Unit, p * (size_t)program->cpus);
    run->senders = ARENA_ARRAY(run->arena, Unit, p * (size_t)program->nics);
    run->receivers = ARENA_ARRAY(run->arena, Unit, p * (size_t)program->nics);
    run->due = (Heap){
        .is_before = is_due_before, .context = run, .places = heap_places(run->arena, count)};
    run->places_in_lines = heap_places(run->arena, count);
    run->unexpected = ARENA_ARRAY(run->arena, List, p);
    run->posted = ARENA_ARRAY(run->arena, List, p);
    for (size_t r = 0; r < p; r++)
        run->unexpected[r] = run->posted[r] = (List){-1, -1};
    for (size_t i = 0; i < count; i++) {
        run->states[i].line = -1;
        run->states[i].waits = operation(run, (int32_t)i)->required;
        if (!run->states[i].waits)
            due(run, (int32_t)i, BEGINS, 0, (CostParts){0});
    }
}

/* Counts messages, and finds what never ends, if anything: of receives and messages that wait for
   one another, and of what waits for these, the first says the most. */
static void look_back(const Run *run, Arena *arena, GoalTime *time)
{
    static const char *const what[] = {"a receive whose message never comes",
                                       "a message that nobody receives",
                                       "an operation that waits for ever"};
    size_t least = COUNT_OF(what);
    for (int32_t i = 0; i < (int32_t)run->program->operations.count; i++) {
        const GoalOperation *at = operation(run, i);
        const State *state = &run->states[i];
        size_t kind = state->waits ? 2 : at->kind == GOAL_RECEIVE ? 0 : 1;
        time->messages += at->kind == GOAL_SEND;
        if (state->phase == DONE && (at->kind != GOAL_SEND || state->is_matched))
            continue;
        if (kind >= least)
            continue;
        least = kind;
        time->stuck = arena_printf(arena, "rank %d: %s", at->rank, what[kind]);
        time->span = at->span;
    }
}

bool goal_time(Arena *arena, const GoalProgram *program, const Network *network, const Rules *rules,
               GoalTime *time, Diag *diag)
{
    Arena *scratch = arena_scratch(arena);
    Run run = {.program = program, .rules = rules, .arena = scratch};
    *time = (GoalTime){.span = program->span};
    const bool routed = !network || route(&run, network, diag);
    if (routed) {
        open_run(&run);
        for (int32_t i; (i = heap_take(&run.due)) >= 0; watch_poll(scratch))
            handle(&run, i);
        look_back(&run, arena, time);
        time->parts = run.path;
    }
    arena_destroy(scratch);
    return routed;
}
