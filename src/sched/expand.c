#include "sched/schedule.h"

#include "base/watch.h"
#include "net/network.h"
#include "sched/expander.h"
#include "sched/rotation.h"

#include <string.h>

enum { MOST_ROUND_BLOCKS = 1 << 24, MOST_COUNTED_BLOCKS = 1 << 30 };

/* What the senders of one step send: of set s, items[s], blocks numbers[s] that land as
   destination[s]. */
typedef struct {
    size_t set_count, block_count;
    SetItems *items;
    int64_t **numbers, **destination;
} Load;

/* The ranks that take part in one transfer step. */
typedef struct {
    size_t count;
    const int64_t *ranks;
    Frame frame;
    const int64_t *to;
} Senders;

static bool run_steps(Expander *expander, const ScheduleStep *steps, size_t count);

bool expander_count(Expander *expander, int64_t ranks, Span span)
{
    *expander->work += 1 + ranks / RANKS_PER_WORK;
    if (*expander->work <= MOST_WORK)
        return true;
    diag_limit(expander->diag, span, "this schedule is too large to expand for p = %lld",
               (long long)expander->instance->p);
    return false;
}

static bool pick_senders(Expander *expander, Program *condition, Senders *senders)
{
    size_t p = expander->lanes;
    senders->count = p;
    senders->ranks = expander->frame.slots[SCHEDULE_R];
    senders->frame = expander->frame;
    if (!condition)
        return true;
    int64_t *holds = ARENA_ROOM(expander->arena, int64_t, p);
    if (!program_run(condition, expander->frame.slots, p, holds, expander->diag))
        return false;
    int64_t *chosen = ARENA_ROOM(expander->arena, int64_t, p);
    size_t count = 0;
    for (size_t r = 0; r < p; r++) {
        chosen[count] = (int64_t)r;
        count += holds[r] != 0;
    }
    senders->count = count;
    senders->ranks = chosen;
    for (int slot = 0; slot < MOST_SLOTS && count < p; slot++)
        if (expander->varying >> slot & 1)
            senders->frame.slots[slot] =
                lanes_gather(expander->arena, expander->frame.slots[slot], chosen, count);
    return true;
}

static bool find_receivers(Expander *expander, const Formula *to, Senders *senders)
{
    int64_t *ranks = ARENA_ROOM(expander->arena, int64_t, senders->count);
    if (!to->program) {
        senders->to = senders->ranks;
        return true;
    }
    if (!program_run(to->program, senders->frame.slots, senders->count, ranks, expander->diag))
        return false;
    for (size_t i = 0; i < senders->count; i++)
        if (ranks[i] < 0 || ranks[i] >= expander->instance->p) {
            diag_error(expander->diag, to->text.span,
                       "rank %lld sends to rank %lld, but there are ranks 0 .. %lld (p = %lld)",
                       (long long)senders->ranks[i], (long long)ranks[i],
                       (long long)expander->instance->p - 1, (long long)expander->instance->p);
            return false;
        }
    senders->to = ranks;
    return true;
}

/* `all` is of the main array. */
static void list_held(Expander *expander, int64_t rank, IntArray *blocks)
{
    ownership_list(&expander->ownership, rank, expander->arena, blocks);
    while (blocks->count && blocks->items[blocks->count - 1] >= expander->space.array_blocks)
        blocks->count--;
}

/* What each sender sends: set by set, in lane order within a set. */
static bool expand_blocks(Expander *expander, const SetList *sets, const Senders *senders,
                          SetItems *items, int64_t **numbers)
{
    for (size_t s = 0; s < sets->count; s++) {
        const CompiledSet *set = &sets->items[s];
        if (set->syntax->all) {
            IntArray blocks = {0}, lanes = {0};
            for (size_t i = 0; i < senders->count; i++) {
                list_held(expander, senders->ranks[i], &blocks);
                while (lanes.count < blocks.count)
                    *ARRAY_PUSH(expander->arena, &lanes) = (int64_t)i;
            }
            items[s] = (SetItems){.count = blocks.count, .lanes = lanes.items};
            numbers[s] = blocks.items;
            continue;
        }
        if (!set_expand(set, expander->arena, &senders->frame, senders->count, &items[s],
                        expander->diag))
            return false;
        int64_t *ranks =
            lanes_gather(expander->arena, senders->ranks, items[s].lanes, items[s].count);
        SetItems named = items[s];
        named.lanes = ranks; /* so that a message names the rank, not the lane */
        numbers[s] = ARENA_ROOM(expander->arena, int64_t, items[s].count);
        if (!blockspace_number(&expander->space, set, &named, numbers[s], expander->diag))
            return false;
    }
    return true;
}

