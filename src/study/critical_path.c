#include "study/explain_rounds.h"

/* All messages of a schedule, in the order of its timeline. */
ARRAY_TYPE(MessageArray, collcost_message);

typedef struct {
    Arena *arena;
    MessageArray messages;
} Listing;

static void list_message(void *context, const CostedTransfer *costed, const Round *round)
{
    Listing *listing = context;
    (void)round;
    *ARRAY_PUSH(listing->arena, &listing->messages) =
        (collcost_message){.round = costed->step->step + 1,
                           .from = costed->transfer->from,
                           .to = costed->transfer->to,
                           .bytes = (double)costed->size};
}

/* By the numbers of the whole network. */
static collcost_message fill(const Network *all, const collcost_message *listed, double block,
                             const MessageSpan *span, const MessageWait *wait)
{
    const double lost = span->end - span->start - wait->alone;
    return (collcost_message){.round = listed->round,
                              .from = network_rank(all, listed->from),
                              .to = network_rank(all, listed->to),
                              .bytes = listed->bytes * block,
                              .start_s = span->start,
                              .end_s = span->end,
                              .contention_s = lost > 1e-12 * span->end ? lost : 0,
                              .waits_at = wait->cause < 0 ? -1 : network_rank(all, wait->rank)};
}

bool critical_path_find(Arena *arena, const Instance *instance, const Network *network,
                        const Rules *rules, double bytes, CriticalPath *path, Diag *diag)
{
    const Network *all = network_of_all(network);
    Listing listing = {.arena = arena_scratch(arena)};
    const TraceVisitor visitor = {.transfer = list_message, .context = &listing};
    Profile profile;
    *path = (CriticalPath){0};
    bool good = profile_trace(listing.arena, instance, network, rules, &visitor, &profile, diag);
    const size_t most = good ? profile.timeline->messages.count : 0;
    MessageSpan *spans = ARENA_ARRAY(listing.arena, MessageSpan, most);
    MessageWait *waits = ARENA_ARRAY(listing.arena, MessageWait, most);
    const double block = good ? profile_block(&profile, bytes) : 0;
    if (good)
        profile_spans(&profile, rules->parameters, block, spans, waits);
    for (size_t i = 0; i < most; i++)
        path->count += waits[i].critical;
    collcost_message *messages = ARENA_ARRAY(arena, collcost_message, path->count);
    path->messages = messages;
    for (size_t i = 0; i < most; i++) /* a message comes behind the one that it waits for */
        if (waits[i].critical)
            *messages++ = fill(all, &listing.messages.items[i], block, &spans[i], &waits[i]);
    arena_destroy(listing.arena);
    return good;
}
