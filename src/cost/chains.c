#include "cost/chains.h"

#include "cost/derive_posting.h"
#include "cost/journey.h"

#include <math.h>
#include <string.h>

/* Of messages: not to be taken for one another. */
typedef enum { COMBINING_CHAIN, PLAIN_CHAIN, CHAIN_KINDS } ChainKind;

struct Chains {
    Arena *arena;
    const LoadContext *context;
    const Rotation *rotation;
    bool are_alike; /* all messages, of one kind */
    size_t ranks, channels, levels;
    int64_t rounds;
    int32_t *counts;  /* by rank, channel, kind and level: messages of the longest chain to there */
    int32_t *sends;   /* by rank, channel, kind and level: messages that were sent */
    int64_t *largest; /* by level: blocks of the largest message, */
    PathCost *latency; /* and what it takes beside its bytes, with the hops of the longest path */
    PlaceTable known;  /* the level of the messages between two ranks */
};

Chains *chains_open(Arena *arena, const LoadContext *context, const Rotation *rotation,
                    bool are_alike)
{
    Chains *chains = ARENA_NEW(arena, Chains);
    *chains =
        (Chains){.arena = arena, .context = context, .rotation = rotation, .are_alike = are_alike};
    chains->ranks = (size_t)(rotation ? rotation->by : context->network->p);
    chains->channels = 1;
    for (size_t c = 0; c < context->network->class_count; c++)
        if (chains->levels <= (size_t)context->link_costs[c].level)
            chains->levels = (size_t)context->link_costs[c].level + 1;
    chains->counts = ARENA_ARRAY(arena, int32_t, chains->ranks * CHAIN_KINDS * chains->levels);
    chains->sends = ARENA_ARRAY(arena, int32_t, chains->ranks * CHAIN_KINDS * chains->levels);
    chains->largest = ARENA_ARRAY(arena, int64_t, chains->levels);
    chains->latency = ARENA_ARRAY(arena, PathCost, chains->levels);
    return chains;
}

static bool is_longer(const Chains *chains, const int32_t *a, const int32_t *b)
{
    for (size_t level = chains->levels; level-- > 0;)
        if (a[level] != b[level])
            return a[level] > b[level];
    return false;
}

/* Where in `counts`, and in `sends`, the levels of a chain are. */
static size_t place_of(const Chains *chains, size_t rank, size_t channel, ChainKind kind)
{
    return ((rank * chains->channels + channel) * CHAIN_KINDS + kind) * chains->levels;
}

static int32_t *counts_of(const Chains *chains, size_t rank, size_t channel, ChainKind kind)
{
    return chains->counts + place_of(chains, rank, channel, kind);
}

/* From now on there are so many channels: each goes on behind all those before. */
static void set_channels(Chains *chains, size_t channels)
{
    const Chains before = *chains;
    const size_t size = chains->levels * sizeof *chains->counts;
    chains->channels = channels;
    const size_t places = chains->ranks * channels * CHAIN_KINDS * chains->levels;
    chains->counts = ARENA_ARRAY(chains->arena, int32_t, places);
    chains->sends = ARENA_ARRAY(chains->arena, int32_t, places);
    for (size_t r = 0; r < chains->ranks; r++)
        for (ChainKind kind = 0; kind < CHAIN_KINDS; kind++) {
            const int32_t *longest = counts_of(&before, r, 0, kind);
            for (size_t c = 1; c < before.channels; c++)
                if (is_longer(chains, counts_of(&before, r, c, kind), longest))
                    longest = counts_of(&before, r, c, kind);
            for (size_t c = 0; c < channels; c++)
                memcpy(counts_of(chains, r, c, kind), longest, size);
        }
}

static ChainKind kind_of(const Chains *chains, const ScheduledTransfer *transfer)
{
    return chains->are_alike || verb_info[transfer->verb].combines ? COMBINING_CHAIN : PLAIN_CHAIN;
}

/* The level of message i. One that is the largest there is routed, and what it takes, or the most
   links that one crosses, are noted. Negative after a report. */
static int find_level(Chains *chains, Arena *scratch, const PortStep *step, size_t i, Diag *diag)
{
    const ScheduledTransfer *transfer = step->transfers[i];
    const int64_t from = transfer->from, to = transfer->to, blocks = message_blocks(step, i);
    int32_t *known = place_table_find(chains->arena, &chains->known, transfer_ends(transfer));
    const LoadContext *context = chains->context;
    const LinkLoad load = {blocks, 1};
    PathList paths = {0};
    Routes routes;
    if (*known >= 0 && blocks <= chains->largest[*known])
        return *known;
    if (!network_route(context->network, scratch, 1, &from, &to, &routes, diag))
        return -1;
    Journey journey = journey_begin(context, scratch, blocks);
    journey.lanes = step->lanes;
    int level = 0;
    for (size_t link = 0; link < routes.link_count; link++) {
        const size_t class = routes.classes ? routes.classes[link] : 0;
        const int own = context->link_costs[class].level;
        PathCost crossing;
        level = own > level ? own : level;
        if (!journey_cross(&journey, class, &load, &crossing))
            return -1;
    }
    journey_end(&journey, scratch, &paths);
    const PathCost found = path_latency(&paths.items[0]), before = chains->latency[level];
    PathCost *latency = &chains->latency[level];
    if (blocks > chains->largest[level] || !chains->largest[level]) {
        *latency = found;
        chains->largest[level] = blocks;
    }
    latency->hops = found.hops > before.hops ? found.hops : before.hops;
    latency->hop = fmax(found.hop, before.hop);
    *known = *known < 0 ? level : *known;
    return level;
}

