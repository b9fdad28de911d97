#include "cost/derive_posting.h"
#include "cost/deriver.h"
#include "sched/grid_stages.h"

#include <string.h>

/* Rounds whose messages are listed: by port step, each message by itself. */

/* What each transfer of a round makes its receiver combine. */
typedef struct {
    int64_t *counts; /* blocks of each transfer */
    int32_t
        *marks; /* of destination blocks: ~number if combined, else the number; NULL: not kept */
} Combines;

/* A program asks so many ranks in the time in which a message of theirs is followed, about. */
enum { RANKS_LIKE_MESSAGE = 8 };

/* The rank that is looked at for this one. */
static int64_t stand_in(const Deriver *deriver, int64_t rank)
{
    return deriver->rotation ? rank % deriver->rotation->by : rank;
}

/* The port step as entries of a profile: its hops one after the other, combining behind the last.
 */
static PortStepCost *list_entries(Deriver *deriver, Arena *arena, const PortStep *step)
{
    PortStepCost *entries = ARENA_ARRAY(arena, PortStepCost, step->entry_count);
    for (size_t e = 0; e < step->entry_count; e++)
        entries[e] = (PortStepCost){.repeat = 1,
                                    .first_path = step->entries[e].first,
                                    .path_count = step->entries[e].count,
                                    .continues = e > 0,
                                    .local = step->count == 0};
    PortStepCost *last = &entries[step->entry_count - 1];
    size_t all = step->count + step->local_count;
    if (!deriver->combined)
        deriver->combined = ARENA_ARRAY(deriver->arena, int64_t, (size_t)deriver->of_all.p);
    for (size_t i = 0; i < all; i++)
        deriver->combined[stand_in(deriver, step->transfers[i]->to)] = 0;
    for (size_t i = 0; i < all; i++) {
        const ScheduledTransfer *transfer = step->transfers[i];
        int64_t combined = deriver->combined[stand_in(deriver, transfer->to)] += step->combines[i];
        last->combined = combined > last->combined ? combined : last->combined;
        int64_t message = i < step->count ? message_blocks(step, i) : 0;
        entries[0].message = message > entries[0].message ? message : entries[0].message;
    }
    return entries;
}

/* A port step of a round with gaps: the entry of the last one knows what may last longer.
   `arena` is that of the round. */
static void overlap_step(const Deriver *deriver, Arena *arena, Costing *costing,
                         const PortStep *step, PortStepCost *entry)
{
    Overlap *overlap = costing->earlier, *oldest = NULL;
    if (step->is_followed) {
        overlap = ARENA_NEW(arena, Overlap);
        *overlap = (Overlap){costing->earlier, *entry, *entry, step->entry_paths, step->path_count};
        overlap->end.first_path = step->entries[1].first;
        overlap->end.path_count = step->entries[1].count;
        costing->earlier = overlap;
        return;
    }
    for (; overlap; overlap = overlap->before)
        for (size_t i = overlap->end.first_path; i < overlap->path_count; i++)
            if (!paths_exceed(step->entry_paths, entry->path_count, &overlap->paths[i]))
                oldest = overlap;
    if (oldest)
        oldest->before = NULL, entry->earlier = overlaps_copy(deriver->arena, costing->earlier);
}

static bool cost_port_step(Deriver *deriver, Costing *costing, Arena *arena, const Round *round,
                           PortStep *step)
{
    bool is_port_step = step->count > 0;
    step->overlaps = deriver->overlaps;
    if (is_port_step && !port_step_route(&costing->context, arena, step, deriver->diag))
        return false;
    if (is_port_step && costing->contacts &&
        !contacts_add(costing->contacts, arena, step, deriver->diag))
        return false;
    if (!is_port_step)
        step->entries = ARENA_NEW(arena, PathRange), step->entry_count = 1;
    PortStepCost *entries = list_entries(deriver, arena, step);
    if (step->overlaps && is_port_step)
        overlap_step(deriver, arena, costing, step, entries);
    if (deriver->visitor)
        trace_port_step(deriver->visitor, round, step,
                        (CostedPortStep){.step = deriver->counts.steps - 1,
                                         .number = deriver->counts.steps_visited,
                                         .entries = entries});
    if (deriver->timeline && is_port_step)
        step_list_add(deriver->arena, &costing->list,
                      (PortStepCost){.message = entries[0].message, .repeat = 1}, NULL, true);
    bool is_free = !is_port_step && entries[0].combined == 0;
    for (int64_t n = 0; n <= step->more && !deriver->timeline && !is_free; n++)
        deriver_append(deriver, costing, step, entries);
    if (!step->lanes || !is_port_step)
        return true;
    /* In scans it differs from rank to rank what is combined. */
    const Program *combined = deriver->instance->algorithm->collective->contributors_to;
    if (!costing->chains)
        costing->chains = chains_open(deriver->arena, &costing->context, deriver->rotation,
                                      combined && program_varies(combined));
    return chains_add(costing->chains, arena, round, step, deriver->diag);
}

