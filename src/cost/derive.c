#include "cost/derive.h"

#include "cost/deriver.h"
#include "cost/port_steps.h"
#include "sched/grid_stages.h"
#include "sched/rotation.h"
#include "sched/runs.h"

/* Ranks stand for others, or rounds are counted: not where ranks or blocks differ by themselves. */
static bool may_be_short(Arena *arena, const Derivation *of, bool *may, Diag *diag)
{
    const Instance *instance = of->instance;
    const Rules *rules = of->rules;
    const int64_t *sizes = NULL;
    int64_t chunks;
    if ((algorithm_cutting(instance->algorithm)->size.program || instance->sizes.elements) &&
        !instance->algorithm->collective->problem &&
        (!schedule_chunks(instance, &chunks, diag) ||
         !chunk_sizes_find(arena, instance, chunks, &sizes, diag)))
        return false;
    *may = !rules->weights && !sizes && network_groups(of->network) == 1 && !rules->asynchronous &&
           (!of->visitor || of->visitor->sizes_only);
    return true;
}

/* Where all ranks behave alike, some stand for all: with ports by level, and contacts, as many as
   the network turns by, since links of the others are of the same levels then. On few ranks to seek
   the shift takes longer than to follow all; on those of grids, too, but where one of several
   algorithms is asked for many numbers of chunks. */
static bool start_rotation(Arena *arena, const Derivation *of, Rotation *rotation,
                           RoundsWanted *wanted)
{
    const bool by_level = port_levels_differ(of->rules, of->network) ||
                          (rules_have_contacts(of->rules) && of->network->class_count > 1);
    const bool is_line = !of->instance->shape || of->instance->shape->count == 1;
    const int64_t few = is_line || of->most_messages ? FEW_RANKS / 4 : FEW_RANKS;
    if (of->visitor || of->instance->p <= few || !rotation_find(of->instance, rotation) ||
        !rules_same_ports(of->rules, of->network))
        return false;
    if (by_level) {
        const NetworkTurn turn = network_turn(of->network);
        const int64_t both = turn_multiple(&turn, rotation->by).by;
        if (both != rotation->by && !rotation_find_by(of->instance, both, rotation))
            return false;
    }
    /* Do so many blocks arrive at the ranks that stand for all, to be combined, that following them
       takes minutes, and more than a round can list? */
    int64_t fewest;
    if (rotation->by > 1 && of->instance->algorithm->combines &&
        fewest_combines(arena, of->instance, &fewest) &&
        fewest / rotation->p > LIMIT_ITEMS / rotation->by)
        return false;
    wanted->rotation = rotation;
    return true;
}

/* Where no more arrives than must be combined, who holds what need not be followed. */
static bool start_counts(Arena *arena, const Derivation *of, RoundsWanted *wanted)
{
    const Algorithm *algorithm = of->instance->algorithm;
    return wanted->all_combine =
               !of->wants_peaks && algorithm->combines && !algorithm->expect_wrong &&
               !algorithm->collective->is_empty && of->rules->combining == COMBINING_AFTER &&
               (!algorithm_origin(algorithm)->names_all ||
                schedule_parts_fit(arena, of->instance,
                                   wanted->rotation ? wanted->rotation->by : of->instance->p));
}

/* Where stages run along dimensions, these are followed one by one. */
static bool start_dimensions(Arena *arena, const Derivation *of, GridOwnership *grid,
                             RoundsWanted *wanted, Diag *diag)
{
    const Instance *instance = of->instance;
    const Algorithm *algorithm = instance->algorithm;
    const Rules *rules = of->rules;
    /* rounds of a dual are those of its origin, in another order */
    GridStages *stages = of->count == 1 && of->memos && of->memos[0] && !algorithm->dual
                             ? memo_stages(of->memos[0])
                             : NULL;
    /* of a pipeline one chunk is followed, but ranks hold several at a time */
    const bool asks_overlap = algorithm->pipelined && instance->k > 1 &&
                              (of->wants_peaks || rules_price_by_peak(rules, algorithm));
    /* who sent to whom before is not known where stages are not run again */
    const bool starts = !asks_overlap && !rules_have_contacts(rules) && !algorithm->streams &&
                        rules->posting != POSTING_STREAMED &&
                        rules->combining != COMBINING_OVERLAP &&
                        grid_ownership_create(arena, instance, stages, grid, diag);
    wanted->grid = starts ? grid : NULL;
    return starts;
}

