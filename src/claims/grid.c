#include "claims/grid.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_SIDE = 8, LARGEST_DEEP_SIDE = 4 };

int verdict_roots(bool rooted, int64_t p, int64_t roots[4])
{
    const int64_t wanted[4] = {0, 1, p / 2, p - 1};
    int count = 0;
    for (int i = 0; i < (rooted ? 4 : 1); i++)
        if (wanted[i] < p && (count == 0 || wanted[i] > roots[count - 1]))
            roots[count++] = wanted[i];
    return count;
}

int verdict_orders(bool is_problem, int64_t orders[VERDICT_ORDERS])
{
    static const int64_t tried[VERDICT_ORDERS] = {1, 2, 5, 12, 27, 64, 96};
    orders[0] = 0;
    if (is_problem)
        memcpy(orders, tried, sizeof tried);
    return is_problem ? VERDICT_ORDERS : 1;
}

int verdict_chunks(bool free_chunks, int64_t chunks[5])
{
    static const int64_t tried[5] = {1, 2, 3, 5, 8};
    memcpy(chunks, tried, sizeof tried);
    return free_chunks ? 5 : 1;
}

int verdict_choices(Arena *arena, const Algorithm *algorithm, const Shape *shape, int64_t ports,
                    VerdictChoice choices[VERDICT_CHOICES])
{
    int64_t chunks[5], branches[4] = {0};
    int chunk_count = verdict_chunks(algorithm->free_chunks, chunks), count = 0;
    Instance instance = {
        .algorithm = algorithm, .p = shape->p, .k = 1, .ports = ports, .shape = shape};
    IntArray tried = {0};
    branches_list(arena, &instance, &tried);
    for (size_t i = 0; i < tried.count; i++)
        if (i < 3 || i + 1 == tried.count)
            branches[count++] = tried.items[i];
    int most = chunk_count > count ? chunk_count : count;
    for (int i = 0; i < most; i++)
        choices[i] =
            (VerdictChoice){chunks[i % chunk_count], count ? branches[(i + shape->p) % count] : 0};
    return most;
}

static int compare_shapes(const void *a, const void *b)
{
    const Shape *left = a, *right = b;
    if (left->p != right->p)
        return left->p < right->p ? -1 : 1;
    if (left->count != right->count)
        return left->count - right->count;
    for (int i = 0; i < left->count; i++)
        if (left->sizes[i] != right->sizes[i])
            return left->sizes[i] > right->sizes[i] ? -1 : 1;
    return 0;
}

typedef struct {
    Arena *arena;
    int64_t largest; /* number of ranks */
    ShapeArray *shapes;
} GridList;

/* All grids of `count` dimensions, each of 2 .. side. */
static void add_grids(const GridList *list, int count, int64_t side, Shape shape)
{
    if (shape.count == count)
        *ARRAY_PUSH(list->arena, list->shapes) = shape;
    for (int64_t size = 2; shape.count < count && size <= side && shape.p * size <= list->largest;
         size++) {
        Shape longer = shape;
        shape_add(&longer, NULL, size);
        add_grids(list, count, side, longer);
    }
}

void verdict_shapes(Arena *arena, const Topology *topology, const Algorithm *algorithm,
                    int64_t largest, ShapeArray *shapes)
{
    bool is_grid = topology->dimensions == DIMENSIONS_ANY && !topology->direct;
    int64_t most = topology->dimensions == DIMENSIONS_TWOS ? 4 * largest : largest;
    for (int64_t p = 1; p <= most; p++) {
        if (topology->direct && algorithm)
            shapes_list(arena, algorithm, p, shapes);
        else if (is_grid)
            *ARRAY_PUSH(arena, shapes) = shape_line(p);
        else if (topology_has_shape(topology, p))
            *ARRAY_PUSH(arena, shapes) = topology_shape(topology, p);
    }
    if (is_grid) {
        const GridList list = {arena, largest, shapes};
        add_grids(&list, 2, LARGEST_SIDE, (Shape){.p = 1});
        add_grids(&list, 3, LARGEST_DEEP_SIDE, (Shape){.p = 1});
    }
    if (shapes->count)
        qsort(shapes->items, shapes->count, sizeof *shapes->items, compare_shapes);
}

ShapeArray verdict_grid_shapes(Arena *arena, const VerdictGrid *grid, const Topology *topology,
                               const Algorithm *algorithm)
{
    ShapeArray shapes = {0};
    for (size_t i = 0; i < grid->shape_count; i++)
        *ARRAY_PUSH(arena, &shapes) = grid->shapes[i];
    if (!grid->shapes)
        verdict_shapes(arena, topology, algorithm, grid->largest_p, &shapes);
    return shapes;
}
