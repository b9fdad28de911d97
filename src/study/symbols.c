#include "study/case.h"

#include <math.h>

/* Ranks up to which symbols are derived from the schedule; beyond, and where that fails, a closed
   form serves if there is one. */
enum { MOST_SYMBOL_RANKS = 512 };

static const char *add_term(Arena *arena, const char *text, double coefficient, const char *name)
{
    if (coefficient == 0)
        return text;
    const char *factor = coefficient == 1 ? "" : number_as_fraction(arena, coefficient);
    return arena_printf(arena, "%s%s%s%s%s", text, *text ? " + " : "", factor, *factor ? " " : "",
                        name);
}

/* "7 ts + 7 m tw" from the schedule; parameters that are zero on the machine are left out. Where
   links have costs of their own, or messages gaps, a line over the size. */
static const char *derive_formula(const Study *study, const Instance *instance,
                                  const Network *network, Profile *profile)
{
    if (!profile_derive(study->arena, instance, network, &study->rules, profile, study->diag))
        return NULL;
    Profile fractions = *profile; /* formulas have m / k, not rounded up */
    fractions.ceil_chunks = false;
    const double none[PARAMETER_COUNT] = {0};
    if (profile->has_link_costs || cost_total(profile_cost(&fractions, none, 0)) > 0) {
        /* In the machine's parameters there is no formula: "17.5 us + m / 2 GB/s", from the time of
           an empty message and that of the last byte of a large one. */
        const double *parameters = study->rules.parameters, large = 0x1p100;
        const CostParts last = profile_cost(&fractions, parameters, large);
        const double start = cost_total(profile_cost(&fractions, parameters, 0));
        const double slope = (last.transfer + last.compute) / large;
        const double meet = slope > 0 ? start / slope : 1;
        const double there = cost_total(profile_cost(&fractions, parameters, meet));
        const char *line =
            quantity_show_time(study->arena, start + study->rules.delays[DELAY_CALL].seconds);
        if (slope > 0)
            line = arena_printf(study->arena, "%s + m / (%s)", line,
                                quantity_show_bandwidth(study->arena, 1 / slope));
        return there >= (start + slope * meet) * (1 - 1e-12)
                   ? line
                   : arena_printf(study->arena, "at most %s", line);
    }
    const char *text = "";
    double all[PARAMETER_COUNT], sum = 0;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        double unit[PARAMETER_COUNT] = {0};
        all[i] = unit[i] = study->rules.parameters[i] != 0;
        const double coefficient = cost_total(profile_cost(&fractions, unit, 1));
        sum += coefficient;
        text = add_term(study->arena, text, coefficient, parameter_info[i].term);
    }
    /* The costs of one parameter after the other add up to the cost of all at once where the same
       paths are the slowest for each; elsewhere they do not belong together. */
    bool exact = cost_total(profile_cost(&fractions, all, 1)) >= sum * (1 - 1e-12);
    text = study_add_call(study, *text ? text : "0");
    return exact ? text : arena_printf(study->arena, "at most %s", text);
}

/* From a closed form, for numbers of ranks whose schedule is too long. */
static const char *closed_formula(const Study *study, const ClosedForm *closed, int64_t k,
                                  int64_t *rounds)
{
    const char *text = "";
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        double unit[PARAMETER_COUNT] = {0}, coefficient;
        unit[i] = i == PARAMETER_TS || study->rules.parameters[i] != 0;
        if (!closed_seconds(closed, (double)k, unit, 1, &coefficient, study->diag))
            return NULL;
        if (i == PARAMETER_TS)
            *rounds = (int64_t)llround(coefficient);
        if (study->rules.parameters[i] != 0)
            text = add_term(study->arena, text, coefficient, parameter_info[i].term);
    }
    return study_add_call(study, *text ? text : "0");
}

bool case_symbols(const Case *opened, size_t candidate, CostSymbols *symbols)
{
    Study plain = opened->study;
    plain.rules.compute.count = 0;
    plain.rules.protocols = NULL; /* a formula leaves open which one a message has */
    const Study *study = &plain;
    const Algorithm *algorithm = case_algorithm(opened, candidate);
    const FreeChoice chosen = study_choice(study, algorithm, &opened->network);
    bool free_k = algorithm->free_chunks && !chosen.k;
    if (!study_check_segment(study, algorithm, false))
        return false;
    int64_t k = chosen.k && algorithm->free_chunks ? chosen.k : 1;
    Instance instance = study_instance(study, algorithm, &opened->network, k,
                                       chosen.branches[algorithm->branching]);
    instance.branches = branches_of(&instance);
    Profile profile = {0};
    ClosedForm closed =
        closed_find(study->arena, &instance, &opened->network, &study->rules, free_k, false);
    const bool may_serve = closed.count && closed.is_compared;
    *symbols = (CostSymbols){
        .k = k,
        .branches = instance.branches,
        .closed_form = closed.count ? closed_text(study->arena, &closed) : NULL,
    };
    if (may_serve)
        study_silence(&plain);
    if (!may_serve || instance.p <= MOST_SYMBOL_RANKS)
        symbols->formula = derive_formula(study, &instance, &opened->network, &profile);
    plain.diag = opened->study.diag;
    symbols->rounds = profile.startups;
    symbols->from_closed_form = !symbols->formula && may_serve;
    if (symbols->from_closed_form)
        symbols->formula = closed_formula(study, &closed, k, &symbols->rounds);
    if (!symbols->formula)
        return false;
    const double bytes = 1e6;
    symbols->check = check_cost(study, &instance, &opened->network, 0, NULL, CHECK_EACH);
    if (closed.count && !closed.is_compared &&
        !check_closed(study, &closed, (double)k, &opened->network, bytes,
                      cost_total(profile_cost(&profile, study->rules.parameters, bytes))))
        symbols->check = COST_WRONG;
    return true;
}
