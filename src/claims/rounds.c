#include "claims/compare.h"

/* What one port step of a schedule does, as `trace` shows it. */
typedef struct {
    int64_t hops, load;       /* links, messages on the busiest link */
    int64_t *partners;        /* of each rank: -1 none, -2 several */
    PortStepCost *entries[2]; /* its messages, and local work behind it */
    const PathCost *paths[2];
    size_t entry_counts[2];
    int parts;
} PortStep;
ARRAY_TYPE(PortStepArray, PortStep);

enum { NOBODY = -1, SEVERAL = -2 };

struct Observation {
    int64_t traffic;
    PortStepArray steps;
};

typedef struct {
    Arena *arena;
    int64_t p, last_number;
    Observation *found;
} Observer;

static void observe(void *context, const CostedTransfer *costed, const Round *round)
{
    Observer *observer = context;
    (void)round;
    const ScheduledTransfer *transfer = costed->transfer;
    PortStepArray *steps = &observer->found->steps;
    while ((int64_t)steps->count <= costed->step->step || steps->count == 0) {
        PortStep *step = ARRAY_PUSH(observer->arena, &observer->found->steps);
        *step = (PortStep){.partners = ARENA_ARRAY(observer->arena, int64_t, (size_t)observer->p)};
        for (int64_t r = 0; r < observer->p; r++)
            step->partners[r] = NOBODY;
    }
    PortStep *step = &steps->items[steps->count - 1];
    if (costed->step->number != observer->last_number) {
        /* Entries are of this call only, so they are copied with their paths. */
        size_t paths = 0;
        int part = step->parts < 2 ? step->parts++ : 1;
        for (size_t e = 0; e < costed->step->entry_count; e++) {
            const PortStepCost *entry = &costed->step->entries[e];
            paths = entry->first_path + entry->path_count > paths
                        ? entry->first_path + entry->path_count
                        : paths;
        }
        step->entries[part] = ARENA_COPY(observer->arena, PortStepCost, costed->step->entries,
                                         costed->step->entry_count);
        step->paths[part] = ARENA_COPY(observer->arena, PathCost, costed->step->paths, paths);
        step->entry_counts[part] = costed->step->entry_count;
    }
    observer->last_number = costed->step->number;
    if (transfer_is_local(transfer))
        return;
    int64_t *partner = &step->partners[transfer->from];
    *partner = *partner == NOBODY ? transfer->to : SEVERAL;
    step->hops = costed->step->hops;
    step->load = costed->step->load_messages;
    observer->found->traffic += costed->hops * costed->size;
}

typedef struct {
    const Observation *observation;
    int64_t first, last, chunks; /* port steps, from 1 */
} PortStepSpan;

static Exact time_of_steps(const void *context, const ExactParameters *parameters, Exact size)
{
    const PortStepSpan *span = context;
    Exact block = exact_divide(size, exact_from_int(span->chunks)), total = exact_from_int(0);
    for (int64_t j = span->first; j <= span->last; j++) {
        const PortStep *step = &span->observation->steps.items[j - 1];
        for (int part = 0; part < step->parts; part++)
            for (size_t e = 0; e < step->entry_counts[part]; e++)
                total =
                    exact_add(total, port_step_cost_exact(&step->entries[part][e],
                                                          step->paths[part], parameters, block));
    }
    return total;
}

static void compare_port_step(const Trial *trial, const PortStep *step, Exact message)
{
    const Claim *claim = trial->claim;
    if (claim->kind == CLAIM_PARTNER) {
        Place *place = trial->place;
        for (int64_t r = 0; r < place->point.p && trial->verdict->holds; r++) {
            place->point.r = r;
            judge_compare_value(trial, exact_from_int(step->partners[r]),
                                arena_printf(trial->judge->arena,
                                             "as receiver of rank %lld in round %lld", (long long)r,
                                             (long long)place->point.j));
        }
        return;
    }
    Exact found = claim->kind == CLAIM_HOPS   ? exact_from_int(step->hops)
                  : claim->kind == CLAIM_LOAD ? exact_from_int(step->load)
                                              : message;
    judge_compare_value(
        trial, found,
        arena_printf(trial->judge->arena, "in round %lld", (long long)trial->place->point.j));
}

/* The rounds of which the claim speaks; false after refuting it: there are not so many. */
static bool find_rounds(const Trial *trial, int64_t count, int64_t *first, int64_t *last)
{
    *first = 1, *last = count;
    if (!trial->claim->first.program)
        return true;
    bool valued = claim_rounds(trial->claim, &trial->place->point, first, last);
    if (valued && *first >= 1 && *last <= count)
        return true;
    judge_refute(trial,
                 valued ? arena_printf(trial->judge->arena, "something about round %lld",
                                       (long long)(*first < 1 ? *first : *last))
                        : "something about rounds without a number",
                 "there are", arena_printf(trial->judge->arena, "%lld", (long long)count));
    return false;
}

const Observation *rounds_observe(Arena *arena, const Instance *instance, const Place *place,
                                  Diag *diag)
{
    Profile profile;
    Observer observer = {arena, place->point.p, -1, ARENA_NEW(arena, Observation)};
    const TraceVisitor visitor = {.transfer = observe, .context = &observer};
    bool good =
        profile_trace(arena, instance, place->network, &place->rules, &visitor, &profile, diag);
    return good ? observer.found : NULL;
}

void judge_rounds(const Trial *trial, const Profile *profile, const Observation *observation)
{
    const Claim *claim = trial->claim;
    PortStepSpan span = {.observation = observation};
    Exact block = exact_divide(trial->place->sizes[0], exact_from_int(profile->chunks));
    int64_t count = profile->startups;
    span.chunks = profile->chunks;
    if (claim->kind == CLAIM_ROUND_COUNT) {
        judge_compare_value(trial, exact_from_int(count), "");
        return;
    }
    if (claim->kind == CLAIM_TRAFFIC) {
        Exact bytes = exact_multiply(block, exact_from_int(observation->traffic));
        judge_compare_value(trial, bytes, "");
        return;
    }
    if (!find_rounds(trial, count, &span.first, &span.last))
        return;
    if (claim->kind == CLAIM_TIME) {
        judge_compare_times(trial, time_of_steps, &span, "derived");
        return;
    }
    int64_t first = span.first, last = span.last;
    for (int64_t j = first; j <= last && trial->verdict->holds; j++) {
        trial->place->point.j = span.first = span.last = j;
        if (claim->kind == CLAIM_STEP) {
            judge_compare_times(
                trial, time_of_steps, &span,
                arena_printf(trial->judge->arena, "in round %lld derived", (long long)j));
            continue;
        }
        Exact message = exact_multiply(block, exact_from_int(profile_message(profile, j)));
        compare_port_step(trial, &observation->steps.items[j - 1], message);
    }
}
