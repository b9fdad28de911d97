#include "cli/certificate.h"

#include "bound/certificate.h"
#include "cli/files.h"
#include "cli/schedule_proof.h"

/* The bound that a certificate proves: of the best cut, or of flows where that is larger. */
static const Bound *certified_bound(const BoundSet *bounds)
{
    const Bound *cut = &bounds->items[BOUND_CUT], *flow = &bounds->items[BOUND_FLOW];
    return exact_compare(flow->coefficient, cut->coefficient) > 0 ? flow : cut;
}

/* False after a report. */
static bool certify(const Query *query, Case *opened, Buffer *text)
{
    bool has_flow = option_given(query->line, OPTION_FLOW);
    const Study *study = &opened->study;
    Contract contract;
    if (!contract_create(text->arena, opened->collective, opened->network.p, study->root,
                         study->target, &contract, study->diag) ||
        !contract_check_entries(opened->collective, &contract, contract.p, study->diag))
        return false;
    if (!bound_certify(text, opened->collective->head.name, &contract, &opened->network,
                       &study->rules, has_flow)) {
        diag_error(study->diag, option_value(query->line, OPTION_CERTIFICATE).span,
                   "there is no cut to certify: nothing has to move, or there are too many links");
        return false;
    }
    const LowerBound *bound =
        case_bound_by(opened, has_flow ? BOUND_SEARCH_FLOW : BOUND_SEARCH_CUTS);
    schedule_proof_write(text, query, opened->collective, &opened->network,
                         certified_bound(&bound->bounds));
    return true;
}

Status certificate_write(const Query *query, Case *opened)
{
    Text name = option_value(query->line, OPTION_CERTIFICATE);
    Buffer text = {.arena = arena_scratch(query->study.arena)};
    bool certified = certify(query, opened, &text);
    bool written = certified && file_write(query->line, name, text.items, text.count);
    arena_destroy(text.arena);
    return written ? STATUS_FINE : certified ? STATUS_SYSTEM : STATUS_BAD_INPUT;
}
