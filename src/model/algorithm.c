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

bool algorithm_is_reversed(const Algorithm *algorithm)
{
    return algorithm->dual && !algorithm_is_reversed(algorithm->dual);
}
