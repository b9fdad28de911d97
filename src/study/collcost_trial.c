/* The functions of collcost.h that are about times on machines that change. */
#include "study/call.h"
#include "study/case.h"

#include <math.h>
#include <string.h>

/* Times that differ by a smaller share are the same. */
static const double same_time = 1e-9;

struct collcost_trial {
    const Case *given;
    Case *now;    /* the same question, with the costs of `machine`; NULL: not yet */
    Arena *arena; /* of that case; NULL: there is none */
    const double *sizes;
    size_t count;
    Machine machine; /* the last one, with lists */
    Machine derived; /* that on which the case was opened */

    bool is_tried[DELAYS_OF_LEVELS], depends[DELAYS_OF_LEVELS]; /* on these delays */
};

/* Levels that have no protocols of their own get such as say nothing: a profile then contains how
   much of each level a time has, and takes the price when it is asked, as it does of the machine's.
   With store-and-forward levels have none. */
static void add_lists(const Rules *rules, Machine *machine)
{
    static const Protocol nothing = {.up_to = INFINITY, .parameters = {-1, -1, -1, -1}};
    const Protocol *own = machine->protocol_count ? machine->protocols : &nothing;
    const int count = machine->protocol_count ? machine->protocol_count : 1;
    for (int i = 0; i < machine->level_count && rules->switching == SWITCHING_CUT_THROUGH; i++) {
        Level *level = &machine->levels[i];
        if (level->protocol_count || machine->listed_count + count > LIMIT_PROTOCOLS)
            continue;
        level->first_protocol = machine->listed_count;
        level->protocol_count = count;
        for (int j = 0; j < count; j++) {
            Protocol *protocol = &machine->protocols[machine->listed_count++];
            *protocol = nothing;
            protocol->number = own[j].number;
            protocol->up_to = own[j].up_to;
            protocol->waits = own[j].waits;
        }
    }
}

static void close_trial(collcost_trial *trial)
{
    if (trial->arena)
        arena_destroy(trial->arena);
    trial->arena = NULL;
    trial->now = NULL;
}

static Case *open_on(const Case *given, Arena *arena, const Machine *machine, Diag *diag)
{
    Study study = given->study;
    study.arena = arena;
    study.machine = *machine;
    study.diag = diag;
    study.rules.keeps_spacing = true;
    rules_follow_machine(&study.rules, &study.machine);
    return case_open(&study, given->collective, given->only, given->network.topology,
                     &given->network.shape);
}

static bool case_seconds(const Case *opened, double bytes, double *seconds)
{
    return curve_seconds(opened->candidates.curves[0], bytes, curve_most_chunks(bytes), seconds,
                         opened->study.diag) &&
           *seconds > 0;
}

/* Do the profiles contain a delay? Those of messages that are posted together tell how many these
   are; contacts, and gaps in order, are in them. A delay of a second would show. */
static bool contains(collcost_trial *trial, int delay)
{
    if (trial->is_tried[delay])
        return trial->depends[delay];
    Arena *scratch = arena_scratch(trial->given->study.arena);
    Diag silent = diag_silent();
    Machine machine = trial->machine;
    machine.delays[delay] = (Delay){.is_given = true, .seconds = machine.delays[delay].seconds + 1};
    const Case *delayed = open_on(trial->given, scratch, &machine, &silent);
    bool depends = !delayed;
    case_change_costs(trial->now, &machine);
    for (size_t i = 0; i < trial->count && !depends; i++) {
        double before, after;
        depends = !case_seconds(trial->now, trial->sizes[i], &before) ||
                  !case_seconds(delayed, trial->sizes[i], &after) ||
                  fabs(after - before) > same_time * before;
    }
    case_change_costs(trial->now, &trial->machine);
    arena_destroy(scratch);
    trial->is_tried[delay] = true;
    return trial->depends[delay] = depends;
}

/* Closes a case that contains delays which are others on this machine; what exchanges take is asked
   for with each cost. */
static void close_delayed(collcost_trial *trial, const Machine *machine)
{
    for (int i = 0; i < DELAYS_OF_LEVELS && trial->now; i++) {
        const Delay *before = &trial->machine.delays[i], *after = &machine->delays[i];
        bool is_same = after->is_given == before->is_given &&
                       (i == DELAY_EXCHANGE || after->seconds == before->seconds);
        if (!is_same && contains(trial, i))
            close_trial(trial);
    }
}

