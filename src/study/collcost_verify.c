/* The function of collcost.h that verifies. */
#include "study/call.h"
#include "study/study.h"
#include "study/verify_models.h"

#include <string.h>

typedef struct {
    const Study *study;
    const collcost_task *task;
    collcost_verification found;
} VerifyCall;

static collcost_status verify(void *arguments)
{
    VerifyCall *call = arguments;
    const Study *study = call->study;
    const collcost_task *asked = call->task;
    VerifyTask task = {.warns = asked->warns};
    for (size_t i = 0; i < asked->model_count; i++) {
        /* The entry of a name, and those below it: "allreduce" and "allreduce/ring", ... */
        const Text name = call_text(study, "model", asked->models[i]);
        const size_t before = task.entries.count;
        for (size_t n = 0; n < library_entry_count(study->library); n++) {
            const ModelEntry *entry = library_entry(study->library, n);
            const bool is_below = !asked->is_exact &&
                                  strncmp(entry->name, name.chars, name.length) == 0 &&
                                  entry->name[name.length] == '/';
            if (is_below || text_equals(name, entry->name))
                *ARRAY_PUSH(study->arena, &task.entries) = entry;
        }
        if (task.entries.count == before)
            return call_status(
                diag_error(study->diag, name.span, "unknown model '%s'", name.chars));
    }
    for (size_t i = 0; asked->model_count == 0 && i < library_entry_count(study->library); i++)
        *ARRAY_PUSH(study->arena, &task.entries) = library_entry(study->library, i);
    /* Without ranks, 1 .. most; without both, the default ones. */
    const int64_t *given = asked->rank_count ? asked->ranks : &asked->most;
    const size_t given_count = asked->rank_count ? asked->rank_count : asked->most != 0;
    for (size_t i = 0; i < given_count; i++) {
        if (given[i] < 1 || given[i] > topology_most_ranks)
            return call_status(diag_error(study->diag, NOWHERE, "ranks are between 1 and %lld",
                                          (long long)topology_most_ranks));
        for (int64_t p = asked->rank_count ? given[i] : 1; p <= given[i]; p++)
            *ARRAY_PUSH(study->arena, &task.ranks) = p;
    }
    for (size_t i = 0; i < asked->topology_count; i++) {
        Text text = call_text(study, "topology", asked->topologies[i]);
        if (!subject_topology(study, text, ARRAY_PUSH(study->arena, &task.shapes)))
            return COLLCOST_BAD_INPUT;
    }
    if (!verify_models(study, &task, &call->found))
        return COLLCOST_BAD_INPUT;
    return call->found.failed ? COLLCOST_CHECK_FAILED : COLLCOST_FINE;
}

collcost_status collcost_verify(collcost_study *study, const collcost_task *task,
                                collcost_verification *found)
{
    VerifyCall call = {.study = study, .task = task};
    collcost_status status = call_study(study, verify, &call);
    if (call_answered(status))
        *found = call.found;
    return status;
}
