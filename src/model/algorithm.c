#include "model/algorithm.h"

const VerbInfo verb_info[VERB_COUNT] = {
#define VERB(id, key, keeps, combines) {key, keeps, combines},
#include "model/verbs.def"
#undef VERB
};

const char *const branching_names[BRANCHING_COUNT] = {
    [BRANCHING_NONE] = "", [BRANCHING_RADIX] = "radix", [BRANCHING_FANOUT] = "fanout"};

const char *algorithm_full_name(Arena *arena, const Algorithm *algorithm)
{
    return arena_printf(arena, "%s/%s", algorithm->collective->head.name, algorithm->head.name);
}

const Algorithm *algorithm_origin(const Algorithm *algorithm)
{
    while (algorithm->dual)
        algorithm = algorithm->dual;
    return algorithm;
}

const Cutting *algorithm_cutting(const Algorithm *algorithm)
{
    const Cutting *own = &algorithm->cutting;
    if (own->size.program || own->segments)
        return own;
    if (algorithm->dual)
        return algorithm_cutting(algorithm->dual);
    for (size_t i = 0; i < algorithm->step_count; i++) {
        const ScheduleStep *step = &algorithm->steps[i];
        const Cutting *used = step->kind == STEP_USE ? algorithm_cutting(step->use.algorithm) : own;
        if (used->size.program || used->segments)
            return used;
    }
    return own;
}