typedef struct {
    Case *opened;
    const double *sizes;
    size_t count;
    collcost_trial *trial;
    const Machine *machine;
    const bool *wanted;
    double *seconds;
} TrialCall;

static collcost_status create_trial(void *arguments)
{
    TrialCall *call = arguments;
    const Study *study = &call->opened->study;
    if (call->opened->candidates.algorithms.count != 1)
        return call_status(diag_error(study->diag, NOWHERE, "a trial is about one algorithm"));
    for (size_t i = 0; i < call->count; i++)
        if (!call_check_size(study, call->sizes[i], 0))
            return COLLCOST_BAD_INPUT;
    call->trial = ARENA_NEW(study->arena, collcost_trial);
    *call->trial = (collcost_trial){
        .given = call->opened,
        .sizes = ARENA_COPY(study->arena, double, call->sizes, call->count),
        .count = call->count,
        .machine = study->machine,
    };
    return COLLCOST_FINE;
}

collcost_status collcost_trial_create(collcost_case *opened, const double *sizes, size_t count,
                                      collcost_trial **trial)
{
    TrialCall call = {.opened = opened, .sizes = sizes, .count = count};
    collcost_status status = call_study(&opened->study, create_trial, &call);
    if (status == COLLCOST_FINE)
        *trial = call.trial;
    return status;
}

void collcost_trial_free(collcost_trial *trial)
{
    if (trial)
        close_trial(trial);
}

/* What was zero may have been left out, and what was not given may be another's. */
static bool can_price(const double *before, const double *now)
{
    bool can = true;
    for (int x = 0; x < PARAMETER_COUNT; x++)
        can &= before[x] > 0 ? now[x] >= 0 : now[x] == before[x];
    return can;
}

/* Do only prices differ, and delays that were given? */
static bool is_alike(const Machine *before, const Machine *now)
{
    bool is =
        before->level_count == now->level_count && before->protocol_count == now->protocol_count &&
        before->listed_count == now->listed_count && can_price(before->parameters, now->parameters);
    for (int i = 0; i < DELAYS_OF_LEVELS; i++)
        is &= before->delays[i].is_given || !now->delays[i].is_given;
    for (int i = 0; i < now->level_count && is; i++)
        is = text_same(before->levels[i].name, now->levels[i].name) &&
             can_price(before->levels[i].parameters, now->levels[i].parameters);
    for (int i = 0; i < now->listed_count && is; i++)
        is = before->protocols[i].up_to == now->protocols[i].up_to &&
             can_price(before->protocols[i].parameters, now->protocols[i].parameters);
    return is;
}

static collcost_status find_seconds(void *arguments)
{
    const TrialCall *call = arguments;
    collcost_trial *trial = call->trial;
    Machine listed = *call->machine;
    add_lists(&trial->given->study.rules, &listed);
    if (trial->now && !is_alike(&trial->derived, &listed)) {
        close_trial(trial);
        memset(trial->is_tried, 0, sizeof trial->is_tried);
    }
    close_delayed(trial, &listed);
    if (trial->now && case_is_derived_otherwise(trial->now, &listed))
        close_trial(trial);
    if (trial->now)
        case_change_costs(trial->now, &listed);
    trial->machine = listed;
    for (size_t i = 0; i < trial->count; i++) {
        if (call->wanted && !call->wanted[i])
            continue;
        if (!trial->now) {
            close_trial(trial); /* it may have been opened in vain before */
            trial->arena = arena_scratch(trial->given->study.arena);
            trial->now = open_on(trial->given, trial->arena, &listed, trial->given->study.diag);
            trial->derived = listed;
        }
        if (!trial->now || !case_seconds(trial->now, trial->sizes[i], &call->seconds[i]))
            return COLLCOST_BAD_INPUT;
    }
    return COLLCOST_FINE;
}

collcost_status collcost_trial_seconds(collcost_trial *trial, const collcost_machine *machine,
                                       const bool *wanted, double *seconds)
{
    TrialCall call = {.trial = trial, .machine = machine, .wanted = wanted, .seconds = seconds};
    return call_study(&trial->given->study, find_seconds, &call);
}
