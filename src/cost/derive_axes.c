#include "cost/derive_axes.h"

#include "net/line.h"

/* Does every rank send one message, all of the same size, in their order? */
static bool all_send_alike(const Network *network, const PortStep *step)
{
    if (step->count != (size_t)network->p)
        return false;
    for (size_t i = 0; i < step->count; i++)
        if (step->transfers[i]->from != (int64_t)i || step->sizes[i] != step->sizes[0])
            return false;
    return true;
}

/* Does the rank with coordinates a, b, ... send to that with the coordinates to which a, b, ... go
   on the axes? goals[i][a]: such a coordinate along dimension i, times the stride. */
static bool go_as_on_axes(const Shape *shape, int64_t *const *goals, const PortStep *step)
{
    int64_t coordinates[MOST_DIMENSIONS] = {0}, slower = 0;
    for (int i = 1; i < shape->count; i++)
        slower += goals[i][0];
    for (size_t r = 0; r < step->count; r++) {
        if (step->transfers[r]->to != slower + goals[0][coordinates[0]])
            return false;
        if (++coordinates[0] < shape->sizes[0])
            continue;
        coordinates[0] = 0;
        for (int i = 1; i < shape->count; i++) {
            slower -= goals[i][coordinates[i]];
            coordinates[i] = coordinates[i] + 1 < shape->sizes[i] ? coordinates[i] + 1 : 0;
            slower += goals[i][coordinates[i]];
            if (coordinates[i])
                break;
        }
    }
    return true;
}

/* Messages along one axis. False where two have one goal. */
static bool add_axis(const Shape *shape, Arena *arena, const PortStep *step, int dimension,
                     int64_t *goals, AxisMessages *messages, size_t *count)
{
    const int64_t size = shape->sizes[dimension], stride = shape_stride(shape, dimension);
    bool *taken = ARENA_ARRAY(arena, bool, (size_t)size);
    messages->starts[dimension] = *count;
    for (int64_t a = 0; a < size; a++) {
        int64_t goal = shape_coordinate(shape, step->transfers[a * stride]->to, dimension);
        if (taken[goal])
            return false;
        taken[goal] = true;
        goals[a] = goal * stride;
        messages->rests[dimension] |= goal == a;
        if (goal == a)
            continue;
        messages->from[*count] = a * stride;
        messages->to[(*count)++] = goal * stride;
    }
    messages->starts[dimension + 1] = *count;
    return true;
}

bool axes_are_lines(const Network *network)
{
    const int dimensions = network->shape.count;
    return network->topology->base && !network->grouping && dimensions > 1 &&
           network->router->count == dimensions && network->node_count == network->p;
}

bool axis_messages_find(const Network *network, Arena *arena, const PortStep *step,
                        AxisMessages *messages)
{
    const Shape *shape = &network->shape;
    int64_t *goals[MOST_DIMENSIONS], length = 0;
    size_t count = 0;
    if (!axes_are_lines(network) || !all_send_alike(network, step))
        return false;
    for (int i = 0; i < shape->count; i++)
        length += shape->sizes[i];
    *messages = (AxisMessages){.from = ARENA_ROOM(arena, int64_t, (size_t)length),
                               .to = ARENA_ROOM(arena, int64_t, (size_t)length)};
    for (int i = 0; i < shape->count; i++) {
        goals[i] = ARENA_ROOM(arena, int64_t, (size_t)shape->sizes[i]);
        if (!add_axis(shape, arena, step, i, goals[i], messages, &count))
            return false;
    }
    return go_as_on_axes(shape, goals, step);
}
