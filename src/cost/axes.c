#include "cost/axes.h"

#include "base/whole.h"

/* Paths along one dimension of those that go on there or carry over to the next one; NULL: not
   known yet. */
typedef struct MovedPaths {
    PlainList *kept[2];
} MovedPaths;

/* Is the network a grid of lines, through which messages go in one dimension after the other? */
static bool is_grid(const Network *network, Move move)
{
    const Shape *shape = &network->shape;
    bool good = network->topology->factor_count && !network->grouping && shape->count > 1 &&
                network->router->count == shape->count && network->node_count == network->p;
    for (int i = 0; i < shape->count && move == MOVE_BITS; i++)
        good &= whole_is_power_of_two(shape->sizes[i]);
    return good;
}

/* Where all ranks of the first line go by `digit`, as many messages as there are links. NULL after
   a report. */
static const PlainList *find_along(LinkLoads *loads, Arena *scratch, int dimension, Move move,
                                   int64_t digit, bool carries, Diag *diag)
{
    const Shape *shape = &loads->routes.network->shape;
    const int64_t size = shape->sizes[dimension], stride = shape_stride(shape, dimension);
    MovedPaths *known = &loads->moved[move][dimension][digit];
    if (known->kept[carries])
        return known->kept[carries];
    int64_t *from = ARENA_ROOM(scratch, int64_t, size), *to = ARENA_ROOM(scratch, int64_t, size);
    PortStep line = {.from = from, .sizes = ARENA_ROOM(scratch, int64_t, size)};
    int32_t *found = ARENA_ROOM(scratch, int32_t, size);
    for (int64_t a = 0; a < size && digit % size; a++) {
        const int64_t goal = move == MOVE_BITS ? a ^ digit : (a + digit) % size;
        from[a] = a * stride, to[a] = goal * stride;
        line.sizes[line.count++] = 1;
    }
    if (!routes_find(&loads->routes, scratch, line.count, from, to, found, diag))
        return NULL;
    link_loads_add(loads, &line, found);
    /* those that carry over are the last ones */
    const size_t over = (size_t)(move == MOVE_BITS ? size : size - digit);
    for (int out = 0; out < 2; out++) {
        PlainList *list = known->kept[out] = ARENA_NEW(loads->routes.arena, PlainList);
        if (line.count)
            link_loads_list(loads, loads->routes.arena, &line, found, out ? over : 0,
                            out ? line.count : over, list);
        else if (out == (over == 0))
            *ARRAY_PUSH(loads->routes.arena, list) = (PlainCost){.own = 1};
        plain_keep_highest(list);
    }
    return known->kept[carries];
}

static void make_room(LinkLoads *loads, Move move)
{
    const Shape *shape = &loads->routes.network->shape;
    if (loads->moved[move])
        return;
    loads->moved[move] = ARENA_ARRAY(loads->routes.arena, MovedPaths *, shape->count);
    for (int i = 0; i < shape->count; i++)
        loads->moved[move][i] =
            ARENA_ARRAY(loads->routes.arena, MovedPaths, (size_t)shape->sizes[i] + 1);
}

bool axes_slowest(const LoadContext *context, Arena *scratch, Move move, int64_t amount,
                  int64_t blocks, PathList *slowest, bool *failed, Diag *diag)
{
    const Shape *shape = &context->network->shape;
    PlainList before[2] = {{0}};
    if (!context->network->router || !is_grid(context->network, move))
        return false;
    LinkLoads *loads = link_loads_open(context, 0);
    if (!loads->is_plain)
        return false;
    make_room(loads, move);
    *ARRAY_PUSH(scratch, &before[0]) = (PlainCost){.own = 1};
    for (int i = 0; i < shape->count; amount /= shape->sizes[i++]) {
        PlainList after[2] = {{0}};
        for (int in = 0; in < 2; in++)
            for (int out = 0; out < 2 && before[in].count; out++) {
                const PlainList *along =
                    find_along(loads, scratch, i, move, amount % shape->sizes[i] + in, out, diag);
                if (!along)
                    return *failed = true;
                const PlainList joined = plain_join(scratch, &before[in], along);
                for (size_t j = 0; j < joined.count; j++)
                    plain_push(scratch, &after[out], &joined.items[j]);
            }
        for (int out = 0; out < 2; out++) {
            plain_keep_highest(&after[out]);
            before[out] = after[out];
        }
    }
    for (size_t j = 0; j < before[1].count; j++)
        plain_push(scratch, &before[0], &before[1].items[j]);
    plain_keep_highest(&before[0]);
    for (size_t j = 0; j < before[0].count; j++) {
        PlainCost *cost = &before[0].items[j];
        cost->own = blocks;
        cost->most.blocks = cost->most.messages * blocks;
    }
    return plain_paths(context, scratch, &before[0], slowest);
}
