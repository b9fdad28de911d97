#include "base/watch.h"
#include "model/trees.h"
#include "net/network.h"
#include "sched/expander.h"
#include "sched/grid_stages.h"
#include "sched/rotation.h"

#include <string.h>

static bool run_steps(Expander *expander, const ScheduleStep *steps, size_t count);

void schedule_report_too_large(const Instance *instance, Span span, Diag *diag)
{
    diag_limit(diag, span, "this schedule is too large to expand for p = %lld",
               (long long)instance->p);
}

bool expander_count(Expander *expander, int64_t ranks, Span span)
{
    *expander->work += 1 + ranks / RANKS_PER_WORK;
    if (*expander->work <= MOST_WORK)
        return true;
    schedule_report_too_large(expander->instance, span, expander->diag);
    return false;
}

/* Once for each value of the loops from `depth` on. */
static bool repeat_transfers(Expander *expander, const ScheduleStep *step, size_t depth,
                             Draft *draft)
{
    if (depth == step->loop_count)
        return expander->counts_work || expander_add_once(expander, step, draft);
    const StepLoop *loop = &step->loops[depth];
    int64_t from, to;
    if (!program_run_int(loop->from, expander->frame.slots, &from, expander->diag) ||
        !program_run_int(loop->to, expander->frame.slots, &to, expander->diag))
        return false;
    int64_t direction = loop->loop.down ? -1 : 1;
    bool more = loop->loop.down ? from >= to : from <= to;
    for (int64_t i = from; more; i += more ? direction : 0) {
        more = i != to;
        ArenaMark mark = arena_mark(expander->arena);
        expander->frame.slots[loop->loop.slot] = &i;
        bool good = expander_count(expander, (int64_t)expander->lanes, step->span) &&
                    repeat_transfers(expander, step, depth + 1, draft);
        arena_release(expander->arena, mark);
        if (!good)
            return false;
    }
    return true;
}

/* Does the program itself ask who holds what? */
static bool follows_blocks(const Expander *expander)
{
    return expander->algorithm->names_all && !expander->wanted->grid &&
           !expander->wanted->all_combine;
}

bool expander_emit(Expander *expander, const Draft *draft)
{
    if (draft->transfers.count + draft->products.count == 0)
        return true;
    watch_poll(expander->arena);
    const int64_t number = expander->round_number - !draft->has_messages;
    expander->round_number += draft->has_messages ? 1 + draft->more : 0;
    const bool lists = !expander->counts_only && !expander->packs;
    const bool packs = !expander->counts_only && expander->packs;
    Round round = {.number = number,
                   .count = draft->transfers.count,
                   .transfers = draft->transfers.items,
                   .blocks = lists ? draft->blocks.items : NULL,
                   .packed = packs ? draft->packing.numbers.items : NULL,
                   .packed_count = packs ? draft->packing.numbers.count : 0,
                   .destination =
                       lists && expander->algorithm->moves_blocks ? draft->destination.items : NULL,
                   .product_count = draft->products.count,
                   .products = draft->products.items,
                   .stage = expander->stage,
                   .posting = draft->posting ? draft->posting : expander->algorithm->posting,
                   .channels = draft->channels,
                   .ends = draft->ends,
                   .had = draft->had.items,
                   .more = draft->more};
    if (follows_blocks(expander))
        ownership_apply(&expander->ownership, &round);
    ArenaMark mark = arena_mark(expander->arena);
    const RoundsWanted *wanted = expander->wanted;
    const bool goes_on = wanted->visit(wanted->context, &round, expander->arena);
    arena_release(expander->arena, mark);
    return goes_on;
}

static bool run_lets(Expander *expander, const LetList *lets)
{
    size_t p = expander->lanes;
    for (size_t i = 0; i < lets->count; i++) {
        const Let *let = &lets->items[i];
        size_t count = let->varies ? p : 1;
        if (expander->counts_work && let->varies)
            continue;
        int64_t *values = ARENA_ROOM(expander->arena, int64_t, count);
        if (!program_run(let->program, expander->frame.slots, count, values, expander->diag))
            return false;
        expander->frame.slots[let->slot] = values;
        uint64_t bit = (uint64_t)1 << let->slot;
        const bool passes = (program_reads(let->program) & expander->passing) != 0;
        expander->varying = let->varies ? expander->varying | bit : expander->varying & ~bit;
        expander->passing = passes ? expander->passing | bit : expander->passing & ~bit;
    }
    return true;
}