bool chains_add(Chains *chains, Arena *scratch, const Round *round, const PortStep *step,
                Diag *diag)
{
    const size_t channels = round->channels ? round->channels : 1;
    if (channels != chains->channels)
        set_channels(chains, channels);
    chains->rounds++;
    const size_t size = chains->levels * sizeof *chains->counts;
    int32_t *sent = ARENA_ROOM(scratch, int32_t, step->count * chains->levels);
    size_t *places = ARENA_ROOM(scratch, size_t, step->count), channel = 0;
    for (size_t i = 0; i < step->count; i++) {
        const ScheduledTransfer *transfer = step->transfers[i];
        int32_t *own = sent + i * chains->levels;
        while (round->channels && (size_t)(transfer - round->transfers) >= round->ends[channel])
            channel++;
        places[i] = channel;
        /* A message goes on from others of its kind at its sender, if there are any. */
        const int32_t *before =
            counts_of(chains, (size_t)transfer->from, channel, kind_of(chains, transfer));
        size_t counted = 0;
        while (counted < chains->levels && !before[counted])
            counted++;
        if (counted == chains->levels)
            before = counts_of(chains, (size_t)transfer->from, channel, COMBINING_CHAIN);
        memcpy(own, before, size);
        const int level = find_level(chains, scratch, step, i, diag);
        if (level < 0)
            return false;
        own[level]++;
        chains->sends[place_of(chains, (size_t)transfer->from, channel, kind_of(chains, transfer)) +
                      (size_t)level]++;
    }
    for (size_t i = 0; i < step->count; i++) {
        const size_t to = (size_t)step->transfers[i]->to % chains->ranks;
        int32_t *there = counts_of(chains, to, places[i], kind_of(chains, step->transfers[i]));
        const int32_t *own = sent + i * chains->levels;
        if (is_longer(chains, own, there))
            memcpy(there, own, size);
    }
    return true;
}

/* The most that any level on the chain has. */
static double find_delay(const Chains *chains, const int32_t *longest, DelayKind kind)
{
    const LoadContext *context = chains->context;
    double most = 0;
    for (size_t c = 0; c < context->network->class_count; c++) {
        const LinkCost *link_cost = &context->link_costs[c];
        if (longest[link_cost->level])
            most = fmax(most, link_cost->delays[kind].seconds);
    }
    return most;
}

/* The least that the messages of a chain take beside their bytes. */
static double least_time(const Chains *chains, const int32_t *counts)
{
    const LoadContext *context = chains->context;
    double sum = 0;
    for (size_t level = 0; level < chains->levels; level++)
        for (size_t c = 0; c < context->network->class_count; c++)
            if ((size_t)context->link_costs[c].level == level) {
                sum += counts[level] * context->link_costs[c].values[PARAMETER_TS];
                break;
            }
    return sum;
}

const ChainPart *chains_longest(const Chains *chains, Arena *arena, size_t *count)
{
    ChainPart *parts = ARENA_ARRAY(arena, ChainPart, chains->levels + 1);
    const int32_t *longest = chains->counts;
    int64_t length = 0;
    *count = 0;
    for (size_t i = 1; i < chains->ranks * chains->channels * CHAIN_KINDS; i++)
        if (is_longer(chains, chains->counts + i * chains->levels, longest))
            longest = chains->counts + i * chains->levels;
    size_t highest = chains->levels - 1;
    while (highest > 0 && !longest[highest])
        highest--;
    const double gap = find_delay(chains, longest, DELAY_GAP);
    /* With gaps, one rank may be busy longer with its messages of the highest level than a chain
       takes: so many. 0: it is not. */
    int32_t *one = ARENA_ARRAY(chains->arena, int32_t, chains->levels), most = 0;
    one[highest] = 1;
    for (size_t i = highest; i < chains->ranks * chains->channels * CHAIN_KINDS * chains->levels;
         i += chains->levels)
        most = chains->sends[i] > most ? chains->sends[i] : most;
    const double busy =
        longest[highest] * least_time(chains, one) + (most - longest[highest]) * gap;
    const int64_t busiest = busy > least_time(chains, longest) ? most : 0;
    PathCost further = {.startup = fmax(gap, find_delay(chains, longest, DELAY_OVERHEAD)),
                        .lanes = 1};
    for (size_t level = 0; level < chains->levels && !busiest; level++) {
        length += longest[level];
        if (longest[level])
            parts[(*count)++] = (ChainPart){longest[level], chains->latency[level]};
    }
    if (busiest)
        parts[(*count)++] = (ChainPart){longest[highest], chains->latency[highest]};
    const int64_t more = busiest ? busiest - longest[highest] : chains->rounds - length;
    if (further.startup > 0 && more > 0)
        parts[(*count)++] = (ChainPart){more, further};
    return parts;
}
