#include "cost/derive.h"

#include "cost/derive_finish.h"
#include "cost/derive_instance.h"
#include "cost/derive_memo.h"
#include "cost/port_levels.h"
#include "cost/port_steps.h"
#include "sched/chunk_sizes.h"
#include "sched/grid_stages.h"
#include "sched/rotation.h"

/* With ports by level, a rank stands for others where their links are of the same levels. */
static bool levels_turn(const Rules *rules, const Network *network, const Rotation *rotation)
{
    return !port_levels_differ(rules, network) || rotation->by % network_turn(network).by == 0;
}

/* Where stages run along dimensions, these are followed one by one. */
static bool derive_by_dimension(Arena *arena, PortStepMemo *const *memos, const Instance *instance,
                                const Network *network, const Rules *rules, size_t count,
                                bool wants_peaks, const TraceVisitor *visitor, Profile *profiles)
{
    GridOwnership grid;
    /* rounds of a dual are those of its origin, in another order */
    GridStages *stages = count == 1 && memos && memos[0] && !instance->algorithm->dual
                             ? memo_stages(memos[0])
                             : NULL;
    Instance by_dimension = *instance;
    Diag silent = diag_silent();
    by_dimension.grid = &grid;
    /* of a pipeline one chunk is followed, but ranks hold several at a time */
    if (instance->algorithm->pipelined && instance->k > 1 &&
        (wants_peaks || rules_price_by_peak(rules, instance->algorithm)))
        return false;
    /* who sent to whom before is not known where stages are not run again */
    return !instance->store && !rules_have_contacts(rules) && !instance->algorithm->streams &&
           rules->posting != POSTING_STREAMED &&
           grid_ownership_create(arena, instance, stages, &grid) &&
           derive_instance(arena, memos, &by_dimension, network, rules, count, wants_peaks, visitor,
                           profiles, &silent);
}

/* Where rounds are runs of messages, these are counted, not listed. */
static bool derive_by_runs(Arena *arena, PortStepMemo *const *memos, const Instance *instance,
                           const Network *network, const Rules *rules, size_t count,
                           bool wants_peaks, Profile *profiles, Span *too_large)
{
    Instance by_runs = *instance;
    Diag silent = diag_silent();
    by_runs.takes_runs = true;
    by_runs.too_large = too_large;
    return derive_instance(arena, memos, &by_runs, network, rules, count, wants_peaks, NULL,
                           profiles, &silent);
}

static Instance without_blocks(const Instance *instance)
{
    Instance counted = *instance;
    counted.all_combine = true;
    return counted;
}

/* Where no more arrives than must be combined, who holds what need not be followed. */
static bool derive_by_counts(Arena *arena, PortStepMemo *const *memos, const Instance *instance,
                             const Network *network, const Rules *rules, size_t count,
                             bool wants_peaks, Profile *profiles)
{
    const Algorithm *algorithm = instance->algorithm;
    const Instance counted = without_blocks(instance);
    Diag silent = diag_silent();
    return !wants_peaks && algorithm->combines && !algorithm->expect_wrong && !instance->store &&
           !algorithm->collective->is_empty && rules->combining == COMBINING_AFTER &&
           (!algorithm_origin(algorithm)->names_all || schedule_parts_fit(arena, instance)) &&
           derive_instance(arena, memos, &counted, network, rules, count, false, NULL, profiles,
                           &silent);
}

/* By each of the rules, of which the mean over ranks is wanted. */
static bool derive_means(Arena *arena, const Instance *instance, const Network *network,
                         const Rules *rules, size_t count, bool wants_peaks, Profile *profiles,
                         Diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        TraceVisitor visitor;
        Averager *averager = averager_create(arena, network_of_all(network)->p, &visitor);
        if (!derive_instance(arena, NULL, instance, network, &rules[i], 1, wants_peaks, &visitor,
                             &profiles[i], diag))
            return false;
        averager_apply(averager, &profiles[i]);
    }
    return true;
}

/* Where all ranks behave alike, some stand for all. Whatever is in the way is found again, and
   told, when all are looked at. */
