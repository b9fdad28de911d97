#include "sched/block_rows.h"
#include "sched/expander.h"
#include "sched/rotation.h"

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

uint64_t expander_reads(const ScheduleStep *step)
{
    const Transfer *transfer = &step->transfer;
    const SetList *lists[] = {&transfer->blocks, &transfer->into};
    uint64_t slots = program_reads(transfer->to.program);
    for (int l = 0; l < 2; l++)
        for (size_t s = 0; s < lists[l]->count; s++)
            slots |= lists[l]->items[s].varying | lists[l]->items[s].whole;
    return slots;
}

/* `reads`: what is asked of them. */
static bool pick_senders(Expander *expander, const ScheduleStep *step, uint64_t reads,
                         Senders *senders)
{
    size_t p = expander->lanes;
    Program *condition = step->condition.program;
    senders->count = p;
    senders->ranks = expander->frame.slots[SCHEDULE_R];
    senders->frame = expander->frame;
    if (!condition)
        return true;
    const AskedRanks asked = expander_ask(expander, step);
    int64_t *holds = ARENA_ROOM(expander->arena, int64_t, asked.count);
    if (!program_run(condition, asked.frame.slots, asked.count, holds, expander->diag))
        return false;
    int64_t *chosen = ARENA_ROOM(expander->arena, int64_t, p);
    size_t count = 0;
    for (size_t r = 0; r < p; r++) {
        chosen[count] = (int64_t)r;
        count += holds[asked.classes ? asked.classes[r] : r] != 0;
    }
    senders->count = count;
    senders->ranks = chosen;
    for (int slot = 0; slot < MOST_SLOTS && count < p; slot++)
        if ((expander->varying & reads) >> slot & 1)
            senders->frame.slots[slot] =
                lanes_gather(expander->arena, expander->frame.slots[slot], chosen, count);
    return true;
}

