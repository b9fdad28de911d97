#include "cost/derive.h"

#include "sched/holdings.h"

#include <stdlib.h>
#include <string.h>

ARRAY_TYPE(TurnArray, TurnCost);
ARRAY_TYPE(PathArray, PathCost);

/* How far a rank's ports are used in the round: `used` of them in turn `turn`. */
typedef struct {
    int64_t round, turn, used;
} Port;

typedef struct {
    Arena *arena;
    const Instance *instance;
    const Network *network;
    TurnArray turns;
    PathArray paths;
    Port *senders, *receivers;
    int64_t *combined; /* of each rank in the turn at hand */
    bool has_holdings;
    Holdings holdings;
    int64_t turns_so_far; /* the one at hand included, repeats counted */
    TransferVisitor visit;
    void *context;
    Diag *diag;
} Deriver;

/* The transfers of one turn, and where messages spend their time. */
typedef struct {
    size_t count;       /* messages, which come first */
    size_t local_count; /* transfers of ranks to themselves behind them */
    const ScheduledTransfer **transfers;
    int64_t *combines; /* blocks that each transfer makes its receiver combine */
    int64_t *hops, *load_blocks, *load_messages; /* of each transfer */
} Turn;

/* Link loads of one turn: an open hash table of directed links. */
typedef struct {
    int64_t key; /* from * p + to + 1; 0: free */
    int64_t blocks, messages;
} LinkLoad;

static LinkLoad *find_link(LinkLoad *table, size_t mask, int64_t key)
{
    size_t at = ((uint64_t)key * 0x9E3779B97F4A7C15u >> 20) & mask;
    while (table[at].key && table[at].key != key)
        at = (at + 1) & mask;
    table[at].key = key;
    return &table[at];
}

static void load_links(Deriver *deriver, Arena *arena, const Routes *routes, Turn *turn)
{
    size_t size = 16;
    while (size < routes->link_count * 2)
        size *= 2;
    LinkLoad *table = ARENA_ARRAY(arena, LinkLoad, size);
    int64_t p = deriver->network->p;
    for (size_t i = 0; i < routes->link_count; i++) {
        LinkLoad *link = find_link(table, size - 1, routes->from[i] * p + routes->to[i] + 1);
        link->blocks += (int64_t)turn->transfers[routes->message[i]]->block_count;
        link->messages++;
    }
    for (size_t i = 0; i < routes->link_count; i++) {
        const LinkLoad *link = find_link(table, size - 1, routes->from[i] * p + routes->to[i] + 1);
        int64_t message = routes->message[i];
        if (link->blocks > turn->load_blocks[message])
            turn->load_blocks[message] = link->blocks;
        if (link->messages > turn->load_messages[message])
            turn->load_messages[message] = link->messages;
    }
}

/* With one port, and a link for every pair, no two messages of a turn meet. */
static void load_own_links(Turn *turn)
{
    for (size_t i = 0; i < turn->count; i++) {
        turn->hops[i] = 1;
        turn->load_blocks[i] = (int64_t)turn->transfers[i]->block_count;
        turn->load_messages[i] = 1;
    }
}

static bool route_turn(Deriver *deriver, Arena *arena, Turn *turn)
{
    turn->hops = ARENA_ROOM(arena, int64_t, turn->count);
    turn->load_blocks = ARENA_ARRAY(arena, int64_t, turn->count);
    turn->load_messages = ARENA_ARRAY(arena, int64_t, turn->count);
    if (deriver->network->topology->direct && deriver->instance->ports == 1) {
        load_own_links(turn);
        return true;
    }
    int64_t *from = ARENA_ROOM(arena, int64_t, turn->count);
    int64_t *to = ARENA_ROOM(arena, int64_t, turn->count);
    for (size_t i = 0; i < turn->count; i++) {
        from[i] = turn->transfers[i]->from;
        to[i] = turn->transfers[i]->to;
    }
    Routes routes;
    if (!network_route(deriver->network, arena, turn->count, from, to, &routes, deriver->diag))
        return false;
    turn->hops = routes.hops;
    load_links(deriver, arena, &routes, turn);
    return true;
}

