#include "study/check_cost.h"

#include "sched/store.h"
#include "study/checked.h"
#include "verify/verify.h"

#include <math.h>

/* Ranks times chunks, and ranks, up to which an audit is a matter of milliseconds; on more, it is
   made on so few ranks. */
enum { MOST_WORK = 4096, MOST_RANKS = 128, FEW_RANKS = 64 };

bool check_closed(const Study *study, const ClosedForm *closed, double k, const Network *network,
                  double bytes, double derived)
{
    double claimed;
    if (!closed_seconds(closed, k, study->rules.parameters, bytes, &claimed, study->diag))
        return false;
    if (fabs(claimed - derived) <= 1e-12 * fabs(derived))
        return true;
    const bool outer = diag_begin_trial(study->diag);
    diag_error(study->diag, closed_span(closed),
               "this claim does not hold: %s claimed, %s derived from the schedule for %s, %s",
               quantity_show_time(study->arena, claimed), quantity_show_time(study->arena, derived),
               network->name, quantity_show_bytes(study->arena, bytes));
    diag_end_trial(study->diag, outer);
    return false;
}

static bool is_closed_form_right(const Study *study, const Instance *instance,
                                 const Network *network, double bytes, const ClosedForm *closed)
{
    Profile profile;
    return profile_derive(study->arena, instance, network, &study->rules, &profile, study->diag) &&
           check_closed(study, closed, (double)instance->k, network, bytes,
                        cost_total(profile_cost(&profile, study->rules.parameters, bytes)));
}

/* Runs the schedule on data, unless that was done before. */
static CostCheck check_schedule(const Study *study, const Instance *instance)
{
    if (instance->p > MOST_RANKS || instance->k > MOST_WORK / instance->p)
        return COST_TOO_LARGE;
    if (checked_is_known(study, instance))
        return COST_GOOD;
    size_t errors = study->diag->error_count;
    Verification result = verify_schedule(study->arena, instance, study->diag);
    if (!result.right && result.failure.text) {
        const bool outer = diag_begin_trial(study->diag);
        diag_error(study->diag, result.failure.span, "%s", result.failure.text);
        diag_note(study->diag, instance->algorithm->head.span, "so %s is wrong",
                  algorithm_full_name(study->arena, instance->algorithm));
        diag_end_trial(study->diag, outer);
    }
    if (!result.right)
        return result.on_data || study->diag->error_count > errors ? COST_WRONG : COST_TOO_LARGE;
    checked_remember(study, instance);
    return COST_GOOD;
}

/* Halves the longest dimension until there are few ranks, or none can be halved; false if that
   leaves too many. */
static bool shrink_shape(const Shape *shape, Shape *smaller)
{
    *smaller = *shape;
    while (smaller->p > FEW_RANKS) {
        int longest = 0;
        for (int i = 1; i < smaller->count; i++)
            if (smaller->sizes[i] > smaller->sizes[longest])
                longest = i;
        int64_t size = smaller->sizes[longest];
        if (size < 4)
            break;
        smaller->p = smaller->p / size * (size / 2);
        smaller->sizes[longest] = size / 2;
    }
    return smaller->p <= MOST_RANKS;
}

/* The stages of a composition are right by themselves; that they fit together shows on few ranks.
 */
static CostCheck check_smaller(const Study *study, const Instance *instance)
{
    Shape shape;
    Instance smaller = *instance;
    Diag silent = diag_silent();
    if (!instance->algorithm->composed || !shrink_shape(instance->shape, &shape) ||
        !schedule_allows(instance->algorithm, &shape, instance->ports, NULL, &silent))
        return COST_TOO_LARGE;
    smaller.shape = &shape, smaller.p = shape.p;
    smaller.root = instance->root % shape.p;
    smaller.k = instance->k < MOST_WORK / shape.p ? instance->k : MOST_WORK / shape.p;
    CostCheck found = check_schedule(study, &smaller);
    return found == COST_GOOD ? COST_SMALLER : found;
}

/* A power of two, or one more, of the size of k. */
static int64_t stand_in(int64_t k)
{
    int64_t power = 1;
    while (power <= k / 2)
        power *= 2;
    return power > 1 ? power + k % 2 : 1;
}

CostCheck check_cost(const Study *study, const Instance *asked, const Network *network,
                     double bytes, const ClosedForm *closed, CheckEffort effort)
{
    Instance instance = *asked;
    if (effort == CHECK_ONCE && !study->chosen.k)
        instance.k = stand_in(asked->k);
    if (effort == CHECK_ONCE && checked_is_known(study, &instance))
        return COST_GOOD;
    /* the run on data and the derivation of the time visit the same rounds */
    Study passing = *study;
    passing.arena = arena_scratch(study->arena);
    instance.store = store_create(passing.arena);
    CostCheck found = check_schedule(&passing, &instance);
    if (found == COST_TOO_LARGE)
        found = check_smaller(&passing, &instance);
    else if (found == COST_GOOD && closed && effort == CHECK_EACH &&
             !is_closed_form_right(&passing, &instance, network, bytes, closed))
        found = COST_WRONG;
    arena_destroy(passing.arena);
    return found;
}
