/* Used algorithms that run on all ranks, one after the other, as vectors are reduce-scattered and
   then allgathered: where each leaves what the next one needs, senders hold all that they should
   send, and blocks need only be counted. */
#include "sched/grid_stages.h"
#include "sched/lines.h"
#include "sched/rotation.h"

/* Does every rank hold, when the left one has run, all that the next one needs it to hold? */
static bool leaves_enough(const Contract *left, const Contract *needed)
{
    const Holding *have = &left->after, *need = &needed->before;
    if (left->block_count != needed->block_count)
        return false;
    for (int64_t r = 0; r < needed->p; r++) {
        if (need->is_shared && have->is_shared && r != need->from && have->holders == have->p)
            continue; /* as the rank that stands for all */
        for (int64_t i = 0; i < holding_count(need, r); i++)
            if (!holding_has(have, r, holding_block(need, r, i)))
                return false;
    }
    return true;
}

bool schedule_parts_fit(const Arena *arena, const Instance *instance, int64_t ranks)
{
    const Algorithm *algorithm = instance->algorithm;
    Arena *scratch = arena_scratch(arena);
    Contract contracts[2];
    int64_t work = 0;
    bool good = !algorithm->pipelined && !algorithm->dual && !algorithm->trees;
    for (size_t i = 0; i < algorithm->step_count && good; i++) {
        const ScheduleStep *step = &algorithm->steps[i];
        const Use *use = &step->use;
        good = step->kind == STEP_USE && use->along == ALONG_ALL_RANKS && !use->of.count &&
               !use->renumber.program && !use->channels.program && !use->root.program &&
               !use->target.program && !step->condition.program && !use->algorithm->names_all;
        if (!good)
            break;
        Shape line;
        const Instance inner = pieces_line_instance(instance, &step->use, ALL_RANKS, &line);
        const Collective *own = algorithm->collective, *theirs = inner.algorithm->collective;
        const int64_t root = theirs->rooted && own->rooted ? instance->root : 0;
        good = contract_try(scratch, theirs, instance->p, root,
                            theirs->targeted ? instance->target : 0, &contracts[i % 2]) &&
               (i == 0 || leaves_enough(&contracts[(i - 1) % 2], &contracts[i % 2]));
        if (good)
            expander_count_ahead(&inner, ranks, &work);
    }
    arena_destroy(scratch);
    return good && work <= MOST_WORK;
}

typedef struct {
    const Lines *lines;
    int64_t times;
} CountedPart;

static bool pass_on(void *context, const Round *round, Arena *arena)
{
    const CountedPart *part = context;
    Expander *expander = part->lines->expander;
    /* other blocks, but messages have the same ones as each other where these do */
    Draft draft = {.posting = round->posting,
                   .blocks.items = (int64_t *)(uintptr_t)round->blocks,
                   .destination.items = (int64_t *)(uintptr_t)round->destination,
                   .packing.numbers = {(int32_t *)(uintptr_t)round->packed, round->packed_count, 0},
                   .channels = round->channels};
    for (size_t c = 0; c < round->channels; c++)
        draft.ends[c] = round->ends[c];
    (void)arena;
    const ArenaMark mark = arena_mark(expander->drafts);
    bool good = expander_count(expander, (int64_t)round->count, part->lines->step->span);
    for (size_t t = 0; t < round->count && good; t++) {
        ScheduledTransfer transfer = round->transfers[t];
        good = transfer.block_count <= INT32_MAX / part->times;
        transfer.block_count *= (uint32_t)part->times;
        draft_append(expander->drafts, &draft, &transfer);
    }
    good = good && expander_emit(expander, &draft);
    arena_release(expander->drafts, mark);
    return good;
}

bool lines_run_counted(const Lines *lines, const Instance *inner)
{
    Expander *expander = lines->expander;
    BlockSpace theirs;
    if (!schedule_blocks(inner, &theirs, expander->diag) || expander->space.count % theirs.count)
        return false;
    /* Where blocks are cut further than the used algorithm does, several stand for one. */
    CountedPart part = {lines, expander->space.count / theirs.count};
    RoundsAgain again;
    Rotation rotation;
    const Rotation *own = expander->wanted->rotation;
    if (own && !rotation_find_by(inner, own->by, &rotation))
        return false;
    const RoundsWanted counted = {.visit = pass_on,
                                  .context = &part,
                                  .rotation = own ? &rotation : NULL,
                                  .counts_only = expander->counts_only,
                                  .takes_packed = expander->packs,
                                  .again = expander_again_in(expander->wanted->again, part.times,
                                                             expander->algorithm->posting, &again)};
    return part.times > 0 && (part.times == 1 || expander->counts_only) &&
           expander_expand(inner, &counted, expander->work, expander->diag);
}
