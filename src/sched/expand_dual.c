#include "base/watch.h"
#include "sched/expander.h"
#include "sched/grid_stages.h"
#include "sched/rotation.h"

#include <string.h>

size_t rounds_keep(Arena *arena, RoundArray *rounds, const Round *round)
{
    const size_t blocks = round_block_count(round);
    size_t bytes = sizeof *round;
    const ScheduledTransfer *transfers = NULL;
    const Round *last = rounds->count ? &rounds->items[rounds->count - 1] : NULL;
    /* In rings and trees that run again and again, round after round sends alike, but for the
       blocks: such rounds share their transfers. */
    if (last && round->count && last->count == round->count &&
        memcmp(last->transfers, round->transfers, round->count * sizeof *transfers) == 0) {
        transfers = last->transfers;
    } else {
        transfers = ARENA_COPY(arena, ScheduledTransfer, round->transfers, round->count);
        bytes += round->count * sizeof *transfers;
    }
    Round *copy = ARRAY_PUSH(arena, rounds);
    *copy = *round;
    copy->transfers = transfers;
    if (round->blocks)
        copy->blocks = ARENA_COPY(arena, int64_t, round->blocks, blocks);
    if (round->packed)
        copy->packed = ARENA_COPY(arena, int32_t, round->packed, round->packed_count);
    if (round->destination)
        copy->destination = ARENA_COPY(arena, int64_t, round->destination, blocks);
    if (round->channels)
        copy->ends = ARENA_COPY(arena, size_t, round->ends, round->channels);
    if (round->had)
        copy->had = ARENA_COPY(arena, int64_t, round->had, round->count);
    copy->products = ARENA_COPY(arena, ScheduledProduct, round->products, round->product_count);
    return bytes + (size_t)(round->blocks != NULL) * blocks * sizeof *round->blocks +
           (size_t)(round->destination != NULL) * blocks * sizeof *round->destination +
           round->packed_count * sizeof *round->packed +
           (size_t)(round->had != NULL) * round->count * sizeof *round->had +
           round->product_count * sizeof *round->products;
}

/* Of copies of rounds. */
static const size_t most_collected = (size_t)1 << 30;

/* Where copies of rounds go. */
typedef struct {
    Arena *arena;
    RoundArray *rounds;
    const Instance *instance;
    Diag *diag;
    size_t bytes;
} Collection;

static bool collect_round(void *context, const Round *round, Arena *arena)
{
    Collection *collection = context;
    (void)arena;
    collection->bytes += rounds_keep(collection->arena, collection->rounds, round);
    if (collection->bytes <= most_collected)
        return true;
    schedule_report_too_large(collection->instance, collection->instance->algorithm->head.span,
                              collection->diag);
    return false;
}

bool expander_collect(Arena *arena, const Instance *instance, const RoundsWanted *wanted,
                      int64_t *work, RoundArray *rounds, Diag *diag)
{
    Collection collection = {arena, rounds, instance, diag, 0};
    RoundsWanted all = *wanted;
    all.again = NULL;
    all.visit = collect_round;
    all.context = &collection;
    return expander_expand(instance, &all, work, diag);
}

/* A schedule is a linear map from what is held before to what is held after; its dual is the
   transposed map, backwards in time. A copy becomes a combination, and back. */
Verb verb_of_dual(Verb verb)
{
    return verb == VERB_SEND ? VERB_REDUCE : verb == VERB_REDUCE ? VERB_SEND : verb;
}

/* Where ranks stand for all, the messages of these, which receive in the other one. */
static Round dual_round(Arena *arena, const Rotation *rotation, const Round *round)
{
    Round dual = *round;
    ScheduledTransfer *transfers =
        ARENA_COPY(arena, ScheduledTransfer, round->transfers, round->count);
    const int64_t *sources[] = {round->destination ? round->destination : round->blocks,
                                round->destination ? round->blocks : NULL};
    int64_t *turned[] = {NULL, NULL};
    for (int i = 0; i < 2 && rotation; i++)
        if (sources[i])
            turned[i] = ARENA_COPY(arena, int64_t, sources[i], round_block_count(round));
    for (size_t t = 0; t < round->count; t++) {
        ScheduledTransfer *transfer = &transfers[t];
        transfer->from = round->transfers[t].to;
        transfer->to = round->transfers[t].from;
        transfer->verb = verb_of_dual(transfer->verb);
        const int64_t behind = rotation ? rotation_turn_sender(rotation, transfer) : 0;
        for (int i = 0; i < 2 && behind; i++)
            for (size_t b = 0; b < transfer->block_count && turned[i]; b++) {
                int64_t *block = &turned[i][transfer->first_block + b];
                *block = rotation_turn(rotation, *block, -behind);
            }
    }
    dual.transfers = transfers;
    if (round->packed)
        dual.packed = packed_turn(arena, round);
    dual.blocks = rotation ? turned[0] : sources[0];
    dual.destination = rotation ? turned[1] : sources[1];
    return dual;
}

