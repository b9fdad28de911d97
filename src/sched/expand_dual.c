#include "base/watch.h"
#include "sched/expander.h"
#include "sched/grid_stages.h"
#include "sched/rotation.h"

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
    return expander_expand(instance, &all, work, collect_round, &collection, diag);
}

/* A schedule is a linear map from what is held before to what is held after; its dual is the
   transposed map, backwards in time. A copy becomes a combination, and back. */
Verb verb_of_dual(Verb verb)
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
        transfers[t].verb = verb_of_dual(transfers[t].verb);
    }
    dual.transfers = transfers;
    if (round->packed)
        dual.packed = packed_turn(arena, round);
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
    return blocks ? ARENA_COPY(arena, int64_t, blocks, round_block_count(round)) : NULL;
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

static bool has_messages(const Round *round)
{
    for (size_t t = 0; t < round->count; t++)
        if (!transfer_is_local(&round->transfers[t]))
            return true;
    return false;
}

/* The dual while its rounds are handed on. */
typedef struct {
    const Instance *instance;
    const RoundsWanted *wanted;
    int64_t number;
    RoundVisitor visit;
    void *context;
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
    Round dual = dual_round(arena, round);
    if (rounds->wanted->rotation)
        turn_to_senders(arena, rounds->wanted->rotation, &dual);
    if (rounds->wanted->grid) {
        int64_t *had = ARENA_ROOM(arena, int64_t, dual.count);
        for (size_t t = 0; t < dual.count; t++) {
            const ScheduledTransfer *transfer = &dual.transfers[t];
            had[t] = verb_info[transfer->verb].combines ? transfer->block_count : 0;
        }
        dual.had = had;
    }
    if (rounds->instance->algorithm->posting)
        dual.posting = rounds->instance->algorithm->posting;
    const int64_t before = rounds->number;
    rounds->number += has_messages(&dual) ? 1 + dual.more : 0;
    dual.number = rounds->number - (rounds->number > before ? dual.more : 0);
    rounds->is_refused = !rounds->visit(rounds->context, &dual, arena);
    return !rounds->is_refused;
}

static bool visit_collected(const RoundArray *collected, DualRounds *rounds, Arena *scratch)
{
    bool good = true;
    for (size_t i = collected->count; good && i-- > 0;) {
        watch_poll(scratch);
        ArenaMark mark = arena_mark(scratch);
        good = visit_dual(rounds, &collected->items[i], scratch);
        arena_release(scratch, mark);
    }
    return good;
}

static bool pass_over(void *context, const Round *round, Arena *arena)
{
    (void)context, (void)round, (void)arena;
    return true;
}

/* Round by round from the last on, if that can be, else from all rounds at once. What is wrong is
   found again in the order of the rounds, and told. */
bool expander_expand_dual(const Instance *instance, const RoundsWanted *wanted, int64_t *work,
                          RoundVisitor visit, void *context, Diag *diag)
{
    DualRounds rounds = {instance, wanted, -1, visit, context, false};
    RoundsWanted of_origin = *wanted;
    Instance other = *instance;
    of_origin.all_combine = false; /* its parts follow blocks by themselves */
    other.algorithm = instance->algorithm->dual;
    RoundsAgain again;
    of_origin.again = expander_again_in(wanted->again, 0, instance->algorithm->posting, &again);
    if (!expander_same_blocks(instance, &other, diag))
        return false;
    const bool goes_back = expander_may_go_back(other.algorithm);
    const int64_t work_before = *work;
    Diag silent = diag_silent();
    if (goes_back) {
        if (expander_expand_backwards(&other, &of_origin, work, visit_dual, &rounds, &silent))
            return true;
        if (rounds.is_refused)
            return false;
        *work = work_before;
        of_origin.again = NULL;
        expander_expand(&other, &of_origin, work, pass_over, NULL, diag);
        return false;
    }
    Arena *arena = arena_create(instance->algorithm->head.workspace);
    Arena *scratch = arena_scratch(arena);
    RoundArray collected = {0};
    bool good = expander_collect(arena, &other, &of_origin, work, &collected, diag) &&
                (!wanted->grid || is_had_backwards(scratch, &rounds, &collected)) &&
                visit_collected(&collected, &rounds, scratch);
    arena_destroy(scratch);
    arena_destroy(arena);
    return good;
}
