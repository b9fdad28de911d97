#include "sched/shapes.h"

#include <string.h>

enum { MOST_FREE_DIMENSIONS = 3 };

typedef struct {
    const char *names[MOST_DIMENSIONS]; /* of the dimensions that are named, in order */
    int name_count;
    bool every, levels;
    int64_t least; /* size of a dimension */
} Wish;

static void note_steps(Arena *arena, const ScheduleStep *steps, size_t count, int depth,
                       Wish *wish);

static void note_algorithm(Arena *arena, const Algorithm *algorithm, int depth, Wish *wish)
{
    algorithm = algorithm_origin(algorithm);
    wish->every |= algorithm->grid.is_network;
    if (algorithm->grid.count) /* its dimensions are its own, or all */
        return;
    note_steps(arena, algorithm->steps, algorithm->step_count, depth, wish);
}

/* An algorithm used by all ranks sees their dimensions; one used in lines does not. */
static void note_steps(Arena *arena, const ScheduleStep *steps, size_t count, int depth, Wish *wish)
{
    enum { DEEPEST = 6 };
    for (size_t i = 0; i < count; i++) {
        const ScheduleStep *step = &steps[i];
        note_steps(arena, step->steps, step->step_count, depth, wish);
        if (step->kind != STEP_USE)
            continue;
        wish->every |= step->use.along == ALONG_EVERY_DIMENSION;
        wish->levels |= step->use.by_level;
        for (size_t n = 0; n < step->use.dimension_count; n++) {
            const Text name = step->use.dimensions[n];
            const size_t known = (size_t)wish->name_count;
            if (text_among(name, wish->names, known) == known && known < MOST_DIMENSIONS)
                wish->names[wish->name_count++] = text_string(arena, name);
        }
        if (step->use.along == ALONG_ALL_RANKS && depth < DEEPEST)
            note_algorithm(arena, step->use.algorithm, depth + 1, wish);
    }
}

/* Row and column are the first and the second of two dimensions, x, y and z the first, second and
   third, whichever an algorithm names first. */
static void order_usual_names(Wish *wish)
{
    static const char *const usual[] = {"x", "y", "z"};
    int most = 0;
    for (int i = 0; i < wish->name_count; i++) {
        int place = -1;
        for (int u = 0; u < MOST_FREE_DIMENSIONS; u++)
            if (strcmp(wish->names[i], usual[u]) == 0)
                place = u + 1;
        if (strcmp(wish->names[i], "row") == 0 || strcmp(wish->names[i], "column") == 0)
            place = 2;
        if (place < 0)
            return;
        most = place > most ? place : most;
    }
    wish->name_count = most;
    for (int i = 0; i < most; i++)
        wish->names[i] = usual[i];
}

/* All ways to write `rest` as a product of the dimensions from `shape->count` to `count`. */
static void list_grids(Arena *arena, const Wish *wish, Shape shape, int count, int64_t rest,
                       ShapeArray *shapes)
{
    bool named = wish->name_count > 0;
    const char *name = named ? wish->names[shape.count] : NULL;
    if (shape.count == count - 1) {
        if ((rest >= wish->least || count == 1) && shape_add(&shape, name, rest))
            *ARRAY_PUSH(arena, shapes) = shape;
        return;
    }
    for (int64_t size = wish->least; size <= rest; size++) {
        Shape longer = shape;
        if (rest % size == 0 && shape_add(&longer, name, size))
            list_grids(arena, wish, longer, count, rest / size, shapes);
    }
}

void shapes_list(Arena *arena, const Algorithm *algorithm, int64_t p, ShapeArray *shapes)
{
    Wish wish = {0};
    note_algorithm(arena, algorithm, 0, &wish);
    order_usual_names(&wish);
    wish.least = wish.name_count ? 1 : 2;
    if (wish.name_count) {
        list_grids(arena, &wish, (Shape){.p = 1}, wish.name_count, p, shapes);
        return;
    }
    *ARRAY_PUSH(arena, shapes) = shape_line(p);
    for (int count = 2; wish.every && count <= MOST_FREE_DIMENSIONS; count++)
        list_grids(arena, &wish, (Shape){.p = 1}, count, p, shapes);
    if (wish.every && p >= 16 && (p & (p - 1)) == 0) {
        Shape twos = {.p = 1};
        while (twos.p < p)
            shape_add(&twos, NULL, 2);
        *ARRAY_PUSH(arena, shapes) = twos;
    }
    for (int count = 2; wish.levels && count <= MOST_FREE_DIMENSIONS; count++) {
        const Wish levels = {.names = {"device", "node", "pod"}, .name_count = count, .least = 2};
        list_grids(arena, &levels, (Shape){.p = 1}, count, p, shapes);
    }
}

const char *shape_describe(Arena *arena, const Shape *shape)
{
    const char *text = "";
    Shape usual = {.p = 1};
    for (int i = 0; i < shape->count; i++) {
        shape_add(&usual, NULL, shape->sizes[i]);
        bool is_usual = strcmp(shape->names[i], usual.names[i]) == 0;
        text = arena_printf(arena, is_usual ? "%s%s%s%lld" : "%s%s%s %lld", text,
                            i == 0     ? ""
                            : is_usual ? "x"
                                       : " x ",
                            is_usual ? "" : shape->names[i], (long long)shape->sizes[i]);
    }
    return text;
}
