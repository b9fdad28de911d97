#include "cost/derive_sequence.h"

#include "base/whole.h"
#include "cost/derive_instance.h"
#include "cost/derive_step.h"
#include "sched/pieces.h"

#include <string.h>

/* No schedule of more chunks is derived to confirm a sequence. */
enum { MOST_ASKED = 16 };

ARRAY_TYPE(CostsArray, ChunkCosts *);

struct SequenceCosts {
    Arena *arena;
    const Rules *rules;
    CostsArray items;
    int64_t asked, transfers, combined; /* with so many chunks all stages together send so many
                                           messages, and combine so many blocks */
    PathCost *paths;                    /* of all stages; NULL: not joined yet */
};

/* NULL: it is not as `chunkwise` says. */
static ChunkCosts *derive_costs(SequenceCosts *sequence, PortStepMemo *memo,
                                const Instance *instance, const Network *network,
                                const Chunkwise *chunkwise, bool grows)
{
    Arena *scratch = arena_scratch(sequence->arena);
    ChunkCosts *costs = chunk_costs_create(sequence->arena, chunkwise, grows);
    Diag silent = diag_silent();
    const bool good =
        derive_chunkwise(scratch, memo, instance, network, sequence->rules, costs, &silent);
    arena_destroy(scratch);
    return good ? costs : NULL;
}

static ChunkCosts *find_costs(SequenceCosts *sequence, PortStepMemo *memo, const Instance *instance,
                              const Network *network, bool grows)
{
    /* these are no port steps of equal blocks, of which costs by chunk are made */
    if (sequence->rules->weights || rules_merge(sequence->rules) ||
        rules_post_some_together(sequence->rules, instance->algorithm))
        return NULL;
    Chunkwise *chunkwise = ARENA_NEW(sequence->arena, Chunkwise);
    Diag silent = diag_silent();
    if (!chunkwise_find(sequence->arena, instance, chunkwise, &silent))
        return NULL;
    ChunkCosts *costs = chunkwise->shift.passes || grows
                            ? derive_costs(sequence, memo, instance, network, chunkwise, grows)
                            : NULL;
    if (costs || !chunkwise->shift.passes || !grows)
        return costs;
    chunkwise->shift.passes = 0; /* all chunks, one by one */
    return derive_costs(sequence, memo, instance, network, chunkwise, grows);
}

/* Is it a stage on all ranks for the whole vector, which it cuts as the sequence is cut? */
static bool is_whole_stage(const Algorithm *algorithm, const ScheduleStep *step)
{
    const Use *use = &step->use;
    const Collective *own = algorithm->collective;
    if (step->kind != STEP_USE)
        return false;
    const Collective *theirs = use->algorithm->collective;
    return !step->condition.program && use->along == ALONG_ALL_RANKS && !use->channels.program &&
           !use->renumber.program && !use->root.program && own->index_count == 0 &&
           theirs->index_count == 0 && !own->targeted && !theirs->targeted &&
           own->is_empty == theirs->is_empty;
}

/* False where a stage is not known to do the same for later chunks, or only for much later ones. */
static bool count_messages(SequenceCosts *sequence)
{
    sequence->asked = 1;
    for (size_t i = 0; i < sequence->items.count; i++) {
        const ChunkPeriod period = chunk_costs_period(sequence->items.items[i]);
        if (period.chunks == 0 || period.chunks > MOST_ASKED)
            return false;
        sequence->asked *= period.chunks / whole_common_divisor(sequence->asked, period.chunks);
    }
    for (size_t i = 0; i < sequence->items.count; i++) {
        const ChunkPeriod period = chunk_costs_period(sequence->items.items[i]);
        sequence->transfers += sequence->asked / period.chunks * period.messages;
        sequence->combined += sequence->asked / period.chunks * period.combined;
    }
    return sequence->asked <= MOST_ASKED;
}

static bool add_stages(SequenceCosts *sequence, PortStepMemo *memo, const Instance *instance,
                       const Network *network, bool grows)
{
    const Algorithm *algorithm = instance->algorithm;
    for (size_t i = 0; i < algorithm->step_count; i++)
        if (!is_whole_stage(algorithm, &algorithm->steps[i]))
            return false;
    for (size_t i = 0; i < algorithm->step_count; i++) {
        Shape shape;
        Instance stage =
            pieces_line_instance(instance, &algorithm->steps[i].use, ALL_RANKS, &shape);
        if (algorithm->collective->rooted && stage.algorithm->collective->rooted)
            stage.root = instance->root;
        ChunkCosts *costs = find_costs(sequence, memo, &stage, network, grows);
        if (!costs)
            return false;
        *ARRAY_PUSH(sequence->arena, &sequence->items) = costs;
    }
    return count_messages(sequence);
}

