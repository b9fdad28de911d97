#include "study/check_cost.h"

#include "verify/verify.h"

#include <math.h>

/* Ranks times chunks, and ranks, up to which an audit is a matter of milliseconds. */
enum { MOST_WORK = 4096, MOST_RANKS = 128 };

static bool is_closed_form_right(const Study *study, const Instance *instance,
                                 const Network *network, double bytes, const ClosedForm *closed)
{
    Profile profile;
    double claimed;
    if (!profile_derive(study->arena, instance, network, &study->rules, &profile, study->diag) ||
        !closed_seconds(closed, (double)instance->k, study->rules.parameters, bytes, &claimed,
                        study->diag))
        return false;
    double derived = cost_total(profile_cost(&profile, study->rules.parameters, bytes));
    if (fabs(claimed - derived) <= 1e-12 * fabs(derived))
        return true;
    diag_error(study->diag, closed_span(closed),
               "this claim does not hold: %s claimed, %s derived from the schedule for %s, %s",
               quantity_show_time(study->arena, claimed), quantity_show_time(study->arena, derived),
               network->name, quantity_show_bytes(study->arena, bytes));
    return false;
}

CostCheck check_cost(const Study *study, const Algorithm *algorithm, const Network *network,
                     double k, double bytes, const ClosedForm *closed)
{
    Instance instance = study_instance(study, algorithm, network, (int64_t)k);
    if (network->p > MOST_RANKS || k * (double)network->p > MOST_WORK)
        return COST_TOO_LARGE;
    size_t errors = study->diag->error_count;
    Verification result = verify_schedule(study->arena, &instance, study->diag);
    if (!result.right && result.failure.text) {
        diag_error(study->diag, result.failure.span, "%s", result.failure.text);
        diag_note(study->diag, algorithm->head.span, "so %s is wrong",
                  algorithm_full_name(study->arena, algorithm));
    }
    if (!result.right)
        return result.on_data || study->diag->error_count > errors ? COST_WRONG : COST_TOO_LARGE;
    return !closed || is_closed_form_right(study, &instance, network, bytes, closed) ? COST_GOOD
                                                                                     : COST_WRONG;
}
