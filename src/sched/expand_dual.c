#include "sched/expander.h"
#include "sched/rotation.h"

#include "base/watch.h"

#include <string.h>

/* Where copies of rounds go. */
typedef struct {
    Arena *arena;
    RoundArray *rounds;
} Collection;

/* In rings and trees that run again and again, round after round sends alike, but for the blocks:
   such rounds share their transfers. */
static const ScheduledTransfer *keep_transfers(const Collection *collection, const Round *round)
{
    const size_t kept = collection->rounds->count;
    const Round *last = kept ? &collection->rounds->items[kept - 1] : NULL;
    if (last && round->count && last->count == round->count &&
        memcmp(last->transfers, round->transfers, round->count * sizeof *round->transfers) == 0)
        return last->transfers;
    return ARENA_COPY(collection->arena, ScheduledTransfer, round->transfers, round->count);
}

static bool collect_round(void *context, const Round *round, Arena *arena)
{
    Collection *collection = context;
    size_t blocks = 0;
    for (size_t t = 0; t < round->count; t++)
        blocks += round->transfers[t].block_count;
    (void)arena;
    const ScheduledTransfer *transfers = keep_transfers(collection, round);
    Round *copy = ARRAY_PUSH(collection->arena, collection->rounds);
    *copy = *round;
    copy->transfers = transfers;
    if (round->blocks)
        copy->blocks = ARENA_COPY(collection->arena, int64_t, round->blocks, blocks);
    if (round->destination)
        copy->destination = ARENA_COPY(collection->arena, int64_t, round->destination, blocks);
    copy->products =
        ARENA_COPY(collection->arena, ScheduledProduct, round->products, round->product_count);
    return true;
}

bool expander_collect(Arena *arena, const Instance *instance, int64_t *work, RoundArray *rounds,
                      Diag *diag)
{
    Collection collection = {arena, rounds};
    return expander_expand(instance, work, collect_round, &collection, diag);
}

bool schedule_collect(Arena *arena, const Instance *instance, RoundArray *rounds, Diag *diag)
{
    int64_t work = 0;
    return expander_collect(arena, instance, &work, rounds, diag);
}

/* A schedule is a linear map from what is held before to what is held after; its dual is the
   transposed map, backwards in time. A copy becomes a combination, and back. */
static Verb dual_verb(Verb verb)
{
    return verb == VERB_SEND ? VERB_REDUCE : verb == VERB_REDUCE ? VERB_SEND : verb;
}

static Round dual_round(Arena *arena, const Round *round)
{
    Round dual = *round;
    ScheduledTransfer *transfers =
        ARENA_COPY(arena, ScheduledTransfer, round->transfers, round->count);
    for (size_t t = 0; t < round->count; t++) {
        transfers[t].from = round->transfers[t].to;
        transfers[t].to = round->transfers[t].from;
        transfers[t].verb = dual_verb(transfers[t].verb);
    }
    dual.transfers = transfers;
    if (round->destination) {
        dual.blocks = round->destination;
        dual.destination = round->blocks;
    }
    return dual;
}

static void turn_blocks(const Rotation *rotation, int64_t *blocks, size_t count, int64_t ranks)
{
    for (size_t b = 0; b < count; b++)
        blocks[b] = rotation_turn(rotation, blocks[b], ranks);
}

/* A copy of the transfers' blocks, or NULL where they are not known. */
static int64_t *copy_blocks(Arena *arena, const Round *round, const int64_t *blocks)
{
    size_t count = 0;
    for (size_t t = 0; t < round->count; t++)
        count += round->transfers[t].block_count;
    return blocks ? ARENA_COPY(arena, int64_t, blocks, count) : NULL;
}

/* The messages of the ranks that stand for all, where those that stand for all receive. */
static void turn_to_senders(Arena *arena, const Rotation *rotation, Round *round)
{
    ScheduledTransfer *transfers =
        ARENA_COPY(arena, ScheduledTransfer, round->transfers, round->count);
    int64_t *lists[] = {copy_blocks(arena, round, round->blocks),
                        copy_blocks(arena, round, round->destination)};
    for (size_t t = 0; t < round->count; t++) {
        int64_t behind = rotation_turn_sender(rotation, &transfers[t]);
        for (int i = 0; i < 2; i++)
            if (lists[i] && behind)
                turn_blocks(rotation, lists[i] + transfers[t].first_block, transfers[t].block_count,
                            -behind);
    }
    round->transfers = transfers;
    round->blocks = lists[0];
    round->destination = lists[1];
}

/* Block numbers carry over only if both collectives have the same blocks. */
static bool same_blocks(const Instance *instance, const Instance *other, Diag *diag)
{
    BlockSpace own, theirs;
    if (!schedule_blocks(instance, &own, diag) || !schedule_blocks(other, &theirs, diag))
        return false;
    bool same = own.index_count == theirs.index_count;
    for (int i = 0; same && i < own.index_count; i++)
        same = own.extents[i] == theirs.extents[i];
    if (!same)
        diag_error(diag, instance->algorithm->head.span,
                   "for p = %lld, blocks of %s are not those of %s", (long long)instance->p,
                   instance->algorithm->collective->head.name,
                   other->algorithm->collective->head.name);
    return same;
}

static bool has_messages(const Round *round)
{
    for (size_t t = 0; t < round->count; t++)
        if (!transfer_is_local(&round->transfers[t]))
            return true;
    return false;
}

bool expander_expand_dual(const Instance *instance, int64_t *work, RoundVisitor visit,
                          void *context, Diag *diag)
{
    Arena *arena = arena_create(instance->algorithm->head.workspace);
    Arena *scratch = arena_scratch(arena);
    RoundArray rounds = {0};
    int64_t number = -1;
    Instance other = *instance;
    other.algorithm = instance->algorithm->dual;
    bool good =
        same_blocks(instance, &other, diag) && expander_collect(arena, &other, work, &rounds, diag);
    for (size_t i = rounds.count; good && i-- > 0;) {
        watch_poll(arena);
        ArenaMark mark = arena_mark(scratch);
        Round round = dual_round(scratch, &rounds.items[i]);
        if (instance->rotation)
            turn_to_senders(scratch, instance->rotation, &round);
        if (instance->algorithm->posting)
            round.posting = instance->algorithm->posting;
        number += has_messages(&round);
        round.number = number;
        good = visit(context, &round, scratch);
        arena_release(scratch, mark);
    }
    arena_destroy(scratch);
    arena_destroy(arena);
    return good;
}
