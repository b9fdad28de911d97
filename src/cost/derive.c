#include "cost/derive.h"

#include "cost/derive_memo.h"
#include "cost/derive_products.h"
#include "cost/derive_timeline.h"
#include "sched/ownership.h"

#include <string.h>

ARRAY_TYPE(TurnArray, TurnCost);
ARRAY_TYPE(PathArray, PathCost);

/* How far a rank's ports are used in the round: `used` of them in turn `turn`. */
typedef struct {
    int32_t round, turn, used;
} Port;

typedef struct {
    Arena *arena;
    const Instance *instance;
    Tariff tariff;
    TurnArray turns;
    PathArray paths;
    Port *senders, *receivers;
    bool same_ports;   /* all ranks have as many as the instance says */
    int64_t *combined; /* of each rank in the turn at hand */
    bool has_holdings;
    Holdings holdings;
    int64_t turns_so_far; /* the one at hand included, repeats counted */
    int64_t turns_visited, transfers;
    ProductCosts products;
    int64_t moved, combined_by_all;
    TurnMemo *memo;
    Timeline *timeline;          /* NULL: synchronous */
    const TraceVisitor *visitor; /* NULL: none */
    Diag *diag;
} Deriver;

/* What each transfer of a round makes its receiver combine. */
typedef struct {
    int64_t *counts; /* blocks of each transfer */
    int32_t *marks;  /* of landing blocks: ~number if combined, else the number; NULL: not kept */
} Combines;

static void append_entry(Deriver *deriver, TurnCost cost, const PathCost *paths, bool may_merge)
{
    if (deriver->turns.count && may_merge) {
        TurnCost *last = &deriver->turns.items[deriver->turns.count - 1];
        if (last->path_count == cost.path_count && last->combined == cost.combined &&
            last->message == cost.message && last->continues == cost.continues &&
            last->local == cost.local &&
            (cost.path_count == 0 || memcmp(deriver->paths.items + last->first_path, paths,
                                            cost.path_count * sizeof *paths) == 0)) {
            last->repeat++;
            return;
        }
    }
    cost.repeat = 1;
    cost.first_path = deriver->paths.count;
    for (size_t i = 0; i < cost.path_count; i++)
        *ARRAY_PUSH(deriver->arena, &deriver->paths) = paths[i];
    *ARRAY_PUSH(deriver->arena, &deriver->turns) = cost;
}

/* The turn as entries of a profile: its hops one after the other, combining behind the last. */
static TurnCost *list_entries(Deriver *deriver, Arena *arena, const Turn *turn)
{
    TurnCost *entries = ARENA_ARRAY(arena, TurnCost, turn->entry_count);
    for (size_t e = 0; e < turn->entry_count; e++)
        entries[e] = (TurnCost){.repeat = 1,
                                .first_path = turn->entries[e].first,
                                .path_count = turn->entries[e].count,
                                .continues = e > 0,
                                .local = turn->count == 0};
    TurnCost *last = &entries[turn->entry_count - 1];
    size_t all = turn->count + turn->local_count;
    for (size_t i = 0; i < all; i++)
        deriver->combined[turn->transfers[i]->to] = 0;
    for (size_t i = 0; i < all; i++) {
        const ScheduledTransfer *transfer = turn->transfers[i];
        int64_t combined = deriver->combined[transfer->to] += turn->combines[i];
        last->combined = combined > last->combined ? combined : last->combined;
        int64_t message = i < turn->count ? message_blocks(turn, i) : 0;
        entries[0].message = message > entries[0].message ? message : entries[0].message;
    }
    return entries;
}

static void visit_turn(const Deriver *deriver, const Round *round, const Turn *turn,
                       const TurnCost *entries)
{
    CostedTurn whole = {.turn = deriver->turns_so_far - 1,
                        .number = deriver->turns_visited,
                        .entries = entries,
                        .entry_count = turn->entry_count,
                        .paths = turn->entry_paths};
    for (size_t i = 0; i < turn->count; i++) {
        whole.hops = turn->hops[i] > whole.hops ? turn->hops[i] : whole.hops;
        if (turn->load_blocks[i] > whole.load_blocks)
            whole.load_blocks = turn->load_blocks[i];
        if (turn->load_messages[i] > whole.load_messages)
            whole.load_messages = turn->load_messages[i];
    }
    for (size_t i = 0; i < turn->count + turn->local_count; i++) {
        CostedTransfer costed = {.turn = &whole,
                                 .transfer = turn->transfers[i],
                                 .size = turn->sizes[i],
                                 .combined = turn->combines[i]};
        if (i < turn->count) {
            costed.hops = turn->hops[i];
            costed.load_blocks = turn->load_blocks[i];
            costed.load_messages = turn->load_messages[i];
            costed.paths = turn->paths + turn->ways[i].first;
            costed.path_count = turn->ways[i].count;
        }
        deriver->visitor->transfer(deriver->visitor->context, &costed, round);
    }
}

