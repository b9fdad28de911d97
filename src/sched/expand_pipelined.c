#include "base/watch.h"
#include "sched/expander.h"
#include "sched/grid_stages.h"

/* The stages run once for each chunk, chunk c on part c of every block. Time goes by periods, each
   as long as the longest stage: in period u, stage s works on chunk u - s. Stages up to the longest
   begin with the period, those behind it end with it: what is first halved and then doubled has its
   large messages beside those of other stages. Of stages a, b and c with 2, 3 and 2 rounds:

       period    0              1              2              3
       chunk 0   a0   a1   -    b0   b1   b2   -    c0   c1
       chunk 1                  a0   a1   -    b0   b1   b2   -    c0   c1

   Rounds in which nobody sends anything are none. In a round the oldest chunk comes first: where
   ports are few, it has them. Where blocks are only counted, periods in which the same stages work
   are the same. */
typedef struct {
    size_t first, count; /* of its rounds */
    WideHash sends;      /* what they send; only where blocks are counted */
} StageRounds;

ARRAY_TYPE(StageArray, StageRounds);

typedef struct {
    const Instance *instance;
    const RoundsWanted *wanted;
    RoundArray rounds; /* of one chunk */
    StageArray stages; /* that have rounds */
    size_t longest;    /* of the stages, the first */
    int64_t chunks;    /* into which the stages cut a block of their own */
    int64_t number;
    Expander counter;
} Pipeline;

/* Every round by itself, also those that were handed on as one, and the stages of which they are.
 */
static bool list_stages(Pipeline *pipeline, Arena *arena, const RoundArray *collected)
{
    const Span span = pipeline->instance->algorithm->head.span;
    RoundArray *rounds = &pipeline->rounds;
    StageArray *stages = &pipeline->stages;
    for (size_t i = 0; i < collected->count; i++)
        for (int64_t n = 0; n <= collected->items[i].more; n++) {
            if (n > 0 && !expander_count(&pipeline->counter, 0, span))
                return false;
            Round *round = ARRAY_PUSH(arena, rounds);
            *round = collected->items[i];
            round->more = 0;
        }
    for (size_t i = 0; i < rounds->count; i++) {
        if (i == 0 || rounds->items[i].stage != rounds->items[i - 1].stage)
            *ARRAY_PUSH(arena, stages) = (StageRounds){.first = i};
        StageRounds *stage = &stages->items[stages->count - 1];
        stage->count++;
        const Round *round = &rounds->items[i];
        if (round->had)
            stage->sends = grid_stages_add_transfers(
                hash_add(stage->sends, round->count, (uint64_t)round->posting), round->transfers,
                round->had, round->count);
    }
    for (size_t s = 0; s < stages->count; s++)
        if (stages->items[s].count > stages->items[pipeline->longest].count)
            pipeline->longest = s;
    return true;
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
        ScheduledTransfer transfer = round->transfers[t];
        transfer.first_block += draft->block_count;
        count += transfer.block_count;
        draft_append(arena, draft, &transfer);
        if (round->had)
            *ARRAY_PUSH(arena, &draft->had) = round->had[t];
    }
    draft->block_count += count;
    if (pipeline->wanted->counts_only || round->had)
        return;
    append_part(pipeline, arena, round->blocks, count, chunk, &draft->blocks);
    if (round->destination)
        append_part(pipeline, arena, round->destination, count, chunk, &draft->destination);
}

/* Does the stage work on a chunk in this period? */
static bool works(const Pipeline *pipeline, size_t stage, int64_t period)
{
    const int64_t chunk = period - (int64_t)stage;
    return chunk >= 0 && chunk < pipeline->instance->k;
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
        if (!works(pipeline, s, period) || slot < idle || slot - idle >= stage->count)
            continue;
        const Round *round = &pipeline->rounds.items[stage->first + slot - idle];
        if (!merged.count)
            merged = (Round){.stage = round->stage, .posting = round->posting};
        append_round(pipeline, arena, round, period - (int64_t)s, draft);
        merged.count = draft->transfers.count;
    }
    merged.transfers = draft->transfers.items;
    merged.blocks = draft->blocks.items;
    merged.destination = draft->destination.count ? draft->destination.items : NULL;
    merged.had = draft->had.items;
    return merged;
}

static bool run_period(Pipeline *pipeline, Arena *scratch, int64_t period)
{
    const RoundsWanted *wanted = pipeline->wanted;
    const Span span = pipeline->instance->algorithm->head.span;
    const size_t length = pipeline->stages.items[pipeline->longest].count;
    for (size_t slot = 0; slot < length; slot++) {
        watch_poll(scratch);
        ArenaMark mark = arena_mark(scratch);
        Draft draft = {0};
        Round merged = merge_rounds(pipeline, scratch, period, slot, &draft);
        pipeline->number += draft.has_messages;
        merged.number = pipeline->number;
        if (!expander_count(&pipeline->counter, (int64_t)merged.count, span) ||
            (merged.count && !wanted->visit(wanted->context, &merged, scratch)))
            return false;
        arena_release(scratch, mark);
    }
    return true;
}

/* A period like one that was run costs as much. */
static bool run_or_repeat_period(Pipeline *pipeline, Arena *scratch, int64_t period)
{
    const GridOwnership *grid = pipeline->wanted->grid;
    int64_t *work = pipeline->counter.work;
    if (!grid || !grid->periods)
        return run_period(pipeline, scratch, period);
    /* Its hash is of what is done in it, in which of its rounds. */
    const Instance *instance = pipeline->instance;
    WideHash hash = {(uint64_t)instance->p, (uint64_t)instance->ports};
    for (size_t s = 0; s < pipeline->stages.count; s++) {
        const StageRounds *own = &pipeline->stages.items[s];
        if (!works(pipeline, s, period))
            continue;
        hash = hash_add(hash, own->count, s > pipeline->longest);
        hash = hash_add(hash, own->sends.high, own->sends.low);
    }
    GridStage stage = {.key = hash_add(hash, pipeline->stages.items[pipeline->longest].count, 1)};
    if (grid_stages_repeat(grid->periods, grid->visitor, &stage, work, &pipeline->number))
        return true;
    if (!run_period(pipeline, scratch, period))
        return false;
    grid_stages_finish(grid->periods, grid->visitor, &stage, *work, pipeline->number);
    return true;
}

bool expander_expand_pipelined(const Instance *instance, const RoundsWanted *wanted, int64_t *work,
                               Diag *diag)
{
    Instance once = *instance;
    RoundsWanted listed = *wanted;
    once.k = 1;
    listed.takes_packed = listed.counts_only = false;
    Pieces pieces;
    RoundArray collected = {0};
    Arena *arena = arena_create(instance->algorithm->head.workspace);
    Arena *scratch = arena_scratch(arena);
    bool good = pieces_find(&once, &pieces, diag) &&
                expander_collect(arena, &once, &listed, work, &collected, diag);
    Pipeline pipeline = {.instance = instance,
                         .wanted = wanted,
                         .chunks = good ? pieces.chunks : 0,
                         .number = -1,
                         .counter = {.instance = instance, .work = work, .diag = diag}};
    good = good && list_stages(&pipeline, arena, &collected);
    const int64_t stages = (int64_t)pipeline.stages.count;
    for (int64_t u = 0; u < instance->k + stages - 1 && stages && good; u++)
        good = run_or_repeat_period(&pipeline, scratch, u);
    arena_destroy(scratch);
    arena_destroy(arena);
    return good;
}
