#include "cli/certificate.h"

#include "bound/certificate.h"
#include "cli/files.h"
#include "cli/schedule_proof.h"

/* The bound that a certificate proves: of the best cut, or of flows where that is larger. */
static const Bound *certified(const BoundSet *bounds)
{
    const Bound *cut = &bounds->items[BOUND_CUT], *flow = &bounds->items[BOUND_FLOW];
    return exact_compare(flow->coefficient, cut->coefficient) > 0 ? flow : cut;
}

/* False where there is no cut. */
static bool certify(const Query *query, Case *opened, Buffer *text)
{
    bool has_flow = option_given(query->line, OPTION_FLOW);
    const Study *study = &opened->study;
    Contract contract;
    if (!contract_create_to(text->arena, opened->collective, opened->network.p, study->root,
                            study->target, &contract, study->diag) ||
        !contract_check_entries(opened->collective, &contract, study->diag) ||
        !bound_certify(text, opened->collective->head.name, &contract, &opened->network,
                       &study->rules, has_flow))
        return false;
    const LowerBound *bound =
        case_bound_by(opened, has_flow ? BOUND_SEARCH_FLOW : BOUND_SEARCH_CUTS);
    schedule_proof_write(text, query, opened->collective, &opened->network,
                         certified(&bound->bounds));
    return true;
}

Status certificate_write(const Query *query, Case *opened)
{
    Text name = option_value(query->line, OPTION_CERTIFICATE);
    Buffer text = {.arena = arena_scratch(query->study.arena)};
    bool has_cut = certify(query, opened, &text);
    if (!has_cut)
        diag_error(query->study.diag, name.span,
                   "there is no cut to certify: nothing has to move, or there are too many links");
    bool written = has_cut && file_write(query->line, name, text.items, text.count);
    arena_destroy(text.arena);
    return written ? STATUS_FINE : has_cut ? STATUS_SYSTEM : STATUS_BAD_INPUT;
}