/* Adds the transfers of a round of trees, from 0. Trees that share an edge send one message over
   it. */
static void add_trees(Expander *expander, int64_t round, Draft *draft)
{
    const Instance *instance = expander->instance;
    const TreeSet *set = expander->algorithm->trees;
    const bool packs = expander->packs && !expander->counts_only;
    /* By how much ranks are ahead of those of the trees, which have other roots. */
    const int64_t shift = set->is_rooted ? instance->root - set->items[0].root + set->p : 0;
    const TreeEdge *last = NULL;
    for (size_t e = 0; e < set->edge_count; e++) {
        const TreeEdge *edge = &set->edges[e];
        const Tree *tree = &set->items[edge->tree];
        const int64_t chunk = round - edge->round;
        if (chunk < 0 || chunk >= instance->k)
            continue;
        if (!last || last->from != edge->from || last->to != edge->to ||
            last->combines != edge->combines) {
            *ARRAY_PUSH(expander->drafts, &draft->transfers) = (ScheduledTransfer){
                .from = (int32_t)((edge->from + shift) % set->p),
                .to = (int32_t)((edge->to + shift) % set->p),
                .verb = edge->combines ? VERB_REDUCE : VERB_SEND,
                .first_block = packs ? packing_start(&draft->packing) : draft->block_count,
                .span = &expander->algorithm->head.span,
            };
            draft->has_messages = true;
        }
        last = edge;
        const int64_t block =
            set->shifts_blocks ? (tree->block + shift) % set->p : (int64_t)tree->block;
        const int64_t first =
            (block * set->weight + tree->first) * instance->k + chunk * tree->weight;
        draft->transfers.items[draft->transfers.count - 1].block_count += (uint32_t)tree->weight;
        draft->block_count += (size_t)tree->weight;
        if (packs)
            packing_add(expander->drafts, &draft->packing, first, tree->weight, first);
        for (int64_t i = 0; i < tree->weight && !packs && !expander->counts_only; i++)
            *ARRAY_PUSH(expander->drafts, &draft->blocks) = first + i;
    }
}

static bool list_round(Expander *expander, const ScheduleStep *step, int64_t round)
{
    Draft draft = {0};
    ArenaMark mark = arena_mark(expander->drafts);
    const Algorithm *algorithm = expander->algorithm;
    bool good = !step ? expander_count(expander, (int64_t)algorithm->trees->edge_count,
                                       algorithm->head.span)
                      : step->kind != STEP_TRANSFER || repeat_transfers(expander, step, 0, &draft);
    if (good && !step)
        add_trees(expander, round, &draft);
    for (size_t i = 0; good && step && i < step->step_count; i++)
        good = repeat_transfers(expander, &step->steps[i], 0, &draft);
    good = good && expander_emit(expander, &draft);
    arena_release(expander->drafts, mark);
    return good;
}

/* A round of a step; NULL: that round of trees. */
static bool run_round(Expander *expander, const ScheduleStep *step, int64_t round)
{
    const RoundsAgain *again = expander->wanted->again;
    GridStage stage = {0};
    if (!again || !expander_key(expander, step, round, &stage.key))
        return list_round(expander, step, round);
    watch_poll(expander->arena);
    if (grid_stages_repeat(again->stages, again->visitor, &stage, expander->work,
                           &expander->round_number))
        return true;
    if (!list_round(expander, step, round))
        return false;
    grid_stages_finish(again->stages, again->visitor, &stage, *expander->work,
                       expander->round_number);
    return true;
}

/* All new values are of the old ones. */
static bool end_pass(Expander *expander, const LetList *then, int64_t *const *values)
{
    size_t p = expander->lanes;
    int64_t **news = ARENA_ARRAY(expander->arena, int64_t *, then->count);
    for (size_t i = 0; i < then->count; i++) {
        size_t count = then->items[i].varies ? p : 1;
        news[i] = ARENA_ROOM(expander->arena, int64_t, count);
        if (!program_run(then->items[i].program, expander->frame.slots, count, news[i],
                         expander->diag))
            return false;
    }
    for (size_t i = 0; i < then->count; i++)
        for (size_t r = 0; r < p; r++)
            values[i][r] = news[i][then->items[i].varies ? r : 0];
    return true;
}

