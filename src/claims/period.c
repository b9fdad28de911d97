#include "claims/compare.h"

#include "cost/bag.h"

/* Ranks, ports, and chunks, up to which schedules are derived one by one. */
enum { LARGEST_P = 7, MOST_PORTS = 2, MOST_COMPARED = 40 };

typedef struct {
    const Judge *judge;
    const Place *place;
    Instance instance;
} Derived;

static bool derive(void *context, int64_t k, Arena *arena, Profile *profile)
{
    const Derived *source = context;
    Diag silent = diag_silent();
    Instance instance = source->instance;
    instance.k = k;
    return profile_derive(arena, &instance, source->place->network, &source->place->rules, profile,
                          &silent);
}

bool period_is_tried(const Place *place)
{
    return place->point.p <= LARGEST_P && place->point.ports <= MOST_PORTS && place->point.k == 1 &&
           place->rules.switching == SWITCHING_CUT_THROUGH;
}

void judge_period(const Trial *trial, const Instance *instance)
{
    Judge *judge = trial->judge;
    const Place *place = trial->place;
    static const ExactParameters none;
    Derived source = {judge, place, *instance};
    Exact period;
    if (!period_is_tried(place))
        return;
    if (!claim_exact(trial->claim, &place->point, &none, place->sizes[0], &period) ||
        !period.exact || period.denominator != 1 || period.numerator < 1) {
        judge_refute(trial, "something that is no number of chunks", "found", "-");
        return;
    }
    const char *claimed = exact_show(judge->arena, period);
    const Bag *bag = bag_fill(judge->scratch, period.numerator, MOST_COMPARED, derive, &source);
    if (!bag || !bag_repeats(bag)) {
        judge_refute(trial, claimed, "derived", "schedules that do not repeat so");
        return;
    }
    for (int64_t k = 1; k <= MOST_COMPARED; k++) {
        const ArenaMark mark = arena_mark(judge->scratch);
        Profile derived;
        bool same = bag_derived(bag, k);
        if (!same && derive(&source, k, judge->scratch, &derived)) {
            const Profile *repeated = bag_profile(bag, judge->scratch, k);
            same = repeated->startups == derived.startups;
            for (int v = 0; v < PARAMETER_COUNT && same; v++)
                same =
                    exact_equal(profile_time_exact(repeated, &place->vectors[v], place->sizes[v]),
                                profile_time_exact(&derived, &place->vectors[v], place->sizes[v]));
        }
        arena_release(judge->scratch, mark);
        trial->verdict->cases++;
        if (same)
            continue;
        judge_refute(trial, claimed, "derived",
                     arena_printf(judge->arena, "another time with %lld chunks", (long long)k));
        return;
    }
}
