#include "cost/derive_instance.h"

#include "cost/derive_posting.h"
#include "cost/deriver.h"
#include "sched/grid_ownership.h"

#include <string.h>

static bool start_ownership(Deriver *deriver, int64_t chunks)
{
    Contract contract;
    const Instance *instance = deriver->instance;
    BlockSpace space;
    const Rules *rules = deriver->costings->context.rules;
    if (!schedule_blocks(instance, &space, deriver->diag))
        return false;
    /* In a problem, sizes count elements, and m is the size of one; with weights they count units
       of m. */
    if (space.problem && rules->asynchronous)
        return diag_error(deriver->diag, NOWHERE,
                          "asynchronous and overlapped costs are not available for problems");
    if (rules->weights && rules_price_local(rules, instance->algorithm))
        return diag_refuse(
            deriver->diag, NOWHERE,
            "what this algorithm copies or touches in memory is not known for unequal blocks");
    if (!products_start(deriver->arena, instance, &space, rules->weights, chunks,
                        &deriver->products, deriver->diag))
        return false;
    if (deriver->wanted->grid || !deriver_follows_blocks(deriver))
        return true;
    Arena *scratch = arena_scratch(deriver->arena);
    bool good =
        schedule_contract(instance, deriver->rotation ? deriver->rotation->by : instance->p,
                          scratch, &contract, deriver->diag) &&
        (!deriver->rotation ||
         rotation_fits(deriver->rotation, instance->algorithm->collective, &contract.before));
    deriver->has_ownership = good && ownership_create(deriver->arena, &contract, &space, chunks,
                                                      deriver->products.elements, deriver->rotation,
                                                      &deriver->ownership);
    arena_destroy(scratch);
    return good;
}

static bool has_link_costs(const LoadContext *context)
{
    bool any = context->node_capacities != NULL;
    for (size_t i = 0; i < context->network->class_count; i++)
        for (int x = 0; x < PARAMETER_COUNT; x++)
            any |= context->link_costs[i].own[x];
    return any;
}

static void note_peaks(const Deriver *deriver, Profile *profile)
{
    const GridOwnership *grid = deriver->wanted->grid;
    const int64_t count = grid ? grid->shape.p : deriver->ownership.p;
    /* The most that ranks held, of those that are looked at; NULL: nobody followed them. */
    const int64_t *peaks = deriver->has_ownership ? deriver->ownership.peaks : NULL;
    if (grid)
        peaks = deriver_follows_blocks(deriver) && !grid->is_one_chunk ? grid->peaks : NULL;
    profile->peak_total = profile->peak_blocks = peaks ? 0 : -1;
    for (int64_t r = 0; peaks && r < count; r++) {
        profile->peak_total += peaks[r] * (deriver->instance->p / count);
        if (peaks[r] > profile->peak_blocks)
            profile->peak_blocks = peaks[r];
    }
}

/* A timeline without messages, where rules have no barriers. False after a report: it could not be
   run by these rules. */
static bool start_timeline(Deriver *deriver)
{
    const Rules *rules = deriver->costings->context.rules;
    const bool shares = rules->contention == CONTENTION_SHARED;
    const int64_t p = deriver->of_all.p;
    if (shares && !sharing_is_possible(rules, deriver->diag))
        return false;
    if (!rules->asynchronous)
        return true;
    Timeline *timeline = deriver->timeline = ARENA_NEW(deriver->arena, Timeline);
    *timeline = (Timeline){.workspace = arena_workspace(deriver->arena),
                           .overlaps = rules->combining == COMBINING_OVERLAP,
                           .p = p,
                           .averages = rules->averages};
    if (shares) {
        const bool keeps_rules = rules->protocols || rules->varied.level.length;
        timeline->sharing = ARENA_NEW(deriver->arena, Sharing);
        timeline->sharing->rules = keeps_rules ? rules : NULL;
    }
    if (!timeline->overlaps)
        return true;
    timeline->block_count = deriver->ownership.block_count;
    return (deriver->has_ownership && timeline->block_count <= MOST_TIMED_MESSAGES / p) ||
           diag_limit(deriver->diag, NOWHERE,
                      "overlapped combining tracks every block at every rank, and %lld ranks have "
                      "more than %d",
                      (long long)p, MOST_TIMED_MESSAGES);
}

static bool start_deriver(Deriver *deriver, int64_t *chunks)
{
    const Rules *rules = deriver->costings->context.rules;
    deriver->ports = port_steps_create(deriver->arena, &deriver->of_all, deriver->rotation, rules,
                                       deriver->costings->context.network);
    for (size_t i = 0; i < deriver->costing_count; i++) {
        LoadContext *context = &deriver->costings[i].context;
        context->each = deriver->visitor || rules->asynchronous;
        context->ports = deriver->ports.same_ports ? deriver->instance->ports : 0;
        context->kept = deriver->arena;
        deriver->costings[i].has_gaps = posting_has_gaps(context);
        deriver->costings[i].contacts = contacts_open(
            deriver->arena, context, deriver->rotation ? deriver->rotation->by : deriver->of_all.p);
    }
    return schedule_chunks(deriver->instance, chunks, deriver->diag) &&
           start_ownership(deriver, *chunks) && start_timeline(deriver);
}

