#include "net/group.h"

/* The links of the whole network by the numbers of the groups. */
static void renumber_links(Arena *arena, const Grouping *grouping, Network *grouped)
{
    const Network *whole = grouping->whole;
    const size_t nodes = (size_t)whole->node_count, links = (size_t)whole->starts[nodes];
    int64_t *starts = ARENA_ROOM(arena, int64_t, nodes + 1), count = 0;
    int64_t *neighbours = ARENA_ROOM(arena, int64_t, links);
    int64_t *arrivals = ARENA_ROOM(arena, int64_t, nodes);
    ClassNumber *classes = whole->link_classes ? ARENA_ROOM(arena, ClassNumber, links) : NULL;
    for (size_t n = 0; n < nodes; n++) {
        const int64_t place = grouping->places[n], first = count;
        starts[n] = first;
        arrivals[n] = whole->arrivals[place];
        /* A neighbour and the class of the link to it are sorted as one number. */
        for (int64_t i = whole->starts[place]; i < whole->starts[place + 1]; i++)
            neighbours[count++] = grouping->numbers[whole->neighbours[i]] << 16 |
                                  (classes ? whole->link_classes[i] : 0);
        sort_whole(neighbours + first, (size_t)(count - first));
        for (int64_t i = first; i < count; i++) {
            if (classes)
                classes[i] = (ClassNumber)(neighbours[i] & UINT16_MAX);
            neighbours[i] >>= 16;
        }
    }
    starts[nodes] = count;
    grouped->starts = starts, grouped->neighbours = neighbours, grouped->arrivals = arrivals;
    grouped->link_classes = classes;
}

static const uint32_t *renumber_levels(Arena *arena, const Grouping *grouping,
                                       const uint32_t *levels)
{
    const size_t nodes = (size_t)grouping->whole->node_count;
    uint32_t *renumbered = levels ? ARENA_ROOM(arena, uint32_t, nodes) : NULL;
    for (size_t n = 0; n < nodes && levels; n++)
        renumbered[n] = levels[grouping->places[n]];
    return renumbered;
}

void network_group(Arena *arena, const Network *whole, const Shape *shape, const int64_t *members,
                   int64_t groups, const char *name, Network *grouped)
{
    Grouping *grouping = ARENA_NEW(arena, Grouping);
    const int64_t count = groups * shape->p;
    *grouping = (Grouping){.whole = whole, .places = ARENA_COPY(arena, int64_t, members, count)};
    *grouped = *whole;
    grouped->p = grouped->node_count = shape->p;
    grouped->shape = *shape;
    grouped->name = name;
    grouped->grouping = grouping;
    Network *all = ARENA_COPY(arena, Network, grouped, 1);
    all->p = all->node_count = count;
    if (!shape_add(&all->shape, "group", groups))
        all->shape = shape_line(count);
    if (whole->starts) {
        /* Members first, then the other ranks, then switches. */
        int64_t *places = ARENA_ROOM(arena, int64_t, (size_t)whole->node_count);
        int64_t *numbers = ARENA_ROOM(arena, int64_t, (size_t)whole->node_count), next = count;
        for (int64_t n = 0; n < whole->node_count; n++)
            numbers[n] = -1;
        for (int64_t i = 0; i < count; i++)
            numbers[members[i]] = i;
        for (int64_t n = 0; n < whole->node_count; n++) {
            if (numbers[n] < 0)
                numbers[n] = next++;
            places[numbers[n]] = n;
        }
        grouping->places = places, grouping->numbers = numbers;
        renumber_links(arena, grouping, all);
        all->node_count = whole->node_count;
        all->levels_out = renumber_levels(arena, grouping, whole->levels_out);
        all->levels_in = renumber_levels(arena, grouping, whole->levels_in);
        const Shape own = grouped->shape;
        *grouped = *all;
        grouped->p = shape->p, grouped->shape = own;
    }
    grouping->all = all;
}
