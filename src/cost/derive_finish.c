#include "cost/derive_finish.h"

#include "cost/derive_step.h"

ARRAY_TYPE(StepCostArray, PortStepCost);

/* What a rank does in the last port step in which it does anything. */
typedef struct LastWork {
    int64_t step; /* from 1; 0: nothing at all */
    PathList paths;
    int64_t combined;
    struct LastWork *before; /* in port steps of its round that overlap; NULL: nothing */
} LastWork;

/* Its entries, as those of `entries`. */
typedef struct {
    size_t first, count;
    int64_t round;    /* whose port steps overlap; -1: they do not, */
    PathList slowest; /* else of all its messages */
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

static TracedStep *step_numbered(const Averager *averager, int64_t number)
{
    return &averager->steps.items[number - 1];
}

static LastWork *work_of(const Averager *averager, int64_t rank)
{
    LastWork *work = &averager->last[rank];
    const int64_t now = (int64_t)averager->steps.count, round = step_numbered(averager, now)->round;
    if (work->step == now)
        return work;
    LastWork *before = NULL;
    if (work->step && round >= 0 && step_numbered(averager, work->step)->round == round)
        before = ARENA_COPY(averager->arena, LastWork, work, 1);
    *work =
        (LastWork){.step = now, .paths = before ? (PathList){0} : work->paths, .before = before};
    work->paths.count = 0;
    return work;
}

static void add_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    Averager *averager = context;
    const ScheduledTransfer *transfer = costed->transfer;
    const CostedPortStep *now = costed->step;
    if (averager->steps.count == 0 || averager->number != now->number) {
        averager->number = now->number;
        *ARRAY_PUSH(averager->arena, &averager->steps) = (TracedStep){
            averager->entries.count, now->entry_count, now->overlaps ? round->number : -1, {0}};
        for (size_t e = 0; e < now->entry_count; e++) {
            PortStepCost entry = now->entries[e];
            if (entry.path_count)
                entry.first_path =
                    add_paths(averager, now->paths + entry.first_path, entry.path_count);
            *ARRAY_PUSH(averager->arena, &averager->entries) = entry;
        }
    }
    TracedStep *step = step_numbered(averager, (int64_t)averager->steps.count);
    LastWork *ends[2] = {work_of(averager, transfer->from), work_of(averager, transfer->to)};
    ends[1]->combined += costed->combined;
    for (size_t i = 0; i < costed->path_count && !transfer_is_local(transfer); i++) {
        for (int x = 0; x < 2; x++)
            *ARRAY_PUSH(averager->arena, &ends[x]->paths) = costed->paths[i];
        if (step->round >= 0)
            paths_push_slower(averager->arena, &step->slowest, &costed->paths[i]);
    }
}

/* Costs that were kept before are counted. */
static void keep(Averager *averager, const PortStepCost *cost, int64_t repeat)
{
    const PathCost *paths = averager->paths.items;
    for (size_t i = averager->kept.count; i > 0; i--) {
        PortStepCost *other = &averager->kept.items[i - 1];
        bool same = other->path_count == cost->path_count && other->combined == cost->combined &&
                    overlaps_same(other->earlier, cost->earlier);
        for (size_t n = 0; n < cost->path_count && same; n++)
            same = paths_compare(&paths[other->first_path + n], &paths[cost->first_path + n]) == 0;
        if (same) {
            other->repeat += repeat;
            return;
        }
    }
    PortStepCost kept = *cost;
    kept.repeat = repeat;
    *ARRAY_PUSH(averager->arena, &averager->kept) = kept;
}

/* Its own messages; where it combines, all of the port step and then that, if port steps overlap.
 */
static PortStepCost own_cost(Averager *averager, const LastWork *work)
{
    PathList paths = work->combined ? step_numbered(averager, work->step)->slowest : work->paths;
    paths.count = paths_keep_slowest(paths.items, paths.count);
    return (PortStepCost){.path_count = paths.count,
                          .first_path = add_paths(averager, paths.items, paths.count),
                          .combined = work->combined};
}