SequenceCosts *sequence_costs_find(Arena *arena, PortStepMemo *memo, const Instance *instance,
                                   const Network *network, const Rules *rules, bool grows)
{
    const Algorithm *algorithm = instance->algorithm;
    SequenceCosts *sequence = ARENA_NEW(arena, SequenceCosts);
    *sequence = (SequenceCosts){.arena = arena, .rules = rules};
    if (!algorithm->dual && algorithm->step_count && algorithm->steps[0].kind == STEP_USE) {
        const bool is_sequence = !algorithm->pipelined && !algorithm->chunks.program &&
                                 !rules_post_some_together(rules, algorithm);
        return is_sequence && add_stages(sequence, memo, instance, network, grows) ? sequence
                                                                                   : NULL;
    }
    ChunkCosts *costs = find_costs(sequence, memo, instance, network, grows);
    if (costs)
        *ARRAY_PUSH(arena, &sequence->items) = costs;
    return costs ? sequence : NULL;
}

int64_t sequence_costs_asked(const SequenceCosts *sequence)
{
    return sequence->asked;
}

static bool is_same_step(const Profile *a, const PortStepCost *one, const Profile *b,
                         const PortStepCost *other)
{
    return one->combined == other->combined && one->message == other->message &&
           one->continues == other->continues && one->local == other->local &&
           overlaps_same(one->earlier, other->earlier) && one->path_count == other->path_count &&
           (one->path_count == 0 || memcmp(a->paths + one->first_path, b->paths + other->first_path,
                                           one->path_count * sizeof *a->paths) == 0);
}

static int64_t count_steps(const Profile *profile, const Profile *of, const PortStepCost *step)
{
    int64_t times = 0;
    for (size_t i = 0; i < profile->step_count; i++)
        if (is_same_step(profile, &profile->steps[i], of, step))
            times += profile->steps[i].repeat;
    return times;
}

bool sequence_costs_confirm(SequenceCosts *sequence, const Profile *derived)
{
    const Profile *own = sequence_costs_profile(sequence, sequence->asked);
    bool same = derived->transfers == sequence->transfers &&
                derived->combined == sequence->combined && derived->startups == own->startups &&
                derived->chunks == own->chunks;
    for (size_t i = 0; i < own->step_count && same; i++)
        same = count_steps(own, own, &own->steps[i]) == count_steps(derived, own, &own->steps[i]);
    return same;
}

/* Those of each stage are the same for all numbers of chunks. */
static void join_paths(SequenceCosts *sequence, const Profile *const *profiles)
{
    size_t count = 0;
    for (size_t i = 0; i < sequence->items.count; i++)
        count += profiles[i]->path_count;
    sequence->paths = ARENA_ROOM(sequence->arena, PathCost, count + 1);
    count = 0;
    for (size_t i = 0; i < sequence->items.count; i++) {
        memcpy(sequence->paths + count, profiles[i]->paths,
               profiles[i]->path_count * sizeof *profiles[i]->paths);
        count += profiles[i]->path_count;
    }
}

const Profile *sequence_costs_profile(SequenceCosts *sequence, int64_t k)
{
    const size_t count = sequence->items.count;
    size_t steps = 0;
    if (count == 1)
        return chunk_costs_profile(sequence->items.items[0], sequence->rules, k);
    const Profile **profiles = ARENA_ARRAY(sequence->arena, const Profile *, count);
    for (size_t i = 0; i < count; i++) {
        profiles[i] = chunk_costs_profile(sequence->items.items[i], sequence->rules, k);
        steps += profiles[i]->step_count;
    }
    if (!sequence->paths)
        join_paths(sequence, profiles);
    Profile *all = ARENA_COPY(sequence->arena, Profile, profiles[0], 1);
    all->steps = ARENA_ROOM(sequence->arena, PortStepCost, steps + 1);
    all->paths = sequence->paths;
    all->startups = 0, all->step_count = all->path_count = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t t = 0; t < profiles[i]->step_count; t++) {
            PortStepCost *step = &all->steps[all->step_count++];
            *step = profiles[i]->steps[t];
            step->first_path += all->path_count;
        }
        all->startups += profiles[i]->startups;
        all->path_count += profiles[i]->path_count;
    }
    return all;
}