/* Pieces of a block differ in size by an element, so only equal ones can be combined. */
static bool check_pieces(Expander *expander, const ScheduleStep *step, const Load *load)
{
    int64_t pieces = expander->space.extents[expander->space.index_count - 1];
    if (!step->transfer.into.count || !expander->algorithm->chunks.program)
        return true;
    for (size_t i = 0; i < load->items[0].count; i++)
        if (load->numbers[0][i] % pieces != load->destination[0][i] % pieces) {
            diag_error(expander->diag, step->span,
                       "chunk %lld is combined with chunk %lld, which can be of another size",
                       (long long)(load->destination[0][i] % pieces),
                       (long long)(load->numbers[0][i] % pieces));
            return false;
        }
    return true;
}

static bool find_destination(Expander *expander, const ScheduleStep *step, const Senders *senders,
                             Load *load)
{
    const Transfer *transfer = &step->transfer;
    int64_t array_blocks = expander->space.array_blocks;
    int64_t start = blockspace_start(&expander->space, transfer->as);
    SetItems into;
    if (transfer->into.count)
        return expand_blocks(expander, &transfer->into, senders, &into, load->destination) &&
               check_pieces(expander, step, load);
    for (size_t s = 0; s < load->set_count; s++) {
        load->destination[s] = load->numbers[s];
        if (transfer->as < 0)
            continue;
        load->destination[s] = ARENA_ROOM(expander->arena, int64_t, load->items[s].count);
        for (size_t i = 0; i < load->items[s].count; i++)
            load->destination[s][i] = load->numbers[s][i] % array_blocks + start;
    }
    return true;
}

static bool reserve_draft(Expander *expander, const ScheduleStep *step, const Senders *senders,
                          const Load *load, Draft *draft)
{
    if (draft->block_count + load->block_count > MOST_ROUND_BLOCKS) {
        diag_limit(expander->diag, step->span, "a round sends too many blocks (more than %d)",
                   MOST_ROUND_BLOCKS);
        return false;
    }
    ARRAY_RESERVE(expander->drafts, &draft->transfers, senders->count);
    if (expander->counts_only)
        return true;
    ARRAY_RESERVE(expander->drafts, &draft->blocks, load->block_count);
    if (expander->algorithm->moves_blocks)
        ARRAY_RESERVE(expander->drafts, &draft->destination, load->block_count);
    return true;
}

/* A block that would land on itself, at its own rank, does not move. */
static void append_block(Expander *expander, const ScheduleStep *step, bool is_self, int64_t block,
                         int64_t destination, Draft *draft)
{
    if (is_self && block == destination && !step->transfer.into.count)
        return;
    draft->block_count++;
    if (expander->counts_only)
        return;
    *ARRAY_PUSH(expander->drafts, &draft->blocks) = block;
    if (expander->algorithm->moves_blocks)
        *ARRAY_PUSH(expander->drafts, &draft->destination) = destination;
}

/* One that carries nothing is none. */
static void append_transfer(Expander *expander, const ScheduledTransfer *transfer, Draft *draft)
{
    if (!transfer->block_count)
        return;
    *ARRAY_PUSH(expander->drafts, &draft->transfers) = *transfer;
    draft->has_messages |= !transfer_is_local(transfer);
}