static bool cost_by_all(Deriver *deriver, Arena *arena, const Round *round, PortStep *step)
{
    const TraceVisitor *visitor = deriver->visitor;
    deriver->counts.steps += step->count > 0 ? 1 + step->more : 0;
    if (visitor && visitor->skips && !deriver->timeline &&
        visitor->skips(visitor->context, deriver->counts.steps - 1))
        return true;
    const int64_t lanes = step->lanes;
    for (size_t i = 0; i < deriver->costing_count; i++) {
        Costing *costing = &deriver->costings[i];
        step->lanes = costing->context.rules->switching == SWITCHING_CUT_THROUGH ? lanes : 0;
        if (!cost_port_step(deriver, costing, arena, round, step))
            return false;
    }
    step->lanes = lanes;
    deriver->counts.steps_visited++;
    return true;
}

static Combines count_combines(Deriver *deriver, Arena *arena, const Round *round)
{
    const bool marks = deriver->timeline && deriver->timeline->overlaps;
    size_t block_count = 0;
    for (size_t t = 0; t < round->count && marks; t++) {
        size_t end = round->transfers[t].first_block + round->transfers[t].block_count;
        block_count = end > block_count ? end : block_count;
    }
    Combines combines = {ARENA_ROOM(arena, int64_t, round->count),
                         marks ? ARENA_ROOM(arena, int32_t, block_count) : NULL};
    bool is_free = deriver->costings->context.rules->combining == COMBINING_NONE ||
                   deriver_sends_nothing(deriver);
    if (deriver->has_ownership)
        ownership_depart(&deriver->ownership, round);
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        const size_t first = transfer->first_block;
        /* Blocks that arrive where such a block is are combined, others just land. */
        for (size_t b = first; b < first + transfer->block_count && marks; b++) {
            int64_t block = round_destination(round, b);
            bool meets = verb_info[transfer->verb].combines &&
                         ownership_has(&deriver->ownership, transfer->to, block);
            combines.marks[b] = (int32_t)(meets ? ~block : block);
        }
        int64_t had = round->had ? round->had[t]
                      : deriver->has_ownership
                          ? ownership_arrive(&deriver->ownership, round, transfer)
                          : products_size(&deriver->products, round, transfer);
        combines.counts[t] = verb_info[transfer->verb].combines && !is_free ? had : 0;
    }
    return combines;
}

/* Without messages that are empty, where these are not sent. */
static Round drop_empty(const Deriver *deriver, Arena *arena, const Round *round,
                        Combines *combines)
{
    Round left = *round;
    ScheduledTransfer *transfers = ARENA_ROOM(arena, ScheduledTransfer, round->count);
    left.transfers = transfers, left.count = 0;
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        if (transfer->skips_empty && !products_size(&deriver->products, round, transfer))
            continue;
        combines->counts[left.count] = combines->counts[t];
        transfers[left.count++] = *transfer;
    }
    return left;
}