/* The ways of a message, kept once where the message before it had the same. */
static size_t keep_ways(Deriver *deriver, const PathCost *paths, size_t count)
{
    PathArray *kept = &deriver->paths;
    if (kept->count >= count &&
        memcmp(kept->items + kept->count - count, paths, count * sizeof *paths) == 0)
        return kept->count - count;
    for (size_t i = 0; i < count; i++)
        *ARRAY_PUSH(deriver->arena, kept) = paths[i];
    return kept->count - count;
}

static void note_blocks(Deriver *deriver, const Round *round, const ScheduledTransfer *transfer,
                        const Combines *combines)
{
    Timeline *timeline = deriver->timeline;
    for (size_t b = 0; b < transfer->block_count; b++) {
        size_t place = transfer->first_block + b;
        *ARRAY_PUSH(deriver->arena, &timeline->sources) = (int32_t)round->blocks[place];
        *ARRAY_PUSH(deriver->arena, &timeline->blocks) = combines->marks[place];
    }
}

static bool note_messages(Deriver *deriver, const Round *round, const Turn *turn,
                          const Combines *combines, bool ends_round)
{
    size_t all = turn->count + turn->local_count;
    Timeline *timeline = deriver->timeline;
    if (timeline->messages.count + all > MOST_TIMED_MESSAGES) {
        diag_limit(deriver->diag, NOWHERE,
                   "this schedule has more than %d messages, too many to follow one by one, as "
                   "asynchronous and overlapped costs need",
                   MOST_TIMED_MESSAGES);
        return false;
    }
    for (size_t i = 0; i < all; i++) {
        const ScheduledTransfer *transfer = turn->transfers[i];
        Ways ways = i < turn->count ? turn->ways[i] : (Ways){0, 0};
        TimedMessage message = {.from = (int32_t)transfer->from,
                                .to = (int32_t)transfer->to,
                                .path_count = (uint32_t)ways.count,
                                .combined = turn->combines[i],
                                .first_block = timeline->blocks.count};
        if (ways.count)
            message.first_path = keep_ways(deriver, turn->paths + ways.first, ways.count);
        if (combines->marks) {
            message.block_count = (uint32_t)transfer->block_count;
            note_blocks(deriver, round, transfer, combines);
        }
        *ARRAY_PUSH(deriver->arena, &timeline->messages) = message;
    }
    *ARRAY_PUSH(deriver->arena, &timeline->turns) =
        (TimedTurn){timeline->messages.count, ends_round};
    return true;
}

/* The slowest ways of the turn, recalled where messages by themselves are of no interest. */
static bool route_turn(Deriver *deriver, Arena *arena, Turn *turn)
{
    bool may_recall = !deriver->tariff.each && !deriver->tariff.network->topology->direct;
    if (may_recall && memo_recall(deriver->memo, turn))
        return true;
    if (!turn_route(&deriver->tariff, arena, turn, deriver->diag))
        return false;
    if (may_recall)
        memo_keep(deriver->memo, turn);
    return true;
}

static bool cost_turn(Deriver *deriver, Arena *arena, const Round *round, Turn *turn)
{
    bool is_turn = turn->count > 0;
    if (is_turn && !route_turn(deriver, arena, turn))
        return false;
    if (!is_turn)
        turn->entries = ARENA_NEW(arena, Ways), turn->entry_count = 1;
    deriver->turns_so_far += is_turn;
    TurnCost *entries = list_entries(deriver, arena, turn);
    if (deriver->visitor)
        visit_turn(deriver, round, turn, entries);
    if (deriver->timeline && is_turn)
        append_entry(deriver, (TurnCost){.message = entries[0].message}, NULL, true);
    bool is_free = !is_turn && entries[0].combined == 0;
    for (size_t e = 0; e < turn->entry_count && !deriver->timeline && !is_free; e++)
        append_entry(deriver, entries[e], turn->entry_paths + entries[e].first_path,
                     turn->entry_count == 1 || e > 0);
    deriver->turns_visited++;
    return true;
}