/* One transfer for each sender with something to send. */
static void append_transfers(Expander *expander, const ScheduleStep *step, const Senders *senders,
                             const Load *load, Draft *draft)
{
    size_t *next = ARENA_ARRAY(expander->arena, size_t, load->set_count);
    for (size_t i = 0; i < senders->count; i++) {
        ScheduledTransfer transfer = {
            (int32_t)senders->ranks[i], (int32_t)senders->to[i], 0,
            step->transfer.verb,        draft->block_count,      &step->span};
        bool is_self = transfer_is_local(&transfer);
        for (size_t s = 0; s < load->set_count; s++) {
            const SetItems *items = &load->items[s];
            for (; next[s] < items->count && items->lanes[next[s]] == (int64_t)i; next[s]++)
                append_block(expander, step, is_self, load->numbers[s][next[s]],
                             load->destination[s][next[s]], draft);
        }
        transfer.block_count = (uint32_t)(draft->block_count - transfer.first_block);
        append_transfer(expander, &transfer, draft);
    }
}

/* Ranks that stand for all send to ranks for which different ones stand: otherwise the ports of a
   receiver are taken in an order that is not turned. */
static bool meet_apart(const Rotation *rotation, const Senders *senders)
{
    for (size_t i = 1; i < senders->count; i++)
        for (size_t j = 0; j < i; j++)
            if (senders->to[i] % rotation->by == senders->to[j] % rotation->by)
                return false;
    return true;
}

/* A set's blocks stay in their array, or go to another one. Copies of an array land in the first.
 */
static bool lands_on_itself(const Transfer *transfer, const CompiledSet *set)
{
    return transfer->as < 0 || transfer->as == set->syntax->array;
}

static bool can_count(const Expander *expander, const Transfer *transfer, const CompiledSet *set,
                      int64_t extents[MOST_INDICES])
{
    int array = set->syntax->array;
    bool has_copies = array > 0 && expander->space.arrays.extents[array - 1] > 0;
    return !transfer->into.count && !(has_copies && transfer->as == array) &&
           blockspace_extents(&expander->space, set, extents);
}

/* Transfers without their blocks; false, silently, where the blocks must be listed. */
static bool append_counted(Expander *expander, const ScheduleStep *step, const Senders *senders,
                           Draft *draft)
{
    const SetList *sets = &step->transfer.blocks;
    int64_t extents[MOST_INDICES];
    int64_t **counts = ARENA_ARRAY(expander->arena, int64_t *, sets->count);
    for (size_t s = 0; s < sets->count; s++) {
        counts[s] = ARENA_ROOM(expander->arena, int64_t, senders->count);
        if (!can_count(expander, &step->transfer, &sets->items[s], extents) ||
            !set_count(&sets->items[s], expander->arena, &senders->frame, expander->varying,
                       senders->count, extents, counts[s]))
            return false;
        for (size_t i = 0; i < senders->count; i++)
            if (counts[s][i] > MOST_COUNTED_BLOCKS / (int64_t)sets->count)
                return false;
    }
    ARRAY_RESERVE(expander->drafts, &draft->transfers, senders->count);
    for (size_t i = 0; i < senders->count; i++) {
        ScheduledTransfer transfer = {
            (int32_t)senders->ranks[i], (int32_t)senders->to[i], 0,
            step->transfer.verb,        draft->block_count,      &step->span};
        for (size_t s = 0; s < sets->count; s++)
            if (!transfer_is_local(&transfer) || !lands_on_itself(&step->transfer, &sets->items[s]))
                transfer.block_count += (uint32_t)counts[s][i];
        draft->block_count += transfer.block_count;
        append_transfer(expander, &transfer, draft);
    }
    return true;
}

static bool add_once(Expander *expander, const ScheduleStep *step, Draft *draft)
{
    const SetList *sets = &step->transfer.blocks;
    Senders senders;
    if (!pick_senders(expander, step->condition.program, &senders))
        return false;
    if (senders.count == 0)
        return true;
    if (!find_receivers(expander, &step->transfer.to, &senders) ||
        (expander->instance->rotation && !meet_apart(expander->instance->rotation, &senders)))
        return false;
    if (expander->counts_only && append_counted(expander, step, &senders, draft))
        return true;
    Load load = {.set_count = sets->count,
                 .items = ARENA_ARRAY(expander->arena, SetItems, sets->count),
                 .numbers = ARENA_ARRAY(expander->arena, int64_t *, sets->count),
                 .destination = ARENA_ARRAY(expander->arena, int64_t *, sets->count)};
    if (!expand_blocks(expander, sets, &senders, load.items, load.numbers) ||
        !find_destination(expander, step, &senders, &load))
        return false;
    for (size_t s = 0; s < sets->count; s++)
        load.block_count += load.items[s].count;
    if (!reserve_draft(expander, step, &senders, &load, draft))
        return false;
    append_transfers(expander, step, &senders, &load, draft);
    return true;
}