static bool find_receivers(Expander *expander, const Formula *to, Senders *senders)
{
    senders->to = senders->ranks;
    if (!to->program)
        return true;
    int64_t *ranks = ARENA_ROOM(expander->arena, int64_t, senders->count);
    if (!program_run(to->program, senders->frame.slots, senders->count, ranks, expander->diag))
        return false;
    for (size_t i = 0; i < senders->count; i++)
        if (ranks[i] < 0 || ranks[i] >= expander->instance->p)
            return diag_error(
                expander->diag, to->text.span,
                "rank %lld sends to rank %lld, but there are ranks 0 .. %lld (p = %lld)",
                (long long)senders->ranks[i], (long long)ranks[i],
                (long long)expander->instance->p - 1, (long long)expander->instance->p);
    senders->to = ranks;
    return true;
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
                /* `all` is of the main array. */
                ownership_list(&expander->ownership, senders->ranks[i], expander->arena, &blocks);
                while (blocks.count &&
                       blocks.items[blocks.count - 1] >= expander->space.array_blocks)
                    blocks.count--;
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

static bool find_destination(Expander *expander, const ScheduleStep *step, const Senders *senders,
                             Load *load)
{
    const Transfer *transfer = &step->transfer;
    int64_t array_blocks = expander->space.array_blocks;
    int64_t start = blockspace_start(&expander->space, transfer->as);
    SetItems into;
    if (transfer->into.count) {
        const int64_t pieces = expander->space.extents[expander->space.index_count - 1];
        if (!expand_blocks(expander, &transfer->into, senders, &into, load->destination))
            return false;
        /* Pieces of a block differ in size by an element, so only equal ones can be combined. */
        for (size_t i = 0; i < load->items[0].count && expander->algorithm->chunks.program; i++)
            if (load->numbers[0][i] % pieces != load->destination[0][i] % pieces)
                return diag_error(
                    expander->diag, step->span,
                    "chunk %lld is combined with chunk %lld, which can be of another size",
                    (long long)(load->destination[0][i] % pieces),
                    (long long)(load->numbers[0][i] % pieces));
        return true;
    }
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

static void reserve_blocks(Expander *expander, size_t count, Draft *draft)
{
    if (expander->counts_only || expander->packs)
        return;
    ARRAY_RESERVE(expander->drafts, &draft->blocks, count);
    if (expander->algorithm->moves_blocks)
        ARRAY_RESERVE(expander->drafts, &draft->destination, count);
}

static void append_block(Expander *expander, int64_t block, int64_t destination, Draft *draft)
{
    draft->block_count++;
    if (expander->counts_only)
        return;
    if (expander->packs) {
        packing_add(expander->drafts, &draft->packing, block, 1, destination);
        return;
    }
    *ARRAY_PUSH(expander->drafts, &draft->blocks) = block;
    if (expander->algorithm->moves_blocks)
        *ARRAY_PUSH(expander->drafts, &draft->destination) = destination;
}

void draft_append(Arena *arena, Draft *draft, const ScheduledTransfer *transfer)
{
    if (!transfer->block_count)
        return;
    *ARRAY_PUSH(arena, &draft->transfers) = *transfer;
    draft->has_messages |= !transfer_is_local(transfer);
}

/* Of sender i, without blocks. */
static ScheduledTransfer begin_transfer(const ScheduleStep *step, const Senders *senders, size_t i,
                                        size_t first_block)
{
    return (ScheduledTransfer){.from = (int32_t)senders->ranks[i],
                               .to = (int32_t)senders->to[i],
                               .verb = step->transfer.verb,
                               .first_block = first_block,
                               .span = &step->span,
                               .skips_empty = step->transfer.skips_empty};
}

/* One transfer for each sender with something to send. */
static void append_transfers(Expander *expander, const ScheduleStep *step, const Senders *senders,
                             const Load *load, Draft *draft)
{
    size_t *next = ARENA_ARRAY(expander->arena, size_t, load->set_count);
    for (size_t i = 0; i < senders->count; i++) {
        ScheduledTransfer transfer = begin_transfer(step, senders, i, draft->block_count);
        /* A block that would land on itself, at its own rank, does not move. */
        const bool may_stay = transfer_is_local(&transfer) && !step->transfer.into.count;
        const size_t before = draft->block_count;
        if (expander->packs)
            transfer.first_block = packing_start(&draft->packing);
        for (size_t s = 0; s < load->set_count; s++) {
            const SetItems *items = &load->items[s];
            for (; next[s] < items->count && items->lanes[next[s]] == (int64_t)i; next[s]++) {
                const int64_t block = load->numbers[s][next[s]];
                const int64_t destination = load->destination[s][next[s]];
                if (!may_stay || block != destination)
                    append_block(expander, block, destination, draft);
            }
        }
        transfer.block_count = (uint32_t)(draft->block_count - before);
        draft_append(expander->drafts, draft, &transfer);
    }
}

/* Rows, and what ranks hold, without listing their blocks. False, silently, where a transfer has
   others. */
static bool append_rows(Expander *expander, const ScheduleStep *step, const Senders *senders,
                        Draft *draft)
{
    const SetList *sets = &step->transfer.blocks;
    const int64_t shift =
        step->transfer.as < 0 ? 0 : blockspace_start(&expander->space, step->transfer.as);
    BlockRows *rows = ARENA_ARRAY(expander->arena, BlockRows, sets->count);
    for (size_t s = 0; s < sets->count; s++)
        if (step->transfer.into.count || sets->items[s].condition ||
            (!sets->items[s].syntax->all &&
             !block_rows_find(expander->arena, &expander->space, &sets->items[s], &senders->frame,
                              senders->count, step->transfer.as, &rows[s])))
            return false;
    ARRAY_RESERVE(expander->drafts, &draft->transfers, senders->count);
    for (size_t i = 0; i < senders->count; i++) {
        ScheduledTransfer transfer =
            begin_transfer(step, senders, i, packing_start(&draft->packing));
        const size_t before = draft->block_count;
        const bool stays = step->transfer.as < 0 && transfer_is_local(&transfer);
        for (size_t s = 0; s < sets->count && !stays; s++)
            if (sets->items[s].syntax->all && !(transfer_is_local(&transfer) && shift == 0)) {
                /* What a rank holds of the main array, `shift` further on. */
                const Ownership *ownership = &expander->ownership;
                const int64_t end = expander->space.array_blocks;
                for (int64_t b = ownership_seek(ownership, senders->ranks[i], 0, end, true), next;
                     b < end; b = ownership_seek(ownership, senders->ranks[i], next, end, true)) {
                    next = ownership_seek(ownership, senders->ranks[i], b, end, false);
                    draft->block_count += (size_t)(next - b);
                    packing_add(expander->drafts, &draft->packing, b, next - b, b + shift);
                }
            } else if (!sets->items[s].syntax->all)
                draft->block_count +=
                    packing_add_rows(expander->drafts, &draft->packing, &rows[s], i);
        transfer.block_count = (uint32_t)(draft->block_count - before);
        draft_append(expander->drafts, draft, &transfer);
    }
    return true;
}

/* Ranks that stand for all send to ranks for which different ones stand: otherwise the ports of a
   receiver are taken in an order that is not turned. */
static bool meet_apart(Arena *arena, const Rotation *rotation, const Senders *senders)
{
    const ArenaMark mark = arena_mark(arena);
    bool *meets = ARENA_ARRAY(arena, bool, (size_t)rotation->by), apart = true;
    for (size_t i = 0; i < senders->count && apart; i++) {
        bool *own = &meets[senders->to[i] % rotation->by];
        apart = !*own;
        *own = true;
    }
    arena_release(arena, mark);
    return apart;
}

/* Transfers without their blocks; false, silently, where the blocks must be listed. */
static bool append_counted(Expander *expander, const ScheduleStep *step, const Senders *senders,
                           Draft *draft)
{
    const SetList *sets = &step->transfer.blocks;
    const int as = step->transfer.as;
    int64_t extents[MOST_INDICES];
    int64_t **counts = ARENA_ARRAY(expander->arena, int64_t *, sets->count);
    for (size_t s = 0; s < sets->count; s++) {
        const int array = sets->items[s].syntax->array;
        const bool has_copies = array > 0 && expander->space.arrays.extents[array - 1] > 0;
        counts[s] = ARENA_ROOM(expander->arena, int64_t, senders->count);
        if (step->transfer.into.count || (has_copies && as == array) ||
            !blockspace_extents(&expander->space, &sets->items[s], extents) ||
            !set_count(&sets->items[s], expander->arena, &senders->frame, expander->varying,
                       senders->count, extents, counts[s]))
            return false;
        for (size_t i = 0; i < senders->count; i++)
            if (counts[s][i] > INT32_MAX / (int64_t)sets->count)
                return false;
    }
    ARRAY_RESERVE(expander->drafts, &draft->transfers, senders->count);
    for (size_t i = 0; i < senders->count; i++) {
        ScheduledTransfer transfer = begin_transfer(step, senders, i, draft->block_count);
        for (size_t s = 0; s < sets->count; s++) {
            /* A set's blocks stay in their array, or go to another one. Copies of an array land in
               the first. */
            const bool lands_on_itself = as < 0 || as == sets->items[s].syntax->array;
            if (!transfer_is_local(&transfer) || !lands_on_itself)
                transfer.block_count += (uint32_t)counts[s][i];
        }
        draft->block_count += transfer.block_count;
        draft_append(expander->drafts, draft, &transfer);
    }
    return true;
}

/* `*tried`: blocks that were listed, or left out by a condition. */
static bool append_listed(Expander *expander, const ScheduleStep *step, const Senders *senders,
                          Draft *draft, size_t *tried)
{
    const SetList *sets = &step->transfer.blocks;
    Load load = {.set_count = sets->count,
                 .items = ARENA_ARRAY(expander->arena, SetItems, sets->count),
                 .numbers = ARENA_ARRAY(expander->arena, int64_t *, sets->count),
                 .destination = ARENA_ARRAY(expander->arena, int64_t *, sets->count)};
    if (!expand_blocks(expander, sets, senders, load.items, load.numbers) ||
        !find_destination(expander, step, senders, &load))
        return false;
    *tried = 0;
    for (size_t s = 0; s < sets->count; s++) {
        const SetItems *items = &load.items[s];
        load.block_count += items->count;
        *tried += items->tried > items->count ? items->tried : items->count;
    }
    if (draft->block_count + load.block_count > LIMIT_ITEMS)
        return diag_limit(expander->diag, step->span,
                          "a round sends too many blocks (more than %d)", LIMIT_ITEMS);
    ARRAY_RESERVE(expander->drafts, &draft->transfers, senders->count);
    reserve_blocks(expander, load.block_count, draft);
    append_transfers(expander, step, senders, &load, draft);
    return true;
}

/* Lists take ten times the memory of their blocks while they are made, so they are made for some
   senders at a time. False, silently, where something is wrong, or too large: for all senders
   together it is found again, and told. */
static bool append_in_portions(Expander *expander, const ScheduleStep *step, const Senders *senders,
                               Draft *draft)
{
    enum { FIRST_PORTION = 16, BLOCKS_AT_ONCE = 1 << 16 };
    const Draft before = *draft;
    Diag silent = diag_silent(), *diag = expander->diag;
    const SetList *sets = &step->transfer.blocks;
    size_t portion = FIRST_PORTION, first = 0, tried, all_tried = 0;
    bool names_many = false;
    for (size_t s = 0; s < sets->count; s++)
        names_many |= sets->items[s].loop_count > 0 || sets->items[s].syntax->all;
    bool good = senders->count > portion && names_many;
    expander->diag = &silent;
    while (good && first < senders->count) {
        const size_t left = senders->count - first, count = left < portion ? left : portion;
        Senders some = {count, senders->ranks + first, senders->frame, senders->to + first};
        for (int slot = 0; slot < MOST_SLOTS; slot++)
            if ((expander->varying >> slot & 1) && some.frame.slots[slot])
                some.frame.slots[slot] = (const int64_t *)some.frame.slots[slot] + first;
        ArenaMark mark = arena_mark(expander->arena);
        good = append_listed(expander, step, &some, draft, &tried) &&
               (all_tried += tried) <= LIMIT_ITEMS;
        arena_release(expander->arena, mark);
        if (good && first == 0) /* the others as many, to begin with */
            reserve_blocks(expander, (draft->block_count - before.block_count) / count * left,
                           draft);
        portion = BLOCKS_AT_ONCE / (tried / count + 1) + 1;
        first += count;
    }
    expander->diag = diag;
    if (good)
        return true;
    draft->transfers.count = before.transfers.count;
    draft->blocks.count = before.blocks.count;
    draft->destination.count = before.destination.count;
    draft->packing = before.packing;
    draft->block_count = before.block_count;
    draft->has_messages = before.has_messages;
    return false;
}

bool expander_add_once(Expander *expander, const ScheduleStep *step, Draft *draft)
{
    Senders senders;
    size_t tried;
    if (!pick_senders(expander, step, expander_reads(step), &senders))
        return false;
    if (senders.count == 0)
        return true;
    if (!find_receivers(expander, &step->transfer.to, &senders) ||
        (expander->wanted->rotation &&
         !meet_apart(expander->drafts, expander->wanted->rotation, &senders)))
        return false;
    const int64_t most = expander->wanted->most_messages;
    if (most && (int64_t)(draft->transfers.count + senders.count) > most)
        return diag_limit(expander->diag, step->span,
                          "a round has too many messages (more than %lld)", (long long)most);
    if (expander->counts_only && append_counted(expander, step, &senders, draft))
        return true;
    if (expander->packs && !expander->counts_only && append_rows(expander, step, &senders, draft))
        return true;
    return append_in_portions(expander, step, &senders, draft) ||
           append_listed(expander, step, &senders, draft, &tried);
}

bool expander_list_products(Expander *expander, const ScheduleStep *step, Draft *draft)
{
    Senders ranks;
    SetItems items[PROBLEM_ARRAYS];
    int64_t *numbers[PROBLEM_ARRAYS];
    if (!pick_senders(expander, step, ~(uint64_t)0, &ranks))
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