static int64_t free_turn(Port *port, int32_t round, int64_t ports)
{
    if (port->round != round)
        *port = (Port){round, 0, 0};
    return port->used < ports ? port->turn : port->turn + 1;
}

static void use_port(Port *port, int64_t turn)
{
    port->used = port->turn == turn ? port->used + 1 : 1;
    port->turn = (int32_t)turn;
}

/* In written order, each transfer takes the first turn in which both its ends have a free port, but
   none before that of an earlier transfer of either end. Local work needs no port and belongs to
   the first turn. Returns the number of turns. */
static int64_t assign_turns(Deriver *deriver, const Round *round, int64_t *turns)
{
    const Tariff *tariff = &deriver->tariff;
    int64_t count = 0, out = deriver->instance->ports, in = out;
    int32_t stamp = (int32_t)(round->number + 1);
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        turns[t] = 0;
        count = count ? count : 1;
        if (transfer_is_local(transfer))
            continue;
        Port *sender = &deriver->senders[transfer->from];
        Port *receiver = &deriver->receivers[transfer->to];
        if (!deriver->same_ports) {
            out = rules_send_ports(tariff->rules, tariff->network, transfer->from);
            in = rules_receive_ports(tariff->rules, tariff->network, transfer->to);
        }
        int64_t a = free_turn(sender, stamp, out), b = free_turn(receiver, stamp, in);
        turns[t] = a > b ? a : b;
        use_port(sender, turns[t]);
        use_port(receiver, turns[t]);
        count = turns[t] + 1 > count ? turns[t] + 1 : count;
    }
    return count;
}

/* Blocks of a transfer that arrive where such a block is: they are combined, others just land. */
static void mark_combined(const Deriver *deriver, const Round *round,
                          const ScheduledTransfer *transfer, int32_t *marks)
{
    for (size_t b = 0; b < transfer->block_count; b++) {
        int64_t block = round_landing(round, transfer->first_block + b);
        bool combines = verb_info[transfer->verb].combines &&
                        holdings_has(&deriver->holdings, transfer->to, block);
        marks[transfer->first_block + b] = (int32_t)(combines ? ~block : block);
    }
}

static int32_t *make_marks(const Deriver *deriver, Arena *arena, const Round *round)
{
    size_t count = 0;
    if (!deriver->timeline || !deriver->timeline->overlaps)
        return NULL;
    for (size_t t = 0; t < round->count; t++) {
        size_t end = round->transfers[t].first_block + round->transfers[t].block_count;
        count = end > count ? end : count;
    }
    return ARENA_ROOM(arena, int32_t, count);
}

static bool has_empty_messages(const Deriver *deriver)
{
    return deriver->instance->algorithm->collective->is_empty;
}

static Combines count_combines(Deriver *deriver, Arena *arena, const Round *round)
{
    Combines combines = {ARENA_ROOM(arena, int64_t, round->count),
                         make_marks(deriver, arena, round)};
    bool is_free =
        deriver->tariff.rules->combining == COMBINING_NONE || has_empty_messages(deriver);
    if (deriver->has_holdings)
        holdings_depart(&deriver->holdings, round);
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        if (combines.marks)
            mark_combined(deriver, round, transfer, combines.marks);
        int64_t had = deriver->has_holdings ? holdings_arrive(&deriver->holdings, round, transfer)
                                            : products_size(&deriver->products, round, transfer);
        combines.counts[t] = verb_info[transfer->verb].combines && !is_free ? had : 0;
    }
    return combines;
}