/* What of the rank may last longer than its last work. */
static Overlap *list_earlier(Averager *averager, const LastWork *last)
{
    Overlap *newest = NULL, **next = &newest;
    const LastWork *work = last;
    bool lasts = false;
    for (; work->before; work = work->before)
        for (size_t i = 0; i < work->before->paths.count; i++)
            lasts |= work->before->combined || !paths_exceed(last->paths.items, last->paths.count,
                                                             &work->before->paths.items[i]);
    work = last;
    for (int64_t t = last->step - 1; lasts && work->before; t--, next = &(*next)->before) {
        Overlap *overlap = *next = ARENA_NEW(averager->arena, Overlap);
        PortStepCost *begin = &overlap->begin;
        *begin = averager->entries.items[step_numbered(averager, t)->first];
        const size_t first =
            add_paths(averager, averager->paths.items + begin->first_path, begin->path_count);
        begin->first_path = 0;
        if (work->before->step == t) {
            work = work->before;
            overlap->end = own_cost(averager, work);
            overlap->end.first_path -= first;
        }
        overlap->paths = averager->paths.items + first;
        overlap->path_count = averager->paths.count - first;
    }
    return newest;
}

/* The parts of a rank's time in its last port step. */
static void list_last(Averager *averager, const LastWork *work, StepCostArray *list)
{
    PortStepCost own = {.combined = work->combined, .local = true};
    list->count = 0;
    if (!work->step)
        return;
    const TracedStep *step = step_numbered(averager, work->step);
    for (size_t e = 0; e < step->count && work->combined && step->round < 0; e++) {
        PortStepCost *entry = ARRAY_PUSH(averager->arena, list);
        *entry = averager->entries.items[step->first + e];
        entry->combined = 0;
    }
    if (list->count == 0) {
        own = own_cost(averager, work);
        own.earlier = list_earlier(averager, work);
    }
    if (own.path_count || own.combined)
        *ARRAY_PUSH(averager->arena, list) = own;
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
    StepCostArray last = {0};
    for (int64_t r = 0; r < averager->ranks; r++)
        ends[averager->last[r].step]++;
    on -= ends[0];
    for (size_t t = 0; t < count; t++) {
        const TracedStep *step = &averager->steps.items[t];
        on -= ends[t + 1];
        for (size_t e = step->first; e < step->first + step->count && on; e++)
            keep(averager, &averager->entries.items[e], on * averager->entries.items[e].repeat);
    }
    for (int64_t r = 0; r < averager->ranks; r++) {
        list_last(averager, &averager->last[r], &last);
        for (size_t i = 0; i < last.count; i++)
            keep(averager, &last.items[i], 1);
    }
    profile->averaged = averager->ranks;
    profile->steps = averager->kept.items;
    profile->step_count = averager->kept.count;
    profile->paths = averager->paths.items;
    profile->path_count = averager->paths.count;
}

static double seconds_of(const Averager *averager, const PortStepCost *entries, size_t count,
                         const double *parameters, double block)
{
    double seconds = 0;
    for (size_t e = 0; e < count; e++)
        seconds +=
            cost_total(port_step_cost(&entries[e], averager->paths.items, parameters, block));
    return seconds;
}

void averager_ends(Averager *averager, const double *parameters, double block, double *ends)
{
    StepCostArray last = {0};
    double begin = 0, *begins = ARENA_ROOM(averager->arena, double, averager->steps.count);
    for (size_t t = 0; t < averager->steps.count; t++) {
        const TracedStep *step = &averager->steps.items[t];
        begins[t] = begin;
        begin += seconds_of(averager, averager->entries.items + step->first, step->count,
                            parameters, block);
    }
    for (int64_t r = 0; r < averager->ranks; r++) {
        const LastWork *work = &averager->last[r];
        list_last(averager, work, &last);
        ends[r] = work->step ? begins[work->step - 1] : 0;
        ends[r] += seconds_of(averager, last.items, last.count, parameters, block);
    }
}