static int compare_paths(const void *a, const void *b)
{
    const PathCost *left = a, *right = b;
    if (left->hops != right->hops)
        return left->hops > right->hops ? -1 : 1;
    return (left->load < right->load) - (left->load > right->load);
}

/* Keeps the messages that no other exceeds in both hops and load. */
static size_t keep_slowest(PathCost *paths, size_t count)
{
    size_t kept = 0;
    qsort(paths, count, sizeof *paths, compare_paths);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || paths[i].load > paths[kept - 1].load)
            paths[kept++] = paths[i];
    return kept;
}

static PathCost *list_slowest(Arena *arena, const Turn *turn, size_t *count)
{
    PathCost *paths = ARENA_ROOM(arena, PathCost, turn->count);
    size_t listed = 0;
    for (size_t i = 0; i < turn->count; i++) {
        PathCost path = {turn->hops[i], turn->load_blocks[i]};
        bool beaten =
            listed && paths[listed - 1].hops >= path.hops && paths[listed - 1].load >= path.load;
        if (!beaten)
            paths[listed++] = path;
    }
    *count = listed > 1 ? keep_slowest(paths, listed) : listed;
    return paths;
}

static void append_turn(Deriver *deriver, TurnCost cost, const PathCost *paths)
{
    if (deriver->turns.count) {
        TurnCost *last = &deriver->turns.items[deriver->turns.count - 1];
        if (last->path_count == cost.path_count && last->combined == cost.combined &&
            last->message == cost.message &&
            memcmp(deriver->paths.items + last->first_path, paths,
                   cost.path_count * sizeof *paths) == 0) {
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

static bool cost_turn(Deriver *deriver, Arena *arena, const Round *round, Turn *turn)
{
    if (!route_turn(deriver, arena, turn))
        return false;
    TurnCost cost = {0};
    PathCost *paths = list_slowest(arena, turn, &cost.path_count);
    size_t all = turn->count + turn->local_count;
    deriver->turns_so_far += turn->count > 0;
    for (size_t i = 0; i < all; i++)
        deriver->combined[turn->transfers[i]->to] = 0;
    for (size_t i = 0; i < all; i++) {
        const ScheduledTransfer *transfer = turn->transfers[i];
        int64_t combined = deriver->combined[transfer->to] += turn->combines[i];
        cost.combined = combined > cost.combined ? combined : cost.combined;
        bool is_message = i < turn->count;
        if (is_message && (int64_t)transfer->block_count > cost.message)
            cost.message = (int64_t)transfer->block_count;
        CostedTransfer costed = {.turn = deriver->turns_so_far - 1,
                                 .transfer = transfer,
                                 .hops = is_message ? turn->hops[i] : 0,
                                 .load_blocks = is_message ? turn->load_blocks[i] : 0,
                                 .load_messages = is_message ? turn->load_messages[i] : 0,
                                 .combined = turn->combines[i]};
        if (deriver->visit)
            deriver->visit(deriver->context, &costed, round);
    }
    if (cost.path_count || cost.combined)
        append_turn(deriver, cost, paths);
    return true;
}

static int64_t free_turn(Port *port, int64_t round, int64_t ports)
{
    if (port->round != round)
        *port = (Port){round, 0, 0};
    return port->used < ports ? port->turn : port->turn + 1;
}

static void use_port(Port *port, int64_t turn)
{
    port->used = port->turn == turn ? port->used + 1 : 1;
    port->turn = turn;
}

/* In written order, each transfer takes the first turn in which both its ends have a free port, but
   none before that of an earlier transfer of either end. Local work needs no port and belongs to
   the first turn. Returns the number of turns. */
static int64_t assign_turns(Deriver *deriver, const Round *round, int64_t *turns)
{
    int64_t count = 0, stamp = round->number + 1, ports = deriver->instance->ports;
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        turns[t] = 0;
        count = count ? count : 1;
        if (transfer_is_local(transfer))
            continue;
        Port *sender = &deriver->senders[transfer->from];
        Port *receiver = &deriver->receivers[transfer->to];
        int64_t a = free_turn(sender, stamp, ports), b = free_turn(receiver, stamp, ports);
        turns[t] = a > b ? a : b;
        use_port(sender, turns[t]);
        use_port(receiver, turns[t]);
        count = turns[t] + 1 > count ? turns[t] + 1 : count;
    }
    return count;
}

/* Blocks that the receiver has already are combined; others just land. */
static int64_t *count_combines(Deriver *deriver, Arena *arena, const Round *round)
{
    int64_t *combines = ARENA_ROOM(arena, int64_t, round->count);
    if (deriver->has_holdings)
        holdings_depart(&deriver->holdings, round);
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        int64_t had = deriver->has_holdings ? holdings_arrive(&deriver->holdings, round, transfer)
                                            : (int64_t)transfer->block_count;
        combines[t] = verb_info[transfer->verb].combines ? had : 0;
    }
    return combines;
}

/* Appends the messages, or the local work, of one turn. */
static void list_turn(const Round *round, const int64_t *turns, int64_t number,
                      const int64_t *combines, bool local, Turn *turn)
{
    size_t *count = local ? &turn->local_count : &turn->count;
    for (size_t t = 0; t < round->count; t++) {
        size_t place = turn->count + turn->local_count;
        if (turns[t] != number || transfer_is_local(&round->transfers[t]) != local)
            continue;
        turn->transfers[place] = &round->transfers[t];
        turn->combines[place] = combines[t];
        ++*count;
    }
}

static bool derive_round(void *context, const Round *round, Arena *arena)
{
    Deriver *deriver = context;
    int64_t *turns = ARENA_ROOM(arena, int64_t, round->count);
    int64_t turn_count = assign_turns(deriver, round, turns);
    int64_t *combines = count_combines(deriver, arena, round);
    Turn turn = {.transfers = ARENA_ROOM(arena, const ScheduledTransfer *, round->count),
                 .combines = ARENA_ROOM(arena, int64_t, round->count)};
    for (int64_t number = 0; number < turn_count; number++) {
        turn.count = turn.local_count = 0;
        list_turn(round, turns, number, combines, false, &turn);
        list_turn(round, turns, number, combines, true, &turn);
        if (!cost_turn(deriver, arena, round, &turn))
            return false;
    }
    return true;
}

static bool start_holdings(Deriver *deriver, int64_t chunks)
{
    Contract contract;
    BlockSpace space;
    const Instance *instance = deriver->instance;
    if (!schedule_blocks(instance, &space, deriver->diag) ||
        !contract_create(deriver->arena, instance->algorithm->collective, instance->p,
                         instance->root, &contract, deriver->diag))
        return false;
    deriver->has_holdings =
        holdings_create(deriver->arena, &contract, &space, chunks, &deriver->holdings);
    return true;
}

static int64_t find_peak(const Deriver *deriver)
{
    int64_t peak = deriver->has_holdings ? 0 : -1;
    for (int64_t r = 0; deriver->has_holdings && r < deriver->instance->p; r++)
        if (deriver->holdings.peaks[r] > peak)
            peak = deriver->holdings.peaks[r];
    return peak;
}

bool profile_trace(Arena *arena, const Instance *instance, const Network *network,
                   TransferVisitor visit, void *context, Profile *profile, Diag *diag)
{
    size_t p = (size_t)instance->p;
    *profile = (Profile){0};
    if (instance->p > network_largest) {
        diag_error(diag, NOWHERE, "%lld ranks are too many to derive a cost from the schedule",
                   (long long)instance->p);
        return false;
    }
    Deriver deriver = {.arena = arena,
                       .instance = instance,
                       .network = network,
                       .diag = diag,
                       .visit = visit,
                       .context = context};
    deriver.senders = ARENA_ARRAY(arena, Port, p);
    deriver.receivers = ARENA_ARRAY(arena, Port, p);
    deriver.combined = ARENA_ARRAY(arena, int64_t, p);
    if (!schedule_chunks(instance, &profile->chunks, diag) ||
        !start_holdings(&deriver, profile->chunks) ||
        !schedule_expand(instance, derive_round, &deriver, diag))
        return false;
    profile->turns = deriver.turns.items;
    profile->turn_count = deriver.turns.count;
    profile->paths = deriver.paths.items;
    profile->startups = deriver.turns_so_far;
    profile->peak_blocks = find_peak(&deriver);
    return true;
}

bool profile_derive(Arena *arena, const Instance *instance, const Network *network,
                    Profile *profile, Diag *diag)
{
    return profile_trace(arena, instance, network, NULL, NULL, profile, diag);
}

Profile profile_copy(Arena *arena, const Profile *profile)
{
    Profile copy = *profile;
    size_t paths = 0;
    for (size_t t = 0; t < profile->turn_count; t++)
        paths += profile->turns[t].path_count;
    copy.turns = ARENA_COPY(arena, TurnCost, profile->turns, profile->turn_count);
    copy.paths = ARENA_COPY(arena, PathCost, profile->paths, paths);
    return copy;
}

double cost_total(CostParts parts)
{
    return parts.startup + parts.hop + parts.transfer + parts.compute;
}

CostParts profile_cost(const Profile *profile, const double *parameters, double bytes)
{
    CostParts parts = {0};
    double block = bytes / (double)profile->chunks;
    for (size_t t = 0; t < profile->turn_count; t++) {
        const TurnCost *turn = &profile->turns[t];
        double repeat = (double)turn->repeat, hop = 0, transfer = 0;
        for (size_t i = 0; i < turn->path_count; i++) {
            const PathCost *path = &profile->paths[turn->first_path + i];
            double path_hop = (double)path->hops * parameters[PARAMETER_TH];
            double path_transfer = (double)path->load * block * parameters[PARAMETER_TW];
            if (i == 0 || path_hop + path_transfer > hop + transfer)
                hop = path_hop, transfer = path_transfer;
        }
        parts.startup += turn->path_count ? repeat * parameters[PARAMETER_TS] : 0;
        parts.hop += repeat * hop;
        parts.transfer += repeat * transfer;
        parts.compute += repeat * (double)turn->combined * block * parameters[PARAMETER_TC];
    }
    return parts;
}

static Exact times(Exact value, int64_t factor)
{
    return exact_multiply(value, exact_from_int(factor));
}

Exact profile_time_exact(const Profile *profile, const ExactParameters *parameters, Exact bytes)
{
    const Exact *values = parameters->parameters;
    Exact block = exact_divide(bytes, exact_from_int(profile->chunks));
    Exact per_block = exact_multiply(block, values[PARAMETER_TW]);
    Exact combine = exact_multiply(block, values[PARAMETER_TC]);
    Exact total = exact_from_int(0);
    for (size_t t = 0; t < profile->turn_count; t++) {
        const TurnCost *turn = &profile->turns[t];
        Exact slowest = exact_from_int(0);
        for (size_t i = 0; i < turn->path_count; i++) {
            const PathCost *path = &profile->paths[turn->first_path + i];
            Exact time =
                exact_add(times(values[PARAMETER_TH], path->hops), times(per_block, path->load));
            if (exact_compare(time, slowest) > 0)
                slowest = time;
        }
        Exact startup = turn->path_count ? values[PARAMETER_TS] : exact_from_int(0);
        Exact round = exact_add(startup, exact_add(slowest, times(combine, turn->combined)));
        total = exact_add(total, times(round, turn->repeat));
    }
    return total;
}

int64_t profile_message(const Profile *profile, int64_t j)
{
    for (size_t t = 0; t < profile->turn_count; t++) {
        int64_t messages = profile->turns[t].path_count ? profile->turns[t].repeat : 0;
        if (j <= messages)
            return profile->turns[t].message;
        j -= messages;
    }
    return 0;
}
