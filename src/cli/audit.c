#include "cli/audit.h"

#include "verify/verify.h"

#include <math.h>

/* Ranks times chunks, and ranks, up to which an audit is a matter of milliseconds. */
enum { MOST_WORK = 4096, MOST_RANKS = 128 };

static bool is_closed_form_right(const Query *query, const Instance *instance,
                                 const Network *network, double bytes, const ClosedForm *closed)
{
    Profile profile;
    double claimed;
    if (!profile_derive(query->arena, instance, network, &query->rules, &profile, query->diag) ||
        !closed_seconds(closed, (double)instance->k, query->rules.parameters, bytes, &claimed,
                        query->diag))
        return false;
    double derived = cost_total(profile_cost(&profile, query->rules.parameters, bytes));
    if (fabs(claimed - derived) <= 1e-12 * fabs(derived))
        return true;
    diag_error(query->diag, closed_span(closed),
               "this claim does not hold: %s claimed, %s derived from the schedule for %s, %s",
               quantity_show_time(query->arena, claimed), quantity_show_time(query->arena, derived),
               network->name, quantity_show_bytes(query->arena, bytes));
    return false;
}

Audit audit_algorithm(const Query *query, const Algorithm *algorithm, const Network *network,
                      double k, double bytes, const ClosedForm *closed)
{
    Instance instance = {algorithm,
                         network->p,
                         query->root,
                         (int64_t)k,
                         rules_ports(&query->rules, network),
                         &network->shape,
                         query->target,
                         0};
    if (network->p > MOST_RANKS || k * (double)network->p > MOST_WORK)
        return AUDIT_TOO_LARGE;
    size_t errors = query->diag->error_count;
    Verification result = verify_schedule(query->arena, &instance, query->diag);
    if (!result.right && result.failure.text) {
        diag_error(query->diag, result.failure.span, "%s", result.failure.text);
        diag_note(query->diag, algorithm->head.span, "so %s is wrong",
                  algorithm_full_name(query->arena, algorithm));
    }
    if (!result.right)
        return result.on_data || query->diag->error_count > errors ? AUDIT_WRONG : AUDIT_TOO_LARGE;
    return !closed || is_closed_form_right(query, &instance, network, bytes, closed) ? AUDIT_GOOD
                                                                                     : AUDIT_WRONG;
}