static bool run_passes(Expander *expander, const ScheduleStep *step, int64_t from, int64_t to)
{
    const LetList *then = &step->then;
    /* Names with a `then` have a value for each rank while the repeat runs. */
    int64_t **values = ARENA_ARRAY(expander->arena, int64_t *, then->count);
    for (size_t i = 0; i < then->count; i++) {
        int slot = then->items[i].slot;
        const int64_t *old = expander->frame.slots[slot];
        bool varies = expander->varying >> slot & 1;
        values[i] = ARENA_ROOM(expander->arena, int64_t, expander->lanes);
        for (size_t r = 0; r < expander->lanes; r++)
            values[i][r] = old[varies ? r : 0];
        expander->frame.slots[slot] = values[i];
        expander->varying |= (uint64_t)1 << slot;
        expander->passing |= (uint64_t)1 << slot;
    }
    expander->passing |= (uint64_t)1 << step->loop.slot;
    int64_t direction = step->loop.down == expander->is_backwards ? 1 : -1;
    bool more = step->loop.down ? from >= to : from <= to;
    int64_t first = expander->is_backwards ? to : from, last = expander->is_backwards ? from : to;
    const uint64_t passes = (uint64_t)(to > from ? to : from) - (uint64_t)(to > from ? from : to);
    const size_t work = (1 + expander->lanes / RANKS_PER_WORK) * (1 + step->step_count);
    if (more && passes > MOST_WORK / work) /* which is told before they run */
        return expander_count(expander, INT64_MAX, step->span);
    for (int64_t i = first; more; i += more ? direction : 0) {
        more = i != last;
        ArenaMark mark = arena_mark(expander->arena);
        expander->frame.slots[step->loop.slot] = &i;
        bool good = expander_count(expander, (int64_t)expander->lanes, step->span) &&
                    run_lets(expander, &step->lets) &&
                    run_steps(expander, step->steps, step->step_count) &&
                    end_pass(expander, then, values);
        arena_release(expander->arena, mark);
        if (!good)
            return false;
    }
    return true;
}

static bool run_step(Expander *expander, const ScheduleStep *step)
{
    int64_t holds = 1, from, to;
    bool is_transfer = step->kind == STEP_TRANSFER || step->kind == STEP_COMPUTE;
    /* their conditions are of ranks */
    if (!expander_count(expander, (int64_t)expander->lanes, step->span))
        return false;
    if (step->condition.program && !is_transfer &&
        !program_run_int(step->condition.program, expander->frame.slots, &holds, expander->diag))
        return false;
    if (!holds || (expander->counts_work &&
                   (step->then.count || step->kind == STEP_COMPUTE || step->kind == STEP_USE)))
        return true;
    if (step->kind == STEP_REPEAT) {
        const Frame outer = expander->frame;
        if (!program_run_int(step->from, outer.slots, &from, expander->diag) ||
            !program_run_int(step->to, outer.slots, &to, expander->diag))
            return false;
        const bool good = run_passes(expander, step, from, to);
        for (size_t i = 0; i < step->then.count; i++) {
            const int slot = step->then.items[i].slot;
            expander->frame.slots[slot] = outer.slots[slot];
        }
        return good;
    }
    if (step->kind == STEP_COMPUTE) {
        Draft draft = {0};
        ArenaMark mark = arena_mark(expander->drafts);
        bool good =
            expander_list_products(expander, step, &draft) && expander_emit(expander, &draft);
        arena_release(expander->drafts, mark);
        return good;
    }
    if (step->kind == STEP_USE)
        return lines_run(expander, step);
    return run_lets(expander, &step->lets) && run_round(expander, step, 0);
}

/* The names of a step's `let` end with it; a later name may take their place in the frame. */
static bool run_steps(Expander *expander, const ScheduleStep *steps, size_t count)
{
    const uint64_t varying = expander->varying, passing = expander->passing;
    for (size_t i = 0; i < count; i++) {
        ArenaMark mark = arena_mark(expander->arena);
        bool good = run_step(expander, &steps[expander->is_backwards ? count - 1 - i : i]);
        arena_release(expander->arena, mark);
        expander->varying = varying;
        expander->passing = passing;
        if (!good)
            return false;
    }
    return true;
}

