#include "claims/checker.h"

/* What one turn of a schedule does, as `trace` shows it. */
typedef struct {
    int64_t hops, load;   /* links, messages on the busiest link */
    int64_t *partners;    /* of each rank: -1 none, -2 several */
    TurnCost *entries[2]; /* its messages, and local work behind it */
    const PathCost *paths[2];
    size_t entry_counts[2];
    int parts;
} Turn;
ARRAY_TYPE(TurnArray, Turn);

enum { NOBODY = -1, SEVERAL = -2 };

typedef struct {
    Arena *arena;
    int64_t p, last_number, traffic;
    TurnArray turns;
} Observer;

static void add_turn(Observer *observer)
{
    Turn *turn = ARRAY_PUSH(observer->arena, &observer->turns);
    *turn = (Turn){.partners = ARENA_ARRAY(observer->arena, int64_t, (size_t)observer->p)};
    for (int64_t r = 0; r < observer->p; r++)
        turn->partners[r] = NOBODY;
}

/* Entries are of this call only, so they are copied with their ways. */
static void keep_entries(Observer *observer, const CostedTurn *costed, Turn *turn)
{
    size_t paths = 0;
    int part = turn->parts < 2 ? turn->parts++ : 1;
    for (size_t e = 0; e < costed->entry_count; e++)
        paths = costed->entries[e].first_path + costed->entries[e].path_count > paths
                    ? costed->entries[e].first_path + costed->entries[e].path_count
                    : paths;
    turn->entries[part] =
        ARENA_COPY(observer->arena, TurnCost, costed->entries, costed->entry_count);
    turn->paths[part] = ARENA_COPY(observer->arena, PathCost, costed->paths, paths);
    turn->entry_counts[part] = costed->entry_count;
}

static void observe(void *context, const CostedTransfer *costed, const Round *round)
{
    Observer *observer = context;
    (void)round;
    const ScheduledTransfer *transfer = costed->transfer;
    while ((int64_t)observer->turns.count <= costed->turn->turn || observer->turns.count == 0)
        add_turn(observer);
    Turn *turn = &observer->turns.items[observer->turns.count - 1];
    if (costed->turn->number != observer->last_number)
        keep_entries(observer, costed->turn, turn);
    observer->last_number = costed->turn->number;
    if (transfer_is_local(transfer))
        return;
    int64_t *partner = &turn->partners[transfer->from];
    *partner = *partner == NOBODY ? transfer->to : SEVERAL;
    turn->hops = costed->turn->hops;
    turn->load = costed->turn->load_messages;
    observer->traffic += costed->hops * costed->size;
}

typedef struct {
    const Observer *observer;
    int64_t first, last, chunks; /* turns, from 1 */
} TurnSpan;

static Exact time_of_turns(const void *context, const ExactParameters *parameters, Exact size)
{
    const TurnSpan *span = context;
    Exact block = exact_divide(size, exact_from_int(span->chunks)), total = exact_from_int(0);
    for (int64_t j = span->first; j <= span->last; j++) {
        const Turn *turn = &span->observer->turns.items[j - 1];
        for (int part = 0; part < turn->parts; part++)
            for (size_t e = 0; e < turn->entry_counts[part]; e++)
                total = exact_add(total, turn_cost_exact(&turn->entries[part][e], turn->paths[part],
                                                         parameters, block));
    }
    return total;
}

static void compare_partners(const Judge *judge, const Claim *claim, Verdict *verdict, Place *place,
                             const Turn *turn)
{
    for (int64_t r = 0; r < place->point.p && verdict->holds; r++) {
        place->point.r = r;
        judge_compare_value(judge, claim, verdict, place, exact_from_int(turn->partners[r]),
                            arena_printf(judge->arena, "as receiver of rank %lld in round %lld",
                                         (long long)r, (long long)place->point.j));
    }
}

static void compare_turn(const Judge *judge, const Claim *claim, Verdict *verdict, Place *place,
                         const Turn *turn, Exact message)
{
    if (claim->kind == CLAIM_PARTNER) {
        compare_partners(judge, claim, verdict, place, turn);
        return;
    }
    Exact found = claim->kind == CLAIM_HOPS   ? exact_from_int(turn->hops)
                  : claim->kind == CLAIM_LOAD ? exact_from_int(turn->load)
                                              : message;
    judge_compare_value(judge, claim, verdict, place, found,
                        arena_printf(judge->arena, "in round %lld", (long long)place->point.j));
}

/* The rounds of which the claim speaks; false after refuting it: there are not so many. */
static bool find_rounds(const Judge *judge, const Claim *claim, Verdict *verdict,
                        const Place *place, int64_t count, int64_t *first, int64_t *last)
{
    Diag silent = diag_silent();
    *first = 1, *last = count;
    if (!claim->first.program)
        return true;
    bool valued = claim_rounds(claim, &place->point, first, last, &silent);
    if (valued && *first >= 1 && *last <= count)
        return true;
    judge_refute(judge, verdict, place,
                 valued ? arena_printf(judge->arena, "something about round %lld",
                                       (long long)(*first < 1 ? *first : *last))
                        : "something about rounds without a number",
                 "there are", arena_printf(judge->arena, "%lld", (long long)count));
    return false;
}

bool judge_rounds(const Judge *judge, const Claim *claim, Verdict *verdict, Place *place,
                  const Instance *instance)
{
    Profile profile;
    Observer observer = {.arena = judge->scratch, .p = place->point.p, .last_number = -1};
    const TraceVisitor visitor = {observe, NULL, &observer};
    TurnSpan span = {.observer = &observer};
    if (!profile_trace(judge->scratch, instance, place->network, &place->rules, &visitor, &profile,
                       judge->diag))
        return false;
    Exact block = exact_divide(place->sizes[0], exact_from_int(profile.chunks));
    int64_t count = profile.startups;
    span.chunks = profile.chunks;
    if (claim->kind == CLAIM_ROUND_COUNT) {
        judge_compare_value(judge, claim, verdict, place, exact_from_int(count), "");
        return true;
    }
    if (claim->kind == CLAIM_TRAFFIC) {
        Exact bytes = exact_multiply(block, exact_from_int(observer.traffic));
        judge_compare_value(judge, claim, verdict, place, bytes, "");
        return true;
    }
    if (!find_rounds(judge, claim, verdict, place, count, &span.first, &span.last))
        return true;
    if (claim->kind == CLAIM_TIME) {
        judge_compare_times(judge, claim, verdict, place, time_of_turns, &span, "derived");
        return true;
    }
    int64_t first = span.first, last = span.last;
    for (int64_t j = first; j <= last && verdict->holds; j++) {
        place->point.j = span.first = span.last = j;
        if (claim->kind == CLAIM_STEP) {
            judge_compare_times(judge, claim, verdict, place, time_of_turns, &span,
                                arena_printf(judge->arena, "in round %lld derived", (long long)j));
            continue;
        }
        Exact message = exact_multiply(block, exact_from_int(profile_message(&profile, j)));
        compare_turn(judge, claim, verdict, place, &observer.turns.items[j - 1], message);
    }
    return true;
}
