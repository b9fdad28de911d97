#include "model/exchange.h"

#include "model/use.h"

/* Does a step use another algorithm of the collective than `known`? */
static bool steps_use(const ScheduleStep *steps, size_t count, const Collective *collective,
                      const Algorithm *known)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = (steps[i].kind == STEP_USE && steps[i].use.algorithm->collective == collective &&
                 steps[i].use.algorithm != known) ||
                steps_use(steps[i].steps, steps[i].step_count, collective, known);
    return found;
}

bool exchange_uses(const Algorithm *algorithm, const Collective *collective)
{
    return steps_use(algorithm->steps, algorithm->step_count, collective, NULL);
}

static ScheduleStep *copy_steps(Arena *arena, Algorithm *copy, const ScheduleStep *steps,
                                size_t count, const Algorithm *const *parts, size_t part_count)
{
    ScheduleStep *copies = ARENA_COPY(arena, ScheduleStep, steps, count);
    for (size_t i = 0; i < count; i++) {
        ScheduleStep *step = &copies[i];
        step->steps = copy_steps(arena, copy, step->steps, step->step_count, parts, part_count);
        if (step->kind != STEP_USE)
            continue;
        for (size_t n = 0; n < part_count; n++)
            if (parts[n]->collective == step->use.algorithm->collective && !step->use.is_own)
                step->use.algorithm = parts[n];
        compose_note_use(copy, &step->use);
    }
    return copies;
}

const Algorithm *exchange_parts(Arena *arena, const Algorithm *algorithm,
                                const Algorithm *const *parts, size_t count)
{
    const char *name = algorithm->head.name;
    bool is_first = true;
    for (size_t i = 0; i < count; i++) {
        if (!steps_use(algorithm->steps, algorithm->step_count, parts[i]->collective, parts[i]))
            continue;
        name = arena_printf(arena, "%s%s%s", name, is_first ? " using " : ", ",
                            algorithm_full_name(arena, parts[i]));
        is_first = false;
    }
    if (is_first)
        return algorithm;
    Algorithm *copy = ARENA_COPY(arena, Algorithm, algorithm, 1);
    copy->head.name = name;
    copy->claims = (ModelClaims){0};
    copy->chain = 0, copy->uses = 0;
    if (!copy->chunks.program &&
        !copy->pipelined) /* what was let through from a part may be gone with it */
        copy->free_chunks = false;
    if (!copy->least_branches.program)
        copy->branching = BRANCHING_NONE;
    if (!copy->has_transfers)
        copy->keeps = copy->combines = false;
    copy->steps = copy_steps(arena, copy, algorithm->steps, algorithm->step_count, parts, count);
    return copy;
}