/* Appends the messages, or the local work, of one turn. */
static void list_turn(Deriver *deriver, const Round *round, const int64_t *turns, int64_t number,
                      const int64_t *combines, bool local, Turn *turn)
{
    size_t *count = local ? &turn->local_count : &turn->count;
    for (size_t t = 0; t < round->count; t++) {
        size_t place = turn->count + turn->local_count;
        if (turns[t] != number || transfer_is_local(&round->transfers[t]) != local)
            continue;
        turn->transfers[place] = &round->transfers[t];
        turn->sizes[place] = products_size(&deriver->products, round, &round->transfers[t]);
        turn->combines[place] = combines[t];
        deriver->combined_by_all += combines[t];
        deriver->moved += local ? 0 : turn->sizes[place];
        ++*count;
    }
}

/* Behind the messages. */
static void visit_products(Deriver *deriver, const Round *round)
{
    for (size_t i = 0; i < round->product_count; i++) {
        const ScheduledProduct *product = &round->products[i];
        if (deriver->has_holdings)
            holdings_put(&deriver->holdings, product->rank, product->blocks[ARRAY_RESULT]);
        if (deriver->visitor && deriver->visitor->product) {
            CostedProduct costed = {deriver->turns_so_far - 1, i == 0, product,
                                    extents_work(&deriver->products.extents, product),
                                    deriver->products.busiest};
            deriver->visitor->product(deriver->visitor->context, &costed);
        }
    }
}

static bool derive_round(void *context, const Round *round, Arena *arena)
{
    Deriver *deriver = context;
    if (!products_count(&deriver->products, round, deriver->diag))
        return false;
    deriver->transfers += (int64_t)round->count;
    int64_t *turns = ARENA_ROOM(arena, int64_t, round->count);
    int64_t turn_count = assign_turns(deriver, round, turns);
    Combines combines = count_combines(deriver, arena, round);
    Turn turn = {.transfers = ARENA_ROOM(arena, const ScheduledTransfer *, round->count),
                 .sizes = ARENA_ROOM(arena, int64_t, round->count),
                 .combines = ARENA_ROOM(arena, int64_t, round->count),
                 .is_empty = has_empty_messages(deriver)};
    for (int64_t number = 0; number < turn_count; number++) {
        turn.count = turn.local_count = 0;
        list_turn(deriver, round, turns, number, combines.counts, false, &turn);
        list_turn(deriver, round, turns, number, combines.counts, true, &turn);
        if (!cost_turn(deriver, arena, round, &turn) ||
            (deriver->timeline &&
             !note_messages(deriver, round, &turn, &combines, number == turn_count - 1)))
            return false;
    }
    visit_products(deriver, round);
    return true;
}

/* In a problem, sizes count elements, and m is the size of one. */
static bool start_products(Deriver *deriver, const BlockSpace *space)
{
    if (space->problem && deriver->tariff.rules->asynchronous) {
        diag_error(deriver->diag, NOWHERE,
                   "the cost of a problem is derived round by round: not asynchronous, and "
                   "without overlap");
        return false;
    }
    return products_start(deriver->arena, deriver->instance, space, &deriver->products,
                          deriver->diag);
}

static bool start_holdings(Deriver *deriver, int64_t chunks)
{
    Contract contract;
    Arena *scratch = arena_create();
    const Instance *instance = deriver->instance;
    BlockSpace space;
    bool good = schedule_blocks(instance, &space, deriver->diag) &&
                start_products(deriver, &space) &&
                schedule_contract(instance, scratch, &contract, deriver->diag);
    deriver->has_holdings = good && holdings_create(deriver->arena, &contract, &space, chunks,
                                                    deriver->products.elements, &deriver->holdings);
    arena_destroy(scratch);
    return good;
}

static bool start_timeline(Deriver *deriver)
{
    const Rules *rules = deriver->tariff.rules;
    int64_t p = deriver->instance->p, blocks = deriver->holdings.block_count;
    if (!rules->asynchronous)
        return true;
    deriver->timeline = ARENA_NEW(deriver->arena, Timeline);
    deriver->timeline->overlaps = rules->combining == COMBINING_OVERLAP;
    deriver->timeline->p = p;
    if (!deriver->timeline->overlaps)
        return true;
    if (!deriver->has_holdings || blocks > MOST_TIMED_BLOCKS / p) {
        diag_limit(deriver->diag, NOWHERE,
                   "overlapped combining follows every block at every rank, and %lld ranks have "
                   "more than %d",
                   (long long)p, MOST_TIMED_BLOCKS);
        return false;
    }
    deriver->timeline->block_count = blocks;
    return true;
}

