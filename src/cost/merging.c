#include "cost/merging.h"

#include "sched/packed.h"

#include <stdlib.h>
#include <string.h>

const Merging *merging_find(Arena *arena, const Rules *rules, const Network *network)
{
    bool any = false;
    if (!rules_merge(rules) || !network->starts)
        return NULL;
    Merging *merging = ARENA_NEW(arena, Merging);
    merging->network = network;
    for (int kind = 0; kind < MERGING_COUNT; kind++) {
        bool *merges = ARENA_ARRAY(arena, bool, (size_t)network->node_count);
        for (int64_t n = network_first_switch(network); n < network->node_count; n++) {
            const Level *level = node_level(rules, network, n);
            any |= merges[n] = level && level->merges[kind];
        }
        merging->merges[kind] = merges;
    }
    return any ? merging : NULL;
}

bool merging_is_possible(const Rules *rules, Diag *diag)
{
    const char *with = rules->contention == CONTENTION_SHARED      ? NULL
                       : rules->asynchronous                       ? "rounds without barriers"
                       : rules->averages                           ? "the mean of the ends of ranks"
                       : rules->switching != SWITCHING_CUT_THROUGH ? "store-and-forward"
                                                                   : NULL;
    return !with || diag_error(diag, NOWHERE,
                               "switches that multicast or combine have no cost with %s", with);
}

/* What messages of one bundle have in common. */
typedef struct {
    size_t transfer;
    MergingKind kind;
    int32_t rank; /* that they leave, or where they arrive */
    uint32_t count;
    const int64_t *blocks;
    int64_t place; /* the first switch that copies, the last that combines; else the other end */
} Traits;

typedef struct {
    Traits *items;
    size_t count;
} TraitsList;

/* The blocks of a message, where they are combined as which they land. */
static const int64_t *blocks_of(Arena *arena, const Round *round, const Traits *traits)
{
    const ScheduledTransfer *transfer = &round->transfers[traits->transfer];
    const bool lands = traits->kind == MERGING_COMBINES;
    if (!round->packed)
        return (lands && round->destination ? round->destination : round->blocks) +
               transfer->first_block;
    int64_t *blocks = ARENA_ROOM(arena, int64_t, traits->count), *end = blocks;
    for (PackedBlocks at = packed_blocks(round, transfer); packed_more(&at);)
        for (int64_t i = 0; i < at.run.count; i++)
            *end++ = lands ? at.run.to + i * at.run.to_stride : at.run.first + i * at.run.stride;
    return blocks;
}

/* Those with others at their end. NULL where there are some of ranks that stand for others. */
static TraitsList list_beside_others(Arena *arena, const Round *round, int64_t by, bool is_all)
{
    TraitsList traits = {ARENA_ROOM(arena, Traits, round->count + 1), 0};
    int32_t *met = ARENA_ARRAY(arena, int32_t, (size_t)by * MERGING_COUNT);
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t t = 0; t < round->count; t++) {
            const ScheduledTransfer *transfer = &round->transfers[t];
            const bool combines = verb_info[transfer->verb].combines;
            Traits of = {.transfer = t,
                         .kind = combines ? MERGING_COMBINES : MERGING_MULTICASTS,
                         .rank = combines ? transfer->to : transfer->from,
                         .count = transfer->block_count};
            int32_t *others = &met[of.rank % by * MERGING_COUNT + of.kind];
            if (transfer_is_local(transfer) || !of.count || (pass && *others < 2))
                continue;
            *others += !pass;
            if (!is_all && *others > 1)
                return (TraitsList){0};
            if (!pass)
                continue;
            of.blocks = blocks_of(arena, round, &of);
            traits.items[traits.count++] = of;
        }
    return traits;
}

static int compare_likeness(const Traits *a, const Traits *b)
{
    const int64_t orders[][2] = {
        {a->kind, b->kind}, {a->rank, b->rank}, {a->count, b->count}, {a->place, b->place}};
    for (size_t i = 0; i < COUNT_OF(orders); i++)
        if (orders[i][0] != orders[i][1])
            return orders[i][0] < orders[i][1] ? -1 : 1;
    return memcmp(a->blocks, b->blocks, a->count * sizeof *a->blocks);
}

static int compare_traits(const void *a, const void *b)
{
    const Traits *left = a, *right = b;
    const int order = compare_likeness(left, right);
    return order ? order : left->transfer < right->transfer ? -1 : 1;
}