/* The round of one group as that of all, which do the same at the same time. */
static Round repeat_round(const Deriver *deriver, Arena *arena, const Round *round,
                          Combines *combines)
{
    const size_t groups = (size_t)deriver->groups;
    Round all = *round;
    if (groups == 1)
        return all;
    ScheduledTransfer *transfers = ARENA_ROOM(arena, ScheduledTransfer, groups * round->count);
    int64_t *counts = ARENA_ROOM(arena, int64_t, groups * round->count);
    for (size_t i = 0; i < groups * round->count; i++) {
        const int32_t first = (int32_t)((int64_t)(i / round->count) * deriver->instance->p);
        transfers[i] = round->transfers[i % round->count];
        transfers[i].from += first, transfers[i].to += first;
        counts[i] = combines->counts[i % round->count];
    }
    combines->counts = counts;
    all.transfers = transfers, all.count *= groups;
    return all;
}

/* The transfers of a round by port step, messages before local work: those of port step s are
   order[starts[2 s] ..], its local work order[starts[2 s + 1] ..]; and of each transfer what it
   combines, and its bundle (NULL: there are none). */
typedef struct {
    size_t *starts;
    int32_t *order;
    const int64_t *combines, *bundles;
} StepOrder;

static StepOrder order_by_step(Arena *arena, const Round *round, const int64_t *steps,
                               int64_t step_count)
{
    const size_t parts = 2 * (size_t)step_count;
    StepOrder order = {ARENA_ARRAY(arena, size_t, parts + 2),
                       ARENA_ROOM(arena, int32_t, round->count), NULL, NULL};
    for (size_t t = 0; t < round->count; t++)
        order.starts[2 * steps[t] + transfer_is_local(&round->transfers[t]) + 2]++;
    for (size_t i = 2; i < parts + 2; i++)
        order.starts[i] += order.starts[i - 1];
    for (size_t t = 0; t < round->count; t++) {
        size_t part = (size_t)(2 * steps[t]) + transfer_is_local(&round->transfers[t]);
        order.order[order.starts[part + 1]++] = (int32_t)t;
    }
    return order;
}

/* The messages, and behind them the local work, of one port step. */
static void list_port_step(Deriver *deriver, const Round *round, const StepOrder *order,
                           int64_t number, PortStep *step)
{
    const size_t *starts = order->starts + 2 * number;
    step->count = starts[1] - starts[0];
    step->local_count = starts[2] - starts[1];
    for (size_t i = 0; i < step->count + step->local_count; i++) {
        const int32_t t = order->order[starts[0] + i];
        step->transfers[i] = &round->transfers[t];
        step->sizes[i] = products_size(&deriver->products, round, &round->transfers[t]);
        step->combines[i] = order->combines[t];
        if (order->bundles)
            step->bundles[i] = order->bundles[t];
        deriver->counts.combined += step->combines[i] * (1 + step->more);
        if (i >= step->count)
            continue;
        deriver->counts.moved += step->sizes[i] * (1 + step->more);
        deriver->counts.is_uneven |= step->sizes[i] != step->sizes[0];
    }
}

/* Keeps the messages and the local work of a port step, whose paths are known, without barriers.
   marks: of the round's destination blocks; NULL where blocks are not followed. */
static bool note_messages(Deriver *deriver, const Round *round, const PortStep *step,
                          const int32_t *marks, bool ends_round)
{
    Timeline *timeline = deriver->timeline;
    Arena *arena = deriver->arena;
    PathList *kept = &deriver->costings->list.paths;
    size_t all = step->count + step->local_count;
    if (timeline->messages.count + all > MOST_TIMED_MESSAGES)
        return diag_limit(deriver->diag, NOWHERE,
                          "this schedule has more than %d messages, too many for asynchronous or "
                          "overlapped costs",
                          MOST_TIMED_MESSAGES);
    for (size_t i = 0; i < all; i++) {
        const ScheduledTransfer *transfer = step->transfers[i];
        PathRange ranges = i < step->count ? step->ranges[i] : (PathRange){0, 0};
        TimedMessage message = {.from = (int32_t)transfer->from,
                                .to = (int32_t)transfer->to,
                                .path_count = (uint32_t)ranges.count,
                                .combined = (double)step->combines[i],
                                .first_block = timeline->blocks.count};
        const PathCost *own = ranges.count ? step->paths + ranges.first : NULL;
        /* kept once where the message before it had the same */
        const bool is_kept =
            own && kept->count >= ranges.count &&
            memcmp(kept->items + kept->count - ranges.count, own, ranges.count * sizeof *own) == 0;
        for (size_t n = 0; n < ranges.count && !is_kept; n++)
            *ARRAY_PUSH(arena, kept) = own[n];
        message.first_path = own ? kept->count - ranges.count : 0;
        if (marks) {
            message.block_count = (uint32_t)transfer->block_count;
            for (size_t b = 0; b < transfer->block_count; b++) {
                size_t place = transfer->first_block + b;
                *ARRAY_PUSH(arena, &timeline->sources) = (int32_t)round->blocks[place];
                *ARRAY_PUSH(arena, &timeline->blocks) = marks[place];
            }
        }
        *ARRAY_PUSH(arena, &timeline->messages) = message;
    }
    *ARRAY_PUSH(arena, &timeline->steps) = (TimedPortStep){timeline->messages.count, ends_round};
    return !timeline->sharing ||
           sharing_note(&deriver->costings->context, arena, step, timeline->sharing, deriver->diag);
}

