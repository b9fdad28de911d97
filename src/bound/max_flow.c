#include "bound/max_flow.h"

#include "base/array.h"

void flow_arcs_add(Arena *arena, FlowArcs *list, int32_t from, int32_t to, int64_t capacity)
{
    if (list->count == list->room) {
        size_t room = list->room;
        list->arcs = array_grow(arena, list->arcs, list->count, &room, 1, sizeof *list->arcs);
        list->capacities = array_grow(arena, list->capacities, list->count, &list->room, 1,
                                      sizeof *list->capacities);
    }
    list->arcs[list->count] = (FlowArc){from, to};
    list->capacities[list->count++] = capacity;
}

Flow flow_create(Arena *arena, int32_t nodes, const FlowArc *arcs, size_t count)
{
    size_t room = (size_t)nodes + 1;
    Flow flow = {.workspace = arena_workspace(arena),
                 .nodes = nodes,
                 .count = count,
                 .starts = ARENA_ARRAY(arena, int32_t, room),
                 .heads = ARENA_ROOM(arena, int32_t, 2 * count),
                 .mates = ARENA_ROOM(arena, int32_t, 2 * count),
                 .places = ARENA_ROOM(arena, int32_t, count),
                 .left = ARENA_ROOM(arena, int64_t, 2 * count),
                 .levels = ARENA_ROOM(arena, int32_t, room),
                 .next = ARENA_ROOM(arena, int32_t, room),
                 .queue = ARENA_ROOM(arena, int32_t, room),
                 .path = ARENA_ROOM(arena, int32_t, room),
                 .pushes = ARENA_ROOM(arena, FlowPush, count),
                 .most_work = INT64_MAX};
    for (size_t i = 0; i < flow.count; i++)
        flow.starts[arcs[i].from + 1]++, flow.starts[arcs[i].to + 1]++;
    for (int32_t n = 0; n < flow.nodes; n++)
        flow.starts[n + 1] += flow.starts[n], flow.next[n] = flow.starts[n];
    for (size_t i = 0; i < flow.count; i++) {
        int32_t out = flow.next[arcs[i].from]++, back = flow.next[arcs[i].to]++;
        flow.places[i] = out;
        flow.heads[out] = arcs[i].to, flow.mates[out] = back;
        flow.heads[back] = arcs[i].from, flow.mates[back] = out;
    }
    for (int32_t n = 0; n < nodes; n++)
        flow.levels[n] = -1;
    return flow;
}

static void reach(Flow *flow, int32_t node, int32_t level)
{
    flow->levels[node] = level;
    flow->next[node] = flow->starts[node];
    flow->queue[flow->reached++] = node;
}

/* Levels from the sink, as far as the source's; false if it is not reached. */
static bool find_levels(Flow *flow, int32_t source, int32_t sink)
{
    workspace_poll(flow->workspace, NULL);
    flow->work += flow->reached;
    while (flow->reached)
        flow->levels[flow->queue[--flow->reached]] = -1;
    reach(flow, sink, 0);
    for (int32_t head = 0; head < flow->reached; head++) {
        int32_t node = flow->queue[head];
        if (node == source)
            return true;
        flow->work += flow->starts[node + 1] - flow->starts[node];
        for (int32_t i = flow->starts[node]; i < flow->starts[node + 1]; i++) {
            int32_t other = flow->heads[i];
            if (flow->levels[other] >= 0 || flow->left[flow->mates[i]] <= 0)
                continue;
            reach(flow, other, flow->levels[node] + 1);
        }
    }
    return false;
}

/* Sends what the path lets through. Returns how far it stays open: up to the first half that is
   full. */
static int32_t push_along(Flow *flow, int32_t length, int64_t *total)
{
    int64_t least = INT64_MAX;
    int32_t open = 0;
    for (int32_t i = length - 1; i >= 0; i--)
        if (flow->left[flow->path[i]] <= least)
            least = flow->left[flow->path[i]], open = i;
    for (int32_t i = 0; i < length; i++) {
        flow->left[flow->path[i]] -= least;
        flow->left[flow->mates[flow->path[i]]] += least;
        if (flow->push_count < flow->count)
            flow->pushes[flow->push_count] = (FlowPush){flow->path[i], least};
        flow->push_count++;
    }
    flow->work += length;
    *total += least;
    return open;
}

/* Shortest paths until none is open, `enough` has passed, or this was too much work; the path is
   kept on a stack of halves. */
static int64_t push_level(Flow *flow, int32_t source, int32_t sink, int64_t enough)
{
    int64_t total = 0;
    int32_t node = source, length = 0;
    for (;;) {
        int32_t half = -1; /* the next one towards the sink */
        for (; flow->next[node] < flow->starts[node + 1]; flow->next[node]++) {
            const int32_t next = flow->next[node];
            flow->work++;
            if (flow->left[next] > 0 && flow->levels[flow->heads[next]] == flow->levels[node] - 1) {
                half = next;
                break;
            }
        }
        if (half < 0 && node == source)
            return total;
        if (half < 0) {
            int32_t back = flow->path[--length];
            node = flow->heads[flow->mates[back]];
            flow->next[node]++;
            continue;
        }
        flow->path[length++] = half;
        node = flow->heads[half];
        if (node == sink) {
            length = push_along(flow, length, &total);
            if (total >= enough || flow->work > flow->most_work)
                return total;
            node = flow->heads[flow->mates[flow->path[length]]];
        }
    }
}

void flow_load(Flow *flow, const int64_t *capacities)
{
    for (size_t i = 0; i < flow->count; i++) {
        flow->left[flow->places[i]] = capacities[i];
        flow->left[flow->mates[flow->places[i]]] = 0;
    }
    flow->work += (int64_t)flow->count;
    flow->push_count = 0;
}

void flow_change(Flow *flow, size_t arc, int64_t capacity)
{
    flow->left[flow->places[arc]] = capacity;
}

int64_t flow_pass(Flow *flow, int32_t source, int32_t sink, int64_t enough)
{
    int64_t total = 0;
    while (total < enough && flow->work <= flow->most_work && find_levels(flow, source, sink))
        total += push_level(flow, source, sink, enough - total);
    return total;
}

void flow_take_back(Flow *flow, const int64_t *capacities)
{
    if (flow->push_count > flow->count)
        flow_load(flow, capacities);
    flow->work += (int64_t)flow->push_count;
    while (flow->push_count) {
        const FlowPush push = flow->pushes[--flow->push_count];
        flow->left[push.half] += push.amount;
        flow->left[flow->mates[push.half]] -= push.amount;
    }
}

int64_t flow_run(Flow *flow, const int64_t *capacities, int32_t source, int32_t sink)
{
    flow_load(flow, capacities);
    return flow_pass(flow, source, sink, INT64_MAX);
}
