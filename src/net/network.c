#include "net/network.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_HOPS = 1 << 24 };

const int64_t network_largest = (int64_t)1 << 22;

static int compare_ranks(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static bool check_neighbours(const Network *network, const CompiledSet *set, const SetItems *items,
                             Diag *diag)
{
    for (size_t i = 0; i < items->count; i++)
        if (items->indices[0][i] < 0 || items->indices[0][i] >= network->p) {
            diag_error(diag, set->syntax->text.span,
                       "rank %lld has the neighbour %lld, but there are ranks 0 .. %lld",
                       (long long)items->lanes[i], (long long)items->indices[0][i],
                       (long long)network->p - 1);
            return false;
        }
    return true;
}

/* A rank is no neighbour of itself. */
static void drop_selves(Arena *arena, SetItems *items)
{
    int64_t *lanes = ARENA_ROOM(arena, int64_t, items->count);
    int64_t *others = ARENA_ROOM(arena, int64_t, items->count);
    size_t kept = 0;
    for (size_t i = 0; i < items->count; i++) {
        lanes[kept] = items->lanes[i];
        others[kept] = items->indices[0][i];
        kept += lanes[kept] != others[kept];
    }
    *items = (SetItems){kept, lanes, {others}};
}

static const int64_t *count_arrivals(Arena *arena, const LaneLists *links, size_t p)
{
    int64_t *degrees = ARENA_ARRAY(arena, int64_t, p);
    for (int64_t i = 0; i < links->starts[p]; i++)
        degrees[links->numbers[i]]++;
    return degrees;
}

static bool list_neighbours(Arena *arena, Network *network, Diag *diag)
{
    const SetList *sets = &network->topology->neighbours;
    size_t p = (size_t)network->p;
    Frame frame = {{&network->p, lanes_identity(arena, p)}};
    SetItems *items = ARENA_ARRAY(arena, SetItems, sets->count);
    int64_t **others = ARENA_ARRAY(arena, int64_t *, sets->count);
    for (size_t s = 0; s < sets->count; s++) {
        if (!set_expand(&sets->items[s], arena, &frame, p, &items[s], diag) ||
            !check_neighbours(network, &sets->items[s], &items[s], diag))
            return false;
        drop_selves(arena, &items[s]);
        others[s] = (int64_t *)(uintptr_t)items[s].indices[0];
    }
    LaneLists links = lanes_lists(arena, items, others, sets->count, p);
    network->starts = links.starts;
    network->neighbours = links.numbers;
    network->arrivals = count_arrivals(arena, &links, p);
    return true;
}

bool network_create(Arena *arena, const Topology *topology, int64_t p, Network *network, Diag *diag)
{
    static const LinkClass usual = {.tw = -1, .th = -1};
    *network = (Network){.topology = topology,
                         .p = p,
                         .node_count = p,
                         .classes = &usual,
                         .class_count = 1,
                         .shape = shape_line(p),
                         .name = arena_printf(arena, "%s:%lld", topology->head.name, (long long)p)};
    if (topology->direct)
        return true;
    if (p > network_largest) {
        diag_error(diag, NOWHERE, "%s is too large: at most %lld ranks can be laid out",
                   network->name, (long long)network_largest);
        return false;
    }
    return list_neighbours(arena, network, diag);
}

int64_t network_arrivals(const Network *network, int64_t rank)
{
    return network->starts ? network->arrivals[rank] : network->p - 1;
}

int64_t network_degree(const Network *network, int64_t rank)
{
    if (!network->starts)
        return network->p - 1;
    return network->starts[rank + 1] - network->starts[rank];
}

static bool is_neighbour(const Network *network, int64_t from, int64_t to)
{
    const int64_t *start = network->neighbours + network->starts[from];
    size_t count = (size_t)network_degree(network, from);
    return bsearch(&to, start, count, sizeof to, compare_ranks) != NULL;
}

typedef struct {
    size_t count;
    int64_t *message, *at, *to;
} Travellers;

static bool check_hop(const Network *network, int64_t from, int64_t next, int64_t to, Diag *diag)
{
    if (next >= 0 && next < network->p && is_neighbour(network, from, next))
        return true;
    diag_error(diag, network->topology->next.text.span,
               "a message for rank %lld goes from rank %lld to %lld, which is no neighbour",
               (long long)to, (long long)from, (long long)next);
    return false;
}

/* One hop of all messages that have not arrived. */
static bool hop(const Network *network, Arena *arena, Travellers *travellers, IntArray links[4],
                int64_t *hops, Diag *diag)
{
    int64_t *next = ARENA_ROOM(arena, int64_t, travellers->count);
    const void *slots[MOST_SLOTS] = {&network->p, travellers->at, travellers->to};
    if (!program_run(network->topology->next.program, slots, travellers->count, next, diag))
        return false;
    size_t kept = 0;
    if (links[0].count + travellers->count > MOST_HOPS) {
        diag_error(diag, NOWHERE, "the messages of one round cross too many links of %s",
                   network->name);
        return false;
    }
    for (size_t i = 0; i < travellers->count; i++) {
        int64_t message = travellers->message[i], at = travellers->at[i], to = travellers->to[i];
        if (!check_hop(network, at, next[i], to, diag))
            return false;
        *ARRAY_PUSH(arena, &links[0]) = message;
        *ARRAY_PUSH(arena, &links[1]) = at;
        *ARRAY_PUSH(arena, &links[2]) = next[i];
        *ARRAY_PUSH(arena, &links[3]) = hops[message]++;
        travellers->message[kept] = message;
        travellers->at[kept] = next[i];
        travellers->to[kept] = to;
        kept += next[i] != to;
    }
    travellers->count = kept;
    return true;
}

bool network_route(const Network *network, Arena *arena, size_t count, const int64_t *from,
                   const int64_t *to, Routes *routes, Diag *diag)
{
    Travellers travellers = {count, ARENA_ARRAY(arena, int64_t, count),
                             ARENA_COPY(arena, int64_t, from, count),
                             ARENA_COPY(arena, int64_t, to, count)};
    int64_t *hops = ARENA_ARRAY(arena, int64_t, count);
    for (size_t i = 0; i < count; i++)
        travellers.message[i] = (int64_t)i;
    if (network->topology->direct) {
        for (size_t i = 0; i < count; i++)
            hops[i] = 1;
        *routes = (Routes){
            hops, count, travellers.message, from, to, ARENA_ARRAY(arena, int64_t, count), NULL};
        return true;
    }
    IntArray links[4] = {{0}};
    for (int64_t steps = 0; travellers.count; steps++) {
        if (steps > network->p) {
            diag_error(diag, network->topology->next.text.span,
                       "a message for rank %lld never arrives", (long long)travellers.to[0]);
            return false;
        }
        if (!hop(network, arena, &travellers, links, hops, diag))
            return false;
    }
    *routes = (Routes){
        hops, links[0].count, links[0].items, links[1].items, links[2].items, links[3].items, NULL};
    return true;
}

void network_distances(const Network *network, Arena *arena, int64_t source, int64_t *distances)
{
    for (int64_t r = 0; r < network->p; r++)
        distances[r] = network->starts ? -1 : 1;
    distances[source] = 0;
    if (!network->starts)
        return;
    int64_t *queue = ARENA_ARRAY(arena, int64_t, (size_t)network->p);
    size_t head = 0, tail = 0;
    queue[tail++] = source;
    while (head < tail) {
        int64_t rank = queue[head++];
        for (int64_t i = network->starts[rank]; i < network->starts[rank + 1]; i++)
            if (distances[network->neighbours[i]] < 0) {
                distances[network->neighbours[i]] = distances[rank] + 1;
                queue[tail++] = network->neighbours[i];
            }
    }
}