/* Once for each value of the loops from `depth` on. */
static bool repeat_transfers(Expander *expander, const ScheduleStep *step, size_t depth,
                             Draft *draft)
{
    if (depth == step->loop_count)
        return add_once(expander, step, draft);
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

static bool add_transfers(Expander *expander, const ScheduleStep *step, Draft *draft)
{
    return repeat_transfers(expander, step, 0, draft);
}

bool expander_emit(Expander *expander, const Draft *draft)
{
    if (draft->transfers.count + draft->products.count == 0)
        return true;
    watch_poll(expander->arena);
    expander->round_number += draft->has_messages;
    Round round = {expander->round_number - 1,
                   draft->transfers.count,
                   draft->transfers.items,
                   expander->counts_only ? NULL : draft->blocks.items,
                   expander->algorithm->moves_blocks && !expander->counts_only
                       ? draft->destination.items
                       : NULL,
                   draft->products.count,
                   draft->products.items,
                   expander->part,
                   expander->pass};
    if (expander->algorithm->names_all)
        ownership_apply(&expander->ownership, &round);
    ArenaMark mark = arena_mark(expander->arena);
    const bool goes_on = expander->visit(expander->context, &round, expander->arena);
    arena_release(expander->arena, mark);
    return goes_on;
}

static bool run_lets(Expander *expander, const LetList *lets)
{
    size_t p = expander->lanes;
    for (size_t i = 0; i < lets->count; i++) {
        const Let *let = &lets->items[i];
        size_t count = let->varies ? p : 1;
        int64_t *values = ARENA_ROOM(expander->arena, int64_t, count);
        if (!program_run(let->program, expander->frame.slots, count, values, expander->diag))
            return false;
        expander->frame.slots[let->slot] = values;
        uint64_t bit = (uint64_t)1 << let->slot;
        expander->varying = let->varies ? expander->varying | bit : expander->varying & ~bit;
    }
    return true;
}

static bool run_round(Expander *expander, const ScheduleStep *step)
{
    Draft draft = {0};
    ArenaMark mark = arena_mark(expander->drafts);
    bool good = step->kind != STEP_TRANSFER || add_transfers(expander, step, &draft);
    for (size_t i = 0; good && i < step->step_count; i++)
        good = add_transfers(expander, &step->steps[i], &draft);
    good = good && expander_emit(expander, &draft);
    arena_release(expander->drafts, mark);
    return good;
}

/* What each rank multiplies: item by item of the three sets. */
static bool list_products(Expander *expander, const ScheduleStep *step, Draft *draft)
{
    Senders ranks;
    SetItems items[PROBLEM_ARRAYS];
    int64_t *numbers[PROBLEM_ARRAYS];
    if (!pick_senders(expander, step->condition.program, &ranks))
        return false;
    for (int s = 0; s < PROBLEM_ARRAYS && ranks.count; s++) {
        SetList set = {&step->product[s], 1};
        if (!expand_blocks(expander, &set, &ranks, &items[s], &numbers[s]))
            return false;
    }
    for (size_t i = 0; ranks.count && i < items[0].count; i++) {
        ScheduledProduct product = {.rank = (int32_t)ranks.ranks[items[0].lanes[i]],
                                    .span = &step->span};
        for (int s = 0; s < PROBLEM_ARRAYS; s++)
            product.blocks[s] = numbers[s][i];
        *ARRAY_PUSH(expander->drafts, &draft->products) = product;
    }
    return true;
}

static bool run_compute(Expander *expander, const ScheduleStep *step)
{
    Draft draft = {0};
    ArenaMark mark = arena_mark(expander->drafts);
    bool good = list_products(expander, step, &draft) && expander_emit(expander, &draft);
    arena_release(expander->drafts, mark);
    return good;
}

/* Names with a `then` have a value for each rank while the repeat runs. */
static int64_t **start_passes(Expander *expander, const LetList *then)
{
    size_t p = expander->lanes;
    int64_t **values = ARENA_ARRAY(expander->arena, int64_t *, then->count);
    for (size_t i = 0; i < then->count; i++) {
        int slot = then->items[i].slot;
        const int64_t *old = expander->frame.slots[slot];
        bool varies = expander->varying >> slot & 1;
        values[i] = ARENA_ROOM(expander->arena, int64_t, p);
        for (size_t r = 0; r < p; r++)
            values[i][r] = old[varies ? r : 0];
        expander->frame.slots[slot] = values[i];
        expander->varying |= (uint64_t)1 << slot;
    }
    return values;
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

static bool is_outermost(const Expander *expander, const ScheduleStep *step)
{
    const Algorithm *algorithm = expander->algorithm;
    return step >= algorithm->steps && step < algorithm->steps + algorithm->step_count;
}

static bool run_passes(Expander *expander, const ScheduleStep *step, int64_t from, int64_t to)
{
    int64_t **values = start_passes(expander, &step->then);
    int64_t direction = step->loop.down ? -1 : 1;
    bool more = step->loop.down ? from >= to : from <= to;
    for (int64_t i = from; more; i += more ? direction : 0) {
        more = i != to;
        ArenaMark mark = arena_mark(expander->arena);
        expander->frame.slots[step->loop.slot] = &i;
        if (is_outermost(expander, step))
            expander->pass = i;
        bool good = expander_count(expander, (int64_t)expander->lanes, step->span) &&
                    run_lets(expander, &step->lets) &&
                    run_steps(expander, step->steps, step->step_count) &&
                    end_pass(expander, &step->then, values);
        arena_release(expander->arena, mark);
        if (!good)
            return false;
    }
    return true;
}

static bool run_repeat(Expander *expander, const ScheduleStep *step)
{
    int64_t from, to;
    Frame outer = expander->frame;
    if (!program_run_int(step->from, outer.slots, &from, expander->diag) ||
        !program_run_int(step->to, outer.slots, &to, expander->diag))
        return false;
    bool good = run_passes(expander, step, from, to);
    for (size_t i = 0; i < step->then.count; i++) {
        int slot = step->then.items[i].slot;
        expander->frame.slots[slot] = outer.slots[slot];
    }
    return good;
}

static bool run_step(Expander *expander, const ScheduleStep *step)
{
    int64_t holds = 1;
    bool is_transfer = step->kind == STEP_TRANSFER || step->kind == STEP_COMPUTE;
    /* their conditions are of ranks */
    if (!expander_count(expander, (int64_t)expander->lanes, step->span))
        return false;
    if (step->condition.program && !is_transfer &&
        !program_run_int(step->condition.program, expander->frame.slots, &holds, expander->diag))
        return false;
    if (!holds)
        return true;
    if (is_outermost(expander, step))
        expander->part = (size_t)(step - expander->algorithm->steps);
    if (step->kind == STEP_REPEAT)
        return run_repeat(expander, step);
    if (step->kind == STEP_COMPUTE)
        return run_compute(expander, step);
    if (step->kind == STEP_USE)
        return step->use.of.count ? named_lines_run(expander, step) : lines_run(expander, step);
    return run_lets(expander, &step->lets) && run_round(expander, step);
}

/* The names of a step's `let` end with it; a later name may take their place in the frame. */
static bool run_steps(Expander *expander, const ScheduleStep *steps, size_t count)
{
    uint64_t varying = expander->varying;
    for (size_t i = 0; i < count; i++) {
        ArenaMark mark = arena_mark(expander->arena);
        bool good = run_step(expander, &steps[i]);
        arena_release(expander->arena, mark);
        expander->varying = varying;
        if (!good)
            return false;
    }
    return true;
}

static bool start_ownership(Expander *expander)
{
    const Instance *instance = expander->instance;
    Contract contract;
    int64_t chunks;
    if (!schedule_chunks(instance, &chunks, expander->diag) ||
        !schedule_contract(instance, expander->arena, &contract, expander->diag))
        return false;
    if (instance->rotation &&
        !rotation_fits(instance->rotation, expander->algorithm->collective, &contract.before))
        return false;
    if (ownership_create(expander->arena, &contract, &expander->space, chunks, NULL,
                         instance->rotation, &expander->ownership))
        return true;
    diag_limit(expander->diag, expander->algorithm->head.span,
               "cannot track who holds which block for p = %lld: too many blocks",
               (long long)instance->p);
    return false;
}

bool expander_start_frame(Expander *expander)
{
    const Instance *instance = expander->instance;
    const int64_t *ranks = lanes_identity(expander->arena, expander->lanes);
    expander->frame = (Frame){
        {&instance->p, ranks, &instance->root, &instance->k, &instance->ports, &instance->target}};
    expander->varying = (uint64_t)1 << SCHEDULE_R;
    const RankGrid *grid = &expander->algorithm->grid;
    if (grid->count && !grid_lay(grid, expander->arena, instance->p, instance->ports,
                                 &expander->frame, expander->diag))
        return false;
    for (int x = 0; x < grid->count; x++)
        expander->varying |= (uint64_t)1 << grid->dimensions[x].slot;
    return run_lets(expander, &expander->algorithm->lets);
}

static bool expand_program(Expander *expander)
{
    const Instance *instance = expander->instance;
    if (!pieces_find(instance, &expander->pieces, expander->diag) ||
        !schedule_blocks(instance, &expander->space, expander->diag))
        return false;
    if (expander->algorithm->names_all && !start_ownership(expander))
        return false;
    return expander_start_frame(expander) &&
           run_steps(expander, expander->algorithm->steps, expander->algorithm->step_count);
}

/* Where blocks of a problem lie depends on names of the algorithm. */
static bool lay_out_problem(Expander *expander, Arena *arena, Contract *contract)
{
    const Algorithm *algorithm = expander->algorithm;
    *contract = (Contract){.p = expander->instance->p, .block_count = expander->space.count};
    return expander_start_frame(expander) &&
           holding_lay_out(arena, algorithm->collective, &algorithm->before, &expander->space,
                           &expander->frame, contract->p, &contract->before, expander->diag) &&
           holding_lay_out(arena, algorithm->collective, &algorithm->after, &expander->space,
                           &expander->frame, contract->p, &contract->after, expander->diag);
}

bool schedule_contract(const Instance *instance, Arena *arena, Contract *contract, Diag *diag)
{
    int64_t work = 0;
    const Collective *collective = instance->algorithm->collective;
    if (!collective->problem)
        return contract_create_to(arena, collective, instance->p, instance->root, instance->target,
                                  contract, diag) &&
               contract_check_entries(collective, contract, diag);
    Expander expander = {.instance = instance,
                         .algorithm = instance->algorithm,
                         .lanes = (size_t)instance->p,
                         .arena = arena_scratch(arena),
                         .work = &work,
                         .diag = diag};
    bool good = schedule_blocks(instance, &expander.space, diag) &&
                lay_out_problem(&expander, arena, contract);
    arena_destroy(expander.arena);
    return good;
}

bool schedule_expand(const Instance *instance, RoundVisitor visit, void *context, Diag *diag)
{
    int64_t work = 0;
    const bool outer = diag_begin_trial(diag);
    const bool good = expander_expand(instance, &work, visit, context, diag);
    diag_end_trial(diag, outer);
    return good;
}

bool expander_expand(const Instance *instance, int64_t *work, RoundVisitor visit, void *context,
                     Diag *diag)
{
    if (instance->p > graph_largest) {
        diag_limit(diag, NOWHERE, "%lld ranks are too many to expand a schedule (at most %lld)",
                   (long long)instance->p, (long long)graph_largest);
        return false;
    }
    if (instance->algorithm->dual)
        return expander_expand_dual(instance, work, visit, context, diag);
    Workspace *workspace = instance->algorithm->head.workspace;
    Expander expander = {.instance = instance,
                         .algorithm = instance->algorithm,
                         .lanes =
                             (size_t)(instance->rotation ? instance->rotation->by : instance->p),
                         .arena = arena_create(workspace),
                         .work = work,
                         .drafts = arena_create(workspace),
                         .visit = visit,
                         .context = context,
                         .diag = diag,
                         .counts_only = instance->counts_only && !instance->algorithm->names_all};
    bool good = expand_program(&expander);
    arena_destroy(expander.drafts);
    arena_destroy(expander.arena);
    return good;
}
