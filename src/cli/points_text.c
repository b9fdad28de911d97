#include "cli/points_text.h"

/* Have its ranks sides that forms can name? */
static bool is_grid(const FitPoints *points, size_t i)
{
    return (points->space->variables & FORM_BIT(X)) && fitting_sample(points, i)->shape->count > 1;
}

const char *points_show(Arena *arena, const FitPoints *points, size_t i)
{
    static const struct {
        FormVariable variable;
        const char *word;
    } more[] = {{FORM_ROOT, "root"}, {FORM_TARGET, "target"}, {FORM_K, "k"}, {FORM_D, "d"}};
    const Sample *sample = fitting_sample(points, i);
    const char *text = is_grid(points, i)
                           ? sample->name
                           : arena_printf(arena, "p = %lld", (long long)sample->shape->p);
    for (size_t v = 0; v < sizeof more / sizeof *more; v++)
        if (points->space->variables & (1u << more[v].variable))
            text = arena_printf(arena, "%s, %s = %lld", text, more[v].word,
                                (long long)sample->point.values[more[v].variable]);
    return text;
}

size_t points_count_fitted(const FitPoints *points)
{
    size_t count = 0;
    for (size_t i = 0; i < points->count; i++)
        count += points->determining[i];
    return count;
}

const char *points_list_fitted(Arena *arena, const FitPoints *points)
{
    const char *text = "";
    for (size_t i = 0; i < points->count; i++)
        if (points->determining[i])
            text = arena_printf(arena, "%s%s%s", text, *text ? "; " : "",
                                points_show(arena, points, i));
    return text;
}

static void add_once(Arena *arena, IntArray *numbers, int64_t number)
{
    for (size_t i = 0; i < numbers->count; i++)
        if (numbers->items[i] == number)
            return;
    *ARRAY_PUSH(arena, numbers) = number;
}

/* "1, 3 .. 64, 96" */
static const char *join_ranges(Arena *arena, const IntArray *numbers)
{
    const char *text = "";
    for (size_t i = 0; i < numbers->count;) {
        size_t end = i;
        while (end + 1 < numbers->count && numbers->items[end + 1] == numbers->items[end] + 1)
            end++;
        text = arena_printf(arena, "%s%s%lld", text, i ? ", " : "", (long long)numbers->items[i]);
        if (end > i)
            text = arena_printf(arena, "%s%s%lld", text, end > i + 1 ? " .. " : ", ",
                                (long long)numbers->items[end]);
        i = end + 1;
    }
    return text;
}

/* "; 31 grids of 2 sides up to torus:8x8" for the points that have determined nothing. */
static const char *describe_grids(Arena *arena, const FitPoints *points, int sides)
{
    const Sample *largest = NULL;
    int count = 0;
    for (size_t i = 0; i < points->count; i++) {
        const Sample *sample = fitting_sample(points, i);
        bool counts =
            is_grid(points, i) && sample->shape->count == sides && !points->determining[i];
        if (!counts ||
            (largest && (sample->shape == largest->shape || sample->shape->p < largest->shape->p)))
            continue;
        largest = sample;
        count++;
    }
    return count == 0 ? ""
                      : arena_printf(arena, "; %d grid%s of %d sides up to %s", count,
                                     count > 1 ? "s" : "", sides, largest->name);
}

/* ", k = 1, 2, 3, 5, 8": what else the points differ in. */
static const char *describe_more(Arena *arena, const FitPoints *points)
{
    static const struct {
        FormVariable variable;
        const char *words;
    } more[] = {{FORM_ROOT, "; root = 0, 1, p div 2, p - 1"},
                {FORM_TARGET, "; target = 0, 1, p div 2, p - 1"},
                {FORM_K, "; k = 1, 2, 3, 5, 8"},
                {FORM_D, "; d = 1, 2, 3 for the smallest"}};
    const char *text = "";
    for (size_t v = 0; v < sizeof more / sizeof *more; v++) {
        bool differ = false;
        for (size_t i = 1; i < points->count; i++)
            differ |= fitting_sample(points, i)->point.values[more[v].variable] !=
                      fitting_sample(points, 0)->point.values[more[v].variable];
        if (differ)
            text = arena_printf(arena, "%s%s", text, more[v].words);
    }
    return text;
}

/* The points that have determined nothing, as numbers of ranks in a line and grids. */
const char *points_describe_checked(Arena *arena, const FitPoints *points)
{
    IntArray lines = {0};
    for (size_t i = 0; i < points->count; i++)
        if (!points->determining[i] && !is_grid(points, i))
            add_once(arena, &lines, fitting_sample(points, i)->shape->p);
    const char *text = arena_printf(arena, "%s%s%s%s%s", lines.count ? "p = " : "",
                                    join_ranges(arena, &lines), describe_grids(arena, points, 2),
                                    describe_grids(arena, points, 3), describe_more(arena, points));
    return *text == ';' ? text + 2 : text;
}

int64_t points_largest_p(const FitPoints *points)
{
    int64_t largest = 0;
    for (size_t i = 0; i < points->count; i++)
        if (fitting_sample(points, i)->shape->p > largest)
            largest = fitting_sample(points, i)->shape->p;
    return largest;
}