/* Behind the messages. */
static void visit_products(Deriver *deriver, const Round *round)
{
    for (size_t i = 0; i < round->product_count; i++) {
        const ScheduledProduct *product = &round->products[i];
        if (deriver->has_ownership)
            ownership_put(&deriver->ownership, product->rank, product->blocks[ARRAY_RESULT]);
        if (deriver->visitor && deriver->visitor->product) {
            CostedProduct costed = {deriver->counts.steps - 1, i == 0, product,
                                    extents_work(&deriver->products.extents, product),
                                    deriver->products.busiest};
            deriver->visitor->product(deriver->visitor->context, &costed);
        }
    }
}

/* With gaps, the port steps of a round overlap. */
static bool start_overlap(Deriver *deriver, bool has_turns)
{
    deriver->overlaps = has_turns && deriver->costings->has_gaps;
    for (size_t i = 0; i < deriver->costing_count && deriver->overlaps; i++)
        deriver->costings[i].earlier = NULL;
    const Rules *rules = deriver->costings->context.rules;
    if (!deriver->overlaps || (rules->switching == SWITCHING_CUT_THROUGH && !rules->asynchronous))
        return true;
    diag_refuse(deriver->diag, NOWHERE,
                "a gap between messages that are posted in order has no cost with %s",
                rules->asynchronous ? "asynchronous rules" : "store-and-forward");
    return diag_note(deriver->diag, NOWHERE, "--posting together has one%s",
                     rules->asynchronous ? ", with cut-through" : "");
}

/* Without barriers, or for the mean of the ends of ranks, not all has a cost. */
static bool may_be_timed(const Deriver *deriver, bool together)
{
    const Rules *rules = deriver->costings->context.rules;
    const bool follows_ranks = deriver->timeline || rules->averages;
    if (together && follows_ranks && rules->switching != SWITCHING_CUT_THROUGH)
        return diag_refuse(
            deriver->diag, NOWHERE,
            "messages that are posted together have neither asynchronous costs nor a mean "
            "over ranks with store-and-forward");
    return !deriver->timeline || !deriver->costings->contacts || !rules->asynchronous ||
           diag_refuse(deriver->diag, NOWHERE, "costs of contacts are defined only with barriers");
}

