/* The function of collcost.h that explains. */
#include "study/call.h"
#include "study/explanation.h"

typedef struct {
    Case *sides[2];
    double bytes;
    unsigned wanted;
    const collcost_explanation *found;
} ExplainCall;

static collcost_status explain(void *arguments)
{
    ExplainCall *call = arguments;
    bool is_wrong;
    if (!call_check_size(&call->sides[0]->study, call->bytes, 0))
        return COLLCOST_BAD_INPUT;
    call->found = explanation_find(call->sides[0], call->sides[1], call->bytes,
                                   call->wanted & COLLCOST_BREAK_EVENS, &is_wrong);
    return !call->found ? COLLCOST_BAD_INPUT : is_wrong ? COLLCOST_CHECK_FAILED : COLLCOST_FINE;
}

collcost_status collcost_explain(collcost_case *first, collcost_case *second, double bytes,
                                 unsigned wanted, const collcost_explanation **found)
{
    ExplainCall call = {{first, second}, bytes, wanted, NULL};
    collcost_status status = call_study(&first->study, explain, &call);
    if (call_answered(status))
        *found = call.found;
    return status;
}