/* By each of the rules, of which the mean over ranks is wanted. */
static bool derive_means(Arena *arena, const Derivation *of, Diag *diag)
{
    const RoundsWanted whole = {.most_messages = of->most_messages};
    for (size_t i = 0; i < of->count; i++) {
        TraceVisitor visitor;
        Averager *averager = averager_create(arena, network_of_all(of->network)->p, &visitor);
        Derivation one = *of;
        one.rules = &of->rules[i], one.profiles = &of->profiles[i], one.count = 1;
        one.memos = NULL, one.visitor = &visitor;
        if (!derive_instance(arena, &one, &whole, NULL, diag))
            return false;
        averager_apply(averager, one.profiles);
    }
    return true;
}

/* How a schedule was followed, with what was wanted of its rounds. */
typedef struct {
    RoundsWanted wanted;
    Rotation rotation;
    GridOwnership grid;
} Way;

/* Follows less than each rank, for nobody who looks on: that all rounds are runs, or that counts
   are right, shows while they are followed, and what is too large for some ranks that stand for all
   is told by runs. Whatever else is in the way is found again, and told, when all are looked at. */
static bool derive_short(Arena *arena, const Derivation *of, Span *too_large, Way *way)
{
    const RoundsWanted whole = {.most_messages = of->most_messages};
    Diag silent = diag_silent();
    Derivation unseen = *of;
    unseen.visitor = NULL;
    const bool turns = start_rotation(arena, of, &way->rotation, &way->wanted);
    if (turns && start_counts(arena, of, &way->wanted) &&
        derive_instance(arena, &unseen, &way->wanted, NULL, &silent))
        return true;
    way->wanted.all_combine = false;
    if (turns && derive_instance(arena, &unseen, &way->wanted, NULL, &silent))
        return true;
    way->wanted = whole;
    /* where switches merge messages, who sends which blocks matters, of all ranks */
    const bool merges = rules_merge(of->rules);
    if (!merges && !of->visitor && of->instance->p > FEW_RANKS && runs_are_possible(of->instance) &&
        derive_instance(arena, of, &whole, too_large, &silent))
        return true;
    return !too_large->source &&
           (start_counts(arena, of, &way->wanted) ||
            (!merges && start_dimensions(arena, of, &way->grid, &way->wanted, &silent))) &&
           derive_instance(arena, &unseen, &way->wanted, NULL, &silent);
}

bool profiles_derive(Arena *arena, const Derivation *of, Diag *diag)
{
    const RoundsWanted whole = {.most_messages = of->most_messages};
    Way way = {.wanted = whole};
    Span too_large = NOWHERE;
    bool may = false;
    if (!of->visitor && !of->rules->asynchronous && of->rules->averages)
        return derive_means(arena, of, diag);
    if (!may_be_short(arena, of, &may, diag))
        return false;
    if (may && derive_short(arena, of, &too_large, &way))
        return !of->visitor ||
               ((!way.wanted.grid || start_dimensions(arena, of, &way.grid, &way.wanted, diag)) &&
                derive_instance(arena, of, &way.wanted, NULL, diag));
    if (too_large.source) {
        schedule_report_too_large(of->instance, too_large, diag);
        return false;
    }
    /* a timeline has the paths of one */
    const size_t at_once = of->rules->asynchronous ? 1 : of->count;
    for (size_t i = 0; i < of->count; i += at_once) {
        Derivation some = *of;
        some.memos = of->memos ? of->memos + i : NULL;
        some.rules += i, some.profiles += i, some.count = at_once;
        if (!derive_instance(arena, &some, &whole, NULL, diag))
            return false;
    }
    return true;
}

bool profile_trace(Arena *arena, const Instance *instance, const Network *network,
                   const Rules *rules, const TraceVisitor *visitor, Profile *profile, Diag *diag)
{
    const Derivation of = {.instance = instance,
                           .network = network,
                           .rules = rules,
                           .count = 1,
                           .wants_peaks = !visitor->sizes_only,
                           .visitor = visitor,
                           .profiles = profile};
    return profiles_derive(arena, &of, diag);
}

bool profile_derive_with(Arena *arena, PortStepMemo *memo, const Instance *instance,
                         const Network *network, const Rules *rules, bool wants_peaks,
                         Profile *profile, Diag *diag)
{
    const Derivation of = {.instance = instance,
                           .network = network,
                           .rules = rules,
                           .count = 1,
                           .memos = &memo,
                           .wants_peaks = wants_peaks,
                           .profiles = profile};
    return profiles_derive(arena, &of, diag);
}

bool profile_derive(Arena *arena, const Instance *instance, const Network *network,
                    const Rules *rules, Profile *profile, Diag *diag)
{
    return profile_derive_with(arena, NULL, instance, network, rules, true, profile, diag);
}