/* A round, and those that are like it where it is one port step; *left: those that are not done. */
static bool derive_rounds(Deriver *deriver, const Round *of_group, Arena *arena, int64_t *left)
{
    const int64_t most = deriver->visitor ? deriver->visitor->most_steps : 0;
    const int64_t asked = deriver->rotation ? deriver->rotation->by : deriver->instance->p;
    const int64_t copies = deriver->instance->p / asked;
    if ((most && deriver->counts.steps >= most) ||
        (deriver->wanted->all_combine && deriver->counts.combined * copies > deriver->fewest))
        return false;
    if (!products_count(&deriver->products, of_group, deriver->diag))
        return false;
    const bool together = rules_post_together(deriver->costings->context.rules, of_group->posting);
    const bool streams = rules_stream(deriver->costings->context.rules, of_group->posting) &&
                         !deriver->timeline && deriver->groups == 1 && !deriver->visitor;
    Combines combines = count_combines(deriver, arena, of_group);
    Round sent;
    if (deriver->products.elements)
        sent = drop_empty(deriver, arena, of_group, &combines), of_group = &sent;
    const Round of_all = repeat_round(deriver, arena, of_group, &combines), *round = &of_all;
    int64_t *steps = ARENA_ROOM(arena, int64_t, round->count);
    const LoadContext *load = &deriver->costings->context;
    /* streams store to addresses of one rank each, but for those of NVLS and the like */
    const bool merges =
        load->merging && (!streams || deriver->instance->algorithm->protocol.length);
    const int64_t *bundles = NULL;
    if (merges && !merging_bundle(arena, load->merging, round, asked * deriver->groups, &bundles,
                                  deriver->diag))
        return false;
    int64_t step_count =
        port_steps_assign(&deriver->ports, arena, round, bundles, steps, deriver->diag);
    if (step_count < 0)
        return false;
    if (!may_be_timed(deriver, together))
        return false;
    const bool may_repeat = !deriver->visitor && !deriver->costings->contacts;
    const int64_t more = step_count == 1 && may_repeat ? of_group->more : 0;
    *left = of_group->more - more;
    deriver->counts.transfers += (int64_t)of_group->count * (1 + more);
    /* what messages that are posted together share is found for those of all ranks */
    const int64_t found = (int64_t)of_group->count * (together ? copies : 1);
    deriver->counts.effort += found + asked / RANKS_LIKE_MESSAGE;
    deriver->counts.has_spare_ports &= step_count <= 1 && deriver->ports.has_spare;
    if (!start_overlap(deriver, !together && step_count > 1))
        return false;
    PortStep step = {.transfers = ARENA_ROOM(arena, const ScheduledTransfer *, round->count),
                     .sizes = ARENA_ROOM(arena, int64_t, round->count),
                     .combines = ARENA_ROOM(arena, int64_t, round->count),
                     .bundles = bundles ? ARENA_ROOM(arena, int64_t, round->count) : NULL,
                     .bundle_count = bundles ? round->count : 0,
                     .is_empty = deriver_sends_nothing(deriver),
                     .together = together,
                     .lanes = streams ? (int64_t)(round->channels ? round->channels : 1) : 0,
                     .more = more,
                     .by = deriver->rotation ? deriver->rotation->by : 0};
    StepOrder order = order_by_step(arena, round, steps, step_count);
    order.combines = combines.counts, order.bundles = bundles;
    for (int64_t number = 0; number < step_count; number++) {
        const ArenaMark mark = arena_mark(arena);
        step.is_followed = number + 1 < step_count;
        list_port_step(deriver, round, &order, number, &step);
        if (!cost_by_all(deriver, arena, round, &step) ||
            (deriver->timeline &&
             !note_messages(deriver, round, &step, combines.marks, number == step_count - 1)))
            return false;
        if (!deriver->overlaps) /* else the last port step knows of those before */
            arena_release(arena, mark);
    }
    visit_products(deriver, round);
    return true;
}

static bool derive_round(void *context, const Round *of_group, Arena *arena)
{
    Round round = *of_group;
    for (int64_t left = round.more; left >= 0; round.number++) {
        ArenaMark mark = arena_mark(arena);
        const bool good = derive_rounds(context, &round, arena, &left);
        arena_release(arena, mark);
        if (!good)
            return false;
        round.more = --left;
    }
    return true;
}

/* A stage, and a round of it, is counted apart: it may come again in other schedules. */
static void begin_stage(void *context)
{
    Deriver *deriver = context;
    Costing *costing = deriver->costings;
    deriver->outside[deriver->stages++] =
        (StageCosts){costing->list, deriver->counts, deriver->ports.has_spare};
    costing->list = (StepList){0};
    deriver->counts = (Counts){.has_spare_ports = true};
    deriver->ports.has_spare = true;
}

