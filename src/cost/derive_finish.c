#include "cost/derive_finish.h"

#include "cost/derive_step.h"

ARRAY_TYPE(StepCostArray, PortStepCost);

/* What a rank does in the last port step in which it does anything. */
typedef struct {
    int64_t step; /* from 1; 0: nothing at all */
    PathList paths;
    int64_t combined;
} LastWork;

/* Its entries, as those of `entries`. */
typedef struct {
    size_t first, count;
} TracedStep;
ARRAY_TYPE(TracedStepArray, TracedStep);

struct Averager {
    Arena *arena;
    int64_t ranks;
    int64_t number; /* of the port step at hand */
    TracedStepArray steps;
    StepCostArray entries;
    PathList paths; /* of the entries */
    LastWork *last; /* of each rank */
    StepCostArray kept;
};

static size_t add_paths(Averager *averager, const PathCost *paths, size_t count)
{
    const size_t first = averager->paths.count;
    const PathCost *copies = paths_copy(averager->arena, paths, count);
    for (size_t i = 0; i < count; i++)
        *ARRAY_PUSH(averager->arena, &averager->paths) = copies[i];
    return first;
}

static void begin_step(Averager *averager, const CostedPortStep *costed)
{
    averager->number = costed->number;
    *ARRAY_PUSH(averager->arena, &averager->steps) =
        (TracedStep){averager->entries.count, costed->entry_count};
    for (size_t e = 0; e < costed->entry_count; e++) {
        PortStepCost entry = costed->entries[e];
        if (entry.path_count)
            entry.first_path =
                add_paths(averager, costed->paths + entry.first_path, entry.path_count);
        *ARRAY_PUSH(averager->arena, &averager->entries) = entry;
    }
}

static LastWork *work_of(const Averager *averager, int64_t rank)
{
    LastWork *work = &averager->last[rank];
    if (work->step != (int64_t)averager->steps.count) {
        work->step = (int64_t)averager->steps.count;
        work->paths.count = 0;
        work->combined = 0;
    }
    return work;
}

static void add_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    Averager *averager = context;
    const ScheduledTransfer *transfer = costed->transfer;
    (void)round;
    if (averager->steps.count == 0 || averager->number != costed->step->number)
        begin_step(averager, costed->step);
    LastWork *ends[2] = {work_of(averager, transfer->from), work_of(averager, transfer->to)};
    ends[1]->combined += costed->combined;
    for (int x = 0; x < 2 && !transfer_is_local(transfer); x++)
        for (size_t i = 0; i < costed->path_count; i++)
            *ARRAY_PUSH(averager->arena, &ends[x]->paths) = costed->paths[i];
}

static bool is_same_cost(const Averager *averager, const PortStepCost *a, const PortStepCost *b)
{
    bool same = a->path_count == b->path_count && a->combined == b->combined;
    for (size_t i = 0; i < a->path_count && same; i++)
        same = paths_compare(&averager->paths.items[a->first_path + i],
                             &averager->paths.items[b->first_path + i]) == 0;
    return same;
}

/* Costs that were kept before are counted. */
static void keep(Averager *averager, const PortStepCost *cost, int64_t repeat)
{
    for (size_t i = averager->kept.count; i > 0; i--)
        if (is_same_cost(averager, &averager->kept.items[i - 1], cost)) {
            averager->kept.items[i - 1].repeat += repeat;
            return;
        }
    PortStepCost kept = *cost;
    kept.repeat = repeat;
    *ARRAY_PUSH(averager->arena, &averager->kept) = kept;
}

static void keep_step(Averager *averager, const TracedStep *step, bool combines, int64_t ranks)
{
    for (size_t e = 0; e < step->count; e++) {
        PortStepCost entry = averager->entries.items[step->first + e];
        if (!combines)
            entry.combined = 0;
        keep(averager, &entry, ranks * entry.repeat);
    }
}

static void keep_last(Averager *averager, LastWork *work)
{
    if (work->combined) {
        const PortStepCost combining = {.combined = work->combined, .local = true};
        keep_step(averager, &averager->steps.items[work->step - 1], false, 1);
        keep(averager, &combining, 1);
        return;
    }
    work->paths.count = paths_keep_slowest(work->paths.items, work->paths.count);
    const PortStepCost own = {.path_count = work->paths.count,
                              .first_path =
                                  add_paths(averager, work->paths.items, work->paths.count)};
    if (own.path_count)
        keep(averager, &own, 1);
}

Averager *averager_create(Arena *arena, int64_t ranks, TraceVisitor *visitor)
{
    Averager *averager = ARENA_NEW(arena, Averager);
    *averager = (Averager){
        .arena = arena, .ranks = ranks, .last = ARENA_ARRAY(arena, LastWork, (size_t)ranks)};
    *visitor = (TraceVisitor){.transfer = add_transfer, .context = averager};
    return averager;
}

void averager_apply(Averager *averager, Profile *profile)
{
    const size_t count = averager->steps.count;
    int64_t *ends = ARENA_ARRAY(averager->arena, int64_t, count + 1), on = averager->ranks;
    for (int64_t r = 0; r < averager->ranks; r++)
        ends[averager->last[r].step]++;
    on -= ends[0];
    for (size_t t = 0; t < count; t++) {
        on -= ends[t + 1];
        if (on)
            keep_step(averager, &averager->steps.items[t], true, on);
    }
    for (int64_t r = 0; r < averager->ranks; r++)
        if (averager->last[r].step)
            keep_last(averager, &averager->last[r]);
    profile->averaged = averager->ranks;
    profile->steps = averager->kept.items;
    profile->step_count = averager->kept.count;
    profile->paths = averager->paths.items;
    profile->path_count = averager->paths.count;
}

static double step_seconds(const Averager *averager, const TracedStep *step, bool combines,
                           const double *parameters, double block)
{
    double seconds = 0;
    for (size_t e = 0; e < step->count; e++) {
        PortStepCost entry = averager->entries.items[step->first + e];
        if (!combines)
            entry.combined = 0;
        seconds += cost_total(port_step_cost(&entry, averager->paths.items, parameters, block));
    }
    return seconds;
}

void averager_ends(const Averager *averager, const double *parameters, double block, double *ends)
{
    double begin = 0;
    for (int64_t r = 0; r < averager->ranks; r++)
        ends[r] = 0;
    for (size_t t = 0; t < averager->steps.count; t++) {
        const TracedStep *step = &averager->steps.items[t];
        for (int64_t r = 0; r < averager->ranks; r++) {
            const LastWork *work = &averager->last[r];
            if (work->step != (int64_t)t + 1)
                continue;
            ends[r] = begin;
            if (work->combined)
                ends[r] += step_seconds(averager, step, false, parameters, block) +
                           (double)work->combined * block * parameters[PARAMETER_TC];
            else if (work->paths.count)
                ends[r] += cost_total(
                    paths_slowest(work->paths.items, work->paths.count, parameters, block));
        }
        begin += step_seconds(averager, step, true, parameters, block);
    }
}
