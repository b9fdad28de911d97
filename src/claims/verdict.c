#include "claims/verdict.h"

#include <inttypes.h>

const OutcomeInfo outcome_info[OUTCOME_COUNT] = {
#define OUTCOME(id, word, stands) {word, stands},
#include "claims/outcomes.def"
#undef OUTCOME
};

bool verdict_vanishes(const Verdict *verdict)
{
    if (verdict->large_error == 0 || verdict->far_errors[1] >= 0) /* 1 / log p falls by a third */
        return verdict->large_error == 0 || verdict->far_errors[1] <= 0.75 * verdict->far_errors[0];
    return verdict->many_error >= 0 && verdict->many_error <= verdict->few_error / 2;
}

Outcome verdict_outcome(const Verdict *verdict)
{
    const bool *lacks = verdict->lacks;
    if (verdict->holds && verdict->error > 0)
        return verdict_vanishes(verdict) ? OUTCOME_APPROXIMATE : OUTCOME_WRONG;
    if (!verdict->holds)
        return verdict->fails_alone  ? OUTCOME_ABOVE_ONE
               : verdict->only_lacks ? OUTCOME_NEGLECTING
                                     : OUTCOME_WRONG;
    if (lacks[PARAMETER_TS] || lacks[PARAMETER_TW] || lacks[PARAMETER_TC])
        return OUTCOME_NEGLECTING;
    return verdict->is_proved ? OUTCOME_PROVED : OUTCOME_HOLDS;
}

const char *verdict_words(Arena *arena, const Verdict *verdict)
{
    Outcome outcome = verdict_outcome(verdict);
    const char *text = "holds neglecting";
    int count = 0;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (verdict->lacks[i] && (i != PARAMETER_TH || verdict->only_lacks))
            text =
                arena_printf(arena, "%s%s %s", text, count++ ? " and" : "", parameter_info[i].name);
    return outcome == OUTCOME_NEGLECTING ? text : outcome_info[outcome].word;
}

const char *verdict_reach(Arena *arena, const Verdict *verdict, int64_t largest_p)
{
    if (verdict->fails_alone)
        return arena_printf(arena, "holds for p = 2 .. %" PRId64 ", wrong for p = 1", largest_p);
    if (verdict->cases && verdict_outcome(verdict) == OUTCOME_PROVED)
        return outcome_info[OUTCOME_PROVED].word;
    return arena_printf(arena, "%s for p up to %" PRId64,
                        verdict->cases ? verdict_words(arena, verdict) : "not compared", largest_p);
}

VerdictGrid verdict_grid_up_to(int64_t largest_p)
{
    return (VerdictGrid){
        .least_p = 1, .largest_p = largest_p, .root = -1, .target = -1, .switching = -1};
}

Rules verdict_rules(const VerdictGrid *grid, int64_t ports, Switching switching)
{
    return (Rules){.ports = ports,
                   .switching = switching,
                   .asynchronous = grid->asynchronous || grid->overlap,
                   .combining = grid->overlap ? COMBINING_OVERLAP : COMBINING_AFTER};
}

const ClaimList *verdict_claims(const VerdictSubject *subject)
{
    return claims_all(subject->algorithm    ? &subject->algorithm->claims
                      : subject->collective ? &subject->collective->claims
                                            : &subject->topology->claims);
}