static void add_stage(void *context, const void *kept)
{
    const StageCosts *stage = kept;
    Deriver *deriver = context;
    Counts *counts = &deriver->counts;
    for (size_t i = 0; i < stage->list.steps.count; i++) {
        const PortStepCost *cost = &stage->list.steps.items[i];
        const PathCost *paths =
            cost->path_count ? stage->list.paths.items + cost->first_path : NULL;
        step_list_add(deriver->arena, &deriver->costings->list, *cost, paths,
                      i == 0 && stage->list.may_merge);
    }
    counts->steps += stage->counts.steps;
    counts->steps_visited += stage->counts.steps_visited;
    counts->transfers += stage->counts.transfers;
    counts->effort += stage->counts.effort;
    counts->moved += stage->counts.moved;
    counts->is_uneven |= stage->counts.is_uneven;
    counts->combined += stage->counts.combined;
    counts->has_spare_ports &= stage->counts.has_spare_ports;
    deriver->ports.has_spare &= stage->has_spare;
}

/* What has more entries than a ring of few ranks has rounds, a pipeline, is not kept: it takes more
   memory than its repetition saves time. */
static const void *end_stage(void *context, Arena *arena)
{
    Deriver *deriver = context;
    Costing *costing = deriver->costings;
    const StageCosts stage = {costing->list, deriver->counts, deriver->ports.has_spare};
    const StageCosts *outside = &deriver->outside[--deriver->stages];
    costing->list = outside->list;
    deriver->counts = outside->counts;
    deriver->ports.has_spare = outside->has_spare;
    add_stage(deriver, &stage);
    if (stage.list.steps.count + stage.list.paths.count > FEW_RANKS)
        return NULL;
    for (size_t i = 0; i < stage.list.steps.count; i++)
        if (stage.list.steps.items[i].earlier)
            return NULL;
    StageCosts *kept = ARENA_COPY(arena, StageCosts, &stage, 1);
    kept->list = (StepList){.may_merge = stage.list.may_merge};
    ARRAY_COPY(arena, &kept->list.steps, &stage.list.steps);
    kept->list.paths.items = paths_copy(arena, stage.list.paths.items, stage.list.paths.count);
    kept->list.paths.count = stage.list.paths.count;
    return kept;
}

bool derive_listed_rounds(Deriver *deriver)
{
    RoundsWanted wanted = *deriver->wanted;
    const bool asks_blocks = deriver->visitor && !deriver->visitor->sizes_only;
    const bool follows_blocks = deriver->has_ownership || deriver->products.elements || asks_blocks;
    /* beside a rotation nothing merges */
    wanted.counts_only =
        !follows_blocks && (!deriver->costings->context.merging || wanted.rotation);
    wanted.takes_packed = deriver->instance->p > FEW_RANKS && !deriver->products.elements &&
                          !asks_blocks && !deriver->timeline && !wanted.rotation;
    const StageVisitor stages = {deriver, begin_stage, end_stage, add_stage};
    if (wanted.grid)
        wanted.grid->visitor = &stages;
    RoundsAgain again = {.visitor = &stages, .place = {(uint64_t)wanted.all_combine, 0}};
    /* Does a round cost the same wherever it comes? Not where it matters who holds what, or what
       was sent before. */
    if (!follows_blocks && !wanted.grid && !deriver->visitor && !deriver->timeline &&
        deriver->costing_count == 1 && !deriver->costings->contacts &&
        !deriver->instance->algorithm->streams &&
        deriver->costings->context.rules->posting != POSTING_STREAMED) {
        memo_keep_stages(deriver->costings->context.memo);
        again.stages = memo_stages(deriver->costings->context.memo);
        wanted.again = &again;
    }
    if (!schedule_expand_as(deriver->instance, &wanted, derive_round, deriver, deriver->diag))
        return false;
    /* Behind all rounds comes what messages in streams take beside their bytes. */
    for (size_t i = 0; i < deriver->costing_count; i++) {
        Costing *costing = &deriver->costings[i];
        size_t count = 0;
        const ChainPart *parts =
            costing->chains ? chains_longest(costing->chains, deriver->arena, &count) : NULL;
        for (size_t x = 0; x < count; x++)
            step_list_add(deriver->arena, &costing->list,
                          (PortStepCost){.path_count = 1, .repeat = parts[x].count},
                          &parts[x].latency, false);
    }
    return true;
}
