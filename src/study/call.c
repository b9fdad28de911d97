#include "study/call.h"

#include <string.h>

typedef struct {
    CallBody *body;
    void *arguments;
    collcost_status status;
} Call;

static void run(void *context)
{
    Call *call = context;
    call->status = call->body(call->arguments);
}

collcost_status call_run(Workspace *workspace, CallBody *body, void *arguments)
{
    Call call = {body, arguments, COLLCOST_FINE};
    switch (workspace_run(workspace, run, &call)) {
    case ENDING_NO_MEMORY:
        return COLLCOST_NO_MEMORY;
    case ENDING_CANCELLED:
        return COLLCOST_CANCELLED;
    case ENDING_TOO_LARGE:
        return COLLCOST_TOO_LARGE;
    case ENDING_DONE:
        break;
    }
    return call.status;
}

collcost_status call_study(const Study *study, CallBody *body, void *arguments)
{
    if (study->interruptions) /* a program asks, which may go on for years */
        diag_renew_limit(study->diag);
    if (study->interruptions && study->created_after != *study->interruptions)
        return call_status(diag_error(study->diag, NOWHERE,
                                      "an earlier call was interrupted: start with a new study"));
    collcost_status status = call_run(arena_workspace(study->arena), body, arguments);
    if (study->interruptions)
        *study->interruptions += call_was_interrupted(status);
    return status;
}

bool call_answered(collcost_status status)
{
    return status == COLLCOST_FINE || status == COLLCOST_CHECK_FAILED;
}

bool call_was_interrupted(collcost_status status)
{
    return status == COLLCOST_NO_MEMORY || status == COLLCOST_CANCELLED ||
           status == COLLCOST_TOO_LARGE;
}

collcost_status call_status(bool good)
{
    return good ? COLLCOST_FINE : COLLCOST_BAD_INPUT;
}

Text call_text(const Study *study, const char *name, const char *value)
{
    return source_argument(study->arena, name, arena_copy(study->arena, value, strlen(value)));
}

bool call_check_size(const Study *study, double bytes, double least)
{
    return (bytes >= least && bytes <= LARGEST_SIZE) ||
           diag_error(study->diag, NOWHERE, "a size is %s and at most 2^53 bytes",
                      least > 0 ? "above 0" : "not negative");
}