static Profile make_profile(const Deriver *deriver, const Costing *costing, int64_t chunks,
                            const LocalBytes local[LOCAL_WORK_COUNT])
{
    const Rules *rules = costing->context.rules;
    const Rotation *rotation = deriver->rotation;
    const int64_t copies = rotation ? rotation->p / rotation->by : 1;
    const bool prices_local = rules_price_local(rules, deriver->instance->algorithm);
    Profile profile = {
        .steps = costing->list.steps.items,
        .step_count = costing->list.steps.count,
        .paths = costing->list.paths.items,
        .path_count = costing->list.paths.count,
        .startups = deriver->counts.steps,
        .transfers = deriver->counts.transfers * copies,
        .effort = deriver->counts.effort,
        .chunks = chunks,
        .unit = deriver->instance->sizes.elements ? deriver->instance->sizes.unit : 0,
        .work = deriver->products.work,
        .moved = deriver->counts.moved * copies,
        .is_uneven = deriver->counts.is_uneven,
        .combined = deriver->counts.combined * copies,
        .has_spare_ports = deriver->counts.has_spare_ports && deriver->ports.same_ports,
        .has_link_costs = has_link_costs(&costing->context) || prices_local,
        .ceil_chunks = costing->context.rules->ceil_chunks,
        .rules =
            prices_local || rules_price_by_peak(rules, deriver->instance->algorithm) ? rules : NULL,
        .timeline = deriver->timeline,
    };
    memcpy(profile.local, local, sizeof profile.local);
    return profile;
}

static Deriver open_deriver(Arena *arena, const Derivation *of, const RoundsWanted *wanted,
                            Diag *diag)
{
    const Instance *instance = of->instance;
    const Network *all = network_of_all(of->network);
    Deriver deriver = {.arena = arena,
                       .instance = instance,
                       .wanted = wanted,
                       .of_all = *instance,
                       .groups = network_groups(of->network),
                       .rotation = wanted->rotation,
                       .costings = ARENA_ARRAY(arena, Costing, of->count),
                       .costing_count = of->count,
                       .counts = {.has_spare_ports = true},
                       .wants_peaks = of->wants_peaks ||
                                      rules_price_by_peak(of->rules, instance->algorithm) ||
                                      of->rules->combining == COMBINING_OVERLAP,
                       .diag = diag,
                       .visitor = of->visitor};
    deriver.of_all.p *= deriver.groups;
    for (size_t i = 0; i < of->count; i++)
        deriver.costings[i] = (Costing){
            .context = {.rules = &of->rules[i],
                        .network = all,
                        .link_costs = rules_link_costs(arena, &of->rules[i], all),
                        .node_capacities = node_capacities_find(arena, &of->rules[i], all),
                        .merging = merging_find(arena, &of->rules[i], all),
                        .only_protocol =
                            rules_protocol(&of->rules[i], instance->algorithm->protocol),
                        .memo = of->memos && of->memos[i] && !instance->algorithm->protocol.length
                                    ? of->memos[i]
                                    : memo_create(arena),
                        .route_work = ARENA_NEW(arena, size_t)}};
    return deriver;
}

bool derive_instance(Arena *arena, const Derivation *of, const RoundsWanted *wanted,
                     Span *too_large, Diag *diag)
{
    int64_t chunks;
    for (size_t i = 0; i < of->count; i++)
        of->profiles[i] = (Profile){0};
    if (of->instance->p > graph_largest)
        return diag_limit(diag, NOWHERE,
                          "%lld ranks are too many to derive a cost from the schedule",
                          (long long)of->instance->p);
    Deriver deriver = open_deriver(arena, of, wanted, diag);
    if ((wanted->all_combine && deriver.wants_peaks) ||
        (wanted->all_combine && !fewest_combines(arena, of->instance, &deriver.fewest)) ||
        (deriver.costings->context.merging && !merging_is_possible(of->rules, diag)) ||
        !start_deriver(&deriver, &chunks))
        return false;
    LocalBytes local[LOCAL_WORK_COUNT];
    if (!(too_large ? derive_run_rounds(&deriver, too_large) : derive_listed_rounds(&deriver)) ||
        !schedule_local_work(of->instance, local, diag))
        return false;
    for (size_t i = 0; i < of->count; i++) {
        of->profiles[i] = make_profile(&deriver, &deriver.costings[i], chunks, local);
        note_peaks(&deriver, &of->profiles[i]);
    }
    return !wanted->all_combine || of->profiles->combined == deriver.fewest;
}