static bool has_own_prices(const Tariff *tariff)
{
    bool any = false;
    for (size_t i = 0; i < tariff->network->class_count; i++)
        for (int x = 0; x < PARAMETER_COUNT; x++)
            any |= tariff->prices[i].own[x];
    return any;
}

static int64_t sum_peaks(const Deriver *deriver)
{
    int64_t total = deriver->has_holdings ? 0 : -1;
    for (int64_t r = 0; deriver->has_holdings && r < deriver->instance->p; r++)
        total += deriver->holdings.peaks[r];
    return total;
}

static int64_t find_peak(const Deriver *deriver)
{
    int64_t peak = deriver->has_holdings ? 0 : -1;
    for (int64_t r = 0; deriver->has_holdings && r < deriver->instance->p; r++)
        if (deriver->holdings.peaks[r] > peak)
            peak = deriver->holdings.peaks[r];
    return peak;
}

static bool run_deriver(Deriver *deriver, Profile *profile)
{
    size_t p = (size_t)deriver->instance->p;
    deriver->senders = ARENA_ARRAY(deriver->arena, Port, p);
    deriver->receivers = ARENA_ARRAY(deriver->arena, Port, p);
    deriver->combined = ARENA_ARRAY(deriver->arena, int64_t, p);
    const Rules *rules = deriver->tariff.rules;
    deriver->same_ports = !rules->all_ports && (rules->fixed_ports || rules->level_count == 0);
    deriver->tariff.each = deriver->visitor || rules->asynchronous;
    deriver->tariff.one_port = deriver->same_ports && deriver->instance->ports == 1;
    if (!schedule_chunks(deriver->instance, &profile->chunks, deriver->diag) ||
        !start_holdings(deriver, profile->chunks) || !start_timeline(deriver) ||
        !schedule_expand(deriver->instance, derive_round, deriver, deriver->diag))
        return false;
    profile->turns = deriver->turns.items;
    profile->turn_count = deriver->turns.count;
    profile->paths = deriver->paths.items;
    profile->path_count = deriver->paths.count;
    profile->startups = deriver->turns_so_far;
    profile->transfers = deriver->transfers;
    profile->work = deriver->products.work;
    profile->moved = deriver->moved;
    profile->combined = deriver->combined_by_all;
    profile->peak_total = sum_peaks(deriver);
    profile->peak_blocks = find_peak(deriver);
    profile->has_own_prices = has_own_prices(&deriver->tariff);
    profile->ceil_chunks = rules->ceil_chunks;
    profile->timeline = deriver->timeline;
    return true;
}

static bool derive(Arena *arena, TurnMemo *memo, const Instance *instance, const Network *network,
                   const Rules *rules, const TraceVisitor *visitor, Profile *profile, Diag *diag)
{
    *profile = (Profile){0};
    if (instance->p > network_largest) {
        diag_limit(diag, NOWHERE, "%lld ranks are too many to derive a cost from the schedule",
                   (long long)instance->p);
        return false;
    }
    Deriver deriver = {
        .arena = arena,
        .instance = instance,
        .tariff = {rules, network, rules_prices(arena, rules, network), false, false},
        .memo = memo,
        .diag = diag,
        .visitor = visitor};
    return run_deriver(&deriver, profile);
}

bool profile_trace(Arena *arena, const Instance *instance, const Network *network,
                   const Rules *rules, const TraceVisitor *visitor, Profile *profile, Diag *diag)
{
    return derive(arena, memo_create(arena), instance, network, rules, visitor, profile, diag);
}

bool profile_derive(Arena *arena, const Instance *instance, const Network *network,
                    const Rules *rules, Profile *profile, Diag *diag)
{
    return profile_trace(arena, instance, network, rules, NULL, profile, diag);
}

bool profile_derive_with(Arena *arena, TurnMemo *memo, const Instance *instance,
                         const Network *network, const Rules *rules, Profile *profile, Diag *diag)
{
    return derive(arena, memo, instance, network, rules, NULL, profile, diag);
}

CostParts turn_total(const CostedTurn *turn, const double *parameters, double block)
{
    CostParts total = {0};
    for (size_t e = 0; e < turn->entry_count; e++)
        total = cost_sum(total, turn_cost(&turn->entries[e], turn->paths, parameters, block));
    return total;
}
