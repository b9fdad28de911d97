#include "sched/branches.h"

int64_t branches_within(int64_t least, int64_t most, int64_t wanted)
{
    int64_t number = wanted < most ? wanted : most;
    return number > least ? number : least;
}

bool branches_own_range(const Algorithm *algorithm, int64_t p, int64_t ports, int64_t *least,
                        int64_t *most, Diag *diag)
{
    const void *slots[MOST_SLOTS] = {[SCHEDULE_P] = &p, [SCHEDULE_D] = &ports};
    const int64_t lowest = algorithm->branching == BRANCHING_RADIX ? 2 : 1;
    if (!program_run_int(algorithm->least_branches.program, slots, least, diag) ||
        !program_run_int(algorithm->most_branches.program, slots, most, diag))
        return false;
    if (*least < lowest)
        diag_error(diag, algorithm->least_branches.text.span,
                   "a %s is at least %lld, but for p = %lld this range begins at %lld",
                   branching_names[algorithm->branching], (long long)lowest, (long long)p,
                   (long long)*least);
    return *least >= lowest;
}

bool branches_settle(const Algorithm *algorithm, const Instance *instance, int64_t *branches,
                     Diag *diag)
{
    int64_t least, most;
    *branches = 0;
    if (!algorithm->least_branches.program)
        return true;
    if (!branches_own_range(algorithm, instance->p, instance->ports, &least, &most, diag))
        return false;
    *branches = branches_within(least, most, instance->branches);
    return true;
}