/* Follows the routes of transfers to the places where they merge. */
static bool find_places(Arena *arena, const Merging *merging, const Round *round,
                        const TraitsList *list, Diag *diag)
{
    Traits *traits = list->items;
    const size_t count = list->count;
    Routes routes;
    int64_t *from = ARENA_ROOM(arena, int64_t, count), *to = ARENA_ROOM(arena, int64_t, count);
    int64_t *slots = ARENA_ROOM(arena, int64_t, count); /* of the crossing at that place */
    for (size_t i = 0; i < count; i++) {
        const ScheduledTransfer *transfer = &round->transfers[traits[i].transfer];
        const bool combines = traits[i].kind == MERGING_COMBINES;
        from[i] = transfer->from, to[i] = transfer->to;
        traits[i].place = combines ? transfer->from : transfer->to;
        slots[i] = combines ? -1 : INT64_MAX;
    }
    if (count && !network_route(merging->network, arena, count, from, to, &routes, diag))
        return false;
    for (size_t i = 0; count && i < routes.link_count; i++) {
        Traits *of = &traits[routes.message[i]];
        int64_t *slot = &slots[routes.message[i]];
        const bool combines = of->kind == MERGING_COMBINES;
        const int64_t node = combines ? routes.from[i] : routes.to[i];
        const bool is_nearer = combines ? routes.slot[i] > *slot : routes.slot[i] < *slot;
        if (is_nearer && merging->merges[of->kind][node])
            *slot = routes.slot[i], of->place = node;
    }
    return true;
}

bool merging_bundle(Arena *arena, const Merging *merging, const Round *round, int64_t by,
                    const int64_t **bundles, Diag *diag)
{
    int64_t *found = NULL, number = 0;
    const TraitsList list = list_beside_others(arena, round, by, by == merging->network->p);
    Traits *traits = list.items;
    const size_t count = list.count;
    *bundles = NULL;
    if (!traits || !find_places(arena, merging, round, &list, diag))
        return false;
    qsort(traits, count, sizeof *traits, compare_traits);
    for (size_t i = 0; i + 1 < count; i++) {
        if (compare_likeness(&traits[i], &traits[i + 1]) != 0)
            continue;
        if (!found) {
            found = ARENA_ROOM(arena, int64_t, round->count);
            memset(found, -1, round->count * sizeof *found);
        }
        int64_t *bundle = &found[traits[i].transfer];
        if (*bundle < 0)
            *bundle = MERGING_COUNT * number++ + (int64_t)traits[i].kind;
        found[traits[i + 1].transfer] = *bundle;
    }
    *bundles = found;
    return true;
}

const bool *merging_repeats(Arena *arena, const Merging *merging, const int64_t *bundles,
                            const int64_t *from, const Crossings *crossings)
{
    const size_t link_classes = merging->network->class_count;
    bool *repeats = ARENA_ARRAY(arena, bool, crossings->count);
    int64_t *places = ARENA_ROOM(arena, int64_t, crossings->count);
    PlaceTable ends = {0}, met = {0};
    for (size_t i = 0, m = 0; i < crossings->count; i++) {
        m = (size_t)crossings->message[i];
        if (bundles[m] < 0)
            continue;
        const size_t first = crossings->starts[m], end_of_message = crossings->starts[m + 1];
        const bool arrives = bundle_arrives(bundles, m);
        const bool *merges = merging->merges[arrives ? MERGING_COMBINES : MERGING_MULTICASTS];
        int64_t place = -1;
        /* Of each link of a message, the place from which on copies are on their own, or up to
           which they are: where the same link is crossed for the same place, one copy does. */
        for (size_t n = first; n < end_of_message && i == first; n++) {
            const size_t at = arrives ? n : first + end_of_message - 1 - n;
            const int64_t leaves = at > first ? crossings->to[at - 1] : from[m];
            const int64_t node = arrives ? leaves : crossings->to[at];
            if (crossings->class[at] < link_classes && (place < 0 || merges[node]))
                place = node;
            places[at] = place;
        }
        const bool is_link = crossings->class[i] < link_classes;
        repeats[i] = !is_link && repeats[i - 1]; /* a node counts with the link in front of it */
        if (!is_link)
            continue;
        int32_t *end =
            place_table_find(arena, &ends, (uint64_t)bundles[m] << 32 | (uint64_t)places[i]);
        *end = *end < 0 ? (int32_t)i : *end;
        const uint64_t link = 2 * (uint64_t)crossings->link[i];
        const bool is_back =
            i > first ? crossings->to[i - 1] > crossings->to[i] : from[m] > crossings->to[i];
        int32_t *copy = place_table_find(arena, &met, (uint64_t)*end << 32 | (link + is_back));
        repeats[i] = *copy >= 0;
        *copy = 1;
    }
    return repeats;
}
