/* The functions of collcost.h that are about numbers of ranks. */
#include "study/call.h"
#include "study/rank_sweep.h"

typedef struct {
    Study *study;
    const char *collective;
    RankSweep *sweep;
} CreateCall;

static collcost_status create(void *arguments)
{
    CreateCall *call = arguments;
    const Study *study = call->study;
    Text name = call_text(study, "collective", call->collective);
    const Collective *collective = library_collective(study->library, name, study->diag);
    call->sweep = collective ? rank_sweep_open(study, collective) : NULL;
    return call_status(call->sweep != NULL);
}

collcost_status collcost_sweep_create(collcost_study *study, const char *collective,
                                      collcost_sweep **sweep)
{
    CreateCall call = {study, collective, NULL};
    collcost_status status = call_study(study, create, &call);
    if (status == COLLCOST_FINE)
        *sweep = call.sweep;
    return status;
}

typedef struct {
    RankSweep *sweep;
    const Case *opened;
    double bytes;
    const collcost_rank_row *rows;
    size_t count;
} SweepCall;

static collcost_status add(void *arguments)
{
    SweepCall *call = arguments;
    const Study *study = call->sweep->study;
    bool is_wrong;
    if (call->opened->collective != call->sweep->collective) {
        diag_error(study->diag, NOWHERE, "this is a case of another collective");
        return COLLCOST_BAD_INPUT;
    }
    if (!call_check_size(study, call->bytes, 0) ||
        !rank_sweep_add(call->sweep, call->opened, call->bytes, &is_wrong))
        return COLLCOST_BAD_INPUT;
    return is_wrong ? COLLCOST_CHECK_FAILED : COLLCOST_FINE;
}

collcost_status collcost_sweep_add(collcost_sweep *sweep, collcost_case *opened, double bytes)
{
    SweepCall call = {.sweep = sweep, .opened = opened, .bytes = bytes};
    return call_study(sweep->study, add, &call);
}

static collcost_status find_rows(void *arguments)
{
    SweepCall *call = arguments;
    call->rows = rank_sweep_rows(call->sweep, &call->count);
    return COLLCOST_FINE;
}

collcost_status collcost_sweep_rows(collcost_sweep *sweep, const collcost_rank_row **rows,
                                    size_t *count)
{
    SweepCall call = {.sweep = sweep};
    collcost_status status = call_study(sweep->study, find_rows, &call);
    if (status == COLLCOST_FINE) {
        *rows = call.rows;
        *count = call.count;
    }
    return status;
}