static bool run_trees(Expander *expander)
{
    const TreeSet *set = expander->algorithm->trees;
    const int64_t k = expander->instance->k, cuts = set->weight * k;
    const bool moves = expander->instance->p == set->p && set->rounds > 0;
    const int64_t rounds = moves ? set->rounds + k - 1 : 0;
    for (size_t t = 0; t < set->count; t++)
        if (set->items[t].block >= expander->space.count / cuts)
            return diag_error(expander->diag, expander->algorithm->head.span,
                              "a tree carries block %lld, of %lld", (long long)set->items[t].block,
                              (long long)(expander->space.count / cuts));
    bool good = true;
    for (int64_t i = 0; i < rounds && good; i++)
        good = run_round(expander, NULL, expander->is_backwards ? rounds - 1 - i : i);
    return good;
}

static bool start_ownership(Expander *expander)
{
    const Instance *instance = expander->instance;
    const Rotation *rotation = expander->wanted->rotation;
    Contract contract;
    int64_t chunks;
    if (!schedule_chunks(instance, &chunks, expander->diag) ||
        !schedule_contract(instance, (int64_t)expander->lanes, expander->arena, &contract,
                           expander->diag))
        return false;
    if (rotation && !rotation_fits(rotation, expander->algorithm->collective, &contract.before))
        return false;
    if (ownership_create(expander->arena, &contract, &expander->space, chunks, NULL, rotation,
                         &expander->ownership))
        return true;
    return diag_limit(expander->diag, expander->algorithm->head.span,
                      "cannot track who holds which block for p = %lld: too many blocks",
                      (long long)instance->p);
}

/* Names of ranks and of `let`, for all of them. False after a report. */
static bool start_frame(Expander *expander)
{
    const Instance *instance = expander->instance;
    const int64_t *ranks = lanes_identity(expander->arena, expander->lanes);
    if (!branches_settle(expander->algorithm, instance, &expander->branches, expander->diag))
        return false;
    expander->frame = (Frame){{&instance->p, ranks, &instance->root, &instance->k, &instance->ports,
                               &instance->target, &expander->branches}};
    expander->varying = (uint64_t)1 << SCHEDULE_R;
    expander->passing = (uint64_t)1 << SCHEDULE_K;
    const RankGrid *grid = &expander->algorithm->grid;
    const Shape shape = instance->shape ? *instance->shape : shape_line(instance->p);
    int64_t *dims = ARENA_NEW(expander->arena, int64_t);
    *dims = shape.count;
    expander->frame.slots[SCHEDULE_DIMS] = dims;
    if (expander_recall_names(expander))
        return true;
    if (grid->count &&
        !grid_lay(grid, expander->arena, &shape, instance->ports, &expander->frame, expander->diag))
        return false;
    for (int x = 0; x < grid->count; x++)
        expander->varying |= (uint64_t)1 << grid->dimensions[x].slot;
    if (!run_lets(expander, &expander->algorithm->lets))
        return false;
    expander_keep_names(expander);
    return true;
}

bool schedule_contract(const Instance *instance, int64_t ranks, Arena *arena, Contract *contract,
                       Diag *diag)
{
    int64_t work = 0;
    const RoundsWanted none = {0};
    const Algorithm *algorithm = instance->algorithm;
    const Collective *collective = algorithm->collective;
    if (!collective->problem)
        return contract_create(arena, collective, instance->p, instance->root, instance->target,
                               contract, diag) &&
               contract_check_entries(collective, contract, ranks, diag);
    Expander expander = {.instance = instance,
                         .wanted = &none,
                         .algorithm = algorithm,
                         .lanes = (size_t)instance->p,
                         .arena = arena_scratch(arena),
                         .work = &work,
                         .diag = diag};
    /* Where blocks of a problem lie depends on names of the algorithm. */
    bool good = schedule_blocks(instance, &expander.space, diag) && start_frame(&expander);
    *contract = (Contract){.p = instance->p, .block_count = expander.space.count};
    const HoldingLayout layout = {arena,           collective,      contract->p,
                                  &expander.space, &expander.frame, diag};
    good = good && holding_lay_out(&layout, &algorithm->before, &contract->before) &&
           holding_lay_out(&layout, &algorithm->after, &contract->after);
    arena_destroy(expander.arena);
    return good;
}

