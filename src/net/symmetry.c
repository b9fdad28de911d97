#include "net/symmetry.h"

/* One step along a dimension, from the last coordinate to the first. */
static int64_t step(const Shape *shape, int64_t rank, int dimension)
{
    int64_t stride = shape_stride(shape, dimension), size = shape->sizes[dimension];
    return shape_coordinate(shape, rank, dimension) + 1 < size ? rank + stride
                                                               : rank - (size - 1) * stride;
}

static bool maps_on_itself(const Network *network, int dimension)
{
    const Graph graph = network_graph(network);
    const ClassNumber *classes = network->link_classes;
    for (int64_t r = 0; r < network->p; r++) {
        int64_t image = step(&network->shape, r, dimension);
        if (network_degree(network, r) != network_degree(network, image))
            return false;
        for (int64_t i = network->starts[r]; i < network->starts[r + 1]; i++) {
            int64_t other = step(&network->shape, network->neighbours[i], dimension);
            int64_t link = graph_find(&graph, image, other);
            if (link < 0 || (classes && classes[link] != classes[i]))
                return false;
        }
    }
    return true;
}

bool network_is_symmetric(const Network *network)
{
    if (!network->starts)
        return true;
    if (network->node_count > network->p || network->grouping)
        return false;
    for (int i = 0; i < network->shape.count; i++)
        if (!maps_on_itself(network, i))
            return false;
    return true;
}
