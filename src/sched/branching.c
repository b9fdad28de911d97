#include "sched/branching.h"

#include "sched/pieces.h"

/* Widens the range to that of all that is used. */
static void note_steps(const Instance *instance, const ScheduleStep *steps, size_t count,
                       int64_t *least, int64_t *most)
{
    for (size_t i = 0; i < count; i++) {
        const ScheduleStep *step = &steps[i];
        note_steps(instance, step->steps, step->step_count, least, most);
        if (step->kind != STEP_USE || !step->use.algorithm->branching)
            continue;
        int lines[MOST_DIMENSIONS];
        Shape shape = instance_shape(instance), line_shape;
        int line_count = pieces_try_lines(&step->use, &shape, lines);
        for (int l = 0; l < line_count; l++) {
            Instance line = pieces_line_instance(instance, &step->use, lines[l], &line_shape);
            int64_t from, to;
            if (!branches_range(&line, &from, &to))
                continue;
            *least = from < *least ? from : *least;
            *most = to > *most ? to : *most;
        }
    }
}

bool branches_range(const Instance *instance, int64_t *least, int64_t *most)
{
    Instance origin = *instance;
    if (!instance->algorithm->branching)
        return false;
    origin.algorithm = algorithm_origin(instance->algorithm);
    if (origin.algorithm->least_branches.program)
        return branches_own_range(origin.algorithm, instance->p, instance->ports, least, most);
    *least = INT64_MAX;
    *most = INT64_MIN;
    note_steps(&origin, origin.algorithm->steps, origin.algorithm->step_count, least, most);
    return *least < INT64_MAX;
}

int64_t branches_of(const Instance *instance)
{
    int64_t least, most;
    return branches_range(instance, &least, &most)
               ? branches_within(least, most, instance->branches)
               : 0;
}

/* The parts into which so many branches divide p ranks: how often, for a radix; how long the
   longest is, for a fan-out. */
static int64_t divide(Branching branching, int64_t p, int64_t branches)
{
    int64_t steps = 0;
    if (branching == BRANCHING_FANOUT)
        return (p - 1 + branches - 1) / branches;
    if (branches < 2)
        return INT64_MAX;
    for (int64_t rest = p; rest > 1; rest = (rest + branches - 1) / branches)
        steps++;
    return steps;
}

void branches_list(Arena *arena, const Instance *instance, IntArray *tried)
{
    int64_t least, most;
    Branching branching = instance->algorithm->branching;
    if (!branches_range(instance, &least, &most))
        return;
    most = branches_within(least, instance->p > least ? instance->p : least, most);
    for (int64_t b = least; b <= most && (b <= MOST_TRIED_BRANCHES || b == least); b++)
        *ARRAY_PUSH(arena, tried) = b;
    for (int64_t steps = MOST_TRIED_BRANCHES; steps > 0; steps--) {
        const int64_t last = tried->items[tried->count - 1];
        /* The least number in last .. most with which the ranks take at most so many steps; one
           more than `most` if there is none. */
        int64_t low = last, high = most;
        while (low <= high) {
            const int64_t middle = low + (high - low) / 2;
            if (divide(branching, instance->p, middle) <= steps)
                high = middle - 1;
            else
                low = middle + 1;
        }
        if (low > last && low <= most)
            *ARRAY_PUSH(arena, tried) = low;
    }
}