bool schedule_expand_as(const Instance *instance, const RoundsWanted *wanted, RoundVisitor visit,
                        void *context, Diag *diag)
{
    int64_t work = 0;
    RoundsWanted visited = *wanted;
    visited.visit = visit;
    visited.context = context;
    const bool outer = diag_begin_trial(diag);
    const bool good = expander_expand(instance, &visited, &work, diag);
    diag_end_trial(diag, outer);
    return good;
}

bool schedule_expand(const Instance *instance, RoundVisitor visit, void *context, Diag *diag)
{
    const RoundsWanted whole = {0};
    return schedule_expand_as(instance, &whole, visit, context, diag);
}

static bool expand(const Instance *instance, const RoundsWanted *wanted, bool is_backwards,
                   int64_t *work, Diag *diag)
{
    const Algorithm *algorithm = instance->algorithm;
    Workspace *workspace = algorithm->head.workspace;
    Expander expander = {
        .instance = instance,
        .wanted = wanted,
        .algorithm = algorithm,
        .lanes = (size_t)(wanted->rotation ? wanted->rotation->by : instance->p),
        .arena = arena_create(workspace),
        .work = work,
        .drafts = arena_create(workspace),
        .diag = diag,
        .is_backwards = is_backwards,
        .counts_only = wanted->grid ||
                       (wanted->counts_only && (wanted->all_combine || !algorithm->names_all))};
    bool good = pieces_find(instance, &expander.pieces, diag) &&
                schedule_blocks(instance, &expander.space, diag);
    expander.packs = wanted->takes_packed && !expander.space.problem &&
                     expander.space.count <= INT32_MAX /* of packed numbers */;
    good = good && (!follows_blocks(&expander) || start_ownership(&expander));
    if (good && algorithm->trees)
        good = run_trees(&expander);
    else if (good)
        good =
            start_frame(&expander) && run_steps(&expander, algorithm->steps, algorithm->step_count);
    arena_destroy(expander.drafts);
    arena_destroy(expander.arena);
    return good;
}

void expander_count_ahead(const Instance *instance, int64_t ranks, int64_t *work)
{
    const RoundsWanted none = {0};
    const Algorithm *origin = algorithm_origin(instance->algorithm);
    Arena *arena = arena_create(origin->head.workspace);
    Diag silent = diag_silent();
    Expander expander = {.instance = instance,
                         .wanted = &none,
                         .algorithm = origin,
                         .lanes = (size_t)ranks,
                         .arena = arena,
                         .drafts = arena,
                         .counts_work = true,
                         .work = work,
                         .diag = &silent};
    if (start_frame(&expander)) /* of trees there are no steps */
        run_steps(&expander, origin->steps, origin->step_count);
    arena_destroy(arena);
}

bool expander_expand(const Instance *instance, const RoundsWanted *wanted, int64_t *work,
                     Diag *diag)
{
    if (instance->p > graph_largest)
        return diag_limit(diag, NOWHERE,
                          "%lld ranks are too many to expand a schedule (at most %lld)",
                          (long long)instance->p, (long long)graph_largest);
    if (instance->algorithm->dual)
        return expander_expand_dual(instance, wanted, work, diag);
    if (instance->algorithm->pipelined && instance->k > 1)
        return expander_expand_pipelined(instance, wanted, work, diag);
    return expand(instance, wanted, false, work, diag);
}

/* Nothing that a step does depends on what was done before. Steps that use another algorithm are
   not here: they name all blocks. */
static bool is_free_of_history(const ScheduleStep *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (steps[i].then.count || !is_free_of_history(steps[i].steps, steps[i].step_count))
            return false;
    return true;
}

bool expander_may_go_back(const Algorithm *algorithm)
{
    return !algorithm->dual && !algorithm->names_all &&
           is_free_of_history(algorithm->steps, algorithm->step_count);
}

bool expander_expand_backwards(const Instance *instance, const RoundsWanted *wanted, int64_t *work,
                               Diag *diag)
{
    return instance->p <= graph_largest && expand(instance, wanted, true, work, diag);
}
