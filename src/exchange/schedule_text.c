#include "exchange/schedule_text.h"

#include "cost/derive.h"
#include "sched/ownership.h"

typedef struct {
    Arena *arena;
    double block;
    Ownership ownership;
    size_t seen;   /* transfers of the round at hand */
    int64_t round; /* its number */
    ListedMessages *messages;
} Listing;

static void list_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    Listing *listing = context;
    const ScheduledTransfer *transfer = costed->transfer;
    const int64_t *blocks = round->blocks + transfer->first_block;
    bool *combines = ARENA_ARRAY(listing->arena, bool, transfer->block_count);
    if (listing->seen == 0)
        ownership_depart(&listing->ownership, round);
    for (size_t i = 0; i < transfer->block_count; i++)
        combines[i] = verb_info[transfer->verb].combines &&
                      ownership_has(&listing->ownership, transfer->to,
                                    round_destination(round, transfer->first_block + i));
    ownership_arrive(&listing->ownership, round, transfer);
    ListedMessage *message = ARRAY_PUSH(listing->arena, listing->messages);
    *message = (ListedMessage){
        .round = listing->round,
        .port_step = costed->step->number,
        .from = transfer->from,
        .to = transfer->to,
        .verb = transfer->verb,
        .blocks = ARENA_COPY(listing->arena, int64_t, blocks, transfer->block_count),
        .combines = combines,
        .block_count = transfer->block_count,
        .bytes = (double)costed->size * listing->block,
        .combined_bytes = (double)costed->combined * listing->block,
    };
    message->destination = message->blocks;
    if (round->destination)
        message->destination =
            ARENA_COPY(listing->arena, int64_t, round->destination + transfer->first_block,
                       transfer->block_count);
    if (++listing->seen == round->count) {
        listing->seen = 0;
        listing->round++;
    }
}

bool schedule_list(Arena *arena, const Instance *instance, const Network *network,
                   const Rules *rules, double size, ListedSchedule *schedule, Diag *diag)
{
    Profile profile = {.ceil_chunks = rules->ceil_chunks,
                       .unit = instance->sizes.elements ? instance->sizes.unit : 0};
    Listing listing = {.arena = arena, .messages = &schedule->messages};
    const TraceVisitor visitor = {.transfer = list_transfer, .context = &listing};
    Contract *contract = ARENA_NEW(arena, Contract);
    schedule->contract = contract;
    schedule->collective = instance->algorithm->collective->head.name;
    schedule->network = network;
    schedule->ports = instance->ports;
    schedule->overlaps = rules->combining == COMBINING_OVERLAP;
    if (!schedule_blocks(instance, &schedule->space, diag) ||
        !schedule_chunks(instance, &profile.chunks, diag) ||
        !schedule_contract(instance, instance->p, arena, contract, diag))
        return false;
    if (!ownership_create(arena, contract, &schedule->space, profile.chunks, NULL, NULL,
                          &listing.ownership))
        return diag_limit(diag, NOWHERE, "%lld blocks at %lld ranks are too many to be followed",
                          (long long)schedule->space.count, (long long)instance->p);
    schedule->chunks = profile.chunks;
    const Cutting *cutting = algorithm_cutting(instance->algorithm);
    schedule->is_uneven = cutting && cutting->size.program;
    listing.block = profile_block(&profile, size);
    return profile_trace(arena, instance, network, rules, &visitor, &profile, diag);
}
