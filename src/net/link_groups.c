#include "net/link_groups.h"

#include <string.h>

_Static_assert((int)LIMIT_LEVELS <= (int)MOST_DIMENSIONS, "a group for each level or dimension");

static void add_group(LinkGroups *groups, const char *name)
{
    groups->items[groups->count++].name = name;
}

static int64_t differing_dimension(const Shape *shape, int64_t from, int64_t to, int *count)
{
    int64_t found = 0;
    *count = 0;
    for (int i = 0; i < shape->count; i++)
        if (shape_coordinate(shape, from, i) != shape_coordinate(shape, to, i))
            found = i, ++*count;
    return found;
}

LinkGroups link_groups_list(const Network *network)
{
    LinkGroups groups = {.network = network};
    const Topology *topology = network->topology;
    bool has_plain = false;
    for (size_t c = 0; c < network->class_count; c++)
        has_plain |= !network->classes[c].level;
    /* Does every link join ranks that differ in one coordinate? */
    bool is_grid = topology->level_count == 0 && network->starts &&
                   network->node_count == network->p && network->shape.count > 1;
    for (int64_t n = 0; is_grid && n < network->node_count; n++)
        for (int64_t i = network->starts[n]; is_grid && i < network->starts[n + 1]; i++) {
            int differing;
            differing_dimension(&network->shape, n, network->neighbours[i], &differing);
            is_grid = differing == 1;
        }
    groups.by_dimension = is_grid;
    for (size_t i = 0; i < topology->level_count; i++)
        add_group(&groups, topology->levels[i]);
    for (int i = 0; groups.by_dimension && i < network->shape.count; i++)
        add_group(&groups, network->shape.names[i]);
    if (!groups.by_dimension && has_plain)
        add_group(&groups, topology->level_count ? "other links" : "all links");
    if (!network->starts) {
        groups.items[0].count = network->p * (network->p - 1);
        return groups;
    }
    for (int64_t n = 0; n < network->node_count; n++)
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++) {
            size_t group = link_groups_find(&groups, n, network->neighbours[i],
                                            network_link_class(network, i));
            groups.items[group].count++;
        }
    return groups;
}

size_t link_groups_find(const LinkGroups *groups, int64_t from, int64_t to, size_t class)
{
    const Shape *shape = &groups->network->shape;
    const char *level = groups->network->classes[class].level;
    int differing;
    if (groups->by_dimension)
        return (size_t)differing_dimension(shape, from, to, &differing);
    for (size_t i = 0; level && i < groups->count; i++)
        if (strcmp(groups->items[i].name, level) == 0)
            return i;
    return groups->count - 1;
}
