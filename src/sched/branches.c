#include "sched/branches.h"

int64_t branches_within(int64_t least, int64_t most, int64_t wanted)
{
    int64_t number = wanted < most ? wanted : most;
    return number > least ? number : least;
}

static int64_t lowest_branches(const Algorithm *algorithm)
{
    return algorithm->branching == BRANCHING_RADIX ? 2 : 1;
}

bool branches_own_range(const Algorithm *algorithm, int64_t p, int64_t ports, int64_t *least,
                        int64_t *most)
{
    const void *slots[MOST_SLOTS] = {[SCHEDULE_P] = &p, [SCHEDULE_D] = &ports};
    return program_try(algorithm->least_branches.program, slots, 1, least) &&
           program_try(algorithm->most_branches.program, slots, 1, most) &&
           *least >= lowest_branches(algorithm);
}

/* Why is there no range? */
static void report_range(const Algorithm *algorithm, const Instance *instance, Diag *diag)
{
    int64_t least, most;
    const void *slots[MOST_SLOTS] = {[SCHEDULE_P] = &instance->p, [SCHEDULE_D] = &instance->ports};
    if (program_run_int(algorithm->least_branches.program, slots, &least, diag) &&
        program_run_int(algorithm->most_branches.program, slots, &most, diag))
        diag_error(diag, algorithm->least_branches.text.span,
                   "a %s is at least %lld, but for p = %lld this range begins at %lld",
                   branching_names[algorithm->branching], (long long)lowest_branches(algorithm),
                   (long long)instance->p, (long long)least);
}

bool branches_settle(const Algorithm *algorithm, const Instance *instance, int64_t *branches,
                     Diag *diag)
{
    int64_t least, most;
    *branches = 0;
    if (!algorithm->least_branches.program)
        return true;
    if (!branches_own_range(algorithm, instance->p, instance->ports, &least, &most)) {
        report_range(algorithm, instance, diag);
        return false;
    }
    *branches = branches_within(least, most, instance->branches);
    return true;
}
