#include "base/watch.h"
#include "sched/expander.h"
#include "sched/rounds.h"

/* The stages run once for each chunk, chunk c on part c of every block. Time goes by periods, each
   as long as the longest stage: in period u, stage s works on chunk u - s. Stages up to the longest
   begin with the period, those behind it end with it: what is first halved and then doubled has its
   large messages beside those of other stages. Of stages a, b and c with 2, 3 and 2 rounds:

       period    0              1              2              3
       chunk 0   a0   a1   -    b0   b1   b2   -    c0   c1
       chunk 1                  a0   a1   -    b0   b1   b2   -    c0   c1

   Rounds in which nobody sends anything are none. In a round the oldest chunk comes first: where
   ports are few, it has them. */
typedef struct {
    size_t first, count; /* of its rounds */
} StageRounds;

ARRAY_TYPE(StageArray, StageRounds);

typedef struct {
    const Instance *instance;
    const RoundArray *rounds; /* of one chunk */
    StageArray stages;        /* that have rounds */
    size_t longest;           /* of the stages, the first */
    int64_t chunks;           /* into which the stages cut a block of their own */
    int64_t number;
} Pipeline;

static void list_stages(Pipeline *pipeline, Arena *arena)
{
    const RoundArray *rounds = pipeline->rounds;
    StageArray *stages = &pipeline->stages;
    for (size_t i = 0; i < rounds->count; i++) {
        if (i == 0 || rounds->items[i].stage != rounds->items[i - 1].stage)
            *ARRAY_PUSH(arena, stages) = (StageRounds){.first = i};
        stages->items[stages->count - 1].count++;
    }
    for (size_t s = 0; s < stages->count; s++)
        if (stages->items[s].count > stages->items[pipeline->longest].count)
            pipeline->longest = s;
}

/* Of the blocks that stages cut, in whatever array, the part of this chunk. */
static void append_part(const Pipeline *pipeline, Arena *arena, const int64_t *blocks, size_t count,
                        int64_t chunk, IntArray *list)
{
    const int64_t own = pipeline->chunks, all = own * pipeline->instance->k;
    for (size_t b = 0; b < count; b++)
        *ARRAY_PUSH(arena, list) = blocks[b] / own * all + chunk * own + blocks[b] % own;
}

static void append_round(const Pipeline *pipeline, Arena *arena, const Round *round, int64_t chunk,
                         Draft *draft)
{
    size_t count = 0;
    for (size_t t = 0; t < round->count; t++) {
        ScheduledTransfer *transfer = ARRAY_PUSH(arena, &draft->transfers);
        *transfer = round->transfers[t];
        transfer->first_block += draft->block_count;
        count += transfer->block_count;
        draft->has_messages |= !transfer_is_local(transfer);
    }
    draft->block_count += count;
    if (pipeline->instance->counts_only)
        return;
    append_part(pipeline, arena, round->blocks, count, chunk, &draft->blocks);
    if (round->destination)
        append_part(pipeline, arena, round->destination, count, chunk, &draft->destination);
}

/* What all chunks do in one round of a period; its transfers and blocks are in the draft. */
static Round merge_rounds(const Pipeline *pipeline, Arena *arena, int64_t period, size_t slot,
                          Draft *draft)
{
    const size_t length = pipeline->stages.items[pipeline->longest].count;
    Round merged = {0};
    for (size_t s = pipeline->stages.count; s-- > 0;) {
        const StageRounds *stage = &pipeline->stages.items[s];
        const size_t idle = s > pipeline->longest ? length - stage->count : 0;
        const int64_t chunk = period - (int64_t)s;
        if (chunk < 0 || chunk >= pipeline->instance->k || slot < idle ||
            slot - idle >= stage->count)
            continue;
        const Round *round = &pipeline->rounds->items[stage->first + slot - idle];
        if (!merged.count)
            merged = (Round){.part = round->part, .stage = round->stage, .posting = round->posting};
        append_round(pipeline, arena, round, chunk, draft);
        merged.count = draft->transfers.count;
    }
    merged.transfers = draft->transfers.items;
    merged.blocks = draft->blocks.items;
    merged.destination = draft->destination.count ? draft->destination.items : NULL;
    return merged;
}

static bool run_pipeline(Pipeline *pipeline, Arena *scratch, int64_t *work, RoundVisitor visit,
                         void *context, Diag *diag)
{
    const Instance *instance = pipeline->instance;
    const StageArray *stages = &pipeline->stages;
    const int64_t periods = stages->count ? instance->k + (int64_t)stages->count - 1 : 0;
    const size_t length = stages->count ? stages->items[pipeline->longest].count : 0;
    Expander counter = {.instance = instance, .work = work, .diag = diag};
    for (int64_t u = 0; u < periods; u++)
        for (size_t slot = 0; slot < length; slot++) {
            watch_poll(scratch);
            ArenaMark mark = arena_mark(scratch);
            Draft draft = {0};
            Round merged = merge_rounds(pipeline, scratch, u, slot, &draft);
            pipeline->number += draft.has_messages;
            merged.number = pipeline->number;
            if (!expander_count(&counter, (int64_t)merged.count, instance->algorithm->head.span) ||
                (merged.count && !visit(context, &merged, scratch)))
                return false;
            arena_release(scratch, mark);
        }
    return true;
}

bool expander_expand_pipelined(const Instance *instance, int64_t *work, RoundVisitor visit,
                               void *context, Diag *diag)
{
    Instance once = *instance;
    once.k = 1;
    once.takes_packed = once.counts_only = false;
    Pieces pieces;
    RoundArray rounds = {0};
    Arena *arena = arena_create(instance->algorithm->head.workspace);
    Arena *scratch = arena_scratch(arena);
    bool good =
        pieces_find(&once, &pieces, diag) && expander_collect(arena, &once, work, &rounds, diag);
    if (good) {
        Pipeline pipeline = {
            .instance = instance, .rounds = &rounds, .chunks = pieces.chunks, .number = -1};
        list_stages(&pipeline, arena);
        good = run_pipeline(&pipeline, scratch, work, visit, context, diag);
    }
    arena_destroy(scratch);
    arena_destroy(arena);
    return good;
}