/* Block numbers carry over only if both collectives have the same blocks. */
bool expander_same_blocks(const Instance *instance, const Instance *other, Diag *diag)
{
    BlockSpace own, theirs;
    if (!schedule_blocks(instance, &own, diag) || !schedule_blocks(other, &theirs, diag))
        return false;
    bool same = own.index_count == theirs.index_count;
    for (int i = 0; same && i < own.index_count; i++)
        same = own.extents[i] == theirs.extents[i];
    return same || diag_error(diag, instance->algorithm->head.span,
                              "for p = %lld, blocks of %s are not those of %s",
                              (long long)instance->p, instance->algorithm->collective->head.name,
                              other->algorithm->collective->head.name);
}

/* The dual while its rounds are handed on. */
typedef struct {
    const Instance *instance;
    const RoundsWanted *wanted;
    int64_t number;
    bool is_refused; /* by the visitor */
} DualRounds;

/* Where nobody gets what it has, a rank that sends a block in a round holds it, and one that gets
   it does not before. So in the dual, which begins as these rounds end, what comes to be combined
   finds its block, and who holds what is that of the rounds, backwards. One that sends and moves a
   block at once would not hold it before the other comes back. */
static bool is_had_backwards(Arena *arena, const DualRounds *rounds, const RoundArray *collected)
{
    for (size_t i = 0; i < collected->count; i++) {
        const Round *round = &collected->items[i];
        for (size_t t = 0; t < round->count; t++)
            if (round->had[t] || verb_info[round->transfers[t].verb].combines ||
                round->transfers[t].verb != round->transfers[0].verb)
                return false;
    }
    return grid_ownership_is_before(arena, rounds->instance, rounds->wanted->grid);
}

static bool visit_dual(void *context, const Round *round, Arena *arena)
{
    DualRounds *rounds = context;
    const RoundsWanted *wanted = rounds->wanted;
    Round dual = dual_round(arena, wanted->rotation, round);
    if (wanted->grid) {
        int64_t *had = ARENA_ROOM(arena, int64_t, dual.count);
        for (size_t t = 0; t < dual.count; t++) {
            const ScheduledTransfer *transfer = &dual.transfers[t];
            had[t] = verb_info[transfer->verb].combines ? transfer->block_count : 0;
        }
        dual.had = had;
    }
    if (rounds->instance->algorithm->posting)
        dual.posting = rounds->instance->algorithm->posting;
    bool has_messages = false;
    for (size_t t = 0; t < dual.count && !has_messages; t++)
        has_messages = !transfer_is_local(&dual.transfers[t]);
    rounds->number += has_messages ? 1 + dual.more : 0;
    dual.number = rounds->number - (has_messages ? dual.more : 0);
    rounds->is_refused = !wanted->visit(wanted->context, &dual, arena);
    return !rounds->is_refused;
}

static bool pass_over(void *context, const Round *round, Arena *arena)
{
    (void)context, (void)round, (void)arena;
    return true;
}

/* Round by round from the last on, if that can be, else from all rounds at once. What is wrong is
   found again in the order of the rounds, and told. */
bool expander_expand_dual(const Instance *instance, const RoundsWanted *wanted, int64_t *work,
                          Diag *diag)
{
    DualRounds rounds = {instance, wanted, -1, false};
    RoundsWanted of_origin = *wanted;
    Instance other = *instance;
    of_origin.all_combine = false; /* its parts follow blocks by themselves */
    of_origin.visit = visit_dual;
    of_origin.context = &rounds;
    other.algorithm = instance->algorithm->dual;
    RoundsAgain again;
    of_origin.again = expander_again_in(wanted->again, 0, instance->algorithm->posting, &again);
    if (!expander_same_blocks(instance, &other, diag))
        return false;
    const bool goes_back = expander_may_go_back(other.algorithm);
    const int64_t work_before = *work;
    Diag silent = diag_silent();
    if (goes_back) {
        if (expander_expand_backwards(&other, &of_origin, work, &silent))
            return true;
        if (rounds.is_refused)
            return false;
        *work = work_before;
        of_origin.again = NULL;
        of_origin.visit = pass_over;
        expander_expand(&other, &of_origin, work, diag);
        return false;
    }
    Arena *arena = arena_create(instance->algorithm->head.workspace);
    Arena *scratch = arena_scratch(arena);
    RoundArray collected = {0};
    bool good = expander_collect(arena, &other, &of_origin, work, &collected, diag) &&
                (!wanted->grid || is_had_backwards(scratch, &rounds, &collected));
    for (size_t i = collected.count; good && i-- > 0;) {
        watch_poll(scratch);
        ArenaMark mark = arena_mark(scratch);
        good = visit_dual(&rounds, &collected.items[i], scratch);
        arena_release(scratch, mark);
    }
    arena_destroy(scratch);
    arena_destroy(arena);
    return good;
}