static bool derive(Arena *arena, PortStepMemo *const *memos, const Instance *instance,
                   const Network *network, const Rules *rules, size_t count, bool wants_peaks,
                   const TraceVisitor *visitor, Profile *profiles, Diag *diag)
{
    Rotation rotation;
    Instance some = *instance;
    some.rotation = &rotation;
    Diag silent = diag_silent();
    Span too_large = NOWHERE;
    if (!visitor && !rules->asynchronous && rules->averages)
        return derive_means(arena, instance, network, rules, count, wants_peaks, profiles, diag);
    /* else no rank, and no block, stands for another */
    const int64_t *sizes = NULL;
    int64_t chunks;
    if ((algorithm_cutting(instance->algorithm)->size.program || instance->elements) &&
        !instance->algorithm->collective->problem &&
        (!schedule_chunks(instance, &chunks, diag) ||
         !chunk_sizes_find(arena, instance, chunks, &sizes, diag)))
        return false;
    const bool are_alike =
        !rules->weights && !sizes && network_groups(network) == 1 && !rules_merge(rules);
    if (are_alike && !visitor && !rules->asynchronous && rotation_find(instance, &rotation) &&
        rules_same_ports(rules, network) && levels_turn(rules, network, &rotation) &&
        (derive_by_counts(arena, memos, &some, network, rules, count, wants_peaks, profiles) ||
         derive_instance(arena, memos, &some, network, rules, count, wants_peaks, NULL, profiles,
                         &silent)))
        return true;
    if (are_alike && !visitor && !rules->asynchronous && !instance->store &&
        derive_by_runs(arena, memos, instance, network, rules, count, wants_peaks, profiles,
                       &too_large))
        return true;
    if (are_alike && !visitor && !rules->asynchronous && !too_large.source &&
        derive_by_counts(arena, memos, instance, network, rules, count, wants_peaks, profiles))
        return true;
    if (are_alike && !visitor && !rules->asynchronous && rules->combining != COMBINING_OVERLAP &&
        derive_by_dimension(arena, memos, instance, network, rules, count, wants_peaks, NULL,
                            profiles))
        return true;
    if (too_large.source) {
        schedule_report_too_large(instance, too_large, diag);
        return false;
    }
    /* that it is right to count shows at the end, when all has been visited */
    if (are_alike && visitor && visitor->sizes_only && !rules->asynchronous &&
        derive_by_counts(arena, memos, instance, network, rules, count, wants_peaks, profiles)) {
        some = without_blocks(instance);
        return derive_instance(arena, memos, &some, network, rules, count, false, visitor, profiles,
                               diag);
    }
    /* so does that dimensions can be followed one by one */
    if (are_alike && visitor && visitor->sizes_only && !rules->asynchronous &&
        rules->combining != COMBINING_OVERLAP &&
        derive_by_dimension(arena, memos, instance, network, rules, count, false, NULL, profiles))
        return derive_by_dimension(arena, memos, instance, network, rules, count, false, visitor,
                                   profiles);
    const size_t at_once = rules->asynchronous ? 1 : count; /* a timeline has the paths of one */
    for (size_t i = 0; i < count; i += at_once)
        if (!derive_instance(arena, memos ? memos + i : NULL, instance, network, rules + i, at_once,
                             wants_peaks, visitor, profiles + i, diag))
            return false;
    return true;
}

bool profile_trace(Arena *arena, const Instance *instance, const Network *network,
                   const Rules *rules, const TraceVisitor *visitor, Profile *profile, Diag *diag)
{
    return derive(arena, NULL, instance, network, rules, 1, !visitor->sizes_only, visitor, profile,
                  diag);
}

bool profile_derive(Arena *arena, const Instance *instance, const Network *network,
                    const Rules *rules, Profile *profile, Diag *diag)
{
    return derive(arena, NULL, instance, network, rules, 1, true, NULL, profile, diag);
}

bool profile_derive_all(Arena *arena, const Instance *instance, const Network *network,
                        const Rules *rules, PortStepMemo *const *memos, size_t count,
                        Profile *profiles, Diag *diag)
{
    return derive(arena, memos, instance, network, rules, count, true, NULL, profiles, diag);
}

bool profile_derive_with(Arena *arena, PortStepMemo *memo, const Instance *instance,
                         const Network *network, const Rules *rules, bool wants_peaks,
                         Profile *profile, Diag *diag)
{
    return derive(arena, &memo, instance, network, rules, 1, wants_peaks, NULL, profile, diag);
}
